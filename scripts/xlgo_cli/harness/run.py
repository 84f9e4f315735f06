"""``xlgo run``: lm-evaluation-harness on the tasks of this package, with a report at the end."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..arguments import Argument
from .options import parse

if TYPE_CHECKING:
    from .running import Done

PARSER = {"prefix_chars": "\0", "add_help": False}
"""No character begins an option, so that all of them are left to ``parse``."""

ARGUMENTS = (Argument("arguments", nargs=argparse.REMAINDER),)


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks, for one model or several; see :func:`evaluate`."""
    arguments: list[str] = args.arguments
    if {"-h", "--help"} & {*arguments}:
        parse(arguments)  # prints the help and exits
    if any(word.partition("=")[0] == "--models" for word in arguments):
        from .several import run_models

        return run_models(arguments)
    return evaluate(arguments)[0]


def evaluate(arguments: Sequence[str]) -> tuple[int, Done | None]:
    """Do what a command line asks for one model; see ``running.evaluate``."""
    from .running import evaluate

    return evaluate(arguments)
