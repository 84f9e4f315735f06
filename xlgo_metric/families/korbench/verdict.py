"""The verdict on one answer, by the rules of a mode."""

from __future__ import annotations

import re
from functools import lru_cache

from ...core import allowed_name
from ...reading.answers import Answer
from ...reading.boxes import unboxed
from .answers.cells import is_grid, same_cells, same_text
from .answers.operations import same_answer
from .answers.puzzles import same_puzzle
from .answers.symbols import same_choice, same_logic
from .found import find_answer
from .names import ASKED, CATEGORIES, COMPLETION, MODES
from .published import TRUTH_TABLES, published_verdict
from .templates import examples_of

_ONE_LETTER = re.compile(r"\[\[[A-Z]\]\]")


def verdict(
    response: str | None,
    gold: str,
    *,
    category: str,
    rule_id: str,
    idx: str,
    mode: str = "default",
    asked: str = "chat",
    question: str = "",
    language: str = "en",
) -> bool:
    """Whether a response without thinking is right.

    Args:
        response: the text that holds the answer. What is no text is wrong.
        gold: the reference answer as in the data, with its brackets.
        category: ``operation``, ``logic``, ``cipher``, ``puzzle`` or ``counterfactual``.
        rule_id: the rule's number as a string, ``"1"`` to ``"25"``.
        idx: the question's number as a string; the published grading of mixed questions knows none,
            so pass an empty one to follow it.
        mode: ``default``, ``paper`` or ``stored``.
        asked: ``chat`` or ``completion``; mode ``default`` reads the last or the first answer.
        question: the text of the question, if it is known; what it shows in double brackets as an
            example is then no answer in mode ``default``.
        language: whose words may take an answer back.

    Raises:
        ValueError: an unknown category, mode or way of asking.
    """
    allowed_name(mode, "mode", MODES)
    allowed_name(category, "category", CATEGORIES)
    if not isinstance(response, str):
        return False
    if mode == "default":
        found = found_answer(response, gold, asked, question, language)
        content = content_of(found, gold)
        return content is not None and mended(content, gold, category, rule_id, idx)
    return published_verdict(
        response, gold, category=category, rule_id=rule_id, idx=idx, symbolic=mode == "paper"
    )


def found_answer(
    response: str, gold: str, asked: str, question: str, language: str = "en"
) -> Answer:
    """The answer that mode ``default`` grades."""
    allowed_name(asked, "way of asking", ASKED)
    examples = examples_of(question, gold)
    first = asked == COMPLETION
    return find_answer(response, first=first, examples=examples, language=language)


def content_of(found: Answer, gold: str) -> str | None:
    """The content to compare; of an answer in several parts, ``[[A]];[[C]]`` is ``[[A];[C]]``."""
    joined = "];[".join(found.parts)
    return found.answer or (joined if joined.count("];[") == gold.count("];[") > 0 else None)


@lru_cache(maxsize=16384)
def mended(content: str, gold: str, category: str, rule_id: str, idx: str) -> bool:
    """The verdict of mode ``default`` on an extracted answer."""
    expected = gold.strip().removeprefix("[[").removesuffix("]]")
    content = unboxed(content).replace(r"\*", "*")
    if _ONE_LETTER.fullmatch(gold) and category in ("counterfactual", "logic"):
        return same_choice(content, expected)
    if category == "logic":
        return same_logic(content, expected, unordered=rule_id == TRUTH_TABLES)
    if category == "operation":
        return same_answer(content, expected, rule_id=rule_id, idx=idx)
    if category == "puzzle":
        return same_puzzle(content, expected, rule_id)
    if is_grid(gold):
        return same_cells(content, expected)
    return same_text(content, expected)
