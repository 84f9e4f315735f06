"""Options that hold several values, as lm-evaluation-harness writes them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
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
            found = json.loads(" ".join(tokens))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{option}: not valid JSON ({error})") from None
        return dict(found)
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
