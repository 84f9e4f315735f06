"""Take the tokens of an answer apart: at commas and connectives, outside of brackets."""

from __future__ import annotations

from collections.abc import Callable

from .answers import Answer, Items, Relation
from .tokens import Token
from .vocabulary import AND, DROPPED, OR

SIGNS = {
    "=": "=", "<": "<", ">": ">", "le": "<=", "ge": ">=", "ne": "!=", "in": "in", "notin": "notin",
    "subset": "subset", "subseteq": "subseteq", "equiv": "=", "implies": "implies", "iff": "iff",
    "to": "to", "mapsto": "mapsto",
}  # fmt: skip
_LEADING = frozenset(
    {"=", "approx", ":", ",", ".", "therefore", "because", "implies", "Rightarrow", "to", ";"}
)
_TRAILING = frozenset({",", ".", ";", ":", "="})
# One-letter words that link: Spanish y, Italian e, Catalan and Portuguese o.
_LINKS = {"y": "and", "e": "and", "o": "or", "u": "or"}


def raw(tokens: list[Token]) -> str:
    """Tokens as text."""
    return " ".join(token.text for token in tokens)


def trimmed(tokens: list[Token]) -> list[Token]:
    """Without what only introduces or ends an answer, and without needless braces around it."""
    while tokens:
        first, last = tokens[0], tokens[-1]
        if (first.text in _LEADING and first.kind != "word") or (
            first.kind == "word" and first.text.casefold() in DROPPED and len(tokens) > 1
        ):
            tokens = tokens[1:]
        elif last.text in _TRAILING and last.kind == "op":
            tokens = tokens[:-1]
        elif (
            first.text == "{"
            and partner(tokens, 0) == len(tokens) - 1
            and not _has_comma(tokens[1:-1])
            and tokens[1:-1]
        ):
            tokens = tokens[1:-1]
        else:
            break
    return tokens


def _has_comma(tokens: list[Token]) -> bool:
    return find(tokens, lambda token: token.text in (",", ";")) is not None


def several(answer: Answer) -> tuple[Answer, ...]:
    """The two values of ±3 in a list, else the answer alone."""
    return (
        answer.items
        if isinstance(answer, Items) and answer.joint == "or" and not answer.opening
        else (answer,)
    )


def signed(token: Token, upper: bool) -> Token:
    """A token with ± (or ∓) as its upper or lower sign."""
    if token.kind == "cmd" and token.text in ("pm", "mp"):
        return Token("op", "+" if (token.text == "pm") == upper else "-", token.gap)
    return token


def partner(tokens: list[Token], place: int) -> int | None:
    """Where the bracket at ``place`` is closed; kinds of brackets are not compared."""
    depth = 0
    for index in range(place, len(tokens)):
        depth += (tokens[index].kind == "open") - (tokens[index].kind == "close")
        if depth == 0:
            return index
    return None


def find(
    tokens: list[Token], test: Callable[[Token], bool], start: int = 0, deep: bool = False
) -> int | None:
    """The first token outside of brackets (or anywhere, if ``deep``) that passes the test."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        if place >= start and (depth == 0 or deep) and test(token):
            return place
    return None


def split(
    tokens: list[Token], separator: Callable[[int], str | None]
) -> tuple[list[list[Token]], list[str]]:
    """The parts between separators that stand outside of brackets, and the separators."""
    parts: list[list[Token]] = [[]]
    found: list[str] = []
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        name = separator(place) if depth == 0 else None
        if name is None:
            parts[-1].append(token)
        else:
            found.append(name)
            parts.append([])
    return parts, found


def split_at(tokens: list[Token], *texts: str) -> list[list[Token]]:
    """The parts between tokens of certain texts that stand outside of brackets."""
    found = [token.text if token.text in texts else None for token in tokens]
    return split(tokens, found.__getitem__)[0]


def link(tokens: list[Token], place: int) -> str | None:
    """``or``, ``and`` or ``;`` if the token there links answers."""
    token = tokens[place]
    if token.kind == "op":
        return ";" if token.text == ";" else "and" if token.text == "&" else None
    if token.kind == "cmd":
        return {"lor": "or", "land": "and"}.get(token.text)
    if token.kind == "word":
        word = token.text.casefold()
        return "or" if word in OR else "and" if word in AND else None
    if token.kind == "sym" and token.text in _LINKS and 0 < place < len(tokens) - 1:
        before, after = tokens[place - 1], tokens[place + 1]
        starts = after.kind in ("num", "open") or after.text == "-"
        starts = starts or (place + 2 < len(tokens) and tokens[place + 2].text in SIGNS)
        if token.gap and after.gap and before.kind in ("num", "close") and starts:
            return _LINKS[token.text]
    return None


def undecorated(tokens: list[Token]) -> list[Token]:
    """A tuple without the name of the point in front and the sign of transposition behind."""
    texts = [token.text for token in tokens]
    if texts[-2:] in (["^", "T"], ["^", "top"]):
        inner, end = tokens[1:-3], len(tokens) - 2
    elif texts[-4:] in (["^", "{", "T", "}"], ["^", "{", "top", "}"]):
        inner, end = tokens[1:-5], len(tokens) - 4
    elif len(tokens) > 4 and (
        tokens[0].kind == "word" or (tokens[0].kind == "sym" and tokens[0].text.isupper())
    ):
        numbers = any(token.kind == "num" for token in tokens)
        named = texts[1] == "(" and partner(tokens, 1) == len(tokens) - 1 and numbers
        several = len(split_at(tokens[2:-1], ",", ";", "|")) > 1
        return tokens[1:] if named and several else tokens
    else:
        return tokens
    several = partner(tokens, 0) == end - 1 and len(split_at(inner, ",", ";")) > 1
    return tokens[:end] if several and texts[0] in ("(", "[") else tokens


def distributed(answers: list[Answer]) -> tuple[Answer, ...]:
    """``x = 1, 2, 3`` means three values of x: the sign is given to those behind it."""
    first = answers[0]
    if (
        isinstance(first, Relation)
        and first.signs == ("=",)
        and not any(isinstance(answer, Relation) for answer in answers[1:])
    ):
        return (first.sides[1], *answers[1:])
    if isinstance(first, Relation) and first.signs == ("!=",):  # x ≠ 1, 2
        return tuple(
            answer if isinstance(answer, Relation) else Relation((first.sides[0], answer), ("!=",))
            for answer in answers
        )
    return tuple(answers)
