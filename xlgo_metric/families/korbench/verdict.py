"""The verdict on one answer, by the rules of a mode, and the format of a reference answer.

The paper prints how many answers have each format (Table 6, by the explanations of Table 5) and not
which; some answers can be read in two ways, so that the counts differ from it where
docs/korbench.md says so.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from ...core import allowed_name
from ...reading.answers import Answer
from ...reading.forms import unboxed
from .answers.operations import rational, same_answer
from .answers.puzzles import same_puzzle
from .answers.symbols import is_grid, same_cells, same_choice, same_logic, same_text
from .extraction import examples_of, find_answer
from .names import ASKED, CATEGORIES, COMPLETION, MODES
from .published import MATRICES, TRUTH_TABLES, published_verdict

_ONE_LETTER = re.compile(r"\[\[[A-Z]\]\]")
_LETTERS = re.compile(r"[A-L]")
_NUMBER = re.compile(r"[-+]?[\d./]+\s?%?")
_PARTS = re.compile(r"\]\s?;\s?\[")
_OF_PUZZLES = {"1": "text", "2": "text", "3": "text", "4": "text", "6": "numeric",
               "5": "expression", "9": "expression", "10": "expression"}  # fmt: skip


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
        answer = found_answer(response, gold, asked, question, language)
        content = content_of(answer, gold)
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


def content_of(answer: Answer, gold: str) -> str | None:
    """The content to compare; of an answer in several parts, ``[[A]];[[C]]`` is ``[[A];[C]]``."""
    joined = "];[".join(answer.parts)
    return answer.answer or (joined if joined.count("];[") == gold.count("];[") > 0 else None)


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


def answer_format(reference: Mapping[str, object]) -> str | None:
    """``numeric``, ``expression``, ``text``, ``choice`` or ``structured``.

    ``None`` for a question of several questions, or of no category.
    """
    category, rule_id = str(reference.get("category")), str(reference.get("rule_id"))
    gold = str(reference.get("answer")).strip().removeprefix("[[").removesuffix("]]")
    fixed = {"counterfactual": "choice", "cipher": "text"}
    if category == "puzzle":
        return _OF_PUZZLES.get(rule_id, "structured")
    if category == "operation":
        return "structured" if rule_id in MATRICES else _of_operation(gold)
    return _of_logic(gold) if category == "logic" else fixed.get(category)


def _of_operation(gold: str) -> str:
    numbers = all(rational(part) is not None for part in gold.split("or"))
    return "numeric" if numbers else "expression"


def _of_logic(gold: str) -> str:
    parts = [part.strip() for part in _PARTS.split(gold)]
    if all(map(_LETTERS.fullmatch, parts)):
        return "choice"
    return "numeric" if all(map(_NUMBER.fullmatch, parts)) else "text"
