"""What counts as thinking and what as the answer."""

import pytest

import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.families.xlgobench.grading import grade
from xlgo_metric.reading.thinking import join_thinking, split_thinking

REFERENCE = {"task": "slt", "answer": {"chain": [1, -2, 6]}}
RIGHT = '{"chain": [1, -2, 6]}'
DRAFT = 'maybe {"chain": [9]} or {"chain": [1, -2, 6'

BLOCKS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<Think>", "</THINK>"),
    ("<think>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|im_start|>think\n", "<|im_start|>answer\n"),
    ("<unused94>thought\n", "<unused95>"),
    ("[unused16]", "[unused17]"),
    ("<think >", "</think >"),
    ('<think type="x">', "</think>"),
    ("<think:opensource>", "</think:opensource>"),
    ("<thoughts>", "</thoughts>"),
    ("<mm:think>", "</mm:think>"),
    ("<ifm|think>", "</ifm|think>"),
    ("<ifm|think_fast>", "</ifm|think_fast>"),
    ("<ifm|think_faster>", "</ifm|think_faster>"),
    ("<|think:start|>", "<|think:end|>"),
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|open|> think <|sep|>", "<|close|> think <|sep|><|open|> response <|sep|>"),
]
INNER = [  # their closing markers end other things too
    ("<|think|>", "<|end|><|begin|>assistant<|content|>"),
    ("<|think|>", "<|end|>"),
    ("<|content_thinking|>", "<|end_message|><|message_model|><|content_text|>"),
    ('<details type="reasoning" done="true">', "</details>"),
]
LEADS = [
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("analysisWe have: ", "assistantfinal"),
    ("Here is my thought process: ", "Here is my response: "),
    ("Here's my thought process: ", "Here's my response: "),
    ("Here are my reasoning steps:\n", "\n[BEGIN FINAL RESPONSE]\n"),
    ("Thinking...\n", "...done thinking.\n"),
    ("/think\n", "<|im_end|>\n<|im_start|>assistant\n"),
    ("analysiswe have: ", "assistantfinal"),
    ("analysis{", "assistantfinal"),
    ("analysis\n", "assistantfinal"),
    ("analysis我们", "assistantfinal"),
    ("analysis1. ", "assistantcommentarySo.assistantfinal"),
    (
        "<|channel|>analysis<|constrain|>json<|message|>",
        "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    ),
    (" to=self<|message|>", "<|eom|><|start|>assistant to=user<|message|>"),
]


@looped(("opening", "closing"), BLOCKS + INNER + LEADS)
def test_thinking_is_left_out(opening: str, closing: str) -> None:
    graded = grade(f"{opening}{DRAFT}{closing}{RIGHT}", REFERENCE)
    assert (graded.status, graded.strict) == ("correct", True)
    # The right answer in thinking is none.
    assert grade(f"{opening}{RIGHT}{closing}I am done.", REFERENCE).status == "no_answer"
    # A draft that breaks off inside of thinking is no truncated answer.
    assert grade(f"{opening}{DRAFT}{closing}", REFERENCE).status == "no_answer"


@looped(("opening", "closing"), BLOCKS + INNER + LEADS)
def test_thinking_that_never_ends_is_truncated(opening: str, closing: str) -> None:
    graded = grade(f"{opening}{RIGHT} " + "Let me go on. " * 50, REFERENCE)
    assert (graded.status, graded.correct) == ("truncated", False)
    response = split_thinking(f"{opening}{RIGHT}")
    assert (response.closed, response.answer.strip()) == (False, "")
    assert RIGHT in (response.thinking or "")


@looped(("opening", "closing"), BLOCKS + INNER + LEADS)
def test_thinking_that_ends_with_a_labelled_answer_has_answered(opening: str, closing: str) -> None:
    for label in ("Final Answer: ", "**Answer**\n\n```json\n", "सही उत्तर:\n"):
        graded = grade(f"{opening}{DRAFT}\n{label}{RIGHT}", REFERENCE)
        assert (graded.status, graded.strict) == ("correct", False)
    for draft in (RIGHT, f"The answer is {RIGHT}", f"Answer: {RIGHT}\nLet me check.", "[1, -2]"):
        assert grade(f"{opening}First {draft}", REFERENCE).status == "truncated"


@looped(
    ("text", "kind", "answer"),
    [
        ("<think>3 and 4 is $\\boxed{7}$.", "number", "7"),
        ("<think>3 and 4 is $\\boxed{7}$." + " Let me go on. " * 50, "number", "truncated"),
        ("<think>So the answer is B", "choice", "truncated"),
        ("<think>So it is.\n**Answer:** B", "choice", "B"),
    ],
)
def test_a_box_needs_no_label_at_the_end_of_thinking(text: str, kind: str, answer: str) -> None:
    """Of 1,867 right answers to MGSM that stand so, 1,085 have none."""
    found = xm.extract_answer(text, kind)
    assert answer in (found.answer, found.status)


@looped(("opening", "closing"), BLOCKS)
def test_an_opening_marker_in_the_prompt_is_missed(opening: str, closing: str) -> None:
    graded = grade(f"{DRAFT}\n{closing}\n\n{RIGHT}", REFERENCE)
    assert (graded.status, graded.strict) == ("correct", True)
    assert grade(f"{RIGHT}\n{closing}", REFERENCE).status == "no_answer"


def test_a_block_closes_with_its_own_kind_only() -> None:
    text = (
        f"<think>I write <reflection>{DRAFT}</reflection> and </reasoning> {DRAFT}</think>{RIGHT}"
    )
    assert grade(text, REFERENCE).strict
    assert split_thinking(f"<think>{DRAFT}<reflection>{RIGHT}</reflection>").closed is False


@looped(
    "text",
    [
        *(f"{opening} so {RIGHT}"
          for opening in ("<thinker>", "<details>", "<think", "< think", "analysis: ")),
        f"The analysis is done. {RIGHT}", f"analysis of the steps: {RIGHT}",
        f"I think> so < b {RIGHT}", f"<b>bold</b> {RIGHT}", f"a <|channel|> b {RIGHT}",
        f"[think about it] {RIGHT}", f"Here is my response: {RIGHT}",
    ],
)  # fmt: skip
def test_words_that_only_look_like_markers(text: str) -> None:
    assert grade(text, REFERENCE).correct
    assert (split_thinking(text).thinking, split_thinking(text).answer) == (None, text)


CLOSED = "<think>\nwhy\n</think>\n"


@looped(
    ("answer", "thinking", "is_cut", "text"),
    [
        *((answer, "why", True, "<think>\nwhy") for answer in (None, "", " \n")),
        *((answer, "why", False, f"{CLOSED}{answer or ''}") for answer in (None, "", " \n")),
        (RIGHT, "why", True, f"{CLOSED}{RIGHT}"),
        (RIGHT, None, True, RIGHT),
        (RIGHT, "<think>why</think>", False, RIGHT),
    ],
)
def test_thinking_that_a_server_kept_apart_is_open_where_no_answer_followed_before_a_cut(
    answer: str | None, thinking: str | None, is_cut: bool, text: str
) -> None:
    assert join_thinking(answer, thinking, is_cut=is_cut) == text
    assert (split_thinking(text).closed is False) == (text == "<think>\nwhy")


MILLION = 1_000_000
SECONDS = 3.0
"""For a million characters."""
CHAIN = {"task": "slt", "answer": {"chain": [1]}}
ONE = '{"chain":[1]}'

UNITS = [
    *"{}[]\"'“‘«「\\<◁#-−1१ \n`",
    "\u200b",
    "\ufdfa",
    "<think>",
    "</think>",
    "<think></think> ",
    "◁think▷",
    "<|channel|>analysis<|message|>",
    "<|channel|>",
    "assistantfinal",
    '{"',
    "{'",
    "{“",
    "{‘",
    "{«",
    "{「",
    '{"chain":',
    '{"chain":[',
    '{"chain":[1,',
    '{"chain":[१,',
    '{"chain":[]}',
    '{"chain":[1]}',
    '{"chain":["\ufdfa"]}',
    '{"chain":"',
    "{“chain”：“",
    '{"\\"',
    '{"{":',
    '{"{":"{",',
    '{"a":{',
    '{"a":[{},',
    "{a:1,",
    "{/*",
    "{//",
    "/*",
    "[[],",
    "1e",
    '"A1234",',
    "```json\n",
    "&",
    "&#1",
    "&quot;",
    '{\\"chain\\":',
    '{\\"chain\\":[',
    "{chain:(",
    "{chain: A1234,",
    "\\{",
    "\\text{",
    "\\u0022",
    "*",
    "> ",
    "->",
    "{chain:['",
    "not ",
]
OPENINGS = ["", '{"chain":[', '{"chain":', '{"chain":"', '{"x":[', "<think>", "analysisX", "{'"]


LENGTHS = pytest.mark.parametrize(
    "length", [MILLION // 50, pytest.param(MILLION, marks=pytest.mark.slow)]
)


def seconds(length: int) -> float:
    """The limit for a response of so many characters."""
    return SECONDS * max(length / MILLION, 0.3)


@LENGTHS
@pytest.mark.parametrize("unit", UNITS)
def test_hostile_characters(unit: str, length: int) -> None:
    text = unit * (length // len(unit))
    with processor_seconds(seconds(length)):
        graded = grade(text, CHAIN)
    assert graded.correct == (unit == ONE)


@LENGTHS
@pytest.mark.parametrize("opening", OPENINGS)
def test_hostile_characters_after_an_opening_and_before_an_answer(
    opening: str, length: int
) -> None:
    size = length // 25
    first = OPENINGS.index(opening) % 2
    for unit in UNITS if length == MILLION else UNITS[first::2]:
        noise = opening + unit * (size // len(unit))
        grade(opening + unit * 20 + "\n" + ONE, CHAIN)  # compiles the words of its language
        with processor_seconds(seconds(3 * size)):
            grade(noise, CHAIN)
            grade(noise + "\n" + ONE, CHAIN)
            grade(noise + "]}", CHAIN)


def test_deep_nesting_is_no_recursion() -> None:
    for text in ("[" * MILLION, '{"a":' * 200_000, '{"chain":' + "[" * MILLION):
        grade(text + "]" * 100 + "}" * 100, CHAIN)
    for depth in range(28, 70):
        assert grade('{"a":' * depth + ONE + "}" * depth, CHAIN).correct
        assert grade('{"chain":[' * depth + ONE, CHAIN).correct
