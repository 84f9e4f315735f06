"""Cut a cleaned answer into numbers, symbols, words, commands and signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from .clean import GROUPING, REPEAT_CLOSE, REPEAT_OPEN, ROW_BREAK
from .vocabulary import CONNECTIVES, COPULAS, FILLER, FUNCTIONS, PHRASES, QUALIFIERS, unit_word

MAX_TOKENS = 600
MAX_DEPTH = 40
MAX_DIGITS = 3000
MAX_TEXT_LEVELS = 4  # of text commands in one another


class TooBigError(ValueError):
    """The answer exceeds the parser's limits and can only be compared as text."""


class Token(NamedTuple):
    """One token.

    ``kind`` is ``num``, ``sym`` (one letter or a Greek name), ``fn`` (a function), ``word`` (text),
    ``cmd`` (a LaTeX command), ``open`` and ``close`` (brackets), or ``op`` (anything else).
    ``gap`` says that white space stood before it.
    """

    kind: str
    text: str
    gap: bool = False
    value: Fraction | None = None


# How digits with separators may be read: "1,234" is 1234, 1.234 (in half of Europe), or 1 and 234.
_THREES = rf"[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)?(?![\d{REPEAT_OPEN}])(?!,\d)"
_INDIAN = r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)(?!,\d)"
_DOTTED = r"\d{1,3}(?:\.\d{3})+,\d+(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)(?!\.\d)"
_SPACED = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])"
_JOINED = rf"\d{{1,3}}(?:{GROUPING}\d{{2,3}})+(?:[.,]\d+)?(?!\d)"
_EXPONENT = r"\d+\.\d+[eE][+-]?\d{1,3}(?![\d.])"
_PLAIN = rf"{_EXPONENT}|(?:\d+\.?\d*|\.\d+){REPEAT_OPEN}\d+{REPEAT_CLOSE}|\d+\.\d+|\.\d+|\d+"
_DECIMAL = r"\d+,\d+(?!\d)(?!,\d)"
_STYLES = {
    "group": f"{_THREES}|{_INDIAN}|{_DOTTED}|{_JOINED}|{_SPACED}|{_PLAIN}",
    "decimal": f"{_JOINED}|{_DOTTED}|{_DECIMAL}|{_SPACED}|{_PLAIN}",
    "list": f"{_JOINED}|{_PLAIN}",
    "scientific": rf"\d+(?:\.\d+)?[eE][+-]?\d{{1,3}}(?![\d.])|{_THREES}|{_PLAIN}",
}
# Vowel signs and tone marks belong to a word, though they are no letters.
_MARKS = (
    "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0b82\u0bbe-\u0bcd"
    "\u0c00-\u0c04\u0c3c-\u0c4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u064b-\u0652"
)
_WORD = rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*"
# Scripts without spaces between words, where a word may touch a letter: x=1或x=2.
_DENSE = re.compile("([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)")
_PATTERNS = {
    style: re.compile(
        rf"(?P<num>{numbers})|(?P<cmd>\\[A-Za-z]+)|(?P<brace>\\[{{}}])|(?P<word>{_WORD})"
        rf"|(?P<row>{ROW_BREAK})|(?P<op>\\?[%$#&]|\*\*|<=|>=|!=|<>|==|::?|'+|\S)"
    )
    for style, numbers in _STYLES.items()
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξορστυφχψωϕϑΓΔΘΛΞΠΣΦΨΩ",
        [
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "mu",
            "nu",
            "xi",
            "omicron",
            "rho",
            "sigma",
            "tau",
            "upsilon",
            "phi",
            "chi",
            "psi",
            "omega",
            "phi",
            "theta",
            "Gamma",
            "Delta",
            "Theta",
            "Lambda",
            "Xi",
            "Pi",
            "Sigma",
            "Phi",
            "Psi",
            "Omega",
        ],
        strict=True,
    )
)
_GREEK_NAMES = frozenset(_GREEK.values()) | {"ell", "hbar", "partial", "pi", "infty", "varnothing"}
# Commands whose argument is text, and those that only change the look of a formula.
_TEXTS = frozenset(
    [
        "text",
        "textbf",
        "textit",
        "textrm",
        "textup",
        "textnormal",
        "mbox",
        "mathrm",
        "operatorname",
        "hbox",
        "texttt",
        "textsf",
        "mathop",
        "unit",
        "si",
    ]
)
_LOOKS = frozenset(
    [
        "mathbf",
        "mathit",
        "boldsymbol",
        "bm",
        "mathsf",
        "mathnormal",
        "mathcal",
        "mathscr",
        "pmb",
        "ensuremath",
        "color",
        "underline",
        "underbrace",
    ]
)
_BARE_FUNCTIONS = re.compile(
    r"(arcsin|arccos|arctan|arcctg|arctg|sinh|cosh|tanh|coth|sin|cos|tan|cot|sec|csc|sen|ctg|tg|log|"
    r"ln|lg|exp|sqrt|cbrt|gcd|lcm|max|min|floor|ceil|abs|binom|binomial|factorial)([A-Za-z]{0,2})"
)
_LINKING = CONNECTIVES | QUALIFIERS | COPULAS | FILLER
_UNIT_FUNCTIONS = frozenset({"min", "sec"})
_OPENING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}",
    "lfloor": "rfloor", "lceil": "rceil", "langle": "rangle",
}  # fmt: skip
_CLOSING = frozenset(_OPENING.values())
_OPERATORS = {
    "<=": "le", ">=": "ge", "!=": "ne", "<>": "ne", "==": "=", "**": "^", r"\%": "%", r"\&": "&",
    "::": ":",
}  # fmt: skip


