"""``xlgo judge``: have a model judge the answers that only a judge can decide, or check a judge.

Judging is a chain for each question: the question, a repair of a reply that cannot be read, fresh
tries. Every reply is written to the judge's file of answers when it arrives, so judging can be
stopped and taken up again; ``xlgo score``, ``report`` and ``compare`` read it there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_metric.core import Grade, Record, grouped
from xlgo_metric.family import family, family_of
from xlgo_metric.option import codes

from ...arguments import RESULTS, RUN, Argument, OneOf, pairs
from ...folders import write_json
from ...logs.judgements import FOLDER, read_judgements
from ...logs.results import Run, find_run, models_in, read_samples
from .asking import (
    JudgeModel,
    Outcome,
    ask,
    folder_of,
    has_judged,
    questions_about,
    tell,
    try_judge,
)

if TYPE_CHECKING:
    import pandas as pd

CHECK = "judge_check"
"""Begins the names of the files with checks of a judge."""


ARGUMENTS = (
    RESULTS,
    Argument(
        "--model", "-M", required=True, help="model type of the judge, as for xlgo run"
    ),
    Argument(
        "--model_args", "--model-args", "-a", nargs="+", metavar="ARG",
        help="arguments of the judge, such as model=NAME,base_url=URL",
    ),
    Argument(
        "--gen_kwargs", "--gen-kwargs", nargs="+", metavar="ARG",
        help="generation settings of the judge (default: temperature 0, at most 4096 tokens)",
    ),
    Argument(
        "--batch_size", "--batch-size", "-b", help="batch size, for models on this machine"
    ),
    Argument("--device", help="device, for models on this machine"),
    Argument(
        "--no-chat", dest="chat", action="store_false",
        help="send plain text, for a judge without a chat template",
    ),
    OneOf(
        Argument(
            "--questions", metavar="NAMES", type=codes, default=[],
            help="comma-separated questions for the judge, such as mqm,direct (default: all)",
        ),
        Argument(
            "--check", action="store_true",
            help="test the judge on texts with known errors, instead of judging",
        ),
        Argument(
            "--errors", metavar="TAXONOMY",
            help="classify the errors of incorrect answers by a taxonomy: mathematics, knowledge, "
            "simple_reasoning, context_corruption, korbench, or a TOML file",
        ),
    ),
    Argument(
        "--labels", type=Path, metavar="FILE",
        help="CSV file of what people said (question,label and perhaps model,task,language): how "
        "far the judge agrees; without --errors the labels are correct and wrong",
    ),
    Argument(
        "--parallel", metavar="PATTERN", needs="--errors TAXONOMY",
        help="with --errors: names of another benchmark's tasks, as 'mt_aime24_{lang}'",
    ),
    Argument(
        "--metric", needs="--parallel PATTERN",
        help="with --parallel: metric that separates correct from wrong answers",
    ),
    Argument(
        "--filter", needs="--parallel PATTERN",
        help="with --parallel: filter of the harness whose answers count",
    ),
    Argument(
        "--answers-of", metavar="MODEL",
        help="model whose answers to judge, if the folder has several",
    ),
    RUN,
    Argument("--no-report", action="store_true", help="write no report at the end"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks.

    Returns:
        0; 1 if some requests failed: the same command then asks for these again.

    Raises:
        ValueError: there is nothing to judge, or an option is invalid.
    """
    from .people import labels_of

    if args.check and args.labels:
        raise ValueError("--labels does nothing with --check: leave it out")
    people = labels_of(args.labels) if args.labels and not args.errors else None
    judge = judge_model(
        args.model,
        args.model_args,
        args.gen_kwargs,
        batch_size=args.batch_size,
        device=args.device,
        chat=args.chat,
    )
    if args.errors:
        from .errors import judge_errors

        models = [args.answers_of] if args.answers_of else models_in(args.results)
        runs = [find_run(args.results, model=name, date=args.date) for name in models]
        return judge_errors(args, runs, judge)
    answers = find_run(args.results, model=args.answers_of, date=args.date)
    if args.check:
        return check(answers, args.results, judge)
    if not has_judged(args.results, judge):  # which may need no server for what is kept
        try_judge([family_of(sample.reference).name for sample in read_samples(answers)], judge)
    outcome = judge_run(answers, args.results, judge, args.questions)
    if outcome is None:
        raise ValueError(f"{args.results}: no answer needs a judge")
    tell(outcome)
    if people is not None:
        show_agreement(args, people, outcome.judge)
    if not args.no_report:
        from ...logs.graded_run import score_folder
        from ...report.write import write_all

        # A judge that could not be read takes no earlier judgement away.
        scored = score_folder(
            args.results,
            model=args.answers_of,
            date=args.date,
            judge=outcome.judge if outcome.read else None,
        )
        print(f"report: {write_all(scored, args.results)}")
    return int(outcome.failed > 0)


