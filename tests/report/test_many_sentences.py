"""Verdicts over many languages: who is named, how many are counted, and what is left unsaid."""

import importlib
import re
from collections import Counter
from pathlib import Path
from string import Formatter
from typing import Any, cast

import pytest

import xlgo_cli
from tests.looping import looped
from tests.report.sections import cell, gap, section, typed
from xlgo_cli.display.formats import COUNTS, SENTENCES
from xlgo_cli.page.findings import (
    by_language,
    findings,
    revised_differs,
    verdict,
)
from xlgo_cli.page.grid import of_languages, of_section, strength
from xlgo_metric.comparison.compare import UNEQUAL, Cell
from xlgo_metric.comparison.section import ByLanguage

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
    return {
        "baseline": "en",
        "cells": [
            typed(size, p, code, task, **more, where={**where, "task": task})
            for task, code, size, p, more in cells
        ],
    }


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


def test_heatmap_colours_by_size_and_sign_and_pales_chance():
    languages = {
        "en": cell(),
        "te": gap(0.35, published=True, p=0.001),
        "ta": gap(0.35, published=False, p=1.0),
        "zh": gap(-0.07, published=True, p=0.001),
    }
    rows = {row["words"].code: row["cells"][0] for row in of_section(section(languages)).view()}
    assert (rows["te"]["kind"], rows["zh"]["kind"]) == ("behind", "ahead")
    assert list(rows) == ["ta", "te", "zh"]  # the one that is furthest behind first
    assert rows["te"]["strength"] > 2 * rows["zh"]["strength"]
    assert strength(0.6, pale=False) > 1.4 * strength(0.35, pale=False)
    assert rows["ta"]["strength"] < rows["te"]["strength"] / 2
    assert rows["te"]["value"] == "+35.0"


def test_a_family_without_curves_has_a_heat_map_for_each_way_of_asking() -> None:
    compared_all = cast(
        "ByLanguage",
        {
            "baseline": "en",
            "cells": [
                typed(0.05, 0.4, "zh", "low"),
                typed(0.2, 0.01, "te", "low"),
                typed(-0.1, 0.9, "te", "top"),
                typed(0.3, 0.2, "te", where={"task": "low", "model": "english_rules"}),
            ],
        },
    )
    plain, other = of_languages(compared_all, "#family")
    assert [row["words"].code for row in plain.view()] == ["te", "zh"]  # the largest gap first
    assert [[(c["value"], c.get("mark")) for c in row["cells"]] for row in plain.view()] == [
        [("+20.0", "●"), ("−10.0", "")],
        [("+5.0", ""), ("–", None)],
    ]
    assert [c["kind"] for c in plain.view()[0]["cells"]] == ["behind", "ahead"]
    assert (plain.title, other.title) == ("Gaps to English", "Gaps to English (english_rules)")
    assert plain.legend == ["● significant (5%, all cells together)"]
    assert not other.legend
    silent = typed(0.1, None, "te", "low", refused="only 5 informative questions")
    (grid,) = of_languages({"baseline": "en", "cells": [silent]})
    assert grid.view()[0]["cells"][0]["mark"] == "?"
    assert grid.legend == ["? no test could be significant"]


SURE: dict[str, Any] = {"published": True, "p": 0.001}


def test_where_no_task_counts_the_verdict_names_what_settles_it():
    doubted = gap(0.2, **SURE, difference=typed(0.2, 0.001, flagged=True))
    whole = section({"en": cell(), "te": doubted})
    why = {"slt": "the wording in te may cause a gap"}
    whole["over_tasks"] = {"tasks": [], "left_out": why, "languages": {}, "last": []}
    first, second = verdict(whole)
    assert first == ("", "No claim about Telugu: the wording of SLT differs.")
    assert second[1] == ("To settle it, repeat the run with `xlgo run … --text revised`.")
    whole["signature"] = "task:slt|text:revised.2"
    assert verdict(whole) == [first]
    other = section({"en": cell(), "te": gap(0.2, **SURE)})
    other["over_tasks"] = whole["over_tasks"] | {"left_out": {"slt": "not asked in te"}}
    assert verdict(other) == [("warn", "No claim over all tasks: SLT (not asked in te).")]


def test_a_command_settles_a_wording_only_where_it_changes_a_prompt():
    assert revised_differs("slt", "te")
    assert not revised_differs("slt", "en")
    assert not revised_differs("slt", "de")  # both wordings are the same bytes
    assert not revised_differs("polymath", "te")


@pytest.mark.parametrize(("p", "side"), [(0.03, True), (0.06, False)])
def test_a_language_is_behind_or_ahead_only_where_the_test_says_so(p, side):
    told = by_language({"baseline": "en", "cells": [typed(0.07, p, "te"), typed(-0.07, p, "hi")]})
    assert [kind for kind, _ in told if kind] == (["behind", "behind", "ahead"] if side else [])


@pytest.mark.parametrize(("lost", "is_told"), [(3, False), (5, True)])
def test_answers_that_cannot_be_read_are_told_from_two_percent_on(lost, is_told):
    statuses = {"correct": 75, "wrong": 75 - lost, "no_answer": lost}
    whole = section({"en": cell(statuses=statuses), "te": gap(0.1, statuses=statuses, **SURE)})
    told = [text for kind, text in findings(whole) if kind == "warn"]
    assert [f"{lost / 150:.1%}" in text for text in told] == [True] * is_told


HERE = Path(next(iter(xlgo_cli.__path__)))
MODULES = (
    "page/findings.py",
    "page/grid.py",
    "leaderboard/page.py",
    "page/comparison.py",
)


def test_every_kind_of_sentence_is_used_and_says_what_it_asserts() -> None:
    code = "\n".join((HERE / module).read_text("utf-8") for module in MODULES)
    told = set(re.findall(r'"((?:[a-z]+)\.[a-z_]+)"', code))
    told |= {f"board.{kind}" for kind in ("best", "first", "many_first")}
    told = {name for name in told if not name.endswith((".html", ".json", ".csv"))} | {"unread"}
    assert told == set(SENTENCES)
    for name, one in SENTENCES.items():
        assert len(one.asserts.split()) >= 4, name
        fields = {field for _, field, _, _ in Formatter().parse(one.text) if field}
        assert fields or one.asserts == COUNTS, name


def test_the_audit_finds_a_large_gap_said_and_nothing_false(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The quick form of benchmarks/sentences.py."""
    path = HERE.parents[1] / "benchmarks" / "sentences.py"
    if not path.is_file():
        pytest.skip("benchmarks are of the repository, not of the wheel")
    monkeypatch.syspath_prepend(str(path.parent))
    audit = importlib.import_module("sentences")
    printed, false = audit.audit("all behind alike", 1, 50, {})
    assert printed["verdict.behind"] == printed["pairs.behind"] == 1
    assert not false
    # Nothing false in 125 is decided (exact limit 1 - (.025 / 4) ** (1 / 125) = 4.0%), in 62 not.
    assert [audit.decided(Counter(), Counter(a=1), n) for n in (62, 125)] == [False, True]
    # The audit itself can fail: what is said of one behind is false where none is.
    truth, kinds = audit.Truth(audit.SCENARIOS["no gap"]), set()
    for kind, fields in audit.said(audit.SCENARIOS["one behind"], 50, 0):
        if truth.holds(kind, fields) is False:
            kinds.add(kind)
    assert {"verdict.most", "pairs.behind", "gap.difference"} <= kinds
