"""Rows to train on: conversations, weights, a curriculum, nothing of the test split."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import networkx as nx
import pytest

import xlgo_dataset as xd
import xlgo_metric as xm

SMALL = {"slt": 5, "dsa": 6, "prdsa": 9, "graph_sp": 20, "t_rank": 12, "dsa_perm": 6}
_ID = re.compile(r"[A-Z][0-9]{4}")


def renamed(instance: Any) -> Any:
    """The same puzzle under other names, its lines in reverse order."""
    data = instance.to_json()
    names = sorted(set(_ID.findall(json.dumps(data))))
    others = {name: f"{chr(65 + i % 26)}{7000 + i}" for i, name in enumerate(reversed(names))}
    again = json.loads(_ID.sub(lambda found: others[found[0]], json.dumps(data)))
    for lines in ("transactions", "transitions", "edges", "matches"):
        if lines in again:
            again[lines].reverse()
    return xd.instance_from_json(instance.task, again)


@pytest.mark.parametrize("task", SMALL)
def test_renaming_keeps_the_structure(task: str) -> None:
    for index in range(20):
        instance = xd.generate(task, complexity=SMALL[task], index=index)
        again = renamed(instance)
        assert again != instance
        assert xd.structure(again) == xd.structure(instance)


def test_structures_of_networks_are_classes_of_isomorphism() -> None:
    """Against networkx, with source and target marked."""
    found = []
    for index in range(25):
        instance = xd.generate("graph_sp", complexity=20, index=index)
        data = instance.to_json()
        graph = nx.Graph([edge[:2] for edge in data["edges"]])
        for name in graph:
            graph.nodes[name]["mark"] = (name == data["source"]) + 2 * (name == data["target"])
        found.append((graph, xd.structure(instance)))
    same = {True: 0, False: 0}
    for i, (a, name_a) in enumerate(found):
        for b, name_b in found[:i]:
            equal = nx.is_isomorphic(a, b, node_match=lambda x, y: x["mark"] == y["mark"])
            same[equal] += 1
            assert equal == (name_a == name_b)
    assert min(same.values()) > 0


def test_structures_of_tournaments_are_classes_of_isomorphism() -> None:
    found = []
    for index in range(25):
        instance = xd.generate("t_rank", complexity=9, index=index)
        found.append((nx.DiGraph(instance.to_json()["matches"]), xd.structure(instance)))
    for i, (a, name_a) in enumerate(found):
        for b, name_b in found[:i]:
            assert nx.is_isomorphic(a, b) == (name_a == name_b)


def test_a_ledger_is_its_capital_and_its_steps_in_order() -> None:
    found: dict[str, Any] = {}
    for index in range(400):
        instance = xd.generate("slt", complexity=1, index=index)
        data = instance.to_json()
        (line,) = data["transactions"]
        form = (data["capital"], line["a"], line["b"])
        assert found.setdefault(xd.structure(instance), form) == form
    assert len(set(found.values())) == len(found) < 400


@pytest.mark.parametrize("change", ["capital", "a", "order"])
def test_another_ledger_has_another_structure(change: str) -> None:
    data = xd.generate("slt", complexity=4).to_json()
    other = json.loads(json.dumps(data))
    if change == "capital":
        other["capital"] = data["capital"] % 9 + 1
    elif change == "a":
        other["transactions"][0]["a"] *= -1
    else:  # two transactions change their places in the chain
        one, two = other["transactions"][:2]
        for name in ("a", "b"):
            one[name], two[name] = two[name], one[name]
    before, after = (xd.structure(xd.instance_from_json("slt", d)) for d in (data, other))
    assert before != after


def test_rows_are_conversations_that_grade_as_correct() -> None:
    rows = list(xd.training_rows("slt", ["en", "te"], complexities=[2, 4], per_level=3))
    assert [(row["complexity"], row["language"]) for row in rows] == [
        (size, code) for size in (2, 4) for _ in range(3) for code in ("en", "te")
    ]
    for row in rows:
        assert [turn["role"] for turn in row["prompt"] + row["completion"]] == ["user", "assistant"]
        assert "-train-" in row["instance_id"]
        assert xm.grade(row["completion"][0]["content"], row["reference"]).correct
    mixed = xd.training_rows("slt", ["en"], complexities=[2, 4], per_level=2, order="mixed")
    assert [row["complexity"] for row in mixed] == [2, 4, 2, 4]


@pytest.mark.parametrize("order", ["rising", "mixed"])
def test_weights_hold_at_every_complexity(order: Any) -> None:
    weights = {"en": 7, "hi": 2, "te": 1}
    rows = xd.training_rows("slt", weights, complexities=[1, 2, 3, 5, 8], per_level=20, order=order)
    counts = Counter((row["complexity"], row["language"]) for row in rows)
    assert counts == {
        (size, code): 2 * weight for size in (1, 2, 3, 5, 8) for code, weight in weights.items()
    }


def test_questions_of_the_test_split_are_left_out() -> None:
    options: dict[str, Any] = {"complexities": [1, 2], "per_level": 200}
    held = xd.structures("slt", **options)
    rows = list(xd.training_rows("slt", ["en"], exclude=held, **options))
    every = list(xd.training_rows("slt", ["en"], **options))
    found = [xd.structure(xd.read("slt", row["prompt"][0]["content"], "en")) for row in rows]
    assert not held & set(found)
    lost = [
        xd.structure(xd.read("slt", row["prompt"][0]["content"], "en")) in held for row in every
    ]
    assert 0 < sum(lost) == len(every) - len(rows)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "test"}, "come from 'train'"),
        ({"order": "falling"}, "unknown order"),
        ({"languages": ["xx"]}, "unknown language 'xx'"),
        ({"languages": {"en": 0}}, "whole numbers above 0"),
        ({"languages": []}, "no language"),
        ({"nonsense": 1}, "unknown option"),
    ],
)
def test_what_cannot_be_is_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        xd.training_rows("slt", **given)
