"""The format of a reference answer, by the explanations of the paper's Table 5.

The paper prints how many answers have each format (Table 6) and not which; some answers can be
read in two ways, so that the counts of this module differ from it where docs/korbench.md says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..answers.operations import rational
from ..published import MATRICES

_LETTERS = re.compile(r"[A-L]")
_NUMBER = re.compile(r"[-+]?[\d./]+\s?%?")
_PARTS = re.compile(r"\]\s?;\s?\[")
_OF_PUZZLES = {"1": "text", "2": "text", "3": "text", "4": "text", "6": "numeric",
               "5": "expression", "9": "expression", "10": "expression"}  # fmt: skip


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
