"""The command ``xlgo``: one module per subcommand, imported only when it is called."""

import argparse
import atexit
import contextlib
import difflib
import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextvars import copy_context
from importlib import metadata

from xlgo_lm_eval.arguments import redacted_output

from .arguments import EXTRAS, Parser

COMMANDS: dict[str, tuple[str, str]] = {
    "run": (
        "harness.run",
        "evaluate a model and write a report (takes every option of lm-eval run)",
    ),
    "plan": ("plan.command", "estimate the cost and the statistical power of a run"),
    "serve": ("simulate.server", "serve the simulated model to OpenAI-compatible clients"),
    "report": ("page.commands:report", "write an HTML report and tables from a results folder"),
    "score": ("page.commands:score", "grade logged answers again and print the scores"),
    "compare": ("page.commands:compare", "compare two models"),
    "leaderboard": (
        "page.commands:leaderboard",
        "rank models: a static site for a disk or the Hub",
    ),
    "judge": (
        "harness.judging.command",
        "have a model judge answers that need one, or check a judge",
    ),
    "correlate": (
        "page.commands:correlate",
        "compare scores of models with ratings from outside",
    ),
    "export": ("export.command", "write the data as Parquet files that load_dataset reads"),
    "verify": (
        "export.verify",
        "generate and grade an exported folder or results again, and compare",
    ),
    "publish": ("export.publish", "upload data, the metric, a leaderboard or results to the Hub"),
    "gallery": ("language.gallery", "write a page with an example of every puzzle and language"),
    "audit": ("language.audit", "have speakers check the strings of a language"),
    "language": ("language.command", "create, list and check languages"),
    "tasks": (
        "harness.make_tasks",
        "list the tasks, or write their files for lm-evaluation-harness",
    ),
}
"""Subcommand to (module, help); behind a colon the function, whose arguments have its name."""

MAINTAINERS = ("verify", "publish", "gallery", "audit", "language")
"""Commands for those who maintain the data and its languages; ``--help`` lists them last."""

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of matrices so small other threads only wait

_READER_GONE = 141  # what a shell says of a program that was ended by SIGPIPE


def build_parser(command: str | None) -> Parser:
    """The parser: the chosen subcommand in full, the others by name only."""
    width = max(map(len, COMMANDS)) + 2
    parser = Parser(
        prog="xlgo",
        epilog="commands for maintainers:\n"
        + "\n".join(f"  {name:{width}}{COMMANDS[name][1]}" for name in MAINTAINERS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Does a language model serve other languages as well as English?",
    )
    parser.add_argument("--version", action="version", version=f"xlgo {metadata.version('xlgo')}")
    subparsers = parser.add_subparsers(dest="command", metavar="command", required=True)
    for name, (path, text) in COMMANDS.items():
        if name == command:
            module, _, function = path.partition(":")
            opened = importlib.import_module(f".{module}", __package__)
            own = subparsers.add_parser(name, help=text, **getattr(opened, "PARSER", {}))
            own.description = own.description or f"{text[0].upper()}{text[1:]}."
            own.made_of(getattr(opened, function.upper() or "ARGUMENTS"))
            own.set_defaults(func=getattr(opened, function or "run", None))
        elif name in MAINTAINERS:
            subparsers.add_parser(name)  # without a help text argparse lists it nowhere
        else:
            subparsers.add_parser(name, help=text)
    return parser


atexit.register(gc.freeze)  # else the last collection looks through all that is left


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if all went well, 2 for a mistake of the user, 130 if stopped."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Not every terminal or file can show every script; a result is not lost for that.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    command = next((word for word in arguments if not word.startswith("-")), None)
    with redacted_output(arguments):
        return copy_context().run(_main, command, arguments)  # its settings end with it


def _main(command: str | None, arguments: list[str]) -> int:
    try:
        if command is not None and command not in COMMANDS:
            near = difflib.get_close_matches(command, COMMANDS) or COMMANDS
            raise ValueError(f"unknown command {command!r}: did you mean {' or '.join(near)}?")
        gc.set_threshold(1_000_000)  # what a log holds is looked through less often
        args = build_parser(command).parse_args(arguments)
        code = int(args.func(args) or 0)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # as in `xlgo score results | head`
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_GONE
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        return _fail(f"this needs {error.name}: pip install 'xlgo[{extra}]'")
    except RecursionError:
        return _fail("input is nested too deeply to parse")
    except (ValueError, OSError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        print("xlgo: stopped", file=sys.stderr)
        return 130


def _fail(message: str) -> int:
    from xlgo_cli.logs.lines import printable

    print("\n".join(map(printable, f"xlgo: {message}".split("\n"))), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
