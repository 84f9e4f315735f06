"""Each rule of grading with its case and the one that it must not reach, in every language."""

import json
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.looping import looped
from xlgo_metric.core import STATUSES
from xlgo_metric.families.xlgobench.grading import grade
from xlgo_metric.reading.forms import LENIENT_RULES

from .grading_cases import (
    CHAIN,
    EDGES,
    GOLDEN,
    PATH,
    RANKING,
    REFERENCES,
    ROOM,
    SCRIPTS,
    SHORT,
    STATES,
    TASKS,
    Script,
    oracle,
    short,
)


@pytest.mark.parametrize("task", TASKS)
def test_the_answer_as_asked_is_correct_and_strict(task: str) -> None:
    graded = grade(oracle(task), REFERENCES[task])
    (answer,) = REFERENCES[task]["answer"].values()
    assert (graded.status, graded.correct, graded.strict) == ("correct", True, True)
    assert (graded.answer, graded.details["lenient"]) == (answer, [])


@pytest.mark.parametrize("text", ["", "   \n", None, "I do not know.", "{}", "[]", "null"])
def test_nothing_that_looks_like_the_answer(text: str | None) -> None:
    for reference in REFERENCES.values():
        graded = grade(text, reference)
        assert (graded.status, graded.answer, graded.strict) == ("no_answer", None, False)


FORGIVEN = [
    ('{"chain":[1,-2,6]} and so on', "prose"),
    ('The answer: {"chain":[1,-2,6]}', "prose"),
    ('```json\n{"chain":[1,-2,6]}\n```', "fence"),
    ('```\n{"chain":[1,-2,6]}\n```', "fence"),
    ('```json\n{"chain":[1,-2,6]}', "fence"),
    ('{"answer": {"chain": [1,-2,6]}}', "nested"),
    ('{"chain":[1,-2,6], "note": "done"}', "extra_keys"),
    ('{"steps": [{"w": 1}, {"w": -2}], "chain":[1,-2,6]}', "extra_keys"),
    ('{"Chain":[1,-2,6]}', "key_case"),
    ('{"CHAIN":[1,-2,6]}', "key_case"),
    ('{"ｃｈａｉｎ":[1,-2,6]}', "key_case"),
    ("{chain:[1,-2,6]}", "bare_key"),
    ("{“chain”:[1,-2,6]}", "smart_quotes"),
    ("{„chain“:[1,-2,6]}", "smart_quotes"),
    ("{«chain»:[1,-2,6]}", "smart_quotes"),
    ("{「chain」:[1,-2,6]}", "smart_quotes"),
    ("{‘chain’:[1,-2,6]}", "smart_quotes"),
    ("{＂chain＂:[1,-2,6]}", "smart_quotes"),
    ("{'chain':[1,-2,6]}", "single_quotes"),
    ('{"chain":[1,-2,6,]}', "trailing_comma"),
    ('{"chain":[1,-2,6],}', "trailing_comma"),
    ('{"chain":[9]} no: {"chain":[1,-2,6]}', "several_objects"),
    ('{"chain":[1, // 7*1-6\n-2,6]}', "comments"),
    ('{"chain":[1, # 7*1-6\n-2,6]}', "comments"),
    ('{"chain":[1, /* 7*1-6 */ -2,6]}', "comments"),
    ('{"chain":[1，-2，6]}', "fullwidth"),
    ('{"chain":[1、-2、6]}', "fullwidth"),
    ('{"chain":[1، -2، 6]}', "fullwidth"),
    ('｛"chain"：［1,-2,6］｝', "fullwidth"),
    ('{"chain":[1,\u200e-2,6]}', "invisible"),
    ('{"chain":[1,-\u200e2,6]}', "invisible"),
    ('{\ufeff"chain":[1,-2,6]}', "invisible"),
    ('{"chain":[１,-２,６]}', "native_digits"),
    ('{"chain":[१,-२,६]}', "native_digits"),
    ('{"chain":[1,−2,6]}', "unicode_minus"),
    ('{"chain":[1,－2,6]}', "unicode_minus"),
    ('{"chain":[1,–2,6]}', "unicode_minus"),
    ('{"chain":[1,-2.0,6]}', "integral_float"),
    ('{"chain":[1,-2,6e0]}', "integral_float"),
    ('{"chain":[1,-2,60E-1]}', "integral_float"),
    ('{"chain":["1","-2","6"]}', "numeric_string"),
    ('{"chain":["1"," -2 ","6.0"]}', "numeric_string"),
    ('{"chain":["1","-20e-1","0.6E+1"]}', "numeric_string"),
    ('{"chain":[1,-2,"6 gold"]}', "unit"),
    ('{"chain":[1,-2,"$6"]}', "unit"),
    ('{"chain":[[1,-2,6]]}', "one_item"),
    ('{"chain":"[1,-2,6]"}', "list_text"),
    (
        '{"chain":[{"n": 1, "w": 1}, {"n": 2, "w": -2}, {"n": 3, "w": 6}]}',
        "members",
    ),
    ('{"chain":(1,-2,6)}', "other_syntax"),
    ('{"chain":[1 -> -2 -> 6]}', "other_syntax"),
    ('\\boxed{\\{"chain":[1,-2,6]\\}}', "not_json"),
    ('{\\"chain\\":[1,-2,6]}', "not_json"),
    ('"{&quot;chain&quot;:[1,-2,6]}"', "not_json"),
    ('{"chain":[1,-2,+6]}', "other_syntax"),
    ('{"chain":[01,-2,6]}', "other_syntax"),
    ('{"chain":[1,-2,6], "ok": True}', "other_syntax"),
]


