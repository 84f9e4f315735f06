"""PolyMath's rows, section, tables, harness values and the authors' file format."""

import json
import math
import random
import re
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import fmean, pstdev, stdev
from typing import Any
from unittest.mock import Mock

import huggingface_hub
import pandas as pd
import pytest
from scipy.stats import binomtest, pearsonr

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_cli.logs import formats, graded_run, results
from xlgo_dataset.families import polymath
from xlgo_metric import core, views
from xlgo_metric.families.polymath import grading, summary
from xlgo_metric.families.polymath.tables import findings, tables

from .fixture import FIXTURE

ANSWERS = {
    "42": "42",
    "12": "12",
    r"$\{2,3\}$": r"x=2, x=3",
    r"$(-\sqrt{2},\sqrt{2})$": r"-\sqrt2<x<\sqrt2",
    r"$\frac{n(n+1)}{2}$": r"\frac{n^2+n}{2}",
}
LANGUAGES = [
    "en", "zh", "ar", "bn", "de", "es", "fr", "id", "it", "ja", "ko", "ms", "pt", "ru", "sw", "te",
    "th", "vi",
]  # fmt: skip
"""As the columns of the paper's tables are headed."""
# Table 5 (a), (b) and Table 7 of the paper for two models, in the order of LANGUAGES.
PUBLISHED = {
    "Qwen-QwQ-32B": (
        [36.8, 31.2, 25.6, 30.4, 34.4, 37.6, 34.4, 30.4, 34.4, 25.6, 24.0, 33.6, 33.6, 28.8,
         28.0, 24.0, 26.4, 32.0],
        [62.4, 55.2, 47.2, 50.4, 63.2, 60.0, 58.4, 56.0, 56.8, 44.8, 47.2, 57.6, 59.2, 55.2,
         45.6, 43.2, 47.2, 60.0],
        [52.5, 47.3, 41.6, 44.6, 50.7, 52.3, 49.8, 47.5, 49.6, 39.4, 40.1, 48.9, 50.0, 45.3,
         40.0, 36.8, 41.4, 49.1],
    ),
    "Claude-3.7-sonnet-thinking": (
        [25.6, 17.6, 21.6, 20.0, 20.0, 19.2, 21.6, 21.6, 22.4, 22.4, 18.4, 20.8, 19.2, 21.6,
         21.6, 16.0, 25.6, 19.2],
        [36.0, 38.4, 36.8, 38.4, 35.2, 29.6, 32.0, 36.8, 38.4, 34.4, 37.6, 39.2, 37.6, 37.6,
         40.8, 40.0, 36.4, 33.6],
        [35.7, 32.6, 34.6, 33.7, 32.3, 30.2, 32.7, 34.0, 34.6, 34.2, 32.8, 34.8, 31.8, 35.6,
         34.2, 30.9, 36.0, 31.5],
    ),
}  # fmt: skip


def fixture_rows(languages=LANGUAGES, **options):
    return list(
        xd.family("polymath").rows("polymath", languages, polymath_path=str(FIXTURE), **options)
    )


def response(row):
    gold = json.loads(row["answer"])
    return rf"$\boxed{{{ANSWERS[gold]}}}$"


def weighted(section):
    """DW-ACC by language, of a section with one model and control."""
    table = next(one for one in tables(section) if one.name == "polymath_dw_acc")
    return dict(zip(table.names[2:-2], table.rows[0][2:-2], strict=True))


@pytest.mark.parametrize("model", PUBLISHED)
def test_published_benchmark_scores_fit_the_published_levels(model):
    """DW-ACC of Table 7 lies between its bounds from Table 5: levels do not get easier.

    The copy of the paper at hand holds top and high in full; low and medium lie between high and
    100. Other weights break the bounds.
    """
    top, high, score = PUBLISHED[model]
    for t, h, published in zip(top, high, score, strict=True):
        lowest, highest = xm.dw_acc([[h, h, h, t], [100, 100, h, t]])
        assert lowest - 0.05 <= published <= highest + 0.05
    reverse = [(8 * h + 4 * h + 2 * h + t) / 15 for t, h in zip(top, high, strict=True)]
    assert sum(low > published for low, published in zip(reverse, score, strict=True)) >= 9


