"""PolyMath's rows, section, tables, harness values and the authors' file format."""

import json
import math
from pathlib import Path

import huggingface_hub
import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_cli.logs.formats import MODE
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.results import models_in
from xlgo_dataset.families import polymath
from xlgo_metric.core import Record, values_of
from xlgo_metric.families.polymath.grading import MEASURES
from xlgo_metric.families.polymath.tables import tables
from xlgo_metric.views import MEAN, RANGE, SD

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
        values_of(MEASURES, xm.grade(answer, reference), reference)
        for answer, reference in zip(answers, references, strict=True)
    ]
    shown = {one.name: one.aggregated([value[one.name] for value in values]) for one in MEASURES}
    section = xm.score(answers, references)["families"]["polymath"]
    assert shown["dw_acc"] == pytest.approx(weighted(section)["sw"])
    assert shown["dw_acc"] == pytest.approx(3 / 15)
    assert shown["acc"] == pytest.approx(3 / 5)
    assert math.isnan(shown["lc_thinking"])
    [dw_acc] = [one for one in MEASURES if one.name == "dw_acc"]
    assert math.isnan(dw_acc.aggregated([("low", True), ("medium", True), ("top", True)]))


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def graded(folder: Path, mode: str = "default") -> list[Record]:
    """The answers as they are graded in a log."""
    MODE.set(mode)
    found = [record for _, record in score_folder(folder, quiet=True).records]
    MODE.set("default")
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
    assert models_in(tmp_path) == ["qwq"]
    paper = graded(tmp_path / "output", mode="paper")
    assert paper[1].grade.details["lc_thinking"] is True  # an empty field is consistent there


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
    scored = score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})
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
    lacking = score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})
    assert [problem.lost for problem in lacking.problems.items if problem.lost] == [True] * 2
    assert "no row for low 0" in str(lacking.problems.items[-1])
    table.write_text("id,name\n")
    with pytest.raises(ValueError, match="needs the columns id and source or domain"):
        score_folder(tmp_path, quiet=True, options={"metadata_file": str(table)})


def test_spread_over_languages_is_that_of_table_5():
    top, _, scores = (pd.DataFrame([row]) for row in PUBLISHED["Qwen-QwQ-32B"][:3])
    assert (round(MEAN(top)[0], 1), round(RANGE(top)[0], 1)) == (30.6, 13.6)
    assert SD(top)[0] == pytest.approx(4.3, abs=0.15)
    assert round(RANGE(scores)[0], 1) == 15.7


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
    asked = []

    def download(repository, *, repo_type, revision, allow_patterns):
        asked.append((repository, repo_type, revision, allow_patterns))
        return str(FIXTURE)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    row = next(xd.family("polymath").rows("polymath", ["th", "en"], levels="high"))
    assert asked == [("Qwen/PolyMath", "dataset", None, ["*.jsonl", "*.json", "*.parquet"])]
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
