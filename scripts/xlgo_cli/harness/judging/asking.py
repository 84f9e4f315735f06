"""Asking a judge: a chain for each question, whose replies are written when they arrive.

A judge behind an interface is asked about each chain of a run when it ends, while others go on.
What is not answered then, and whatever else needs a judge, is asked after the run.
"""

import asyncio
import contextlib
import json
import logging
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import MISSING, Answer, Answers, digest
from xlgo_lm_eval.arguments import answer_arguments, model_name, pairs, written
from xlgo_lm_eval.asking import Arrived, Asker, asker, run
from xlgo_lm_eval.chains import Ask, Item, follow
from xlgo_metric.core import Grade, Record, grouped
from xlgo_metric.family import CheckQuestion, Question, family, family_of
from xlgo_metric.scoring import read_reference

from ...display.formats import show
from ...folders import explained, write_json
from ...logs.results import JUDGEMENTS, Run, read_samples
from ..options import SIMULATED, check_model, is_api, make_model, simulated_args
from ..progress import Progress, no_bars

CHECK = "judge_check"
"""Begins the names of the files with checks of a judge."""
TRIAL = "trial"
"""Folder of a judge's reply to a small question before a run."""

GENERATION: dict[str, object] = {
    "until": [],
    "max_gen_toks": 4096,
    "do_sample": False,
    "temperature": 0.0,
}
"""How replies are generated unless ``--gen_kwargs`` says otherwise."""

_RETRIES = 2
"""How often a question is asked again after a repair."""
_SHOWN = 200
_SLUG = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class JudgeModel:
    """A model that judges.

    Attributes:
        model: its type, as ``--model`` of the harness has it.
        model_args: its arguments.
        gen_kwargs: how it answers.
    """

    model: str
    model_args: Mapping[str, object]
    gen_kwargs: Mapping[str, object]


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
        """The exit code: 1 where a question has no reply, or no reply could be read."""
        return int(self.failed > 0 or (bool(self.replies) and not self.read))


