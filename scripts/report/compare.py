"""``xlgo compare``: two models side by side, on the questions that both answered."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

from xlgo_metric.core import Table

from ..folders import explained, write_text
from ..logs.graded_run import GradedRun, score_folder
from . import labels
from .charts import chart
from .command import add_judge, series, tell
from .formats import count, percent, points
from .tables import is_numeric, show, terminal
from .view import (
    ALPHA,
    ENGLISH,
    anchor,
    heatmap,
    in_order,
    ordered,
    render,
    strength,
    with_gaps,
)


@dataclass(frozen=True)
class Pair:
    """One task and language that both models answered.

    Attributes:
        n: questions that both answered.
        first, second: their accuracies on these, fractions.
        only_first, only_second: questions that only this model answered rightly.
        p: exact two-sided sign test on those two numbers (McNemar); ``p_holm`` after Holm's
            correction for all pairs of the comparison.
    """

    family: str
    task: str
    language: str
    n: int
    first: float
    second: float
    only_first: int
    only_second: int
    p: float
    p_holm: float = 1.0

    @property
    def gain(self) -> float:
        """Accuracy of the second model minus that of the first."""
        return self.second - self.first


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``compare`` to the command line."""
    parser = subparsers.add_parser("compare", help="put two models side by side")
    parser.add_argument("first", type=Path, help="results folder of one model")
    parser.add_argument("second", type=Path, help="results folder of the other")
    parser.add_argument(
        "--out", type=Path, default=Path("comparison.html"),
        help="the page to write (default: comparison.html)",
    )  # fmt: skip
    add_judge(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print a table and write a page; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: one of the folders holds nothing, or they have no question in common.
    """
    first, second = (score_folder(path, judge=args.judge) for path in (args.first, args.second))
    own = family_tables(first, second)
    pairs = match(first, second, required=not own)
    for scored in (first, second):
        tell(scored)
    for found in [*([table(first, second, pairs)] if pairs else []), *own]:
        show(found, terminal())
    with explained("write", args.out):
        write_text(args.out, page(first, second, pairs, own))
    print(args.out)
    return 1 if first.problems.lost or second.problems.lost else 0


def family_tables(first: GradedRun, second: GradedRun) -> list[Table]:
    """What the families that both runs have say of the two models beyond right answers.

    Raises:
        ValueError: what a family compares is not the same in both.
    """
    from xlgo_metric.family import family

    shared = [name for name in first.score["families"] if name in second.score["families"]]
    return [
        found
        for name in shared
        for found in family(name).compare(
            first.of_family(name), second.of_family(name), names(first, second)
        )
    ]


def match(first: GradedRun, second: GradedRun, *, required: bool = True) -> list[Pair]:
    """Every task and language that both models answered, compared question by question.

    Args:
        required: refuse runs without a question in common.

    Raises:
        ValueError: there is no question in common.
    """
    from xlgo_metric.statistics.multiple import holm

    pairs: list[Pair] = []
    for cell in sorted(first.outcomes.keys() & second.outcomes.keys()):
        ours, theirs = first.outcomes[cell], second.outcomes[cell]
        shared = ours.keys() & theirs.keys()
        if not shared:
            continue
        only_first = sum(ours[key] and not theirs[key] for key in shared)
        only_second = sum(theirs[key] and not ours[key] for key in shared)
        pairs.append(
            Pair(
                *cell,
                n=len(shared),
                first=sum(ours[key] for key in shared) / len(shared),
                second=sum(theirs[key] for key in shared) / len(shared),
                only_first=only_first,
                only_second=only_second,
                p=sign_test(only_first, only_second),
            )
        )
    if not pairs and required:
        raise ValueError(
            "the two runs have no question in common: compare runs of the same tasks, languages "
            "and seed"
        )
    if not pairs:
        return []
    adjusted = holm([pair.p for pair in pairs])
    return [replace(pair, p_holm=float(p)) for pair, p in zip(pairs, adjusted)]


def sign_test(a: int, b: int) -> float:
    """The exact two-sided p value that ``a`` and ``b`` are tosses of a fair coin."""
    from scipy.stats import binomtest

    return float(binomtest(a, a + b).pvalue) if a + b else 1.0


def table(first: GradedRun, second: GradedRun, pairs: Sequence[Pair]) -> Table:
    """The comparison as a table; numbers in percent and percentage points."""
    rows = tuple(
        (
            labels.task(pair.task).short, labels.language(pair.language).name, pair.n,
            round(100 * pair.first, 1), round(100 * pair.second, 1), round(100 * pair.gain, 1),
            float(f"{pair.p_holm:.2g}"), *(_gap(scored, pair) for scored in (first, second)),
        )
        for pair in pairs
    )  # fmt: skip
    a, b = names(first, second)
    return Table(
        "comparison",
        f"A = {a}, B = {b}",
        ("Task", "Language", "Questions", "A %", "B %", "B - A", "p (Holm)", "SMD A", "SMD B"),
        rows,
        "Accuracy on the questions that both answered; p: exact sign test on the questions that "
        "only one of them answered rightly, with Holm's correction.",
    )


def names(first: GradedRun, second: GradedRun) -> tuple[str, str]:
    """What to call the two; runs of one model are told apart by their dates."""
    if first.run.model != second.run.model:
        return first.run.model, second.run.model
    a, b = (f"{scored.run.model} ({scored.run.date})" for scored in (first, second))
    return a, b


def page(
    first: GradedRun, second: GradedRun, pairs: Sequence[Pair], own: Sequence[Table] = ()
) -> str:
    """The HTML page of the comparison.

    Args:
        pairs: from ``match``.
        own: from ``family_tables``.
    """
    a, b = names(first, second)
    sections = [with_gaps(run.score) for run in (first, second)]
    both = [name for name in sections[0] if name in sections[1]]
    tasks = [
        view
        for family in both
        for view in _task_views(family, sections[0][family], sections[1][family], (a, b))
    ]
    heats = [
        {"name": name, "heat": heat}
        for name, found in zip((a, b), sections)
        for family, section in found.items()
        if (heat := heatmap(section, family)) is not None
    ]
    shown = table(first, second, pairs)
    contents = [("overview", "Overview")]
    contents += [("gains", "Accuracy"), ("gaps", "Gaps to English")] if pairs else []
    contents += [("families", "Beyond right answers")] if own else []
    contents += [(task["id"], task["words"].short) for task in tasks]
    contents += [("table", "Table")] if pairs else []
    return render(
        "compare.html",
        title=f"{a} and {b}",
        names=(a, b),
        contents=[*contents, ("words", "What the numbers mean")],
        findings=_findings(a, b, pairs) if pairs else [],
        warnings=_warnings(first, second),
        gains=_gains(a, b, pairs, {view["task"] for view in tasks}) if pairs else None,
        heats=heats,
        tasks=tasks,
        table=vars(shown) | {"numeric": is_numeric(shown)} if pairs else None,
        families=[vars(found) | {"numeric": is_numeric(found)} for found in own],
        signatures=[(a, first.score["signature"]), (b, second.score["signature"])],
    )


def _gap(scored: GradedRun, pair: Pair) -> float | None:
    cell = _cell(scored, pair)
    return None if cell is None or cell.get("smd") is None else round(100 * cell["smd"], 1)


def _cell(scored: GradedRun, pair: Pair) -> Mapping[str, Any] | None:
    section = with_gaps(scored.score).get(pair.family, {"tasks": {}})
    cell: Mapping[str, Any] | None = (
        section["tasks"].get(pair.task, {}).get("languages", {}).get(pair.language)
    )
    return cell


def _findings(a: str, b: str, pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    clear = [pair for pair in pairs if pair.p_holm < ALPHA]
    better = sum(pair.gain > 0 for pair in clear)
    total = sum(pair.n for pair in pairs)
    told = [
        (
            "",
            f"On the {count(total)} questions that both answered, {a} is right in "
            f"{percent(sum(p.first * p.n for p in pairs) / total, 1)} and {b} in "
            f"{percent(sum(p.second * p.n for p in pairs) / total, 1)}.",
        ),
        (
            "",
            f"Of {len(pairs)} pairs of language and task, {b} is clearly better in {better} and "
            f"{a} in {len(clear) - better} (sign test, Holm's correction, 5%).",
        ),
    ]
    for pair in sorted(clear, key=lambda pair: -abs(pair.gain))[:3]:
        told.append(
            (
                "ahead" if pair.gain > 0 else "behind",
                f"{labels.language(pair.language).name}, {labels.task(pair.task).title}: "
                f"{percent(pair.first, 1)} against {percent(pair.second, 1)} "
                f"({points(pair.gain)} points).",
            )
        )
    return told


def _warnings(first: GradedRun, second: GradedRun) -> list[str]:
    found = [str(problem) for scored in (first, second) for problem in scored.problems.items]
    signatures = [set(scored.score["signature"].split("|")) for scored in (first, second)]
    differing = sorted(signatures[0] ^ signatures[1])
    if differing:
        found.insert(
            0,
            "The signatures differ, so the numbers of whole runs cannot be compared without care: "
            + ", ".join(differing),
        )
    return list(dict.fromkeys(found))


def _gains(a: str, b: str, pairs: Sequence[Pair], linked: Collection[str]) -> dict[str, Any]:
    """A heat map of the differences in accuracy; ``linked`` tasks have a section of their own."""
    tasks = dict(in_order({pair.task: None for pair in pairs}))
    found = {(pair.task, pair.language): pair for pair in pairs}
    codes = ordered(pair.language for pair in pairs)
    return {
        "title": "Differences in accuracy",
        "caption": f"Accuracy of {b} minus accuracy of {a}, percentage points, on the questions "
        "that both answered.",
        "behind": f"{a} better",
        "ahead": f"{b} better",
        "marks": ("● clear in the sign test (Holm, 5%)",),
        "tasks": [labels.task(task) for task in tasks],
        "rows": [
            {
                "language": labels.language(code),
                "cells": [_gain_cell(found.get((task, code)), task in linked) for task in tasks],
            }
            for code in codes
        ],
    }


def _gain_cell(pair: Pair | None, linked: bool) -> dict[str, Any]:
    if pair is None:
        return {"kind": "none", "value": "–", "sentence": "not asked", "strength": 0, "href": ""}
    clear = pair.p_holm < ALPHA
    return {
        "kind": "ahead" if pair.gain > 0 else "behind",
        "value": points(pair.gain),
        "sd": "",
        "mark": "●" if clear else "",
        "mark_words": "clear in the sign test" if clear else "",
        "strength": strength(pair.gain, pale=not clear),
        "sentence": f"{percent(pair.first, 1)} against {percent(pair.second, 1)}, "
        f"{count(pair.n)} questions",
        "href": f"#{anchor(pair.family, pair.task)}" if linked else "#table",
    }


def _task_views(
    family: str, first: Mapping[str, Any], second: Mapping[str, Any], called: tuple[str, str]
) -> list[dict[str, Any]]:
    """For each task that both have, a chart per language with the curves of both models."""
    views = []
    for name, task in in_order(first["tasks"]):
        other = second["tasks"].get(name)
        if other is None:
            continue
        unit = labels.task(name).unit
        panels = []
        for code in ordered(task["languages"].keys() & other["languages"].keys()):
            cells = (task["languages"][code], other["languages"][code])
            curves = [
                series(code, cell, colour, label)
                for cell, colour, label in zip(cells, (1, 2), called)
            ]
            panels.append(
                {
                    "words": labels.language(code),
                    "alone": False,
                    "note": "" if code == ENGLISH else _change(*cells),
                    "chart": chart(curves, unit=unit, width=340, height=230),
                }
            )
        views.append(
            {"id": anchor(family, name), "task": name, "words": labels.task(name), "panels": panels}
        )
    return views


def _change(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """How the gap to English changes, with the standard deviation of the change."""
    a, b = first.get("smd"), second.get("smd")
    if a is None or b is None:
        return ""
    sd = sqrt((first.get("smd_sd") or 0) ** 2 + (second.get("smd_sd") or 0) ** 2)
    return f"SMD {points(a)} → {points(b)} (± {100 * sd:.1f})"
