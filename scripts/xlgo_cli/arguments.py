"""Arguments of commands as data: the parts of a parser, and the arguments that commands share.

A command is a module with ``ARGUMENTS`` and ``run``; ``cli`` makes its parser of them.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from xlgo_metric.option import codes

EXTRAS = {
    "lm_eval": "eval", "matplotlib": "eval", "jinja2": "eval", "markupsafe": "eval",
    "rich": "eval",
    "sacrebleu": "eval", "sklearn": "eval",
    "tomlkit": "audit",
    "torch": "hf", "transformers": "hf", "inspect_ai": "inspect", "ray": "ray",
    "verifiers": "verifiers",
}  # fmt: skip
"""Package to the extra of ours that installs it."""

EVERY = "*"
"""The pattern of ``--parallel`` that fits every task."""

KINDS = ("number", "choice")
"""What ``--read`` reads responses as again."""


Part: TypeAlias = "Argument | Completed | Group | Actions"
"""What a parser is made of; ``add`` adds it to a parser, in a group of it."""


class Parser(argparse.ArgumentParser):
    """A parser that is made of parts; a mistake of the user is a ``ValueError``."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.needs: dict[argparse.Action, str] = {}
        self.completed: Callable[[argparse.Namespace], None] | None = None

    def made_of(self, parts: Iterable[Part]) -> "Parser":
        """This parser, with some parts added."""
        for part in parts:
            part.add(self, self)
        return self

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        """Read a command line; an option is refused without the one that it needs."""
        parsed, rest = super().parse_known_args(args, namespace)
        if self.completed is not None:
            self.completed(parsed)
        for action, needed in self.needs.items():
            required = self._option_string_actions[needed.split()[0]]
            if _is_given(action, parsed) and not _is_given(required, parsed):
                self.error(f"{action.option_strings[0]} needs {needed}")
        return parsed, rest

    def error(self, message: str) -> NoReturn:
        """Raise a ``ValueError`` that says what helps."""
        raise ValueError(f"{message} ({self.prog} --help)")


def _is_given(action: argparse.Action, parsed: argparse.Namespace) -> bool:
    return getattr(parsed, action.dest) != action.default


class Argument:
    """One argument of a command.

    Args:
        names: its names, as of ``add_argument``.
        needs: the option that it means nothing without, as users write it: ``--models FILE``.
        settings: as of ``add_argument``.
    """

    def __init__(self, *names: str, needs: str = "", **settings: Any) -> None:
        self.names, self.needs, self.settings = names, needs, settings

    def add(self, parser: Parser, to: argparse._ActionsContainer) -> None:
        """Add it to a parser, in the group ``to`` of it."""
        action = to.add_argument(*self.names, **self.settings)
        if self.needs:
            parser.needs[action] = self.needs


class Completed:
    """What completes the arguments of a command when all are read; ``needs`` hold afterwards."""

    def __init__(self, complete: Callable[[argparse.Namespace], None]) -> None:
        self.complete = complete

    def add(self, parser: Parser, to: argparse._ActionsContainer) -> None:
        """Set it."""
        parser.completed = self.complete


class Group:
    """Arguments under a heading of their own in ``--help``; without one, at most one is given."""

    def __init__(self, title: str | None, *parts: Part, about: str | None = None) -> None:
        self.title, self.parts, self.about = title, parts, about

    def add(self, parser: Parser, to: argparse._ActionsContainer) -> None:
        """Add the heading and what stands below it."""
        group = (
            to.add_mutually_exclusive_group()
            if self.title is None
            else to.add_argument_group(self.title, self.about)
        )
        for part in self.parts:
            part.add(parser, group)


OneOf = partial(Group, None)
"""Arguments of which one can be given at most."""


class Action:
    """What a command can do, such as ``list`` in ``xlgo language list``.

    Args:
        about: its help.
        run: what does it, called with the arguments; the result is the exit code.
        parts: its arguments.
    """

    def __init__(self, about: str, run: Callable[[argparse.Namespace], int], *parts: Part) -> None:
        self.about, self.run, self.parts = about, run, parts


class Actions:
    """The actions of a command, by name, one of which must be given."""

    def __init__(self, actions: Mapping[str, Action]) -> None:
        self.actions = actions

    def add(self, parser: Parser, to: argparse._ActionsContainer) -> None:
        """Add a parser for each."""
        subparsers = parser.add_subparsers(dest="action", metavar="action", required=True)
        for name, action in self.actions.items():
            own = subparsers.add_parser(name, help=action.about).made_of(action.parts)
            own.set_defaults(func=action.run)


class Names(argparse.Action):
    """Reads names given as ``en te`` or ``en,te`` into a list."""

    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option: object = None
    ) -> None:
        """Keep the list."""
        if not (names := codes(",".join(values))):
            raise argparse.ArgumentError(self, "give at least one, or leave it out")
        setattr(namespace, self.dest, names)


class Languages(Names):
    """Reads languages, by code or name, into a list of codes."""

    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option: object = None
    ) -> None:
        """Keep the list."""
        from xlgo_dataset.text.languages import code_of

        super().__call__(parser, namespace, values, option)
        codes_ = [code_of(text) for text in getattr(namespace, self.dest)]
        setattr(namespace, self.dest, list(dict.fromkeys(codes_)))


def count(text: str) -> int:
    """A number of things, at least one.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be an integer from 1, got {text}")
    return int(text)


def existing_folder(text: str) -> Path:
    """A folder that is there.

    Raises:
        argparse.ArgumentTypeError: it is not.
    """
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: there is no such folder")
    return Path(text)


def languages(default: str, *, needs: str = "") -> Argument:
    """``--languages``, an empty list by default.

    Args:
        default: what that means, in words.
        needs: see ``Argument``; languages of other benchmarks stay as they are.
    """
    return Argument(
        "--languages", nargs="+", action=Names if needs else Languages, default=[], metavar="CODE",
        needs=needs, help=f"languages, as `en te` or `english,telugu` (default: {default})",
    )  # fmt: skip


RESULTS = Argument("results", type=Path, help="results folder or samples file")
MODEL = Argument("--model", help="model to read, if the folder has several")
JUDGE = (
    Argument(
        "--judge",
        help="prefix of the name of the judge whose verdicts count (default: most recent)",
    ),
    Argument(
        "--partial",
        action="store_true",
        help="accept runs with missing answers: list them and exit with 0",
    ),
)
"""What every command with results has: whose judgments count, and whether some may lack."""

UNAUDITED = Argument(
    "--unaudited",
    action="store_true",
    help="also call a language the most affected whose wordings no speaker has read",
)
CHOICE = (
    MODEL,
    *JUDGE,
    Argument(
        "--options",
        nargs="+",
        metavar="KEY=VALUE",
        help="options of the score, such as baseline=zh or weights=1/5/10,missing=drop: "
        "`xlgo tasks NAME` lists those of a task",
    ),
    Argument(
        "--metadata-file", type=Path, metavar="FILE",
        help="CSV file with id, source and domain of PolyMath's problems: accuracy by each",
    ),
)  # fmt: skip
"""What chooses among several runs in one folder, and how they are scored."""

PROCESSES = Argument(
    "--processes", type=count, help="number of worker processes (default: one per processor)"
)
REQUIRE = Argument(
    "--require",
    type=Path,
    metavar="FILE",
    help="design that results must answer, written by xlgo plan --save: nothing of it is taken "
    "from a folder",
)
OVERWRITE = Argument("--overwrite", action="store_true", help="replace existing files")
