"""Grade whole responses: the boxed answer, and the languages of thinking and answer."""

from __future__ import annotations

import dataclasses

from ...core import Grade, Reference
from ...language.language_id import language_consistent
from ...mathematics.grading import grade_boxed
from ...reading.thinking import split_thinking

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
