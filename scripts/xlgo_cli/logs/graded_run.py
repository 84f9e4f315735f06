"""Grading a run again, without the model.

Answers that are missing or refused are in no rate, and are counted by task, language and reason.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

import xlgo_dataset as xd
from xlgo_lm_eval.answers import LENGTH, MISSING, REFUSED
from xlgo_metric.comparison import Answer, AnswerTable, answer_of
from xlgo_metric.core import PLAIN, Grade, Record, Reference, condition, grouped
from xlgo_metric.family import family, family_of, grade_safely
from xlgo_metric.reading.thinking import join_thinking, split_thinking
from xlgo_metric.scoring import Score, cut_off, read_reference, summarize_rows
from xlgo_metric.table import Table, points

from .. import workers
from ..display import labels
from .costs import Costs
from .lines import Problems, Sample, Settings, fingerprint, fingerprint_line
from .questions import Proof, Questions, Required
from .results import Judgements, Run, check_complete, find_run, read_judgements, read_samples

SCHEMA = 2
"""Of the score as it is written to files."""

PROMPT_HEAD, PROMPT_TAIL = 1500, 1200
"""Characters of a long prompt that a page keeps; the question is at the end."""


Key = tuple[str, str, str, str, int]
"""Family, task, language, question and repeat."""
Row = tuple[Key, Record]
Work = tuple[str | None, dict[str, object], bool]
"""What grading needs: the response, what it is graded against, and whether it was cut off."""


Place = tuple[str, str, str]
"""Family, task and language."""

_LEVEL = 0.05
_SHOWN = 3
_LONGEST = 120


Absent = Counter[tuple[Place, str, str]]
"""How many answers of a run are not there, by place, state and reason."""


def by_place(absent: Absent) -> Counter[Place]:
    """How many answers lack in each place, of all states."""
    return Counter(place for place, *_ in absent.elements())


def absent_in_words(absent: Absent) -> str:
    """How many answers lack, by state, language and reason, in one sentence."""
    by_language: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for ((_, _, language), state, reason), n in absent.items():
        by_language[state, language][reason] += n
    parts = [
        f"{labels.language(language).name or language} {counts.total():,} {state} "
        f"({'; '.join(reason for reason, _ in counts.most_common(_SHOWN))})"
        for (state, language), counts in by_language.items()
    ]
    return f"{absent.total():,} answers are in no rate: {', '.join(parts)}"


def absent_as_json(absent: Absent, asked: Mapping[Place, int]) -> list[dict[str, Any]]:
    """A row for each place in which answers lack.

    Args:
        absent: those that lack.
        asked: how many answers each place should have.
    """
    entries_by_place = grouped(absent.most_common(), lambda entry: entry[0][0])
    return [
        {
            **dict(zip(("family", "task", "language"), place)),
            "asked": asked[place],
            **{
                state: sum(n for (_, of, _), n in entries if of == state)
                for state in (MISSING, REFUSED)
            },
            "reasons": [
                {"state": state, "reason": reason, "n": n} for (_, state, reason), n in entries
            ],
        }
        for place, entries in entries_by_place.items()
    ]


def unequal(
    absent: Mapping[Place, int],
    asked: Mapping[Place, int],
    records: Iterable[tuple[tuple[Any, ...], Record]],
    base: str,
) -> dict[Place, tuple[float, float]]:
    """The languages in which more or fewer answers lack than in the baseline, beyond chance.

    Fisher's exact test of each language and task, corrected after Bonferroni at 5% together.

    Args:
        absent: how many answers lack in each place; 0 where it has none.
        asked: how many it should have.
        records: the graded answers by family, task, language and more.
        base: code of the baseline.

    Returns:
        By place, bounds of the gap (a difference of accuracies): every answer that lacks is right
        in one of the two languages and wrong in the other.
    """
    right = Counter(
        key[:3]
        for key, record in records
        if record.grade.correct and condition(record.reference) == PLAIN
    )
    pairs = [
        (cell, of_base)
        for cell in asked
        for of_base in [(*cell[:2], base)]
        if cell != of_base and of_base in asked and absent[cell] + absent[of_base]
        if family(cell[0]).is_binary
    ]
    bounds = {}
    for pair in pairs:
        from scipy.stats import fisher_exact  # half a second to import, and rarely needed

        table = [(absent[p], asked[p] - absent[p]) for p in pair]
        if len(pairs) * fisher_exact(table)[1] > _LEVEL:
            continue
        (low, high), (base_low, base_high) = (
            (right[p] / asked[p], (right[p] + absent[p]) / asked[p]) for p in pair
        )
        bounds[pair[0]] = (base_low - high, base_high - low)
    return bounds


def unequal_in_words(
    place: Place,
    bounds: tuple[float, float],
    absent: Mapping[Place, int],
    asked: Mapping[Place, int],
    base: str,
) -> str:
    """What ``unequal`` says of a place, with its arguments, in words."""
    task, language = labels.task(place[1]).title, labels.language(place[2]).name
    of_base = (*place[:2], base)
    return (
        f"{task}: {absent[place]} of {asked[place]} answers are missing in {language}, "
        f"{absent[of_base]} of {asked[of_base]} in {labels.language(base).name}, "
        f"more than chance explains. With all of them right or all wrong the gap would be "
        f"between {points(bounds[0], 0)} and {points(bounds[1], 0)} points: no result"
    )


@dataclass(eq=False)
class GradedRun:
    """A run and its score.

    Attributes:
        run: the files, and what could not be read of them.
        score: what :func:`xlgo_metric.scoring.score` returns.
        settings: for each family and task, how the answers that count were made.
        records: the graded responses without their texts, each with its family, task, language,
            question (by its instance id, and its condition unless plain) and repeat.
        options: of the statistics that the score was made with.
        judge: the name of the judge whose judgements count, if there is one.
        beside: tables that the score has not.
        asked: how many answers its logs have of each family, task and language, those among them
            that are missing or refused.
        lacking: answers that the harness has counted and no log has.
        absent: the answers that are missing or refused.
        proof: what generating its questions again has shown.
        costs: what the answers took.
        texts: the answers with their texts, where these were to be kept and are not too long.
    """

    run: Run
    score: Score = field(default_factory=lambda: Score({}))
    settings: dict[tuple[str, str], set[Settings | None]] = field(default_factory=dict)
    records: Collection[Row] = field(default_factory=list)
    options: Mapping[str, object] = field(default_factory=dict)
    judge: str | None = None
    beside: Sequence[Table] = ()
    asked: Counter[Place] = field(default_factory=Counter)
    lacking: int = 0
    absent: Absent = field(default_factory=Counter)
    proof: Proof = field(default_factory=Proof)
    costs: Costs = field(default_factory=Costs)
    texts: dict[Key, Sample] | None = None
    _repeats: set[tuple[Place, str, int]] = field(default_factory=set)

    @property
    def count(self) -> int:
        """Graded responses."""
        return len(self.records)

    @property
    def baseline(self) -> str:
        """The language that the others are compared with."""
        return str(self.options.get("baseline", labels.ENGLISH))

    @property
    def waiting(self) -> int:
        """Responses that a judge can decide and has not been asked about."""
        return sum(
            record.grade.status == "needs_judge" and "judge" not in record.grade.details
            for _, record in self.records
        )

    def answers(self, model: str | None = None, measures: Sequence[str] = ()) -> Iterator[Answer]:
        """Its answers as rows of an ``AnswerTable``.

        Args:
            model: what to call the model.
            measures: names of measures that the rows shall have; without any, only families whose
                answers are right or wrong have rows.
        """
        for (name, *_, identity, repeat), record in self.records:
            is_included = bool(measures) or family(name).is_binary
            if is_included and not record.grade.is_missing:
                question = identity.removesuffix(f":{condition(record.reference)}")
                yield answer_of(
                    record, question, repeat, model=model or self.run.model, measures=measures
                )

    @functools.cached_property
    def table(self) -> AnswerTable:
        """Its answers to plain questions, of families whose answers are right or wrong."""
        return AnswerTable.of_answers(self.answers()).plain.decided

    @property
    def problems(self) -> Problems:
        """What could not be read, or was left out."""
        return self.run.problems

    def present(self, samples: Iterable[Sample]) -> Iterator[tuple[Sample, Work]]:
        """The answers that are there, each with what grading needs; others are counted."""
        for sample in samples:
            reply = sample.reply
            # A response that is not complete says how far its chain came; its family knows.
            is_chain = reply.state == MISSING and (sample.response or "").startswith("{")
            if reply.is_there or is_chain:
                is_cut = reply.finish == LENGTH
                response = join_thinking(sample.response, reply.reasoning, is_cut=is_cut)
                is_same = response == sample.response
                told = sample if is_same else replace(sample, response=response)
                yield told, (response, sample.graded_by, is_cut)
                continue
            with suppress(ValueError):  # a question of a family that is not installed
                self._count(place_of(sample.reference), sample, is_absent=True)

    def _count(self, cell: Place, sample: Sample, *, is_absent: bool) -> None:
        reply = sample.reply
        if is_absent:
            state = MISSING if reply.is_there else reply.state
            self.absent[cell, state, (reply.error or "not known")[:_LONGEST]] += 1
        self.asked[cell] += 1
        self.costs.count(cell, sample)

    def row(self, sample: Sample, grade: Grade) -> Row:
        """The record of a graded sample; counts what it took and whether it is missing."""
        if "error" in grade.details:
            reason = f"grading raised {grade.details['error']}: it counts as bad_format"
            self.run.problems.add_line(sample.file.path, sample.line, "answer", reason)
        reference, cell = sample.reference, place_of(sample.reference)
        identity = str(reference.get("instance_id") or sample.where)
        identity += "" if condition(reference) == PLAIN else f":{condition(reference)}"
        repeat = sample.repeat
        while (cell, identity, repeat) in self._repeats:  # another wording of the same instance
            repeat += 1
        self._repeats.add((cell, identity, repeat))
        self.settings.setdefault(cell[:2], set()).add(sample.file.settings)
        self._count(cell, sample, is_absent=grade.is_missing)
        return (*cell, identity, repeat), _record(sample, grade)

    def tell_of_cut_prompts(self) -> None:
        """Add to the problems what is known about prompts that the backend cut."""
        columns = ["is_cut", "is_there"]
        counts = self.costs.frame.groupby(["task", "language"])[columns].sum().astype(int)
        for (task, language), cut, asked in counts[counts["is_cut"] > 0].itertuples():
            self.run.problems.add(
                f"{labels.task(task).title}, {labels.language(language).name}",
                f"{cut} of {asked} prompts have more tokens than the "
                "model's context leaves for them: the backend cut them, or the room for the answer",
                lost=False,
            )


def score_folder(
    path: Path | Run,
    *,
    model: str | None = None,
    judge: str | None = None,
    options: Mapping[str, object] | None = None,
    partial: bool = False,
    quiet: bool = False,
    counter: Callable[[str], int] | None = None,
    required: Required | None = None,
    texts: int = 0,
) -> GradedRun:
    """Grade everything in a results folder or file of samples.

    Questions and golds of generated tasks are made again (see ``questions``); what differs in the
    folder is a problem.

    Args:
        path, model: see :func:`xlgo_cli.logs.results.find_run`; or a run that was found.
        judge: whose judgements count, see :func:`xlgo_cli.logs.results.read_judgements`.
        options: of the statistics, see ``options`` of the families.
        partial: missing answers are noted, not counted as lost.
        quiet: show no progress bar.
        counter: counts the tokens of a text, in place of those that the log has.
        required: the host's design, see ``questions.read_design``; by default the run's own.
        texts: keep the texts of answers with so many characters altogether.

    Raises:
        ValueError: there is nothing that can be graded, or an option is not allowed; the message
            says why.
    """
    run = path if isinstance(path, Run) else find_run(path, model=model)
    graded = GradedRun(run, options=options or {}, costs=Costs(counter))
    judgements = read_judgements([file.path for file in run.files], judge)
    questions = Questions(run, required)
    rows = _read(graded, questions, judgements, texts, quiet=quiet)
    graded.lacking = check_complete(run, partial=partial)
    graded.proof = proof = questions.finish()
    absent, lacking = graded.absent, by_place(graded.absent)
    # Of a log that was cut, lines lack: answers that the design has, and nothing says why. Under
    # conditions it is not known of which answers.
    is_plain = all(condition(record.reference) == PLAIN for _, record in rows)
    without = {(xd.family_of(t).name, t, code): n for (t, code), n in proof.missing.items()}
    cut = Counter(without if is_plain else {}) - lacking
    lacking, asked = lacking + cut, graded.asked + cut
    run.problems.items += proof.differs.items
    for why, number in proof.logged.items():
        words = f"{number:,} answers are graded against references as logged: {why}"
        run.problems.add(run.model, words, lost=False)
    if proof.lacking and not (absent or graded.lacking):
        run.problems.add(
            run.model, f"{proof.lacking} (score what is there with --partial)", lost=not partial
        )
    differing = unequal(lacking, asked, rows, graded.baseline)
    rows = [(key, replace(one, lacking=key[:3] in differing)) for key, one in rows]
    score, faults = (
        summarize_rows((record for _, record in rows), **graded.options) if rows else ({}, [])
    )
    for fault in faults:
        run.problems.add(fault.record.where, f"{fault.why}; left out")
    unusable = {id(fault.record) for fault in faults}
    graded.records = [row for row in rows if id(row[1]) not in unusable]
    if absent:
        words = f"{absent_in_words(absent)} (the command of the run asks for what is missing again)"
        run.problems.add(str(run.files[0].path.parent), words, lost=not partial)
    if not score:
        raise ValueError(_nothing_graded(run))
    graded.tell_of_cut_prompts()
    settings = fingerprint(
        settings_of_run for of_task in graded.settings.values() for settings_of_run in of_task
    )
    if judgements is not None:
        graded.judge = judgements.judge
    graded.score = Score({
        "schema": SCHEMA,
        "generation": fingerprint_line(settings),
        "cost": graded.costs.as_json(),
        **score,
        **({"as_logged": dict(proof.logged)} if proof.logged else {}),
    })  # fmt: skip
    warnings = [
        *([absent_in_words(absent)] if absent else []),
        *(unequal_in_words(*item, lacking, asked, graded.baseline) for item in differing.items()),
        *score.get("warnings", []),
    ]
    if warnings:
        graded.score["warnings"] = warnings
    if absent:
        graded.score["missing"] = absent_as_json(absent, graded.asked)
    return graded


def _read(
    graded: GradedRun,
    questions: Questions,
    judgements: Judgements | None,
    texts: int,
    *,
    quiet: bool,
) -> list[Row]:
    """Read and grade the samples of a run."""
    run, rows, kept = graded.run, list[Row](), dict[Key, Sample]()
    samples = tqdm(
        read_samples(run, questions.saw),
        desc="Reading and grading",
        unit=" answers",
        leave=False,
        disable=True if quiet else None,  # None: where standard error is no terminal
    )
    work = graded.present(questions.again(samples))
    for sample, grade in workers.in_order(_grade, work):
        if isinstance(grade, str):
            reason = f"column doc.reference: cannot be graded against ({grade})"
            run.problems.add_line(sample.file.path, sample.line, "reference", reason)
            continue
        if judgements is not None:
            grade = judgements.decide(grade, sample.response, sample.reference)  # noqa: PLW2901
        rows.append(graded.row(sample, grade))
        if texts > 0:
            texts -= len(sample.prompt) + len(sample.response or "")
            kept[rows[-1][0]] = sample
    graded.texts = kept if texts > 0 else None
    return sorted(rows, key=lambda row: labels.task_order(row[0][1], row[0][0]))


def _nothing_graded(run: Run) -> str:
    """Why there is no score, and what to do."""
    if run.problems.foreign and not run.problems.lost:
        example = next((f", such as {file.task}" for file in run.files if file.task), "")
        return (
            f"the samples of {run.model} are of tasks outside xlgo{example}: add --parallel to "
            "compare their languages, with a pattern such as 'mgsm_direct_{lang}' if each "
            "language is a task"
        )
    reasons = "; ".join(str(problem) for problem in run.problems.items[:5])
    return f"no sample of {run.model} could be graded: {reasons}"


def place_of(reference: Reference) -> Place:
    """The family, task and language of a reference."""
    name, language = family_of(reference).name, str(reference.get("language", ""))
    return name, str(reference["task"]), language


def _grade(work: Work) -> Grade | str:
    """The grade of a response, or why its reference cannot be used."""
    response, reference, is_cut = work
    try:
        reference = read_reference(reference)
        where = str(reference.get("instance_id") or reference["task"])
        grade = grade_safely(family_of(reference).grade, response, reference, where=where)
        return cut_off(grade) if is_cut else grade
    except ValueError as error:
        return str(error)


def _record(sample: Sample, grade: Grade) -> Record:
    """What the summary needs of a response: no texts, of which there may be gigabytes."""
    grading_only_fields = family_of(sample.reference).grading_only_fields
    reference = {
        key: value for key, value in sample.reference.items() if key not in grading_only_fields
    }
    if (structure := xd.isomorphism_hash_of(reference)) is not None:
        reference["structure"] = structure
    if "answer" in grading_only_fields:
        grade = replace(grade, answer=None)
    text = sample.reply.reasoning or split_thinking(sample.response or "").thinking
    return Record(
        grade,
        reference,
        thinking_length=None if text is None else len(text),
        run=sample.file.date,
        where=sample.where,
    )


def shorten(text: str, head: int, tail: int) -> str:
    """The beginning and the end of a long text, and between them how much was left out."""
    if len(text) <= head + tail:
        return text
    cut = len(text) - head - tail
    return f"{text[:head]}\n[… {cut:,} characters left out …]\n{text[len(text) - tail :]}"


_PARTS = {
    "curve": (
        "avg_acc", "avg_acc_sd", "band", "identified", "coarse", "supported", "most",
        "smd_sd", "c_star", "c_star_sd", "f_en", "f_en_sd", "f_l", "f_l_sd", "rd", "rd_sd",
    ),
    "at_levels": ("solves", "small", "sides", "extreme", "pooled", "crossing"),
}  # fmt: skip
"""Entries of a language in a score that stand together in ``scores.json``."""


def filed(score: Any) -> Any:
    """A score, or a part of it, as ``scores.json`` has it: no language has more than 15 entries.

    ``curve`` holds what follows from the curves besides ``fit`` and ``smd``, ``at_levels`` what
    single levels show.
    """
    if isinstance(score, list):
        return [filed(item) for item in score]
    if not isinstance(score, dict):
        return score
    entry = {key: filed(value) for key, value in score.items()}
    if not {"fit", "smd", "levels"} <= entry.keys():
        return entry
    parts = {
        name: {key: entry.pop(key) for key in keys if key in entry} for name, keys in _PARTS.items()
    }
    return entry | parts
