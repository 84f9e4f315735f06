"""Where answers first go wrong: known mistakes are made in puzzles of the dataset, and found."""

from __future__ import annotations

import dataclasses
import json
import random
from collections import Counter, defaultdict
from itertools import pairwise, permutations
from typing import Any, cast

import numpy as np
import pytest

import xlgo_dataset as xd
from xlgo_cli.logs.graded_run import drawn, with_fault
from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.table import sides
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.faults import rooms
from xlgo_metric.families.xlgobench.faults.section import faults
from xlgo_metric.families.xlgobench.puzzles import graph_sp, t_rank
from xlgo_metric.families.xlgobench.puzzles import slt as ledger
from xlgo_metric.scoring import grade
from xlgo_metric.statistics.simultaneous import DRAWS

solve: Any = xd.solve  # the value of its one key is what the puzzle asks for


def instance(task: str, complexity: int, index: int = 0):
    return xd.generate(task, complexity=complexity, seed=0, index=index, split="test")


def slt(step: int, value) -> dict:
    """The fault of a ledger whose balance at ``step`` (from 1) is ``value(w, a, b)``."""
    found = instance("slt", 12)
    data, right = found.to_json(), solve(found)["chain"]
    after = {record["prev"]: record for record in data["transactions"]}
    place = data["start"]
    for _ in range(step):
        record = after[place]
        place = record["cur"]
    before = right[step - 2] if step > 1 else data["capital"]
    answer = [*right[: step - 1], value(before, record["a"], record["b"]), *right[step:]]
    return ledger.find_error(answer, right, data) | {"b": record["b"]}


def test_every_mistake_in_a_ledger_is_found_at_its_step() -> None:
    kinds: Counter[str] = Counter()
    for step in range(1, 13):
        found = slt(step, lambda w, a, b: a * w - b)
        assert (found["step"], found["of"]) == (step, 12)
        assert found["kind"] in ("gift_as_fee" if found["b"] > 0 else "fee_as_gift", "several")
        kinds[found["kind"]] += 1
        assert slt(step, lambda w, a, b: a * w + b + 1)["kind"] in {
            "near", "several", "amount_left_out", "factor_left_out", "sign", "exchanged",
            "gift_as_fee", "fee_as_gift", "skipped",
        }  # fmt: skip
        assert slt(step, lambda w, a, b: a * w + b + 1000)["kind"] == "other"
    assert kinds["several"] < 6
    assert sum(slt(5, lambda w, a, b: 0)["chance"].values()) == pytest.approx(1.0)


def test_the_share_by_chance_is_that_of_all_values() -> None:
    found = instance("slt", 6)
    data, right = found.to_json(), solve(found)["chain"]
    for at in range(6):
        kinds: dict[str, float] = defaultdict(float)
        for value in range(-9, 10):
            if value != right[at]:
                answer = [*right[:at], value, *right[at + 1 :]]
                kinds[ledger.find_error(answer, right, data)["kind"]] += 1 / 18
        wrong = next(v for v in range(-9, 10) if v != right[at])
        told = ledger.find_error([*right[:at], wrong], right, data)["chance"]
        assert told == pytest.approx(dict(kinds))


@pytest.mark.parametrize(
    ("change", "kind", "step"),
    [
        (lambda right: right[:7], "stops_early", 8),
        (lambda right: [*right, 3], "goes_on", 12),
        (lambda right: [5, *right], "capital_first", 1),
    ],
)
def test_ledgers_of_another_length(change, kind, step) -> None:
    found = instance("slt", 12)
    right = solve(found)["chain"]
    told = ledger.find_error(change(right), right, found.to_json())
    assert (told["kind"], told["step"], told["of"]) == (kind, step, 12)


def walked(data: dict, keys: list[str]) -> list[str]:
    moves = {(m["room"], m["key"]): m["next"] for m in data["transitions"]}
    walk = [data["start"]]
    for key in keys:
        walk.append(moves[walk[-1], key])
    return walk


