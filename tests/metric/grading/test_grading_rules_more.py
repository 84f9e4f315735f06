"""More rules of grading, each with its case and the one that it must not reach."""

import json
from typing import Any

from tests.looping import looped
from xlgo_metric.core import Grade
from xlgo_metric.families.xlgobench.grading import grade

from .grading_cases import (
    CHAIN,
    EDGES,
    PATH,
    RANKING,
    REFERENCES,
    ROOM,
    STATES,
    TASKS,
    oracle,
    short,
)

# What is asked for


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


# What is not forgiven


@looped(
    ("text", "status"),
    [
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
    ],
)
def test_chains_that_are_not_the_answer(text: str, status: str) -> None:
    graded = short(text)
    assert (graded.status, graded.correct) == (status, False)


@looped(
    ("value", "status"),
    [
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
    ],
)
def test_rooms_that_are_not_the_answer(value: Any, status: str) -> None:
    graded = grade(json.dumps({"state": value}), ROOM)
    assert (graded.status, graded.correct) == (status, False)


# Diagnostics


def test_first_wrong_step_and_final_value() -> None:
    cases: list[tuple[list[int], int | None, bool]] = [
        ([1, -2, 6], None, True),
        ([0, -2, 6], 1, True),
        ([1, 2, 6], 2, True),
        ([1, -2, 5], 3, False),
        ([1, -2], 3, False),
        ([1, -2, 6, 6], 4, True),
        ([], 1, False),
        ([6], 1, True),
        ([6, -2], 1, False),
    ]
    for chain, step, final in cases:
        graded = short(json.dumps({"chain": chain}))
        assert graded.details["first_wrong_step"] == step, chain
        assert graded.details["final_value"] == final, chain
        assert graded.details["length"] == len(chain)


def test_a_prepended_capital_is_wrong_and_recorded() -> None:
    reference = REFERENCES["slt"]
    with_capital = grade(json.dumps({"chain": [7, *CHAIN]}), reference)
    assert (with_capital.status, with_capital.details["capital_prepended"]) == ("wrong", True)
    for chain in (CHAIN, [8, *CHAIN], [7, *CHAIN[1:]], [7, 7, *CHAIN], [7]):
        graded = grade(json.dumps({"chain": chain}), reference)
        assert graded.details["capital_prepended"] is False, chain
    # Without the capital in the reference any value before the right chain is taken for it.
    assert short('{"chain": [8, 1, -2, 6]}').details["capital_prepended"] is True


def test_rooms_are_a_set_of_exactly_eight() -> None:
    def states(rooms: list[str]) -> Grade:
        return grade(json.dumps({"states": rooms}), REFERENCES["prdsa"])

    assert states(STATES).details == {"lenient": [], "ordered": True, "hits": 8}
    assert states(STATES[::-1]).details == {"lenient": [], "ordered": False, "hits": 8}
    assert states(STATES[::-1]).correct
    for rooms in (
        STATES[:7],
        [*STATES, "Z9999"],
        [*STATES, STATES[0]],
        [*STATES[:7], STATES[0]],
        [*STATES[:7], "Z9999"],
        [],
    ):
        assert states(rooms).status == "wrong", rooms


def test_a_path_is_right_only_as_a_whole() -> None:
    def path(nodes: list[str]) -> tuple[str, bool, Any]:
        graded = grade(json.dumps({"path": nodes}), REFERENCES["graph_sp"])
        return graded.status, graded.details["reversed"], graded.details["is_path"]

    assert path(PATH) == ("correct", False, True)
    assert path(PATH[::-1]) == ("wrong", True, False)
    longer = ["H4657", "C7912", "R4257", "B1488", "A5506", "E2679", "T1434", "V9935"]
    assert path(longer) == ("wrong", False, True)
    assert path(PATH[1:]) == ("wrong", False, False)
    assert path(PATH[:-1]) == ("wrong", False, False)
    assert path([PATH[0], PATH[-1]]) == ("wrong", False, False)
    there_and_back = [*PATH[:2], PATH[0], *PATH[1:]]
    assert path(there_and_back) == ("wrong", False, False)
    assert path([]) == ("wrong", False, False)
    labelled = {**REFERENCES["graph_sp"], "edges": [[*edge, "friends"] for edge in EDGES]}
    assert grade(oracle("graph_sp"), labelled).details["is_path"] is True
    unknown = {"task": "graph_sp", "answer": {"path": PATH}}
    assert grade(oracle("graph_sp"), unknown).details["is_path"] is None


def test_kendall_distance_of_a_ranking() -> None:
    def ranking(players: list[str]) -> tuple[str, Any, Any]:
        graded = grade(json.dumps({"ranking": players}), REFERENCES["t_rank"])
        return graded.status, graded.details["kendall"], graded.details["kendall_normalised"]

    assert ranking(RANKING) == ("correct", 0, 0.0)
    assert ranking(RANKING[::-1]) == ("wrong", 10, 1.0)
    assert ranking([*RANKING[1:], RANKING[0]]) == ("wrong", 4, 0.4)
    for players in (
        RANKING[:4],
        [*RANKING, RANKING[0]],
        [*RANKING, "Z9999"],
        [*RANKING[:4], RANKING[0]],
        [],
    ):
        assert ranking(players) == ("wrong", None, None)


# Strictness


def test_steps_before_the_object_are_strict_only_where_the_prompt_allows_them() -> None:
    for task in TASKS:
        allowed = task in ("graph_sp", "t_rank")
        text = oracle(task)
        assert grade(f"Step 1 …\n\n{text}", REFERENCES[task]).strict is allowed
        assert grade(f"Step 1 …\n  {text}\n", REFERENCES[task]).strict is allowed
        assert not grade(f"Step 1 … {text}", REFERENCES[task]).strict
        assert not grade(f"{text}\n\nThat is it.", REFERENCES[task]).strict
        assert not grade(f"```json\n{text}\n```", REFERENCES[task]).strict
        assert not grade(f"Step 1\n```\n{text}\n```", REFERENCES[task]).strict
        assert not grade(f"{text}\n{text}", REFERENCES[task]).strict
        assert grade(f"  {text}\n", REFERENCES[task]).strict
        spread = json.dumps(REFERENCES[task]["answer"], indent=2)
        assert grade(spread, REFERENCES[task]).strict


# References and predictions that are not understood
