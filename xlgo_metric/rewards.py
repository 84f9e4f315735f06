"""The reward for training, in the form that TRL's ``GRPOTrainer`` calls (see docs/training.md).

It takes the completions and, by name, the columns of the dataset, of which it needs ``reference``
alone, and returns a number for each completion. A completion may hold anything: whatever a grader
raises makes a reward of 0, and grading takes bounded time. A reference that cannot be used is a
mistake in the data and raises.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .family import family_of, grade_safely
from .scoring import read_reference

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
    for name, items in (("completions", completions), ("reference", reference)):
        if isinstance(items, (str, Mapping)) or not isinstance(items, Sequence):
            raise ValueError(f"{name} must be a list with one entry per answer, got {items!r:.80}")
    if len(completions) != len(reference):
        raise ValueError(
            f"{len(completions)} completions but {len(reference)} references: give one each"
        )
    values = []
    for row, (completion, text) in enumerate(zip(completions, reference)):
        data = read_reference(text)
        answer = text_of(completion)
        grade = grade_safely(family_of(data).grade, answer, data, where=f"row {row}")
        values.append(float(grade.correct))
    return values


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
