r"""Read an expression with what may stand around it: a percent sign, a unit, money, a noun."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from .answers import Quantity, Unit
from .cursor import UnreadableError
from .expression import read_expression
from .nodes import Node, has_symbols, num
from .tokens import Token
from .vocabulary import (
    ALTERING,
    CONNECTIVES,
    COPULAS,
    COUNTERS,
    DROPPED,
    FILLER,
    INSIDE,
    INTRODUCING,
    LIMITING,
    MAGNITUDES,
    PERCENT,
    PHRASES,
    QUALIFIERS,
    unit_word,
)

_MONEY = frozenset({r"\$", "€", "£", "¥", "₹", "₩", "₫", "฿", "₽", "¢"})
_MONEY_UNITS = {r"\$": "dollar"}
_SQUARES = {
    "square": 2,
    "sq": 2,
    "cubic": 3,
    "cu": 3,
    "平方": 2,
    "立方": 3,
    "quadrat": 2,
    "кв": 2,
    "куб": 3,
}
_SUFFIXES = {"²": 2, "³": 3, "2": 2, "3": 3}
_PER = frozenset({"per", "/", "pro", "por", "par", "al", "в", "每"})
_SPOKEN = frozenset({"word", "sym", "fn"})
_NO_NOUN = ALTERING | frozenset(MAGNITUDES)
_NO_LABEL = _NO_NOUN | LIMITING | CONNECTIVES | QUALIFIERS
_LABELS = COPULAS | FILLER | DROPPED | INTRODUCING
_BASES = {"volume": {"length": 3}, "area": {"length": 2}, "speed": {"length": 1, "time": -1}}
DEGREE_UNIT = Unit((("angle", 1),), Fraction(1))


def read_quantity(  # noqa: PLR0911, PLR0912
    tokens: list[Token], tight: bool
) -> Quantity | None:
    """The quantity that ``tokens`` spell, or ``None``."""
    if not tokens:
        return None
    if tokens[0].text in _MONEY or (tokens[0].kind == "word" and len(tokens) > 1):
        return _named_first(tokens, tight)
    if tokens[0].text == "-" and len(tokens) > 2 and tokens[1].text in _MONEY:
        return read_quantity([tokens[1], tokens[0], *tokens[2:]], tight)
    # The number ends where the first word, currency or final % begins: a unit or a noun.
    cut = next(
        (
            place
            for place, token in enumerate(tokens)
            if token.kind == "word"
            or token.text in _MONEY
            or (token.text == "%" and place == len(tokens) - 1)
        ),
        None,
    )
    if cut is None:
        return _bare(tokens, tight)
    if cut == 0 or _depth(tokens[:cut]):
        return None
    head, tail = tokens[:cut], tokens[cut:]
    inner = _bare(head, tight)
    if inner is None:
        return None
    if tail[0].text == "%" or " ".join(token.text for token in tail).casefold() in PERCENT:
        return Quantity(inner.node, percent=True)
    # 20°C is read as 20° and a word C: the two make one unit.
    if inner.unit == DEGREE_UNIT and len(tail) == 1:
        unit = _named_unit(tail[0]._replace(text="°" + tail[0].text.upper()))
        if unit is not None:
            return Quantity(inner.node, unit=unit)
    unit = read_unit(tail)
    if unit is not None:
        return Quantity(inner.node, unit=unit)
    if any(token.kind == "num" for token in tail):
        return _mixed_units(inner, tail)
    if any(token.text.casefold() in _NO_NOUN for token in tail):
        return None
    if any(part in token.text for token in tail for part in INSIDE):
        return None
    noun = " ".join(token.text for token in tail if token.kind in _SPOKEN).casefold()
    if any(token.kind not in _SPOKEN and token.text not in ".()'-\"" for token in tail):
        return None
    return Quantity(inner.node, noun="" if noun in COUNTERS else noun)


def _named_first(tokens: list[Token], tight: bool) -> Quantity | None:
    """Money or a noun in front of its number: ``$5``, ``USD 5``, ``watu 12``."""
    start = next((n for n, token in enumerate(tokens) if token.kind != "word"), 0)
    label = tokens[:start]
    if label and tokens[start].text == ".":  # Rs. 500
        start += 1
    inner = read_quantity(tokens[start:], tight) if label else read_quantity(tokens[1:], tight)
    if inner is None:
        return None
    if len(label) > 1 or (label and (inner.unit is not None or inner.noun)):
        return inner if _is_label(label) and not has_symbols(inner.node) else None
    unit = _named_unit(tokens[0])
    if inner.unit is not None or inner.noun:
        return None
    if unit is not None:
        return Quantity(inner.node, unit=unit)
    word = tokens[0].text.casefold()
    counts = bool(label) and _is_label(label) and not has_symbols(inner.node)
    return Quantity(inner.node, noun=word) if counts else None


def _is_label(words: list[Token]) -> bool:
    """Whether words in front of a number only say what it is, and not "at least" or "half"."""
    texts = [token.text.casefold() for token in words]
    if len(texts) > 1 and not all(text in _LABELS for text in texts):
        return False
    if any(text in _NO_LABEL or PHRASES.get(text) in ("no", "false") for text in texts):
        return False
    return not any(part in text for text in texts for part in INSIDE)


def _mixed_units(first: Quantity, tail: list[Token]) -> Quantity | None:
    """``2 hours 30 minutes``: a second quantity of the same kind stands behind the first unit."""
    place = next(n for n, token in enumerate(tail) if token.kind == "num")
    unit, second = read_unit(tail[:place]), read_quantity(tail[place:], False)
    if unit is None or second is None or second.unit is None or second.unit.powers != unit.powers:
        return None
    scale = num(second.unit.factor / unit.factor)
    return Quantity(Node("add", (first.node, Node("mul", (second.node, scale)))), unit=unit)


def _depth(tokens: list[Token]) -> int:
    return sum((token.kind == "open") - (token.kind == "close") for token in tokens)


def _bare(tokens: list[Token], tight: bool) -> Quantity | None:
    """An expression without a unit, except for degrees."""
    texts = [token.text for token in tokens]
    unit = None
    if any(token.kind == "fn" for token in tokens):
        pass  # the degrees of \cos 36° are those of its argument
    elif texts[-3:-1] == ["^", "circ"] and texts[-1] in ("C", "F"):
        tokens, unit = tokens[:-3], _named_unit(Token("word", "°" + texts[-1]))
    elif texts[-5:-1] == ["^", "{", "circ", "}"] and texts[-1] in ("C", "F"):
        tokens, unit = tokens[:-5], _named_unit(Token("word", "°" + texts[-1]))
    else:
        tokens, unit = _in_degrees(tokens)
    try:
        node = read_expression(tokens, tight)
    except UnreadableError:
        return None
    if unit is not None:
        return Quantity(node, unit=unit)
    return Quantity(node, letters=_letters(tokens), as_unit=_as_unit(tokens))


def _in_degrees(tokens: list[Token]) -> tuple[list[Token], Unit | None]:
    """``90° + x``, ``x + 90°`` and ``2(90° - x)`` as numbers of degrees; pi stays in radians."""
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        texts = [token.text for token in tokens[place : place + 4]]
        if texts[:2] == ["^", "circ"] or texts == ["^", "{", "circ", "}"]:
            place += 2 if texts[1] == "circ" else 4
        else:
            kept.append(tokens[place])
            place += 1
    mixed = any(token.text == "pi" for token in tokens)
    if len(kept) == len(tokens) or not kept or mixed:
        return tokens, None
    return kept, DEGREE_UNIT


def _letters(tokens: list[Token]) -> str:
    """The letters of an answer that is one run of them: perhaps a product, perhaps a word."""
    if len(tokens) < 2 or any(token.kind != "sym" or len(token.text) > 1 for token in tokens):
        return ""
    return "" if any(token.gap for token in tokens[1:]) else "".join(token.text for token in tokens)


def _as_unit(tokens: list[Token]) -> Quantity | None:
    """The reading of ``5 m`` or ``36 km/h`` as a number and a unit of single letters."""
    place = next((n for n, token in enumerate(tokens) if token.kind == "sym"), None)
    if not place or not all(
        token.kind == "num" or token.text in ("-", ".", "/") for token in tokens[:place]
    ):
        return None
    unit = read_unit(
        [token._replace(kind="word") if token.kind == "sym" else token for token in tokens[place:]]
    )
    if unit is None:
        return None
    try:
        return Quantity(read_expression(tokens[:place]), unit=unit)
    except UnreadableError:
        return None


def _named_unit(token: Token) -> Unit | None:
    word = unit_word(_MONEY_UNITS.get(token.text, token.text))
    return None if word is None else _folded({word.dimension: 1}, word.factor)


def read_unit(tokens: list[Token]) -> Unit | None:
    """The unit that ``tokens`` spell: ``cm^2``, ``km/h``, ``square metres``, ``m s^{-1}``."""
    joined = " ".join(token.text for token in tokens if token.text != ".")
    simple = unit_word(joined) or unit_word(joined.replace(" ", ""))
    powers: dict[str, int] = {}
    factor = Fraction(1)
    if simple is not None:
        return _folded({simple.dimension: 1}, simple.factor)
    sign, pending, place = 1, 1, 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.text.casefold() in _PER:
            sign = -1
            continue
        if token.text.casefold() in _SQUARES:
            pending = _SQUARES[token.text.casefold()]
            continue
        if token.text in (".", "cdot", "times", "*"):
            continue
        text, power = token.text, pending
        named = token.kind in ("word", "op") or (token.kind == "sym" and bool(powers))
        word = unit_word(_MONEY_UNITS.get(text, text)) if named else None
        if word is None and text[:2] in ("平方", "立方"):
            word, power = unit_word(text[2:]), _SQUARES[text[:2]]
        if word is None and text[-1:] in _SUFFIXES:
            word, power = unit_word(text[:-1]), _SUFFIXES[text[-1]]
        if word is None:
            return None
        raised, place = _raised(tokens, place)
        power = sign * (raised if raised is not None else power)
        powers[word.dimension] = powers.get(word.dimension, 0) + power
        factor *= word.factor**power
        pending = 1
    if not powers:
        return None
    return _folded(powers, factor)


def _raised(tokens: list[Token], place: int) -> tuple[int | None, int]:
    """The power behind a unit, and the place behind that."""
    if (
        place < len(tokens)
        and tokens[place].kind == "num"
        and tokens[place].text in ("2", "3")
        and not tokens[place].gap
    ):
        return int(tokens[place].text), place + 1
    if place >= len(tokens) or tokens[place].text != "^":
        return None, place
    end = place + 1
    if end < len(tokens) and tokens[end].text == "{":
        while end < len(tokens) and tokens[end].text != "}":
            end += 1
    text = "".join(token.text for token in tokens[place + 1 : end + 1]).strip("{}")
    if text.lstrip("-").isdecimal() and len(text) <= 2:
        return int(text), end + 1
    return None, place


def _folded(powers: dict[str, int], factor: Fraction) -> Unit:
    """The same unit in base dimensions: an area is a length squared, a litre 0.001 cubic metres."""
    base: Counter[str] = Counter()
    for name, power in powers.items():
        for dimension, times in _BASES.get(name, {name: 1}).items():
            base[dimension] += times * power
    return Unit(tuple(sorted((name, power) for name, power in base.items() if power)), factor)
