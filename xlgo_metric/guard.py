"""The one place that keeps a single answer from ending a scoring.

Every scoring grades through `guarded`. Whatever a grader raises there counts as ``bad_format`` with
the exception named in the details, and is logged with the row it belongs to; the test suite fails
on any such record. Only what a grader says of a reference that it cannot use goes through: the
answer is not to blame for it.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any

from .core import Grade, UnusableReferenceError

LOGGER = logging.getLogger("xlgo_metric.guard")
_MESSAGE_LENGTH = 300


def guarded(grade: Callable[..., Grade], *arguments: Any, where: str = "") -> Grade:
    """What ``grade(*arguments)`` returns, or a grade that says what it raised.

    Args:
        grade: a grader.
        arguments: its arguments.
        where: which row this is, for the log: a file and line, or a position.

    Returns:
        The grade; if an exception was raised one of status ``bad_format`` whose details hold
        ``error`` (the exception and its message) and ``raised_at`` (file and line in the code).

    Raises:
        UnusableReferenceError: the grader said so.
    """
    try:
        return grade(*arguments)
    except UnusableReferenceError:
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}"[:_MESSAGE_LENGTH]
        message = message.encode("utf-8", "replace").decode()
        frames = traceback.extract_tb(error.__traceback__)
        last = f"{frames[-1].filename.replace(chr(92), '/').rpartition('/')[2]}:{frames[-1].lineno}"
        LOGGER.error("%s: grading raised %s (%s): bad_format", where or "a row", message, last)
        return Grade(False, "bad_format", details={"error": message, "raised_at": last})
