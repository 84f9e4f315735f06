"""Rewards for training, in the form that TRL's ``GRPOTrainer`` calls.

Each function takes the completions and, by name, the columns of the dataset, of which it needs
``reference`` alone, and returns a number for each completion. They are kept apart, so that the
trainer weighs and logs each of them (``reward_funcs``, ``reward_weights``): see docs/training.md.

A completion may hold anything: whatever a grader raises makes a reward of 0, and grading takes
bounded time. A reference that cannot be used is a mistake in the data and raises.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .core import Grade
from .family import family_of, grade_safely
from .scoring import read_reference

PARTIAL_LIMIT = 0.9
"""The most that an answer gets from ``partial_reward`` unless ``grade`` calls it correct."""

READABLE = 0.5
"""The value of ``format_reward`` for a readable answer with additional text."""

GivenReference = str | Mapping[str, object]
"""A reference, as JSON or read."""
Completion = str | Sequence[Mapping[str, object]] | None
"""A text, or messages of a conversation, each with ``role`` and ``content``."""


def reward(
    completions: Sequence[Completion],
    reference: Sequence[str | Mapping[str, object]],
    **columns: Any,
) -> list[float]:
    """1.0 for every completion that ``grade`` calls correct, 0.0 for any other.

    Args:
        completions: n texts, or n lists of messages, of which those of the assistant are read.
        reference: the column ``reference`` of the rows, n of them, as JSON or as dicts.
        columns: what else a trainer hands over (prompts, token ids, other columns); not used.

    Raises:
        ValueError: the lengths differ, or a reference is malformed.

    >>> reward(['{"state": "E2679"}', None], 2 * ['{"task": "dsa", "answer": {"state": "E2679"}}'])
    [1.0, 0.0]
    """
    return [float(grade.correct) for grade, _ in _graded(completions, reference)]


def partial_reward(
    completions: Sequence[Completion],
    reference: Sequence[str | Mapping[str, object]],
    **columns: Any,
) -> list[float]:
    """1.0 for a correct answer, and credit below 1 for a wrong one that begins well.

    A wrong answer gets ``PARTIAL_LIMIT`` times what its family says of it
    (``Steps.partial_credit``): for puzzles whose answer is a list the share of it before the first
    wrong step, for families without such steps nothing.

    Args:
        completions: as for ``reward``.
        reference: as for ``reward``.
        columns: not used.

    Raises:
        ValueError: as for ``reward``.
    """
    return [_partial(grade, data) for grade, data in _graded(completions, reference)]


def format_reward(
    completions: Sequence[Completion],
    reference: Sequence[str | Mapping[str, object]],
    **columns: Any,
) -> list[float]:
    """1.0 for an answer in exactly the form that was asked for, ``READABLE`` for a readable one.

    It says nothing of whether the answer is right: give it a small weight.

    Args:
        completions: as for ``reward``.
        reference: as for ``reward``.
        columns: not used.

    Raises:
        ValueError: as for ``reward``.
    """
    return [
        0.0
        if grade.status not in ("correct", "wrong", "needs_judge")
        else 1.0
        if grade.strict
        else READABLE
        for grade, _ in _graded(completions, reference)
    ]


def _partial(grade: Grade, data: dict[str, object]) -> float:
    if grade.correct:
        return 1.0
    if grade.status != "wrong":
        return 0.0
    share = family_of(data).partial_credit(grade, data)
    return PARTIAL_LIMIT * min(max(share, 0.0), 1.0)


def _graded(
    completions: Sequence[Completion], references: Sequence[GivenReference]
) -> list[tuple[Grade, dict[str, object]]]:
    for name, items in (("completions", completions), ("reference", references)):
        if isinstance(items, (str, Mapping)) or not isinstance(items, Sequence):
            raise ValueError(f"{name} must be a list with one entry per answer, got {items!r:.80}")
    if len(completions) != len(references):
        raise ValueError(
            f"{len(completions)} completions but {len(references)} references: give one each"
        )
    result = []
    for row, (completion, reference) in enumerate(zip(completions, references)):
        data = read_reference(reference)
        text = text_of(completion)
        result.append((grade_safely(family_of(data).grade, text, data, where=f"row {row}"), data))
    return result


def text_of(completion: Any) -> str:
    """The text of a completion; empty if it is neither a string nor messages.

    Args:
        completion: a text, or messages whose ``content`` is a text or a list of parts with
            ``text``; those of another role than the assistant's are left out.
    """
    if isinstance(completion, str):
        return completion
    messages = [completion] if isinstance(completion, Mapping) else completion
    texts: list[str] = []
    for message in messages if isinstance(messages, Sequence) else ():
        if isinstance(message, Mapping) and message.get("role", "assistant") == "assistant":
            content = message.get("content")
            parts = content if isinstance(content, list) else [content]
            contents = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
            texts += [text for text in contents if isinstance(text, str)]
    return "\n".join(texts)