@pytest.mark.parametrize(
    ("known", "score", "low"),
    [
        ((70.4, 50.7, 33.7), 47.0, (90, 94)),  # Deepseek-R1-671B: Tables 5 and 7
        ((72.0, 62.2, 38.0), 52.2, (84, 88)),  # Gemini-2.5-pro: section 3.2, Table 5, abstract
    ],
)
def test_low_level_that_published_scores_imply(known, score, low):
    bounds = [xm.dw_acc([value, *known]) for value in low]
    assert bounds[0] <= score <= bounds[1]


def test_grades_tell_languages_of_thinking_and_answer():
    reference = json.loads(fixture_rows(["te"])[0]["reference"])
    thought = "So we add both numbers and the result is 42."
    said = f"<think>{thought}</think> కాబట్టి మొత్తం జవాబు $\\boxed{{42}}$."
    details = xm.grade(said, reference).details
    expected = {
        "lc_thinking": False, "english_thinking": True, "lc_answer": True,
        "thinking_length": len(thought),
    }  # fmt: skip
    assert {name: details[name] for name in expected} == expected
    assert xm.grade(r"\boxed{42}", reference).details["lc_thinking"] is None


def test_harness_values_aggregate_to_the_same_numbers():
    rows = fixture_rows(["sw"])
    answers = [response(row) if row["level"] < 2 else None for row in rows]
    references = [json.loads(row["reference"]) for row in rows]
    values = [
        core.values_of(grading.MEASURES, xm.grade(answer, reference), reference)
        for answer, reference in zip(answers, references, strict=True)
    ]
    shown = {
        one.name: one.aggregated([value[one.name] for value in values]) for one in grading.MEASURES
    }
    section = xm.score(answers, references)["families"]["polymath"]
    assert shown["dw_acc"] == pytest.approx(weighted(section)["sw"])
    assert shown["dw_acc"] == pytest.approx(3 / 15)
    assert shown["acc"] == pytest.approx(3 / 5)
    assert math.isnan(shown["lc_thinking"])
    [dw_acc] = [one for one in grading.MEASURES if one.name == "dw_acc"]
    assert math.isnan(dw_acc.aggregated([("low", True), ("medium", True), ("top", True)]))


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def graded(folder: Path, mode: str = "default") -> list[xm.Record]:
    """The answers as they are graded in a log."""
    formats.MODE.set(mode)
    found = [record for _, record in graded_run.score_folder(folder, quiet=True).records]
    formats.MODE.set("default")
    return found


def test_outputs_of_the_authors_format(tmp_path):
    for level in polymath.LEVELS:
        write(
            tmp_path / "output" / "qwq" / level / "te.jsonl",
            {"idx": 0, "question": "?", "answer": "$42$", "thinking_pred": "So we find it at once.",
             "answer_pred": r"జవాబు ఇదే $\boxed{౪౨}$"},
            {"idx": 1, "answer": "$7$", "thinking_pred": "", "answer_pred": r"జవాబు ఇదే $\boxed{8}$"},
        )  # fmt: skip
    found = graded(tmp_path / "output")
    assert [record.grade.correct for record in found] == [True, False] * 4
    section = xm.summarize(found)["families"]["polymath"]
    assert weighted(section) == {"te": 0.5}
    for row in section["measured"]:
        assert (row["lc_thinking"], row["lc_answer"]) == (0.0, 1.0)
    assert results.models_in(tmp_path) == ["qwq"]
    paper = graded(tmp_path / "output", mode="paper")
    assert paper[1].grade.details["lc_thinking"] is True  # an empty field is consistent there
    said: dict[str, Any] = {"answer": 7, "answer_pred": "7"}
    assert grading.logged(tmp_path / "low" / "te.jsonl", said, 1, "default").reference["index"] == 0
    for change, message in (
        ({"answer": None}, "no 'answer'"),
        ({"answer_pred": 7}, "must be text"),
    ):
        with pytest.raises(ValueError, match=message):
            grading.logged(tmp_path / "te.jsonl", said | change, 1, "default")


