"""Check a results folder: its questions, files, grades and averages.

1. The questions: reference and prompt of every sample are made again from the options of the run
   and compared; a repeated question and a request that holds another prompt are found.
2. The grades: every response is graded again, and the grades and averages that the harness logged
   are compared with that, as far as the run was graded by this version.
3. The files: every answer that the harness counted is there, and every file that the run wrote.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlgo_lm_eval.replies import digest, text_sha
from xlgo_lm_eval.tasks.utils import doc_to_target, doc_to_text, options_of

from ..logs.completeness import Expected
from ..logs.lines import (
    AnotherTaskError,
    Problems,
    Sample,
    SampleFile,
    asked,
    mapping,
    object_in,
    parse,
)
from ..logs.results import Run, read_samples
from .challenge import challenge_problem
from .grades import Grades
from .questions import Doc, Remade, UnprovedError

REPRODUCED, DIFFERS, UNPROVED = "reproduced", "differs", "unproved"

_SHOWN = 3
_FRAMING = ("chat_template", "chat_template_sha", "system_instruction", "system_instruction_sha")


@dataclass
class Proof:
    """What checking a run has shown.

    Attributes:
        answers: that were looked at.
        differs: what is not as it should be.
        unproved: reasons why questions could not be checked, with how many; or other limits.
        challenge: the text that its seed was derived from, if so.
    """

    answers: int = 0
    differs: Problems = field(default_factory=Problems)
    unproved: Counter[str] = field(default_factory=Counter)
    challenge: str | None = None

    @property
    def status(self) -> str:
        """``reproduced``, ``differs`` or ``unproved``."""
        if self.differs.items:
            return DIFFERS
        return UNPROVED if self.unproved or not self.answers else REPRODUCED


def differing(proof: Proof) -> str:
    """The first differences that were found, in one line."""
    items = proof.differs.items
    more = f"; and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return f"not reproduced: {'; '.join(map(str, items[:_SHOWN]))}{more}"


def prove(run: Run, remade: Remade, *, whole: bool = True) -> Proof:
    """Check a run.

    Args:
        run: from ``find_run``.
        remade: questions that were made for other runs are not made again.
        whole: also check grades, averages and the files of the run; else only its questions and
            whether they were asked, however many are answered.
    """
    return _Check(run, remade, whole).proof()


class _Check:
    def __init__(self, run: Run, remade: Remade, whole: bool) -> None:
        self._run, self._remade, self._whole = run, remade, whole
        self._found = Proof()
        self._told = self._found.differs
        self._frames: dict[Path, Counter[tuple[str, str]]] = {}
        self._responses: Counter[tuple[str, str]] = Counter()

    def proof(self) -> Proof:
        """All that was found."""
        expected = Expected(self._run)
        options = _Options(self._run)
        self._found.challenge = options.challenge
        for problem in map(challenge_problem, options.all()):
            if problem:
                self._told.add("options", problem)
        for _ in read_samples(self._run, seen=expected.saw):
            pass
        problems = self._run.problems.items
        unread = len(problems)
        expected.tell(partial=not self._whole)
        # Whatever should have counted and does not is a difference, too.
        self._told.items += [p for p in problems[0 if self._whole else unread :] if p.lost]
        grades = Grades(self._run) if self._whole else None
        for file in self._run.files:
            for number, line in _lines(file):
                self._check_line(file, number, line, options, grades)
            self._told.close(file.path)
            self._check_frames(file)
        if grades is not None:
            grades.finish(self._told, self._found.unproved)
        return self._found

    def _check_line(
        self,
        file: SampleFile,
        number: int,
        line: dict[str, Any],
        options: _Options,
        grades: Grades | None,
    ) -> None:
        def differs(kind: str, message: str) -> None:
            self._told.add_line(file.path, number, kind, message)

        try:
            samples = list(parse(json.dumps(line).encode("utf-8", "replace"), file, number))
        except (AnotherTaskError, ValueError):
            return  # of another task, or told by the reader
        sample = samples[0]
        self._found.answers += len(samples)
        sha = digest(sample.reference)
        key = f"{file.date} {sha}", file.task
        self._responses[key] += 1
        if self._responses[key] > 1:
            differs("twice", "the question is repeated")
        doc = self._doc(sample, sha, options, differs)
        if doc is None:
            return
        given = line.get("doc")
        for name, value in doc.items():
            if isinstance(given, dict) and name != "reference" and given.get(name, value) != value:
                differs(f"doc.{name}", f"doc.{name} is not that of the question")
        if "target" in line and line["target"] != doc_to_target(doc):
            differs("target", "the target is not the answer of the question")
        self._check_prompt(sample, options.of(sample, sha), sha, doc, differs)
        if grades is not None:
            grades.check(line, samples, doc, differs)

    def _doc(
        self, sample: Sample, sha: str, options: _Options, differs: Callable[[str, str], None]
    ) -> Doc | None:
        """Generate the question of a sample again; ``None`` if it does not exist."""
        given = options.of(sample, sha)
        if given is None:
            self._found.unproved["the options of the questions are not known"] += 1
            return None
        try:
            doc = self._remade.find(given, sha)
        except UnprovedError as error:
            self._found.unproved[str(error)] += 1
            return None
        if doc is not None:
            return doc
        if (versions := _versions(sample.reference, self._remade, given)) is not None:
            self._found.unproved[versions] += 1
            return None
        differs(
            "reference", f"the reference is not that of any question{self._near(sample, given)}"
        )
        return None

    def _near(self, sample: Sample, given: Mapping[str, Any]) -> str:
        """Describe how the reference differs from that of the question with its id."""
        name = f"{sample.reference.get('instance_id')}-{sample.reference.get('language')}"
        doc = self._remade.named(given, name)
        if doc is None:
            return ""
        wanted = json.loads(doc["reference"])
        names = [n for n in {**wanted, **sample.reference}
                 if wanted.get(n) != sample.reference.get(n)]  # fmt: skip
        return f": {', '.join(names[:5])} of {name} differ{'s' if len(names) == 1 else ''}"

    def _check_prompt(
        self,
        sample: Sample,
        options: Mapping[str, Any] | None,
        sha: str,
        doc: Doc,
        differs: Callable[[str, str], None],
    ) -> None:
        """Require each request to hold its prompt, and the text around prompts to be the same."""
        if options is None or not sample.request:
            return
        wanted = self._remade.prompt_sha(options, sha, doc)
        if text_sha(sample.request) == wanted:
            frame = ("", "")
        else:
            prompt = doc_to_text(doc)
            sent = asked(sample.request)
            inner = prompt if prompt in sent else prompt.strip()
            before, found, after = sent.partition(inner)
            if not found:
                differs("prompt", "the request does not hold the prompt of the question")
                return
            frame = before, after
        self._frames.setdefault(sample.file.path, Counter())[frame] += 1

    def _check_frames(self, file: SampleFile) -> None:
        frames = self._frames.get(file.path, Counter())
        if len(frames) > 1:
            others = frames.total() - frames.most_common(1)[0][1]
            self._told.add(str(file.path), f"{others:,} prompts have other text around them")
        info = self._run.described.get((file.path.parent, file.date), {})
        framed = any(info.get(name) for name in _FRAMING) or "chat" in str(info.get("model_source"))
        if info and not framed and set(frames) - {("", "")}:
            self._told.add(str(file.path), "text was added to prompts, without a template")


class _Options:
    """With which options the question of each sample was made."""

    def __init__(self, run: Run) -> None:
        self._by_task = {
            (folder, date, task): found
            for (folder, date), info in run.described.items()
            for task, found in self.described(info).items()
        }

    @staticmethod
    def described(info: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The options of each of our tasks in the harness's description of a run."""
        found = {}
        for task, config in mapping(info.get("configs")).items():
            metadata = mapping(mapping(config).get("metadata"))
            if isinstance(metadata.get("xlgo_options"), str):
                found[str(task)] = options_of(metadata)
        return found

    def of(self, sample: Sample, sha: str) -> Mapping[str, Any] | None:
        """The options of a sample's question; ``None`` if unknown."""
        file = sample.file
        return self._by_task.get((file.path.parent, file.date, file.task))

    def all(self) -> Iterator[Mapping[str, Any]]:
        """Every set of options once."""
        found = {json.dumps(o, sort_keys=True, default=str): o
                 for o in self._by_task.values()}  # fmt: skip
        yield from found.values()

    @property
    def challenge(self) -> str | None:
        """The text that the seed of all was derived from, as they say."""
        found = {str(options.get("xlgo_challenge", "")) for options in self.all()}
        return found.pop() or None if len(found) == 1 else None


def _lines(file: SampleFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file that are JSON objects; the reader reports others."""
    with file.path.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            with contextlib.suppress(ValueError, RecursionError):
                yield number, object_in(raw)


def _versions(
    reference: Mapping[str, Any], remade: Remade, options: Mapping[str, Any]
) -> str | None:
    """Why a question of another version of the data cannot be made here."""
    import xlgo_dataset as xd

    try:
        own = xd.family_of(str(reference.get("task"))).DATA_VERSION
    except ValueError:
        return None
    held = reference.get("data")
    if type(held) is not int or held == own or not 1 <= held < 1000:
        return None
    return f"made with version {held} of the data; this package makes version {own}"