def tokenize(text: str, style: str = "group") -> list[Token]:
    """The tokens of a cleaned answer.

    Raises:
        TooBigError: more than 600 tokens, 40 levels of brackets or 3000 digits in one number.
    """
    tokens: list[Token] = []
    _scan(text, style, tokens, False, 0)
    depth = 0
    for token in tokens:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth > MAX_DEPTH:
            raise TooBigError("too deeply nested")
    return tokens


def _scan(text: str, style: str, tokens: list[Token], is_text: bool, level: int) -> None:
    if level > MAX_TEXT_LEVELS:
        raise TooBigError("too deeply nested")
    position = 0
    pattern = _PATTERNS[style]
    while True:
        match = pattern.search(text, position)
        if match is None:
            return
        if len(tokens) >= MAX_TOKENS:
            raise TooBigError("too long")
        gap = match.start() > position
        position = match.end()
        digits = match.group()
        kind = match.lastgroup
        if kind == "num":
            tokens.append(Token("num", digits, gap, number(digits)))
        elif kind == "word":
            spaced = (gap or match.start() == 0) and text[position : position + 1] == " "
            rest = text[position : position + 2].lstrip(" ")
            _add_word(digits, gap, is_text, tokens, spaced, rest)
        elif kind == "cmd":
            position = _add_command(text, position, digits[1:], gap, style, tokens, is_text, level)
        elif kind == "brace" or digits in "()[]{}":
            tokens.append(Token("open" if digits in _OPENING else "close", digits, gap))
        elif kind == "row":
            tokens.append(Token("op", "row", gap))
        else:
            tokens.append(Token("op", _OPERATORS.get(digits, digits), gap))


def number(text: str) -> Fraction:
    """The value of a number as the tokens have it: ``1,234.5``, ``1.234,5``, ``0.1⟦6⟧``.

    Raises:
        TooBigError: more than 3000 digits.
    """
    if len(text) > MAX_DIGITS:
        raise TooBigError("too many digits")
    if "e" in text.casefold():
        return Fraction(text)
    plain = text.replace(GROUPING, "").replace(" ", "")
    if "," in plain:
        last = plain.rsplit(",", 1)[1]
        grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", plain)
        plain = (
            plain.replace(",", "")
            if grouped
            else plain[: -len(last) - 1].replace(".", "") + "." + last
        )
    elif plain.count(".") > 1:
        plain = plain.replace(".", "")
    written, _, repeat = plain.partition(REPEAT_OPEN)
    integer_part, _, decimals = written.partition(".")
    value = Fraction(int(integer_part + decimals or "0"), 10 ** len(decimals))
    if repeat:
        cycle = repeat.rstrip(REPEAT_CLOSE)
        value += Fraction(int(cycle), (10 ** len(cycle) - 1) * 10 ** len(decimals))
    return value


def _add_word(  # noqa: PLR0917
    word: str, gap: bool, is_text: bool, tokens: list[Token], spaced: bool, rest: str
) -> None:
    """A run of letters: a word, a function, a unit, or the product of its letters.

    ``spaced`` says that white space stands on both sides, ``rest`` holds what comes next.
    """
    if _linked(word, gap, is_text, tokens, rest):
        return
    if is_text and not (len(word) == 1 and word.isascii()):
        tokens.append(Token("word", word, gap))
        return
    if len(word) == 1 or not word.isascii():
        if all(letter in _GREEK or letter.isascii() for letter in word):
            for place, letter in enumerate(word):
                tokens.append(Token("sym", _GREEK.get(letter, letter), gap and place == 0))
        else:
            tokens.append(Token("word", word, gap))
        return
    function = _BARE_FUNCTIONS.fullmatch(word)
    follows_word = bool(tokens) and tokens[-1].kind == "word"
    if function and not (word in _UNIT_FUNCTIONS and not rest and _is_unit_place(word, tokens)):
        tokens.append(Token("fn", FUNCTIONS.get(function[1], function[1]), gap))
        for letter in function[2]:
            tokens.append(Token("sym", letter))
    elif word in _GREEK_NAMES:
        tokens.append(Token("sym", word, gap))
    elif (
        len(word) > 3
        or (gap and follows_word and word.casefold() in PHRASES)
        or (spaced and (follows_word or word.casefold() in _LINKING))
        or _is_unit_place(word, tokens)
        or (rest[:1].isdigit() and unit_word(word) is not None)
    ):
        tokens.append(Token("word", word, gap))
    else:
        for place, letter in enumerate(word):
            tokens.append(Token("sym", letter, gap and place == 0))


