"""The command line of ``xlgo run``, and mistakes in what it leaves to the harness: types of models
and options of its own.
"""

import argparse
import json
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.question_plan import read_plan
from xlgo_dataset.family import known_texts
from xlgo_dataset.text.tokenizers import installed
from xlgo_lm_eval.arguments import (
    CHALLENGE,
    DEFAULT_TEXT,
    GENERATION,
    Settings,
    check_arguments,
    check_names,
    model_name,
    pairs,
    repeats_of,
    tokenizer_name,
)
from xlgo_lm_eval.patches import without_messages
from xlgo_lm_eval.tasks.utils import Options, known_options
from xlgo_metric.option import Option, codes

from ..arguments import (
    EXTRAS,
    Argument,
    Group,
    Names,
    Parser,
    count,
    existing_folder,
    languages,
)
from ..folders import read_settings
from ..logs.questions import seed_of
from .make_tasks import FoundTask, expand, harness_names

DEFAULT_TASKS = "xlgo"
SMALL_TASKS = ("xlgo_graph_sp", "xlgo_t_rank")
"""Of a run that names neither tasks nor a size: those with the shortest prompts."""
RESULTS = Path("xlgo_results")
LARGE = 500_000_000
"""Bytes of prompts above which tasks run one by one by default."""

NO_JUDGE = "none"
_SIZES = frozenset(("preset", "levels", "per_level", "c_min", "c_max", "complexities", "plan"))
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
"""How much the harness logs, as it spells it."""
_OWN = re.compile(
    r"--(?:per_level|c_min|c_max|xlgo_seed|(?:no_)?one_by_one"
    r"|condition_tokenizer|judge_args|judge_gen_kwargs)(?==|$)"
)
"""Options of ours, spelt as the harness spells its own."""
_OF_TASKS = (
    "preset", "levels", "per_level", "c_min", "c_max", "xlgo_seed", "text", "languages",
    "complexities", "plan", "repeats", "conditions", "condition_tokenizer",
)  # fmt: skip
"""Options that are settings of the tasks, too."""
ADAPTIVE = "adaptive"
SIMULATED = "xlgo-sim"
"""The simulated model, which also judges by rule."""
BUDGET = 300
"""Prompts in each language of a task of an adaptive design."""
_NOT_ADAPTIVE = {
    **dict.fromkeys(
        ["preset", "levels", "per_level", "complexities", "plan", "repeats", "conditions"],
        "the design chooses what is asked: leave out",
    ),
    "limit": "give --budget instead of",
    "one_by_one": "it asks in rounds: leave out",
}
"""Options that do not go with an adaptive design, and what to do."""

_HINTING = ("lm_eval.api.task", "lm_eval.config.evaluate_config", "lm_eval.evaluator")
_HINTS = (
    "Custom kwargs can be passed", "SHOULD ONLY BE USED FOR TESTING", "generation_kwargs: ",
    "Using default fewshot",
)  # fmt: skip
_LOGGER = logging.getLogger("xlgo")

_DESCRIPTION = """Run lm-evaluation-harness on the tasks of xlgo, then write a report.

Options of `lm-eval run` work too, such as --apply_chat_template, --batch_size
and --gen_kwargs; `lm-eval run --help` lists them."""
_EPILOG = """examples:
  xlgo run --model xlgo-sim --preset smoke
  xlgo run --model hf --model_args pretrained=ORG/MODEL --apply_chat_template
  xlgo run --model local-chat-completions --apply_chat_template --model_args \\
    model=NAME,base_url=http://127.0.0.1:8000/v1/chat/completions"""


class Request(argparse.Namespace):
    """What ``xlgo run`` was asked to do: its options by name, as ``parse`` settles them.

    Beside those of the command line: ``metadata`` has the options of the tasks, too;
    ``passed_on`` are words for the harness's own parser; ``is_size_chosen`` says whether the user
    chose how much is asked.
    """

    @property
    def model_name(self) -> str:
        """The name of the model for people: that in its arguments, or of its type."""
        return model_name(self.model_args) or str(self.model)

    @property
    def is_verbose(self) -> bool:
        """Whether the harness's own output and log are shown."""
        return self.verbosity in ("INFO", "DEBUG")


@cache
def _models_of_packages() -> tuple[EntryPoint, ...]:
    """Models that other packages bring; a file of each package is read for it."""
    return tuple(entry_points(group="lm_eval.models"))


