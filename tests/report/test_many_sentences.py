"""Verdicts over many languages: who is named, how many are counted, and what is left unsaid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.looping import looped
from xlgo_cli.report.findings import by_language, depending, findings, left_out, verdict
from xlgo_cli.report.grid import about_cell
from xlgo_metric.comparison.compare import UNEQUAL, Cell

from .sections import cell, gap, section, typed

AUDITED, UNREAD = "audited", "machine-written"
CODES = ["te", "hi", "ar", "ja", "ta", "zh", "bn", "sw", "de", "fr"]


def whole(
    gaps: dict[str, tuple[float, float]], *, last: str = "", status: str = AUDITED,
    tasks: tuple[str, ...] = ("slt", "dsa"), lacking: str = "", unread: str = "", **more: Any,
) -> Any:  # fmt: skip
    """Gaps over the tasks by language: difference and p value."""
    found = section({"en": cell()})
    cells = {}
    for code, (size, p) in gaps.items():
        where = {
            "family": "xlgobench",
            "wording_status": UNREAD if code in unread.split() else status,
        }
        cells[code] = typed(size, p, code, where=where)
        own = typed(size, p, code, where={**where, "task": "slt"})
        if code in lacking.split():
            own = Cell.of_json(own).refuse(UNEQUAL).as_json()
        found["tasks"]["slt"]["languages"][code] = gap(size, published=False, p=p, difference=own)
    found["over_tasks"] = {
        "tasks": list(tasks),
        "left_out": {},
        "languages": cells,
        "last": last.split(),
    } | more
    return found


def told(section: Any) -> list[str]:
    return [str(text) for _, text in verdict(section)]


def test_the_largest_gap_is_named_and_called_so_only_if_no_other_may_be_larger() -> None:
    gaps = {"te": (0.1, 0.001), "hi": (0.3, 0.001), "ar": (-0.4, 0.001), "ja": (0.2, 0.5)}
    (first, *_) = verdict(whole(gaps))
    assert first == (
        "behind",
        "Hindi is significantly behind English over 2 tasks, by 30.0 points "
        "(95% interval +20.0 to +40.0).",
    )
    assert told(whole(gaps, last="hi"))[0] == (
        "Hindi is behind English over 2 tasks by 30.0 points "
        "(95% interval +20.0 to +40.0), significantly more than any other."
    )
    assert "significantly more" not in told(whole(gaps, last="hi te"))[0]
    assert "significantly more" not in told(whole({"hi": (0.3, 0.001)}, last="hi"))[0]
    assert (
        "significantly more"
        not in told(whole(gaps | {"ta": (0.1, 0.1)}, last="hi", lacking="ta"))[0]
    )


def test_where_no_gap_is_significant_the_largest_is_only_observed() -> None:
    gaps = {"te": (0.1, 0.5), "hi": (0.3, 0.2), "ar": (-0.4, 0.9)}
    assert told(whole(gaps))[0].startswith(
        "No language is significantly behind English over 2 tasks. "
        "Hindi has the largest observed gap, 30.0 points"
    )
    assert verdict(whole(gaps))[0][0] == ""
    behind = {code: (-size, p) for code, (size, p) in gaps.items() if size > 0}
    assert told(whole(behind))[0] == "No language has a lower accuracy than English over 2 tasks."
    assert not [text for text in told(whole(gaps, lacking="te")) if "No language" in text]
    ahead = {"ar": (-0.4, 0.001), "te": (0.05, 0.6)}
    assert told(whole(ahead))[0].startswith("No language is significantly behind English")


def test_languages_with_one_and_the_same_gap_are_named_together() -> None:
    same = dict.fromkeys(["hi", "te", "ja"], (0.3, 0.001)) | {"ar": (0.2, 0.001)}
    assert told(whole(same))[0].startswith(
        "Each of Hindi, Japanese and Telugu is significantly behind English"
    )
    many = dict.fromkeys(CODES, (0.3, 0.001))
    assert told(whole(many))[0].startswith(
        "Each of Arabic, Bengali, Chinese, French, German and 5 more is"
    )
    six = dict.fromkeys(CODES[:6], (0.3, 0.001))
    assert told(whole(six))[0].startswith(
        "Each of Arabic, Chinese, Hindi, Japanese, Tamil and Telugu is"
    )


def test_what_a_verdict_is_over() -> None:
    gaps = {"te": (0.1, 0.001)}
    for tasks, left, words in (
        (("slt",), {}, "behind English, by"), (("slt",), {"dsa": "x"}, "behind English in SLT, by"),
        (("slt", "dsa", "t_rank"), {"prdsa": "x"}, "behind English over 3 tasks, by"),
    ):  # fmt: skip
        assert words in told(whole(gaps, tasks=tasks, left_out=left))[0]
    why = {
        "slt": "not asked in te",
        "dsa": "answers chose its questions",
        "t_rank": "not asked in te",
    }
    together = "SLT, T-Rank (not asked in te); DSA (answers chose its questions)"
    assert left_out(why) == together
    assert told(whole(gaps, left_out=why))[1] == f"Not in the mean over tasks: {together}."


def test_languages_that_nobody_read_stand_apart() -> None:
    """They are named where they are behind for sure, three at most, the largest gaps first."""
    gaps = {"te": (0.1, 0.001), "hi": (0.5, 0.001), "ar": (0.45, 0.001), "ja": (0.3, 0.6)}
    gaps |= {"sw": (-0.6, 0.001), "ta": (0.4, 0.001), "zh": (0.42, 0.001)}
    found = verdict(whole(gaps, unread="hi ar ja ta zh sw"))
    assert str(found[0][1]).startswith("Telugu is significantly behind English")
    named = [str(text).partition(" ")[0] for kind, text in found[1:] if kind == "behind"]
    assert named == ["Hindi", "Arabic", "Chinese"]
    few = verdict(whole({code: gaps[code] for code in ("te", "hi", "sw")}, unread="hi sw"))
    assert [str(text).partition(" ")[0] for kind, text in few if kind] == ["Telugu", "Hindi"]
    alone = verdict(whole({code: one for code, one in gaps.items() if code != "te"}, status=UNREAD))
    assert str(alone[0][1]).startswith(
        "No language is called the most affected: no speaker has read"
    )
    shown = whole(gaps, status=UNREAD) | {"unaudited": True}
    assert told(shown)[0].startswith("Hindi (machine-written, not audited) is significantly behind")
    mixed = whole({"te": (0.1, 0.4), "hi": (0.5, 0.001)}, unread="hi")
    assert told(mixed)[0].startswith("No language with an audit is significantly behind English")
    notes = [text for text in told(whole(gaps, unread="hi ar")) if text.startswith("Wordings: ")]
    assert notes == [
        "Wordings: Telugu, Japanese, Swahili, Tamil and Chinese (audited), "
        "Hindi and Arabic (machine-written, not audited)."
    ]


def test_languages_within_the_margin_are_equal_and_no_others() -> None:
    found = whole({"te": (0.1, 0.001), "hi": (0.0, 0.9), "ar": (0.01, 0.9)})
    for code, low, high in (("hi", -0.04, 0.049), ("ar", -0.04, 0.05)):
        found["over_tasks"]["languages"][code] |= {"ci_low": low, "ci_high": high}
    (equal,) = [text for text in told(found) if text.startswith("Equal")]
    assert (
        equal
        == "Equal to English over 2 tasks within ±5 points (95%, all languages together): Hindi."
    )


def comparison(*cells: tuple[str, str, float, float | None, dict[str, Any]]) -> Any:
    where = {"family": "x", "wording_status": AUDITED}
    made = [
        typed(size, p, code, task, **more, where={**where, "task": task})
        for task, code, size, p, more in cells
    ]
    return {"baseline": "en", "cells": made}


@looped(
    ("cells", "first"),
    [
        ([("slt", "te", 0.1, 0.5, {}), ("slt", "hi", 0.2, 0.4, {})],
         "None of 2 language-task pairs shows a significant gap to English."),
        ([("slt", "te", 0.1, 0.01, {}), ("slt", "hi", 0.2, 0.4, {}),
          ("dsa", "hi", 0.3, 0.01, {"flagged": True})],
         "The model is significantly behind English in 1 of 2 language-task pairs."),
        ([("slt", "te", -0.1, 0.01, {}), ("slt", "hi", 0.2, 0.01, {}),
          ("dsa", "te", -0.3, 0.01, {})],
         "The model is significantly behind English in 1 of 3 language-task pairs, "
        "and ahead of it in 2."),
        ([("slt", "te", 0.1, 0.01, {})],
         "The model is significantly behind English in 1 of 1 language-task pair."),
    ],
)  # fmt: skip
def test_pairs_are_counted(cells: Any, first: str) -> None:
    assert str(by_language(comparison(*cells))[0][1]) == first


def test_of_pairs_the_three_largest_are_told_and_of_refused_ones_the_first() -> None:
    sizes = {"te": 0.2, "hi": -0.4, "ar": 0.3, "ja": 0.1, "ta": 0.5}
    cells: Any = [("slt", code, size, 0.01, {}) for code, size in sizes.items()]
    cells += [("dsa", code, 0.3, None, {}) for code in ("sw", "de", "fr")]
    found = [(kind, str(text)) for kind, text in by_language(comparison(*cells))]
    assert [(kind, text.partition(" ")[0]) for kind, text in found[1:4]] == [
        ("behind", "Tamil"), ("ahead", "Hindi"), ("behind", "Arabic"),
    ]  # fmt: skip
    assert found[4] == ("warn", "No significance test: Swahili, DSA (no questions), and 2 more.")
    two = [str(text) for _, text in by_language(comparison(*cells[:6]))]
    assert "No significance test: Swahili, DSA (no questions)." in two
    quiet: Any = [
        ("slt", "te", 0.1, 0.5, {}),
        ("slt", "hi", -0.3, 0.4, {}),
        ("slt", "ar", 0.5, None, {}),
    ]
    (largest,) = [
        str(text) for _, text in by_language(comparison(*quiet)) if "observed" in str(text)
    ]
    assert largest.startswith(
        "The largest observed gap is not significant: Hindi is 30.0 points ahead of English in SLT"
    )
    assert not [
        text for _, text in by_language(comparison(*quiet, *cells[:1])) if "observed" in str(text)
    ]


@pytest.mark.parametrize(
    ("lost", "words"), [(3, ""), (8, "5.3% of responses"), (150, "100.0% of responses")]
)
def test_a_language_of_which_a_twentieth_is_unread_is_named(lost: int, words: str) -> None:
    """Whatever keeps an answer from being read, and though few are unread in all."""
    for status in ("truncated", "no_answer", "bad_format"):
        bad = cell(statuses={"correct": 0, "wrong": 150 - lost, status: lost})
        found = section({"en": bad, "te": bad})
        texts = [str(text) for _, text in findings(found) if "unparsable or truncated" in str(text)]
        assert len(texts) == bool(words)
        assert all(text.startswith(words) for text in texts)
    one = section({"en": cell(), "te": cell(statuses={"wrong": 142, "no_answer": 8}), **{
        code: cell() for code in CODES[1:]
    }})  # fmt: skip
    (text,) = [str(text) for _, text in findings(one) if "unparsable or truncated" in str(text)]
    assert text.endswith("The highest rate is 5.3%, for Telugu in SLT.")


def test_the_largest_gap_that_is_named_is_of_a_language_that_somebody_read() -> None:
    found = comparison(("slt", "te", 0.1, 0.5, {}), ("slt", "hi", 0.3, 0.4, {}))
    found["cells"][1]["where"]["wording_status"] = UNREAD
    (largest,) = [str(text) for _, text in by_language(found) if "observed" in str(text)]
    assert "Telugu is 10.0 points behind" in largest


def test_pairs_that_depend_on_the_reading_are_listed_in_part() -> None:
    cells = [Cell.of_json(typed(0.2, 0.01, code)) for code in CODES[:5]]
    for n, more in ((0, None), (2, ""), (3, ""), (4, "; 1 more"), (5, "; 2 more")):
        names = "; ".join(f"{name}, SLT" for name in ("Telugu", "Hindi", "Arabic")[:n])
        expected = (
            f"The gap to English depends on the reading (strict, asked form or lenient): {names}"
        )
        texts = [str(text) for _, text in depending("English", cells[:n])]
        assert texts == ([] if more is None else [f"{expected}{more}."])


def test_where_a_gap_reverses_each_side_has_its_own_counts() -> None:
    crossing = {"levels": [10, 20, 40], "k_l": 23, "n_l": 40, "k_en": 9, "n_en": 45}
    found = Cell.of_json(typed(0.2, 0.01, flagged=True))
    text = str(about_cell("slt", "te", cell(crossing=crossing), found, "English"))
    assert "At 10 to 40 transactions the gap reverses: 23 of 40 (57.5%) in Telugu, 9 of 45" in text
    assert text.startswith("Telugu is 20.0 points behind English in SLT")
    assert text.endswith("The Telugu wording differs and may cause the gap.")
    assert about_cell("slt", "te", cell(), None, "English") == ""
    alone = about_cell("slt", "te", cell(extreme="nothing"), None, "English")
    assert str(alone) == "The model solves almost nothing in both languages."


@pytest.mark.parametrize(("kind", "advice"), [("nothing", "smaller"), ("everything", "larger")])
def test_puzzles_of_the_other_size_are_advised(kind: str, advice: str) -> None:
    found = section({"en": cell(), "te": cell(extreme=kind)})
    (text,) = [str(text) for _, text in findings(found) if "almost" in str(text)]
    assert text.endswith(f"ask {advice} puzzles.")
