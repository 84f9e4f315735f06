"""``xlgo compare --measure``: two models by a score of their answers that is no right or wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xlgo_metric.table import Column, Table, interval

from ...display import labels
from ...logs.graded_run import GradedRun
from ..findings import depending
from ..gap_marks import depending_cells

if TYPE_CHECKING:
    from xlgo_metric.comparison import AnswerTable


def read(answers: AnswerTable) -> tuple[list[Table], list[str]]:
    """Two models under the three readings of answers, and where their gap depends on the reading.

    Args:
        answers: of both models, the first one's first. Those that another tool has graded are left
            out: they have no readings.
    """
    from xlgo_metric.comparison import AnswerTable
    from xlgo_metric.comparison.section import READINGS, readings_of, readings_tables
    from xlgo_metric.family import family

    reads = answers.frame["family"].map(lambda name: family(name).reads_responses)
    if not reads.any():
        return [], []
    found = readings_of(AnswerTable(answers.frame[reads]).decided, None)
    section = {READINGS: found}
    cells, tables = depending_cells(section), readings_tables(section, "Model")
    return tables, [str(said) for _, said in depending(found["baseline"], cells)]


def table(runs: tuple[GradedRun, GradedRun], names: tuple[str, str], measure: str) -> Table:
    """Every task and language that both models answered, by the means of a measure.

    Args:
        runs, names: the two models, the first one as the baseline.
        measure: of a family, such as ``mqm80_gated`` of LiT; or a reading (``strict``,
            ``in_form``, ``correct``).

    Raises:
        ValueError: no answer has the measure, or the models have no question with it in common.
    """
    from xlgo_metric.comparison import AnswerTable, compare
    from xlgo_metric.comparison.compare import READINGS
    from xlgo_metric.core import Measure
    from xlgo_metric.family import family

    wanted = () if measure in READINGS else (measure,)
    answers = [row for run, name in zip(runs, names) for row in run.answers(name, wanted)]
    known = AnswerTable.of_answers(answers, wanted)
    cells = compare(known.plain, "model", measure=measure).cells
    if not cells:
        raise ValueError(
            f"--measure {measure}: the two runs have no question with it in common: compare runs "
            "of the same tasks, languages and seed"
        )
    found = family(cells[0].family).measure(measure) if wanted else Measure(measure, lambda *_: 0)
    shown = found.shown
    gain = replace(shown, name="B − A", signed=True)
    if shown.kind == "share":
        gain = replace(gain, kind="difference", unit="")
    low, high = interval("95% interval", gain.kind, gain.digits, signed=True)
    rows = tuple(
        (labels.task(cell.task).short, labels.language(cell.language).name, cell.n,
         cell.baseline_accuracy, cell.accuracy, -cell.difference, cell.turned.ci_low,
         cell.turned.ci_high, cell.p_value)
        for cell in cells
    )  # fmt: skip
    a, b = names
    better = "higher" if found.higher_is_better else "lower"
    return Table(
        "measure",
        f"{shown.name}: A = {a}, B = {b}",
        (Column("Task"), Column("Language"), Column("Questions", "count"),
         replace(shown, name="A"), replace(shown, name="B"), gain, low, high,
         Column("p", "p")),
        rows,
        f"Means over the questions that both answered; {better} is better. Test and interval take "
        "questions about one text together, and hold for all rows of the table.",
    )  # fmt: skip
