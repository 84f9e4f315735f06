"""Self-correction through the harness, with a model whose answers are known."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
from xlgo_cli.harness.make_tasks import FOLDER
from xlgo_metric.families.korbench import FAMILY

FIXTURE = str(Path(__file__).parent / "fixture")
TASK = "kor_self_correction"
KOR: Any = xd.family("korbench")
GOLD = {row["prompt"]: json.loads(row["answer"]) for row in KOR.rows(TASK, ["en"], source=FIXTURE)}


def needed(prompt: str) -> int:
    """The round, from 0, in which the model of these tests knows the answer; 5 and 6 are never."""
    return hashlib.sha256(prompt.encode()).digest()[0] % 7


def reply(prompt: str, number: int) -> str:
    right = number >= needed(prompt)
    return f"Let me see.\n{GOLD[prompt]}" if right else f"Perhaps [[wrong {number}]]."


class Correcting(LM):
    """Knows an answer in the round that ``needed`` says; keeps what it was asked."""

    tokenizer_name = "plain"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        self.asked += [request.args for request in requests]
        turns = [json.loads(request.args[0]) for request in requests]
        return [reply(said[0]["content"], len(said) // 2) for said in turns]

    def apply_chat_template(self, chat_history: Any, add_generation_prompt: bool = True) -> str:
        return json.dumps(chat_history)

    loglikelihood = loglikelihood_rolling = None


def test_rounds_through_the_harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lm = Correcting()
    metadata = {"source": FIXTURE, "needle": True, "rounds": 3}
    manager = TaskManager(include_path=str(FOLDER), include_defaults=False, metadata=metadata)
    found: Any = simple_evaluate(
        lm, tasks=[TASK], task_manager=manager, bootstrap_iters=0, log_samples=True,
        apply_chat_template=True,
    )  # fmt: skip
    expected = [needed(prompt) < 3 for prompt in GOLD]
    first = [needed(prompt) == 0 for prompt in GOLD]
    assert len(lm.asked) == sum(min(needed(prompt) + 1, 3) for prompt in GOLD)
    assert found["results"][TASK]["acc,none"] == pytest.approx(sum(expected) / len(GOLD))
    assert found["results"][TASK]["first_round,none"] == pytest.approx(sum(first) / len(GOLD))
    for text, arguments in lm.asked:
        question, *later = json.loads(text)
        assert question["role"] == "user"
        assert "### Question" not in arguments["until"]
        for number in range(len(later) // 2):
            said, told = later[2 * number : 2 * number + 2]
            # What was read out of the response, not the response.
            assert said == {"role": "assistant", "content": f"[[wrong {number}]]"}
            assert told["role"] == "user"
            assert "- " in told["content"]
            assert GOLD[question["content"]] not in told["content"]
    (logged,) = found["samples"].values()
    for sample in logged:
        outcome = json.loads(sample["resps"][0][0])
        reference = json.loads(sample["doc"]["reference"])
        grade = FAMILY.grade(sample["resps"][0][0], reference)
        # What the chain believed is what the grading finds.
        assert grade.details["rounds"] == [each["right"] for each in outcome["rounds"]]
        assert grade.details["ending"] == outcome["status"]
        assert grade.correct == sample["acc"]
