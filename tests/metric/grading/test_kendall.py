"""A distance between rankings exists only where both rank the same players."""

from __future__ import annotations

import pytest

from xlgo_metric.families.xlgobench.grading import grade

REFERENCE = {"task": "t_rank", "answer": {"ranking": ["A1000", "B1000"]}}


@pytest.mark.parametrize("ranking", ['["A1000", "B1000", "A1000"]', '["A1000", "C1000"]', "[]"])
def test_only_a_ranking_of_the_players_has_a_kendall_distance(ranking: str) -> None:
    found = grade(f'{{"ranking": {ranking}}}', REFERENCE)
    assert not found.correct
    assert found.details["kendall"] is None
    assert found.details["kendall_normalised"] is None
