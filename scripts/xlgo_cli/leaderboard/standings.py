"""The statistics of a leaderboard: ranks, gaps to a baseline and what may be claimed of them.

Models are ranked by accuracy on the questions that all of them answered. Every two models are
compared puzzle by puzzle, with all languages of a puzzle as one cluster, all pairs together
(``comparison.compare``). The interval of a rank follows from these comparisons: as many models are
above as are significantly better, and as many below as are significantly worse. All intervals hold
together with a probability of at least 95% (Mogstad, Romano, Shaikh and Wilhelm 2024,
doi:10.1093/restud/rdad006).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from xlgo_lm_eval.answers import files_in
from xlgo_metric.comparison import (
    AnswerTable,
    Cell,
    Rank,
    common_tasks,
    compare,
    drafts,
)
from xlgo_metric.comparison.compare import ADAPTIVE, READINGS as MEASURES
from xlgo_metric.comparison.table import by_question
from xlgo_metric.family import Section, family, family_of
from xlgo_metric.table import Table

from ..display import labels
from ..logs.formats import tool_of
from ..logs.graded_run import GradedRun, score_folder
from ..logs.lines import MIXED, fingerprint, of_any_model, unlike
from ..logs.results import models_in
from ..page.comparison import identity

Read = Callable[[Path, str | None], GradedRun]
"""Grades the run of a model (the newest if ``None``) in a folder."""


@dataclass(frozen=True)
class Board:
    """A leaderboard; models are ordered by rank.

    Attributes:
        entries: the models.
        baseline: the language that the others are compared with.
        accuracy: on the common questions, the mean over tasks and languages, alike, of the mean
            over their sizes, as in the pairs.
        ranks, pairs: over all languages.
        languages: accuracy and ranks in each language by itself, by its code.
        gaps: of each model, task and language, all tested together; by place of the model, family,
            task and language.
        differences: of each model and language over the tasks that count for all languages, all
            tested together; by place of the model and code of the language.
        uncounted: why tasks do not count for ``differences``, by their name.
        puzzles: how many puzzles the common questions are.
        unaudited: a sentence may name a language whose wordings no speaker has read.
    """

    field: Entrants
    entries: tuple[Entry, ...]
    baseline: str
    accuracy: tuple[float, ...]
    ranks: tuple[Rank, ...]
    pairs: tuple[Cell, ...]
    languages: Mapping[str, tuple[tuple[float, ...], tuple[Rank, ...]]]
    gaps: Mapping[tuple[int, str, str, str], Cell]
    differences: Mapping[tuple[int, str], Cell]
    uncounted: Mapping[str, str]
    puzzles: int
    unaudited: bool = False

    @property
    def base(self) -> str:
        """The name of the baseline."""
        return labels.language(self.baseline).name

    @cached_property
    def readings(self) -> list[dict[str, tuple[float, ...]]]:
        """For each model by language the shares of the common answers that are correct.

        Read strictly, in the asked form and leniently, as in ``comparison.section``; none where
        another tool has graded the answers.
        """
        shares = []
        for entry in self.entries:
            frame = entry.to(self.field.common).astype(dict.fromkeys(MEASURES, float))
            frame = frame[frame["family"].map(lambda name: family(name).reads_responses)]
            sizes = frame.groupby(["language", "family", "task", "complexity"], dropna=False)
            tasks = sizes[list(MEASURES)].mean().groupby(level=[0, 1, 2]).mean()
            means = tasks.groupby(level=0).mean()
            shares.append({str(code): tuple(map(float, row)) for code, *row in means.itertuples()})
        return shares


def board(field: Entrants) -> Board:
    """Compute the leaderboard."""
    frames = {one.name: one.to(field.common).assign(model=one.name) for one in field.ranked}
    unranked = AnswerTable(pd.concat(frames.values(), ignore_index=True))
    means = _accuracies(one.cell for one in drafts(unranked, "model", within=(), ranked=True))
    entries = sorted(field.ranked, key=lambda one: (-round(means[one.name], 12), one.name))
    base = entries[0].scored.baseline
    table = AnswerTable(pd.concat([frames[one.name] for one in entries], ignore_index=True))
    accuracy, ranks, pairs = _ranked(table)
    place_of = {one.name: index for index, one in enumerate(entries)}
    counted, uncounted = common_tasks(table, base)
    within = ("model", "family", "task")
    gaps = {
        (place_of[cell.where["model"]], cell.family, cell.task, cell.other): cell
        for cell in compare(table, "language", base, within=within, required=False).cells
    }
    codes = dict.fromkeys(key[2] for key in field.common)
    return Board(
        field=field,
        entries=tuple(entries),
        baseline=base,
        accuracy=accuracy,
        ranks=ranks,
        pairs=pairs,
        languages={code: _ranked(table.where(language=code))[:2] for code in codes},
        gaps=gaps,
        differences={
            (place_of[cell.where["model"]], cell.other): cell
            for cell in compare(counted, "language", base, within=("model",), required=False).cells
        },
        uncounted=uncounted,
        puzzles=len(table.frame[["family", "task", "question"]].drop_duplicates()),
    )


def _ranked(
    table: AnswerTable,
) -> tuple[tuple[float, ...], tuple[Rank, ...], tuple[Cell, ...]]:
    """Accuracy and rank of each model, and every pair.

    A pair without a test is distinguished by nothing.
    """
    comparison = compare(table, "model", within=(), ranked=True)
    ranks, accuracies = comparison.ranks(), _accuracies(comparison.cells)
    return tuple(accuracies[name] for name in ranks), tuple(ranks.values()), comparison.cells


def _accuracies(cells: Iterable[Cell]) -> dict[str, float]:
    """Of the models of some pairs: means over tasks and languages, whose sizes count alike."""
    return {
        name: accuracy
        for cell in cells
        for name, accuracy in (
            (cell.baseline, cell.baseline_accuracy), (cell.other, cell.accuracy),
        )
    }  # fmt: skip


ENOUGH = 0.9
"""Share of the questions that most models answered, below which a model is not ranked."""


Question = tuple[str, ...]
"""Family, task, language and question."""

Conditions = Mapping[str, tuple[tuple[str, str], ...]]
"""For each family, what its questions depend on, by name."""


@dataclass(frozen=True)
class Entry:
    """One run of one model.

    Attributes:
        name: what to call it, one of a kind.
        folder: as it was given.
        scored: the run, without its records.
        answers: rows of an ``AnswerTable`` by ``Key``, of families whose answers are correct or
            wrong.
        conditions: for each family, under which conditions the questions were asked.
        settings: the fingerprint of how the answers were made.
    """

    name: str
    folder: Path
    scored: GradedRun
    answers: pd.DataFrame
    conditions: Conditions
    settings: Mapping[str, str]

    @cached_property
    def questions(self) -> pd.Index[Any]:
        """Of each answer, the question: its ``Key`` without the repeat."""
        return self.answers.index.droplevel(-1)

    def to(self, questions: Sequence[Question]) -> pd.DataFrame:
        """The answers to some questions, sorted."""
        return self.answers[self.questions.isin(list(questions))].sort_index()


@dataclass(frozen=True)
class Entrants:
    """The runs that are compared, and those that are not.

    Attributes:
        ranked: at least two.
        left_out: folder or model, and why it is not ranked.
        common: the questions that all of them answered.
        unlike: for each of them, in what its answers were made otherwise than most, in words.
        conditions: of the questions, by family.
    """

    ranked: tuple[Entry, ...]
    left_out: tuple[tuple[str, str], ...]
    common: tuple[Question, ...]
    unlike: Mapping[str, tuple[str, ...]]
    conditions: Conditions


def read_entries(
    folders: Sequence[Path],
    read: Callable[[Path, str | None], GradedRun] = lambda folder, model: score_folder(
        folder, model=model
    ),
) -> tuple[list[Entry], list[tuple[str, str]]]:
    """Grade the runs in some folders.

    Args:
        folders: results folders, of one model or several each.
        read: grades the run of a model in a folder.

    Returns:
        The runs, and the folders that cannot be read or whose questions are not those of their
        design or were chosen by their own answers, each with the reason.

    Raises:
        ValueError: a run was given twice.
    """
    entries: list[Entry] = []
    failed: list[tuple[str, str]] = []
    for folder, model in _runs(folders):
        try:
            scored = read(folder, model)
        except ValueError as error:
            failed.append((str(folder), str(error).removeprefix(f"{folder}: ")))
            continue
        frame = scored.table.frame
        chosen = sorted(set(frame["task"][frame["design"].str.startswith(ADAPTIVE)]))
        adaptive = (
            f"adaptive: its own answers chose the questions of {', '.join(chosen)}: give a run "
            "without --design adaptive"
        )
        if reason := adaptive * bool(chosen) or scored.proof.not_ranked:
            failed.append((str(folder), reason))
            continue
        twin = next((e for e in entries if identity(e.scored) == identity(scored)), None)
        if twin is not None:
            raise ValueError(
                f"{twin.folder} and {folder} are the same run: give the folder of each run once"
            )
        entries.append(_entry(scored, folder))
    return _distinguish_names(entries), failed


def _runs(folders: Sequence[Path]) -> Iterator[tuple[Path, str | None]]:
    """Yield each folder with each model in it; with ``None`` where there is one model or none.

    Each model of ``xlgo run --models`` has a folder: two of them may have the same name.
    """
    for path in folders:
        parts = (part for part in sorted(path.glob("*")) if part.is_dir() and files_in(part))
        for folder in [part for part in parts if models_in(part)] or [path]:
            models = models_in(folder)
            yield from ((folder, model) for model in (models if len(models) > 1 else [None]))


def choose(entries: Sequence[Entry], failed: Sequence[tuple[str, str]] = ()) -> Entrants:
    """Decide which runs may be compared, and on which questions.

    Questions must have been asked under the same conditions: those of most models count. A model
    that answered less than ``ENOUGH`` of what at least half of the others answered would take
    questions away from all, and is not ranked.

    Raises:
        ValueError: fewer than two are left; the message says why.
    """
    left_out = list(failed)
    families = Counter(name for entry in entries for name in set(entry.answers["family"]))
    names = [name for name, count in families.items() if 2 * count >= len(entries)]
    usual = {
        name: _most_common([e.conditions[name] for e in entries if name in e.conditions])
        for name in names
    }
    alike: list[Entry] = []
    of_design: dict[str, list[str]] = {}
    for entry in entries:
        if not set(names) & set(entry.answers["family"]):
            left_out.append((entry.name, "it has no answers that are right or wrong, as others do"))
        elif differing := "; ".join(_differing(entry.conditions, usual)):
            of_design.setdefault(differing, []).append(entry.name)
        else:
            alike.append(entry)
    for design, models in of_design.items():
        more = f" (as {len(models)} models: rank these apart)" if len(models) > 1 else ""
        left_out += [(name, f"other questions: {design}{more}") for name in models]
    counts = Counter(key for one in alike for key in {*one.questions} if key[0] in names)
    questions = {key for key, count in counts.items() if 2 * count >= len(alike)}
    ranked = []
    for entry in alike:
        if (answered := len(questions.intersection(entry.questions))) < ENOUGH * len(questions):
            left_out.append(
                (
                    entry.name,
                    f"it answered {answered:,} of the {len(questions):,} questions of the others",
                )
            )
        else:
            ranked.append(entry)
    common = questions.intersection(*(entry.questions for entry in ranked)) if ranked else set()
    if len(ranked) < 2 or not common:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out)
        raise ValueError(
            "a leaderboard needs two models that answered the same questions: give the results "
            "folders of two or more"
            f"{f' ({reasons})' if reasons else ''}"
        )
    return Entrants(tuple(ranked), tuple(left_out), tuple(sorted(common)), _unlike(ranked), usual)


def _entry(scored: GradedRun, folder: Path) -> Entry:
    by_family: dict[str, dict[str, set[str]]] = {}
    for key, record in scored.records:
        names = family_of(record.reference).conditions
        values = by_family.setdefault(key[0], {})
        for name in names & record.reference.keys():
            value = record.reference[name]
            values.setdefault(name, set()).add(
                value if isinstance(value, str) else json.dumps(value)
            )
    return Entry(
        name=scored.run.model,
        folder=folder,
        scored=replace(scored, records=()),
        answers=by_question(
            scored.table.frame.drop(columns="record"), ("family", "task", "language")
        ),
        conditions={
            family: tuple((name, MIXED.join(sorted(values[name]))) for name in sorted(values))
            for family, values in by_family.items()
        },
        settings=fingerprint(
            settings for several in scored.settings.values() for settings in several
        ),
    )


def _distinguish_names(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, those of one model distinguished by their folders."""
    models = Counter(entry.name for entry in entries)
    folders = Counter((entry.name, entry.folder.name) for entry in entries)
    return [
        replace(entry, name=f"{entry.name} ({short if is_alone and short else entry.folder})")
        if models[entry.name] > 1
        else entry
        for entry in entries
        for short in [entry.folder.name]
        for is_alone in [folders[entry.name, short] == 1]
    ]


