"""Options that hold several values, as lm-evaluation-harness writes them, or have an old name."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any


def pairs(option: str, tokens: Sequence[str] | None) -> dict[str, Any]:
    """The values of an option of the form ``a=1,b=2`` or ``a=1 b=2`` or a JSON object.

    Raises:
        ValueError: it has another form.
    """
    if not tokens:
        return {}
    if tokens[0].lstrip().startswith("{"):
        try:
            parsed = json.loads(" ".join(tokens))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{option}: not valid JSON ({error})") from None
        return dict(parsed)
    values: dict[str, Any] = {}
    for item in re.split(r",(?=[^,=\[\]{}()]+=)", ",".join(tokens)):
        name, equals, text = item.partition("=")
        if not equals:
            raise ValueError(f"{option}: expected key=value, got {item!r}")
        try:
            values[name.strip()] = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            # The harness takes them in any case.
            values[name.strip()] = {"true": True, "false": False}.get(text.strip().lower(), text)
    return values


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
