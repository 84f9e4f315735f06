"""``run``, ``score``, ``report`` and ``compare`` of the command line, for Python.

>>> import xlgo_cli
>>> scores = xlgo_cli.run("xlgo-sim", ["xlgo_slt"], preset="smoke")  # doctest: +SKIP
>>> scores.headline["slt_diff_te"]  # doctest: +SKIP
0.68
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypeVar

import pandas as pd

from xlgo_dataset.core import Row
from xlgo_lm_eval.arguments import redacted_output
from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.section import KEY, cells_of_section
from xlgo_metric.scoring import Score

from ..arguments import EVERY
from ..display.formats import clean, environment, markdown, sortable
from ..folders import write_text
from ..logs.graded_run import GradedRun, score_folder
from ..logs.lines import COLUMNS
from ..page.comparison import (
    Comparison,
    as_json,
    comparison,
    difference,
    page,
    table,
    tables,
)
from ..page.findings import brief, sentences
from ..page.grid import gap_of, in_order, of_score, ordered, with_gaps
from ..page.write import default_folder, write_files
from ..parallel.comparing import Options, graded

Folder: TypeAlias = "str | PathLike[str]"
T = TypeVar("T")


def run(
    model: str,
    tasks: str | Sequence[str] | None = None,
    *,
    model_args: Mapping[str, object] | None = None,
    languages: str | Sequence[str] | None = None,
    preset: str | None = None,
    levels: int | None = None,
    per_level: int | None = None,
    design: str = "fixed",
    limit: float | None = None,
    gen_kwargs: Mapping[str, object] | None = None,
    apply_chat_template: bool | str = False,
    output_path: Folder | None = None,
    prices: Folder | None = None,
    quiet: bool = True,
    **options: Any,
) -> Scores:
    """Evaluate a model and write a report, as ``xlgo run`` does.

    Args:
        model: its type, as for ``--model``: ``hf``, ``local-chat-completions``, ``xlgo-sim`` …
        tasks: names of tasks or groups of the harness; by default the five puzzles, or, if no
            option chooses a size, the two with the shortest prompts.
        model_args: its arguments, such as ``{"pretrained": …}`` or ``{"model": …, "base_url": …}``.
        languages: codes, a list or joined by commas.
        preset: range and levels of the puzzles: ``paper``, ``lite``, ``smoke`` or
            ``quick``, the default. More than a million tokens need ``yes=True``.
        levels, per_level: levels of complexity, and questions of each.
        design: ``fixed``, or ``adaptive`` to find the complexities that tell most.
        limit: questions of each task, or a share below 1.
        gen_kwargs: how the model answers, such as ``{"max_gen_toks": 32768}``.
        apply_chat_template: put prompts into the model's chat template (or the one of that name).
        output_path: folder of the results; a folder in ``xlgo_results`` by default.
        prices: a file with prices of tokens (docs/running_models.md).
        quiet: print nothing but what goes wrong.
        options: every other option of the command line by its name, such as ``batch_size=8``,
            ``xlgo_seed=1`` or ``judge="none"``; ``True`` for those without a value.

    Returns:
        The scores, with the path of the report.

    Raises:
        ValueError: an option has a value that is not allowed.
        RuntimeError: the harness failed; what it said has been printed.
    """
    arguments: dict[str, object] = {
        "model": model, "tasks": None if tasks is None else _joined(tasks),
        "model_args": model_args,
        "languages": None if languages is None else _joined(languages), "preset": preset,
        "levels": levels, "per_level": per_level, "design": design, "limit": limit,
        "gen_kwargs": gen_kwargs, "apply_chat_template": apply_chat_template,
        "output_path": output_path, "prices": prices, "quiet": quiet, **options,
    }  # fmt: skip
    return _outside_of_loops(lambda: _run(arguments))


def _run(options: Mapping[str, object]) -> Scores:
    from ..harness.options import words_of
    from ..harness.running import evaluate

    words = words_of(options)
    with redacted_output(words):
        code, done = evaluate(words)
    if done is None:
        raise RuntimeError(f"the run failed (exit code {code}): the reason has been printed")
    return Scores(*done)


def score(
    results: Folder,
    *,
    model: str | None = None,
    judge: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Scores:
    """Grade logged answers again, as ``xlgo score`` does; nothing is written.

    Args:
        results: what the harness wrote: a folder or a file of samples.
        model: the model, if the folder has several.
        judge: how the name of the judge begins whose judgements count.
        options: of the statistics, as in ``{"baseline": "zh"}``; see ``--options``.

    Raises:
        ValueError: there is nothing that can be graded, or an option is not allowed.
    """
    return Scores(
        score_folder(Path(results), model=model, judge=judge, options=options, quiet=True)
    )


def report(
    results: Any,
    out: Folder | None = None,
    *,
    model: str | None = None,
    judge: str | None = None,
    options: Mapping[str, object] | None = None,
    columns: Mapping[str, str] = {},
    **parallel: Any,
) -> Scores:
    """Grade logged answers again and write a report, as ``xlgo report`` does.

    Args:
        results: a folder or file; or answers as a pandas ``DataFrame``, a ``datasets.Dataset`` or a
            list of dictionaries, a row an answer (:func:`xlgo_metric.gaps`).
        model, judge, options: see :func:`score`.
        out: where to write; a folder ``report`` in the results, or here, by default.
        columns: of a frame, names that are not found by themselves, as ``{"question": "qid"}``.
        parallel: of a frame, :class:`xlgo_cli.parallel.comparing.Options`, as ``read="number"``.

    Returns:
        The scores; ``page`` is the path of the report.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    if not isinstance(results, (str, PathLike)):
        runs = {"judge": judge, "options": options}
        if given := [name for name, value in runs.items() if value is not None]:
            raise ValueError(f"{', '.join(given)}: not of a frame of answers (see baseline=)")
        context = copy_context()  # its columns are of no other table
        context.run(COLUMNS.set, columns)
        return context.run(_report_table, results, Path(out or "report"), model, parallel)
    if parallel or columns:
        raise ValueError(f"{', '.join([*parallel, *columns])}: only a frame of answers takes it")
    scored = score_folder(Path(results), model=model, judge=judge, options=options, quiet=True)
    folder = default_folder(Path(results)) if out is None else Path(out)
    return Scores(scored, write_files(scored, folder))


