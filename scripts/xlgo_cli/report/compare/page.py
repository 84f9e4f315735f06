"""The HTML page of ``xlgo compare``."""

from __future__ import annotations

from xlgo_metric.comparison import Cell

from ...display import labels
from ...display.formats import count, ends, percent, points, render, several, sortable
from ...display.sentences import Statement, say
from ..gap_marks import (
    base_name,
    in_order,
    language_with_note,
    ordered,
    with_gaps,
    with_notes,
)
from ..grid import Grid, of_section
from .comparison import Comparison, difference, tables


def page(comparison: Comparison) -> str:
    """The HTML page of the comparison."""
    sections = [with_gaps(score) for score in comparison.scores]
    grids = [
        {"name": name, "grid": grid}
        for name, section_of in zip(comparison.names, sections)
        for family, section in section_of.items()
        if (grid := of_section(section, family)) is not None
    ]
    bases = [base_name(section) for section_of in sections for section in section_of.values()]
    gains = gains_of(comparison)
    title = f"Gaps to {' and '.join(dict.fromkeys(bases))}"
    contents = [("gains", "Accuracy")] if gains else []
    contents += [("gaps", title)] if grids else []
    contents += [("details", "Tables and method")]
    return render(
        "compare.html",
        title=" and ".join(comparison.names),
        names=comparison.names,
        contents=contents,
        alerts=[say("compare.settings", text=difference(text)) for text in comparison.differences],
        findings=findings(comparison),
        warnings=_warnings(comparison),
        gains=gains,
        grids=grids,
        gaps=title,
        baseline=" and ".join(dict.fromkeys(bases)),
        tables=[sortable(one) for one in tables(comparison)],
        signatures=[
            (name, score["signature"], generation)
            for name, score, generation in zip(
                comparison.names, comparison.scores, comparison.generation
            )
        ],
    )


def findings(comparison: Comparison) -> list[tuple[str, Statement]]:
    """The main results in sentences."""
    (a, b), overall = comparison.names, comparison.overall
    if overall is None:
        return []
    shares = {
        "share_a": percent(overall.baseline_accuracy, 1),
        "share_b": percent(overall.accuracy, 1),
    }
    sentences = [
        ("", say("compare.shares", n=count(overall.n), a=a, b=b, **shares)),
        _overall(comparison),
    ]
    sentences += gaps_apart(comparison)
    clear = [pair for pair in comparison.pairs if pair.is_significant]
    better = sum(pair.difference < 0 for pair in clear)
    sentence = say("compare.none", pairs=several(len(comparison.pairs), "language-task pair"))
    if clear:
        counted = {"pairs": len(comparison.pairs), "better": better, "worse": len(clear) - better}
        sentence = say("compare.better", a=a, b=b, **counted)
    sentences.append(("", sentence))
    for pair in sorted(clear, key=lambda pair: -abs(pair.difference))[:3]:
        sentence = say(
            "compare.pair",
            language=language_with_note(pair),
            task=labels.task(pair.task).short,
            share_a=percent(pair.baseline_accuracy, 1),
            share_b=percent(pair.accuracy, 1),
            points=points(-pair.difference),
        )
        sentences.append(("ahead" if pair.difference < 0 else "behind", sentence))
    return sentences


def _overall(comparison: Comparison) -> tuple[str, Statement]:
    """Which of the two is better over everything that both answered."""
    (a, b), cell = comparison.names, comparison.overall
    assert cell is not None
    gain, size = -cell.difference, cell.turned
    if not cell.is_significant:
        about = {"a": a, "b": b, "points": points(gain), "ends": _ends(size)}
        return "", say("compare.not_overall", **about)
    better = size if gain > 0 else cell
    about = {"name": b if gain > 0 else a, "points": points(abs(gain), signed=False)}
    kind = "ahead" if gain > 0 else "behind"
    return kind, say("compare.overall", ends=_ends(better), limits=better.interval, **about)


def gaps_apart(comparison: Comparison) -> list[tuple[str, Statement]]:
    """The languages whose gap to the baseline differs between the two."""
    (a, b), sentences = comparison.names, []
    base = labels.language(comparison.runs[0].baseline).name
    for cell in comparison.gaps:
        if not cell.is_significant:
            continue
        turned = cell.turned  # the second model's gap minus the first's
        sentence = say(
            "compare.gap",
            language=language_with_note(cell),
            base=base, a=a, b=b,
            more="larger" if turned.difference > 0 else "smaller",
            gap_a=points(cell.baseline_accuracy), gap_b=points(cell.accuracy),
            ends=_ends(turned), limits=turned.interval, code=cell.language,
        )  # fmt: skip
        sentences.append(("behind" if turned.difference > 0 else "ahead", sentence))
    if comparison.gaps and not sentences:
        sentences.append(("", say("compare.no_gap", base=base, languages=len(comparison.gaps))))
    return sentences


def _ends(cell: Cell) -> str:
    return f"95% interval {ends(*cell.interval)}" if cell.interval else cell.refused


def _warnings(comparison: Comparison) -> list[str]:
    read = [str(problem) for scored in comparison.runs for problem in scored.problems.items]
    mixed = [
        f"{name}: {text}"
        for name, score in zip(comparison.names, comparison.scores)
        for text in score.get("warnings", [])
    ]
    return list(dict.fromkeys([*comparison.notes, *mixed, *read]))


def gains_of(comparison: Comparison) -> Grid | None:
    """The second model minus the first, by language and task; ``None`` without a common pair."""
    if not comparison.pairs:
        return None
    a, b = comparison.names
    return Grid(
        title="Differences in accuracy",
        caption=f"{b} minus {a}, percentage points on the same questions, with the 95% interval "
        "for all cells together.",
        rows=with_notes(ordered(pair.language for pair in comparison.pairs), comparison.pairs),
        columns={
            name: labels.task(name)
            for name, _ in in_order({pair.task: None for pair in comparison.pairs})
        },
        cells={(pair.language, pair.task): pair.turned for pair in comparison.pairs},
        sentences={
            (pair.language, pair.task): f"{percent(pair.baseline_accuracy)} against "
            f"{percent(pair.accuracy)}, {count(pair.n)} questions"
            for pair in comparison.pairs
        },
        behind=f"{b} better",
        ahead=f"{a} better",
    )
