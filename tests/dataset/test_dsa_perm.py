"""dsa_perm: keys that permute the rooms, in the words of dsa."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm

SIZES = (2, 3, 4, 7, 32, 200)


def walk(data: dict, start: str, keys: list[str] | None = None) -> str:
    """Where the keys lead, by a dictionary of the printed lines."""
    table = {(move["room"], move["key"]): move["next"] for move in data["transitions"]}
    room = start
    for key in data["keys"] if keys is None else keys:
        room = table[room, key]
    return room


@pytest.mark.parametrize("complexity", SIZES)
def test_each_key_is_a_permutation_without_fixed_points(complexity: int) -> None:
    for index in range(10):
        instance = xd.generate("dsa_perm", complexity=complexity, index=index)
        data = instance.to_json()
        rooms = {move["room"] for move in data["transitions"]}
        assert (len(rooms), len(data["keys"])) == (complexity, complexity)
        assert len(data["transitions"]) == 2 * complexity
        for key in ("gold", "silver"):
            moves = [m for m in data["transitions"] if m["key"] == key]
            assert {m["room"] for m in moves} == {m["next"] for m in moves} == rooms
            assert all(m["room"] != m["next"] for m in moves)
        assert xd.solve(instance) == {"state": walk(data, data["start"])}


@pytest.mark.parametrize("complexity", SIZES)
def test_a_wrong_start_never_ends_right(complexity: int) -> None:
    instance = xd.generate("dsa_perm", complexity=complexity, seed=3)
    data = instance.to_json()
    (right,) = xd.solve(instance).values()
    ends = {m["room"]: walk(data, m["room"]) for m in data["transitions"]}
    assert [room for room, end in ends.items() if end == right] == [data["start"]]


def test_derangements_are_uniform() -> None:
    """The nine derangements of four rooms, each as often as the others (chi-square)."""
    counts: dict[tuple[int, ...], int] = {}
    many = 900
    for index in range(many):
        data = xd.generate("dsa_perm", complexity=4, index=index).to_json()
        gold = {m["room"]: m["next"] for m in data["transitions"] if m["key"] == "gold"}
        order = sorted(gold)
        form = tuple(order.index(gold[room]) for room in order)
        counts[form] = counts.get(form, 0) + 1
    assert len(counts) == 9
    assert sum((n - many / 9) ** 2 / (many / 9) for n in counts.values()) < 26.1  # p = 0.001, 8 df


def test_same_words_as_dsa_in_every_language() -> None:
    family: Any = xd.family("xlgobench")
    assert family.languages("dsa_perm") == family.languages("dsa")
    instance = xd.generate("dsa_perm", complexity=9)
    twin = xd.instance_from_json("dsa", instance.to_json())
    for language in family.languages("dsa_perm"):
        for text in xd.TEXTS:
            prompt = xd.render(instance, language, text)
            assert prompt == xd.render(twin, language, text)
            assert xd.read("dsa_perm", prompt, language, text) == instance


def test_a_prompt_of_dsa_whose_walks_merge_is_refused() -> None:
    prompt = xd.render(xd.generate("dsa", complexity=30), "en")
    with pytest.raises(ValueError, match="leads from two rooms into one"):
        xd.read("dsa_perm", prompt, "en")


def test_it_is_none_of_the_five_and_has_its_own_group() -> None:
    assert xd.TASKS == ("slt", "dsa", "prdsa", "graph_sp", "t_rank")
    family: Any = xd.family("xlgobench")
    assert family.TASKS[:6] == (*xd.TASKS, "dsa_perm")
    groups = {task.task: task.group for task in family.harness_tasks()}
    assert groups["dsa_perm"] == "xlgo_more"
    assert {task for task, group in groups.items() if group == "xlgo"} == set(xd.TASKS)


def test_rows_are_graded_as_those_of_dsa() -> None:
    rows = xd.load_dataset("dsa_perm_te", split="test", levels=2, per_level=2, streaming=True)
    for row in rows:
        assert xm.grade(row["answer"], row["reference"]).correct
        room = json.loads(row["answer"])["state"]
        assert xm.grade(json.dumps({"state": f"గది {room}"}), row["reference"]).correct
        other = next(
            m
            for m in xd.read("dsa_perm", row["prompt"], "te").to_json()["transitions"]
            if m["next"] != room
        )["next"]
        assert xm.grade(json.dumps({"state": other}), row["reference"]).status == "wrong"
