"""Chains and the harness: mistakes in a task file, and replies that are none."""

from typing import Any

import pytest

pytest.importorskip("lm_eval")

import datasets

from tests.looping import looped
from xlgo_lm_eval.replies import MISSING, read
from xlgo_lm_eval.task import Task


def test_mistakes_in_a_task_file_are_said() -> None:
    rows = datasets.Dataset.from_list([{"id": "a", "prompt": "b", "reference": "{}"}])
    config: dict[str, Any] = {
        "task": "scratch", "custom_dataset": lambda **_: {"test": rows}, "test_split": "test",
        "output_type": "generate_until", "doc_to_text": "prompt", "doc_to_target": "id",
    }  # fmt: skip
    of_family = {"xlgo_family": "lit", "xlgo_task": "lit_e_asia", "version": 1}
    with pytest.raises(ValueError, match=r"metadata needs chain_step, one of .*translation"):
        Task(config=config | {"metadata": of_family | {"chain_step": "mine"}})
    task = Task(config=config | {"metadata": of_family | {"chain_step": "translation"}})
    with pytest.raises(ValueError, match="has no examples"):
        task.fewshot_context(rows[0], 2)


@looped(
    "outputs",
    [
        None, [], {}, "text", 3, {"choices": None}, {"choices": [None]}, {"choices": {}},
        {"choices": [{"index": None, "message": []}]}, {"choices": [{"message": {"refusal": 3}}]},
        {"choices": [{"finish_reason": ["x"]}], "usage": [1]}, [[]],
        {"choices": [{"index": "x"}], "usage": {"total_tokens": "many"}},
    ],
)  # fmt: skip
def test_strange_replies_are_missing_or_say_nothing_beside_the_text(outputs: Any) -> None:
    def fails() -> list[str]:
        return [outputs["choices"][0]["message"]["content"]]

    assert read(outputs, fails).state == MISSING
    answer = read(outputs, lambda: ["text"])
    assert answer.state == MISSING or (answer, answer.finish, answer.usage) == ("text", None, None)