def _report_table(answers: Any, out: Path, model: str | None, options: Mapping[str, Any]) -> Scores:
    """The report of answers in memory, by way of a file: one reader takes it from there."""
    frame = answers.to_pandas() if hasattr(answers, "to_pandas") else pd.DataFrame(answers)
    with TemporaryDirectory(prefix="xlgo-") as folder:
        path = Path(folder, "answers.jsonl")
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
        scored = graded(path, [EVERY], Options(**options), model=model)
        return Scores(scored, write_files(scored, out))


def compare(
    first: Folder | Scores,
    second: Folder | Scores,
    *,
    out: Folder | None = None,
    allow_differences: bool = False,
    judge: str | None = None,
    measure: str | None = None,
) -> Compared:
    """Put two runs side by side on the questions that both answered, as ``xlgo compare`` does.

    Args:
        first, second: folders of results, or scores.
        out: the page to write; none by default.
        allow_differences: compare runs with different settings.
        judge: how the name of the judge begins whose judgements count.
        measure: compare the answers by this score, too, such as ``mqm80_gated``.

    Raises:
        ValueError: both are one run, they have no question in common, or their
            settings differ and that is not allowed.
    """
    left_run, right_run = (
        run.graded if isinstance(run, Scores) else score_folder(Path(run), judge=judge, quiet=True)
        for run in (first, second)
    )
    pair = comparison(left_run, right_run, measure, allow_differences=allow_differences)
    if out is None:
        return Compared(pair)
    write_text(Path(out), page(pair))
    return Compared(pair, Path(out))


def _joined(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else ",".join(names)


def _outside_of_loops(work: Callable[[], T]) -> T:
    """Do something that starts an event loop; a notebook runs one already, so in another thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(copy_context().run, work).result()


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

        Columns: ``task``, ``language``, ``n`` and ``correct`` answers, ``accuracy`` (of a gap: on
        the common questions, sizes alike); of the gap to the baseline ``baseline_accuracy``,
        ``difference``, ``ci_low``, ``ci_high``, ``p_value``, ``is_significant``, ``flagged``,
        ``refused``, ``wording_status``; ``smd`` and ``smd_sd``, fractions. What a family without
        curves does not have (``correct``, ``smd``) is ``None``; ``score["cost"]`` says what answers
        took.
        """
        compared = with_gaps(self.score)
        rows = [
            {
                "task": name,
                "language": code,
                **{key: cell.get(key) for key in _OF_CELL},
                **{key: getattr(gap, key, None) for key in _OF_GAP},
                "accuracy": cell["accuracy"] if gap is None else gap.accuracy,
            }
            for section in compared.values()
            for name, task in in_order(section["tasks"])
            for code in ordered(task["languages"])
            for cell in [task["languages"][code]]
            for gap in [None if cell.get("extreme") else gap_of(cell)]
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