def parse(arguments: Sequence[str]) -> Request:
    """Read the command line.

    Raises:
        ValueError: a value is not allowed.
    """
    parser, words = _parser(), _spelt(arguments)
    if (path := parser.parse_known_args(words)[0].config) is not None:
        words = [*_words_in(path, arguments, parser), *words]
    request = Request()
    request.passed_on = parser.parse_known_args(words, request)[1]
    if request.limit is not None and not 0 < request.limit < math.inf:
        raise ValueError(
            f"--limit must be a number of questions or a share below 1, got {request.limit:g}"
        )
    metadata = pairs("--metadata", request.metadata)
    request.languages = ",".join(request.languages) or None
    metadata |= {k: value for k in _OF_TASKS if (value := getattr(request, k)) is not None}
    repeats_of(metadata)
    _settle_seed(request.challenge, metadata)
    request.model_args = pairs("--model_args", request.model_args)
    if "length_matched" in codes(metadata.get("conditions", "")):
        tokenizer = tokenizer_name(request.model_args) or installed()
        metadata.setdefault("condition_tokenizer", tokenizer)
    if request.design == ADAPTIVE:
        _settle_adaptive(request, metadata)
    request.is_size_chosen = (
        request.design == ADAPTIVE or request.limit is not None or bool(_SIZES & metadata.keys())
    )
    request.tasks = request.tasks or ([DEFAULT_TASKS] if request.is_size_chosen else [*SMALL_TASKS])
    if not request.is_size_chosen and _having(request.tasks, "preset"):
        metadata["preset"] = option_of("preset").default
    worded = _having(request.tasks, "text")
    if worded and all(DEFAULT_TEXT in xd.family(task.family).texts for task in worded):
        metadata.setdefault("text", DEFAULT_TEXT)
    if (text := metadata.get("text", "paper")) not in known_texts() and Path(text).is_file():
        metadata["text"] = str(Path(text).resolve())
    request.metadata = metadata
    if request.model == SIMULATED:  # which costs nothing, and by default judges its own answers
        request.model_args = simulated_args(request.model_args)
        request.yes, request.judge = True, request.judge or SIMULATED
    if request.judge == NO_JUDGE:
        request.judge = None
    if request.use_cache is not None:
        print(
            "note: --use_cache is not needed: every answer is kept in the results folder, and the "
            "same command resumes",
            file=sys.stderr,
        )
    return request


def _having(names: Sequence[str], option: str) -> list[FoundTask]:
    """The tasks, of some, that have an option."""
    by_name, _ = expand(harness_names(names), strict=False)
    return [task for task in by_name.values() if option in known_options(task.metadata)]


def _settle_seed(nonce: str | None, metadata: Options) -> None:
    """Take the seed from a challenge, kept beside it, or a plan, whose path then holds anywhere.

    Raises:
        ValueError: the challenge is empty, a seed is given too, or the plan is none.
    """
    plan = metadata.get("plan")
    seeds = {task.seed for task in read_plan(plan).values()} - {None} if plan is not None else set()
    if nonce is not None:
        if "xlgo_seed" in metadata or seeds:
            raise ValueError(
                "--challenge makes the seed: leave out --xlgo-seed and plans with a seed"
            )
        metadata |= {"xlgo_seed": seed_of(nonce), CHALLENGE: nonce}
    for seed in seeds:
        metadata.setdefault("xlgo_seed", seed)
    if isinstance(plan, str) and not plan.lstrip().startswith("{"):
        metadata["plan"] = str(Path(plan).resolve())


def _settle_adaptive(request: Request, metadata: Options) -> None:
    """Take the settings of an adaptive design out of the options of the tasks.

    Raises:
        ValueError: options that do not go with each other.
    """
    given = {**metadata, "limit": request.limit, "one_by_one": request.one_by_one or None}
    for name, remedy in _NOT_ADAPTIVE.items():
        if given.get(name) is not None:
            raise ValueError(f"--design adaptive: {remedy} {name}")
    request.budget = request.budget or BUDGET
    for name in ("c_min", "c_max"):
        metadata.pop(name, None)


