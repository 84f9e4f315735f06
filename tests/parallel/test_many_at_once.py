"""A table of two models, tasks and subjects, three languages and repeats, against fractions."""

import random
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import fmean, mean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr

import xlgo_metric as xm
from xlgo_cli import cli
from xlgo_cli.parallel.answers import (
    LOGGED,
    doubts,
    kind_of,
    part_sentences,
    part_table,
    parts_of_gaps,
    verdict,
)
from xlgo_cli.parallel.comparing import Options, compare_languages
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


def shares(model: str, task: str, code: str) -> dict[tuple[str, int], Fraction]:
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for row in answers():
        if (row["model"], row["task"], row["lang"]) == (model, task, code):
            found[row["subject"], row["question_id"]].append(row["ok"])
    return {name: mean(map(Fraction, values)) for name, values in found.items()}


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
            assert value == pytest.approx(
                fmean(
                    [
                        fmean(own[own["language"] == "en"][column])
                        - fmean(own[own["language"] == code][column])
                        for _, own in frame.groupby("task")
                    ]
                )
            )
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


BENGALI = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
N, MISSED = 250, 0.3


def filtered(seed: int = 0) -> list[dict[str, Any]]:
    """A log whose filter looks for the digits 0 to 9; a third of Bengali answers has others."""
    draw = np.random.default_rng(seed)
    rows = []
    for number in range(N):
        gold = int(draw.integers(10, 99))
        for code, accuracy in (("en", 0.9), ("bn", 0.8), ("de", 0.85)):
            said = str(gold + (draw.random() > accuracy))
            is_missed = code == "bn" and draw.random() < MISSED
            rows.append({
                "id": number, "language": code, "gold": gold,
                "response": f"\\boxed{{{said.translate(BENGALI) if is_missed else said}}}",
                "correct": int(said == str(gold) and not is_missed),
            })  # fmt: skip
    return rows


def test_the_part_of_a_filter_is_told_at_the_gap(tmp_path: Path, capsys: Any) -> None:
    rows = filtered()
    path = tmp_path / "answers.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    missed = sum(
        f"\\boxed{{{str(row['gold']).translate(BENGALI)}}}" == row["response"] for row in rows
    )
    compared = compare_languages(path, ["*"], Options(read="number"))
    bengali, german = sorted(compared.benchmarks[0].parts, key=lambda cell: cell.language)
    assert bengali.difference == pytest.approx(missed / N, abs=1e-12)
    assert (german.difference, german.is_significant) == (0, False)
    gaps = {cell.other: cell.difference for cell in compared.gaps}
    assert gaps["bn"] == pytest.approx(bengali.accuracy)
    assert cli.main(["report", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    wrong = sum(not row["correct"] for row in rows if row["language"] == "bn")
    assert f"it calls correct {missed} of {wrong} in Bengali" in said
    assert f"xlgo report {path} --read number" in said
    assert said.index("misses") < said.index("behind English")
    assert cli.main(["report", str(path), "--read", "number"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "misses" not in said
    part = f"+{100 * missed / N:.1f} of it is the log's filter"
    assert part in said
    assert part in (tmp_path / "report" / "report.html").read_text("utf-8").replace("&#39;", "'")
    table = (tmp_path / "report" / "tables.md").read_text("utf-8")
    assert "how much of each gap is the log's filter" in table


@pytest.mark.parametrize(
    ("doc", "target", "response", "kind", "right"),
    [
        ({}, "18", "The answer is 18.", "number", True),
        ({}, "#### 1,800", "\\boxed{1800}", "number", True),
        ({}, "B", "The answer is (B).", "choice", True),
        ({"choices": ["cat", "dog"]}, "1", "The answer is (B).", "choice", True),
        ({"choices": ["cat", "dog"]}, "dog", "The answer is (B).", "choice", True),
        ({"option_a": "cat", "option_b": "dog"}, "A", "The answer is (B).", "choice", False),
        ({"choices": '{"A": "cat", "B": "dog"}'}, "A", "**A**", "choice", True),
        ({}, "blue", "The answer is blue.", "choice", None),
        ({"choices": ["cat", "dog"]}, "7", "The answer is (B).", "choice", None),
    ],
)
def test_what_gold_and_options_say(
    doc: dict[str, Any], target: str, response: str, kind: str, right: bool | None
) -> None:
    line = {"doc": doc, "target": target}
    assert verdict(line, response, kind, "en") is right
    assert right is None or kind_of(line) == kind or target.startswith("####")


def test_the_language_of_answers_and_reasoning(tmp_path: Path, capsys: Any) -> None:
    own = "Pedro va todos los domingos en bicicleta por el canal a casa de su vieja tía y toman té."
    english = "Every Sunday Piet cycles along the canal to his old aunt, and they drink some tea."
    said = {"en": ("", english), "es": (english, own), "de": (english, own)}
    rows = [
        {"id": n, "language": code, "correct": int(n % 4 > 0),
         "response": f"<think>{thought}</think>{answer if n else '7'}"}
        for code, (thought, answer) in said.items() for n in range(20)
    ]  # fmt: skip
    table = tmp_path / "answers.jsonl"
    pd.DataFrame(rows).to_json(table, orient="records", lines=True)
    assert cli.main(["report", str(table), "--written", "--quiet"]) == 0
    capsys.readouterr()
    (found,) = (tmp_path / "report" / "tables").glob("*written_in.csv")
    rows = pd.read_csv(found).set_index(["Language", "Text"])
    shares = rows[["in the language", "in English", "in another", "too short"]]
    assert shares.loc["en", "answer"].tolist() == [0.95, 0, 0, 0.05]
    assert shares.loc["es", "answer"].tolist() == [0.95, 0, 0, 0.05]
    assert shares.loc["de", "answer"].tolist() == [0, 0, 0.95, 0.05]
    assert shares.loc["es", "reasoning"].tolist() == [0, 1, 0, 0]
    assert ("en", "reasoning") not in shares.index
    assert rows.loc[("es", "reasoning"), "Accuracy in English"] == pytest.approx(0.75)


def test_scores_of_tables_are_correlated(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"id": n, "language": code, "model": model, "correct": int(n < right)}
        for model, of in {"a": (9, 5), "b": (7, 6), "c": (4, 2)}.items()
        for code, right in zip(("en", "te"), of)
        for n in range(10)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "answers.csv", index=False)
    (tmp_path / "ratings.csv").write_text("model,score\na,1210\nb,1190\nc,1000\n", "utf-8")
    out = tmp_path / "table.csv"
    files = [str(tmp_path / name) for name in ("ratings.csv", "answers.csv")]
    assert cli.main(["correlate", *files, "--out", str(out)]) == 0
    capsys.readouterr()
    found = pd.read_csv(out).set_index("Over").loc["models"]
    expected = np.corrcoef([1210, 1190, 1000], [0.7, 0.65, 0.3])[0, 1]
    assert found["Pearson"] == pytest.approx(expected)
    assert found["Spearman"] == pytest.approx(1)
    assert cli.main(["correlate", files[1], files[1], "--out", str(out)]) == 0
    assert pd.read_csv(out).set_index("Over").loc["models and languages", "Pairs"] == 6
    for ratings, words in (
        ("a,1\nb,abc\n", "ratings.csv: row 3: column score: 'abc': no number"),
        ("x,1\ny,2\n", "no model is in both: there are x, y and a"),
    ):
        (tmp_path / "ratings.csv").write_text(f"model,score\n{ratings}", "utf-8")
        assert cli.main(["correlate", *files]) == 2
        assert words in capsys.readouterr().err
