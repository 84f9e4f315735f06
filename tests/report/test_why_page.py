"""The part of the page that says where gaps come from and where answers go wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from matplotlib.colors import to_hex

import xlgo_dataset as xd
from xlgo_cli.display.colours import light
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.experiments import sentence
from xlgo_cli.report.pictures import Step, waterfall
from xlgo_cli.report.write import write_report

from .logs import sample, write_run

CHANCES = {"plain": (2, 6), "english_rules": (3, 6), "english_lines": (9, 10)}
"""Of the ten questions of each level, those that are right in Telugu (lower and upper level)."""


def asked() -> list[Any]:
    """Rows of two levels in English and Telugu, those in Telugu under conditions too."""
    options: dict[str, Any] = {"levels": 2, "per_level": 20, "c_min": 8, "c_max": 16}
    found = []
    for row in xd.family_of("slt").rows("slt", ("en", "te"), split="test", **options):
        for name in CHANCES if row["language"] == "te" else ("plain",):
            reference = json.loads(row["reference"])
            if name != "plain":
                reference["condition"] = name
            right = row["index"] < (18 if row["language"] == "en" else CHANCES[name][row["level"]])
            found.append((row | {"reference": json.dumps(reference)}, right))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("why")
    wrong = '{"chain": [1, 2]}'
    samples = [
        sample(row, row["answer"] if right else wrong, number)
        for number, (row, right) in enumerate(asked())
    ]
    write_run(path, samples=samples)
    return path


def test_the_page_shows_a_waterfall_and_a_sentence(folder) -> None:
    page = write_report(folder).read_text("utf-8")
    assert "Sources of the gap" in page
    assert page.count('class="picture fall"') == 1
    assert "English lines: accuracy rises by" in page
    scores = json.loads((folder / "report" / "scores.json").read_text("utf-8"))
    entry = scores["families"]["xlgobench"]["why"]["tasks"]["slt"]["te"]
    assert entry["causes"]["lines"]["claimed"]
    assert "xlgobench-causes" in (folder / "report" / "tables.tex").read_text("utf-8")


def test_plain_figures_of_a_folder_are_those_without_conditions(folder, tmp_path) -> None:
    plain = [
        sample(row, row["answer"] if right else '{"chain": [1, 2]}', number)
        for number, (row, right) in enumerate(asked())
        if "condition" not in json.loads(row["reference"])
    ]
    write_run(tmp_path, samples=plain)
    with_, without = score_folder(folder), score_folder(tmp_path)
    assert with_.score["headline"] == without.score["headline"]
    first, second = (
        set(zip(*(s.table.frame[name] for name in ("language", "question", "correct"))))
        for s in (with_, without)
    )
    assert first == second
    assert with_.count > without.count
    first, second = (s.score["families"]["xlgobench"] for s in (with_, without))
    for key in second.keys() - {"signature"}:
        assert first[key] == second[key], key


def effect(estimate: float, claimed: bool = True) -> dict:
    return {"estimate": estimate, "low": estimate - 0.05, "high": estimate + 0.05,
            "p": 0.001, "claimed": claimed}  # fmt: skip


@pytest.mark.parametrize(
    ("gap", "contrasts", "told"),
    [
        (effect(0.2), {"english_lines": effect(0.15), "english_rules": effect(0.05, False)},
         "Telugu is behind English (+20.0 points, 95% interval +15.0 to +25.0); English lines: "
         "accuracy rises by 15.0 points (95% interval +10.0 to +20.0)."),
        (effect(0.2), {"length_matched": effect(-0.19)},
         "English text of the length of Telugu: accuracy falls by 19.0 points (95% interval +14.0"),
        (effect(0.2), {"english_lines": effect(0.2, False)}, "no tested cause is significant"),
        (effect(0.03, False), {"english_lines": effect(0.02, False)}, "no significant gap"),
        (effect(0.03, False), {"native_ids": effect(0.2)},
         "Identifiers in letters and digits of Telugu: accuracy rises by 20.0 points"),
        (effect(-0.1), {"english_rules": effect(-0.1)}, "Telugu is ahead of English"),
    ],
)  # fmt: skip
def test_a_sentence_claims_what_was_measured(gap, contrasts, told) -> None:
    found = sentence("slt", "te", {"gap": gap, "causes": {}, "contrasts": contrasts}, "English")
    assert told in found


def test_what_acts_only_together_is_said_to() -> None:
    both = effect(0.2) | {"only_together": True}
    entry = {"gap": effect(0.2), "causes": {}, "contrasts": {}, "interaction": both}
    assert "rules and lines have an effect only together (interaction +20.0" in sentence(
        "slt", "te", entry, "English"
    )
    entry["interaction"] = both | {"only_together": False}
    assert "do not add up" in sentence("slt", "te", entry, "English")


def test_bars_lead_from_english_to_the_language_and_doubtful_ones_are_grey() -> None:
    steps = [Step("rules", 0.05, -0.02, 0.1, False), Step("lines", 0.3, 0.2, 0.4, True)]
    alone = [Step("script", -0.1, -0.2, -0.01, True)]
    figure, told = waterfall(("English", 0.9), steps, ("Telugu", 0.55), alone)
    [axes] = figure.axes
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    hues = [to_hex(bar.get_facecolor()) for bar in axes.patches]
    kinds = ("muted", "line", "behind", "muted", "ahead")
    assert hues == [light(kind) for kind in kinds]
    assert bars == [pytest.approx(ends) for ends in
                    ((0, 0.9), (0.85, 0.9), (0.55, 0.85), (0, 0.55), (0.45, 0.55))]  # fmt: skip
    limits = [tuple(line.get_xdata()) for line in axes.lines[:3]]
    assert limits == [pytest.approx(ends) for ends in ((0.8, 0.92), (0.45, 0.65), (0.35, 0.54))]
    assert "rules −5.0 (−10.0 to +2.0), not significant, lines −30.0 (−40.0 to −20.0)," in told