def test_a_walk_that_is_written_down_shows_its_first_wrong_step() -> None:
    data = instance("dsa", 40).to_json()
    keys = data["keys"]
    other = {"gold": "silver", "silver": "gold"}
    right = walked(data, keys)
    for at in (3, 20, 39):
        wrong = walked(data, [*keys[:at], other[keys[at]], *keys[at + 1 :]])
        if wrong[-1] == right[-1]:
            continue
        text = "Start. " + " → ".join(wrong) + f'\n{{"state": "{wrong[-1]}"}}'
        told = rooms.of_state(wrong[-1], data, text)
        assert told == {"kind": "key_swapped", "step": at + 1, "of": 40}
    moved = "\n".join(f"from {a} to {b}" for a, b in pairwise(right))
    assert rooms.of_state("A1111", data, moved)["kind"] == "copied"
    assert rooms.of_state("A1111", data, " ".join([*right[:9], "Z9999"]) + " A1111") == {
        "kind": "no_such_room", "step": 9, "of": 40,
    }  # fmt: skip
    elided = " ".join(right[:6]) + " ... " + " ".join(right[30:38]) + " A1111"
    assert rooms.of_state("A1111", data, elided)["step"] is None


def test_the_room_alone_is_explained_by_every_single_mistake_that_ends_there() -> None:
    """Against walking again from every mistake, one by one."""
    data = instance("dsa", 25, 3).to_json()
    keys, other = data["keys"], {"gold": "silver", "silver": "gold"}
    right = walked(data, keys)[-1]
    swapped: dict[Any, list[int]] = {}
    skipped: dict[Any, list[int]] = {}
    for i in range(25):
        swapped.setdefault(
            walked(data, [*keys[:i], other[keys[i]], *keys[i + 1 :]])[-1], []
        ).append(i)
        skipped.setdefault(walked(data, [*keys[:i], *keys[i + 1 :]])[-1], []).append(i)
    everywhere = {m["room"] for m in data["transitions"]} - {right}
    kinds: dict[str, float] = defaultdict(float)
    for room in everywhere:
        told = rooms.of_state(room, data, room)
        of = [
            name
            for name, ends in (("key_swapped", swapped), ("key_left_out", skipped))
            if room in ends
        ]
        expected = "other" if not of else of[0] if len(of) == 1 else "several"
        assert told["kind"] == expected
        kinds[expected] += 1 / len(everywhere)
        if len(of) == 1:
            steps = (swapped if of[0] == "key_swapped" else skipped)[room]
            assert told["step"] == (steps[0] + 1 if len(steps) == 1 else None)
    assert told["chance"] == pytest.approx(dict(kinds))
    assert rooms.of_state("Z9999", data, "")["kind"] == "no_such_room"


def test_a_key_taken_for_the_other_in_a_probabilistic_walk_is_found() -> None:
    found = instance("prdsa", 20)
    data, right = found.to_json(), set(solve(found)["states"])
    steps: Counter[Any] = Counter()
    for at in range(15):
        keys = np.array(found.sequence)
        keys[at] = 1 - keys[at]
        answer = solve(dataclasses.replace(found, sequence=keys))["states"]
        if set(answer) == right:
            continue
        told = rooms.of_states(answer, data)
        assert told["kind"] == "key_swapped"
        assert told["step"] in (at + 1, None)
        steps[told["step"] is not None] += 1
    assert steps[True] > 3
    ranked = solve(found)["states"]
    assert rooms.of_states(ranked[:5], data)["kind"] == "too_few"
    assert rooms.of_states([*ranked[:7], "Z9999"], data)["kind"] == "no_such_room"


EDGES = [("A", "B", "x"), ("B", "C", "x"), ("C", "D", "x"), ("A", "E", "x"), ("E", "F", "x"),
         ("F", "G", "x"), ("G", "D", "x")]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind", "step"),
    [
        ("DCBA", "reversed", None), ("", "empty", None), ("BCD", "wrong_start", 1),
        ("ABD", "left_out", 2), ("ABGD", "no_edge", 2), ("AXD", "unknown_person", 1),
        ("ABCBCD", "comes_back", 3), ("ABC", "wrong_target", 3), ("AEFGD", "detour", 1),
        ("ABCDG", "wrong_target", 4), ("AEC", "no_edge", 2),
    ],
)  # fmt: skip
def test_paths(answer, kind, step) -> None:
    assert graph_sp.find_error(list(answer), list("ABCD"), EDGES) == {
        "kind": kind,
        "step": step,
        "of": 3,
    }


