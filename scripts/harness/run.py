"""``xlgo run``: lm-evaluation-harness on the tasks of this package, with a report at the end."""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from xlgo_dataset.family import known_texts

from .key_values import pairs

if TYPE_CHECKING:
    from .judge import JudgeModel
    from .make_tasks import FoundTask

DEFAULT_TASKS = "xlgo"
RESULTS = Path("xlgo_results")
LEDGERS = "ledgers"
"""In the folder of the results: the answers of chains, by model, from which a run goes on."""
LARGE = 500_000_000
"""Bytes of prompts above which tasks run one by one, unless told otherwise."""

SIMULATED = "xlgo-sim"
"""The simulated model, which also judges by rule."""
NO_JUDGE = "none"
_OWN = re.compile(
    r"--(?:per_level|c_min|c_max|xlgo_seed|(?:no_)?one_by_one|judge_args|judge_gen_kwargs)(?==|$)"
)
"""Options of ours, spelt as the harness spells its own."""
_ARGUMENTS_OF_IT = ("profile", "seed", "coupling", "wording", "model")
_NAMES = ("peft", "delta", "pretrained", "model", "path", "engine")
"""Arguments that name a model, in the order in which the harness looks for its name."""

_DESCRIPTION = """Run lm-evaluation-harness on the tasks of xlgo, then write a report.

Every option of `lm-eval run` is allowed and goes to it as it is; see `lm-eval run --help`."""
_EPILOG = """examples:
  xlgo run --model xlgo-sim --preset smoke
  xlgo run --model hf --model_args pretrained=... --apply_chat_template --batch_size auto
  xlgo run --model local-chat-completions --apply_chat_template \\
    --model_args model=...,base_url=http://127.0.0.1:8000/v1/chat/completions,num_concurrent=8"""


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Add ``run`` to the command line; everything after it is parsed here."""
    # No character begins an option, so that all of them are left to ``parse``.
    parser = subparsers.add_parser(
        "run", help="evaluate a model and write a report", prefix_chars="\0", add_help=False
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    parser.set_defaults(func=lambda args: run(args.arguments))


@dataclass
class Request:
    """What is to be run.

    Attributes:
        tasks: names of tasks, groups or patterns, as given.
        model: name of the model for the harness.
        model_args: its arguments, as given.
        output: where results go.
        metadata: everything for ``--metadata``, with the options of the tasks.
        include: a folder with task files of the user.
        use_cache: where the user wants the cache.
        limit: questions per task, as given.
        one_by_one: run the tasks one by one; ``None`` leaves it to their size.
        judge: the model that judges answers that need it; ``None`` for none.
        judge_args, judge_gen_kwargs: its options, as given.
        others: all other options, for the harness.
    """

    tasks: list[str]
    model: str
    model_args: list[str]
    output: Path
    metadata: dict[str, Any]
    include: Path | None = None
    use_cache: str | None = None
    limit: float | None = None
    one_by_one: bool | None = None
    judge: str | None = None
    judge_args: list[str] | None = None
    judge_gen_kwargs: list[str] | None = None
    others: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """Where the harness writes to; a file given as output stands for its folder."""
        return self.output.parent if self.output.suffix == ".json" else self.output

    def arguments(self, tasks: Sequence[str], use_cache: str | None) -> list[str]:
        """The command line of the harness for some of the tasks."""
        found = ["--model", self.model, "--tasks", ",".join(tasks)]
        # An argument that belongs to no option may not end up as a value of one of those below.
        found += ["--output_path", str(self.output), "--log_samples", *self.others]
        if self.model_args:
            found += ["--model_args", *self.model_args]
        if self.metadata:
            found += ["--metadata", json.dumps(self.metadata)]
        if use_cache is not None:
            found += ["--use_cache", use_cache]
        if self.limit is not None:
            found += ["--limit", f"{self.limit:.17g}"]
        return found


def run(arguments: Sequence[str]) -> int:
    """Do what the command line asks.

    Returns:
        0; 1 if the harness failed, 2 for options that it refused, 130 if interrupted.

    Raises:
        ValueError: an option has a value that is not allowed, or the results cannot be written.
    """
    from ..folders import explained
    from . import task_names
    from .lm_eval_call import call, check_model, is_first_process, keeping_replies
    from .make_tasks import FOLDER

    request = parse(arguments)
    request.tasks = task_names.present_names(request.tasks)
    tasks, others = task_names.expand(request.tasks, strict=request.include is None)
    task_names.check_options(tasks, request.metadata)
    if (asked := task_names.in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = asked, [*asked, *others]
    check_model(request.model)
    if request.judge is not None:
        _judge_of(request)  # a mistake in its options must not wait for the end of the run
    steps = task_names.one_language_each(tasks, request.metadata)
    folders = [FOLDER, *([request.include] if request.include else [])]
    # The harness would find out when everything has been answered, and lose it.
    with explained("write", request.folder):
        request.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=request.folder):
            pass
        if any(task.spec.step for task in tasks.values()):
            ledgers = request.folder / LEDGERS
            ledgers.mkdir(exist_ok=True)
            request.metadata.setdefault("xlgo_ledger", str(ledgers))
    request.model, request.model_args = keeping_replies(
        request.model, request.model_args, request.folder
    )
    print(f"results: {request.output}", flush=True)
    if _is_one_by_one(request, task_names.prompt_bytes(steps, request.metadata)):
        from .one_by_one import run_one_by_one

        code = run_one_by_one(request, [*steps, *others], folders, only_these=not others)
    else:
        names = request.arguments(request.tasks, request.use_cache)
        noted_in = (request.model, request.folder)
        code = call(names, folders, only_these=not others, noted_in=noted_in)
    if code == 0 and is_first_process():
        return _finish(request, tasks)
    return code


def _finish(request: Request, tasks: Mapping[str, FoundTask]) -> int:
    """Judge what needs a judge, and write the report; 1 if a judge did not answer everything."""
    from xlgo_metric.family import family as grading_family

    from ..logs.graded_run import score_folder
    from ..report.command import write_all

    failed = 0
    judged = {task.family for task in tasks.values() if grading_family(task.family).judge}
    if judged and request.judge is not None:
        failed = _judge(request)
    scored = score_folder(request.folder)
    print(f"report: {write_all(scored, request.folder)}")
    if scored.waiting:
        print(
            f"{scored.waiting} answers wait for a judge: xlgo judge {request.folder} --model ... "
            "(or --judge MODEL with this command)"
        )
    return 1 if failed else 0


def _judge(request: Request) -> int:
    """Have the judge judge; how many of its answers failed."""
    from ..logs.results import find_run
    from .judge import judge_run, tell

    outcome = judge_run(find_run(request.folder), request.folder, _judge_of(request))
    if outcome is None:
        return 0
    tell(outcome)
    return outcome.failed


def _judge_of(request: Request) -> JudgeModel:
    from .judge import judge_model

    return judge_model(str(request.judge), request.judge_args, request.judge_gen_kwargs)


def _is_one_by_one(request: Request, size: int) -> bool:
    if request.one_by_one is not None:
        return request.one_by_one
    if size <= LARGE or request.limit is not None:
        return False
    print(
        f"about {size / 1e9:.1f} GB of prompts: one task and language at a time "
        "(--no-one-by-one runs all at once)"
    )
    return True


def parse(arguments: Sequence[str]) -> Request:
    """Read the command line.

    Raises:
        ValueError: a value is not allowed.
    """
    spelt = [_OWN.sub(lambda found: found[0].replace("_", "-"), word) for word in arguments]
    args, others = _parser().parse_known_args(spelt)
    _fill_from_config(args)
    if args.limit is not None and not 0 < args.limit < math.inf:
        raise ValueError(
            f"--limit must be a number of questions or a share below 1, got {args.limit:g}"
        )
    if args.include_path is not None and not args.include_path.is_dir():
        raise ValueError(f"--include_path {args.include_path}: there is no such folder")
    tasks = [name.strip() for names in args.tasks or [DEFAULT_TASKS] for name in names.split(",")]
    if not any(tasks):
        raise ValueError("--tasks: give at least one task, or leave it out for all puzzles")
    metadata = pairs("--metadata", args.metadata)
    given = {
        "preset": args.preset, "levels": args.levels, "per_level": args.per_level,
        "c_min": args.c_min, "c_max": args.c_max, "xlgo_seed": args.xlgo_seed, "text": args.text,
        "languages": args.languages, "complexities": args.complexities,
    }  # fmt: skip
    metadata |= {name: value for name, value in given.items() if value is not None}
    if (text := metadata.get("text", "paper")) not in known_texts() and Path(text).is_file():
        metadata["text"] = str(Path(text).resolve())
    if args.cache_requests is not None:
        # The harness files prompts under the name of the task, whatever seed and levels they have.
        fresh = "refresh" if args.cache_requests == "true" else args.cache_requests
        others += ["--cache_requests", fresh]
    model_args = args.model_args or []
    if args.model == SIMULATED:
        model_args = simulated_args(model_args, metadata.get("text", "paper"))
    if args.config is not None:
        others += ["--config", str(args.config)]
    return Request(
        tasks=[name for name in tasks if name],
        model=args.model,
        model_args=model_args,
        output=args.output_path or RESULTS / _label(args.model, model_args, metadata),
        metadata=metadata,
        include=args.include_path,
        use_cache=args.use_cache,
        limit=args.limit,
        one_by_one=args.one_by_one,
        judge=_chosen_judge(args),
        judge_args=args.judge_args,
        judge_gen_kwargs=args.judge_gen_kwargs,
        others=others,
    )


def _chosen_judge(args: argparse.Namespace) -> str | None:
    """The judge: as given; the simulated model judges for itself unless told otherwise."""
    if args.judge is None:
        if args.judge_args or args.judge_gen_kwargs:
            raise ValueError("--judge-args and --judge-gen-kwargs need --judge: name the model")
        return SIMULATED if args.model == SIMULATED else None
    return None if args.judge == NO_JUDGE else str(args.judge)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="xlgo run", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    own = parser.add_argument_group("options of xlgo")
    own.add_argument("--preset", help="range and levels of the puzzles: paper, lite or smoke")
    own.add_argument("--levels", type=int, help="levels of complexity")
    own.add_argument("--per-level", type=int, help="questions of each level")
    own.add_argument("--c-min", type=int, help="lowest complexity")
    own.add_argument("--c-max", type=int, help="highest complexity")
    own.add_argument(
        "--complexities", help="of each level, as 2,5,11, instead of levels and their range"
    )
    own.add_argument("--xlgo-seed", type=int, help="seed of the puzzles (default: 0)")
    own.add_argument("--text", help="paper, revised, parallel, or a TOML file with a wording")
    own.add_argument(
        "--languages", help="codes joined by commas: which of its languages a task has"
    )
    own.add_argument(
        "--one-by-one", action=argparse.BooleanOptionalAction,
        help="one task and language at a time, each with its own cache and log; can be resumed "
        f"by the same command (default: above {LARGE // 10**6} MB of prompts)",
    )  # fmt: skip
    own.add_argument(
        "--judge", metavar="MODEL",
        help="a type of model that judges answers that need it at the end of the run, or none "
        f"(default: none; {SIMULATED} judges its own answers by rule)",
    )  # fmt: skip
    own.add_argument("--judge-args", nargs="+", help="its arguments, as for --model_args")
    own.add_argument("--judge-gen-kwargs", nargs="+", help="how it answers, as for --gen_kwargs")
    known = parser.add_argument_group("options of lm-eval run that matter here too")
    known.add_argument("--tasks", "-t", nargs="+", help=f"default: {DEFAULT_TASKS}")
    known.add_argument("--output_path", "-o", type=Path, help=f"default: a folder in {RESULTS}")
    known.add_argument("--log_samples", "-s", action="store_true", help="always on")
    known.add_argument("--include_path", type=Path, help="searched besides the tasks of xlgo")
    known.add_argument("--cache_requests", nargs="?", const="true", help="always made afresh")
    same = "as for lm-eval run"
    known.add_argument("--model", "-M", help=same)
    known.add_argument("--model_args", "-a", nargs="+", help=same)
    known.add_argument("--metadata", nargs="+", help=same)
    known.add_argument("--use_cache", "-c", help=same)
    known.add_argument("--limit", "-L", type=float, help=same)
    known.add_argument("--config", "-C", type=Path, help=same)
    return parser


def _fill_from_config(args: argparse.Namespace) -> None:
    """Take what the command line does not say from the harness's ``--config`` file.

    Only what this command has to know: the harness gets it on its command line and reads the rest
    of the file itself.

    Raises:
        ValueError: the file cannot be read.
    """
    if args.config is not None:
        import yaml

        try:
            config = yaml.safe_load(args.config.read_text("utf-8"))
        except (OSError, ValueError, yaml.YAMLError) as error:
            reason = " ".join(str(error).split())
            raise ValueError(f"--config {args.config}: cannot be read ({reason})") from error
        if not isinstance(config, dict | None):
            raise ValueError(f"--config {args.config}: must hold options as `name: value`")
        for name in ("tasks", "model", "model_args", "metadata", "output_path", "include_path",
                     "use_cache", "limit"):  # fmt: skip
            if getattr(args, name) is None and (value := (config or {}).get(name)) is not None:
                if name in ("output_path", "include_path"):
                    value = Path(value)
                elif name in ("model_args", "metadata"):
                    value = [json.dumps(value) if isinstance(value, dict) else str(value)]
                elif name == "tasks":
                    value = list(map(str, value if isinstance(value, list) else [value]))
                elif name == "limit":
                    value = _number(f"--config {args.config}: limit", value)
                setattr(args, name, value)
    args.model = args.model or "hf"


def simulated_args(model_args: list[str], text: str) -> list[str]:
    """The arguments of the simulated model, with a name for the results; checked."""
    from ..simulate.simulator import Simulator

    given = pairs("--model_args", model_args)
    for name in given:
        if name not in _ARGUMENTS_OF_IT:
            raise ValueError(
                f"--model_args: {SIMULATED} has no argument {name!r}: allowed are "
                f"{', '.join(_ARGUMENTS_OF_IT)}"
            )
    if text not in known_texts():
        given.setdefault("wording", text)
    profile = str(given.setdefault("profile", "demo"))
    if not isinstance(given.get("seed", 0), int):
        raise ValueError(f"--model_args: seed must be an integer, got {given['seed']!r}")
    coupling = _number("--model_args: coupling", given.get("coupling", 0))
    given.setdefault("model", Simulator(profile, coupling=coupling).name)
    return [json.dumps(given)]


def _number(what: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be a number, got {value!r}") from None


def _label(model: str, model_args: list[str], metadata: dict[str, Any]) -> str:
    """A name for a folder, the same whenever the same is run."""
    given = pairs("--model_args", model_args)
    name = next((str(given[key]) for key in _NAMES if key in given), model)
    parts = [name, metadata.get("preset", "paper"), f"seed{metadata.get('xlgo_seed', 0)}"]
    return re.sub(r"[^\w.-]+", "_", "-".join(map(str, parts)))
