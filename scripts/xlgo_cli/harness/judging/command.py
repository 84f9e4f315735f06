"""``xlgo judge``: have a model judge the answers that only a judge can decide, or check a judge.

Judging is a chain for each question: the question, a repair of a reply that cannot be read, fresh
tries. Every reply is written to the judge's file of answers when it arrives, so judging can be
stopped and taken up again; ``xlgo score``, ``report`` and ``compare`` read it there.
"""

import argparse
from pathlib import Path

from ...arguments import RESULTS, Argument, OneOf

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
    OneOf(
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
    Argument("--no-report", action="store_true", help="write no report at the end"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks.

    Returns:
        0; 1 if some requests failed: the same command then asks for these again.

    Raises:
        ValueError: there is nothing to judge, or an option is invalid.
    """
    from ...logs.graded_run import score_folder
    from ...logs.results import find_run
    from ...page.write import default_folder, write_files
    from . import asking, errors

    if args.check and args.labels:
        raise ValueError("--labels does nothing with --check: leave it out")
    labels = errors.labels_of(args.labels) if args.labels else None
    judge = asking.judge_model(args.model, args.model_args, args.gen_kwargs)
    if args.errors:
        return errors.judge_errors(args, judge, labels)
    answers = find_run(args.results, model=args.answers_of)
    if args.check:
        return asking.check(answers, args.results, judge)
    outcome = asking.judge_run(answers, args.results, judge)
    if outcome is None:
        raise ValueError(f"{args.results}: no answer needs a judge")
    asking.tell(outcome)
    if labels is not None:
        errors.show_agreement(answers, labels, outcome.judge)
    if not args.no_report:
        # A judge that could not be read takes no earlier judgement away.
        counting = outcome.judge if outcome.read else None
        scored = score_folder(args.results, model=args.answers_of, judge=counting)
        print(f"report: {write_files(scored, default_folder(args.results))}")
    return outcome.code
