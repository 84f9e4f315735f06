r"""Bring published LaTeX into tokens that the package's reader reads in the published way.

The published grading reads answers with SymPy's LaTeX grammar. The package's reader is kinder; so a
text is rewritten until both agree: letters stay single (``sin(x)`` without a backslash is a
product), a letter before a bracket is a function, a function without brackets takes the whole
product behind it, a number before a fraction is a factor, and what follows a complete expression is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import factorial

from ...mathematics.read.cursor import UnreadableError
from ...mathematics.read.tokens import Token, TooBigError, number

MAX_DEPTH = 40
MAX_DIGITS = 60
MAX_FACTORIAL = 20
FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "csc": "csc", "sec": "sec", "cot": "cot",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "ln": "ln", "log": "log", "exp": "exp",
}  # fmt: skip
"""Functions of LaTeX, by the names that the package's reader has for them."""

PREFIX = "s:"
"""Prefix of a symbol's name, so that no symbol is parsed as a constant."""

APPLIED = "f:"
"""Prefix of the name of a letter used as a function; the parser knows f as a function."""

_FRACTIONS = frozenset({"frac", "dfrac", "tfrac"})
_PRODUCTS = {"times": "*", "cdot": "*", "div": "/", ":": "/"}
_OPENING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_SKIPPED = re.compile(
    r"(?:\s|\\[,;:!*\-./\"(=]|\\(?:left|right|quad|qquad|thinspace|medspace|thickspace|hfil"
    r"|vspace|vskip)(?![A-Za-z]))+"
)
_LEXEME = re.compile(
    r"\d[\d\s]*(?:,\d{3})*(?:\.\d+)?|\.\d+|\\[A-Za-z]+|\\[{}]|[A-Za-z]|[-+*/^_(){}\[\]|!':,]"
)
_INDEX = re.compile(r"\d+|" + _LEXEME.pattern)  # \log_2 8 has the base 2
_RELATIONS = frozenset({"le", "leq", "leqslant", "ge", "geq", "geqslant", "ne", "neq", "lt", "gt"})


