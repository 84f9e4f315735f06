"""What the tests of adaptive runs share."""

from __future__ import annotations

from typing import Any

import pytest

from xlgo_cli.harness import adaptive

Cells = dict[str, adaptive.Cells]
Rounds = list[tuple[Cells, dict[str, list[adaptive.Outcome]]]]


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    """The rounds of the runs that follow, with what came of them."""
    seen: Rounds = []
    outcomes = adaptive.outcomes

    def seen_outcomes(samples: Any, cells: Cells) -> dict[str, list[adaptive.Outcome]]:
        seen.append((cells, outcomes(samples, cells)))
        return seen[-1][1]

    monkeypatch.setattr(adaptive, "outcomes", seen_outcomes)
    return seen