DECORATED = (
    "V9935 (V9935)", "the room V9935!", "**V9935**", "`V9935`", "#V9935", "It is V9935.",
    "I end in the room V9935", "Room No. V9935", "(V9935)", "V9935?", "$V9935$",
)  # fmt: skip


@looped(
    ("text", "rule", "reference"),
    [
        *((text, rule, SHORT) for text, rule in FORGIVEN),
        *((json.dumps({"state": room}), "decorated", ROOM) for room in DECORATED),
    ],
)
def test_forms_that_are_forgiven(text: str, rule: str, reference: dict[str, Any]) -> None:
    graded = grade(text, reference)
    (answer,) = reference["answer"].values()
    assert (graded.status, graded.answer, graded.strict) == ("correct", answer, False)
    assert rule in graded.details["lenient"]
    assert reference is SHORT or graded.details["lenient"] == [rule]


HARMLESS_BEFORE = (
    '{"chain":[1,-2,7]} no: ', '{"open": "no end ', "{'open': 'no end ", '{"chain": "no end ',
    '{"chain": [9, ', '{"a": /* no end ', "{a: // no end ", "it's {not} a \"set\" {'x', ",
    "\\boxed{", '{"a": {"b": [{"c": ', "{" * 50, '{"a":' * 50, '{"chain":[' * 50,
)  # fmt: skip
HARMLESS_BEHIND = (
    ' {"other":[1,-2,7]}', ' as {"chain": [9, 9} says.', ' as {"chain": [1, -2, ...]} says.',
    ' as {"chain": [1, -2, 6) } says.', ' as {"chain": [1,-2,6] or [1,-2,7]} says.',
)  # fmt: skip
PLACEHOLDERS = (
    '{"chain": [v0, v1, ...]}', '{"chain": [...]}', '{"chain": ["..."]}',
    '{"chain": [v_0, v_1, …, v_n]}', '\\{"chain": [v_{0}, v_{1}, ...]\\}',
)  # fmt: skip
OTHER_ANSWERS = ('{"chain": 1 then -2}', '\\{"chain": many\\}', '{\\"chain\\": null}')