class _Item:
    """A lexeme: its kind (``num``, ``letter``, ``cmd``, ``sign`` or ``end``) and its text."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text


def published_tokens(text: str) -> list[Token]:
    """The tokens of the expression that a text begins with.

    Raises:
        UnreadableError: the published grammar would refuse the text, or this one does not know it.
        TooBigError: more than 40 levels of nesting or 60 digits in a number.
    """
    return _Normaliser(_lexemes(text)).tokens()


def _lexemes(text: str) -> list[_Item]:
    """The lexemes up to the first invalid one, which becomes ``end``."""
    lexemes: list[_Item] = []
    place = 0
    while True:
        skipped = _SKIPPED.match(text, place)
        place = skipped.end() if skipped else place
        if place == len(text):
            lexemes.append(_Item("end", ""))
            return lexemes
        index = bool(lexemes) and lexemes[-1].text == "_"
        match = (_INDEX if index else _LEXEME).match(text, place)
        if match is None:
            lexemes.append(_Item("end", text[place]))
            return lexemes
        place = match.end()
        word = match[0]
        if word[0] in "0123456789.":
            lexemes.append(_Item("num", "".join(word.replace(",", "").split())))
        elif word[0] == "\\" and word[1].isalpha():
            if word[1:] in _RELATIONS:
                lexemes.append(_Item("end", word))
                return lexemes
            lexemes.append(_Item("cmd", word[1:]))
        else:
            lexemes.append(_Item("letter" if word.isalpha() else "sign", word))


class _Normaliser:
    """Write lexemes as tokens of the package's reader that mean the same to it."""

    def __init__(self, items: list[_Item]) -> None:
        self.items = items
        self.place = 0
        self.out: list[Token] = []
        self.depth = 0
        self.bare = 0  # of these levels, arguments without brackets

    def tokens(self) -> list[Token]:
        self.sum()
        left_over = self.items[self.place]
        fits = left_over.text == "" or (left_over.text == "." and self.items[-2].kind != "num")
        if left_over.kind == "end" and not fits:
            raise UnreadableError(f"unexpected {left_over.text!r}")
        return self.out

    @property
    def item(self) -> _Item:
        return self.items[self.place]

    def put(self, kind: str, text: str) -> None:
        if kind == "num":
            if len(text) > MAX_DIGITS:
                raise TooBigError("too many digits")
            self.out.append(Token("num", text, False, number(text)))
        else:
            self.out.append(Token(kind, text))

    def move(self, kind: str, text: str) -> None:
        """Put a token in the place of the item here, and go on to the next."""
        self.put(kind, text)
        self.place += 1

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooBigError("too deeply nested")

    def at_sign(self, *texts: str) -> bool:
        return self.item.kind == "sign" and self.item.text in texts

    def stop(self, mark: int, place: int) -> bool:
        """Undo a sign without an operand; false inside brackets."""
        if self.depth > self.bare or self.at_sign("!"):
            return False
        del self.out[mark:]
        self.place = place
        return True

    def sum(self) -> None:
        self.chain(self.product, self.sum_sign)

    def product(self, argument: bool = False) -> None:
        self.chain(partial(self.signed, argument), self.product_sign)

    def chain(self, operand: Callable[[], None], sign: Callable[[], str | None]) -> None:
        """Operands with signs between them; a sign at the end is left out with all behind it."""
        operand()
        while (text := sign()) is not None:
            mark, place = len(self.out), self.place
            self.move("op", text)
            try:
                operand()
            except UnreadableError:
                if self.begins() or not self.stop(mark, place):
                    raise
                return

    def sum_sign(self) -> str | None:
        return self.item.text if self.at_sign("+", "-") else None

    def product_sign(self) -> str | None:
        item = self.item
        if item.kind == "sign" and item.text in ("*", "/"):
            return item.text
        return _PRODUCTS.get(item.text) if item.kind in ("cmd", "sign") else None

    def signed(self, argument: bool) -> None:
        while self.at_sign("+", "-"):
            self.move("op", self.item.text)
        self.factor()
        while self.begins() and not (argument and self.is_function()):
            self.factor()

    def begins(self) -> bool:
        """Whether a factor begins here."""
        item = self.item
        if item.kind == "sign":
            return item.text in _OPENING or (item.text == "|" and not self.in_bars)
        if item.kind == "cmd":
            return item.text not in _PRODUCTS
        return item.kind in ("num", "letter")

    in_bars = False

    def is_function(self) -> bool:
        item = self.item
        if item.kind == "cmd" and item.text in (*FUNCTIONS, "sqrt"):
            return True
        return self.is_applied()

    def is_applied(self) -> bool:
        if self.item.kind == "letter" or (
            self.item.kind == "cmd" and self.item.text not in (*FUNCTIONS, *_FRACTIONS, "sqrt")
        ):
            after = self.items[self.place + 1]
            return after.kind == "sign" and after.text == "("
        return False

    def factor(self) -> None:
        mark = len(self.out)
        self.atom()
        self.superscript()
        while self.at_sign("^"):  # x^2^3 is (x^2)^3 here
            self.out.insert(mark, Token("open", "("))
            self.put("close", ")")
            self.superscript()
        if self.at_sign("!"):
            raise UnreadableError("factorials are not for these answers")
        power, exponent = (
            self.items[self.place - 2 : self.place] if self.place > 1 else (None, None)
        )
        bare = power and power.text == "^" and exponent and exponent.kind == "letter"
        if bare and self.at_sign("_", "'"):
            raise UnreadableError(f"{self.item.text!r} behind an exponent without braces")

    def superscript(self) -> None:
        """A power, if there is one here; its exponent is one lexeme or a group in braces."""
        if not self.at_sign("^"):
            return
        after = self.items[self.place + 1]
        if after.kind in ("num", "letter") or (after.kind == "cmd" and self.is_symbol(after)):
            self.put("op", "^")
            self.place += 2
            self.put("open", "{")
            number_ = after.kind == "num"
            self.put("num" if number_ else "sym", after.text if number_ else PREFIX + after.text)
            self.put("close", "}")
        elif after.kind == "sign" and after.text == "{":
            self.move("op", "^")
            self.group()
        elif self.depth:
            raise UnreadableError("an exponent is missing")
        else:
            self.items[self.place] = _Item("end", "")

    @staticmethod
    def is_symbol(item: _Item) -> bool:
        return item.text not in (*FUNCTIONS, *_FRACTIONS, *_PRODUCTS, "sqrt")

    def atom(self) -> None:
        item = self.item
        if item.kind == "num":
            after = self.items[self.place + 1]
            mixed = after.kind == "cmd" and after.text in _FRACTIONS
            self.place += 1
            if mixed:  # 3\frac12 is a product here
                self.put("open", "(")
            shown = item.text
            while self.at_sign("!") and shown.isdigit() and int(shown) <= MAX_FACTORIAL:
                self.place += 1
                shown = str(factorial(int(shown)))
            self.put("num", shown)
            if mixed:
                self.put("close", ")")
        elif item.kind == "letter":
            self.symbol(item.text)
        elif item.kind == "cmd" and item.text not in _PRODUCTS:
            self.command(item.text)
        elif item.kind == "sign" and item.text in _OPENING:
            self.group()
        elif item.kind == "sign" and item.text == "|" and not self.in_bars:
            self.bars()
        else:
            raise UnreadableError(f"unexpected {item.text!r}")

    def symbol(self, name: str) -> None:
        applied = self.is_applied()
        self.place += 1
        if applied:
            self.put("sym", APPLIED + name)
            self.group(arguments=True)
            return
        if self.at_sign("_"):
            self.place += 1
            name = f"{name}_{self.subscript()}"
        while self.at_sign("'"):
            self.place += 1
            name += "'"
        self.put("sym", PREFIX + name)

    def subscript(self) -> str:
        """One lexeme, or a few of them in braces."""
        braces = self.at_sign("{")
        self.place += braces
        parts: list[str] = []
        while self.item.kind in ("num", "letter") and (braces or not parts):
            parts.append(self.item.text)
            self.place += 1
        if not parts or (braces and not self.at_sign("}")):
            raise UnreadableError("a subscript that is no run of letters and digits")
        self.place += braces
        return "".join(parts)

    def command(self, name: str) -> None:
        if name in FUNCTIONS:
            self.function(name)
        elif name == "sqrt":
            self.root()
        elif name in _FRACTIONS:
            self.move("cmd", "frac")
            for _ in range(2):
                self.fraction_part()
        else:
            self.symbol("\\" + name if len(name) == 1 else name)

    def fraction_part(self) -> None:
        item = self.item
        if item.kind == "num" and item.text.isdigit():
            self.put("open", "{")
            self.put("num", item.text[0])
            self.put("close", "}")
            if len(item.text) > 1:
                self.items[self.place] = _Item("num", item.text[1:])
            else:
                self.place += 1
        elif item.kind == "sign" and item.text == "{":
            self.group()
        else:
            raise UnreadableError("a part of a fraction is missing")

    def root(self) -> None:
        mark, place = len(self.out), self.place
        self.move("cmd", "sqrt")
        if self.at_sign("["):
            self.group()
        if self.at_sign("{"):
            self.group()
        elif not mark or not self.stop(mark, place):
            raise UnreadableError("the radicand is missing")
        else:
            self.end_here()

    def end_here(self) -> None:
        """Drop the rest, and a sign that is then at the end."""
        self.items[self.place] = _Item("end", "")
        while self.out and self.out[-1].kind == "op":
            self.out.pop()
        if not self.out:
            raise UnreadableError("nothing is left")

    def function(self, name: str) -> None:
        mark, place, levels = len(self.out), self.place, (self.depth, self.bare)
        try:
            self.called(name)
        except UnreadableError:
            begun = self.begins()
            self.depth, self.bare = levels
            if begun or not mark or not self.stop(mark, place):
                raise
            self.end_here()

    def called(self, name: str) -> None:
        self.move("fn", FUNCTIONS[name])
        for _ in range(2):
            if self.at_sign("^"):
                self.superscript()
            elif self.at_sign("_"):
                self.move("op", "_")
                if self.at_sign("{"):
                    self.group()
                elif self.item.kind in ("num", "letter"):
                    self.put("open", "{")
                    self.atom()
                    self.put("close", "}")
                else:
                    raise UnreadableError("the base is missing")
        if self.at_sign("("):
            self.group()
            return
        self.put("open", "(")
        self.deeper()
        self.bare += 1
        self.product(argument=True)
        self.depth, self.bare = self.depth - 1, self.bare - 1
        self.put("close", ")")

    def group(self, arguments: bool = False) -> None:
        opening = self.item.text
        shown = "(" if opening in ("[", r"\{") and not self.is_index() else opening
        self.move("open", shown)
        self.deeper()
        bars, self.in_bars = self.in_bars, False
        self.sum()
        while arguments and self.at_sign(","):
            self.move("op", ",")
            self.sum()
        if not self.at_sign(_OPENING[opening]):
            raise UnreadableError(f"{_OPENING[opening]!r} is missing")
        self.in_bars = bars
        self.move("close", {"(": ")", "{": "}", "[": "]"}[shown])
        self.depth -= 1

    def is_index(self) -> bool:
        """Whether a square bracket here is the index of a root."""
        return bool(self.out) and self.out[-1].text == "sqrt" and self.item.text == "["

    def bars(self) -> None:
        self.move("op", "|")
        self.deeper()
        self.in_bars = True
        self.sum()
        if not self.at_sign("|"):
            raise UnreadableError("'|' is missing")
        self.in_bars = False
        self.move("op", "|")
        self.depth -= 1
