"""How many tokens prompts have, for designs that keep them short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlgo_dataset.family import generated_family_of

from ..key_values import pairs
from .request import Request

Count = Callable[[str], int]
_NAMES = ("tokenizer", "pretrained")


def counter(name: str | None, request: Request | None = None) -> Count:
    """What counts the tokens of a text.

    Args:
        name: a tokenizer's name or folder; ``None`` takes the one that the model's arguments name.
        request: whose model is meant.

    Raises:
        ValueError: none is named, or it cannot be loaded.
    """
    if name is None and request is not None:
        given = pairs("--model_args", request.model_args)
        name = next((str(given[key]) for key in _NAMES if key in given), None)
    if name is None:
        raise ValueError("which tokenizer counts the tokens? Give --tokenizer NAME")
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise ValueError(f"tokenizer {name!r} cannot be loaded ({error})") from error
    return lambda text: len(tokenizer.encode(text))


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
    if longest(task, languages, high, count, text) <= limit:
        return high
    if (shortest := longest(task, languages, low + 1, count, text)) > limit:
        raise ValueError(
            f"--max-prompt-tokens {limit}: {task} needs {shortest} at complexity {low + 1}"
        )
    below, above = low + 1, high
    while above - below > 1:
        middle = (below + above) // 2
        if longest(task, languages, middle, count, text) <= limit:
            below = middle
        else:
            above = middle
    return below
