"""One way for all tests of this folder to evaluate tasks in this process."""

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from tests.harness.answering import Answer, Answering
from xlgo_cli.harness.make_tasks import FOLDER
from xlgo_cli.simulate.model import SimulatedModel

Evaluate = Callable[..., dict[str, Any]]


def manager(**metadata: Any) -> TaskManager:
    return TaskManager(include_path=str(FOLDER), include_defaults=False, metadata=metadata)


@pytest.fixture(scope="session")
def evaluate() -> Evaluate:
    def run(answer: Answer, tasks: list[str], **metadata: Any) -> dict[str, Any]:
        results = simple_evaluate(
            Answering(answer), tasks=tasks, task_manager=manager(**metadata), bootstrap_iters=1000
        )
        assert results is not None
        return results

    return run


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedModel]:
    """The simulated models that are made in a test."""
    found: list[SimulatedModel] = []
    original = SimulatedModel.__init__

    def noted(self: SimulatedModel, *arguments: Any, **options: Any) -> None:
        found.append(self)
        original(self, *arguments, **options)

    monkeypatch.setattr(SimulatedModel, "__init__", noted)
    return found