def _most_common(values: Sequence[Any]) -> Any:
    """The most frequent value; of several, the first."""
    return Counter(values).most_common(1)[0][0] if values else ()


def _differing(conditions: Conditions, usual: Conditions) -> list[str]:
    """Describe how the questions of a run differ from those of most."""
    return [
        f"{name} of {family_name} ({own}, others {others})"
        for family_name in sorted(usual.keys() & conditions.keys())
        for name, (own, others) in unlike(
            dict(conditions[family_name]), dict(usual[family_name])
        ).items()
    ]


def _unlike(entries: Sequence[Entry]) -> dict[str, tuple[str, ...]]:
    """For each run, the settings in which it differs from most; a template is each model's own."""
    all_settings = [of_any_model(entry.settings) for entry in entries]
    usual = {
        name: _most_common([settings.get(name, "default") for settings in all_settings])
        for name in dict.fromkeys(chain(*all_settings))
    }
    return {
        entry.name: tuple(
            f"{name}: {own} (most: {most})" for name, (most, own) in unlike(usual, settings).items()
        )
        for entry, settings in zip(entries, all_settings)
    }


def family_tables(entries: Sequence[Entry]) -> list[Table]:
    """The tables that families have for many models, beyond correct answers."""
    sections: dict[str, dict[str, Section]] = {}
    for entry in entries:
        for name, section in entry.scored.score["families"].items():
            sections.setdefault(name, {})[entry.name] = section
    answers = {entry.name: entry.answers for entry in entries}
    return [
        rows
        for name, scores_by_model in sections.items()
        for rows in family(name).many(scores_by_model, answers)
    ]