def _of_tasks(name: str, kind: Callable[[str], Any] = str, more: str = "") -> Argument:
    """An option of the tasks, with the words that its family has for it.

    Args:
        name: of the option.
        kind: reads its value.
        more: behind these words; ``{default}`` is the option's.
    """
    option = option_of(name)
    choices = f": {', '.join(option.allowed)}" if option.kind == "choice" else ""
    words = f"{option.help}{choices}{more.format(default=option.default)}"
    return Argument(f"--{name.replace('_', '-')}", type=kind, help=words)


def option_of(name: str) -> Option:
    """The first option of that name of any family."""
    return next(
        option
        for family in xd.FAMILIES.values()
        for option in family.task_options(family.TASKS[0])
        if option.name == name
    )


_MOST = Group(
    "used most",
    Argument(
        "--model", "-M", default="hf",
        help=f"type of model, as for lm-eval run: hf, vllm, local-chat-completions ..., or "
        f"{SIMULATED}, a simulated model",
    ),
    Argument(
        "--show-args", "--show_args", metavar="NAMES",
        help="comma-separated names of model arguments to write in clear; values of "
        "arguments that are not known to be harmless are written as keyed hashes",
    ),
    Argument(
        "--model_args", "-a", nargs="+", metavar="NAME=VALUE",
        help="its arguments, such as pretrained=ORG/MODEL",
    ),
    Argument(
        "--tasks", "-t", nargs="+", action=Names,
        help="tasks (xlgo tasks lists them; default: "
        f"{' and '.join(SMALL_TASKS)}, or with a size {DEFAULT_TASKS}, all puzzles)",
    ),
    languages("those of the task"),
    _of_tasks("preset", more=" (default: {default})"),
    Argument(
        "--out", "--output_path", "-o", dest="folder", type=Path, metavar="FOLDER",
        help=f"results folder (default: a folder in {RESULTS})",
    ),
    Argument(
        "--prices", type=Path, metavar="FILE",
        help="TOML or JSON file with prices of tokens (see docs/running_models.md)",
    ),
    Argument(
        "--yes", action="store_true", help="run more than a million tokens without asking"
    ),
    Argument(
        "--quiet", "-q", action="store_true", help="print only the path of the report"
    ),
)  # fmt: skip

_NUMBER = Group(
    "number of questions",
    _of_tasks("levels", int),
    _of_tasks("per_level", int),
    _of_tasks("c_min", int),
    _of_tasks("c_max", int),
    _of_tasks("complexities"),
    _of_tasks("plan"),
    Argument(
        "--limit", "-L", type=float,
        help="only the first questions of each task, or a share below 1",
    ),
    Argument(
        "--repeats", type=int, help="responses per question (default: 1); sample them, as with "
        "--gen_kwargs do_sample=true,temperature=1",
    ),
    Argument("--xlgo-seed", type=int, help="seed of the puzzles (default: 0)"),
    Argument(
        "--challenge", metavar="NONCE",
        help="text that a host names after submissions close; the seed is derived from it "
        "(see docs/trust.md)",
    ),
)  # fmt: skip

_ADAPTIVE = Group(
    "adaptive design",
    Argument(
        "--design", choices=("fixed", ADAPTIVE), default="fixed",
        help="adaptive: find informative complexities in rounds; rerun the command to "
        "resume (default: fixed)",
    ),
    Argument(
        "--budget", type=count, needs="--design adaptive",
        help=f"prompts per language and task (default: {BUDGET})",
    ),
)  # fmt: skip

_WORDING = Group(
    "how questions are asked",
    _of_tasks("text", more=f" (default: {DEFAULT_TEXT}, where the task has it)"),
    _of_tasks("conditions"),
    _of_tasks(
        "condition_tokenizer",
        more=" (default: the model's own, else one that is installed, else characters)",
    ),
)  # fmt: skip

_JUDGE = Group(
    "judge, for tasks whose answers need one",
    Argument(
        "--judge", metavar="MODEL",
        help=f"type of model of the judge, or none (default: none; {SIMULATED} judges its "
        "own answers by rule)",
    ),
    Argument(
        "--judge-args", nargs="+", metavar="NAME=VALUE", needs="--judge MODEL",
        help="arguments of the judge, as for --model_args",
    ),
    Argument(
        "--judge-gen-kwargs", nargs="+", metavar="NAME=VALUE", needs="--judge MODEL",
        help="generation settings of the judge, as for --gen_kwargs",
    ),
)  # fmt: skip