@looped(
    ("text", "status"),
    [
        *((f'{before}{{"chain":[1,-2,6]}}', "correct") for before in HARMLESS_BEFORE),
        *((f'{{"chain":[1,-2,6]}}{behind}', "correct") for behind in HARMLESS_BEHIND),
        *((f'{{"chain":[1,-2,6]}} as {echo} asks.', "correct") for echo in PLACEHOLDERS),
        *((f"as {echo} asks.", "bad_format") for echo in PLACEHOLDERS),
        *((f'{{"chain":[1,-2,6]}} as {later} says.', "bad_format") for later in OTHER_ANSWERS),
        ('{"chain":[1,-2,6]} no: {"chain":[1,-2,7]}', "wrong"),
        ('{"chain":[9],"chain":[1,-2,6]}', "correct"),
        ('{"chain":[1,-2,6], "check": {"chain":[9]}}', "correct"),
    ],
)
def test_the_last_object_that_is_well_formed_decides(text: str, status: str) -> None:
    assert short(text).status == status


def test_an_object_that_the_text_breaks_off_in_is_the_answer_that_was_meant() -> None:
    for end in (
        '{"chain": [1,-2',
        '{"chain": ',
        '{"chain"',
        '{"chain": [1,-2,6]',
        '{"chain": "1',
        '{"chain": [1, -',
        '{"ch',
        '{"',
        "{",
        "\\boxed{",
        "\\boxed{\\{",
        '{\\"chain\\": [1',
        "{chain: [1",
        "{&quot;chai",
        '{"chain": (1, -2',
        '{"chain": [A1',
    ):
        graded = short(end)
        assert (graded.status, graded.correct) == ("truncated", False), end
        if '\\"' not in end:  # what is no JSON at all is read only where nothing else is
            assert short('{"chain":[1,-2,6]}\n' + end).status == "truncated"
        assert short(end + '\n{"chain":[1,-2,6]}').correct


CHAINS = [
    ('"chain": [1,-2,6]', "bad_format"),
    ("chain = [1,-2,6]", "bad_format"),
    ("[1,-2,6]", "bad_format"),
    ('{"chains": [1,-2,6]}', "bad_format"),
    ('{"answer": [1,-2,6]}', "bad_format"),
    ('{"chain": "1,-2,6"}', "bad_format"),
    ('{"chain": "126"}', "bad_format"),
    ('{"chain": {"0": 1}}', "bad_format"),
    ('{"chain": null}', "bad_format"),
    ('{"chain": 6}', "bad_format"),
    ('{"chain": [1,-2,{"w": 6}]}', "bad_format"),
    ('{"chain": [1,-2,null]}', "bad_format"),
    ('{"chain": [true,-2,6]}', "bad_format"),
    ('{"chain": [1,-2,6.5]}', "bad_format"),
    ('{"chain": [1,-2,"six"]}', "bad_format"),
    ('{"chain": [1,-2,"6 thousand"]}', "bad_format"),
    ('{"chain": [1,-2,"not 6"]}', "bad_format"),
    ('{"chain": [[1,-2,6],[1,-2,6]]}', "bad_format"),
    ('{"chain": ["[1,-2,6]"]}', "bad_format"),
    ('{"chain": [1,-2,NaN]}', "bad_format"),
    ('{"chain": [1,-2,1e999]}', "bad_format"),
    ('{"chain": [1 -2 6]}', "bad_format"),
    ('{"chain": [1,,-2,6]}', "bad_format"),
    ('{"chain": [,1,-2,6]}', "bad_format"),
    ('{"chain": [v1,v2]}', "bad_format"),
    ('{"chain": [1,-2,6)}', "bad_format"),
    ('{"chain": []}', "wrong"),
    ('{"chain": [1,-2]}', "wrong"),
    ('{"chain": [1,-2,6,6]}', "wrong"),
    ('{"chain": [1,2,6]}', "wrong"),
    ('{"chain": [-2,1,6]}', "wrong"),
    ('{"chain": [1,-2,99999999999999999999]}', "wrong"),
    ('{"chain": [1,-2,10000000000000000006]}', "wrong"),
]
ROOMS: list[tuple[Any, str]] = [
    ("Room", "bad_format"),
    ("", "bad_format"),
    ("9935", "bad_format"),
    ("V993", "bad_format"),
    ("V99355", "bad_format"),
    ("V 9935", "bad_format"),
    ("V9935 or A5506", "bad_format"),
    ("V9935 v5506", "bad_format"),
    (["V9935", "V9935"], "bad_format"),
    ([["V9935"]], "bad_format"),
    ("ZoneV9935", "bad_format"),
    ("QV9935", "bad_format"),
    ("V9935B", "bad_format"),
    ("ÉV9935", "bad_format"),
    ("7V9935", "bad_format"),
    ("V9935.5", "bad_format"),
    ("V9935-B", "bad_format"),
    ("not V9935", "bad_format"),
    (9935, "bad_format"),
    (None, "bad_format"),
    ("V9935" + " " * 1_000, "bad_format"),
    ("A5506", "wrong"),
]


