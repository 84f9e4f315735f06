"""Conditions after an answer: ``(k ∈ ℤ)``, ``, x > 0``, ``if n is odd``."""

from __future__ import annotations

from collections.abc import Callable

from .answers import Answer, Congruence, Items, Quantity, Relation, Special, Text, names_in
from .nodes import Node, num
from .splitting import SIGNS, find, partner, raw
from .tokens import Token
from .vocabulary import COPULAS, FILLER, LIMITING, PHRASES, QUALIFIERS

_MEMBERSHIP = frozenset({"in", "notin"})
_ORDER = frozenset({"<", ">", "<=", ">=", "!="})
_PARITY = {"even": 0, "odd": 1}


def trailing_condition(tokens: list[Token]) -> int | None:
    """Where a condition in brackets begins with which an answer ends: ``2kπ (k ∈ ℤ)``."""
    if len(tokens) < 4 or tokens[-1].text != ")":
        return None
    start = next(
        (
            place
            for place in range(1, len(tokens) - 2)
            if tokens[place].text == "(" and partner(tokens, place) == len(tokens) - 1
        ),
        None,
    )
    if start is None:
        return None
    inner = tokens[start + 1 : -1]
    first = inner[0].text.casefold()
    if inner[0].kind == "word" and (first in QUALIFIERS or first == "mod"):
        return start
    if all(token.kind == "word" for token in inner):  # "x = 2 (double root)"
        return None if raw(inner).casefold() in PHRASES or first in LIMITING else start
    sign = find(inner, lambda token: SIGNS.get(token.text, "=") in _MEMBERSHIP | _ORDER)
    if sign is None or tokens[start - 1].kind == "fn":
        return None
    apart = tokens[start].gap or tokens[start - 1].kind in ("num", "close")
    return start if apart or SIGNS[inner[sign].text] in _MEMBERSHIP else None


def parted(answers: list[Answer]) -> tuple[list[Answer], list[Answer]]:
    """The items of a list that are answers, and those that are conditions on them."""
    conditions = [answer for answer in answers[1:] if _has_sign(answer, _MEMBERSHIP)]
    first = answers[0]
    if not conditions and isinstance(first, Relation) and first.signs == ("=",):
        names = names_in(first.sides[1])
        names |= names_in(first.sides[0]) if _is_applied(first.sides[0]) else frozenset()
        others = answers[1:]
        if all(_has_sign(answer, _ORDER) and names_in(answer) <= names for answer in others):
            conditions = others
    mains = [answer for answer in answers if not any(answer is one for one in conditions)]
    return mains, conditions


def _is_applied(answer: Answer) -> bool:
    return isinstance(answer, Quantity) and answer.node.op == "apply"


def _has_sign(answer: Answer, signs: frozenset[str]) -> bool:
    return isinstance(answer, Relation) and set(answer.signs) <= signs


def parity(words: list[str]) -> Answer | None:
    """``n is even`` as a congruence; ``even`` alone, in any language, as a word with a meaning."""
    names = [word for word in words if len(word) == 1 and word.isascii()]
    others = [
        word.casefold()
        for word in words
        if word not in names and word.casefold() not in COPULAS | FILLER | QUALIFIERS
    ]
    meaning = PHRASES.get(" ".join(others), "")
    if meaning not in _PARITY or len(set(names)) != 1:
        return None
    letter = Quantity(Node("sym", value=names[0]))
    return Congruence(letter, (Quantity(num(_PARITY[meaning])),), Quantity(num(2)))


def read_case(tokens: list[Token], read: Callable[[list[Token]], Answer]) -> Answer:
    """The condition of one line of a definition by cases."""
    while tokens and (
        tokens[0].text in (",", ";")
        or (tokens[0].kind == "word" and tokens[0].text.casefold() in QUALIFIERS)
    ):
        tokens = tokens[1:]
    return read(tokens)


def is_condition(answer: Answer) -> bool:
    """Whether an answer can be the condition of a case."""
    if isinstance(answer, Items):
        return not answer.opening and all(map(is_condition, answer.items))
    if isinstance(answer, Special):
        return answer.name == "otherwise"
    return isinstance(answer, Congruence | Text) or _has_sign(answer, _MEMBERSHIP | _ORDER)
