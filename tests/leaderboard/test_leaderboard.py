"""``xlgo leaderboard`` from folders of logs to the site and the Hub."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
from tests.comparison.test_compare import answer
from tests.report.logs import LATER, LEVELS, PER_LEVEL, rows, sample, write_run
from xlgo_cli.leaderboard.standings import Board, board, choose, read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_metric.comparison import AnswerTable, Cell, Comparison, compare

RIGHT = {
    "acme/best": {"en": (6, 6, 6, 5), "ar": (6, 6, 5, 5), "te": (6, 6, 5, 4)},
    "acme/uneven": {"en": (6, 6, 5, 5), "ar": (6, 5, 4, 2), "te": (3, 0, 0, 0)},
    "acme/<b>worst</b>": {"en": (3, 1, 0, 0), "ar": (3, 1, 0, 0), "te": (2, 1, 0, 0)},
}
"""Correct answers of each level, of ``PER_LEVEL``, by model and language."""


def lines(model: str, asked: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    found = []
    for number, row in enumerate(rows() if asked is None else asked):
        right = row["index"] < RIGHT[model][row["language"]][row["level"]]
        found.append(sample(row, row["answer"] if right else '{"chain": [0]}', number))
    return found


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("models")
    for number, model in enumerate(RIGHT):
        write_run(top / str(number), model=model, samples=lines(model))
    return [top / str(number) for number in range(len(RIGHT))]


def quick(folder: Path, model: str | None) -> GradedRun:
    return score_folder(folder, model=model, options={"draws": 10, "permutations": 99})


@pytest.fixture(scope="module")
def made(folders: list[Path]) -> Board:
    entries, failed = read_entries(folders)
    assert failed == []
    return board(choose(entries))


def test_gaps_are_tested_over_all_models_together(made: Board) -> None:
    """Beside the gaps of other models, one is less sure than in the report of its own model."""
    assert len(made.gaps) == 3 * 2
    places = {entry.name: place for place, entry in enumerate(made.entries)}
    together, alone = {}, {}
    for name in ("acme/best", "acme/uneven"):
        together[name] = made.gaps[places[name], "xlgobench", "slt", "te"]
        section = made.entries[places[name]].scored.score["families"]["xlgobench"]
        alone[name] = section["tasks"]["slt"]["languages"]["te"]["difference"]
        assert alone[name]["difference"] == together[name].difference
    assert alone["acme/best"]["p_value"] < together["acme/best"].p_value
    assert together["acme/uneven"].is_significant


def test_what_cannot_be_compared_is_named(folders: list[Path], tmp_path: Path) -> None:
    few = [row for row in rows() if row["language"] != "te"]
    write_run(tmp_path / "few", model="acme/best", samples=lines("acme/best", few), date=LATER)
    options: Any = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4, "c_max": 16, "seed": 7}
    other = list(xd.family_of("slt").rows("slt", ("en", "ar", "te"), split="test", **options))
    later = {"uneven": LATER, "best": LATER.replace("000001", "000002")}
    for name, date in later.items():
        samples = lines(f"acme/{name}", other)
        write_run(tmp_path / f"seed_{name}", model=f"acme/{name}", samples=samples, date=date)
    (tmp_path / "empty").mkdir()
    apart = ("few", "seed_uneven", "seed_best", "empty")
    given = [*folders, *(tmp_path / name for name in apart)]
    entries, failed = read_entries(given, quick)
    field = choose(entries, failed)
    why = dict(field.left_out)
    assert why["acme/best (few)"] == "it answered 48 of the 72 questions of the others"
    # Those of one other design stand together.
    of_seed = "other questions: seed of xlgobench (7, others 0) (as 2 models: rank these apart)"
    assert [why[f"acme/{name} (seed_{name})"] for name in later] == [of_seed] * 2
    assert why[str(tmp_path / "empty")].startswith("no samples_*.jsonl")
    assert {entry.folder for entry in field.ranked} == set(folders)


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


def test_places_follow_from_who_is_clearly_better() -> None:
    pairs = {
        ("a", "b"): (0.1, 0.3),
        ("a", "c"): (0.1, 0.04),
        ("a", "d"): (0.9, 0.001),
        ("b", "c"): (0.0, 1.0),
        ("b", "d"): (0.8, 0.001),
        ("c", "d"): (0.8, 0.06),
    }
    made = Comparison(
        "model",
        None,
        cells=tuple(
            Cell({}, base, other, 10, 10, 0.0, 0.0, (0, 0), gain, gain, gain, p, p < 0.05)
            for (base, other), (gain, p) in pairs.items()
        ),
    )
    found = {name: (one.rank, one.low, one.high) for name, one in made.ranks().items()}
    assert found == {"a": (1, 1, 2), "b": (2, 1, 3), "c": (2, 2, 4), "d": (4, 3, 4)}
    with pytest.raises(ValueError, match="one cell for every two models"):
        replace(made, cells=made.cells[1:]).ranks()


def test_pairs_are_corrected_together() -> None:
    generator = np.random.default_rng(2)
    right = generator.random((4, 40)) < np.array([[0.9], [0.6], [0.5], [0.1]])
    rows = [
        answer(f"q{n}", "en", bool(correct), model=model)
        for model, of in zip("abcd", right)
        for n, correct in enumerate(of)
    ]
    pairs = compare(AnswerTable.of_answers(rows), "model", ranked=True).cells
    assert [pair.baseline + pair.other for pair in pairs] == ["ab", "ac", "ad", "bc", "bd", "cd"]
    for pair in pairs:
        first, second = (right["abcd".index(name)] for name in (pair.baseline, pair.other))
        alone = binomtest(int((first & ~second).sum()), int((first != second).sum())).pvalue
        assert pair.difference == pytest.approx(first.mean() - second.mean())
        # Single-step max-T: at least the p value of one test, at most about Bonferroni's.
        assert 0.9 * alone - 1e-3 <= pair.p_value <= len(pairs) * alone + 0.02
