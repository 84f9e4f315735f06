"""One way for all tests of this folder to evaluate tasks in this process."""

from collections.abc import Callable
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from tests.harness.answering import Answer, Answering
from xlgo_cli.harness.make_tasks import FOLDER

Evaluate = Callable[..., dict[str, Any]]


def manager(**metadata: Any) -> TaskManager:
    return TaskManager(include_path=str(FOLDER), include_defaults=False, metadata=metadata)


@pytest.fixture(scope="session")
def evaluate() -> Evaluate:
    def run(answer: Answer, tasks: list[str], **metadata: Any) -> dict[str, Any]:
        return simple_evaluate(
            Answering(answer), tasks=tasks, task_manager=manager(**metadata), bootstrap_iters=1000
        )

    return run
