"""Asking a judge: a chain for each question, whose replies are written when they arrive.

A judge behind an interface is asked about each chain of a run when it ends, while others go on.
What is not answered then, and whatever else needs a judge, is asked after the run.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_lm_eval.arguments import answer_arguments, model_name, written
from xlgo_lm_eval.replies import digest
from xlgo_metric.family import family, family_of
from xlgo_metric.judge import Question

from ...folders import explained
from ...logs.judgements import FOLDER
from ..models import is_api, make_model
from ..progress import Progress, no_bars

if TYPE_CHECKING:
    from xlgo_lm_eval.answers import Answers
    from xlgo_lm_eval.asking import Asker
    from xlgo_lm_eval.chains import Chain, Item

GENERATION: dict[str, object] = {
    "until": [],
    "max_gen_toks": 4096,
    "do_sample": False,
    "temperature": 0.0,
}
"""How replies are generated unless ``--gen_kwargs`` says otherwise."""

MOST_UNREAD = 10
"""Judgements in a row that cannot be read, after which no more are asked for."""

_SHOWN = 200
_SLUG = re.compile(r"[^\w.-]+")

Asked = tuple[str, Question, int]
"""A name, what is asked, and the number of its repetition."""


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

    @property
    def settings(self) -> dict[str, object]:
        """How it answers."""
        return {**GENERATION, **self.gen_kwargs}

    def loaded(self) -> Any:
        """The model itself.

        Raises:
            ValueError: it cannot be made.
        """
        try:
            return make_model(
                self.model, self.model_args, batch_size=self.batch_size, device=self.device
            )
        except (TypeError, ValueError, AssertionError, OSError) as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise ValueError(
                f"--model {self.model} cannot be used as a judge: {lines[0]}"
            ) from error


class UnreadableError(Exception):
    """Too many judgements in a row could not be read."""


@dataclass
class Outcome:
    """What became of the questions.

    Attributes:
        judge: name of the judge.
        asked: questions that were to be asked.
        stopped: the last reply, where judging stopped since nothing could be read.
        counts: by name of the question, how many replies are ``ok``, ``unparsed`` or ``error``.
        replies: the last reply to each item, by its name.
        reason: why the last request failed that did.
    """

    judge: str = ""
    asked: int = 0
    stopped: str | None = None
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    _unread: int = 0

    async def ask(self, asker: Asker, judge: JudgeModel, asked: Asked, place: int = 0) -> None:
        """Ask a question, and take in the reply.

        Raises:
            UnreadableError: none of the last replies could be read.
        """
        from xlgo_lm_eval.chains import follow

        name, question, repeat = asked
        chain = await follow(asker, item_of(question, judge, repeat), place)
        status, last = str(chain.outcome()["status"]), chain.history[-1]
        self.counts.setdefault(question.name, Counter())[status] += 1
        self.replies[name] = last.text
        self.reason = last.error or self.reason
        if status == "ok":
            self._unread = 0
        elif status == "unparsed" and self.stopped is None:
            self._unread += 1
        if self._unread >= MOST_UNREAD:
            self.stopped = last.text
            raise UnreadableError

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


def ask(
    questions: Sequence[Asked],
    results: Path,
    judge: JudgeModel,
    stopped: str | None = None,
    *,
    kind: str = "",
    quiet: bool = False,
) -> Outcome:
    """Ask questions.

    Args:
        kind: a folder of their own for replies that decide no answer.
        stopped: the reply after which judging stopped before: only what is kept is taken in.

    Raises:
        ValueError: no such model, answers in use or damaged, or a judge that answers nothing.
    """
    from xlgo_lm_eval.asking import asker, run

    with opened(results, judge, kind) as (lm, answers):
        outcome = Outcome(answers.path.stem, len(questions), stopped)
        outcome.counts |= {question.name: Counter() for _, question, _ in questions}
        if not quiet:
            words = f"{len(questions)} questions, {len(answers)} replies kept"
            print(f"judge: {outcome.judge}; {words}", flush=True)
        progress = Progress(len(questions), what="judgements", is_shown=not quiet)
        asker_of_judge = asker(lm, answers, progress.arrived)
        asker_of_judge.is_closed = stopped is not None
        jobs = [
            partial(outcome.ask, asker_of_judge, judge, one, n) for n, one in enumerate(questions)
        ]
        try:
            with contextlib.suppress(UnreadableError), no_bars():
                run(jobs, asker_of_judge)
        finally:
            progress.close()
    if questions and all(count.keys() == {"error"} for count in outcome.counts.values()):
        raise ValueError(
            f"the judge answered none of {len(questions)} questions ({outcome.reason})"
        )
    return outcome


class JudgeBeside:
    """Judges each chain at its end, while others go on.

    Its replies are kept, so that judging after the run finds them.

    Args:
        asker: asks the judge.
        judge: how it answers.
    """

    def __init__(self, asker: Asker, judge: JudgeModel) -> None:
        self.asker, self.outcome = asker, Outcome()
        self._judge = judge
        self._has_ended = False

    async def judge(self, chain: Chain) -> None:
        """Ask the questions about a chain; a failure ends judging here, and no chain."""
        response = json.dumps(chain.outcome(), ensure_ascii=False)
        reference = chain.item.doc.get("reference")
        questions = () if self._has_ended else questions_about(reference, response)
        jobs = [self.outcome.ask(self.asker, self._judge, (q.key, q, 0)) for q in questions]
        try:
            await asyncio.gather(*jobs)
        except (Exception, asyncio.CancelledError) as error:
            if self._has_ended:  # by the failure of another chain's judging
                return
            if isinstance(error, asyncio.CancelledError):
                raise
            self._has_ended = True
            self.asker.stop()
            if not isinstance(error, UnreadableError):
                logging.getLogger("xlgo").warning("judging beside the run ended: %s", error)


@contextlib.contextmanager
def judging(
    families: Iterable[str], judge: JudgeModel | None, folder: Path
) -> Iterator[JudgeBeside | None]:
    """Have a judge behind an interface judge chains as they end.

    Yields:
        Who judges them; ``None`` where no task needs a judge, or where the judge is a model of this
        machine, which cannot be asked beside another one: it is asked after the run.

    Raises:
        ValueError: the judge cannot be loaded, or its answers are in use or damaged.
    """
    from xlgo_lm_eval.asking import asker

    if judge is None or not any(family(name).judge for name in families) or not is_api(judge.model):
        yield None
        return
    with opened(folder, judge) as (lm, answers):
        yield JudgeBeside(asker(lm, answers), judge)


def try_judge(families: Iterable[str], judge: JudgeModel) -> None:
    """Ask a judge behind an interface one small question, before a run that it is to judge.

    Raises:
        ValueError: it does not answer, or not as it is asked to.
    """
    judges = [judge_of_family for name in families if (judge_of_family := family(name).judge)]
    question = next((judge_of_family.trial for judge_of_family in judges), None)
    if question is None or not is_api(judge.model):
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            outcome = ask([("", question, 0)], Path(folder), judge, quiet=True)
        except ValueError as error:
            raise ValueError(f"--judge {judge.model}: {error}") from None
    if not outcome.read:
        raise ValueError(
            f"--judge {judge.model}: the judge's reply to a trial question cannot be read: "
            f"{short(outcome.replies[''])!r}. Choose a judge that replies in JSON as it is asked "
            "to, or --judge none"
        )


def item_of(question: Question, judge: JudgeModel, repeat: int = 0) -> Item:
    """The chain of a question."""
    from xlgo_lm_eval.chains import Item
    from xlgo_lm_eval.steps import Judging

    step = Judging(question.prompt, lambda text: question.readable(text) or None, question.repair)
    return Item(question.key, step, judge.settings, repeat=repeat, chat=judge.chat)


@contextlib.contextmanager
def opened(results: Path, judge: JudgeModel, kind: str = "") -> Iterator[tuple[Any, Answers]]:
    """A judge and its open answers, in the folder of the results that it judges.

    Args:
        kind: see ``ask``.

    Raises:
        ValueError: it cannot be made, or its answers are in use or damaged.
    """
    from xlgo_lm_eval.answers import Answers

    lm = judge.loaded()
    run = {  # what must be the same for two replies to be of one judge; no address, no credential
        "type": type(lm).__name__,
        "model": model_name(judge.model_args) or (str(lm.model) if is_api(judge.model) else ""),
        "arguments": written(answer_arguments(judge.model_args)),
        "gen_kwargs": judge.settings,
        "chat": judge.chat,
    }
    name = _SLUG.sub("_", str(run["model"] or run["type"]))[-60:]
    path = folder_of(results) / FOLDER / kind / f"{name}-{digest(run)[:8]}.ndjson"
    with explained("write", path.parent):
        answers = Answers(path, run)
    with answers:
        yield lm, answers


def questions_about(reference: Any, response: str | None) -> Sequence[Question]:
    """What a judge is asked about a response; nothing where it needs no judge."""
    from xlgo_metric.scoring import read_reference

    try:
        reference = read_reference(reference)
        own = family_of(reference)
        grade = own.grade(response, reference) if own.judge else None
    except (ValueError, TypeError, KeyError):
        return ()  # `xlgo score` says what is wrong with it
    if own.judge is None or grade is None or grade.status != "needs_judge":
        return ()
    return own.judge.questions(grade, response or "", reference)


def short(text: str) -> str:
    """A text in one line, cut where it is long."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"


def folder_of(results: Path) -> Path:
    """The folder of results that are given as a folder or as a file of samples."""
    return results if results.is_dir() else results.parent


def tell(outcome: Outcome, *, quiet: bool = False) -> None:
    """Print how many replies could be read; if ``quiet``, only what went wrong."""
    for name, count in () if quiet else sorted(outcome.counts.items()):
        words = ", ".join(f"{count[status]} {status}" for status in ("ok", "unparsed", "error"))
        print(f"{name}: {words}")
    if outcome.stopped is not None:
        remaining = outcome.asked - sum(count.total() for count in outcome.counts.values())
        print(
            f"judging stopped: {MOST_UNREAD} judgements in a row could not be read, {remaining} of "
            f"{outcome.asked} questions were not asked. The last reply: "
            f"{short(outcome.stopped)!r}. Choose another judge",
            file=sys.stderr,
        )
    if outcome.failed:
        print(
            f"{outcome.failed} requests failed: the same command asks for them again",
            file=sys.stderr,
        )
