"""Completeness of a run: its questions compared with the answers in its folder.

``xlgo run`` writes what it asks into a manifest before the model answers (see
``xlgo_lm_eval.manifest``). Of logs without one, the harness's own numbers of samples are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_lm_eval import manifest
from xlgo_lm_eval.replies import digest, text_sha

from .lines import Sample, SampleFile, asked, mapping

if TYPE_CHECKING:
    from .results import Run

_SHOWN = 6
_HOW = "score what is there with --partial"


@dataclass
class Manifest:
    """The lines of a manifest that are about one model.

    Attributes:
        path: of the file.
        planned, asked, ended: its lines by kind, in their order; each with its place in the file.
        done: the plans of which nothing is left.
    """

    path: Path
    planned: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    ended: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    @property
    def started(self) -> str:
        """When the first line was written, as in the names of the harness's files."""
        return str(self.planned[0]["started"]) if self.planned else ""


def read_manifest(files: Sequence[SampleFile], model: str) -> Manifest | None:
    """The manifest in the folders of some samples, or above them; ``None`` without one.

    Args:
        files: the samples.
        model: whose lines count, if the manifest names several models.

    Raises:
        ValueError: it is damaged.
        OSError: it cannot be read.
    """
    folders = {f: None for file in files for f in (file.path.parent, file.path.parent.parent)}
    path = next((f / manifest.FILE for f in folders if (f / manifest.FILE).is_file()), None)
    if path is None:
        return None
    lines = manifest.read(path)
    names = {line["run"]["name"] for line in lines if line["kind"] == manifest.ASKED}
    found = Manifest(path)
    for place, line in enumerate(lines):
        kind = line["kind"]
        if kind == manifest.PLANNED:
            found.planned.append(line)
        elif kind == manifest.ASKED and (model not in names or line["run"]["name"] == model):
            found.asked.append((place, line))
        elif kind == manifest.ENDED:
            found.ended.append((place, line))
        elif kind == manifest.DONE:
            found.done.add(str(line["plan"]))
    return found


@dataclass(frozen=True)
class Question:
    """A question as the manifest has it: how often it is asked, and hashes of what was sent."""

    task: str
    language: str
    repeats: int
    texts: frozenset[tuple[str, str | None]]