def test_accuracy_by_domain_from_a_metadata_file(tmp_path: Path) -> None:
    """Ten problems in two languages; the first five are algebra, of which three are solved."""
    rows = [
        {"idx": n, "answer": "1", "answer_pred": rf"\boxed{{{1 if n in (0, 1, 2, 9) else 2}}}"}
        for n in range(10)
    ]
    for language in ("en", "te"):
        write(tmp_path / "m" / "low" / f"{language}.jsonl", *rows)
    table = tmp_path / "about.csv"
    ids = [f"low-en-{n}" if n % 2 else f"low-{n}" for n in range(10)]
    lines = [f"{one},{'algebra' if n < 5 else 'geometry'}" for n, one in enumerate(ids)]
    table.write_text("\n".join(["id,domain", *lines]))
    scored = graded_run.score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})
    section = scored.score["families"]["polymath"]
    found = {one["name"]: one for one in section["parts"]}
    limits = binomtest(3, 5).proportion_ci(method="exact")
    algebra = found["algebra"]
    assert (algebra["questions"], algebra["responses"]) == (5, 10)
    assert (algebra["correct"], algebra["low"], algebra["high"]) == pytest.approx(
        (0.6, limits.low, limits.high)
    )
    assert found["geometry"]["correct"] == pytest.approx(0.2)
    (shown,) = (one for one in tables(section) if one.name == "polymath_parts")
    assert [row[4] for row in shown.rows] == ["algebra", "geometry"]
    table.write_text("\n".join(["id,domain", *lines[1:]]))
    lacking = graded_run.score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})
    assert [problem.lost for problem in lacking.problems.items if problem.lost] == [True] * 2
    assert "no row for low 0" in str(lacking.problems.items[-1])
    table.write_text("id,name\n")
    with pytest.raises(ValueError, match="needs the columns id and source or domain"):
        graded_run.score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})


def test_spread_over_languages_is_that_of_table_5():
    top, _, scores = (pd.DataFrame([row]) for row in PUBLISHED["Qwen-QwQ-32B"][:3])
    assert (round(views.MEAN(top)[0], 1), round(views.RANGE(top)[0], 1)) == (30.6, 13.6)
    assert views.SD(top)[0] == pytest.approx(4.3, abs=0.15)
    assert round(views.RANGE(scores)[0], 1) == 15.7


def test_all_languages_and_levels_are_read():
    found = fixture_rows(polymath.LANGUAGES)
    cells = {(row["language"], json.loads(row["reference"])["level"]) for row in found}
    assert len(cells) == 18 * 4
    assert len(found) == 18 * 5  # two problems in low, one in each other level
    assert len({row["id"] for row in found}) == len(found)


@looped("control", polymath.CONTROLS)
@looped("language", polymath.LANGUAGES)
def test_prompt_is_problem_instruction_and_control(language, control):
    texts = polymath.INSTRUCTIONS
    prompt = polymath.prompt("Q?", language, control)
    expected = ["Q?", texts["answer"][language]]
    if control != "none":
        expected.append(texts["control"][control][language])
    assert prompt.split("\n\n") == expected
    assert r"$\boxed{}$" in expected[1]


