"""The numbers against SciPy's exact tests, and against a model that has no gap."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from xlgo_cli.logs.lines import SampleFile
from xlgo_cli.parallel.answers import Answers
from xlgo_cli.parallel.clusters import candidates, chosen
from xlgo_cli.parallel.pairing import Paired, pair
from xlgo_cli.parallel.table import answer_table, lost_alone, records, rows_of
from xlgo_metric.comparison import Cell, compare, corrected


def answers(language: str, right: list[bool]) -> Answers:
    """Answers to as many questions, in their order, the right answer of each its number."""
    file = SampleFile(Path("x"), f"task_{language}", "2026", "model")
    numbers = range(len(right))
    frame = pd.DataFrame({
        "language": language, "subject": "", "doc_id": numbers, "file": file, "place": numbers,
        "correct": right, "other_digits": False, "target": numbers,
        "prompt": [f"{language} {n}" for n in numbers],
    })  # fmt: skip
    return Answers(language, {"": file}, frame)


def paired(first: list[bool], second: list[bool]) -> Paired:
    return pair(answers("en", first), answers("te", second), (), "target")


def gap_of(found: Paired, group: Sequence[str] | None = None) -> Cell:
    rows = rows_of([found], "none")
    rows["cluster"] = None if group is None else [*group, *group]
    table = answer_table(rows, list(records(rows, {"task": "x"}, "2026")))
    (gap,) = compare(table, "language", "en", within=["task"]).cells
    return gap


def test_every_pair_of_counts_agrees_with_scipy() -> None:
    for a, b in itertools.product(range(12), repeat=2):
        en = [True] * a + [False] * b + [True, False]
        te = [False] * a + [True] * b + [True, False]
        gap = gap_of(paired(en, te))
        assert (gap.only_base, gap.only_other, gap.n) == (a, b, a + b + 2)
        expected = binomtest(a, a + b, 0.5).pvalue if a + b else 1.0
        assert gap.p == pytest.approx(expected, abs=1e-12)
        # No outcome of so few discordant pairs is below 5%, if this is silent.
        best = binomtest(0, a + b, 0.5).pvalue if a + b else 1.0
        assert gap.silent == (best >= 0.05)
        assert gap.low <= gap.difference <= gap.high
        assert (gap.low > 0 or gap.high < 0) == (expected < 0.05)


def simulated(rng: np.random.Generator, languages: int, questions: int) -> list[Cell]:
    """A model that solves a question with the same chance in every language; some are harder."""
    chance = rng.beta(1.5, 1.0, questions)
    solved = rng.random((languages + 1, questions)) < chance
    base = answers("en", solved[0].tolist())
    return [
        gap_of(pair(base, answers(f"l{n}", row.tolist()), (), "target"))
        for n, row in enumerate(solved[1:])
    ]


@pytest.mark.slow
def test_a_model_without_a_gap_is_accused_in_5_percent() -> None:
    rng = np.random.default_rng(17)
    runs = [simulated(rng, 5, 250) for _ in range(400)]
    alone = np.mean([gap.p < 0.05 for gaps in runs for gap in gaps])
    assert 0.025 <= alone <= 0.055  # exact, hence a little below 5%
    outside = np.mean([gap.low > 0 or gap.high < 0 for gaps in runs for gap in gaps])
    assert outside == alone
    claimed = np.mean([any(gap.significant for gap in corrected(gaps)) for gaps in runs])
    assert claimed <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(runs))


def test_a_gap_that_is_there_is_found_with_its_size() -> None:
    rng = np.random.default_rng(4)
    chance = rng.beta(2, 1, 400)
    truth, found, inside = 0.15, [], []
    for _ in range(60):
        en = rng.random(400) < chance
        te = rng.random(400) < np.clip(chance - truth, 0, 1)
        expected = float(np.mean(chance - np.clip(chance - truth, 0, 1)))
        (gap,) = corrected([gap_of(paired(en.tolist(), te.tolist()))])
        found.append(gap.significant and gap.difference > 0)
        inside.append(gap.low <= expected <= gap.high)
    assert np.mean(found) > 0.9
    assert np.mean(inside) >= 0.9


def test_lost_alone_by_brute_force() -> None:
    rng = np.random.default_rng(8)
    solved = rng.random((4, 60)) < 0.7
    base = answers("en", solved[0].tolist())
    pairs = [
        pair(base, answers(name, row.tolist()), (), "target")
        for name, row in zip("abc", solved[1:])
    ]
    lost = lost_alone(rows_of(pairs, "none"))
    for row, name in enumerate(["en", "a", "b", "c"]):
        others = np.delete(solved, row, axis=0).all(axis=0)
        expected = np.flatnonzero(~solved[row] & others).tolist()
        assert list(lost.loc[lost["language"] == name, "doc_id"]) == expected


def test_questions_of_one_text_are_exchanged_together() -> None:
    """Sign patterns of whole clusters, all of them counted."""
    en = [True] * 9 + [False] * 3
    te = [False] * 8 + [True, False, False, True]
    group = ["a", "a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f"]
    gap = gap_of(paired(en, te), group)
    sums = {name: sum(int(a) - int(b) for a, b, g in zip(en, te, group) if g == name)
            for name in group}  # fmt: skip
    sizes = [abs(total) for total in sums.values()]
    patterns = [
        abs(sum(sign * size for sign, size in zip(signs, sizes)))
        for signs in itertools.product((1, -1), repeat=len(sizes))
    ]
    observed = abs(sum(sums.values()))
    expected = sum(value >= observed for value in patterns) / len(patterns)
    assert gap.p == pytest.approx(expected, abs=1e-12)
    assert gap.p > gap_of(paired(en, te)).p


def test_clusters_are_found_in_the_documents_and_may_be_named(tmp_path: Path) -> None:
    log = tmp_path / "samples_task_en_2026.jsonl"
    log.write_text(json.dumps({"doc": {"premise": "p", "hypothesis": "h"}}) + "\n", "utf-8")
    file = SampleFile(log, "task_en", "2026", "model")
    assert candidates(file, None, "") == ("premise",)
    assert candidates(file, "hypothesis", "") == ("hypothesis",)
    assert candidates(file, "none", "") == ()
    with pytest.raises(ValueError, match="no such field: choose among none, subject, premise"):
        candidates(file, "story", "")
    base = answers("en", [True] * 12)
    base.frame["field premise"] = [n // 2 for n in range(12)]
    assert chosen(base, ("premise",), None) == "premise"
    other = pair(base, answers("te", [True] * 12), (), "none")
    assert list(rows_of([other], "premise")["cluster"]) == [str(n // 2) for n in range(12)] * 2
    base.frame["field premise"] = range(12)  # every question has its own
    assert chosen(base, ("premise",), None) == "none"
    base.frame["subject"] = [str(n // 2) for n in range(12)]
    assert chosen(base, (), None) == "subject"
    assert rows_of([other], "none")["cluster"].isna().all()


@pytest.mark.parametrize("clusters", [2, 5, 6])
def test_clusters_that_no_test_could_decide_are_not_chosen(clusters: int) -> None:
    """Of so few clusters all may agree and the exact p value still be above 5%."""
    least = 2 / 2**clusters  # of the sign patterns, the two at the ends
    base = answers("en", [True] * 24)
    groups = [str(n % clusters) for n in range(24)]
    base.frame["field premise"] = groups
    assert (chosen(base, ("premise",), None) == "premise") == (least < 0.05)
    base.frame["subject"] = groups
    assert (chosen(base, (), None) == "subject") == (least < 0.05)