def test_every_wrong_ranking_of_the_players_has_a_reversed_match() -> None:
    """Against trying all pairs, for every order of six players."""
    found = instance("t_rank", 12)
    data, right = found.to_json(), solve(found)["ranking"]
    players = right[:6]
    matches = [m for m in data["matches"] if set(m) <= set(players)]
    for order in permutations(players):
        if list(order) in (players, players[::-1]):
            continue
        first = next(
            i for i, player in enumerate(order, start=1)
            if any([below, player] in matches for below in order[i:])
        )  # fmt: skip
        told = t_rank.find_error(order, players, {"matches": matches})
        assert told == {"kind": "reversed_match", "step": first, "of": 6}


def test_rankings_of_other_players() -> None:
    right, data = list("ABCD"), cast("Any", {"matches": [["A", "B"], ["B", "C"], ["C", "D"]]})
    assert t_rank.find_error(list("ABD"), right, data)["kind"] == "missing_player"
    assert t_rank.find_error(list("ABD"), right, data)["step"] == 3
    assert t_rank.find_error(list("ABBD"), right, data)["kind"] == "repeated_player"
    assert t_rank.find_error(list("AXCD"), right, data)["step"] == 2
    assert t_rank.find_error(list("DCBA"), right, data)["kind"] == "upside_down"


@pytest.mark.parametrize("task", ["slt", "dsa", "dsa_perm", "prdsa", "graph_sp", "t_rank"])
def test_hostile_answers_cost_neither_the_grade_nor_the_run(task) -> None:
    rng = random.Random(4)
    row = next(iter(xd.family_of(task).rows(task, ["en"], split="test", preset="smoke")))
    key = {"slt": "chain", "graph_sp": "path", "t_rank": "ranking", "prdsa": "states"}.get(task)
    values = [[], [0], ["A1111"], ["A1111"] * 3000, list(range(2000)), "A1111", "x", {}, None, 7]
    for value in values:
        text = f'{{"{key or "state"}": {value!r}}}'.replace("'", '"')
        text = " ".join(rng.choice(["A1000", "B2000", "..."]) for _ in range(3000)) + text
        found = grade(text, row["reference"])
        reference = json.loads(row["reference"])
        told = with_fault(found, reference, text, "here")
        assert told.status == found.status
        assert ("fault" in told.details) == (found.status == "wrong")


def test_puzzles_of_another_version_tell_nothing() -> None:
    assert drawn("slt", 10, 0, 0, "test", answer='{"chain": []}') is None
    assert drawn("no_task", 10, 0, 0, "test", answer="") is None
    assert drawn("slt", "10", 0, 0, "test", answer="") is None


def record(language: str, index: int, kind: str | None, step: int | None) -> Record:
    details = {} if kind is None else {"fault": {"kind": kind, "step": step, "of": 10}}
    reference = {"task": "slt", "language": language, "complexity": 10, "instance_id": str(index)}
    return Record(Grade(kind is None, "correct" if kind is None else "wrong", True, None, details),
                  reference)  # fmt: skip


def test_languages_are_compared_on_the_same_instances() -> None:
    records = []
    for i in range(60):
        records.append(record("en", i, "sign" if i % 3 == 0 else None, 9))
        records.append(record("te", i, "sign" if i % 3 == 0 else "gift_as_fee", 2))
    found = faults(sides(AnswerTable.of_records(records)), "en")
    cell = found["tasks"]["slt"]["te"]
    assert cell["kinds"]["gift_as_fee"] == {"n": 40, "share": 40 / 60, "by_chance": None}
    assert cell["quarters"] == [60, 0, 0, 0]
    against = cell["against"]
    assert against["kinds"]["gift_as_fee"]["difference"] == pytest.approx(40 / 60)
    assert against["kinds"]["gift_as_fee"]["claimed"]
    assert against["kinds"]["sign"]["p"] == 1.0
    assert (against["position"]["both"], against["position"]["earlier"]) == (20, 20)
    # All 20 on one side: by chance in 2 of 2^20, which no draw reaches. The least p is one draw's.
    assert against["position"]["p"] == 1 / (DRAWS + 1) > 2 * 0.5**20
    assert found["tasks"]["slt"]["en"]["against"] is None
    for one in records:
        one.reference["structure"] = "the same"
    against = faults(sides(AnswerTable.of_records(records)), "en")["tasks"]["slt"]["te"]["against"]
    assert not against["kinds"]["gift_as_fee"]["claimed"]
    assert against["position"]["p"] is None  # one cluster of 20 questions allows no test
    right = AnswerTable.of_records([record("en", 0, None, None)])
    assert faults(sides(right), "en") is None
