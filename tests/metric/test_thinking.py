"""What counts as thinking and what as the answer."""

import pytest

import xlgo_metric as xm
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
    text = f"{opening}{RIGHT} " + "Let me go on. " * 50
    graded = grade(text, REFERENCE)
    assert (graded.status, graded.correct) == ("truncated", False)
    response = split_thinking(f"{opening}{RIGHT}")
    assert response.closed is False
    assert RIGHT in (response.thinking or "")
    assert response.answer.strip() == ""


@looped(("opening", "closing"), BLOCKS + INNER + LEADS)
def test_thinking_that_ends_with_a_labelled_answer_has_answered(opening: str, closing: str) -> None:
    for label in ("Final Answer: ", "**Answer**\n\n```json\n", "सही उत्तर:\n"):
        graded = grade(f"{opening}{DRAFT}\n{label}{RIGHT}", REFERENCE)
        assert (graded.status, graded.strict) == ("correct", False)
    for draft in (RIGHT, f"The answer is {RIGHT}", f"Answer: {RIGHT}\nLet me check.", "[1, -2]"):
        assert grade(f"{opening}First {draft}", REFERENCE).status == "truncated"


def test_a_box_needs_no_label_at_the_end_of_thinking() -> None:
    """Of 1,867 right answers to MGSM that stand so, 1,085 have none."""
    box = "<think>3 and 4 is $\\boxed{7}$."
    assert xm.extract_answer(box, "number").answer == "7"
    assert xm.extract_answer(box + " Let me go on. " * 50, "number").status == "truncated"
    assert xm.extract_answer("<think>So the answer is B", "choice").status == "truncated"
    assert xm.extract_answer("<think>So it is.\n**Answer:** B", "choice").answer == "B"


@looped(("opening", "closing"), BLOCKS)
def test_an_opening_marker_in_the_prompt_is_missed(opening: str, closing: str) -> None:
    graded = grade(f"{DRAFT}\n{closing}\n\n{RIGHT}", REFERENCE)
    assert (graded.status, graded.strict) == ("correct", True)
    assert grade(f"{RIGHT}\n{closing}", REFERENCE).status == "no_answer"


@pytest.mark.parametrize("opening", ["<thinker>", "<details>", "<think", "< think", "analysis: "])
def test_what_only_resembles_an_opening(opening: str) -> None:
    assert grade(f"{opening} so {RIGHT}", REFERENCE).correct


def test_a_block_closes_with_its_own_kind_only() -> None:
    text = (
        f"<think>I write <reflection>{DRAFT}</reflection> and </reasoning> {DRAFT}</think>{RIGHT}"
    )
    assert grade(text, REFERENCE).strict
    assert split_thinking(f"<think>{DRAFT}<reflection>{RIGHT}</reflection>").closed is False


def test_words_that_only_look_like_markers() -> None:
    for text in (
        f"The analysis is done. {RIGHT}",
        f"analysis of the steps: {RIGHT}",
        f"I think> so < b {RIGHT}",
        f"<b>bold</b> {RIGHT}",
        f"a <|channel|> b {RIGHT}",
        f"[think about it] {RIGHT}",
        f"Here is my response: {RIGHT}",
    ):
        assert grade(text, REFERENCE).correct, text
        assert split_thinking(text).thinking is None
        assert split_thinking(text).answer == text


def test_thinking_that_a_server_kept_apart_is_open_where_no_answer_followed_before_a_cut() -> None:
    for answer in (None, "", " \n"):
        assert join_thinking(answer, "why", is_cut=True) == "<think>\nwhy"
        assert split_thinking(join_thinking(answer, "why", is_cut=True) or "").closed is False
        assert (
            join_thinking(answer, "why", is_cut=False) == f"<think>\nwhy\n</think>\n{answer or ''}"
        )
    assert join_thinking(RIGHT, "why", is_cut=True) == f"<think>\nwhy\n</think>\n{RIGHT}"
    assert join_thinking(RIGHT, None, is_cut=True) == RIGHT
    assert join_thinking(RIGHT, "<think>why</think>", is_cut=False) == RIGHT