@looped(
    ("text", "status", "reference"),
    [
        *((text, status, SHORT) for text, status in CHAINS),
        *((json.dumps({"state": value}), status, ROOM) for value, status in ROOMS),
    ],
)
def test_what_is_not_the_answer(text: str, status: str, reference: dict[str, Any]) -> None:
    graded = grade(text, reference)
    assert (graded.status, graded.correct) == (status, False)


@looped(
    ("chain", "step", "final"),
    [
        ([1, -2, 6], None, True),
        ([0, -2, 6], 1, True),
        ([1, 2, 6], 2, True),
        ([1, -2, 5], 3, False),
        ([1, -2], 3, False),
        ([1, -2, 6, 6], 4, True),
        ([], 1, False),
        ([6], 1, True),
        ([6, -2], 1, False),
    ],
)
def test_first_wrong_step_and_final_value(chain: list[int], step: int | None, final: bool) -> None:
    details = short(json.dumps({"chain": chain})).details
    assert (details["first_wrong_step"], details["final_value"], details["length"]) == (
        step, final, len(chain),
    )  # fmt: skip


@looped(
    ("chain", "prepended"),
    [
        ([7, *CHAIN], True),
        *((chain, False) for chain in ([8, *CHAIN], [7, *CHAIN[1:]], [7, 7, *CHAIN], [7])),
    ],
)
def test_a_prepended_capital_is_wrong_and_recorded(chain: list[int], prepended: bool) -> None:
    graded = grade(json.dumps({"chain": chain}), REFERENCES["slt"])
    assert (graded.status, graded.details["capital_prepended"]) == ("wrong", prepended)
    # Without the capital in the reference any value before the right chain is taken for it.
    assert short('{"chain": [8, 1, -2, 6]}').details["capital_prepended"] is True


@looped(
    ("rooms", "status", "ordered"),
    [
        (STATES, "correct", True),
        (STATES[::-1], "correct", False),
        *(
            (rooms, "wrong", False)
            for rooms in (
                STATES[:7], [*STATES, "Z9999"], [*STATES, STATES[0]], [*STATES[:7], STATES[0]],
                [*STATES[:7], "Z9999"], [],
            )
        ),
    ],
)  # fmt: skip
def test_rooms_are_a_set_of_exactly_eight(rooms: list[str], status: str, ordered: bool) -> None:
    graded = grade(json.dumps({"states": rooms}), REFERENCES["prdsa"])
    hits = len({*rooms} & {*STATES})
    assert (graded.status, graded.details) == (
        status, {"lenient": [], "ordered": ordered, "hits": hits},
    )  # fmt: skip


WAY_ROUND = ["H4657", "C7912", "R4257", "B1488", "A5506", "E2679", "T1434", "V9935"]


@looped(
    ("nodes", "status", "is_reversed", "is_path"),
    [
        (PATH, "correct", False, True),
        (PATH[::-1], "wrong", True, False),
        (WAY_ROUND, "wrong", False, True),
        (PATH[1:], "wrong", False, False),
        (PATH[:-1], "wrong", False, False),
        ([PATH[0], PATH[-1]], "wrong", False, False),
        ([*PATH[:2], PATH[0], *PATH[1:]], "wrong", False, False),
        ([], "wrong", False, False),
    ],
)
def test_a_path_is_right_only_as_a_whole(
    nodes: list[str], status: str, is_reversed: bool, is_path: bool
) -> None:
    labelled = {**REFERENCES["graph_sp"], "edges": [[*edge, "friends"] for edge in EDGES]}
    for reference in (REFERENCES["graph_sp"], labelled):
        graded = grade(json.dumps({"path": nodes}), reference)
        assert (graded.status, graded.details["reversed"], graded.details["is_path"]) == (
            status, is_reversed, is_path,
        )  # fmt: skip
    unknown = {"task": "graph_sp", "answer": {"path": PATH}}
    assert grade(json.dumps({"path": nodes}), unknown).details["is_path"] is None


