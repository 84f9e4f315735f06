"""Options of commands that hold several values, or have an old name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence


def joined(words: Sequence[str] | None) -> str | None:
    """Join a list given as ``en te`` or ``en,te`` by commas; ``None`` where nothing was given."""
    return None if words is None else ",".join(words)


def add_old_names(parser: argparse.ArgumentParser, names: Mapping[str, str]) -> None:
    """Accept options by their old names, with a notice; ``--help`` does not show them.

    Args:
        parser: with the options by their new names.
        names: old names to new ones, such as ``{"--alike": "--correlation"}``.
    """
    for old, new in names.items():
        known = parser._option_string_actions[new]

        def notice(text: str, old: str = old, new: str = new, kind: object = known.type) -> object:
            print(f"note: {old} is now {new}", file=sys.stderr)
            return kind(text) if callable(kind) else text

        parser.add_argument(
            old, dest=known.dest, type=notice, default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
