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
    if any(word.partition("=")[0] == "--models" for word in arguments):
        from .several import run_models

        return run_models(arguments)
    from .running import evaluate

    return evaluate(arguments)[0]
