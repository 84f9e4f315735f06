"""Only answers are believed: questions and golds of generated tasks are made again.

Of a folder's samples the responses are taken, and the settings that made them: from these the
questions are generated, and each sample gets the reference of its question, whatever its own says.
What differs is reported, and so are questions that are repeated or have no answer. Where the
settings are unknown (a file alone, the log of another tool), a puzzle is generated from what its
reference says of task, size, seed and index.

The questions of loaded tasks and of other benchmarks stand as they were logged.

A seed that cannot be known in advance is derived from a *challenge*: a text that is named after
submissions close. The design of a host says what is asked, in a file; ``--require`` takes nothing
of it from a folder.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core import Options
from xlgo_dataset.family import generated_family_of
from xlgo_lm_eval.arguments import CHALLENGE, DEFAULT_TEXT, check_names
from xlgo_lm_eval.tasks.utils import doc_to_text, docs, known_options, options_of, task_options
from xlgo_metric.core import PLAIN, Reference, condition
from xlgo_metric.option import codes

from ..folders import read_settings, write_json
from .lines import Doc, Key, Problems, Sample, TaskKey, key_of, mapping, request_text
from .results import Run

Required = Mapping[str, Options]
"""The options of each task that a host requires, as task files have them (``tasks.utils.docs``)."""

MOST_QUESTIONS = 2_000_000
MOST_WORK = 100_000_000
"""Of a design: questions, and the sum of their complexities, over all languages (the largest puzzle
of the paper has 7,000 and 7,400,000). Whatever asks for more is refused before anything is made."""

REPRODUCED, PROVED, UNPROVED = "regenerated", "proved", "as logged"
DIFFERS, INCOMPLETE = "differs", "incomplete"

_SHOWN = 3
_OF_DESIGNS = ("level", "design", "range")
"""Entries of a reference that follow from a design and not from the question."""
_NO_WORDING = "a wording that is not here: prompts were not compared"
_FRAMING = ("chat_template", "chat_template_sha", "system_instruction", "system_instruction_sha")


def seed_of(nonce: str) -> int:
    """Derive the seed of the puzzles from a text: an integer from 0 to 2^49 - 1.

    The project's own key derivation makes it: SHA-256 of a named key (see ``core.rng.Stream``).

    Raises:
        ValueError: the text is empty.
    """
    if not nonce.strip():
        raise ValueError("--challenge: give the text that the host has named")
    from xlgo_dataset.core.rng import Stream  # imports NumPy

    return int(Stream("challenge", nonce).words(1)[0]) >> 15


def check_challenged(metadata: Mapping[str, object], tasks: Iterable[str]) -> None:
    """Refuse a challenge for tasks of the dataset whose questions no seed changes.

    Raises:
        ValueError: naming the first.
    """
    for task in tasks if CHALLENGE in metadata else ():
        try:
            generated_family_of(task)
        except ValueError as error:
            raise ValueError(f"--challenge: {error}: leave it out") from None


def challenge_problem(options: Mapping[str, object]) -> str | None:
    """What is wrong with the seed of a run that says it follows from a challenge."""
    nonce, seed = options.get(CHALLENGE), options.get("xlgo_seed")
    if nonce is None:
        return None
    if not isinstance(nonce, str) or not nonce.strip():
        return f"the challenge is {nonce!r:.80}"
    is_right = seed == (expected := seed_of(nonce))
    return None if is_right else f"the seed is {seed!r:.40}; the challenge gives {expected}"


class UnprovedError(Exception):
    """The question cannot be made here; the message says why."""


@dataclass(frozen=True)
class Design:
    """The questions of one task under one set of options.

    Attributes:
        docs: all questions that are asked, in the order of the harness.
        repeats: how often each is asked.
        has_wording: the file of its wording is here; else prompts cannot be made.
        why: the questions cannot be made here; empty if they can.
    """

    docs: Mapping[Key, Doc]
    repeats: int = 1
    has_wording: bool = True
    why: str = ""


def design_of(options: Options, limit: object = None, repeats: object = 1) -> Design:
    """Make the questions of a design.

    Args:
        options: of the data, as ``options_of`` keeps them.
        limit: how many are asked at most: a number, or a share below 1; ``None`` for all.
        repeats: how often each is asked; once if it is no integer.

    Raises:
        ValueError: an option is not allowed, or the design is too large.
    """
    text, times = options.get("text", "paper"), repeats if isinstance(repeats, int) else 1
    texts = xd.family(str(options.get("xlgo_family"))).texts
    has_wording = text in texts or (isinstance(text, str) and Path(text).is_file())
    if not has_wording:  # golds do not depend on it
        options = {**options, "text": "paper"}
    check_size(options)
    most = limit if isinstance(limit, int | float) else None
    try:
        rows = list(islice(docs(**options), None if most is None or most < 1 else int(most)))
    except (ValueError, OSError, ImportError) as error:  # a file or package that is not here
        why = f"cannot be generated here ({type(error).__name__}: {error!s:.200})"
        return Design({}, times, has_wording, why)
    if most is not None and most < 1:
        rows = rows[: math.ceil(len(rows) * most)]
    by_key = {key_of(json.loads(str(doc["reference"]))): doc for doc in rows}
    return Design(by_key, times, has_wording)


def check_size(options: Options) -> None:
    """Refuse a design that nobody asked in full, before any of it is made.

    Raises:
        ValueError: an option is not allowed, or the design is too large.
    """
    family, task = xd.family(str(options.get("xlgo_family"))), str(options.get("xlgo_task"))
    data_options = task_options(options)
    if data_options.get("plan") is not None:
        return  # a plan names every question
    levels = family.levels(task, **data_options)
    counts = {1: family.shards(task, **data_options)} if levels is None else levels
    languages = codes(options.get("xlgo_language") or options.get("languages") or "")
    times = len(languages) * len(data_options.get("conditions") or (PLAIN,))
    questions = sum(counts.values()) * times
    work = sum(size * count for size, count in counts.items()) * times
    if questions > MOST_QUESTIONS or work > MOST_WORK:
        raise ValueError(
            f"{task}: a design of {questions:,} questions and complexities up to {max(counts):,} "
            f"is too large to be generated again: at most {MOST_QUESTIONS:,} questions whose "
            f"complexities add up to {MOST_WORK:,} are"
        )


@dataclass
class Proof:
    """What generating the questions of a run again has shown.

    Attributes:
        answers: that were looked at.
        differs: what is not as the design has it.
        logged: why answers are graded against golds as logged, and how many.
        forgeable: answers to generated questions that could not be generated here.
        notes: why something else is not proved, with how many answers.
        missing: questions without an answer, by task and language.
        expected: questions of the designs.
        required: whether the design is the host's.
        challenge: the text that the seed was derived from, as the run says.
    """

    answers: int = 0
    differs: Problems = field(default_factory=Problems)
    logged: Counter[str] = field(default_factory=Counter)
    forgeable: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    expected: int = 0
    required: bool = False
    challenge: str | None = None

    @property
    def status(self) -> str:
        """``differs``, ``incomplete``, ``as logged``, ``regenerated`` or ``proved``."""
        kinds = {
            DIFFERS: self.differs.items,
            INCOMPLETE: self.missing.total(),
            UNPROVED: self.logged or not self.answers,
            PROVED: self.required,
        }
        return next((name for name, holds in kinds.items() if holds), REPRODUCED)

    @property
    def not_ranked(self) -> str:
        """Why the run is not ranked; empty if nothing speaks against it."""
        if self.differs.items:
            items = self.differs.items
            more = f"; and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
            return f"not its design's: {'; '.join(map(str, items[:_SHOWN]))}{more}"
        forgeable = f"{self.forgeable:,} questions and golds cannot be generated here"
        return forgeable if self.forgeable else self.lacking

    @property
    def lacking(self) -> str:
        """How many questions have no answer, in words; empty if all have one."""
        if not self.missing.total():
            return ""
        counted = [f"{task} {code} {n:,}" for (task, code), n in self.missing.most_common()]
        more = " ..." if len(counted) > 2 * _SHOWN else ""
        return (
            f"{self.missing.total():,} of {self.expected:,} questions of the design have no answer"
            f": {', '.join(counted[: 2 * _SHOWN])}{more}"
        )


class Questions:
    """The questions of a run, made again.

    Args:
        run: the run.
        required: options of the host's design by task (see ``read_design``); without it
            the run's own options are taken.
    """

    def __init__(self, run: Run, required: Required | None = None) -> None:
        self._run = run
        self._required = required
        self.proof = Proof(required=required is not None)
        self._designs: dict[str, Design] = {}
        self._of_task: dict[TaskKey, Design] = {}
        self._repeats: Counter[Key] = Counter()
        self._lines: set[tuple[Path, Key, int]] = set()
        self._frames: dict[Path, Counter[tuple[str, str]]] = defaultdict(Counter)
        for task, options in (required or {}).items():
            self._designs[task] = self._design(task, options, repeats=options.get("repeats", 1))
        challenges = set()
        for harness_task, config, info in run.tasks() if required is None else ():
            metadata, repeats = mapping(config.get("metadata")), config.get("repeats")
            if not (
                isinstance(metadata.get("xlgo_options"), str)
                and is_generated(metadata.get("xlgo_task"))
            ):
                continue
            options = options_of(metadata)
            limit = mapping(info.get("config")).get("limit")
            challenges.add(options.get("xlgo_challenge"))
            name = json.dumps([options, limit, repeats], sort_keys=True, default=str)
            if name not in self._designs:
                self._designs[name] = self._design(harness_task[2], options, limit, repeats)
            self._of_task[harness_task] = self._designs[name]
        if len(challenges) == 1:
            self.proof.challenge = challenges.pop()

    def _design(
        self, task: str, options: Options, limit: object = None, repeats: object = 1
    ) -> Design:
        if problem := challenge_problem(options):
            self.proof.differs.add("options", problem)
        try:
            return design_of(options, limit, repeats)
        except (ValueError, TypeError, LookupError) as error:
            raise ValueError(f"{task}: the design cannot be followed: {error!s:.300}") from error

    def saw(self, sample: Sample) -> None:
        """Take note of a response, whether it counts or is left out."""
        line = sample.file.path, key_of(sample.reference), sample.repeat
        if line in self._lines and is_generated(sample.reference.get("task")):
            self._differs(sample, "twice", "the question is repeated")
        self._lines.add(line)

    def again(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        """The samples with their questions made again; those of no question are left out."""
        for sample in samples:
            self.proof.answers += 1
            if not is_generated(sample.reference.get("task")):
                self.proof.logged["the questions are loaded, not generated"] += 1
                yield sample
                continue
            try:
                remade = self._again(sample)
            except UnprovedError as error:
                self.proof.logged[str(error)] += 1
                self.proof.forgeable += 1
                remade = sample
            if remade is not None:
                if remade.reply.is_there:
                    key = key_of(remade.reference)
                    self._repeats[key] = max(self._repeats[key], remade.repeat + 1)
                yield remade

    def _again(self, sample: Sample) -> Sample | None:
        reference = sample.reference
        design = self._design_of(sample)
        if design is not None and design.why:
            raise UnprovedError(design.why)
        doc = _alone(reference) if design is None else design.docs.get(key_of(reference))
        if doc is None:
            if self._required is None:
                self._differs(sample, "unknown", "the question is none of the design")
            else:
                self.proof.notes["not of the required design: left out"] += 1
            return None
        if design is not None and sample.repeat >= design.repeats:
            self._differs(sample, "answers", "an answer more than the design asks for: left out")
            return None
        expected, notes = json.loads(doc["reference"]), self.proof.notes
        if design is None:
            notes["the design is not known: whether all was asked is not"] += 1
            expected |= {name: reference[name] for name in _OF_DESIGNS if name in reference}
        names = {n for n in {**expected, **reference} if expected.get(n) != reference.get(n)}
        is_new_text = names <= {"data", "text"}
        is_versioned = "data" in names and isinstance(reference.get("data"), int)
        if is_versioned and not is_new_text:
            raise UnprovedError(
                f"made with version {reference['data']} of the data; this package makes version "
                f"{expected['data']}"
            )
        has_wording = design is None or design.has_wording
        if is_versioned or (is_new_text and not has_wording):
            what = "prompts of another version of the data" if has_wording else _NO_WORDING
            notes[what] += 1
            return replace(sample, reference=expected | {n: reference[n] for n in names})
        if names:
            self._differs(
                sample,
                "reference",
                f"{', '.join(sorted(names)[:5])} of the reference: not the question's",
            )
        self._check_prompt(sample, doc)
        return replace(sample, reference=expected)

    def _design_of(self, sample: Sample) -> Design | None:
        if self._required is not None:
            task = str(sample.reference.get("task"))
            if task not in self._designs:
                self.proof.notes[f"{task} is not in the required design"] += 1
            return self._designs.get(task)
        return self._of_task.get(sample.file.key)

    def _check_prompt(self, sample: Sample, doc: Doc) -> None:
        """Require a logged request to hold its prompt; keep what stands around it."""
        if not sample.request:
            return
        prompt, sent = doc_to_text(doc), request_text(sample.request)
        if prompt not in sent:
            prompt = prompt.strip()  # as some templates do
        before, middle, after = sent.partition(prompt)
        if not middle:
            self._differs(sample, "prompt", "the request does not hold the prompt of the question")
            return
        self._frames[sample.file.path][before, after] += 1

    def _differs(self, sample: Sample, kind: str, message: str) -> None:
        self.proof.differs.add_line(sample.file.path, sample.line, kind, message)

    def finish(self) -> Proof:
        """What was found, after all samples were read: frames of prompts and missing answers."""
        for file in self._run.files:
            self.proof.differs.close(file.path)
            frames = self._frames[file.path]
            info = self._run.described.get(file.key[:2], {})
            has_frame = any(map(info.get, _FRAMING)) or "chat" in str(info.get("model_source"))
            usual = frames.most_common(1)[0][0] if frames and (has_frame or not info) else ("", "")
            if unusual := frames.total() - frames[usual]:
                self.proof.differs.add(
                    str(file.path), f"{unusual:,} prompts have other text around them"
                )
        expected: dict[Key, int] = {}
        for design in self._designs.values() if self._run.whole else ():
            expected |= {key: max(expected.get(key, 0), design.repeats) for key in design.docs}
        self.proof.expected = sum(expected.values())
        for key, repeats in expected.items():
            if lacking := repeats - min(repeats, self._repeats[key]):
                self.proof.missing[key[1], key[2]] += lacking
        return self.proof


def is_generated(task: object) -> bool:
    """Whether the questions of a task are generated."""
    family = xd.FAMILIES.of_task(str(task))
    return family is not None and str(task) in family.generated


def _alone(reference: Reference) -> Doc:
    """A puzzle from what its reference says of itself: its golds follow, but from no design.

    Raises:
        UnprovedError: that does not make a question of this package.
    """
    family, text = generated_family_of(str(reference["task"])), str(reference.get("text"))
    text = text.partition(".")[0]  # a revision of the wording is a part of its name
    text = text if text in family.texts else "paper"
    origin: list[Any] = [
        reference.get(name) for name in ("language", "split", "seed", "index", "complexity")
    ]
    if [type(value) for value in origin] != [str, str, int, int, int]:
        raise UnprovedError("its reference does not say of which puzzle it is")
    language, split, seed, index, complexity = origin
    options = {
        "xlgo_family": family.name, "xlgo_task": reference["task"],
        "xlgo_options": "seed,complexities,text,conditions,per_level",
        "languages": language, "xlgo_seed": seed, "text": text,
        "complexities": [complexity], "per_level": 1, "conditions": str(condition(reference)),
    }  # fmt: skip
    try:
        check_size(options)
        rows = family.questions(
            str(reference["task"]),
            [language],
            split=split,
            indexes=[index],
            **task_options(options),
        )
        row = next(rows, None)
    except ValueError as error:  # of what the reference says; anything else is ours
        raise UnprovedError(
            f"the question cannot be generated from its reference ({error!s:.150})"
        ) from error
    if row is None:
        raise UnprovedError("its reference names no puzzle")
    if "prompt" not in row:
        row |= {"family": family.name, "text": text}
    return dict(row)


KIND, SCHEMA = "xlgo-design", 1
"""Of a design's file."""