def show_agreement(args: argparse.Namespace, people: pd.DataFrame, judge: str) -> None:
    """Print how far a judge's verdicts agree with those of people.

    Correct answers that it rejects and incorrect ones that it accepts are the false positives and
    false negatives of table 11 of the UNPUZZLES paper.

    Raises:
        ValueError: no label is of one of these answers.
    """
    from ...display.formats import show
    from .people import agreement

    answers = find_run(args.results, model=args.answers_of, date=args.date)
    judgements = read_judgements([file.path for file in answers.files], judge)
    judged = []
    for sample in read_samples(answers):
        reference = sample.reference
        grade = family_of(reference).grade(sample.response, sample.graded_by)
        if grade.status == "needs_judge" and judgements is not None:
            decided = judgements.decide(grade, sample.response, reference).status
            where = (reference.get(name, "") for name in ("task", "language", "instance_id"))
            verdict = None if decided == "needs_judge" else (decided,)
            judged.append(((answers.model, *map(str, where)), verdict))
    show(agreement(people, judged, judge))


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
    from ..models import check_model
    from ..options import simulated_args
    from ..request import SIMULATED

    arguments = pairs("--model_args", model_args)
    if model == SIMULATED:
        arguments = simulated_args(arguments)
    check_model(model, arguments)
    return JudgeModel(model, arguments, pairs("--gen_kwargs", gen_kwargs), batch_size, device, chat)


def judge_run(
    run: Run,
    results: Path,
    judge: JudgeModel,
    only: Sequence[str] = (),
    *,
    quiet: bool = False,
) -> Outcome | None:
    """Ask a judge about every response that needs one.

    Args:
        run: the responses.
        results: as given; judgements are written into its folder.
        judge: whom to ask.
        only: names of questions; all of them if empty.
        quiet: show no progress.

    Returns:
        ``None`` where no response needs a judge.

    Raises:
        ValueError: unknown questions, no such model, answers in use or damaged, or a judge that
            answers nothing at all.
        ConnectionError: no answer comes any more; what is recorded is kept.
    """
    by_key = {
        question.key: question
        for sample in read_samples(run)
        for question in questions_about(sample.reference, sample.response)
    }
    names = sorted({question.name for question in by_key.values()})
    if names and (unknown := sorted(set(only) - set(names))):
        raise ValueError(
            f"--questions: unknown name {unknown[0]!r}: allowed are {', '.join(names)}"
        )
    questions = [
        (k, question, 0) for k, question in by_key.items() if not only or question.name in only
    ]
    return ask(questions, results, judge, quiet=quiet) if by_key else None


def check(run: Run, results: Path, judge: JudgeModel) -> int:
    """Check a judge, print tables and write what was found.

    Raises:
        ValueError: no family of these responses can check a judge.
    """
    from ...display.formats import show

    records = [Record(Grade(False, "no_answer"), s.reference) for s in read_samples(run)]
    by_family = grouped(records, lambda record: family_of(record.reference).name)
    kinds = {name: family(name).judge for name in by_family}
    checks = {name: kind.check(by_family[name]) for name, kind in kinds.items() if kind is not None}
    if not any(checks.values()):
        raise ValueError(f"{results}: no family of these answers has a check of its judge")
    failed = 0
    for name, judge_check in checks.items():
        if judge_check is None:
            continue
        requests = [(q.item, q.question, q.repeat) for q in judge_check.questions]
        outcome = ask(requests, results, judge)
        summary = judge_check.summarize(outcome.replies)
        path = folder_of(results) / FOLDER / f"{CHECK}-{name}-{outcome.judge}.json"
        write_json(path, {"judge": outcome.judge, **summary})
        show(*judge_check.tables(summary))
        print(path)
        failed += outcome.failed
    return int(failed > 0)
