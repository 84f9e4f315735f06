"""Three readings of the same answers: against counts by hand, and what a report says of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.comparison.test_compare import answer
from xlgo_cli.report.compare.comparison import read_tables
from xlgo_cli.report.findings import family_findings, findings
from xlgo_cli.report.grid import with_gaps
from xlgo_cli.report.screen import sentences
from xlgo_metric.comparison import AnswerTable, compare
from xlgo_metric.comparison.section import GAPS, READINGS
from xlgo_metric.core import Grade, Record
from xlgo_metric.scoring import tables_of

solve: Any = xd.solve  # the value of its one key is what the puzzle asks for

DEPENDS = "depends on the reading"
ALONE, PROSE, LATEX = "{}", "The answer: {} That is all.", r"\boxed{{\{{chain: {}\}}}}"

YES, NO = (True, True, True), (False, True, True)
LOOSE, STATED = (True, False, True), (True, False, False)


def puzzles(english: str, telugu: str, wrong: int = 0) -> dict[str, Any]:
    """The score of 48 questions of slt in two languages, each answered in one style.

    Args:
        english, telugu: the style of the answers.
        wrong: so many questions are answered incorrectly in Telugu.
    """
    texts, references = [], []
    for level, complexity in enumerate((2, 3, 4, 5)):
        for index in range(12):
            instance = xd.generate("slt", complexity=complexity, index=index)
            chain = solve(instance)["chain"]
            for language, style in (("en", english), ("te", telugu)):
                lost = language == "te" and 12 * level + index < wrong
                shown = [value + lost for value in chain]
                found = json.dumps(shown if "chain" in style else {"chain": shown})
                texts.append(style.format(found))
                references.append(
                    {
                        "family": "xlgobench",
                        "task": "slt",
                        "language": language,
                        "complexity": complexity,
                        "instance_id": f"slt-c{complexity}-i{index}",
                        "level": level,
                        "answer": {"chain": chain},
                    }
                )
    return xm.score(texts, references, draws=50, permutations=200)


def boxed(kinds: dict[str, list[tuple[bool, bool, bool]]]) -> dict[str, Any]:
    """The section of PolyMath for answers that are correct, strict and in form as given."""
    records = [
        Record(
            Grade(right, "correct" if right else "wrong", strict, in_form=in_form),
            {"family": "polymath", "task": "polymath", "language": language, "level": "low",
             "index": index, "instance_id": f"polymath-low-i{index}", "control": "none"},
        )
        for language, answers in kinds.items()
        for index, (right, strict, in_form) in enumerate(answers)
    ]  # fmt: skip
    return xm.summarize(records)["families"]["polymath"]


def said(score: dict[str, Any]) -> str:
    (section,) = with_gaps(score).values()
    return " ".join(sentence for _, sentence in findings(section))


def test_rates_and_tests_are_those_of_counts_by_hand() -> None:
    telugu_answers = [YES] * 8 + [LOOSE] * 6 + [STATED] * 16 + [NO] * 10
    section = boxed({"en": [YES] * 30 + [NO] * 10, "te": telugu_answers})
    english, telugu = section[READINGS]["rates"]
    assert [english[k] for k in ("n", "strict", "in_form", "lenient")] == [40, 0.75, 0.75, 0.75]
    assert [telugu[k] for k in ("n", "strict", "in_form", "lenient")] == [40, 0.2, 0.35, 0.75]
    (gap,) = section[READINGS]["gaps"]
    assert (gap["language"], gap["n"], gap["depends"]) == ("te", 40, True)
    for name, only in (("strict", 22), ("in_form", 16), ("lenient", 0)):
        read = gap["by_reading"][name]
        assert read["difference"] == pytest.approx(only / 40)
        expected = binomtest(only, only).pvalue if only else 1.0
        assert read["p_value"] == pytest.approx(expected, abs=2e-4)
        assert read["is_significant"] == (expected < 0.05)
    tables = {table.name: table for table in tables_of("polymath", section)}
    assert len(tables[READINGS].rows) == 2
    assert len(tables[GAPS].rows) == 1
    told = [sentence for kind, sentence in family_findings("polymath", section) if kind == "warn"]
    assert any(DEPENDS in sentence and "Telugu" in sentence for sentence in told)


def test_a_gap_of_a_family_without_curves_says_that_it_depends() -> None:
    # Each side has ten strict answers, to other questions.
    english = [YES] * 10 + [LOOSE] * 28 + [NO] * 2
    telugu = [NO] * 20 + [LOOSE] * 10 + [YES] * 10
    told = family_findings("polymath", boxed({"en": english, "te": telugu}))
    assert any("Telugu is 45.0 points behind English" in text for _, text in told)
    assert [kind for kind, text in told if DEPENDS in text] == ["warn"]


def test_the_measures_of_compare_are_the_readings() -> None:
    answers = [
        answer(f"q{i}", language, True, strict=language == "en" or i < 5, in_form=i < 20)
        for language in ("en", "te")
        for i in range(20)
    ]
    table = AnswerTable.of_answers(answers)
    (strict,), (in_form,) = (compare(table, measure=m).cells for m in ("strict", "in_form"))
    assert (strict.discordant[0], strict.discordant[1], strict.difference) == (15, 0, 0.75)
    assert strict.p_value == pytest.approx(2 * 0.5**15, abs=2e-4)
    assert (in_form.discordant[0], in_form.p_value) == (0, 1.0)


def test_columns_need_a_correct_answer_and_are_empty_until_a_judge_decides() -> None:
    reference = {"family": "xlgobench", "task": "slt", "language": "en", "instance_id": "i"}
    grades = [
        Grade(True, "correct", True),
        Grade(True, "correct", in_form=False),
        Grade(False, "wrong", True),
        Grade(False, "needs_judge", True),
    ]
    frame = AnswerTable.of_records([Record(grade, reference) for grade in grades]).frame
    assert list(frame["strict"]) == [True, False, False, None]
    assert list(frame["in_form"]) == [True, False, False, None]


def test_a_gap_of_style_alone_is_said_to_depend_on_the_reading() -> None:
    score = puzzles(ALONE, PROSE)
    rates = {rate["language"]: rate for rate in score["families"]["xlgobench"][READINGS]["rates"]}
    assert [rates["en"][k] for k in ("strict", "in_form", "lenient")] == [1, 1, 1]
    assert [rates["te"][k] for k in ("strict", "in_form", "lenient")] == [0, 1, 1]
    assert DEPENDS in said(score)
    assert "Telugu" in said(score)
    assert any(DEPENDS in sentence for sentence in sentences(score))


def test_a_gap_with_a_sentence_says_once_that_it_depends() -> None:
    # Telugu is behind by the verdict; strictly English is, since it alone explains.
    score = puzzles(PROSE, ALONE, wrong=14)
    (gap,) = score["families"]["xlgobench"][READINGS]["gaps"]
    assert [read["difference"] for read in gap["by_reading"].values()] == pytest.approx(
        [-34 / 48, 14 / 48, 14 / 48]
    )
    told = said(score)
    assert "Telugu (machine-written, not audited), SLT" in told
    assert told.count(DEPENDS) == 1


@pytest.mark.parametrize("style", [ALONE, PROSE, LATEX])
@pytest.mark.parametrize("wrong", [0, 14])
def test_a_gap_that_no_reading_changes_is_said_without_them(style: str, wrong: int) -> None:
    # A style that no answer of the strict reading has shows nothing and changes nothing.
    score = puzzles(style, style, wrong)
    section = score["families"]["xlgobench"]
    (gap,) = section[READINGS]["gaps"]
    assert not gap["depends"]
    assert gap["by_reading"]["lenient"]["difference"] == pytest.approx(wrong / 48)
    assert DEPENDS not in said(score)
    assert GAPS not in [table.name for table in tables_of("xlgobench", section)]


def test_an_object_in_latex_is_not_in_the_asked_form() -> None:
    score = puzzles(ALONE, LATEX)
    (telugu,) = (
        r for r in score["families"]["xlgobench"][READINGS]["rates"] if r["language"] == "te"
    )
    assert [telugu[k] for k in ("strict", "in_form", "lenient")] == [0, 0, 1]


def test_two_models_are_compared_under_three_readings() -> None:
    """Model B is as often right as A, but never in the asked form."""
    rows = [
        answer(
            question=f"q{i}",
            model=model,
            language="te",
            correct=True,
            strict=plain,
            in_form=plain,
            family="polymath",
        )
        for model, plain in (("A", True), ("B", False))
        for i in range(20)
    ]
    tables, notes = read_tables(AnswerTable.of_answers(rows))
    shown = [row[0:1] + row[-3:] for row in tables[0].rows]
    assert shown == [("A", 1.0, 1.0, 1.0), ("B", 0.0, 0.0, 1.0)]
    assert [one.name for one in tables] == [READINGS, GAPS]
    assert len(notes) == 1
    assert DEPENDS in notes[0]
    assert "gap to A" in notes[0]