@looped(
    ("players", "status", "distance", "share"),
    [
        (RANKING, "correct", 0, 0.0),
        (RANKING[::-1], "wrong", 10, 1.0),
        ([*RANKING[1:], RANKING[0]], "wrong", 4, 0.4),
        *(
            (players, "wrong", None, None)
            for players in (
                RANKING[:4], [*RANKING, RANKING[0]], [*RANKING, "Z9999"],
                [*RANKING[:4], RANKING[0]], [],
            )
        ),
    ],
)  # fmt: skip
def test_kendall_distance_of_a_ranking(
    players: list[str], status: str, distance: int | None, share: float | None
) -> None:
    graded = grade(json.dumps({"ranking": players}), REFERENCES["t_rank"])
    assert (graded.status, graded.details["kendall"], graded.details["kendall_normalised"]) == (
        status, distance, share,
    )  # fmt: skip


STEPS = ("Step 1 …\n\n{}", "Step 1 …\n  {}\n")
NEVER = (
    "Step 1 … {}", "{}\n\nThat is it.", "```json\n{}\n```", "Step 1\n```\n{}\n```", "{}\n{}",
)  # fmt: skip


@pytest.mark.parametrize("task", TASKS)
def test_steps_before_the_object_are_strict_only_where_the_prompt_allows_them(task: str) -> None:
    spread = json.dumps(REFERENCES[task]["answer"], indent=2)
    strict = {
        text
        for text in (*STEPS, *NEVER, "  {}\n", spread)
        if grade(
            text.replace("{}", oracle(task)).replace("{0}", oracle(task)), REFERENCES[task]
        ).strict
    }
    assert strict == {"  {}\n", spread, *(STEPS if task in ("graph_sp", "t_rank") else ())}


@pytest.mark.parametrize("language", GOLDEN)
def test_golden_transcripts(language: str) -> None:
    for case in GOLDEN[language]:
        graded = grade("\n".join(case["response"]), REFERENCES[case["task"]])
        got = {
            "name": case["name"],
            "status": graded.status,
            "correct": graded.correct,
            "strict": graded.strict,
            "lenient": graded.details["lenient"],
            "details": {name: graded.details.get(name) for name in case.get("details", {})},
        }
        assert got == {
            "name": case["name"],
            "status": case["status"],
            "correct": case["status"] == "correct",
            "strict": case["strict"],
            "lenient": case["lenient"],
            "details": case.get("details", {}),
        }
        if "answer" in case:
            assert graded.answer == case["answer"], case["name"]


def _text(task: str, write: Callable[[str], str], wrong: bool = False) -> str:
    """The right answer (or, ``wrong``, one with two entries exchanged), entries by ``write``."""
    (key, value), *_ = REFERENCES[task]["answer"].items()
    if isinstance(value, str):
        return f'{{"{key}": {write("A5506" if wrong else value)}}}'
    values = [value[-1], *value[1:-1], value[0]] if wrong else value
    if wrong and task == "prdsa":
        values = ["Z9999", *value[1:]]
    return f'{{"{key}": [{", ".join(write(str(item)) for item in values)}]}}'


def _is_number(entry: str) -> bool:
    return not entry[0].isalpha()


