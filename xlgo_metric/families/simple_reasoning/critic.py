"""Judging free answers to UNPUZZLES by a critic model (paper 002, appendix D.3).

The critic is asked two questions in separate calls. A response counts as right if its reasoning
is not different from the known solution ("no") and the known solution "supports" its conclusion.
By the paper's counts critics reject 12 to 80 percent of right responses and accept 0 to 8 percent
of wrong ones: the estimate is low.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...core import Grade, Status
from ...judge import Judge, Question, filled
from ...reading.forms import find_tags
from ...reading.thinking import split_thinking
from ...reading.values import fold

DIFFERENT = """Here is a simple question:
{unpuzzle}
This simple question has the simple solution:
<correct solution>
{unpuzzle_solution}
</correct solution>
Is the reasoning in the following solution different, regardless of it is correct or not?
<second solution>
{response}
</second solution>
Please answer with <answer>yes or no</answer>"""

SUPPORTS = """The following are 2 solutions to a simple puzzle.
Solution 1: {unpuzzle_solution}
Solution 2: {response}
Compare the key points from both solutions step by step and then check whether Solution 1 \
‘supports’, ‘contradicts’ or ‘is not directly related to’ the conclusion in Solution 2.
Please answer with <answer>‘supports’, ‘contradicts’, or ‘is not directly related to’</answer>"""

PROMPT_ID = "unpuzzles-critic-v1"
"""Version of the wording."""

_CHOICES: dict[str, dict[str, str]] = {
    "different": {"yes": "yes", "no": "no"},
    "relation": {
        "supports": "supports",
        "contradicts": "contradicts",
        "is not directly related to": "unrelated",
        "not directly related": "unrelated",
    },
}
"""For each question, the words of an answer and their meaning."""

RESPONSE_LIMIT = 20_000
"""Characters of a response that the critic sees, its end: a context has limits."""


def prompts(response: str, reference: Mapping[str, object]) -> list[str]:
    """The two questions to a critic; only the end of the response is shown, without its thinking.

    Raises:
        ValueError: the reference has no question or solution.
    """
    if not reference.get("question") or not reference.get("solution"):
        raise ValueError("a critic needs the 'question' and the 'solution' in the reference")
    values = {
        "unpuzzle": str(reference["question"]),
        "unpuzzle_solution": str(reference["solution"]),
        "response": split_thinking(response or "").answer.strip()[-RESPONSE_LIMIT:],
    }
    return [filled(DIFFERENT, values), filled(SUPPORTS, values)]


def verdict(replies: Sequence[str | None]) -> tuple[bool | None, str | None, str | None]:
    """What the critic's replies to ``prompts`` say.

    Returns:
        Whether the response is right by the rule above (``None`` if one of the answers could not be
        understood); ``yes`` or ``no``; ``supports``, ``contradicts`` or ``unrelated``.
    """
    different, relation = map(_choice, replies, _CHOICES.values())
    correct = None if None in (different, relation) else (different, relation) == ("no", "supports")
    return correct, different, relation


class Critic(Judge):
    """The judge of this family."""

    def __init__(self) -> None:
        reference = {"question": "A day has 24 hours. How many?", "solution": "It has 24."}
        self.trial = self.questions(Grade(False, "needs_judge"), "It has 24.", reference)[0]

    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, object]
    ) -> Sequence[Question]:
        """See ``prompts``."""
        return [
            Question(
                name,
                PROMPT_ID,
                prompt,
                lambda reply, choices=choices: _choice(reply, choices) is not None,  # type: ignore[misc]
                # The paper has no repair: the question is asked once more.
                lambda bad, same=prompt: same,  # type: ignore[misc]
            )
            for (name, choices), prompt in zip(_CHOICES.items(), prompts(response, reference))
        ]

    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """See ``Judge.decide``."""
        correct, different, relation = verdict(replies)
        details = {"different": different, "relation": relation, "judge": judge}
        if correct is None:
            return replace(grade, status="needs_judge", details=grade.details | details)
        status: Status = "correct" if correct else "wrong"
        return replace(grade, correct=correct, status=status, details=details)


def _choice(answer: str | None, choices: Mapping[str, str]) -> str | None:
    """The one choice that the last answer tag of a critic names."""
    for tag in reversed(find_tags(split_thinking(answer or "").answer)[0]):
        words = " ".join(re.findall(r"\w+", fold(tag.content).lower()))
        choices_in_tag = {
            value for choice, value in choices.items() if f" {choice} " in f" {words} "
        }
        if len(choices_in_tag) == 1:
            return choices_in_tag.pop()
    return None
