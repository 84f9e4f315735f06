"""Asking a judge: a chain for each question, whose replies are written when they arrive."""

from __future__ import annotations

import contextlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_lm_eval.arguments import model_name
from xlgo_metric.core import Record
from xlgo_metric.family import family_of
from xlgo_metric.judge import Question

from ...folders import explained
from ...logs.judgements import FOLDER
from ..harness_output import no_bars
from ..models import is_api, make_model
from ..progress import Progress

if TYPE_CHECKING:
    from xlgo_lm_eval.answers import Answers
    from xlgo_lm_eval.chains import Chain, Item

GENERATION: dict[str, object] = {
    "until": [], "max_gen_toks": 4096, "do_sample": False, "temperature": 0.0,
}  # fmt: skip
"""How replies are generated unless ``--gen_kwargs`` says otherwise."""

MOST_UNREAD = 10
"""Judgements in a row that cannot be read, after which no more are asked for."""

_SHOWN = 200
_SLUG = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class JudgeModel:
    """A model that judges.

    Attributes:
        model: its type, as ``--model`` of the harness has it.
        model_args: its arguments.
        gen_kwargs: how it answers, where that differs from ``GENERATION``.
        batch_size, device: for models that run on this machine.
        chat: send chats; else plain texts, for models without a chat template.
    """

    model: str
    model_args: Mapping[str, object]
    gen_kwargs: Mapping[str, object]
    batch_size: str | None = None
    device: str | None = None
    chat: bool = True


@dataclass(frozen=True)
class Outcome:
    """What became of the questions.

    Attributes:
        judge: name of the judge.
        counts: by name of the question, how many replies are ``ok``, ``unparsed`` or ``error``.
        replies: the last reply to each item, by its name.
        asked: questions that were to be asked.
        stopped: the last reply, where judging stopped since nothing could be read.
    """

    judge: str
    counts: dict[str, Counter[str]]
    replies: dict[str, str]
    asked: int
    stopped: str | None = None

    @property
    def failed(self) -> int:
        """Questions to which no reply came."""
        return sum(count["error"] for count in self.counts.values())

    @property
    def read(self) -> int:
        """Questions with a reply that could be read."""
        return sum(count["ok"] for count in self.counts.values())

    @property
    def code(self) -> int:
        """Of the command: 0 if a reply came to every question, else 1."""
        return 1 if self.failed or self.stopped is not None else 0


class UnreadableError(Exception):
    """Too many judgements in a row could not be read."""


def ask(
    questions: Sequence[tuple[str, Question, int]],
    results: Path,
    judge: JudgeModel,
    stopped: str | None = None,
    *,
    quiet: bool = False,
) -> Outcome:
    """Ask questions, each by its name and the number of its repetition.

    Args:
        stopped: the reply after which judging stopped before: only what is kept is taken in.
    """
    from xlgo_lm_eval.asking import asker, run
    from xlgo_lm_eval.chains import follow

    lm = loaded(judge)
    items = [item_of(question, judge, repeat) for _, question, repeat in questions]
    finished = Done(stopped)
    with answers_of(results, judge, lm) as answers:
        if not quiet:
            words = f"{len(items)} questions, {len(answers)} replies kept"
            print(f"judge: {answers.path.stem}; {words}", flush=True)
        progress = Progress(len(items), what="judgements", shown=not quiet)
        try:
            with contextlib.suppress(UnreadableError), no_bars():
                own = asker(lm, answers, progress.arrived)
                own.is_closed = stopped is not None
                run(
                    [partial(follow, own, item, n, finished.add) for n, item in enumerate(items)],
                    own,
                )
        finally:
            progress.close()
        name = answers.path.stem
    counts: dict[str, Counter[str]] = {question.name: Counter() for _, question, _ in questions}
    replies: dict[str, str] = {}
    reason = ""
    for (key, question, _), item in zip(questions, items):
        chain = finished.chains.get(id(item))
        if chain is not None and chain.history:
            counts[question.name][str(chain.outcome()["status"])] += 1
            replies[key] = chain.history[-1].text
            reason = chain.history[-1].error or reason
    if all(count.keys() == {"error"} for count in counts.values()):
        raise ValueError(f"the judge answered none of {len(questions)} questions ({reason})")
    return Outcome(name, counts, replies, len(questions), finished.stopped)


def item_of(question: Question, judge: JudgeModel, repeat: int = 0) -> Item:
    """The chain of a question."""
    from xlgo_lm_eval.chains import Item
    from xlgo_lm_eval.steps import Judging

    step = Judging(question.prompt, _reader(question), question.repair)
    return Item(question.key, step, _settings(judge), repeat=repeat, chat=judge.chat)


