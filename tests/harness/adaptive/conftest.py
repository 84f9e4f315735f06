"""What the tests of adaptive runs share."""

from __future__ import annotations

import pytest

from xlgo_cli.harness import adaptive

Rounds = list[tuple[adaptive.Round, dict[str, list[adaptive.Outcome]]]]


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    """The rounds of the runs that follow, with what came of them."""
    seen: Rounds = []
    ask = adaptive._Run.ask

    def seen_ask(self: adaptive._Run, planned: adaptive.Round) -> None:
        before = len(self._answers)
        ask(self, planned)
        right: dict[str, list[adaptive.Outcome]] = {}
        for _, task, size, index, correct in self._answers[before:]:
            right.setdefault(task, []).append((size, index, correct))
        seen.append((planned, right))

    monkeypatch.setattr(adaptive._Run, "ask", seen_ask)
    return seen
