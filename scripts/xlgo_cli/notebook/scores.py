"""What the functions for notebooks return: scores and comparisons that show themselves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_dataset.declared import Row
from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.section import KEY, cells_of_section
from xlgo_metric.score_dict import Score

from ..display.formats import clean, environment, markdown, sortable
from ..logs.graded_run import GradedRun
from ..report.compare.comparison import Comparison, as_json, difference, table, tables
from ..report.gap_marks import gap_of, in_order, ordered, with_gaps
from ..report.grid import of_score
from ..report.screen import brief, sentences

_OF_GAP = (
    "baseline_accuracy", "difference", "ci_low", "ci_high", "p_value", "is_significant", "flagged",
    "refused", "wording_status",
)  # fmt: skip


_OF_CELL = ("n", "correct", "accuracy", "smd", "smd_sd")


@dataclass(frozen=True, repr=False)
class Scores:
    """The score of a run.

    Printed, it is the screen that ``xlgo score`` prints; in a notebook, a table in colours.

    Attributes:
        graded: the run and all its grades.
        page: the report, where one was written.
    """

    graded: GradedRun
    page: Path | None = None

    @property
    def score(self) -> Score:
        """All numbers in plain JSON types; accuracies and SMD are fractions."""
        return self.graded.score

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.graded.run.model

    @property
    def signature(self) -> str:
        """Scores may be compared where their signatures agree."""
        return str(self.score["signature"])

    @property
    def headline(self) -> dict[str, float]:
        """A few flat numbers, such as ``slt_smd_te``: what trackers of experiments take."""
        return {
            str(name): float(value)
            for name, value in self.score["headline"].items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }

    def smd(self, task: str, language: str) -> float | None:
        """By how much a language is behind English, a fraction; ``None`` where no gap is fixed.

        Raises:
            ValueError: the task or the language was not asked.
        """
        sizes: dict[tuple[str, str], float | None] = {
            (row["task"], row["language"]): row["smd"] for row in self.rows()
        }
        if (task, language) not in sizes:
            pairs = ", ".join(map(" ".join, sorted(sizes))) or "no gaps"
            raise ValueError(f"no {task} in {language} here: there are {pairs}")
        return sizes[task, language]

    def answers(self, *measures: str) -> AnswerTable:
        """A row for each graded answer, for ``xlgo_metric.compare``.

        Its ``frame`` is a pandas ``DataFrame``.

        Args:
            measures: names of measures that shall be columns, such as ``mqm80_gated`` of chains;
                without any there are only answers that are right or wrong.

        Raises:
            ValueError: none of the answers has one of the measures; those that there are are named.
        """
        return AnswerTable.of_answers(self.graded.answers(measures=measures), measures)

    def rows(self) -> list[Row]:
        """A row for each task and language that has a gap, for ``pandas.DataFrame``.

        Columns: ``task``, ``language``, ``n``, ``correct``, ``accuracy``; of the gap to the
        baseline ``baseline_accuracy``, ``difference``, ``ci_low``, ``ci_high``, ``p_value``,
        ``is_significant``, ``flagged``, ``refused``, ``wording_status``; ``smd`` and ``smd_sd``,
        fractions. What a family without curves does not have (``correct``, ``smd``) is ``None``;
        ``score["cost"]`` says what answers took.
        """
        compared = with_gaps(self.score)
        rows = [
            {
                "task": name,
                "language": code,
                **{key: task["languages"][code].get(key) for key in _OF_CELL},
                **{key: getattr(gap_of(task["languages"][code]), key, None) for key in _OF_GAP},
            }
            for section in compared.values()
            for name, task in in_order(section["tasks"])
            for code in ordered(task["languages"])
        ]
        rows += [
            {
                "task": cell.task,
                "language": cell.other,
                **{key: getattr(cell, key, None) for key in (*_OF_CELL, *_OF_GAP)},
            }
            for family, section in self.score["families"].items()
            if family not in compared and section.get(KEY)
            for cell in cells_of_section(section[KEY])
        ]
        return rows

    def __str__(self) -> str:
        return brief(self.score)

    def __repr__(self) -> str:
        return f"{self.model!a}: {self.score!r}\n  report: {self.page}"

    def _repr_html_(self) -> str:
        return _html(
            title=self.model,
            told=[*self.score.get("warnings", []), *sentences(self.score)],
            grids=of_score(self.score, with_gaps(self.score)),
            signature=self.signature,
            page=self.page,
        )


@dataclass(frozen=True, repr=False)
class Compared:
    """Two runs on the questions that both answered.

    Attributes:
        comparison: all numbers.
        page: the page, where one was written.
    """

    comparison: Comparison
    page: Path | None = None

    def as_json(self) -> dict[str, Any]:
        """The numbers in plain JSON types; accuracies and SMD are fractions."""
        return as_json(self.comparison)

    def rows(self) -> list[Row]:
        """A row for each task and language that both answered, for ``pandas.DataFrame``."""
        pairs: list[Row] = self.as_json()["pairs"]
        return [{**pair.pop("where"), **pair} for pair in pairs]

    def __repr__(self) -> str:
        models = " and ".join(map(ascii, self.comparison.names))
        return f"Compared {models}: {len(self.rows())} pairs, page {self.page}"

    def __str__(self) -> str:
        return markdown(table(self.comparison))

    def _repr_html_(self) -> str:
        pair = self.comparison
        return _html(
            told=[*map(difference, pair.differences), *pair.notes],
            tables=map(sortable, tables(pair)),
            signature=pair.scores[0]["signature"],
            page=self.page,
        )


def _html(**context: object) -> str:
    """A piece of HTML made by the macros of the pages, without scripts or style sheets.

    Everything that comes out of a run is escaped: names of models may hold anything.
    """
    values = {"title": "", "grids": (), "tables": (), **context}
    return clean(environment().get_template("notebook.html").render(values))
