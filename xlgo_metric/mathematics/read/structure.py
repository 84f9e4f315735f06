r"""Read a whole answer: sets, tuples, intervals, relations, matrices, quantities, words.

Expressions are left to ``expression``; what neither can read is ``Raw`` and compared as text.
"""

from __future__ import annotations

from .answers import (
    Answer,
    Builder,
    Combination,
    Congruence,
    Items,
    Qualified,
    Quantity,
    Ratio,
    Raw,
    Relation,
    Special,
    Text,
)
from .arrays import read_array
from .conditions import parity, parted, trailing_condition
from .nodes import Node, num
from .quantities import read_quantity
from .splitting import (
    SIGNS,
    distributed,
    find,
    link,
    partner,
    raw,
    several,
    signed,
    split,
    split_at,
    trimmed,
    undecorated,
)
from .tokens import Token
from .vocabulary import BETWEEN, CONNECTIVES, COPULAS, PHRASES, QUALIFIERS, without_filler

_SETS = {"cup": "cup", "cap": "cap", "setminus": "setminus", "U": "cup"}
_PUNCTUATION = frozenset({".", ",", ":", ";", '"', "?", "-", "'", "(", ")", "/", "''"})
_SPECIALS = {
    "emptyset": "empty", "setR": "reals", "setZ": "setZ", "setN": "setN", "setQ": "setQ",
    "setC": "setC",
}  # fmt: skip
# What picks the positive numbers of a set, or those that are not negative.
_PARTS = {
    "^": "*",  # a star at the end is taken for a mark of emphasis
    "^+": "+", "_+": "+", "^*": "*", "^*_+": "+", "_+^*": "+", "_>0": "+", "_ge1": "+", "_0": "0",
    "_ge0": "0", "^0": "0",
}  # fmt: skip
_NAMES = {
    "setZ+": "setN+",
    "setN*": "setN+",
    "setZ0": "setN0",
    "reals+": "positive",
    "reals0": "nonnegative",
}
_LETTER_SETS = {letter: _SPECIALS["set" + letter] for letter in "RZNQC"}
MAX_ITEMS = 60


def read_answer(tokens: list[Token], tight: bool = False) -> Answer:
    """The answer that ``tokens`` spell; never fails."""
    return _Structure(tight).read(tokens)


