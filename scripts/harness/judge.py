"""``xlgo judge``: have a model judge the answers that only a judge can decide, or check a judge.

Judging is a chain for each question: the question, a repair of a reply that cannot be read, fresh
tries. Every reply is written to the judge's ledger when it arrives, so judging can be stopped and
taken up again; ``xlgo score``, ``report`` and ``compare`` read it there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import Grade, Record
from xlgo_metric.family import family, family_of
from xlgo_metric.judge import Question

from ..folders import explained, write_text
from ..key_values import pairs
from ..logs.judgements import FOLDER, read_judgements
from ..logs.results import Run, find_run, read_samples

if TYPE_CHECKING:
    from xlgo_lm_eval.chains import Chain, Item

CHECK = "judge_check"
"""Begins the names of the files with checks of a judge."""
GENERATION: dict[str, Any] = {
    "until": [], "max_gen_toks": 4096, "do_sample": False, "temperature": 0.0,
}  # fmt: skip
"""How replies are generated unless ``--gen_kwargs`` says otherwise."""

MOST_UNREAD = 10
"""Judgements in a row that cannot be read, after which no more are asked for."""

_SHOWN = 200
_SLUG = re.compile(r"[^\w.-]+")
_NAMES = ("model", "pretrained", "profile")


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
    model_args: Mapping[str, Any]
    gen_kwargs: Mapping[str, Any]
    batch_size: str | None = None
    device: str | None = None
    chat: bool = True


@dataclass(frozen=True)
class Outcome:
    """What became of the questions.

    Attributes:
        judge: name of the judge.
        ledger: where its replies stand.
        counts: by name of the question, how many replies are ``ok``, ``unparsed`` or ``error``.
        replies: the last reply to each item, by its name.
        asked: questions that were to be asked.
        stopped: the last reply, where judging stopped since nothing could be read.
    """

    judge: str
    ledger: Path
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


class _UnreadableError(Exception):
    """Too many judgements in a row could not be read."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``judge`` to the command line."""
    parser = subparsers.add_parser(
        "judge", help="have a model judge the answers that need one, or check a judge"
    )
    parser.add_argument("results", type=Path, help="a file of samples, or a folder that holds them")
    parser.add_argument(
        "--model", "-M", required=True, help="the judge: a type of lm-eval's models"
    )
    parser.add_argument("--model_args", "--model-args", "-a", nargs="+", help="its arguments")
    parser.add_argument(
        "--gen_kwargs", "--gen-kwargs", nargs="+",
        help="how it answers (default: temperature 0, at most 4096 tokens)",
    )  # fmt: skip
    parser.add_argument("--batch_size", "--batch-size", "-b", help="for models on this machine")
    parser.add_argument("--device", help="for models on this machine")
    parser.add_argument(
        "--no-chat", action="store_true", help="send plain texts: the judge has no chat template"
    )
    parser.add_argument(
        "--questions", metavar="NAMES",
        help="ask only these questions, joined by commas, as mqm,direct (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true",
        help="judge nothing: ask about texts with known errors, and say how the judge did",
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="JUDGE", help="with --check: another judge that was checked before"
    )
    parser.add_argument(
        "--answers-of",
        metavar="MODEL",
        help="model whose answers to judge, if the folder has several",
    )
    parser.add_argument(
        "--run", dest="date", metavar="DATE",
        help="the run whose date, as in the file names, begins so (default: the newest)",
    )  # fmt: skip
    parser.add_argument("--no-report", action="store_true", help="write no report at the end")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks.

    Returns:
        0; 1 if some requests failed: the same command then asks for these again.

    Raises:
        ValueError: there is nothing to judge, or an option is not right.
    """
    if args.against and not args.check:
        raise ValueError("--against needs --check: it compares two checks of judges")
    if args.check and args.questions:
        raise ValueError("--questions does nothing with --check: leave it out")
    judge = judge_model(
        args.model, args.model_args, args.gen_kwargs,
        batch_size=args.batch_size, device=args.device, chat=not args.no_chat,
    )  # fmt: skip
    found = find_run(args.results, model=args.answers_of, date=args.date)
    if args.check:
        return check(found, args.results, judge, args.against)
    outcome = judge_run(found, args.results, judge, _names(args.questions))
    if outcome is None:
        raise ValueError(f"{args.results}: no answer needs a judge")
    tell(outcome)
    if not args.no_report:
        from ..logs.graded_run import score_folder
        from ..report.write import write_all

        # A judge that could not be read takes no earlier judgement away.
        judge_name = outcome.judge if outcome.read else None
        scored = score_folder(args.results, model=args.answers_of, date=args.date, judge=judge_name)
        print(f"report: {write_all(scored, args.results)}")
    return outcome.code


def judge_model(
    model: str,
    model_args: Sequence[str] | None,
    gen_kwargs: Sequence[str] | None,
    *,
    batch_size: str | None = None,
    device: str | None = None,
    chat: bool = True,
) -> JudgeModel:
    """A judge from options of the command line.

    Raises:
        ValueError: an unknown model, or options of another form.
    """
    from .lm_eval_call import check_model
    from .options import SIMULATED, simulated_args

    check_model(model)
    if model == SIMULATED:
        model_args = simulated_args(list(model_args or []), "paper")
    given = pairs("--gen_kwargs", gen_kwargs)
    return JudgeModel(model, pairs("--model_args", model_args), given, batch_size, device, chat)


def judge_run(
    found: Run, results: Path, judge: JudgeModel, only: Sequence[str] = ()
) -> Outcome | None:
    """Ask a judge about every response that needs one.

    Args:
        found: the responses.
        results: as given; judgements are written into its folder.
        judge: whom to ask.
        only: names of questions; all of them if empty.

    Returns:
        ``None`` where no response needs a judge.

    Raises:
        ValueError: unknown questions, no such model, a ledger in use or damaged, or a judge that
            answers nothing at all.
        ConnectionError: no answer comes any more; what is recorded is kept.
    """
    asked: dict[str, Question] = {}
    names: set[str] = set()
    for record, response in waiting(found):
        chosen = family_of(record.reference).judge
        if chosen is None:
            continue
        for question in chosen.questions(record.grade, response, record.reference):
            names.add(question.name)
            if not only or question.name in only:
                asked[question.key] = question
    unknown = sorted(set(only) - names)
    if names and unknown:
        raise ValueError(
            f"--questions: unknown name {unknown[0]!r}: allowed are {', '.join(sorted(names))}"
        )
    if not asked:
        return None
    return _ask([(key, question, 0) for key, question in asked.items()], results, judge)


def waiting(found: Run) -> Iterable[tuple[Record, str]]:
    """The responses that need a judge, with their records."""
    from xlgo_metric.scoring import read_reference

    for sample in read_samples(found):
        try:
            reference = read_reference(sample.reference)
            own = family_of(reference)
            grade = own.grade(sample.response, reference) if own.judge else None
        except (ValueError, TypeError, KeyError):
            continue  # `xlgo score` says what is wrong with it
        if grade is not None and _needs_judge(grade):
            yield Record(grade, reference), sample.response or ""


def _needs_judge(grade: Grade) -> bool:
    return grade.status == "needs_judge"


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _ask(
    questions: Sequence[tuple[str, Question, int]], results: Path, judge: JudgeModel
) -> Outcome:
    """Ask questions, each by its name and the number of its repetition."""
    from xlgo_lm_eval.chains import Item
    from xlgo_lm_eval.engine import run_chains
    from xlgo_lm_eval.ledger import Ledger
    from xlgo_lm_eval.steps import Judging

    lm = _loaded(judge)
    settings = {**GENERATION, **judge.gen_kwargs}
    run = _identity(lm, judge, settings)
    ledger = _folder(results) / FOLDER / f"{_label(run)}.jsonl"
    items: list[Item] = [
        Item(
            question.key, question.prompt_id, Judging(question.prompt, _reader(question),
            question.repair), settings, repeat=repeat, chat=judge.chat,
        )
        for _, question, repeat in questions
    ]  # fmt: skip
    with explained("write", ledger.parent):
        opened = Ledger(ledger, run)
    with opened:
        before = len(opened)
        print(
            f"judge: {ledger.stem}; {len(items)} questions, {before} replies recorded", flush=True
        )
        done = _Done()
        with contextlib.suppress(_UnreadableError):
            run_chains(lm, items, opened, finished=done.add)
    counts: dict[str, Counter[str]] = {question.name: Counter() for _, question, _ in questions}
    replies: dict[str, str] = {}
    reason = ""
    for (name, question, _), item in zip(questions, items):
        if (chain := done.chains.get(id(item))) is not None:
            counts[question.name][str(chain.outcome()["status"])] += 1
            replies[name] = chain.history[-1].text
            reason = chain.history[-1].error or reason
    if all(count.keys() == {"error"} for count in counts.values()):
        raise ValueError(f"the judge answered none of {len(questions)} questions ({reason})")
    return Outcome(ledger.stem, ledger, counts, replies, len(questions), done.stopped)


class _Done:
    """The questions that were judged; ends the judging when none of the last can be read."""

    def __init__(self) -> None:
        self.chains: dict[int, Chain] = {}
        self.stopped: str | None = None
        self._unread = 0

    def add(self, chain: Chain) -> None:
        """Take in a question at its end.

        Raises:
            _UnreadableError: ``MOST_UNREAD`` in a row could not be read.
        """
        self.chains[id(chain.item)] = chain
        status = chain.outcome()["status"]
        if status == "ok":
            self._unread = 0
        elif status == "unparsed" and chain.sent:  # not one that is only recorded
            self._unread += 1
        if self._unread >= MOST_UNREAD:
            self.stopped = chain.history[-1].text
            raise _UnreadableError


def try_judge(families: Iterable[str], judge: JudgeModel) -> None:
    """Ask a judge behind an interface one small question, before a run that it is to judge.

    Args:
        families: of the tasks of the run; the first with a judge has the question.
        judge: a model of this machine is not tried, since it would have to be loaded twice.

    Raises:
        ValueError: why it cannot judge: no reply, or none that can be read.
    """
    from lm_eval.api.registry import get_model
    from lm_eval.models.api_models import TemplateAPI

    from xlgo_lm_eval.chains import Item
    from xlgo_lm_eval.engine import run_chains
    from xlgo_lm_eval.ledger import Ledger
    from xlgo_lm_eval.steps import Judging

    judges = [own for name in families if (own := family(name).judge)]
    # The judge of another package may have none.
    question: Question | None = next((getattr(own, "trial", None) for own in judges), None)
    if question is None or not issubclass(get_model(judge.model), TemplateAPI):
        return
    step = Judging(question.prompt, _reader(question), question.repair)
    settings = {**GENERATION, **judge.gen_kwargs}
    item = Item(question.key, question.prompt_id, step, settings, chat=judge.chat)
    with (
        tempfile.TemporaryDirectory() as folder,
        Ledger(Path(folder) / "trial.jsonl", {}) as ledger,
    ):
        (chain,) = run_chains(_loaded(judge), [item], ledger)
    last = chain.history[-1]
    if last.error:
        raise ValueError(f"--judge {judge.model}: the judge does not answer ({last.error})")
    if chain.outcome()["status"] != "ok":
        raise ValueError(
            f"--judge {judge.model}: the judge's reply to a trial question cannot be read: "
            f"{_short(last.text)!r}. Choose a judge that replies in JSON as it is asked to, or "
            "--judge none"
        )


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"


def _reader(question: Question) -> Any:
    return lambda text: True if question.readable(text) else None


def _loaded(judge: JudgeModel) -> Any:
    """The model itself.

    Raises:
        ValueError: it cannot be made with these arguments.
    """
    from lm_eval.api.registry import get_model

    given = {"batch_size": judge.batch_size, "device": judge.device}
    try:
        return get_model(judge.model).create_from_arg_obj(
            dict(judge.model_args), {k: v for k, v in given.items() if v is not None}
        )
    except (TypeError, ValueError, AssertionError, OSError) as error:
        told = str(error).strip().splitlines() or [type(error).__name__]
        raise ValueError(f"--model {judge.model} cannot be used as a judge: {told[0]}") from error


def _identity(lm: Any, judge: JudgeModel, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same for two replies to be of one judge; no address, no credential."""
    from xlgo_lm_eval.chain_task import model_identity

    return {
        **model_identity(lm, judge.model_args), "gen_kwargs": dict(settings), "chat": judge.chat
    }  # fmt: skip