_LONG = Group(
    "long runs and many models",
    Argument(
        "--models", type=Path, metavar="FILE",
        help="run every model of a TOML or YAML file in turn (see docs/long_runs.md); "
        "rerun the command to resume",
    ),
    Argument(
        "--status", action="store_true", needs="--models FILE",
        help="with --models: print each model's state and exit",
    ),
    Argument(
        "--one-by-one", action=argparse.BooleanOptionalAction,
        help="run one task and language at a time, which takes less memory "
        f"(default: above {LARGE // 10**6} MB of prompts)",
    ),
    Argument(
        "--partial", action="store_true",
        help="exit with 0 although requests failed; their questions are left out",
    ),
    Argument(
        "--fresh", action="store_true",
        help="begin again: remove the kept answers and what the run wrote",
    ),
    Argument("--use_cache", "-c", help=argparse.SUPPRESS),
    Argument(
        "--verbosity", "-v", nargs="?", const="INFO", default="WARNING", metavar="LEVEL",
        type=str.upper, choices=LEVELS,
        help=f"log level of the harness: {', '.join(LEVELS)} (default: WARNING; -v alone: "
        "INFO, with its own tables)",
    ),
    Argument(
        "--config", "-C", type=Path, metavar="FILE",
        help="YAML file with options of lm-eval run",
    ),
    Argument(
        "--include_path", type=existing_folder, metavar="FOLDER",
        help="folder with task files of your own",
    ),
    Argument(
        "--metadata", nargs="+", metavar="NAME=VALUE",
        help="options of a task by name (xlgo tasks NAME lists them)",
    ),
    Argument(
        "--log_samples", "-s", action="store_true", help="always on: answers are logged"
    ),
    Argument(
        "--cache_requests", nargs="?", const="true", metavar="MODE",
        help="prompts are always rebuilt, never read from this cache",
    ),
)  # fmt: skip