class _Structure:
    def __init__(self, tight: bool) -> None:
        self.tight = tight
        self.level = 0

    def read(self, tokens: list[Token]) -> Answer:
        self.level += 1
        try:
            return self.attempt(tokens) if self.level <= 40 else Raw(raw(tokens))
        finally:
            self.level -= 1

    def attempt(self, tokens: list[Token]) -> Answer:
        tokens = trimmed(tokens)
        if not tokens:
            return Raw("")
        for step in (
            self.words, self.congruence, self.approximation, self.alternatives, self.qualified,
            self.listing, self.plus_minus, self.relation, self.combination, self.bracketed,
            self.matrix, self.ratio, self.expression,
        ):  # fmt: skip
            found: Answer | None = step(tokens)
            if found is not None:
                return found
        return Raw(raw(tokens))

    def words(self, tokens: list[Token]) -> Answer | None:  # noqa: PLR0911
        if tokens[0].text in _SPECIALS and tokens[0].kind == "cmd":
            behind = "".join(token.text for token in tokens[1:] if token.text not in "{}")
            name = _SPECIALS[tokens[0].text] + _PARTS.get(behind, behind)
            return Special(_NAMES.get(name, name)) if behind in _PARTS or not behind else None
        if [token.text for token in tokens] in (["{", "}"], [r"\{", r"\}"]):
            return Special("empty")
        if any(
            token.kind not in ("word", "sym") and token.text not in _PUNCTUATION for token in tokens
        ):
            return None
        if not any(token.kind == "word" for token in tokens):
            return None
        stop = find(tokens, lambda token: token.kind == "op")
        verdict = PHRASES.get(raw(tokens[:stop]).casefold()) if stop else None
        if verdict in ("yes", "no"):  # "No, it is not possible"
            return Special(verdict)
        words = [token.text for token in tokens if token.kind in ("word", "sym")]
        phrase = " ".join(words).casefold()
        spoken = (
            "".join((" " if token.gap else "") + token.text for token in tokens).strip().casefold()
        )
        meaning = PHRASES.get(phrase) or PHRASES.get(spoken) or PHRASES.get(without_filler(phrase))
        if meaning == "infinity":
            return Quantity(Node("const", value="inf"))
        if meaning is not None:
            return Special(meaning)
        if any(word in CONNECTIVES for word in words) and len(words) > 2:
            return None
        return parity(words) or Text(phrase)

    def plus_minus(self, tokens: list[Token]) -> Answer | None:
        if not any(token.text in ("pm", "mp") and token.kind == "cmd" for token in tokens):
            return None
        if tokens[0].text in ("{", r"\{") and partner(tokens, 0) == len(tokens) - 1:
            return None
        both = [self.read([signed(token, upper) for token in tokens]) for upper in (True, False)]
        return Items(tuple(both), joint="or")

    def congruence(self, tokens: list[Token]) -> Answer | None:
        place = find(tokens, lambda token: token.text == "equiv")
        if place is None:
            return self.divisibility(tokens)
        if find(tokens, lambda token: token.text == "equiv", start=place + 1) is not None:
            return None
        modulus = find(tokens, lambda token: token.text in ("pmod", "mod"), start=place, deep=True)
        if modulus is None:
            return None
        end = modulus - 1 if tokens[modulus - 1].text == "(" else modulus
        behind = [token for token in tokens[modulus + 1 :] if token.text not in "(){}"]
        residues = self.read(tokens[place + 1 : end])
        items = residues.items if isinstance(residues, Items) else (residues,)
        flat = tuple(
            part for item in items for part in (item.items if isinstance(item, Items) else (item,))
        )
        return Congruence(self.read(tokens[:place]), flat, self.read(behind))

    def divisibility(self, tokens: list[Token]) -> Answer | None:
        """``4 | n`` as n ≡ 0 (mod 4), ``42 (mod 100)`` as 42."""
        halves = split_at(tokens, "|")
        divisor = len(halves) == 2 and [token.kind for token in halves[0]] == ["num"]
        if divisor and any(token.kind == "sym" for token in halves[1]):
            return Congruence(self.read(halves[1]), (Quantity(num(0)),), self.read(halves[0]))
        place = find(tokens, lambda token: token.text == "pmod")
        behind = place is not None and partner(tokens, place + 1) == len(tokens) - 1
        if place and behind:
            return Qualified(self.read(tokens[:place]), Text("mod"))
        return None

    def approximation(self, tokens: list[Token]) -> Answer | None:
        place = find(tokens, lambda token: token.text == "approx" and token.kind == "cmd")
        if place is None:
            return None
        before = tokens[:place]
        if any(token.kind == "num" or token.text in ("pi", "e") for token in before):
            return self.read(before)
        return self.read([*before, Token("op", "="), *tokens[place + 1 :]])

    def alternatives(self, tokens: list[Token]) -> Answer | None:
        """Parts linked by "or", "and", a semicolon: they bind weaker than commas."""
        parts, joints = split(tokens, lambda place: link(tokens, place))
        if len(parts) < 2:
            return None
        joint = "or" if "or" in joints else "and" if "and" in joints else ","
        readings = [self.read(part) for part in parts if trimmed(part)]
        flat: list[Answer] = []
        for answer in readings:
            nested = isinstance(answer, Items) and not answer.opening
            assigned = nested and all(isinstance(item, Relation) for item in answer.items)  # type: ignore[union-attr]
            if nested and not (
                assigned and len(readings) > 1 and all(isinstance(a, Items) for a in readings)
            ):
                flat.extend(answer.items)  # type: ignore[union-attr]
            else:
                flat.append(answer)
        if not 0 < len(flat) <= MAX_ITEMS:
            return Raw(raw(tokens))
        return flat[0] if len(flat) == 1 else Items(distributed(flat), joint=joint)

    def qualified(self, tokens: list[Token]) -> Answer | None:
        start = trailing_condition(tokens)
        if start is not None:
            return Qualified(self.read(tokens[:start]), self.read(tokens[start + 1 : -1]))
        place = find(
            tokens, lambda token: token.kind == "word" and token.text.casefold() in QUALIFIERS
        )
        if place is None or place == 0 or all(token.kind == "word" for token in tokens[:place]):
            return None
        return Qualified(self.read(tokens[:place]), self.read(tokens[place + 1 :]))

    def listing(self, tokens: list[Token]) -> Answer | None:
        parts = split_at(tokens, ",", ";")
        if len(parts) < 2 or len(parts) > MAX_ITEMS:
            return Raw(raw(tokens)) if len(parts) > MAX_ITEMS else None
        answers = [
            item for part in parts if trimmed(part) for item in several(self.read(part))
        ]  # fmt: skip
        if not answers:
            return Raw(raw(tokens))
        mains, conditions = parted(answers)
        if conditions:
            main = mains[0] if len(mains) == 1 else Items(distributed(mains))
            return Qualified(
                main, conditions[0] if len(conditions) == 1 else Items(tuple(conditions))
            )
        return answers[0] if len(answers) == 1 else Items(distributed(answers))

    def relation(self, tokens: list[Token]) -> Answer | None:
        def sign(place: int) -> str | None:
            return SIGNS.get(tokens[place].text) if tokens[place].kind in ("op", "cmd") else None

        parts, signs = split(tokens, sign)
        if len(parts) < 2:
            return None
        label = split_at(parts[0], ":")
        if len(label) == 2 and len(label[0]) in (1, 3) and label[1]:  # "g: y = 2x", "(d): …"
            parts[0] = label[1]
        if signs[-1] == "mapsto" and len(parts[-2]) == 1 and len(label) == 2:  # f : x ↦ x + 1
            value = self.read([*label[0], Token("open", "("), *parts[-2], Token("close", ")")])
            return Relation((value, self.read(parts[-1])), ("=",))
        if {"implies", "iff", "to"} & set(signs):
            return self.read(parts[-1])
        sides = [self.side(part) for part in parts]
        while len(sides) > 2 and signs[0] == "=" and isinstance(sides[0], Text):
            sides, signs = sides[1:], signs[1:]
        if len(sides) == 2 and signs == ["="] and isinstance(sides[0], Text):
            return sides[1]
        if signs == ["in"] and len(parts[1]) == 1:
            name = _LETTER_SETS.get(parts[1][0].text)
            sides[1] = Special(name) if name else sides[1]
        return Relation(tuple(sides), tuple(signs))

    def side(self, tokens: list[Token]) -> Answer:
        """One side of a relation; words in front of it only name what it is."""
        answer = self.read(tokens)
        if isinstance(answer, Raw | Text):
            place = next((n for n, token in enumerate(tokens) if token.kind != "word"), None)
            if place:
                return self.read(tokens[place:])
        return answer

    def combination(self, tokens: list[Token]) -> Answer | None:
        def sign(place: int) -> str | None:
            token = tokens[place]
            if token.kind == "cmd" or (token.text == "U" and 0 < place < len(tokens) - 1):
                bracketed = token.kind == "cmd" or tokens[place - 1].kind == "close"
                return _SETS.get(token.text) if bracketed else None
            if token.text == "-" and place and tokens[place - 1].text in ("setR", "setZ", "setN"):
                return "setminus"
            return None

        parts, signs = split(tokens, sign)
        if len(parts) < 2 or not all(parts):
            return None
        answer = self.read(parts[0])
        for part, found in zip(parts[1:], signs, strict=True):
            answer = Combination(found, answer, self.read(part))
        return answer

    def bracketed(self, tokens: list[Token]) -> Answer | None:  # noqa: PLR0911
        tokens = undecorated(tokens)
        opener, closer = tokens[0], tokens[-1]
        inner = tokens[1:-1]
        if len(tokens) < 3:
            return None
        opening = "[" if opener.text == "[" else "("
        closing = "]" if closer.text == "]" else ")"
        outward = opener.text == "]" or closer.text == "["
        if outward and opener.text in ("]", "[", "(") and closer.text in ("]", "[", ")"):
            parts = split_at(inner, ",", ";")
            if len(parts) == 2:
                return Items(tuple(self.read(part) for part in parts), opening, closing)
        if (
            opener.kind != "open"
            or partner(tokens, 0) != len(tokens) - 1
            or opener.text.startswith("matrix")
        ):
            return None
        if opener.text in (r"\{", "{"):
            return self.braces(inner, opener.text == r"\{")
        if opener.text not in ("(", "[", "langle"):
            return None
        parts = split_at(inner, ",", ";")
        if len(parts) >= 2:
            if len(parts) > MAX_ITEMS:
                return Raw(raw(tokens))
            return Items(tuple(self.read(part) for part in parts), opening, closing)
        halves = split_at(inner, "|")
        plain = all(part[-1:] and part[-1].kind == "num" and len(part) <= 2 for part in halves)
        if opener.text == "(" and (plain or len(halves) == 2) and all(halves) and halves[1:]:
            # a point, as it is written in Germany
            return Items(tuple(self.read(part) for part in halves), "(", ")")
        return self.read(inner) if opener.text == "(" else None

    def braces(self, inner: list[Token], is_set: bool) -> Answer | None:
        bar = find(inner, lambda token: token.text in ("|", ":") and token.kind == "op")
        if is_set and bar:
            element, condition = self.read(inner[:bar]), self.read(inner[bar + 1 :])
            if isinstance(element, Relation) and element.signs[0] == "in":
                element = element.sides[0]
            if isinstance(element, Quantity) and element.node.op == "sym":
                return condition
            return Builder(element, condition)
        answer = self.read(inner)
        if isinstance(answer, Items) and not answer.opening:
            return Items(answer.items, "{", "}")
        return Items((answer,), "{", "}") if is_set else answer

    def matrix(self, tokens: list[Token]) -> Answer | None:
        return read_array(tokens, self.read)

    def ratio(self, tokens: list[Token]) -> Answer | None:
        def sign(place: int) -> str | None:
            token = tokens[place]
            spoken = token.kind == "word" and token.text.casefold() in BETWEEN
            return ":" if token.text == ":" or spoken else None

        parts, _ = split(tokens, sign)
        if len(parts) < 2 or not all(parts):
            return None
        if all(token.kind == "word" for token in parts[0]):
            return self.read(tokens[len(parts[0]) + 1 :])
        answers = [self.read(part) for part in parts]
        if all(isinstance(answer, Quantity) and not answer.noun for answer in answers):
            return Ratio(tuple(answers))
        return None

    def expression(self, tokens: list[Token]) -> Answer | None:
        found = read_quantity(tokens, self.tight)
        if found is not None:
            meaning = PHRASES.get(found.letters.casefold())
            return Special(meaning) if meaning else found
        place = find(
            tokens, lambda token: token.kind == "word" and token.text.casefold() in COPULAS
        )
        if place is None or not 0 < place < len(tokens) - 1:
            return None
        named = all(token.kind in ("word", "sym") for token in tokens[:place])
        return self.read(tokens[place + 1 :]) if named else None
