"""Every generated task: independent confirmation, reproducibility, the JSON form, the languages."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.simple_reasoning import questions

from .checks.confirm import confirm, grids

simple_reasoning: Any = xd.family("simple_reasoning")

GRIDS = grids()
SETTINGS = [(task, i) for task, grid in GRIDS.items() for i in range(len(grid))]
PER_SETTING = 3


@looped(("task", "number"), SETTINGS)
def test_every_setting_is_confirmed_from_the_prompt(task, number):
    for index in range(PER_SETTING):
        confirm(simple_reasoning.generate(task, index=index, seed=5, **GRIDS[task][number]))


@pytest.mark.parametrize("task", questions.GENERATED)
def test_json_form_and_public_functions(task):
    instance = simple_reasoning.generate(task, index=7, seed=2, split="train")
    again = simple_reasoning.instance_from_json(task, json.loads(json.dumps(instance.to_json())))
    assert again == instance
    assert again.to_json() == instance.to_json()
    assert simple_reasoning.render(again, "en") == simple_reasoning.render(instance, "en")
    assert simple_reasoning.solve(again) == simple_reasoning.solve(instance)
    assert instance.task == task
    assert isinstance(instance.complexity, int)


def test_the_default_rows_are_the_papers_grid():
    papers = {
        "word_count": 6, "char_count": 2, "logic_eval": 18, "logic_negation": 18,
        "proof_tree": 6, "irrelevant": 8, "travel": 4,
    }  # fmt: skip
    for task, levels in papers.items():
        assert len({r["level"] for r in simple_reasoning.rows(task, ["en"], n=1)}) == levels, task


@looped(
    ("call", "words"),
    [
        (lambda: simple_reasoning.generate("nothing"), ["nothing", "word_count"]),
        (lambda: simple_reasoning.generate("travel", colour=1), ["colour", "cities"]),
        (lambda: simple_reasoning.generate("travel", cities=True), ["cities", "3", "40"]),
        (lambda: simple_reasoning.generate("travel", cities=3, visit=4), ["3", "4"]),
        (lambda: simple_reasoning.generate("logic_eval", size="huge"), ["huge", "small"]),
        (lambda: simple_reasoning.generate("proof_tree", split="dev"), ["dev", "validation"]),
        (lambda: xd.generate("unpuzzles"), ["rows"]),
        (lambda: simple_reasoning.generate("word_count", m=2000), ["2000"]),
        (lambda: simple_reasoning.generate("word_count", source="/no/such"), ["/no/such", "own"]),
        (lambda: simple_reasoning.options("travel", n=0), ["n=0"]),
        (lambda: simple_reasoning.options("unpuzzles"), ["source"]),
        (lambda: simple_reasoning.options("unpuzzles", colour=1), ["colour", "variant"]),
        (lambda: list(simple_reasoning.rows("word_count", ["zh"])), ["zh", "en"]),
        (lambda: xd.read("travel", "Hello", "en"), ["travel", "reads no prompts"]),
        (lambda: simple_reasoning.instance_from_json("travel", {}), ["structure"]),
        (
            lambda: simple_reasoning.render(simple_reasoning.generate("travel"), "en", "revised"),
            ["revised", "paper"],
        ),
    ],
)
def test_errors_say_what_is_allowed(call, words):
    with pytest.raises(ValueError, match="(?s)" + "".join(f"(?=.*{re.escape(w)})" for w in words)):
        call()


def test_every_leg_of_the_reference_path_is_the_cheapest_and_the_budget_is_their_sum() -> None:
    """Read from the reference alone, as an answer is graded."""
    rows = list(
        xd.family("simple_reasoning").rows("travel", ["en"], n=4, cities=(5, 10), visit=(3, 4))
    )
    assert len(rows) == 16
    dearer = 0
    for row in rows:
        reference = json.loads(row["reference"])
        prices = {(origin, to): by_mode for origin, to, by_mode in reference["edges"]}
        path = reference["answer"]["itinerary"]
        cities = [path[0][0], *(to for _, to, _ in path)]
        assert (cities[0], cities[-1]) == (reference["start"], reference["end"])
        assert len(set(cities)) == len(cities) == reference["visit"]
        assert all(first[1] == second[0] for first, second in pairwise(path))
        for place, (origin, to, mode) in enumerate(path):
            legs = {
                city: min(by_mode.values())
                for (start, city), by_mode in prices.items()
                if start == origin and city not in cities[: place + 1]
            }
            assert prices[origin, to][mode] == legs[to] == min(legs.values())
            dearer += len(set(prices[origin, to].values())) > 1
        cost = sum(prices[origin, to][mode] for origin, to, mode in path)
        assert cost == reference["budget"]
    assert dearer
