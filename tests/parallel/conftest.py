from pathlib import Path

import pytest

from . import made

BAD = {"en": {3, 9}, "de": {3, 9, 10, 11}, "sw": {3, 9, 10, *range(20, 34)}, "te": {3, 38}}
"""The questions that the model does not solve."""


def solves(language: str, number: int) -> bool:
    return number not in BAD[language]


@pytest.fixture(scope="session")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of generation in four languages, paired by their place."""
    tasks = [made.generation(code, made.sums(code)) for code in made.SUMS]
    return made.ask(tmp_path_factory.mktemp("sums"), tasks, solves)


@pytest.fixture(scope="session")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of multiple choice in three languages, whose rows stand in another order in each."""
    orders = {"en": range(made.N), "de": range(made.N)[::-1], "sw": [*range(5, made.N), *range(5)]}
    tasks = [made.choice(code, made.larger(code, order)) for code, order in orders.items()]
    return made.ask(tmp_path_factory.mktemp("larger"), tasks, solves)


@pytest.fixture(scope="session")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two languages of two subjects each, whose documents are numbered anew in every subject."""
    parts = {"_first": range(20), "_second": range(20, made.N)}
    tasks = [
        made.generation(code, made.sums(code, part), subject)
        for code in ("en", "sw")
        for subject, part in parts.items()
    ]
    return made.ask(tmp_path_factory.mktemp("subjects"), tasks, solves)
