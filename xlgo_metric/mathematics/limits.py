"""Run third-party code with a limit on its work instead of on its time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")


class WorkLimitError(BaseException):
    """The call did more work than it was given; no ``except Exception`` on its way catches this."""


def bounded(function: Callable[[], Result], calls: int) -> Result:
    """``function()``, stopped after it has made ``calls`` calls of Python functions.

    Unlike a time limit this gives the same outcome on a slow machine and on a busy one, works in
    every thread, and needs no signal and no process.

    Raises:
        WorkLimitError: the calls did not suffice.
    """
    left = calls

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        left -= event == "call"
        if left < 0:
            sys.setprofile(None)
            raise WorkLimitError

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return function()
    finally:
        sys.setprofile(before)
