"""The HTML page of ``xlgo compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...display import labels
from ...display.formats import count, ends, percent, points, render, several, sortable
from ...display.sentences import Statement, say
from .. import pictures
from ..gap_marks import (
    anchor,
    base_name,
    in_order,
    language_with_note,
    ordered,
    with_gaps,
    with_notes,
)
from ..grid import Grid, of_section
from .comparison import Comparison, difference, tables

if TYPE_CHECKING:
    from xlgo_metric.comparison import Cell


def page(found: Comparison) -> str:
    """The HTML page of the comparison."""
    sections = [with_gaps(score) for score in found.scores]
    grids = [
        {"name": name, "grid": grid}
        for name, section_of in zip(found.names, sections)
        for family, section in section_of.items()
        if (grid := of_section(section, family)) is not None
    ]
    bases = [base_name(section) for section_of in sections for section in section_of.values()]
    tasks, gains = _task_views(found), gains_of(found)
    title = f"Gaps to {' and '.join(dict.fromkeys(bases))}"
    contents = [("gains", "Accuracy")] if gains else []
    contents += [("gaps", title)] if grids else []
    contents += [("tasks", "Tasks")] if tasks else []
    contents += [("details", "Tables and method")]
    return render(
        "compare.html",
        title=" and ".join(found.names),
        names=found.names,
        contents=contents,
        alerts=[say("compare.settings", text=difference(text)) for text in found.differences],
        findings=findings(found),
        warnings=_warnings(found),
        gains=gains,
        grids=grids,
        gaps=title,
        baseline=" and ".join(dict.fromkeys(bases)),
        tasks=tasks,
        tables=[sortable(one) for one in tables(found)],
        signatures=[
            (name, score["signature"], generation)
            for name, score, generation in zip(found.names, found.scores, found.generation)
        ],
    )


def findings(found: Comparison) -> list[tuple[str, Statement]]:
    """The main results in sentences."""
    (a, b), overall = found.names, found.overall
    if overall is None:
        return []
    shares = {
        "share_a": percent(overall.baseline_accuracy, 1),
        "share_b": percent(overall.accuracy, 1),
    }
    told = [("", say("compare.shares", n=count(overall.n), a=a, b=b, **shares)), _overall(found)]
    told += gaps_apart(found)
    clear = [pair for pair in found.pairs if pair.is_significant]
    better = sum(pair.difference < 0 for pair in clear)
    said = say("compare.none", pairs=several(len(found.pairs), "language-task pair"))
    if clear:
        counted = {"pairs": len(found.pairs), "better": better, "worse": len(clear) - better}
        said = say("compare.better", a=a, b=b, **counted)
    told.append(("", said))
    for pair in sorted(clear, key=lambda pair: -abs(pair.difference))[:3]:
        said = say(
            "compare.pair",
            language=language_with_note(pair),
            task=labels.task(pair.task).short,
            share_a=percent(pair.baseline_accuracy, 1),
            share_b=percent(pair.accuracy, 1),
            points=points(-pair.difference),
        )
        told.append(("ahead" if pair.difference < 0 else "behind", said))
    return told


def _overall(found: Comparison) -> tuple[str, Statement]:
    """Which of the two is better over everything that both answered."""
    (a, b), cell = found.names, found.overall
    assert cell is not None
    gain, size = -cell.difference, cell.turned
    if not cell.is_significant:
        about = {"a": a, "b": b, "points": points(gain), "ends": _ends(size)}
        return "", say("compare.not_overall", **about)
    better = size if gain > 0 else cell
    about = {"name": b if gain > 0 else a, "points": points(abs(gain), signed=False)}
    kind = "ahead" if gain > 0 else "behind"
    return kind, say("compare.overall", ends=_ends(better), limits=better.interval, **about)


def gaps_apart(found: Comparison) -> list[tuple[str, Statement]]:
    """The languages whose gap to the baseline differs between the two."""
    (a, b), told = found.names, []
    base = labels.language(found.runs[0].baseline).name
    for cell in found.gaps:
        if not cell.is_significant:
            continue
        turned = cell.turned  # the second model's gap minus the first's
        said = say(
            "compare.gap",
            language=language_with_note(cell),
            base=base, a=a, b=b,
            more="larger" if turned.difference > 0 else "smaller",
            gap_a=points(cell.baseline_accuracy), gap_b=points(cell.accuracy),
            ends=_ends(turned), limits=turned.interval, code=cell.language,
        )  # fmt: skip
        told.append(("behind" if turned.difference > 0 else "ahead", said))
    if found.gaps and not told:
        told.append(("", say("compare.no_gap", base=base, languages=len(found.gaps))))
    return told


def _ends(cell: Cell) -> str:
    return f"95% interval {ends(*cell.interval)}" if cell.interval else cell.refused


def _warnings(found: Comparison) -> list[str]:
    read = [str(problem) for scored in found.runs for problem in scored.problems.items]
    mixed = [
        f"{name}: {text}"
        for name, score in zip(found.names, found.scores)
        for text in score.get("warnings", [])
    ]
    return list(dict.fromkeys([*found.notes, *mixed, *read]))


def gains_of(found: Comparison) -> Grid | None:
    """The second model minus the first, by language and task; ``None`` without a common pair."""
    if not found.pairs:
        return None
    a, b = found.names
    return Grid(
        title="Differences in accuracy",
        caption=f"{b} minus {a}, percentage points on the same questions, with the 95% interval "
        "for all cells together.",
        rows=with_notes(ordered(pair.language for pair in found.pairs), found.pairs),
        columns={
            name: labels.task(name)
            for name, _ in in_order({pair.task: None for pair in found.pairs})
        },
        cells={(pair.language, pair.task): pair.turned for pair in found.pairs},
        sentences={
            (pair.language, pair.task): f"{percent(pair.baseline_accuracy)} against "
            f"{percent(pair.accuracy)}, {count(pair.n)} questions"
            for pair in found.pairs
        },
        behind=f"{b} better",
        ahead=f"{a} better",
    )


def _task_views(found: Comparison) -> list[dict[str, Any]]:
    """The curves of both models in each language, for each task that both have."""
    views = []
    first, second = (with_gaps(score) for score in found.scores)
    for family, section in first.items():
        for name, task in in_order(section["tasks"]):
            other = second.get(family, {"tasks": {}})["tasks"].get(name)
            if other is None:
                continue
            codes = ordered(task["languages"].keys() & other["languages"].keys())
            if not codes:
                continue
            panels = [
                [
                    pictures.Curve.of(one["languages"][code], labels.language(code).name, colour)
                    for one, colour in ((task, "first"), (other, "second"))
                ]
                for code in codes
            ]
            ident, unit = anchor(family, name), labels.task(name).unit
            told = [
                f"{model}, {panel[place].words}"
                for panel in panels
                for place, model in enumerate(found.names)
            ]
            chart = pictures.svg(pictures.curves(panels, unit), ident, " ".join(told))
            views.append({"id": ident, "words": labels.task(name), "curves": chart})
    return views
