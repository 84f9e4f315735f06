"""What a judge says of answers: the kinds of their errors, and how far people agree with it.

``xlgo judge --errors`` asks about answers of any family or benchmark. A judge chooses from a
taxonomy. Answers that are truncated, missing or in a wrong form are counted
by rule: no judge is asked about them.

A taxonomy is a TOML file with a ``title``, a ``source``, a ``prompt`` with ``{question}``,
``{answer}``, ``{response}``, ``{labels}`` and ``{count}``, and ``[[label]]`` tables with ``name``,
``definition``, ``examples``, ``group`` (what it counts as; by default itself) and ``tasks`` (the
only ones for which it may be chosen). ``several = true`` allows any number of labels, ``every =
true`` asks about correct answers, too. ``[context]`` names a question that is shown as
``{context_question}`` and ``{context_solution}``.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from xlgo_lm_eval.arguments import check_names
from xlgo_metric.core import Grade, Reference, grouped
from xlgo_metric.family import CheckQuestion, Question, family_of, filled, grade_safely
from xlgo_metric.table import Column, Table, interval
from xlgo_metric.views import exact_limits

from ...display.formats import show
from ...folders import check_table, read_settings, write_json
from ...logs.lines import Problems, Sample, request_of
from ...logs.results import JUDGEMENTS, Run, find_run, models_in, read_judgements, read_samples
from ...parallel.answers import answers_of, choose, lines_of, read_log, response_of
from ...parallel.pairing import benchmark_of, matches
from .asking import JudgeModel, ask, folder_of, tell

TAXONOMIES = Path(__file__).parent / "taxonomies"
LONGEST = 20_000
"""Characters of a text that a judge sees; of a longer one the end."""

_OBJECT = re.compile(r"\{[^{}]{0,500}\}")
_FINAL = re.compile(r"final answer:[\s*]{0,9}(\d{1,3})", re.IGNORECASE)

_OF_FILE = {
    "title": "a text", "prompt": "a text", "label": "a list", "source": "a text",
    "several": "a boolean", "every": "a boolean", "context": "a table",
}  # fmt: skip
_OF_LABEL = {
    "name": "a text", "definition": "a text", "examples": "a list of texts", "group": "a text",
    "tasks": "a list of texts",
}  # fmt: skip
_FIELDS = ("question", "answer", "response", "labels", "count")
_CONTEXT = ("variant", "of", "same")
_CONTEXT_FIELDS = ("context_question", "context_solution")

ERRORS = "errors"
"""Begins the names of the files with kinds of error, and names the folder of the replies."""


Count = dict[str, Any]
"""How many answers of a group have an error; see ``counts``."""


Group = tuple[str, ...]
"""What a row of the table is about: model, task and language."""

WHERE = ("model", "task", "language", "question")
"""Columns of a file of labels that name an answer; only ``question`` is needed."""

Labels = frozenset[str]


@dataclass(frozen=True)
class Label:
    """A type of error.

    Attributes:
        group: what it counts as in tables.
        tasks: for which it may be chosen; all where this is empty.
    """

    name: str
    definition: str = ""
    examples: Sequence[str] = ()
    group: str = ""
    tasks: Sequence[str] = ()


@dataclass(frozen=True)
class Taxonomy:
    """Types of error, and how a judge is asked for them; see the top of the module."""

    name: str
    title: str
    prompt: str
    label: Sequence[Label]
    source: str = ""
    several: bool = False
    every: bool = False
    context: Mapping[str, str] = field(default_factory=dict)

    def labels(self, task: str) -> list[Label]:
        """Those for a task; none where it is not of this taxonomy."""
        return [label for label in self.label if not label.tasks or task in label.tasks]

    @property
    def groups(self) -> list[str]:
        """What tables count, in the order of the file."""
        return list(dict.fromkeys(label.group for label in self.label))

    def question(self, task: str, values: Mapping[str, str]) -> Question:
        """What a judge is asked about an answer to a task; ``values`` fill the prompt."""
        labels = self.labels(task)
        listed = "\n".join(f"{n}. {_described(label)}" for n, label in enumerate(labels, 1))
        more = {"labels": listed, "count": str(len(labels))}
        prompt = filled(self.prompt, {k: v[-LONGEST:] for k, v in values.items()} | more).strip()
        return Question(
            "errors",
            f"errors-{self.name}-2",
            prompt,
            lambda reply: self.read(task, reply) is not None,
            partial(_repaired, prompt),
        )

    def read(self, task: str, reply: str) -> tuple[str, ...] | None:
        """What the labels of a reply count as: of its last JSON object, or its final answer.

        ``None`` where it has neither, another label, or not as many as it should.
        """
        labels = self.labels(task)
        group_of = {label.name.casefold(): label.group for label in labels}
        group_of |= {str(n): label.group for n, label in enumerate(labels, 1)}
        objects = map(_labels_in, reversed(_OBJECT.findall(reply)))
        final = _FINAL.findall(reply)[-1:] or None
        names = next((entry for entry in objects if entry is not None), final)
        if names is None:
            return None
        groups = [group_of.get(str(label).strip().casefold()) for label in names]
        if None in groups or (len(groups) != 1 and not self.several):
            return None
        return tuple(dict.fromkeys(filter(None, groups)))


def read_taxonomy(name: str) -> Taxonomy:
    """A taxonomy of this package by its name, or a file of somebody's own.

    Raises:
        ValueError: there is none, or it is not as it should be.
    """
    path = Path(name) if name.endswith(".toml") else TAXONOMIES / f"{name}.toml"
    if not path.is_file():
        names = ", ".join(sorted(entry.stem for entry in TAXONOMIES.glob("*.toml")))
        raise ValueError(f"--errors {name}: unknown: allowed are {names}, or a TOML file")
    content = read_settings(path)
    where = f"{path}: not a taxonomy of errors"
    check_table(where, content, _OF_FILE, ("title", "prompt", "label"))
    for number, label in enumerate(content["label"], 1):
        check_table(f"{where}: label {number}", label, _OF_LABEL, ("name",))
    fields: Sequence[str] = _FIELDS
    if context := content.get("context"):
        check_table(f"{where}: context", context, dict.fromkeys(_CONTEXT, "a text"), _CONTEXT)
        fields = (*_FIELDS, *_CONTEXT_FIELDS)
    shown = re.findall(r"\{(\w+)\}", content["prompt"])
    check_names(f"{where}: prompt", shown, fields, is_open=False)
    entries = content.pop("label")
    labels = [Label(**{**entry, "group": entry.get("group") or entry["name"]}) for entry in entries]
    return Taxonomy(path.stem, label=labels, **content)


def _described(label: Label) -> str:
    examples = f" Examples: {'; '.join(label.examples)}." if label.examples else ""
    return f"{label.name}{': ' * bool(label.definition)}{label.definition}{examples}"


def _labels_in(text: str) -> list[Any] | None:
    """The labels in a JSON object, under ``error``."""
    try:
        labels = json.loads(text).get("error")
    except ValueError:
        return None
    return labels if isinstance(labels, list) else None if labels is None else [labels]


def _repaired(prompt: str, bad: str) -> str:
    return (
        f"{prompt}\n\nYour last reply could not be read. It was:\n<reply>\n{bad[-LONGEST:]}\n"
        "</reply>\nGive the same judgement again, in the form that is asked for and with one of "
        "the names or numbers above."
    )


@dataclass(frozen=True)
class Judged:
    """An answer and what is wrong with it.

    Attributes:
        where: what names it, see ``WHERE``; its question is the same in all languages.
        values: what fills the judge's prompt; empty where no judge is asked.
        errors: its types of error: by rule, or as the judge replied; ``None`` without a reply.
    """

    where: tuple[str, ...]
    values: Mapping[str, str]
    errors: tuple[str, ...] | None = None


def judge_errors(args: argparse.Namespace, judge: JudgeModel, people: pd.DataFrame | None) -> int:
    """Have a judge say which errors answers have, and write and print how many there are of each.

    Args:
        args: ``errors`` (the taxonomy), ``results``, ``answers_of`` (which of them);
            ``parallel`` (a pattern of the names of tasks, with ``{lang}``), and for that ``metric``
            and ``filter`` (those of the log that count; default: the first).
        judge: whom to ask.
        people: labels of people, from ``labels_of``.

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
        CheckQuestion(str(number), taxonomy.question(answer.where[1], answer.values))
        for number, answer in enumerate(answers)
        if answer.values
    ]
    outcome = ask(questions, args.results, judge, kind=ERRORS)
    for name, reply in outcome.replies.items():
        answer = answers[int(name)]
        answers[int(name)] = replace(answer, errors=taxonomy.read(answer.where[1], reply))
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


