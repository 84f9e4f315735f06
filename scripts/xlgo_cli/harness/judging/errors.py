"""``xlgo judge --errors``: what kinds of error the answers of any family or benchmark have.

A judge chooses from a taxonomy (``taxonomy``). Answers that are truncated, missing or in a wrong
form are counted by rule: no judge is asked about them.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from xlgo_metric.core import Reference, grouped
from xlgo_metric.family import CheckQuestion
from xlgo_metric.table import Column, Table, interval
from xlgo_metric.views import exact_limits

from ...display.formats import show
from ...folders import write_json
from ...logs.lines import Problems, request_of
from ...logs.results import JUDGEMENTS, Run, find_run, models_in
from ...parallel.answers import answers_of, choose, lines_of, read_log, response_of
from ...parallel.pairing import benchmark_of, matches
from .asking import JudgeModel, ask, folder_of, tell
from .people import WHERE, agreement, graded, where_of
from .taxonomy import Taxonomy, read_taxonomy

ERRORS = "errors"
"""Begins the names of the files with kinds of error, and names the folder of the replies."""


Count = dict[str, Any]
"""How many answers of a group have an error; see ``counts``."""


Group = tuple[str, ...]
"""What a row of the table is about: model, task and language."""


@dataclass(frozen=True)
class Judged:
    """An answer and what is wrong with it.

    Attributes:
        where: what names it, see ``people.WHERE``; its question is the same in all languages.
        values: what fills the judge's prompt; empty where no judge is asked.
        errors: its types of error: by rule, or as the judge replied; ``None`` without a reply.
    """

    where: tuple[str, ...]
    values: Mapping[str, str]
    errors: tuple[str, ...] | None = None

    @property
    def task(self) -> str:
        """Its task."""
        return self.where[1]


def judge_errors(args: argparse.Namespace, judge: JudgeModel, people: pd.DataFrame | None) -> int:
    """Have a judge say which errors answers have, and write and print how many there are of each.

    Args:
        args: ``errors`` (the taxonomy), ``results``, ``answers_of`` (which of them);
            ``parallel`` (a pattern of the names of tasks, with ``{lang}``), and for that ``metric``
            and ``filter`` (those of the log that count; default: the first).
        judge: whom to ask.
        people: labels of people, from ``people.labels_of``.

    Returns:
        1 if something could not be read or was not answered, else 0.

    Raises:
        ValueError: an unknown taxonomy, no task or answer fits, the log has no such measure, or a
            file cannot be read or written; see ``asking.ask``.
    """
    taxonomy, problems, totals = read_taxonomy(args.errors), Problems(), Counter[Group]()
    models = [args.answers_of] if args.answers_of else models_in(args.results)
    answers = [
        answer
        for run in (find_run(args.results, model=name) for name in models)
        for answer in (
            _logged(args, run, problems, totals)
            if args.parallel
            else _graded(taxonomy, run, problems, totals)
        )
    ]
    for problem in problems.items:
        print(f"note: {problem}", file=sys.stderr)
    if not answers:
        kind = "" if taxonomy.every else " that is incorrect"
        raise ValueError(f"{args.results}: no answer{kind} to a task of {taxonomy.name}")
    questions = [
        CheckQuestion(str(number), taxonomy.question(answer.task, answer.values))
        for number, answer in enumerate(answers)
        if answer.values
    ]
    outcome = ask(questions, args.results, judge, kind=ERRORS)
    for name, reply in outcome.replies.items():
        answer = answers[int(name)]
        answers[int(name)] = replace(answer, errors=taxonomy.read(answer.task, reply))
    rows = counts(taxonomy, answers, totals)
    path = folder_of(args.results) / JUDGEMENTS / f"{ERRORS}-{taxonomy.name}-{outcome.judge}.json"
    labels = [{**dict(zip(WHERE, answer.where)), "errors": answer.errors} for answer in answers]
    write_json(
        path,
        {"judge": outcome.judge, "taxonomy": taxonomy.name, "rows": rows, "answers": labels},
    )
    tell(outcome)
    tables = [table(taxonomy, outcome.judge, rows)]
    if people is not None:
        groups = {answer.name: answer.group for answer in taxonomy.label}
        judged = [(answer.where, answer.errors) for answer in answers]
        tables.append(agreement(people, judged, outcome.judge, groups))
    show(*tables)
    print(path)
    return 1 if problems.lost else outcome.code


def _graded(
    taxonomy: Taxonomy, run: Run, problems: Problems, totals: Counter[Group]
) -> Iterator[Judged]:
    """The answers of a run of this package that are to be judged, and those that need no judge."""
    samples = [*graded(run)]
    problems.items += run.problems.items
    puzzles = {
        str(sample.reference.get(same)): sample.reference
        for same in [taxonomy.context.get("same", "")]
        for sample, _ in samples
        if same and _variant(sample.reference) == taxonomy.context["variant"]
    }
    for sample, grade in samples:
        reference, where = sample.reference, where_of(run, sample)
        if not taxonomy.labels(where[1]):
            continue
        puzzle: Reference = {}
        if taxonomy.context:
            if _variant(reference) != taxonomy.context["of"]:
                continue
            puzzle = puzzles.get(str(reference.get(taxonomy.context["same"])), {})
            if not puzzle:
                raise ValueError(
                    f"{sample.where}: {taxonomy.name} needs the question's variant "
                    f"{taxonomy.context['variant']!r} in the same results"
                )
        totals[where[:3]] += 1
        if grade.status in ("no_answer", "bad_format", "truncated") and not taxonomy.every:
            yield Judged(where, {}, (grade.status,))
        elif taxonomy.every or grade.status == "wrong":
            gold = reference.get("answer")
            values = {
                "question": sample.prompt,
                "answer": gold if isinstance(gold, str) else json.dumps(gold, ensure_ascii=False),
                "response": sample.response or "",
                **{f"context_{key}": str(puzzle.get(key, "")) for key in ("question", "solution")},
            }
            yield Judged(where, values)


def _variant(reference: Reference) -> object:
    params = reference.get("params")
    return params.get("variant") if isinstance(params, dict) else None


def _logged(
    args: argparse.Namespace, run: Run, problems: Problems, totals: Counter[Group]
) -> Iterator[Judged]:
    """The answers to another benchmark that its log calls wrong."""
    newest = {file.task: file for file in reversed(run.files)}
    about = benchmark_of(args.parallel)
    tasks = matches(about.pattern, newest)
    if not tasks:
        raise ValueError(
            f"--parallel {args.parallel!r}: no task fits: there are {', '.join(newest)}"
        )
    for language, subjects in tasks.items():
        logs = {subject: read_log(newest[name], problems) for subject, name in subjects.items()}
        choice = choose(next(iter(logs.values())), args.metric, args.filter, about.filter)
        ((_, frame),) = answers_of({language: logs}, choice)
        group = (run.model, about.title, language)
        totals[group] = len(frame)
        for row, line in lines_of(frame[~frame["correct"]]):
            values = {
                "question": request_of(line),
                "answer": json.dumps(line.get("target"), ensure_ascii=False),
                "response": response_of(line),
            }
            yield Judged((*group, str(row.doc_id)), values)


def counts(
    taxonomy: Taxonomy, answers: Sequence[Judged], totals: Mapping[Group, int]
) -> list[Count]:
    """A row for each group and type of error: how many of the classified answers have it.

    ``answers`` are all, ``judged`` those that were to be classified, ``classified`` those of which
    a type is known; ``share``, ``low`` and ``high`` are fractions of these, with the exact 95%
    interval.
    """
    rows, by_group = [], grouped(answers, lambda answer: answer.where[:3])
    for group, n in totals.items():
        of_group = by_group.get(group, [])
        known_errors = [answer.errors for answer in of_group if answer.errors is not None]
        types = Counter(error for errors in known_errors for error in errors)
        may_be = {*types, *(label.group for label in taxonomy.labels(group[1]))}
        by_rule = sorted(may_be - {*taxonomy.groups})
        total = len(known_errors)
        for name in [*filter(may_be.__contains__, taxonomy.groups), *by_rule]:
            share = types[name] / total if total else None
            low, high = (None, None) if share is None else map(float, exact_limits(share, total))
            rows.append({
                **dict(zip(WHERE, group)), "answers": n, "judged": len(of_group),
                "classified": total, "error": name, "n": types[name], "share": share,
                "low": low, "high": high,
            })  # fmt: skip
    return rows


def table(taxonomy: Taxonomy, judge: str, rows: Sequence[Count]) -> Table:
    """A row for each model, task, language and type of error."""
    heads = (
        *map(Column, ("model", "task", "language")),
        *(Column(name, "count") for name in ("answers", "judged", "classified")),
        Column("error"),
        Column("n", "count"),
        Column("share", "share", 1, unit="%"),
        *interval("95% interval", "share", 1),
    )
    return Table(
        ERRORS,
        taxonomy.title,
        heads,
        tuple(tuple(row.values()) for row in rows),
        f"Shares of the classified answers, by {judge}; no_answer, bad_format and truncated are by "
        "rule and always classified, so their share is too high where fewer are classified than "
        f"judged. --labels says how far it agrees with people. Source: {taxonomy.source}.",
    )
