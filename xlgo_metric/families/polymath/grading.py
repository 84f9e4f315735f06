"""Grade whole responses: boxed answer, languages of thinking and answer, and measures of both.

The outputs of PolyMath's authors are ``<model>/<level>/<language>.jsonl``.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ...core import COMMON_MEASURES, UNKNOWN, Grade, Measure, Reference
from ...family import LoggedAnswer
from ...language.language_id import language_consistent
from ...mathematics.grading import grade_boxed
from ...reading.thinking import split_thinking
from ...statistics.measures import dw_acc

LEVELS = ("low", "medium", "high", "top")
PARTS = ("thinking", "answer")


def weighted_accuracy(values: Sequence[tuple[str, bool]]) -> float:
    """DW-ACC (the paper's equation 1) of one language, from level and verdict of every question.

    ``UNKNOWN`` if a level is missing.
    """
    levels = [[correct for level, correct in values if level == name] for name in LEVELS]
    return dw_acc([fmean(level) for level in levels]) if all(levels) else UNKNOWN


def share(values: Sequence[bool | None]) -> float:
    """The share of texts in the language of their question; ``UNKNOWN`` without any verdict."""
    verdicts = [value for value in values if value is not None]
    return fmean(verdicts) if verdicts else UNKNOWN


def _consistency(part: str) -> Measure:
    def value(grade: Grade, _: Reference) -> Any:
        return grade.details.get(f"lc_{part}")

    return Measure(f"lc_{part}", value, aggregate=share, keeps_unknown=True)


MEASURES = (
    *COMMON_MEASURES,
    Measure(
        "dw_acc", lambda g, ref: (ref.get("level", ""), g.correct), aggregate=weighted_accuracy
    ),
    *map(_consistency, PARTS),
)
"""What is measured of an answer: the difficulty-weighted accuracy and language consistency too."""


# The published question that asks "How many dozens …?" and has 7 as reference answer. References
# hold no questions.
_ASKED = {("polymath-low-i18", "7"): "dozens"}


def grade(prediction: str | None, reference: Reference) -> Grade:
    r"""Grade one response to a PolyMath problem.

    Thinking (``<think>…</think>`` and its like) is taken off first; the answer is the last box
    behind it.

    Args:
        prediction: the model's whole output; ``None`` counts as an empty one.
        reference: ``answer``, ``language``, and optionally ``mode`` (``default`` or ``paper``, of
            grading and of language consistency) and ``question``, whose words that multiply a
            number (``dozen``) an answer may have.

    Returns:
        A grade whose ``details`` hold ``lc_thinking``, ``lc_answer`` (in the language of the
        question: True, False, or ``None`` where there is no text or no verdict),
        ``english_thinking``, ``english_answer``, ``thinking_length`` and ``answer_length``
        (characters), and the number of ``boxes``.
    """
    response = split_thinking(prediction or "")
    thinking, answer = response.thinking, response.answer
    mode = str(reference.get("mode", "default"))
    language = str(reference.get("language", "en"))
    gold = str(reference["answer"])
    default_question = _ASKED.get((str(reference.get("instance_id")), gold.strip("$ ")), "")
    question = str(reference.get("question") or default_question)
    read = answer if mode == "paper" else prediction
    result = grade_boxed(read, gold, mode, language=language, question=question)
    details = result.details | {
        "thinking_length": len(thinking or ""),
        "answer_length": len(answer or ""),
    }
    for part, text in (("thinking", thinking), ("answer", answer)):
        details[f"lc_{part}"] = _verdict(text, language, mode)
        details[f"english_{part}"] = (
            details[f"lc_{part}"] if language == "en" else _verdict(text, "en", mode)
        )
    return dataclasses.replace(result, details=details)


def _verdict(text: str | None, language: str, mode: str) -> bool | None:
    """No text, no verdict; but an empty text is consistent under the paper's rule."""
    if text is None or (mode == "default" and not text.strip()):
        return None
    return language_consistent(text, language, mode)


def identified(path: Path) -> tuple[str, str]:
    """Task and model of a file."""
    level = path.resolve().parent
    return f"polymath_{path.stem}_{level.name}", level.parent.name


def logged(path: Path, row: Mapping[str, object], number: int, mode: str) -> LoggedAnswer:
    """The answer in a record, to be graded by ``mode``; its number replaces a missing index.

    Raises:
        ValueError: the record is not as it should be.
    """
    if row.get("answer") is None:
        raise ValueError("no 'answer'")
    response, thinking = row.get("answer_pred"), row.get("thinking_pred") or ""
    if not isinstance(response, str | None) or not isinstance(thinking, str):
        raise ValueError("'answer_pred' and 'thinking_pred' must be text")
    if mode == "paper" and not thinking and response is not None:
        response = f"<think></think>{response}"  # an empty field is consistent by its rules
    level, index = path.parent.name, row.get("idx", number - 1)
    name = f"polymath-{level}-i{index}"
    reference = {
        "family": "polymath", "task": "polymath", "language": path.stem, "level": level,
        "index": index, "instance_id": name, "control": "none", "mode": mode,
        "answer": str(row["answer"]),
    }  # fmt: skip
    error = None if response is not None else "no answer_pred"
    question = text if isinstance(text := row.get("question"), str) else ""
    return LoggedAnswer(question, response, reference, thinking, error)
