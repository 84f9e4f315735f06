"""Self-correction: the same question until the answer is right, after the KOR-Bench paper.

Whether an answer is right is told by the reference (oracle feedback), by the grading that counts
in the end, so no model is told that a right answer is wrong.
"""

import json
from collections.abc import Mapping, Sequence

from xlgo_metric.families.korbench.extraction import extracted
from xlgo_metric.families.korbench.grading import grade_single

from ..replies import Answer
from ..steps import SelfCorrection
from ..task import Start, register_step


def self_correction(doc: Mapping[str, object], metadata: Mapping[str, object]) -> Start:
    """The chain of one question.

    A later prompt is the conversation so far: the question, and for each round the answer that was
    read out of the response, and the sentence that calls it wrong (with the sentences of the rule
    that matter, where the task's option ``needle`` asks for them).
    """
    reference = json.loads(str(doc["reference"]))
    category, mode = str(reference["category"]), str(reference.get("mode") or "default")
    question, retry = str(doc["prompt"]), str(reference["retry"])

    def prompt(number: int, history: Sequence[Answer]) -> list[dict[str, str]]:
        turns = [{"role": "user", "content": question}]
        for answer in history[:number]:
            answer_text = extracted(answer.text, category, mode)
            turns += [
                {"role": "assistant", "content": answer_text},
                {"role": "user", "content": retry},
            ]
        return turns

    def is_right(text: str) -> bool:
        return grade_single(text, reference).correct

    return str(doc["id"]), SelfCorrection(prompt, is_right, int(reference["rounds"]))


register_step("self_correction", self_correction)
