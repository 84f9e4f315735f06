"""The options of the harness, read by its own parser, and mistakes in them before anything runs."""

import argparse
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from xlgo_lm_eval.arguments import GENERATION, check_names
from xlgo_lm_eval.patches import without_messages

from ...arguments import Parser
from ..models import is_api
from ..request import Request

_HINTING = ("lm_eval.api.task", "lm_eval.config.evaluate_config", "lm_eval.evaluator")
_HINTS = (
    "Custom kwargs can be passed", "SHOULD ONLY BE USED FOR TESTING", "generation_kwargs: ",
    "Using default fewshot",
)  # fmt: skip

_LOGGER = logging.getLogger("xlgo")


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
        "output_path": str(request.output), "log_samples": True, "use_cache": None,
        "include_path": None if request.include is None else str(request.include),
    }  # fmt: skip
    try:
        with without_hints():
            return EvaluatorConfig.from_cli(argparse.Namespace(**options))
    except (TypeError, ValueError) as error:
        raise ValueError(f"options of the harness: {error}") from None


def check(config: Any, model: str, tasks: Sequence[str]) -> None:
    """Refuse what would only fail, or mislead, when the run has begun.

    Args:
        config: of ``harness_config``.
        model: its type, which the harness knows (see ``models.check_model``).
        tasks: names of the tasks of this package.

    Raises:
        ValueError: with the option and what to do.
    """
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
    if not config.apply_chat_template and is_api(model) and "chat" in model:
        raise ValueError(f"--model {model} takes chats only: add --apply_chat_template")
    for unknown in check_names("--gen_kwargs", config.gen_kwargs, GENERATION, is_open=True):
        _LOGGER.warning("--gen_kwargs: %r is not known here and passed on as it is", unknown)


def without_hints() -> AbstractContextManager[object]:
    """Hide the harness's messages to task authors, and those that do not apply to our tasks.

    Gaps of few questions are as wide as they are: the score says so by itself.
    """
    return without_messages(_HINTS, *_HINTING)
