"""``xlgo run``: lm-evaluation-harness on the tasks of this package, with a report at the end."""

import argparse

from ..arguments import Argument
from .options import parse

PARSER = {"prefix_chars": "\0", "add_help": False}
"""No character begins an option, so that all of them are left to ``parse``."""

ARGUMENTS = (Argument("arguments", nargs=argparse.REMAINDER),)


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks, for one model or several; see ``running.evaluate``."""
    arguments: list[str] = args.arguments
    if {"-h", "--help"} & {*arguments}:
        parse(arguments)  # prints the help and exits
    from .running import evaluate, run_models

    has_models = any(word.partition("=")[0] == "--models" for word in arguments)
    return run_models(arguments) if has_models else evaluate(arguments)[0]
