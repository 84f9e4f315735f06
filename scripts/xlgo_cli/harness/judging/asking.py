"""Asking a judge: a chain for each question, whose replies are written when they arrive.

A judge behind an interface is asked about each chain of a run when it ends, while others go on.
What is not answered then, and whatever else needs a judge, is asked after the run.
"""

from __future__ import annotations

import asyncio
import contextlib
import glob
import json
import logging
import re
import sys
import tempfile
import textwrap
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

_SHOWN = 200
_SLUG = re.compile(r"[^\w.-]+")

JudgeRequest = tuple[str, Question, int]
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


@dataclass
class Outcome:
    """What became of the questions.

    Attributes:
        judge: name of the judge.
        counts: by name of the question, how many replies are ``ok``, ``unparsed`` or ``error``.
        replies: the last reply to each item, by its name.
        reason: why the last request failed that did.
    """

    judge: str = ""
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    reason: str = ""

    async def ask(
        self, asker: Asker, judge: JudgeModel, request: JudgeRequest, number: int = 0
    ) -> None:
        """Ask a question, and take in the reply."""
        from xlgo_lm_eval.chains import follow

        name, question, repeat = request
        chain = await follow(asker, item_of(question, judge, repeat), number)
        last = chain.history[-1]
        self.counts.setdefault(question.name, Counter())[str(chain.outcome()["status"])] += 1
        self.replies[name] = last.text
        self.reason = last.error or self.reason

    @property
    def failed(self) -> int:
        """Questions to which no reply came."""
        return sum(count["error"] for count in self.counts.values())

    @property
    def read(self) -> int:
        """Questions with a reply that could be read."""
        return sum(count["ok"] for count in self.counts.values())


def ask(
    questions: Sequence[JudgeRequest],
    results: Path,
    judge: JudgeModel,
    *,
    kind: str = "",
    quiet: bool = False,
) -> Outcome:
    """Ask questions.

    Args:
        kind: a folder of their own for replies that decide no answer.

    Raises:
        ValueError: no such model, answers in use or damaged, or a judge that answers nothing.
    """
    from xlgo_lm_eval.asking import asker, run

    with opened(results, judge, kind) as (lm, answers):
        outcome = Outcome(answers.path.stem)
        if not quiet:
            words = f"{len(questions)} questions, {len(answers)} replies kept"
            print(f"judge: {outcome.judge}; {words}", flush=True)
        progress = Progress(len(questions), what="judgements", is_shown=not quiet)
        asker_of_judge = asker(lm, answers, progress.arrived)
        jobs = [
            partial(outcome.ask, asker_of_judge, judge, request, number)
            for number, request in enumerate(questions)
        ]
        try:
            with no_bars():
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
        self.asker, self._judge = asker, judge

    async def judge(self, chain: Chain) -> None:
        """Ask the questions about a chain; a failure ends judging here, and no chain."""
        from xlgo_lm_eval.chains import follow

        if self.asker.is_closed:
            return
        response = json.dumps(chain.outcome(), ensure_ascii=False)
        questions = questions_about(chain.item.doc.get("reference"), response)
        jobs = [follow(self.asker, item_of(question, self._judge)) for question in questions]
        try:
            await asyncio.gather(*jobs)
        except (Exception, asyncio.CancelledError) as error:
            if not self.asker.is_closed:  # by the failure of another chain's judging
                if isinstance(error, asyncio.CancelledError):
                    raise
                self.asker.stop()
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


def has_judged(results: Path, judge: JudgeModel) -> bool:
    """Whether replies of a model of this name are kept in the folder of results."""
    name = _slug(model_name(judge.model_args))
    return bool(name) and any((folder_of(results) / FOLDER).glob(f"{glob.escape(name)}-*.ndjson"))


def try_judge(families: Iterable[str], judge: JudgeModel) -> None:
    """Ask a judge behind an interface one small question, before it is to judge.

    Raises:
        ValueError: it does not answer, or not as it is asked to.
    """
    judges = filter(None, (family(name).judge for name in families))
    question = next((judge_of_family.trial for judge_of_family in judges), None)
    if question is None or not is_api(judge.model):
        return
    with tempfile.TemporaryDirectory() as folder:
        outcome = ask([("", question, 0)], Path(folder), judge, quiet=True)
    if not outcome.read:
        reply = textwrap.shorten(outcome.replies[""], _SHOWN, placeholder=" …")
        raise ValueError(
            f"the reply of the judge {judge.model} to a trial question cannot be read: {reply!r}. "
            "Choose a judge that replies in the form that it is asked for, or run without a judge"
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
    name = f"{_slug(str(run['model'] or run['type']))}-{digest(run)[:8]}.ndjson"
    path = folder_of(results) / FOLDER / kind / name
    with explained("write", path.parent):
        answers = Answers(path, run)
    with answers:
        yield lm, answers


def _slug(name: str) -> str:
    return _SLUG.sub("_", name)[-60:]


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


def folder_of(results: Path) -> Path:
    """The folder of results that are given as a folder or as a file of samples."""
    return results if results.is_dir() else results.parent


def tell(outcome: Outcome, *, quiet: bool = False) -> None:
    """Print how many replies could be read; if ``quiet``, only what went wrong."""
    for name, count in () if quiet else sorted(outcome.counts.items()):
        words = ", ".join(f"{count[status]} {status}" for status in ("ok", "unparsed", "error"))
        print(f"{name}: {words}")
    if outcome.failed:
        print(
            f"{outcome.failed} requests failed: the same command asks for them again",
            file=sys.stderr,
        )