def _parser() -> Parser:
    return Parser(
        prog="xlgo run",
        usage="xlgo run --model MODEL [option ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).made_of((_MOST, _NUMBER, _ADAPTIVE, _WORDING, _JUDGE, _LONG))


def _words_in(path: Path, arguments: Sequence[str], parser: Parser) -> list[str]:
    """The options of a file that a command line does not give itself, as its first words."""
    config = read_settings(path, "--config", "YAML")
    if not isinstance(config, dict | None):
        raise ValueError(f"--config {path}: must hold options as `name: value`")
    overridden = {word.partition("=")[0].lstrip("-").replace("-", "_") for word in arguments}
    words = _spelt(words_of({k: v for k, v in (config or {}).items() if k not in overridden}))
    try:
        parser.parse_known_args(words)
    except ValueError as error:
        raise ValueError(f"--config {path}: {error}") from None
    return words


def words_of(options: Settings) -> list[str]:
    """The words of a command line that give some options, by name without dashes."""
    words = []
    for name, value in options.items():
        values = value if isinstance(value, list | tuple) else [value]
        texts = [json.dumps(v) if isinstance(v, dict) else str(v) for v in values]
        if name == "one_by_one" and value is False:
            words.append("--no-one-by-one")
        elif name == "seed":  # of the harness, which wants it in one word
            words += ["--seed", ",".join(texts)]
        elif value is not False and value is not None:
            words += [f"--{name}", *(texts if value is not True else ())]
    return words


def _spelt(words: Sequence[str]) -> list[str]:
    """Words with our options spelt with hyphens."""
    return [_OWN.sub(lambda match: match[0].replace("_", "-"), word) for word in words]


def simulated_args(model_args: Settings) -> Options:
    """The arguments of the simulated model, with a name for the results; values are checked."""
    from ..simulate.simulator import Simulator

    arguments = {"profile": "demo", **model_args}
    simulator = Simulator(str(arguments["profile"]), arguments.get("seed", 0))
    return {"model": simulator.name, **arguments}


def check_model(name: str, model_args: Settings | None = None) -> None:
    """Register our models, and refuse a model that the harness does not know.

    Args:
        name: its type, as for ``--model``.
        model_args: its arguments, where they are to be checked too.

    Raises:
        ValueError: there is no model of that name, or a package or an argument is missing.
    """
    if name == "hf" and model_args is not None and not model_args.get("pretrained"):
        raise ValueError(
            "which model? Give --model hf --model_args pretrained=ORG/MODEL, or --model "
            "local-chat-completions --apply_chat_template --model_args model=NAME,base_url=URL; "
            "--model xlgo-sim --preset smoke tries everything with a simulated model "
            "(xlgo run --help)"
        )
    import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
    from lm_eval.api.registry import MODEL_REGISTRY, get_model

    for entry in _models_of_packages():
        if entry.name not in MODEL_REGISTRY:  # lm-eval after 0.4.13 reads them itself
            MODEL_REGISTRY.register(entry.name, target=entry)
    check_names("--model", [name], MODEL_REGISTRY.keys(), is_open=False)
    try:
        kind = get_model(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in EXTRAS:
            raise
        raise ValueError(
            f"--model {name} needs the package {error.name}, which is not installed"
        ) from error
    if model_args is None:
        return
    for unknown in check_arguments(kind, model_args):
        _LOGGER.warning("--model_args: %r is not known here and passed on as it is", unknown)


def is_api(model: str) -> bool:
    """Whether models of a type, which the harness knows, are behind an interface."""
    from lm_eval.api.registry import get_model
    from lm_eval.models.api_models import TemplateAPI

    kind = get_model(model)
    return isinstance(kind, type) and issubclass(kind, TemplateAPI)


def make_model(name: str, model_args: Settings, **options: Any) -> Any:
    """Return a model of the harness.

    Args:
        name, model_args: its type and its arguments.
        options: ``batch_size``, ``max_batch_size`` and ``device``; ``None`` for its own.
    """
    from lm_eval.api.registry import get_model

    return get_model(name).create_from_arg_obj(dict(model_args), options)


def is_first_process() -> bool:
    """Of several processes that evaluate together, the first writes the results."""
    return all(os.environ.get(name, "0") == "0" for name in ("RANK", "LOCAL_RANK"))


def harness_config(request: Request) -> Any:
    """Return the settings of a run as the harness's command line would make them.

    Raises:
        ValueError: an option that the harness does not know, or a value that it cannot read.
    """
    from lm_eval._cli.run import Run
    from lm_eval.config.evaluate_config import EvaluatorConfig

    parser = Parser(prog="lm-eval", add_help=False)
    Run(parser.add_subparsers(dest="command", parser_class=Parser))
    try:
        options = vars(parser.parse_args(["run", *request.passed_on]))
    except ValueError as error:
        raise ValueError(f"{error}; xlgo run --help lists its own options") from None
    options |= {
        "config": None, "model": request.model, "model_args": dict(request.model_args),
        "tasks": list(request.tasks), "metadata": dict(request.metadata), "limit": request.limit,
        "output_path": str(request.folder or RESULTS), "log_samples": True, "use_cache": None,
        "include_path": request.include_path and str(request.include_path),
    }  # fmt: skip
    try:
        with without_hints():
            return EvaluatorConfig.from_cli(argparse.Namespace(**options))
    except (TypeError, ValueError) as error:
        raise ValueError(f"options of the harness: {error}") from None


def check_harness(config: Any, request: Request, tasks: Sequence[str]) -> None:
    """Refuse what would only fail, or mislead, when the run has begun.

    Args:
        config: of ``harness_config``.
        request: what is to be run; the harness knows its model (see ``check_model``).
        tasks: names of the tasks of this package.

    Raises:
        ValueError: with the option and what to do.
    """
    if config.predict_only and request.design == ADAPTIVE:
        raise ValueError("--design adaptive needs grades: leave out --predict_only")
    if config.check_integrity:
        raise ValueError(
            "--check_integrity runs the tests of the harness's own repository, which is not here: "
            "leave it out (xlgo verify checks exported data)"
        )
    if config.num_fewshot and tasks:
        raise ValueError(
            f"--num_fewshot {config.num_fewshot}: {tasks[0]} has no solved examples to show, its "
            "questions are generated: leave the option out"
        )
    model = request.model
    if not config.apply_chat_template and is_api(model) and "chat" in model:
        raise ValueError(f"--model {model} takes chats only: add --apply_chat_template")
    for unknown in check_names("--gen_kwargs", config.gen_kwargs, GENERATION, is_open=True):
        _LOGGER.warning("--gen_kwargs: %r is not known here and passed on as it is", unknown)


def without_hints() -> AbstractContextManager[object]:
    """Hide the harness's messages to task authors, and those that do not apply to our tasks.

    Gaps of few questions are as wide as they are: the score says so by itself.
    """
    return without_messages(_HINTS, *_HINTING)
