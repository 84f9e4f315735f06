"""How many tokens prompts have, for designs that keep them short."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.tokenizers import Count

_NAMES = ("tokenizer", "pretrained")


def named_in(model_args: Mapping[str, Any]) -> str | None:
    """The tokenizer that a model's arguments name; ``None`` without one."""
    return next((str(model_args[key]) for key in _NAMES if key in model_args), None)


def longest(
    task: str, languages: Sequence[str], complexity: int, count: Count, text: str = "paper"
) -> int:
    """Tokens of a prompt of this complexity in the language where it has most."""
    family = generated_family_of(task)
    instance = family.generate(task, complexity=complexity)
    return max(count(family.render(instance, language, text)) for language in languages)


def highest_within(
    task: str,
    languages: Sequence[str],
    ends: tuple[int, int],
    *,
    limit: int,
    count: Count,
    text: str = "paper",
) -> int:
    """The highest complexity of a range whose prompts are short enough in every language.

    Prompts grow with their complexity, so it is found by halving.

    Args:
        task, languages, text: what is asked.
        ends: the range.
        limit: tokens that a prompt may have.
        count: what counts them.

    Raises:
        ValueError: not even those of the least complexities have so few.
    """
    low, high = ends

    def tokens(complexity: int) -> int:
        return longest(task, languages, complexity, count, text)

    if (shortest := tokens(low + 1)) > limit:
        raise ValueError(
            f"--max-prompt-tokens {limit}: {task} needs {shortest} at complexity {low + 1}"
        )
    return low + bisect_right(range(low + 1, high + 1), limit, key=tokens)