def test_hub_is_asked_for_the_data_files_once(monkeypatch):
    download = Mock(return_value=str(FIXTURE))
    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    row = next(xd.family("polymath").rows("polymath", ["th", "en"], levels="high"))
    download.assert_called_once_with(
        "Qwen/PolyMath",
        repo_type="dataset",
        revision=None,
        allow_patterns=["*.jsonl", "*.json", "*.parquet"],
    )
    assert row == fixture_rows(["th"], levels="high")[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "low"}, "unknown option 'level'"),
        ({"levels": "middle"}, "levels='middle' must be names of low"),
        ({"control": "latin"}, "control='latin' must be one of none"),
        ({"split": "train"}, "unknown split 'train'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        fixture_rows(["en"], **options)


# Two models, two controls, three languages and unequal repeats: every printed figure counted.


LEVELS = {"low": (1, 7), "medium": (2, 6), "high": (4, 5), "top": (8, 5)}
"""Weight in DW-ACC, and questions."""
CHANCES = {"en": 0.8, "zh": 0.65, "te": 0.35}
RUNS = (("m1", "none"), ("m1", "english"), ("m2", "none"))
STATUSES: Any = ("wrong", "no_answer", "bad_format", "truncated")


@cache
def records() -> tuple[xm.Record, ...]:
    """Two to four answers to a question; Telugu of the second model lacks a level."""
    rng = random.Random(23)
    made = []
    for place, (model, control) in enumerate(RUNS):
        for code, chance in CHANCES.items():
            for level, (weight, n) in LEVELS.items():
                if (model, code, level) == ("m2", "te", "high"):
                    continue
                for index in range(n):
                    for _ in range(2 + (index + place) % 3):
                        right = rng.random() < chance - weight / 20 - place / 10
                        status: Any = "correct" if right else rng.choice(STATUSES)
                        details = {
                            "lc_thinking": None if rng.random() < 0.2 else rng.random() < 0.4,
                            "lc_answer": rng.random() < 0.7,
                            "english_thinking": rng.random() < 0.5,
                            "english_answer": rng.random() < 0.2,
                            "thinking_length": rng.choice([0, 50, 120]),
                            "answer_length": rng.randrange(5, 40),
                        }
                        reference = {
                            "family": "polymath", "task": "polymath", "language": code,
                            "level": level, "index": index, "model": model, "control": control,
                        }  # fmt: skip
                        made.append(
                            xm.Record(xm.Grade(right, status, True, None, details), reference)
                        )
    return tuple(made)


@cache
def section() -> Any:
    return summary.summarize(list(records()))


def of(**names: Any) -> list[xm.Record]:
    return [
        one for one in records() if all(one.reference[name] == x for name, x in names.items())
    ]  # fmt: skip


def test_every_row_of_the_section() -> None:
    rows = section()["measured"]
    assert len(rows) == 3 * 3 * 4 - 1
    for row in rows:
        own = of(**{name: row[name] for name in ("model", "control", "level", "language")})
        assert (row["n"], row["correct"]) == (len(own), sum(one.grade.correct for one in own))
        assert row["unread"] == sum(one.grade.status not in ("correct", "wrong") for one in own)
        assert row["score"] == pytest.approx(fmean(one.grade.correct for one in own))
        for name in ("lc_thinking", "lc_answer", "english_thinking", "english_answer"):
            known = [x for one in own if (x := one.grade.details[name]) is not None]
            assert row[name] == pytest.approx(fmean(known))
        assert row["length"] == pytest.approx(
            fmean(
                [
                    one.grade.details["thinking_length"] or one.grade.details["answer_length"]
                    for one in own
                ]
            )
        )
        by_question: dict[int, list[bool]] = defaultdict(list)
        for one in own:
            by_question[one.reference["index"]].append(one.grade.correct)
        fewest, most = (f(map(len, by_question.values())) for f in (min, max))
        assert (row["questions"], row["repeats"], row["most"]) == (len(by_question), fewest, most)
        runs = [sum(values[k] for values in by_question.values()) for k in range(fewest)]
        rounded = int(Fraction(sum(runs), fewest) + Fraction(1, 2))
        assert row["average_at_k"] == pytest.approx(rounded / len(by_question))
        assert row["sd"] == pytest.approx(stdev(runs) / len(by_question))
    warnings = section()["warnings"]
    sizes = [row["n"] for row in rows]
    assert f"|n:{min(sizes)}-{max(sizes)}|" in section()["signature"]
    assert any("125 questions" in warning for warning in warnings)
    assert "no DW-ACC for languages without answers on all four levels" in warnings
    assert "te, low: questions have between 2 and 4 responses" in warnings


def test_every_table_is_that_of_its_rows() -> None:
    found = {table.name: table for table in tables(section())}
    heads = {
        ("m1", "none"): "m1 no language control",
        ("m1", "english"): "m1 + forcing English",
        ("m2", "none"): "m2 no language control",
    }

    def numbers(name: str, row: str, *more: str) -> dict[str, Any]:
        table = found[name]
        names = [column.name for column in table.columns]
        (own,) = (one for one in table.rows if one[: 1 + len(more)] == (row, *more))
        return dict(zip(names, own, strict=True))

    rows = {
        (row["model"], row["control"], row["level"], row["language"]): row
        for row in section()["measured"]
    }
    for run, head in heads.items():
        of_run = {key[2:]: row for key, row in rows.items() if key[:2] == run}
        scores: dict[str, dict[str, float]] = {}
        for level in LEVELS:
            codes = [code for code in CHANCES if (level, code) in of_run]
            shown = numbers(f"polymath_accuracy_{level}", head)
            scores[level] = {code: of_run[level, code]["score"] for code in codes}
            values = list(scores[level].values())
            over = [fmean(values), pstdev(values), max(values) - min(values)]
            names = (*codes, "avg.", "std.", "range")
            assert [shown[name] for name in names] == pytest.approx([*values, *over])
            spread = numbers(f"polymath_sd_{level}", head)
            sds = [of_run[level, code]["sd"] for code in codes]
            assert [spread[name] for name in (*codes, "avg.")] == pytest.approx([*sds, fmean(sds)])
            lengths = numbers("polymath_length", head, level)
            own = {code: of_run[level, code]["length"] for code in codes}
            if len(codes) > 2:
                own["r"] = pearsonr(list(own.values()), values).statistic
            assert {name: lengths[name] for name in own} == pytest.approx(own)
        weighted = numbers("polymath_dw_acc", head)
        exact = {
            code: sum(
                weight * scores[level][code] for level, (weight, _) in LEVELS.items()
            ) / 15
            for code in CHANCES
            if all(code in scores[level] for level in LEVELS)
        }  # fmt: skip
        exact["avg."] = fmean(exact.values())
        assert {name: weighted[name] for name in exact} == pytest.approx(exact)
        assert (weighted["te"] is None) == ("te" not in exact)
        for part in ("thinking", "answer"):
            for name, of_name in (("consistency", "lc"), ("english", "english")):
                shown = numbers(f"polymath_{name}", head, part)
                rates = {
                    code: fmean(
                        row[f"{of_name}_{part}"] for (_, own), row in of_run.items() if own == code
                    )
                    for code in CHANCES
                }
                assert {code: shown[code] for code in CHANCES} == pytest.approx(rates)
            shown = numbers("polymath_consistency_levels", head, part)
            for level in LEVELS:
                codes = [code for code in CHANCES if (level, code) in of_run]
                own_rates = [of_run[level, code][f"lc_{part}"] for code in codes]
                expected = [fmean(own_rates), pstdev(own_rates)]
                if len(codes) > 2:
                    expected.append(pearsonr(own_rates, [*scores[level].values()]).statistic)
                values, place = list(shown.values()), list(LEVELS).index(level)
                of_level = [*values[2 + 2 * place : 4 + 2 * place], values[10 + place]]
                assert of_level[: len(expected)] == pytest.approx(expected)


def test_each_run_is_told_by_itself() -> None:
    told = [text for _, text in findings(section())]
    for model, control in RUNS:
        own = of(model=model, control=control)
        forced = ", answering in English," if control == "english" else ""
        (sentence,) = (text for text in told if text.startswith(f"{model}{forced} solves"))
        counts = {str(sum(one.grade.correct for one in own)), str(len(own))}
        assert counts <= set(re.findall(r"\d+", sentence))
        unread = sum(one.grade.status not in ("correct", "wrong") for one in own)
        assert any(f"{unread}" in text and "unparsable" in text for text in told)


def told_of(right: dict[str, int], **more: Any) -> list[str]:
    """What is said where of four questions of each level so many are solved in a language."""
    about = {"family": "polymath", "task": "polymath", **more}
    made = [
        xm.Record(
            xm.Grade(index < n, "correct" if index < n else "wrong"),
            about | {"language": code, "level": level, "index": index},
        )
        for code, n in right.items()
        for level in LEVELS
        for index in range(4)
    ]
    return [text for _, text in findings(summary.summarize(made))]


def test_the_best_and_the_worst_language_are_told_beside_english() -> None:
    assert told_of({"en": 2, "te": 2}) == ["The model solves 16 of 32 (50.0%) of the problems."]
    (_, sentence) = told_of({"en": 2, "zh": 3, "te": 1})
    assert "is highest in zh (75.0%) and lowest in te (25.0%); in English it is 50.0%." in sentence
    (_, sentence) = told_of({"en": 3, "zh": 2, "te": 1})
    assert "highest in en (75.0%) and lowest in te (25.0%). Small" in sentence


def test_the_published_mode_rounds_the_mean_of_runs_to_whole_questions() -> None:
    """Two of two questions in the first run, one in the second: 1.5, which is 2."""
    for mode, score in (("paper", 1.0), ("default", 0.75)):
        answers = [
            xm.Record(
                xm.Grade(right, "correct" if right else "wrong"),
                {"family": "polymath", "task": "polymath", "language": "en", "level": "low",
                 "index": index, "mode": mode},
            )
            for index, right in ((0, True), (1, True), (0, True), (1, False))
        ]  # fmt: skip
        (row,) = summary.summarize(answers)["measured"]
        assert (row["score"], row["average_at_k"]) == (score, 1.0)
