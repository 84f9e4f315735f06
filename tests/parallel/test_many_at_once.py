"""A table of two models, tasks and subjects, three languages and repeats, against fractions."""

import random
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr

import xlgo_metric as xm
from xlgo_cli.parallel.again import LOGGED, doubts, part_sentences, part_table, parts_of_gaps
from xlgo_cli.parallel.correlate import _agreement, _frame, _scores
from xlgo_metric.comparison.frames import table_of_rows

CHANCES = {"en": 0.85, "de": 0.7, "te": 0.4}


@cache
def answers() -> tuple[dict[str, Any], ...]:
    """Questions of both subjects have the same numbers; four of them share a passage."""
    rng = random.Random(53)
    return tuple(
        {
            "model": model, "task": task, "subject": subject, "question_id": number, "lang": code,
            "epoch": repeat, "passage_id": f"{task} {subject} {number // 4}",
            "ok": int(rng.random() < chance - 0.2 * (model == "b")),
        }
        for model in "ab"
        for task, size in (("law", 24), ("art", 40))
        for subject in ("x", "y")
        for number in range(size)
        for code, chance in CHANCES.items()
        for repeat in range(1 + (number + len(task)) % 2)
        if not (task == "art" and code == "te" and number > 33)
    )  # fmt: skip


def mean(values: Iterable[int | Fraction]) -> Fraction:
    each = [Fraction(value) for value in values]
    return sum(each, Fraction(0)) / len(each)


def shares(model: str, task: str, code: str) -> dict[tuple[str, int], Fraction]:
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for row in answers():
        if (row["model"], row["task"], row["lang"]) == (model, task, code):
            found[row["subject"], row["question_id"]].append(row["ok"])
    return {name: mean(values) for name, values in found.items()}