def _linked(word: str, gap: bool, is_text: bool, tokens: list[Token], rest: str) -> bool:
    """Add a connective that touches what it links, as in ``1或x`` and ``(7,11)or(11,7)``."""
    runs = [] if word.isascii() else [run for run in _DENSE.split(word) if run]
    if len(runs) > 1 and not CONNECTIVES.isdisjoint(runs):
        for place, run in enumerate(runs):
            _add_word(run, place > 0 or gap, is_text, tokens, False, "" if place else rest)
        return True
    between = bool(tokens) and tokens[-1].text in _CLOSING and rest[:1] in _OPENING
    if between and word.casefold() in CONNECTIVES:
        tokens.append(Token("word", word, gap))
        return True
    return False


def _is_unit_place(word: str, tokens: list[Token]) -> bool:
    """Whether a run of letters follows a number (or "/") and is a unit."""
    if not tokens or unit_word(word) is None:
        return False
    last = tokens[-1]
    return last.kind in ("num", "word") or last.text in (")", "}", "/", "\\$")


def _add_command(  # noqa: PLR0917
    text: str,
    position: int,
    name: str,
    gap: bool,
    style: str,
    tokens: list[Token],
    is_text: bool,
    level: int,
) -> int:
    """Add the command ``name``; the position behind it and what it took with it."""
    if name in _TEXTS | _LOOKS | {"mathbb"}:
        start, end = _argument(text, position)
        content = text[start:end]
        if name == "mathbb":
            tokens.append(Token("cmd", "set" + content.strip()[:1], gap))
        elif name in _LOOKS:
            _scan(content, style, tokens, is_text, level + 1)
        else:
            _add_text(content, gap, style, tokens, level)
        return end + (text[end : end + 1] == "}")
    if name in _OPENING or name in _CLOSING:
        tokens.append(Token("open" if name in _OPENING else "close", name, gap))
    elif name in _GREEK_NAMES:
        tokens.append(Token("sym", name, gap))
    elif name in FUNCTIONS:
        tokens.append(Token("fn", FUNCTIONS[name], gap))
    elif name in ("begin", "end"):
        start, end = _argument(text, position)
        tokens.append(
            Token(
                "open" if name == "begin" else "close", "matrix:" + text[start:end].strip("*"), gap
            )
        )
        return end + 1
    else:
        tokens.append(Token("cmd", name, gap))
    return position


def _argument(text: str, position: int) -> tuple[int, int]:
    """Where the argument at ``position`` starts and ends: a braced group, or one character."""
    while position < len(text) and text[position] == " ":
        position += 1
    if not text.startswith("{", position):
        return position, min(position + 1, len(text))
    depth = 0
    for match in re.compile(r"\\.|[{}]").finditer(text, position):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return position + 1, match.start()
    return position + 1, len(text)


def _add_text(content: str, gap: bool, style: str, tokens: list[Token], level: int) -> None:
    """The content of a text command: words, unless it is one letter or a function's name."""
    word = content.strip()
    if word in FUNCTIONS and word.isascii() and unit_word(word) is None:
        tokens.append(Token("fn", FUNCTIONS[word], gap))
    elif len(word) == 1 and word.isascii() and word.isalpha():
        unit = unit_word(word) is not None and bool(tokens) and tokens[-1].kind in ("num", "word")
        tokens.append(Token("word" if unit else "sym", word, gap))
    else:
        before = len(tokens)
        _scan(content, style, tokens, True, level + 1)
        for place in range(before, len(tokens)):
            counted = place > before or (before > 0 and tokens[before - 1].kind == "num")
            if tokens[place].kind == "sym" and len(tokens[place].text) == 1 and counted:
                tokens[place] = tokens[place]._replace(kind="word")
        if len(tokens) > before:
            tokens[before] = tokens[before]._replace(gap=True)