def labels_of(path: Path) -> pd.DataFrame:
    """A CSV file of labels: ``question``, ``label`` (several joined by ``;``), perhaps ``WHERE``.

    Raises:
        ValueError: it cannot be read, lacks a column or names an answer twice.
    """
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"--labels {path}: not a readable CSV file ({error})") from None
    if missing := {"question", "label"} - {*frame}:
        raise ValueError(f"--labels {path}: no column {', '.join(sorted(missing))}")
    keys = [name for name in WHERE if name in frame]
    if frame.duplicated(keys).any():
        twice = frame.loc[frame.duplicated(keys), "question"].iloc[0]
        raise ValueError(f"--labels {path}: {twice} has two rows: add a column of {WHERE[:3]}")
    return frame


def agreement(
    people: pd.DataFrame,
    judged: Sequence[tuple[Sequence[str], Sequence[str] | None]],
    judge: str,
    groups: Mapping[str, str] = {},
) -> Table:
    """How far a judge agrees with people, a row for each of their labels and one for all.

    Args:
        people: from ``labels_of``.
        judged: what names each answer (``WHERE``), and its labels; ``None`` where no reply could
            be read.
        groups: what labels count as, where that is another name.

    Raises:
        ValueError: no label is of one of these answers.
    """
    keys = [name for name in WHERE if name in people]
    folded = {name.casefold(): group.casefold() for name, group in groups.items()}
    by_key = {
        tuple(dict(zip(WHERE, name))[column] for column in keys): labels for name, labels in judged
    }
    compared = [
        (text.split(";"), by_key[tuple(key)])
        for *key, text in people[[*keys, "label"]].itertuples(index=False)
        if tuple(key) in by_key
    ]
    if not compared:
        raise ValueError("--labels: no label is of an answer that was judged")
    pairs = [
        (_labels(human, folded), _labels(labels))
        for human, labels in compared
        if labels is not None
    ]
    rows = []
    names = sorted({name for human, _ in pairs for name in human})
    for label in [*names, "all"] if pairs else []:
        is_all = label == "all"
        alike = [
            human == model if is_all else label in model
            for human, model in pairs
            if is_all or label in human
        ]
        share = 1 - sum(alike) / len(alike)
        limits = map(float, exact_limits(share, len(alike)))
        rows.append((label, len(alike), sum(alike), share, *limits))
    return Table(
        "agreement",
        f"{judge} against people",
        (
            Column("label of people"),
            Column("answers", "count"),
            Column("judged alike", "count"),
            Column("judged otherwise", "share", 1, unit="%"),
            *interval("95% interval", "share", 1),
        ),
        tuple(rows),
        f"Exact intervals over answers. Cohen's kappa {_kappa(pairs):.2f}; "
        f"{len(compared) - len(pairs)} replies could not be read.",
    )