def test_gaps_of_every_model_and_task_in_a_frame() -> None:
    with pytest.raises(ValueError, match=r"a art: 12 of 80 questions are missing .* in te\)"):
        xm.gaps(list(answers()))
    cells = {
        (cell.where["model"], cell.task, cell.other): cell
        for cell in xm.gaps(pd.DataFrame(answers()), common=True).cells
    }
    assert cells.keys() == {
        (model, task, code) for model in "ab" for task in ("law", "art") for code in ("de", "te")
    }
    for (model, task, code), cell in cells.items():
        base, other = shares(model, task, "en"), shares(model, task, code)
        common = base.keys() & other.keys()
        assert cell.n == len(common)
        assert cell.clusters == len({(subject, number // 4) for subject, number in common})
        assert cell.baseline_accuracy == pytest.approx(float(mean(base[k] for k in common)))
        assert cell.accuracy == pytest.approx(float(mean(other[k] for k in common)))
        gains = [base[k] - other[k] for k in common]
        assert cell.discordant == (sum(x > 0 for x in gains), sum(x < 0 for x in gains))
    named = {"question": "question_id", "cluster": "", "repeat": "epoch"}
    alone = xm.gaps(list(answers()), "te", columns=named, common=True)
    assert {cell.other for cell in alone.cells} == {"en", "de"}
    assert all(cell.clusters == cell.n for cell in alone.cells)


def rows(filters: dict[str, dict[str, int]], n: int = 100) -> Any:
    """Answers whose log counts so many wrongly as wrong in each language and task."""
    rng = random.Random(3)
    made = []
    for task, of in filters.items():
        for code, missed in of.items():
            for number in range(n):
                right = number < missed or rng.random() < 0.6
                made.append({
                    "task": task, "model": "m", "language": code, "question": f"{number}",
                    "cluster": f"{task} {number}", "correct": right,
                    "logged": right and number >= missed,
                })  # fmt: skip
    frame = pd.DataFrame(made)
    table = table_of_rows(frame.drop(columns="logged"))
    table.frame["logged"] = frame["logged"]
    return table


def test_the_part_of_a_filter_is_over_tasks_and_for_each_language() -> None:
    filters = {"one": {"en": 2, "te": 30, "de": 0}, "two": {"en": 10, "te": 20, "de": 12}}
    table = rows(filters)
    frame = table.frame
    cells = {cell.language: cell for cell in parts_of_gaps(table, "en")}
    assert cells.keys() == {"te", "de"}
    for code, cell in cells.items():
        lost = [Fraction(of[code] - of["en"], 100) for of in filters.values()]
        assert (cell.baseline, cell.n) == (LOGGED, 200)
        assert cell.difference == pytest.approx(float(sum(lost) / 2))
        for column, value in (("logged", cell.baseline_accuracy), ("correct", cell.accuracy)):
            gaps = [
                fmean(own[own["language"] == "en"][column])
                - fmean(own[own["language"] == code][column])
                for _, own in frame.groupby("task")
            ]
            assert value == pytest.approx(fmean(gaps))
        assert cell.is_significant == (code == "te")
    assert [row[:5] for row in part_table([*cells.values()], "T", "en").rows] == [
        (code, 200, pytest.approx(cell.baseline_accuracy), pytest.approx(cell.accuracy),
         pytest.approx(cell.difference))
        for code, cell in cells.items()
    ]  # fmt: skip
    (told,) = part_sentences([*cells.values()], "T")
    assert told.startswith("T: Telugu: the gap is ")


def test_doubts_name_each_language_whose_wrong_answers_are_right() -> None:
    def frame(right: int, again: list[bool | None]) -> pd.DataFrame:
        """So many right of a hundred; of some wrong ones what reading again says."""
        rest: list[bool | None] = [None] * (100 - len(again))
        column = pd.Series([*again, *rest], dtype=object)
        return pd.DataFrame({"correct": [i >= 100 - right for i in range(100)], "again": column})

    frames = {
        "en": frame(90, [True] * 1 + [False] * 9),  # a tenth of a tenth: 1%
        "te": frame(40, [True] * 12 + [False] * 48),
        "de": frame(70, [True] * 6 + [False] * 24),
        "ja": frame(95, []),
    }
    (told,) = doubts(frames, "T", "acc", "xlgo report x")
    assert "12 of 60 in Telugu, 6 of 30 in German" in told
    assert "English" not in told
    assert told.endswith("Read again: xlgo report x")
    alike = {code: frame(n, []) for code, n in {"en": 100, "te": 98, "de": 99}.items()}
    assert doubts(alike, "T", "acc", "x")[0].startswith("T: acc is 1 for 99")
    none = {code: frame(n, []) for code, n in {"en": 0, "te": 2, "de": 0}.items()}
    assert doubts(none, "T", "acc", "x")[0].startswith("T: acc is 0 for 99")
    assert doubts({"en": frame(100, []), "te": frame(90, [])}, "T", "acc", "x") == []


def test_agreement_over_models_is_that_of_means_over_languages(tmp_path: Path) -> None:
    ours = {
        (model, code): (len(model) * 7 + place * 3 + number) % 10 / 10
        for number, model in enumerate(("a", "bb", "ccc", "dddd"))
        for place, code in enumerate(("en", "te", "de"))
        if (model, code) != ("bb", "de")
    }
    theirs = {
        key: (value * 9 + len(key[0]) * 4) % 7 for key, value in ours.items() if key[0] != "ccc"
    } | {("other", "en"): 3.0}
    table = _agreement("ratings.csv", ours, theirs)
    both = sorted(ours.keys() & theirs.keys())
    pairs = [(ours[key], theirs[key]) for key in both]

    def means(side: dict[tuple[str, str], float], model: str) -> float:
        return fmean(value for (name, _), value in side.items() if name == model)

    models = sorted({model for model, _ in both})
    over = [(means(ours, model), means(theirs, model)) for model in models]
    for row, (name, values) in zip(
        table.rows, (("models", over), ("models and languages", pairs)), strict=True
    ):
        assert row[:2] == (name, len(values))
        assert row[2] == pytest.approx(pearsonr(*zip(*values, strict=True)).statistic)
        assert row[3] == pytest.approx(spearmanr(*zip(*values, strict=True)).statistic)
    path = tmp_path / "ratings.csv"
    lines = [f"{model},{code},{value}" for (model, code), value in theirs.items()]
    path.write_text("model,language,score\n" + "\n".join(lines) + "\n")
    assert _scores([_frame(path)]) == pytest.approx(theirs)
