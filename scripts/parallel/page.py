"""The page of a comparison of languages, in the look of the report of the puzzles."""

from __future__ import annotations

from typing import Any

from xlgo_dataset import TaskLabels
from xlgo_metric.comparison import Cell

from ..display.formats import DASH, count, fixed, number, percent, points
from ..report.cells import anchor
from ..report.heat import strength
from ..report.view import render
from . import views
from .comparing import Compared, ParallelRun
from .names import language

_TERMS = (
    (
        "Apart",
        "Accuracy in the baseline minus accuracy in the language, in percentage points, on the "
        "questions that both were asked. +18 means that of 100 questions the model solves 18 more "
        "in the baseline; below 0, the language is ahead.",
    ),
    (
        "Only there, only in the baseline",
        "Questions that the model answers rightly in one of the two languages alone. Questions "
        "that are right in both, or wrong in both, say nothing of a gap.",
    ),
    (
        "p and ●",
        "If language made no difference, each question of the row before would be as likely to "
        "fall on one side as on the other: the exact two-sided binomial test (McNemar's test "
        "without an approximation). ● stands where it holds at 5% after Holm's correction for all "
        "comparisons of this page.",
    ),
    (
        "95% interval",
        "Exact limits of the difference, melded from the limits of the two counts. Without the "
        "correction, they leave out 0 if and only if p is below 5%.",
    ),
    (
        "Lost here alone",
        "Questions that are right in every other language that was asked and wrong in this one: "
        "the first to look at. The language, its translation or the way the harness reads answers "
        "may be the cause.",
    ),
    (
        "What this cannot show",
        "Whether a translation is as hard as its original. These questions were written once and "
        "translated, with all that a translation adds or loses, and some have been on the net for "
        "years.",
    ),
)


def page(found: ParallelRun) -> str:
    """The HTML page."""
    heats = _heats(found)
    benchmarks = [_benchmark(one) for one in found.benchmarks]
    contents = [("overview", "Overview")]
    contents += [("gaps", "Gaps")] if heats else []
    contents += [("warnings", "Mind these")] if found.notes else []
    contents += [(one["id"], one["title"]) for one in benchmarks]
    files = sorted(
        str(file.path)
        for one in found.benchmarks
        for answers in (one.base, *(pair.other for pair in one.paired))
        for file in answers.tasks.values()
    )
    return render(
        "parallel.html",
        title=f"{found.run.model}: gaps between languages",
        model=found.run.model,
        contents=[*contents, ("words", "What the numbers mean"), ("source", "Source")],
        facts=_facts(found),
        findings=views.findings(found),
        heats=heats,
        warnings=found.notes,
        benchmarks=benchmarks,
        terms=_TERMS,
        files=files,
    )


def _facts(found: ParallelRun) -> list[tuple[str, str]]:
    parts = [[one.base, *(pair.other for pair in one.paired)] for one in found.benchmarks]
    total = sum(len(answers.right) for part in parts for answers in part)
    languages = {answers.language for part in parts for answers in part}
    return [
        (count(total), "answers"),
        (str(len(languages)), "languages"),
        (str(len(parts)), "benchmark" if len(parts) == 1 else "benchmarks"),
        (found.run.date.partition("T")[0], "date of the run"),
    ]


def _heats(found: ParallelRun) -> list[dict[str, Any]]:
    """A map of the gaps for each baseline."""
    heats = []
    for base in dict.fromkeys(one.base.language for one in found.benchmarks):
        shown = [one for one in found.benchmarks if one.base.language == base]
        gaps = {(g.task, g.other): g for one in shown for g in one.gaps}
        apart: dict[str, list[float]] = {}
        for gap in gaps.values():
            apart.setdefault(gap.other, []).append(gap.difference)
        codes = sorted(apart, key=lambda code: (-sum(apart[code]) / len(apart[code]), code))
        name = language(base).name
        heats.append(
            {
                "title": f"Gaps to {name}",
                "caption": f"Accuracy in {name} minus accuracy in the language, percentage points, "
                "on the same questions, with the exact 95% interval. The language that is "
                "furthest behind stands first.",
                "behind": f"behind {name}",
                "ahead": f"ahead of {name}",
                "marks": (
                    "● holds in the exact paired test (Holm, 5%)",
                    "? too few questions tell the two apart",
                ),
                "tasks": [TaskLabels(one.about.title, one.about.title, "", "") for one in shown],
                "rows": [
                    {
                        "language": language(code),
                        "cells": [_cell(gaps.get((one.about.title, code))) for one in shown],
                    }
                    for code in codes
                ],
            }
        )
    return heats


def _cell(gap: Cell | None) -> dict[str, Any]:
    if gap is None:
        return {"kind": "none", "value": DASH, "sentence": "not asked", "strength": 0, "href": ""}
    kind = "none" if not gap.difference else "ahead"
    kind = "behind" if kind == "ahead" and gap.difference > 0 else kind
    return {
        "kind": kind,
        "value": points(gap.difference),
        "sd": f"{points(gap.low, 0)} to {points(gap.high, 0)}",
        "mark": views.mark(gap),
        "mark_words": "holds in the exact paired test" if gap.significant else "",
        "strength": strength(gap.difference, pale=not gap.significant) if kind != "none" else 0,
        "sentence": views.sentence(gap),
        "href": f"#{anchor(gap.task)}",
    }


def _benchmark(found: Compared) -> dict[str, Any]:
    name = language(found.base.language).name
    return {
        "id": anchor(found.about.title),
        "title": found.about.title,
        "baseline": name,
        "caption": f"Paired by {found.by}; {found.choice.metric} of the filter "
        f"{found.choice.filter}.",
        "table": _table(found, name),
        "lost": views.lost_questions(found),
        "signature": found.signature,
        "generation": found.generation,
    }


def _table(found: Compared, name: str) -> dict[str, Any]:
    heads = [
        ("Language", False), ("Questions", True), ("Right", True), (f"In {name}", True),
        ("Apart", True), ("95% interval", True), (f"Only {name}", True), ("Only there", True),
        ("p", True), ("p (Holm)", True), ("Lost here alone", True),
    ]  # fmt: skip
    base = found.base
    share = sum(base.right) / len(base.right)
    lost = {code: len(keys) for code, keys in found.lost.items()}
    own = [number(len(base.right), count(len(base.right))), number(share, percent(share, 1))]
    own += [number(None, DASH)] * 7 + [number(lost[base.language], count(lost[base.language]))]
    rows = [{"words": language(base.language), "cells": own}]
    for gap in views.ordered(found.gaps):
        cells = [
            number(gap.n, count(gap.n)),
            number(gap.mean_other, percent(gap.mean_other, 1)),
            number(gap.mean_base, percent(gap.mean_base, 1)),
            number(gap.difference, points(gap.difference), views.mark(gap)),
            number(gap.low, f"{points(gap.low)} to {points(gap.high)}"),
            number(gap.only_base, count(gap.only_base or 0)),
            number(gap.only_other, count(gap.only_other or 0)),
            number(gap.p, fixed(gap.p, 4)),
            number(gap.p_adjusted, fixed(gap.p_adjusted, 4)),
            number(lost[gap.other], count(lost[gap.other])),
        ]
        rows.append({"words": language(gap.other), "cells": cells})
    return {"heads": heads, "rows": rows}