def _labels(texts: Sequence[str], folded: Mapping[str, str] = {}) -> Labels:
    """Labels whose case does not matter, by what they count as."""
    names = (text.strip().casefold() for text in texts)
    return frozenset(folded.get(name, name) for name in names)


def _kappa(pairs: Sequence[tuple[Labels, Labels]]) -> float:
    """Cohen's kappa of two sides; NaN without pairs, or where chance alone makes them agree."""
    from sklearn.metrics import cohen_kappa_score

    names = [[";".join(sorted(labels)) for labels in pair] for pair in pairs]
    return float(cohen_kappa_score(*zip(*names))) if len({*chain(*names)}) > 1 else math.nan


def show_agreement(run: Run, people: pd.DataFrame, judge: str) -> None:
    """Print how far a judge's verdicts on the answers of a run agree with those of people.

    Correct answers that it rejects and incorrect ones that it accepts are the false positives and
    false negatives of table 11 of the UNPUZZLES paper.

    Raises:
        ValueError: no label is of one of these answers.
    """
    judged = [
        ([*where_of(run, sample)], None if grade.status == "needs_judge" else (grade.status,))
        for sample, grade in graded(run, judge)
        if grade.status == "needs_judge" or "judge" in grade.details
    ]
    show(agreement(people, judged, judge))


def graded(run: Run, judge: str | None = None) -> Iterator[tuple[Sample, Grade]]:
    """The answers of a run that are there, graded, by a judge where it was asked.

    Args:
        judge: see ``read_judgements``.
    """
    judgements = read_judgements([file.path for file in run.files], judge)
    for sample in read_samples(run):
        if sample.reply.is_there:
            own = family_of(sample.reference).grade
            grade = grade_safely(own, sample.response, sample.graded_by)
            if judgements is not None:
                grade = judgements.decide(grade, sample.response, sample.reference)
            yield sample, grade


def where_of(run: Run, sample: Sample) -> tuple[str, ...]:
    """What names an answer; see ``WHERE``."""
    names = (sample.reference.get(name, "") for name in ("task", "language"))
    question = sample.reference.get("instance_id", sample.where)
    return (run.model, *map(str, (*names, question)))
