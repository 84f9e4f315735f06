"""The HTML page of ``xlgo compare``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from ...display import labels
from ...display.formats import count, ends, percent, points, render, several, sortable, spread
from ...display.sentences import Said, say
from ..gap_marks import CellScores, GapSection, anchor, base_name, in_order, ordered, with_gaps
from ..heat import Heat, HeatCell, heatmap
from ..pictures.charts import chart
from ..sections import series
from .comparison import Comparison, difference, table

if TYPE_CHECKING:
    from xlgo_metric.comparison import Cell


def page(found: Comparison) -> str:
    """The HTML page of the comparison."""
    first_name, second_name = found.names
    sections = [with_gaps(score) for score in found.scores]
    shared_families = [name for name in sections[0] if name in sections[1]]
    tasks = [
        view
        for family in shared_families
        for view in _task_views(
            family, sections[0][family], sections[1][family], (first_name, second_name)
        )
    ]
    drawn = [
        (name, heat)
        for name, section_of in zip((first_name, second_name), sections)
        for family, section in section_of.items()
        if (heat := heatmap(section, family)) is not None
    ]
    heats = [{"name": name, "heat": heat} for name, heat in drawn]
    gaps = " and ".join(dict.fromkeys(heat.title for _, heat in drawn))
    bases = [base_name(section) for section_of in sections for section in section_of.values()]
    shown_table = table(found)
    contents = [("gains", "Accuracy")] if found.pairs else []
    contents += [("gaps", gaps)] if heats else []
    contents += [("tasks", "Tasks")] if tasks else []
    contents += [("families", "Other measures")] if found.own else []
    contents += [("table", "Numbers")] if found.pairs else []
    contents += [("words", "Definitions"), ("source", "Method")]
    return render(
        "compare.html",
        title=f"{first_name} and {second_name}",
        names=(first_name, second_name),
        contents=contents,
        alerts=[say("compare.settings", text=difference(text)) for text in found.differences],
        findings=findings(found),
        warnings=_warnings(found),
        gains=_gains(first_name, second_name, found.pairs, {view["task"] for view in tasks})
        if found.pairs
        else None,
        heats=heats,
        gaps=gaps,
        baseline=" and ".join(dict.fromkeys(bases)),
        tasks=tasks,
        table=sortable(shown_table) if found.pairs else None,
        families=[sortable(one) for one in found.own],
        signatures=[
            (name, score["signature"], generation)
            for name, score, generation in zip(found.names, found.scores, found.generation)
        ],
    )


def findings(found: Comparison) -> list[tuple[str, Said]]:
    """The main results in sentences."""
    (a, b), overall = found.names, found.overall
    if overall is None:
        return []
    shares = {"share_a": percent(overall.baseline_accuracy, 1),
              "share_b": percent(overall.accuracy, 1)}  # fmt: skip
    told = [("", say("compare.shares", n=count(overall.n), a=a, b=b, **shares)), _overall(found)]
    told += _gaps(found)
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
            language=labels.language(pair.language).name,
            task=labels.task(pair.task).title,
            share_a=percent(pair.baseline_accuracy, 1),
            share_b=percent(pair.accuracy, 1),
            points=points(-pair.difference),
        )
        told.append(("ahead" if pair.difference < 0 else "behind", said))
    return told


def _overall(found: Comparison) -> tuple[str, Said]:
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


def _gaps(found: Comparison) -> list[tuple[str, Said]]:
    """The languages whose gap to the baseline differs between the two."""
    (a, b), told = found.names, []
    base = labels.language(str(found.runs[0].options.get("baseline", labels.ENGLISH))).name
    for cell in found.gaps:
        if not cell.is_significant:
            continue
        turned = cell.turned  # the second model's gap minus the first's
        said = say(
            "compare.gap",
            language=labels.language(cell.language).name,
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
    return f"95% interval: {ends(*cell.interval)}" if cell.interval else cell.refused


def _warnings(found: Comparison) -> list[str]:
    read = [str(problem) for scored in found.runs for problem in scored.problems.items]
    mixed = [
        f"{name}: {text}"
        for name, score in zip(found.names, found.scores)
        for text in score.get("warnings", [])
    ]
    return list(dict.fromkeys([*found.notes, *mixed, *read]))


def _gains(a: str, b: str, pairs: Sequence[Cell], linked: Collection[str]) -> Heat:
    """A heat map of the differences in accuracy; ``linked`` tasks have a section of their own."""
    return Heat.of(
        {code: labels.language(code) for code in ordered(pair.language for pair in pairs)},
        {task: labels.task(task) for task, _ in in_order({pair.task: None for pair in pairs})},
        {(pair.language, pair.task): _gain_cell(pair, pair.task in linked) for pair in pairs},
        title="Differences in accuracy",
        caption=f"Accuracy of {b} minus accuracy of {a}, percentage points, on the questions "
        "that both answered.",
        behind=f"{a} better",
        ahead=f"{b} better",
        marks=("● significant (paired test, all together, 5%)",),
    )


def _gain_cell(pair: Cell, linked: bool) -> HeatCell:
    return HeatCell.of(
        pair.difference,
        clear=pair.is_significant,
        value=points(-pair.difference),
        mark="●" if pair.is_significant else "",
        mark_words="significant" if pair.is_significant else "",
        sentence=f"{percent(pair.baseline_accuracy, 1)} against {percent(pair.accuracy, 1)}, "
        f"{count(pair.n)} questions",
        href=f"#{anchor(pair.family, pair.task)}" if linked else "#table",
    )


def _task_views(
    family: str, first: GapSection, second: GapSection, called: tuple[str, str]
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
                    "note": _change(*cells),
                    "chart": chart(curves, unit=unit, width=340, height=230),
                }
            )
        views.append(
            {"id": anchor(family, name), "task": name, "words": labels.task(name), "panels": panels}
        )
    return views


def _change(first: CellScores, second: CellScores) -> str:
    """How the gap to the baseline changes, with the standard deviation of the change."""
    a, b = first.get("smd"), second.get("smd")
    if a is None or b is None:
        return ""
    sd = sqrt((first.get("smd_sd") or 0) ** 2 + (second.get("smd_sd") or 0) ** 2)
    return f"SMD {points(a)} → {points(b)} ({spread(sd)})"
