"""What the tests of adaptive runs share."""

from __future__ import annotations

import pytest

from xlgo_cli.harness import adaptive

Cells = dict[str, adaptive.Cells]
Rounds = list[tuple[Cells, dict[str, list[adaptive.Outcome]]]]


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    """The rounds of the runs that follow, with what came of them."""
    seen: Rounds = []
    ask = adaptive._Run.ask

    def seen_ask(self: adaptive._Run, cells: Cells) -> None:
        before = {task: len(outcomes) for task, outcomes in self._answers.items()}
        ask(self, cells)
        right = {task: self._answers[task][before[task] :] for task in cells}
        seen.append((cells, right))

    monkeypatch.setattr(adaptive._Run, "ask", seen_ask)
    return seen
