"""Logs of other tools than lm-evaluation-harness, a module each.

Each gives the same (``logged.Logged``): of a task of xlgo it is graded again like every other
answer, of another benchmark its languages can be compared (``xlgo report --parallel``).
"""

from __future__ import annotations

from pathlib import Path

from . import every_eval_ever, inspect_logs, verifiers_traces
from .logged import Format

FORMATS: dict[str, Format] = {
    one.NAME: one for one in (inspect_logs, verifiers_traces, every_eval_ever)
}
"""What reads the logs of each tool, by the name of the tool."""


def format_of(path: Path) -> Format | None:
    """What reads a file; ``None`` if it is of lm-evaluation-harness, or of nobody known."""
    return next((one for one in FORMATS.values() if one.is_log(path)), None)