@contextlib.contextmanager
def answers_of(results: Path, judge: JudgeModel, lm: Any) -> Iterator[Answers]:
    """The open answers of a judge, in the folder of the results that it judges.

    Raises:
        ValueError: another process has them open, or they are damaged.
    """
    from xlgo_lm_eval.answers import Answers

    run = _identity(lm, judge)
    path = folder_of(results) / FOLDER / f"{_label(run)}.ndjson"
    with explained("write", path.parent):
        opened = Answers(path, run)
    with opened:
        yield opened


def _settings(judge: JudgeModel) -> dict[str, object]:
    return {**GENERATION, **judge.gen_kwargs}


class Done:
    """The questions that were judged; ends the judging when none of the last can be read."""

    def __init__(self, stopped: str | None = None) -> None:
        self.chains: dict[int, Chain] = {}
        self.stopped = stopped
        self._unread = 0

    async def add(self, chain: Chain) -> None:
        """Take in a question at its end.

        Raises:
            UnreadableError: ``MOST_UNREAD`` in a row could not be read.
        """
        self.chains[id(chain.item)] = chain
        status = chain.outcome()["status"]
        if status == "ok":
            self._unread = 0
        elif status == "unparsed" and self.stopped is None:
            self._unread += 1
        if self._unread >= MOST_UNREAD:
            self.stopped = chain.history[-1].text
            raise UnreadableError


def needing_judge(reference: Any, response: str | None) -> Record | None:
    """The record of a response that needs a judge."""
    from xlgo_metric.scoring import read_reference

    try:
        reference = read_reference(reference)
        own = family_of(reference)
        grade = own.grade(response, reference) if own.judge else None
    except (ValueError, TypeError, KeyError):
        return None  # `xlgo score` says what is wrong with it
    if grade is None or grade.status != "needs_judge":
        return None
    return Record(grade, reference)


def questions_of(record: Record, response: str) -> Sequence[Question]:
    """What a judge is asked about a response."""
    judge = family_of(record.reference).judge
    return () if judge is None else judge.questions(record.grade, response, record.reference)


def short(text: str) -> str:
    """A text in one line, cut where it is long."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"


def _reader(question: Question) -> Any:
    return lambda text: True if question.readable(text) else None


def loaded(judge: JudgeModel) -> Any:
    """The model itself.

    Raises:
        ValueError: it cannot be made with these arguments.
    """
    try:
        return make_model(
            judge.model, judge.model_args, batch_size=judge.batch_size, device=judge.device
        )
    except (TypeError, ValueError, AssertionError, OSError) as error:
        told = str(error).strip().splitlines() or [type(error).__name__]
        raise ValueError(f"--model {judge.model} cannot be used as a judge: {told[0]}") from error


def _identity(lm: Any, judge: JudgeModel) -> dict[str, object]:
    """What must be the same for two replies to be of one judge; no address, no credential."""
    from xlgo_lm_eval.arguments import answer_arguments, written

    return {
        "type": type(lm).__name__,
        "model": model_name(judge.model_args) or (str(lm.model) if is_api(judge.model) else ""),
        "arguments": written(answer_arguments(judge.model_args)),
        "gen_kwargs": _settings(judge),
        "chat": judge.chat,
    }


def _label(run: Mapping[str, object]) -> str:
    """A name for a judge: that of its model, and a digest of everything that identifies it."""
    from xlgo_lm_eval.replies import digest

    name = str(run["model"] or run["type"])
    return f"{_SLUG.sub('_', name)[-60:]}-{digest(dict(run))[:8]}"


def folder_of(results: Path) -> Path:
    """The folder of results that are given as a folder or as a file of samples."""
    return results if results.is_dir() else results.parent


def tell(outcome: Outcome, *, quiet: bool = False) -> None:
    """Print how many replies could be read; if ``quiet``, only what went wrong."""
    for name, count in () if quiet else sorted(outcome.counts.items()):
        told = ", ".join(f"{count[status]} {status}" for status in ("ok", "unparsed", "error"))
        print(f"{name}: {told}")
    if outcome.stopped is not None:
        left = outcome.asked - sum(count.total() for count in outcome.counts.values())
        print(
            f"judging stopped: {MOST_UNREAD} judgements in a row could not be read, {left} of "
            f"{outcome.asked} questions were not asked. The last reply: "
            f"{short(outcome.stopped)!r}. Choose another judge",
            file=sys.stderr,
        )
    if outcome.failed:
        print(
            f"{outcome.failed} requests failed: the same command asks for them again",
            file=sys.stderr,
        )
