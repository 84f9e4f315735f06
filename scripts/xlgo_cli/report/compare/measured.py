"""``xlgo compare --measure``: two models by a score of their answers that is no right or wrong."""

from __future__ import annotations

from dataclasses import replace

from xlgo_metric.comparison import AnswerTable, compare
from xlgo_metric.comparison.compare import READINGS as MEASURES
from xlgo_metric.comparison.section import READINGS, readings_of, readings_tables
from xlgo_metric.core import Measure
from xlgo_metric.family import family
from xlgo_metric.table import Column, Table, interval

from ...display import labels
from ...logs.graded_run import GradedRun
from ..findings import depending
from ..gap_marks import depending_cells


def read(answers: AnswerTable) -> tuple[list[Table], list[str]]:
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


def table(runs: tuple[GradedRun, GradedRun], names: tuple[str, str], measure: str) -> Table:
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
    better = "higher" if measured_by.higher_is_better else "lower"
    return Table(
        "measure",
        f"{column.name}: A = {a}, B = {b}",
        (Column("Task"), Column("Language"), Column("Questions", "count"),
         replace(column, name="A"), replace(column, name="B"), gain, low, high,
         Column("p", "p")),
        rows,
        f"Means over the questions that both answered; {better} is better. Test and interval take "
        "questions about one text together, and hold for all rows of the table.",
    )  # fmt: skip
