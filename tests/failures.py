"""Which puzzles a failing test was about, read from the frames that it failed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

_MOST = 8
_ASKED = ("task", "complexity", "split", "seed", "index", "options")


def puzzles(trace: TracebackType | None) -> list[str]:
    """Names of puzzles in the local variables of a traceback, of the innermost frame first.

    A name holds task, split, seed, complexity and index; that of a row the language too. Where
    drawing itself failed there is no puzzle yet, and its arguments are told.
    """
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    found = [
        f"{variable} = {name}"
        for frame in reversed(frames)
        for variable, value in frame.f_locals.items()
        for name in _names(value)
    ]
    for frame in frames:
        if frame.f_code.co_name == "generate":
            asked = {name: frame.f_locals[name] for name in _ASKED if name in frame.f_locals}
            found.append(f"generate {asked}")
    return list(dict.fromkeys(found))[:_MOST]


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        name = value.get("id") if "instance_id" in value else None
    else:
        name = getattr(value, "instance_id", None)
    if isinstance(name, str):
        yield name