# Each form writes one entry of an answer as a language would.
FORMS: dict[str, Callable[[Script, str], str]] = {
    "room word": lambda s, e: e if _is_number(e) else f'"{s.room} {e}"',
    "room word, no space": lambda s, e: e if _is_number(e) else f'"{s.room}{s.glue}{e}"',
    "player word": lambda s, e: e if _is_number(e) else f'"{s.player} {e}"',
    "word behind": lambda s, e: e if _is_number(e) else f'"{e} {s.room}"',
    "glued suffix": lambda s, e: e if _is_number(e) else f'"{e}{s.suffix.strip(".,") or "-like"}"',
    "lower case": lambda s, e: e if _is_number(e) else f'"{s.room} {e.lower()}"',
    "bidi marks": lambda s, e: e if _is_number(e) else f'"\u2067{s.room}\u2069 \u200e{e}\u200f"',
    "zero width": lambda s, e: e if _is_number(e) else f'"{s.room} {e[:1]}\u200c{e[1:]}"',
    "native digits": lambda s, e: s.digits(e if _is_number(e) else f'"{s.room} {e}"'),
    "numeric strings": lambda s, e: f'"{s.digits(e)}"',
    "minus sign": lambda s, e: e.replace("-", "−") if _is_number(e) else f'"{s.room} {e}"',
}


@looped("form", FORMS)
@looped("task", TASKS)
def test_an_answer_counts_alike_in_every_script(task: str, form: str) -> None:
    notes: dict[bool, set[str]] = {}
    for language, script in SCRIPTS.items():
        write = partial(FORMS[form], script)
        right = grade(_text(task, write), REFERENCES[task])
        assert (right.status, right.correct) == ("correct", True), language
        wrong = grade(_text(task, write, wrong=True), REFERENCES[task])
        assert (wrong.status, wrong.correct) == ("wrong", False), language
        assert (right.strict, right.details["lenient"]) == (wrong.strict, wrong.details["lenient"])
        own_digits = form in ("native digits", "numeric strings") and script.zero != "0"
        notes.setdefault(own_digits, set()).add(str((right.strict, right.details["lenient"])))
    # The same is forgiven in every script, but that not all of them have digits of their own.
    assert all(len(kinds) == 1 for kinds in notes.values()), notes


KEYS = {"slt": "chain", "dsa": "state", "prdsa": "states", "graph_sp": "path", "t_rank": "ranking"}
ids = st.builds(
    "{}{}".format, st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), st.integers(1000, 9999)
)


ANSWERS: dict[str, st.SearchStrategy[Any]] = {
    "slt": st.lists(st.integers(-9, 9), min_size=1, max_size=12),
    "dsa": ids,
    "prdsa": st.lists(ids, min_size=8, max_size=8, unique=True),
    "graph_sp": st.lists(ids, min_size=2, max_size=10, unique=True),
    "t_rank": st.lists(ids, min_size=2, max_size=10, unique=True),
}


noise = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("{}[]\"'“”:,\\/*#\n0123456789A- "),
    ),
    max_size=60,
)


@settings(
    derandomize=True, deadline=None, max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
@given(st.data())
def test_any_text_is_graded(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(TASKS))
    reference: dict[str, Any] = {"task": task, "answer": {KEYS[task]: data.draw(ANSWERS[task])}}
    pieces = st.sampled_from(
        ["<think>", "</think>", "{", "}", "[", "]", '"', "'", "“", "\\", "//", "/*", "#", ",", ":"]
        + ["\n", "1", "-", "−", "१", "A1234", "chain", '"state"', "<|channel|>final<|message|>"]
        + [f'{{"{key}":' for key in KEYS.values()]
        + [json.dumps(reference["answer"])[:-1], json.dumps(reference["answer"])]
    )
    text = "".join(data.draw(st.lists(st.one_of(pieces, noise), max_size=30)))
    graded = grade(text, reference)
    assert graded.status in STATUSES
    assert graded.correct == (graded.status == "correct")
    assert not (graded.strict and graded.status not in ("correct", "wrong"))
    assert set(graded.details["lenient"]) <= set(LENIENT_RULES)
    json.dumps(graded.to_json(), ensure_ascii=False).encode()
    if graded.correct:
        (right,) = reference["answer"].values()
        same = sorted if reference["task"] == "prdsa" else list
        assert same(graded.answer) == same(right)
        upper = unicodedata.normalize("NFKC", text).upper()
        assert KEYS[reference["task"]].upper() in upper
