"""What every test is watched for."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from xlgo_metric.guard import LOGGER


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture
def caught() -> list[str]:
    """What the guard caught: a test that asks for this expects graders to raise."""
    return []


@pytest.fixture(autouse=True)
def _no_grader_raises(request: pytest.FixtureRequest) -> Iterator[None]:
    """A grader that raises would be hidden by the guard: the test fails then."""
    kept = _Kept()
    LOGGER.addHandler(kept)
    if "caught" in request.fixturenames:
        kept.messages = request.getfixturevalue("caught")
    yield
    LOGGER.removeHandler(kept)
    assert "caught" in request.fixturenames or not kept.messages, kept.messages