class Expected:
    """The questions of a run, and those found while its samples are read."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.manifest: Manifest | None = None
        try:
            self.manifest = read_manifest(run.files, run.model)
        except (ValueError, OSError) as error:
            run.problems.add("manifest", f"{error}: the questions of the run are not known")
        self._questions = _questions(self.manifest.asked) if self.manifest else {}
        self._present: Counter[str] = Counter()
        self._lines: Counter[Path] = Counter()
        self._unasked: Counter[tuple[str, str]] = Counter()
        self._changed: Counter[tuple[str, str]] = Counter()

    def saw(self, sample: Sample) -> None:
        """Take note of a response, whether it counts or is left out."""
        if sample.repeat == 0:
            self._lines[sample.file.path] += 1
        if self.manifest is None:
            return
        sha = digest(sample.reference)
        self._present[sha] += 1
        question = self._questions.get(sha)
        cell = str(sample.reference.get("task")), str(sample.reference.get("language", ""))
        if question is None:
            if sample.file.date >= self.manifest.started:  # older ones are of an older release
                self._unasked[cell] += 1
        elif not _was_sent(sample, question):
            self._changed[cell] += 1

    def count(self, path: Path) -> None:
        """Take note of an answer in a file to a question that is not one of xlgo."""
        self._lines[path] += 1

    def tell(self, *, partial: bool) -> tuple[int, int] | None:
        """Report answers that are missing or were not asked.

        Args:
            partial: missing answers are only to be noted.

        Returns:
            How many answers are there, and of how many; ``None`` where nobody counted.
        """
        if self.manifest is not None:
            return self._tell_of_manifest(self.manifest, partial)
        return self._tell_of_counts(partial)

    def _tell_of_manifest(self, found: Manifest, partial: bool) -> tuple[int, int]:
        problems, where = self._run.problems, str(found.path)
        self._see_left_out()
        blocks = list(self._blocks(found))
        questions = _questions(blocks)
        missing: Counter[tuple[str, str]] = Counter()
        for sha, question in questions.items():
            lacking = question.repeats - min(self._present[sha], question.repeats)
            missing[question.task, question.language] += lacking
        total = sum(question.repeats for question in questions.values())
        lacking = missing.total()
        if lacking:
            problems.add(
                where,
                f"{total - lacking:,} of {total:,} answers are there; missing: {_cells(missing)} "
                f"({_HOW})",
                lost=not partial,
            )
        if unasked := self._unasked.total():
            problems.add(
                where,
                f"{unasked:,} answers belong to questions that were not asked: references were "
                f"changed, or samples are of another run: {_cells(self._unasked)}",
            )
        if changed := self._changed.total():
            problems.add(
                where,
                f"{changed:,} answers have a prompt that was not sent: {_cells(self._changed)}",
            )
        if self._run.whole:
            self._tell_of_the_end(found, partial)
        return total - lacking, total

    def _tell_of_the_end(self, found: Manifest, partial: bool) -> None:
        """Say which files and tasks are missing that a run wrote or planned."""
        problems, where = self._run.problems, str(found.path)
        for name in sorted({name for _, line in found.ended for name in line["files"]}):
            if not (found.path.parent / name).is_file():
                problems.add(where, f"{name} is missing ({_HOW})", lost=not partial)
        begun = {line["task"] for _, line in found.asked}
        plan = found.planned[-1] if found.planned else None
        if plan is None or manifest.plan_id(plan) in found.done:
            return
        if never := [name for name in plan["tasks"] if name not in begun]:
            words = ", ".join(never[:_SHOWN]) + (" ..." if len(never) > _SHOWN else "")
            problems.add(
                where,
                f"{len(never)} of {len(plan['tasks'])} tasks were not asked yet: {words} "
                "(the command of the run resumes it)",
                lost=not partial,
            )
        elif isinstance(plan["design"], dict) and plan["design"].get("adaptive"):
            problems.add(
                where,
                "the adaptive run did not end: more rounds may follow (its command resumes it)",
                lost=not partial,
            )

    def _blocks(self, found: Manifest) -> Iterator[tuple[int, dict[str, Any]]]:
        """The lines whose questions are expected to be answered.

        Of a part of a folder, those of which something is there. A run that left nothing behind
        and was followed by another of the same task was given up.
        """
        begun = {
            place: any(self._present[row[3]] for row in line["questions"])
            for place, line in found.asked
        }
        for place, line in found.asked:
            if begun[place]:
                yield place, line
                continue
            if not self._run.whole:
                continue
            later = [p for p, o in found.asked if p > place and o["task"] == line["task"]]
            answered = next((p for p in later if begun[p]), None)
            if answered is None or any(place < p < answered for p, _ in found.ended):
                yield place, line
            else:
                self._run.problems.add(
                    str(found.path),
                    f"a run of {line['task']} that began at {line['started']} left no answers; a "
                    "later one did",
                    lost=False,
                )

    def _see_left_out(self) -> None:
        """Count the answers in files that are left out as a whole: they are not missing."""
        from .results import quietly_read

        for file in self._run.left_out:
            for sample in quietly_read(file):
                self._present[digest(sample.reference)] += 1

    def _tell_of_counts(self, partial: bool) -> tuple[int, int] | None:
        """Compare the lines of files with the numbers of samples that the harness logged."""
        problems, wanted_answers, found_answers = self._run.problems, 0, 0
        by_run: dict[tuple[Path, str], dict[str, SampleFile]] = {}
        for one in self._run.files:
            by_run.setdefault((one.path.parent, one.date), {})[one.task] = one
        for place, info in self._run.described.items():
            files = by_run.get(place, {})
            if not files:
                continue
            for task, wanted_of_task in _effective(info).items():
                file = files.get(task)
                if file is None and not (self._run.whole and _family(info, task)):
                    continue
                present = self._lines[file.path] if file else 0
                if not present and file is not None:
                    continue  # of another task, or broken: that is told already
                wanted_answers += wanted_of_task
                found_answers += min(present, wanted_of_task)
                if present < wanted_of_task:
                    problems.add(
                        str(file.path if file else place[0]),
                        f"{present:,} of {wanted_of_task:,} answers of {task} are there, "
                        f"as the harness counted them ({_HOW})",
                        lost=not partial,
                    )
        infos = self._run.described.values()
        if self._run.whole and any(_family(i, task) for i in infos for task in _effective(i)):
            problems.add(
                str(self._run.files[0].path.parent),
                f"no {manifest.FILE}, which xlgo run writes since version 0.3: that every answer "
                "is there is known from the harness's counts alone",
                lost=False,
            )
        return (found_answers, wanted_answers) if wanted_answers else None


def _questions(blocks: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, Question]:
    """The questions of some lines by the SHA-256 of their references."""
    found: dict[str, Question] = {}
    for _, line in blocks:
        for _, language, prompt, reference, sent in line["questions"]:
            one = found.get(reference)
            found[reference] = Question(
                line["task"],
                str(language),
                max(line["repeats"], one.repeats if one else 0),
                (one.texts if one else frozenset()) | {(prompt, sent)},
            )
    return found


def _was_sent(sample: Sample, question: Question) -> bool:
    """Whether prompt and request of a sample are those that were sent."""
    prompt = text_sha(sample.prompt)
    request = text_sha(sample.request)
    own = sample.prompt != asked(sample.request)  # the file has the prompt beside the request
    return any(
        (not sample.request or sent is None or sent == request)
        and (not (own and sample.prompt) or wanted == prompt)
        for wanted, sent in question.texts
    )


def _cells(counts: Counter[tuple[str, str]]) -> str:
    told = [f"{task} {code} {count:,}" for (task, code), count in counts.most_common() if count]
    return ", ".join(told[:_SHOWN]) + (" ..." if len(told) > _SHOWN else "")


def _effective(info: Mapping[str, object]) -> dict[str, int]:
    """The harness's numbers of samples by task."""
    found = {}
    for task, entry in mapping(info.get("n-samples")).items():
        number = mapping(entry).get("effective")
        if type(number) is int and number > 0:
            found[str(task)] = number
    return found


def _family(info: Mapping[str, object], task: str) -> str | None:
    config = mapping(mapping(info.get("configs")).get(task))
    found = mapping(config.get("metadata")).get("xlgo_family")
    return found if isinstance(found, str) else None
