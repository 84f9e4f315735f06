"""Which of eight runs are ranked, and on which questions: thresholds, families and conditions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from xlgo_cli.leaderboard.standings import choose

PUZZLE, TEXT = "xlgobench", "polymath"
Key = tuple[str, str, str, str, int]


def keys(family: str, *numbers: int) -> list[Key]:
    return [(family, "task", "en", f"q{n:03}", 0) for n in numbers]


def entry(name: str, answered: list[Key], seed: str = "0", **settings: str) -> Any:
    families = {key[0] for key in answered}
    return SimpleNamespace(
        name=name,
        answers=pd.DataFrame(
            {"family": [key[0] for key in answered]},
            index=pd.MultiIndex.from_tuples(answered),
        ),
        conditions=dict.fromkeys(families, (("data", "1"), ("seed", seed))),
        settings={"sampling": "greedy", "template": "none"} | settings,
    )


def entries() -> list[Any]:
    return [
        entry("other seed", keys(PUZZLE, *range(100)), "7"),
        entry("whole", keys(PUZZLE, *range(100)) + keys(TEXT, *range(9)), template="aa"),
        entry("nine tenths", keys(PUZZLE, *range(10, 100)), template="bb"),
        entry("fewer", keys(PUZZLE, *range(11, 100))),
        entry("more", keys(PUZZLE, *range(120)), sampling="temperature=1", template="cc"),
        entry("texts", keys(TEXT, *range(9))),
        entry("the same seed", keys(PUZZLE, *range(100)), "7"),
        entry("third seed", keys(PUZZLE, *range(100)), "9"),
    ]


def test_runs_are_ranked_on_what_at_least_half_were_asked_alike() -> None:
    found = choose(entries(), [("folder", "cannot be read")])
    assert [one.name for one in found.ranked] == ["whole", "nine tenths", "more"]
    assert found.common == tuple(keys(PUZZLE, *range(10, 100)))
    told = "other questions: seed of xlgobench"
    assert found.left_out == (
        ("folder", "cannot be read"),
        ("texts", "it has no answers that are right or wrong, as others do"),
        ("other seed", f"{told} (7, others 0) (as 2 models: rank these apart)"),
        ("the same seed", f"{told} (7, others 0) (as 2 models: rank these apart)"),
        ("third seed", f"{told} (9, others 0)"),
        ("fewer", "it answered 89 of the 100 questions of the others"),
    )
    assert found.conditions == {PUZZLE: (("data", "1"), ("seed", "0"))}
    # A template is each model's own, so that three of them are alike.
    assert found.unlike == {
        "whole": (),
        "nine tenths": (),
        "more": ("sampling: temperature=1 (most: greedy)",),
    }


def test_a_family_counts_where_half_of_the_runs_have_it() -> None:
    both = [
        entry("one", keys(PUZZLE, 1, 2) + keys(TEXT, 1)),
        entry("two", keys(PUZZLE, 1, 2) + keys(TEXT, 1)),
        entry("three", keys(PUZZLE, 1, 2)),
        entry("four", keys(PUZZLE, 1, 2)),
    ]
    found = choose(both[:2])
    assert found.common == tuple(sorted(keys(PUZZLE, 1, 2) + keys(TEXT, 1)))
    found = choose([*both, entry("five", keys(PUZZLE, 1, 2))])
    assert found.common == tuple(keys(PUZZLE, 1, 2))
    assert len(found.ranked) == 5
    apart = [entry("one", keys(PUZZLE, 1)), entry("two", keys(PUZZLE, 1), "7")]
    with pytest.raises(ValueError, match=r"two models .* \(two: other questions: seed"):
        choose(apart)


def test_a_model_without_a_template_is_asked_otherwise_than_those_with_their_own() -> None:
    asked = keys(PUZZLE, *range(10))
    templates = {"a": "aa", "b": "bb", "none": "none"}
    found = choose([entry(name, asked, template=of) for name, of in templates.items()])
    assert found.unlike == {"a": (), "b": (), "none": ("template: none (most: its own)",)}