def make(folders: Sequence[Path], read: Read) -> tuple[Board | None, int, list[Entry]]:
    """The board of some folders, how many of them cannot be read, and what was read.

    ``read`` grades a folder. There is no board of runs whose answers are not correct or
    incorrect, if their family has tables of its own for many models.

    Raises:
        ValueError: fewer than two models can be compared, or a run was given twice.
    """
    # A pattern such as results/* also finds folders that are no run.
    paths = [
        path for path in folders if path.suffix == ".jsonl" or not path.is_file() or tool_of(path)
    ]
    entries, failed = read_entries(paths, read)
    if not entries and len(reasons := {why for _, why in failed}) == 1:
        raise ValueError(
            f"{failed[0][0]}: {reasons.pop()}"
        )  # such as a baseline in which nothing was asked
    if not any(len(entry.answers) for entry in entries) and family_tables(entries):
        return None, len(failed), entries
    return board(choose(entries, failed)), len(failed), entries


def tell(ranked: Board | None, entries: Sequence[Entry]) -> None:
    """Print what could not be read, and which models are not ranked."""
    for entry in entries:
        entry.scored.problems.tell(entry.name)
    for name, why in ranked.field.left_out if ranked is not None else ():
        print(f"note: not ranked: {name}: {why}", file=sys.stderr)
