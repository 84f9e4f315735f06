"""Kinds of chains that several families use: self-correction and judging.

A step decides from the answers of its chain alone what is asked next; see ``chains.Step``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .chains import Ask
from .replies import Answer

SCHEMA = 1
"""Of the outcomes, which are what responses look like in the harness's logs."""

Prompt = Callable[[int, Sequence[Answer]], "str | Sequence[Mapping[str, str]]"]
"""Makes the prompt of a round (from 0) after the answers before it."""

_WITHOUT_ANSWER = ("error", "refused")


class SelfCorrection:
    """The same question until the answer is right; a wrong answer is followed by another round.

    Args:
        prompt: makes the prompt of a round; round 0 is the question itself.
        is_right: grades the text of an answer.
        rounds: the most there are, the first included.
    """

    def __init__(self, prompt: Prompt, is_right: Callable[[str], bool], rounds: int = 5) -> None:
        self._prompt = prompt
        self._is_right = is_right
        self._rounds = rounds

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The next round; ``None`` after a right answer or the last round."""
        if len(history) == self._rounds or (history and self._right(history[-1])):
            return None
        return Ask(self._prompt(len(history), history), {"round": len(history)})

    def remaining(self, history: Sequence[Answer]) -> int:
        """Rounds that may follow."""
        return self._rounds - len(history)

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status`` (``correct``, ``max_rounds``, or ``failed@k``), ``final`` and every round."""
        right = [self._right(answer) for answer in history]
        if right and right[-1]:
            status = "correct"
        elif len(history) == self._rounds and history[-1].status != "error":
            status = "max_rounds"
        else:
            status = f"failed@{max(1, len(history))}"
        return {
            "schema": SCHEMA,
            "kind": "self_correction",
            "status": status,
            "final": history[-1].text if history else "",
            "rounds": [
                {
                    "round": number,
                    "state": answer.status,
                    "text": answer.text,
                    "right": correct,
                    "reasoning": answer.reasoning,
                    **answer_fields(answer),
                }
                for number, (answer, correct) in enumerate(zip(history, right))
            ],
        }

    def _right(self, answer: Answer) -> bool:
        return answer.status != "error" and self._is_right(answer.text)


class Judging:
    """One question whose answer must be readable: a repair request, then fresh tries.

    Args:
        prompt: the question, a text or the turns of a chat.
        read: the verdict out of the text of an answer, as JSON values; ``None`` if it cannot be
            read. A verdict is never made up.
        repair: makes the request for a repair out of the text that could not be read.
        retries: how often the question is asked again after that.
    """

    def __init__(
        self,
        prompt: str | Sequence[Mapping[str, str]],
        read: Callable[[str], Any],
        repair: Callable[[str], str | Sequence[Mapping[str, str]]],
        retries: int = 2,
    ) -> None:
        self._prompt = prompt
        self._read = read
        self._repair = repair
        self._retries = retries

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The question, a repair, or the question again; ``None`` after a verdict or the last."""
        if not history:
            return Ask(self._prompt, {"try": "first"})
        if self._verdict(history[-1]) is not None:
            return None
        first = history[0]
        repaired = first.status not in _WITHOUT_ANSWER and bool(first.text.strip())
        if repaired and len(history) == 1:
            return Ask(self._repair(first.text), {"try": "repair"})
        fresh = len(history) - repaired
        if fresh > self._retries:
            return None
        return Ask(self._prompt, {"try": f"fresh {fresh}"}, fresh)

    def remaining(self, history: Sequence[Answer]) -> int:
        """Requests that are likely to follow: one for a question, more after a bad reply."""
        return self._retries + 1 if history else 1

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status`` (``ok``, ``unparsed``, ``error``), ``verdict`` (``None`` unless ok), tries."""
        verdict = self._verdict(history[-1]) if history else None
        failed = bool(history) and history[-1].status == "error"
        return {
            "schema": SCHEMA,
            "kind": "judgement",
            "status": "ok" if verdict is not None else "error" if failed else "unparsed",
            "verdict": verdict,
            "tries": [
                {"state": answer.status, "text": answer.text, **answer_fields(answer)}
                for answer in history
            ],
        }

    def _verdict(self, answer: Answer) -> Any:
        return None if answer.status in _WITHOUT_ANSWER else self._read(answer.text)


def answer_fields(answer: Answer) -> dict[str, object]:
    """What came with an answer, as far as the model said."""
    names = ("finish", "usage", "counted_by", "error")
    return {name: value for name in names if (value := getattr(answer, name)) is not None}