def ask(
    questions: Sequence[CheckQuestion],
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
        ValueError: no such model, or answers in use or damaged.
        ConnectionError: no answer comes any more; what is recorded is kept.
    """
    progress = Progress(len(questions), what="judgements", is_shown=not quiet)
    with progress.bar, opened(results, judge, kind, progress.arrived) as client:
        outcome = Outcome(client.answers.path.stem)
        if not quiet:
            words = f"{len(questions)} questions, {len(client.answers)} replies kept"
            print(f"judge: {outcome.judge}; {words}", flush=True)
        jobs = [
            partial(follow, client, item_of(asked.question, judge, asked.repeat), number)
            for number, asked in enumerate(questions)
        ]
        with no_bars():
            histories = run(jobs, client)
    for asked, history in zip(questions, histories):
        status = str(Judging(asked.question).outcome(history)["status"])
        outcome.counts.setdefault(asked.question.name, Counter())[status] += 1
        outcome.replies[asked.item] = history[-1].text
        outcome.reason = history[-1].error or outcome.reason
    return outcome


class Judging:
    """A question whose reply must be readable: a repair of one that is not, then fresh tries.

    Args:
        question: what is asked.
    """

    def __init__(self, question: Question) -> None:
        self._question = question

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The question, a repair, or the question again; ``None`` after a verdict or the last."""
        prompt = self._question.prompt
        if not history:
            return Ask(prompt, {"try": "first"})
        if self._is_read(history[-1]):
            return None
        is_repaired = history[0].is_there and bool(history[0].strip())
        if is_repaired and len(history) == 1:
            return Ask(self._question.repair(history[0].text), {"try": "repair"})
        fresh = len(history) - is_repaired
        return None if fresh > _RETRIES else Ask(prompt, {"try": f"fresh {fresh}"}, fresh)

    def remaining(self, history: Sequence[Answer]) -> int:
        """Requests that are likely to follow: one for a question, more after a bad reply."""
        return _RETRIES + 1 if history else 1

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status``: ``ok``, ``unparsed`` or ``error``."""
        last = history[-1]
        failed = "error" if last.state == MISSING else "unparsed"
        return {"status": "ok" if self._is_read(last) else failed}

    def _is_read(self, answer: Answer) -> bool:
        return answer.is_there and self._question.readable(answer.text)


class JudgeBeside:
    """Judges each chain at its end, while others go on.

    Its replies are kept, so that judging after the run finds them.

    Args:
        asker: asks the judge.
        judge: how it answers.
    """

    def __init__(self, asker: Asker, judge: JudgeModel) -> None:
        self.asker, self._judge = asker, judge

    async def judge(self, chain: Item, history: Sequence[Answer]) -> None:
        """Ask the questions about a chain; a failure ends judging here, and no chain."""
        if self.asker.is_closed:
            return
        response = json.dumps(chain.step.outcome(history), ensure_ascii=False)
        jobs = [
            follow(self.asker, item_of(question, self._judge))
            for question in questions_about(chain.doc.get("reference"), response)
        ]
        try:
            await asyncio.gather(*jobs)
        except Exception as error:
            if not self.asker.is_closed:  # by the failure of another chain's judging
                self.asker.is_closed = True
                logging.getLogger("xlgo").warning("judging beside the run ended: %s", error)


def try_judge(judge: JudgeModel, families: Iterable[str], folder: Path) -> None:
    """Ask a judge a small question before a run sends anything; its reply is kept.

    Raises:
        ValueError: it does not answer, or not in the form that it is asked for.
    """
    judges = filter(None, (family(name).judge for name in families))
    question = next((kind.trial for kind in judges if kind.trial), None)
    if question is None:
        return
    outcome = ask([CheckQuestion("", question)], folder, judge, kind=TRIAL, quiet=True)
    if not outcome.read:
        shutil.rmtree(folder / JUDGEMENTS / TRIAL)
        reply = f"its reply to a trial question cannot be read: {outcome.replies[''][:_SHOWN]!r}"
        raise ValueError(f"--judge {judge.model} cannot judge: {outcome.reason or reply}")


@contextlib.contextmanager
def judging(judge: JudgeModel | None, folder: Path) -> Iterator[JudgeBeside | None]:
    """Have a judge behind an interface judge chains as they end.

    Yields:
        Who judges them; ``None`` without a judge, or where it is a model of this machine, which
        cannot be asked beside another one: it is asked after the run.

    Raises:
        ValueError: the judge cannot be loaded, or its answers are in use or damaged.
    """
    if judge is None or not is_api(judge.model):
        yield None
        return
    with opened(folder, judge) as client:
        yield JudgeBeside(client, judge)


def item_of(question: Question, judge: JudgeModel, repeat: int = 0) -> Item:
    """The chain of a question."""
    return Item(question.key, Judging(question), judge.gen_kwargs, repeat=repeat)


@contextlib.contextmanager
def opened(
    results: Path,
    judge: JudgeModel,
    kind: str = "",
    arrived: Arrived = lambda answer, is_kept: None,
) -> Iterator[Asker]:
    """What asks a judge; its answers are open in the folder of the results that it judges.

    Args:
        kind: see ``ask``.
        arrived: see ``Asker``.

    Raises:
        ValueError: it cannot be made, or its answers are in use or damaged.
    """
    try:
        lm = make_model(judge.model, judge.model_args)
    except (TypeError, ValueError, AssertionError, OSError) as error:
        words = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"--model {judge.model} cannot be used as a judge: {words}") from error
    run = {  # what must be the same for two replies to be of one judge; no address, no credential
        "type": type(lm).__name__,
        "model": model_name(judge.model_args) or (str(lm.model) if is_api(judge.model) else ""),
        "arguments": written(answer_arguments(judge.model_args)),
        "gen_kwargs": judge.gen_kwargs,
    }
    name = _SLUG.sub("_", str(run["model"] or run["type"]))[-60:]
    path = folder_of(results) / JUDGEMENTS / kind / f"{name}-{digest(run)[:8]}.ndjson"
    with explained("write", path.parent):
        answers = Answers(path, run)
    with answers:
        yield asker(lm, answers, arrived)


def questions_about(reference: Any, response: str | None) -> Sequence[Question]:
    """What a judge is asked about a response; nothing where it needs no judge."""
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
            f"{outcome.failed} requests failed ({outcome.reason}): the same command asks for them "
            "again",
            file=sys.stderr,
        )
    elif outcome.code:
        reply = next(iter(outcome.replies.values()))
        print(f"no reply of {outcome.judge} can be read: {reply[:_SHOWN]!r} ...", file=sys.stderr)


def judge_model(
    model: str, model_args: Sequence[str] | None, gen_kwargs: Sequence[str] | None
) -> JudgeModel:
    """A judge from options of the command line.

    Raises:
        ValueError: an unknown model, or options of another form.
    """
    arguments = pairs("--model_args", model_args)
    if model == SIMULATED:
        arguments = simulated_args(arguments)
    check_model(model, arguments)
    return JudgeModel(model, arguments, GENERATION | pairs("--gen_kwargs", gen_kwargs))


def judge_run(run: Run, results: Path, judge: JudgeModel, *, quiet: bool = False) -> Outcome | None:
    """Ask a judge about every response that needs one.

    Args:
        run: the responses.
        results: as given; judgements are written into its folder.
        judge: whom to ask.
        quiet: show no progress.

    Returns:
        ``None`` where no response needs a judge.

    Raises:
        ValueError: no such model, or answers in use or damaged.
        ConnectionError: no answer comes any more; what is recorded is kept.
    """
    by_key = {
        question.key: question
        for sample in read_samples(run)
        for question in questions_about(sample.reference, sample.response)
    }
    questions = [CheckQuestion(key, question) for key, question in by_key.items()]
    return ask(questions, results, judge, quiet=quiet) if questions else None


def check(run: Run, results: Path, judge: JudgeModel) -> int:
    """Check a judge, print tables and write what was found.

    Raises:
        ValueError: no family of these responses can check a judge.
    """
    records = [Record(Grade(False, "no_answer"), s.reference) for s in read_samples(run)]
    codes = []
    for name, of_family in grouped(records, lambda r: family_of(r.reference).name).items():
        kind = family(name).judge
        judge_check = kind and kind.check(of_family)
        if not judge_check:
            continue
        outcome = ask(judge_check.questions, results, judge)
        summary = judge_check.summarize(outcome.replies)
        path = folder_of(results) / JUDGEMENTS / f"{CHECK}-{name}-{outcome.judge}.json"
        write_json(path, {"judge": outcome.judge, **summary})
        show(*judge_check.tables(summary))
        print(path)
        tell(outcome, quiet=True)
        codes.append(outcome.code)
    if not codes:
        raise ValueError(f"{results}: no family of these answers has a check of its judge")
    return max(codes)
