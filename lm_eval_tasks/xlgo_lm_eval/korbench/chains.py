"""Self-correction: the same question until the answer is right, after the KOR-Bench paper.

Whether an answer is right is told by the reference (oracle feedback), by the grading that counts
in the end, so no model is told that a right answer is wrong.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from xlgo_metric.families.korbench.extraction import extracted
from xlgo_metric.families.korbench.grading import grade_single

from ..answers import Answer
from ..chains import SCHEMA, Ask, Start, answer_fields, register_step

STEP = "self_correction"


class SelfCorrection:
    """The same question until the answer is right; a wrong answer is followed by another round.

    A later prompt is the conversation so far: the question, and for each round the answer that was
    read out of the response, and the sentence that calls it wrong (with the sentences of the rule
    that matter, where the task's option ``needle`` asks for them).

    Args:
        question: the prompt of the first round.
        reference: of the question: it has the right answer, the most rounds there are, the first
            included, and the sentence.
    """

    def __init__(self, question: str, reference: Mapping[str, Any]) -> None:
        self._question, self._reference = question, reference
        self._rounds = int(reference["rounds"])

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The next round; ``None`` after a right answer or the last round."""
        if len(history) == self._rounds or (history and self._right(history[-1])):
            return None
        reference, turns = self._reference, [{"role": "user", "content": self._question}]
        mode = str(reference.get("mode") or "default")
        for answer in history:
            text = extracted(answer.text, str(reference["category"]), mode)
            turns += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": str(reference["retry"])},
            ]
        return Ask(turns, {"round": len(history)})

    def remaining(self, history: Sequence[Answer]) -> int:
        """Rounds that may follow."""
        return self._rounds - len(history)

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status`` (``correct``, ``max_rounds``, or ``failed@k``), ``final`` and every round."""
        right = [self._right(answer) for answer in history]
        status = f"failed@{max(1, len(history))}"
        if right and right[-1]:
            status = "correct"
        elif len(history) == self._rounds and history[-1].status != "error":
            status = "max_rounds"
        return {
            "schema": SCHEMA,
            "kind": STEP,
            "status": status,
            "final": history[-1].text if history else "",
            "rounds": [
                {
                    "round": number,
                    "state": answer.status,
                    "text": answer.text,
                    "right": is_right,
                    "reasoning": answer.reasoning,
                    **answer_fields(answer),
                }
                for number, (answer, is_right) in enumerate(zip(history, right))
            ],
        }

    def _right(self, answer: Answer) -> bool:
        return answer.status != "error" and grade_single(answer.text, self._reference).correct


def start(doc: Mapping[str, object], metadata: Mapping[str, object]) -> Start:
    """The chain of a question."""
    return str(doc["id"]), SelfCorrection(str(doc["prompt"]), json.loads(str(doc["reference"])))


register_step(STEP, start)
