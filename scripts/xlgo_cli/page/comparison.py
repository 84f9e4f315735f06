"""Two models side by side, on the questions that both answered."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from xlgo_metric.comparison import AnswerTable, Cell, common_tasks, compare, gap_drafts, settle
from xlgo_metric.comparison.compare import READINGS as MEASURES, maker, slug
from xlgo_metric.comparison.section import READINGS, mark, readings_of, readings_tables
from xlgo_metric.core import Measure, grouped
from xlgo_metric.family import family
from xlgo_metric.scoring import Score, summarize
from xlgo_metric.table import Column, Table, interval

from ..display import labels
from ..display.formats import (
    Statement,
    count,
    ends,
    percent,
    points,
    render,
    say,
    several,
    sortable,
)
from ..logs.graded_run import SCHEMA, GradedRun
from ..logs.lines import UNKNOWN, differences, fingerprint, fingerprint_line, unlike
from ..logs.results import other_questions
from .findings import depending
from .grid import (
    Grid,
    base_name,
    depending_cells,
    in_order,
    language_with_note,
    of_section,
    ordered,
    size_of,
    with_gaps,
    with_notes,
)


@dataclass(frozen=True)
class Comparison:
    """Two runs on the questions that both answered.

    Attributes:
        names: what to call them.
        runs: the two runs, whole.
        scores: their scores on the questions that both answered, and on no others.
        pairs: every task and language that both answered, the first model as the baseline.
        overall: the same over all of them together, each task, language and complexity alike.
        gaps: how the gap of each language to the baseline differs between the two, all together.
        generation: how the answers to common tasks were made, as a line.
        differences: how their settings differ, in words.
        notes: what else a reader should know, in sentences.
        own: the measure that was chosen, and the rates under three readings.
    """

    names: tuple[str, str]
    runs: tuple[GradedRun, GradedRun]
    scores: tuple[Score, Score]
    pairs: tuple[Cell, ...]
    overall: Cell | None
    gaps: tuple[Cell, ...]
    generation: tuple[str, str]
    differences: list[str]
    notes: list[str]
    own: list[Table]


def comparison(
    first: GradedRun,
    second: GradedRun,
    measure: str | None = None,
    *,
    allow_differences: bool = True,
) -> Comparison:
    """Put two runs side by side.

    Args:
        first, second: the runs.
        measure: compare the answers by it, too; see ``measure_table``.
        allow_differences: compare runs with different settings.

    Raises:
        ValueError: both are one run, there is no question in common, no answer has the measure, or
            the settings differ and that is not allowed.
    """
    if identity(first) == identity(second):
        raise ValueError("both folders contain the same run: pass two different runs")
    runs, called = (first, second), names(first, second)
    tables = [] if measure is None else [measure_table(runs, called, measure)]
    chosen_alone = _chosen_alone(runs)
    notes = [
        f"{task}: {' and '.join(models)} chose questions by its own answers, so no test between "
        "the two would be exact: left out. Ask both a fixed design, or the plan of a third model."
        for task, models in chosen_alone.items()
    ]
    shared = {key[:4] for key, _ in first.records if key[1] not in chosen_alone}
    shared &= {key[:4] for key, _ in second.records}
    answers = AnswerTable.of_answers(
        answer
        for run, name in zip(runs, called)
        for answer in run.answers(name)
        if (answer.family, answer.task, answer.language, answer.question) in shared
    ).plain
    cells = compare(answers, "model").cells
    pairs = tuple(sorted(cells, key=lambda cell: (cell.family, cell.task, cell.language)))
    if not tables and not pairs:
        raise ValueError(" ".join(notes) or (
            "the two runs have no question in common that is right or wrong: compare runs of the "
            "same tasks, languages and seed, or a score with --measure, such as mqm80_gated (LiT)"
        ))  # fmt: skip
    scores = (_on(shared, first), _on(shared, second))
    reading_tables, depending = read_tables(answers)
    tables += reading_tables
    groups = first.settings.keys() & second.settings.keys()
    prints = [fingerprint(s for group in groups for s in run.settings[group]) for run in runs]
    differing = differences(prints[0], prints[1], same_model=first.run.model == second.run.model)
    differing += [*_signatures_differ(*scores), *other_questions(first.table, second.table)]
    if differing and not allow_differences:
        raise ValueError(
            "the two runs differ in their settings, so a gap between them may come from that: "
            f"{'; '.join(differing)} (--allow-differences compares them anyway)"
        )
    adaptive = dict.fromkeys(labels.task(pair.task).title for pair in pairs if pair.is_chosen)
    others = {name: sum(key[:4] not in shared for key, _ in run.records)
              for name, run in zip(called, runs)}  # fmt: skip
    notes += [
        *(["With what settings the answers were made is not known of either run."]
          if all(UNKNOWN in settings for settings in prints) else []),
        *depending,
        *([f"Answers chose the questions of {', '.join(adaptive)}: they count in no number over "
           "all."] if adaptive and not all(pair.is_chosen for pair in pairs) else []),
        *(f"{count(more)} answers of {name} to other questions are left out."
          for name, more in others.items() if more),
    ]  # fmt: skip
    return Comparison(
        called, runs, scores, pairs, *_contrasts(first.baseline, answers),
        (fingerprint_line(prints[0]), fingerprint_line(prints[1])), differing, notes, tables,
    )  # fmt: skip


def _chosen_alone(runs: Sequence[GradedRun]) -> dict[str, list[str]]:
    """The tasks of which one of the models alone chose the questions, with these models."""
    names = {slug(scored.run.model): scored.run.model for scored in runs}
    chosen = dict.fromkeys(
        (str(task), names[by])
        for scored in runs
        for task, design in scored.table.frame[["task", "design"]].drop_duplicates().to_numpy()
        if (by := maker(str(design), scored.run.model)) in names
    )
    return {task: [name for _, name in own] for task, own in grouped(chosen, itemgetter(0)).items()}


def identity(scored: GradedRun) -> tuple[str, frozenset[tuple[str, str]]]:
    """The same for a run and a copy of it: model, tasks and when they ended."""
    return scored.run.model, frozenset((file.task, file.date) for file in scored.run.files)


def _on(shared: Collection[tuple[str, ...]], scored: GradedRun) -> Score:
    """The score of a run on some of its questions, of which all answers count."""
    records = [record for key, record in scored.records if key[:4] in shared]
    if len(records) == len(scored.records) or not records:
        return scored.score
    return summarize(records, **scored.options)


def _signatures_differ(first: Score, second: Score) -> list[str]:
    """The fields of the signatures that differ, in words; how many runs and answers are none."""
    differing = []
    for family_name, section in first["families"].items():
        sections = (section, second["families"].get(family_name, section))
        a, b = (dict(x.partition(":")[::2] for x in s["signature"].split("|")) for s in sections)
        fields = unlike(a, b).items()
        differing += [
            f"{name} ({x} and {y})" for name, (x, y) in fields if name not in ("runs", "n")
        ]
    return differing


def difference(text: str) -> str:
    """A sentence, without its full stop, about what differs between two runs."""
    return f"the two runs differ in their settings: {text}"


def as_json(found: Comparison) -> dict[str, Any]:
    """The numbers of a comparison in plain JSON types; accuracies and SMD are fractions.

    A pair is a cell (``difference`` is the first model minus the second) with the SMD of both; a
    gap is a cell whose ``baseline_accuracy`` and ``accuracy`` are the gaps of the two models.
    """
    return {
        "schema": SCHEMA,
        "names": found.names,
        "signatures": [score["signature"] for score in found.scores],
        "generation": found.generation,
        "differences": found.differences,
        "notes": found.notes,
        "pairs": [
            {**pair.as_json(), "smd": [_smd(score, pair) for score in found.scores]}
            for pair in found.pairs
        ],
        "overall": None if found.overall is None else found.overall.as_json(),
        "gaps": [gap.as_json() for gap in found.gaps],
        "tables": {one.name: [dict(zip(one.names, row)) for row in one.rows] for one in found.own},
    }


def _contrasts(base: str, answers: AnswerTable) -> tuple[Cell | None, tuple[Cell, ...]]:
    """The two models over everything, and how their gaps differ."""
    overall = compare(answers, "model", within=()).cells
    counted, _ = common_tasks(answers, base)
    return next(iter(overall), None), settle(gap_drafts(counted, "model", base))


def table(comparison_: Comparison) -> Table:
    """The comparison as a table; numbers in percent and percentage points."""
    rows = tuple(
        (
            labels.task(pair.task).short, labels.language(pair.language).name,
            labels.WORDINGS.get(pair.wording_status), pair.n,
            pair.baseline_accuracy, pair.accuracy, -pair.difference, pair.p_value,
            *(_smd(score, pair) for score in comparison_.scores),
        )
        for pair in comparison_.pairs
    )  # fmt: skip
    a, b = comparison_.names
    return Table(
        "comparison",
        f"A = {a}, B = {b}",
        (
            Column("Task"),
            Column("Language"),
            Column("Wording"),
            Column("Questions", "count"),
            Column("A", "share", unit="%"),
            Column("B", "share", unit="%"),
            Column("B - A", "difference"),
            Column("p", "p"),
            Column("SMD A", "difference"),
            Column("SMD B", "difference"),
        ),
        rows,
        "All numbers are about the questions that both answered. p: paired test, corrected for all "
        "rows together.",
    )


def tables(found: Comparison) -> list[Table]:
    """The comparison, if a question is right or wrong in both, and the tables of its own."""
    return [
        *([table(found)] if found.pairs else []),
        *([gap_table(found)] if found.gaps else []),
        *found.own,
    ]


def gap_table(found: Comparison) -> Table:
    """The gap of every language to the baseline in both, and how they differ."""
    rows = tuple(
        (language_with_note(gap), gap.n, gap.baseline_accuracy, gap.accuracy,
         -gap.difference, mark(gap) or None, gap.turned.ci_low, gap.turned.ci_high, gap.p_value)
        for gap in found.gaps
    )  # fmt: skip
    return Table(
        "gaps",
        f"Gaps to {labels.language(found.runs[0].baseline).name}: A = {found.names[0]}, "
        f"B = {found.names[1]}",
        (
            Column("Language"),
            Column("Questions", "count"),
            Column("Gap A", "difference"),
            Column("Gap B", "difference"),
            Column("B - A", "difference"),
            Column("Significant", after=" "),
            *interval("95% interval", "difference"),
            Column("p", "p"),
        ),
        rows,
        "Accuracy in the baseline minus accuracy in the language, over the tasks that count for "
        "every language. ● significant at 5%, ? no test. Intervals and p hold for all rows "
        "together.",
    )


def names(first: GradedRun, second: GradedRun) -> tuple[str, str]:
    """What to call the two; runs of one model are distinguished by the day, or day and time."""
    a, b = (scored.run for scored in (first, second))
    if a.model != b.model:
        return a.model, b.model
    days = [run.date.partition("T")[0] for run in (a, b)]
    if days[0] == days[1]:
        times = [run.date.partition("T")[2].partition(".")[0] for run in (a, b)]
        cut = 8 if times[0][:5] == times[1][:5] else 5
        days = [f"{day} {time[:cut].replace('-', ':')}" for day, time in zip(days, times)]
    return f"{a.model} ({days[0]})", f"{b.model} ({days[1]})"


def _smd(score: Score, pair: Cell) -> float | None:
    task = with_gaps(score).get(pair.family, {"tasks": {}})["tasks"].get(pair.task)
    cell = None if task is None else task["languages"].get(pair.language)
    return None if cell is None else cell["smd"]


def read_tables(answers: AnswerTable) -> tuple[list[Table], list[str]]:
    """Two models under the three readings of answers, and where their gap depends on the reading.

    Args:
        answers: of both models, the first one's first. Those that another tool has graded are left
            out: they have no readings.
    """
    reads = answers.frame["family"].map(lambda name: family(name).reads_responses)
    if not reads.any():
        return [], []
    readings = readings_of(AnswerTable(answers.frame[reads]).decided, None)
    section = {READINGS: readings}
    cells = depending_cells(section)
    return readings_tables(section, "Model"), [
        str(sentence) for _, sentence in depending(readings["baseline"], cells)
    ]


def measure_table(runs: tuple[GradedRun, GradedRun], names: tuple[str, str], measure: str) -> Table:
    """Every task and language that both models answered, by the means of a measure.

    Args:
        runs, names: the two models, the first one as the baseline.
        measure: of a family, such as ``mqm80_gated`` of LiT; or a reading (``strict``,
            ``in_form``, ``correct``).

    Raises:
        ValueError: no answer has the measure, or the models have no question with it in common.
    """
    measures = () if measure in MEASURES else (measure,)
    answers = [row for run, name in zip(runs, names) for row in run.answers(name, measures)]
    answer_table = AnswerTable.of_answers(answers, measures)
    cells = compare(answer_table.plain, "model", measure=measure).cells
    if not cells:
        raise ValueError(
            f"--measure {measure}: the two runs have no question with it in common: compare runs "
            "of the same tasks, languages and seed"
        )
    measured_by = (
        family(cells[0].family).measure(measure) if measures else Measure(measure, lambda *_: 0)
    )
    column = measured_by.shown
    gain = replace(column, name="B − A", signed=True)
    if column.kind == "share":
        gain = replace(gain, kind="difference", unit="")
    low, high = interval("95% interval", gain.kind, gain.digits, signed=True)
    rows = tuple(
        (labels.task(cell.task).short, labels.language(cell.language).name, cell.n,
         cell.baseline_accuracy, cell.accuracy, -cell.difference, cell.turned.ci_low,
         cell.turned.ci_high, cell.p_value)
        for cell in cells
    )  # fmt: skip
    a, b = names
    return Table(
        "measure",
        f"{column.name}: A = {a}, B = {b}",
        (Column("Task"), Column("Language"), Column("Questions", "count"),
         replace(column, name="A"), replace(column, name="B"), gain, low, high,
         Column("p", "p")),
        rows,
        "Means over the questions that both answered; "
        f"{'higher' if measured_by.higher_is_better else 'lower'} is better. Test and interval "
        "take questions about one text together, and hold for all rows of the table.",
    )  # fmt: skip


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
    clear = [pair for pair in comparison.pairs if pair.is_significant]
    better = sum(pair.difference < 0 for pair in clear)
    return [
        ("", say(
            "compare.shares", n=count(overall.n), a=a, b=b, **_shares(overall),
        )),
        _overall(comparison.names, overall),
        *gaps_apart(comparison),
        ("", say(
            "compare.better", a=a, b=b, pairs=len(comparison.pairs), better=better,
            worse=len(clear) - better,
        ) if clear else say(
            "compare.none", pairs=several(len(comparison.pairs), "language-task pair"),
        )),
        *(("behind" if pair.difference < 0 else "ahead", say(
            "compare.pair", language=language_with_note(pair), task=labels.task(pair.task).short,
            points=points(-pair.difference), **_shares(pair),
        )) for pair in sorted(clear, key=lambda pair: -abs(pair.difference))[:3]),
    ]  # fmt: skip


def _shares(cell: Cell) -> dict[str, str]:
    """The accuracies of both models, as sentences have them."""
    return {
        "share_a": percent(cell.baseline_accuracy, 1),
        "share_b": percent(cell.accuracy, 1),
    }


def _overall(names: tuple[str, str], cell: Cell) -> tuple[str, Statement]:
    """Which of the two is better over everything that both answered."""
    if not cell.is_significant:
        gain = cell.turned
        about = {"points": points(gain.difference), "ends": _ends(gain)}
        return "", say("compare.not_overall", a=names[0], b=names[1], **about)
    is_second = cell.difference < 0
    kind = "behind" if is_second else "ahead"  # the colours of the grid
    return kind, say("compare.overall", name=names[is_second], **size_of(cell))


def gaps_apart(comparison: Comparison) -> list[tuple[str, Statement]]:
    """The languages whose gap to the baseline differs between the two."""
    (a, b), base = comparison.names, labels.language(comparison.runs[0].baseline).name
    apart = [
        ("behind" if turned.difference > 0 else "ahead", say(
            "compare.gap", language=language_with_note(cell), base=base, a=a, b=b,
            more="larger" if turned.difference > 0 else "smaller",
            gap_a=points(cell.baseline_accuracy), gap_b=points(cell.accuracy),
            ends=_ends(turned), limits=turned.interval, code=cell.language,
        ))
        for cell in comparison.gaps if cell.is_significant
        for turned in [cell.turned]  # the second model's gap minus the first's
    ]  # fmt: skip
    none = ("", say("compare.no_gap", base=base, languages=len(comparison.gaps)))
    return apart or [none] * bool(comparison.gaps)


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