def save_design(
    path: Path,
    tasks: Sequence[str],
    languages: Sequence[str],
    options: Options,
    challenge: str | None = None,
) -> Required:
    """Write a design.

    Args:
        path: the file.
        tasks: generated tasks.
        languages: codes; the default ones of each task if empty.
        options: of the data, as in ``--metadata``: ``preset``, ``levels``, ``xlgo_seed``, ...
        challenge: a text from which the seed is derived.

    Raises:
        ValueError: a task, language or option is not allowed, or the design is too large.
    """
    options_given = dict(options)
    if challenge is not None:
        options_given |= {CHALLENGE: challenge, "xlgo_seed": seed_of(challenge)}
    required: dict[str, Options] = {}
    for task in map(xd.task_named, tasks):
        family = generated_family_of(task)
        codes = tuple(languages) or family.default_languages(task)
        names = [option.name for option in family.task_options(task)]
        required[task] = {
            "xlgo_family": family.name,
            "xlgo_task": task,
            "xlgo_options": ",".join(names),
            "languages": ",".join(codes),
            "xlgo_seed": 0,
            **({"text": DEFAULT_TEXT} if DEFAULT_TEXT in family.texts else {}),
            **options_given,
        }
    allowed = {name for entry in required.values() for name in known_options(entry)}
    check_names("--metadata", options, allowed, is_open=False)
    design = {"kind": KIND, "schema": SCHEMA, "versions": _versions(required), "tasks": required}
    _check(required)
    write_json(path, design)
    return required


def read_design(path: Path) -> Required:
    """The design in a file that ``xlgo plan --save`` has written.

    Raises:
        ValueError: it is none, of another version of the data, or too large.
    """
    design = read_settings(path, "--require", "JSON")
    try:
        if design["kind"] != KIND or design["schema"] != SCHEMA:
            raise ValueError(f"kind {design['kind']!r:.40}, schema {design['schema']!r:.20}")
        required = {str(task): dict(o) for task, o in design["tasks"].items()}
        data, current = design["versions"]["data"], _versions(required)["data"]
        _check(required)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(
            f"--require {path}: not a design of xlgo plan --save ({error!s:.300})"
        ) from error
    if data != current:
        raise ValueError(
            f"--require {path}: made for version {data} of the data; this package makes {current}: "
            f"use xlgo {design['versions'].get('xlgo')!s:.20}"
        )
    return required


def _check(required: Required) -> None:
    if not required:
        raise ValueError("it has no task")
    for task, options in required.items():
        xd.family_of(task).check_asked(task, options["languages"].split(","))
        check_size(options)


def _versions(required: Required) -> dict[str, object]:
    data = {task: generated_family_of(task).DATA_VERSION for task in required}
    return {"xlgo": version("xlgo"), "data": data}