def _label(run: Mapping[str, Any]) -> str:
    """A name for a judge: that of its model, and a digest of everything that identifies it."""
    from xlgo_lm_eval.ledger import digest

    name = next((str(run[key]) for key in _NAMES if key in run), str(run["type"]))
    return f"{_SLUG.sub('_', name)[-60:]}-{digest(dict(run))[:8]}"


def _folder(results: Path) -> Path:
    return results if results.is_dir() else results.parent


def tell(outcome: Outcome) -> None:
    """Print how many replies could be read."""
    for name, count in sorted(outcome.counts.items()):
        told = ", ".join(f"{count[status]} {status}" for status in ("ok", "unparsed", "error"))
        print(f"{name}: {told}")
    if outcome.stopped is not None:
        left = outcome.asked - sum(count.total() for count in outcome.counts.values())
        print(
            f"judging stopped: {MOST_UNREAD} judgements in a row could not be read, {left} of "
            f"{outcome.asked} questions were not asked. The last reply: "
            f"{_short(outcome.stopped)!r}. Choose another judge",
            file=sys.stderr,
        )
    if outcome.failed:
        print(
            f"{outcome.failed} requests failed: the same command asks for them again",
            file=sys.stderr,
        )


def check(found: Run, results: Path, judge: JudgeModel, against: str | None) -> int:
    """Check a judge, print tables and write what was found.

    Raises:
        ValueError: no family of these responses can check a judge, or no such other judge.
    """
    from ..display.tables import show, terminal

    records: dict[str, list[Record]] = {}
    for sample in read_samples(found):
        name = family_of(sample.reference).name
        records.setdefault(name, []).append(Record(Grade(False, "no_answer"), sample.reference))
    checks = {
        name: one
        for name, own in records.items()
        if (one := family(name).judge_check(own)) is not None
    }
    if not checks:
        raise ValueError(f"{results}: no family of these answers has a check of its judge")
    other = None
    if against is not None:
        other = read_judgements([file.path for file in found.files], against)
    failed = 0
    for name, one in checks.items():
        questions = [(each.item, each.question, each.repeat) for each in one.questions]
        outcome = _ask(questions, results, judge)
        second = None
        if other is not None:
            asked = {each.item: (each.question.key, each.repeat) for each in one.questions}
            second = {k: other.repeats[v] for k, v in asked.items() if v in other.repeats}
        summary = one.summarize(outcome.replies, second)
        path = _folder(results) / FOLDER / f"{CHECK}-{name}-{outcome.judge}.json"
        stored = {"judge": outcome.judge, "against": other.judge if other else None, **summary}
        with explained("write", path):
            write_text(path, json.dumps(stored, indent=1) + "\n")
        for table in one.tables(summary):
            show(table, terminal())
        print(path)
        failed = failed or outcome.code
    return failed
