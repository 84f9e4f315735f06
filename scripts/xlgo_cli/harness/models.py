"""Types of models and options of the harness, and mistakes in them before anything runs."""

import argparse
import logging
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib.metadata import entry_points
from typing import Any

from xlgo_lm_eval.arguments import GENERATION, Settings, check_arguments, check_names
from xlgo_lm_eval.patches import without_messages

from ..arguments import Parser
from .options import ADAPTIVE, RESULTS, Request

_HINTING = ("lm_eval.api.task", "lm_eval.config.evaluate_config", "lm_eval.evaluator")
_HINTS = (
    "Custom kwargs can be passed", "SHOULD ONLY BE USED FOR TESTING", "generation_kwargs: ",
    "Using default fewshot",
)  # fmt: skip
_LOGGER = logging.getLogger("xlgo")


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

    from ..extras import EXTRAS

    for entry in entry_points(group="lm_eval.models"):
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
