r"""Compare expressions as the published code means to: as simplified SymPy objects.

The package's reader of LaTeX does the reading. It is kinder than the published one, so a text is
brought into the form first in which both agree: letters stay single (``sin(x)`` without a
backslash is a product), a letter before a bracket is a function, ``i`` and ``e`` are plain symbols,
a function without brackets takes the whole product behind it, and what follows a complete
expression is left out. Everything is bounded: length, nesting, exponents and the work of SymPy.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from ...polymath.cursor import UnreadableError
from ...polymath.expression import read_expression
from ...polymath.limits import WorkLimitError, bounded
from ...polymath.nodes import Node
from ...polymath.same import same
from ...polymath.tokens import Token, TooBigError, number
from ...polymath.values import Budget

MAX_LENGTH = 300
MAX_DEPTH = 40
MAX_EXPONENT = 64
MAX_DIGITS = 60
MAX_CALLS = 400_000

_FUNCTIONS = frozenset(
    "sin cos tan csc sec cot arcsin arccos arctan sinh cosh tanh ln log exp".split()
)
_SYMPY_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "ln": "log"}
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac"})
_PRODUCTS = {"times": "*", "cdot": "*", "div": "/", ":": "/"}
_OPENING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_CLOSING = frozenset(_OPENING.values())
_SKIPPED = re.compile(
    r"(?:\s|\\[,;:!*\-./\"(=]|\\(?:left|right|quad|qquad|thinspace|medspace|thickspace|hfil"
    r"|vspace|vskip)(?![A-Za-z]))+"
)
_LEXEME = re.compile(r"\d[\d\s]*(?:,\d{3})*(?:\.\d+)?|\.\d+|\\[A-Za-z]+|\\[{}]|[A-Za-z]|[-+*/^_(){}\[\]|!':,]")
_RELATIONS = frozenset({"le", "leq", "leqslant", "ge", "geq", "geqslant", "ne", "neq", "lt", "gt"})


class _Item:
    """A lexeme: its kind (``num``, ``letter``, ``cmd``, ``sign`` or ``end``) and its text."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text


def same_published(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether two sets of expressions are the same after simplification.

    Where an expression cannot be read, the texts are compared, as the published code does.

    Raises:
        ImportError: the packages of the extra ``math`` are missing.
    """
    require_packages()
    ours = [_read(part) for part in wanted]
    theirs = [_read(part) for part in found]
    if any(node is None for node in (*ours, *theirs)):
        return found == wanted
    return all(any(_equal(a, b) for b in theirs) for a in ours) and all(
        any(_equal(a, b) for a in ours) for b in theirs
    )


@lru_cache(maxsize=8192)
def _equal(left: Node | None, right: Node | None) -> bool:
    """Whether two expressions are one SymPy object after simplification.

    What differs in value cannot be, which spares most of the work.
    """
    if left == right:
        return True
    if left is None or right is None or not same(left, right, Budget()):
        return False
    try:
        return bounded(lambda: _same_object(left, right), MAX_CALLS)
    except (WorkLimitError, RecursionError):
        return False


def _same_object(left: Node, right: Node) -> bool:
    from sympy import simplify

    try:
        a, b = _build(left), _build(right)
        return bool(a == b or simplify(a) == simplify(b))
    except Exception:  # whatever SymPy cannot simplify is not equal
        return False


@cache
def require_packages() -> None:
    """Raise an ImportError that says what to install, if anything is missing."""
    missing = [name for name in ("mpmath", "sympy") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"comparing expressions needs {', '.join(missing)}: install the extra with "
            "pip install 'xlgo[math]'"
        )


# Reading


@lru_cache(maxsize=8192)
def _read(text: str) -> Node | None:
    """The tree of an expression; ``None`` if the published parser would raise."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        tokens = _Normaliser(_lexemes(text)).tokens()
        return _plain(read_expression(tokens, tight=True))
    except (UnreadableError, TooBigError):
        return None


def _lexemes(text: str) -> list[_Item]:
    """The lexemes up to the first that is none, which ``end`` stands for."""
    found: list[_Item] = []
    place = 0
    while True:
        skipped = _SKIPPED.match(text, place)
        place = skipped.end() if skipped else place
        if place == len(text):
            found.append(_Item("end", ""))
            return found
        match = _LEXEME.match(text, place)
        if match is None:
            found.append(_Item("end", text[place]))
            return found
        place = match.end()
        word = match[0]
        if word[0] in "0123456789.":
            found.append(_Item("num", "".join(word.replace(",", "").split())))
        elif word[0] == "\\" and word[1].isalpha():
            if word[1:] in _RELATIONS:
                found.append(_Item("end", word))
                return found
            found.append(_Item("cmd", word[1:]))
        else:
            found.append(_Item("letter" if word.isalpha() else "sign", word))


class _Normaliser:
    """Write lexemes as tokens of the package's reader that mean the same to it."""

    def __init__(self, items: list[_Item]) -> None:
        self.items = items
        self.place = 0
        self.out: list[Token] = []
        self.depth = 0

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

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooBigError("too deeply nested")

    def at_sign(self, *texts: str) -> bool:
        return self.item.kind == "sign" and self.item.text in texts

    def stop(self, mark: int, place: int) -> bool:
        """Take back what a sign without its operand has begun; false inside of brackets."""
        if self.depth:
            return False
        del self.out[mark:]
        self.place = place
        return True

    def sum(self) -> None:
        self.product()
        while self.at_sign("+", "-"):
            mark, place = len(self.out), self.place
            self.put("op", self.item.text)
            self.place += 1
            try:
                self.product()
            except UnreadableError:
                if self.begins() or not self.stop(mark, place):
                    raise
                return

    def product(self, argument: bool = False) -> None:
        self.signed(argument)
        while (sign := self.product_sign()) is not None:
            mark, place = len(self.out), self.place
            self.put("op", sign)
            self.place += 1
            try:
                self.signed(argument)
            except UnreadableError:
                if self.begins() or not self.stop(mark, place):
                    raise
                return

    def product_sign(self) -> str | None:
        item = self.item
        if item.kind == "sign" and item.text in ("*", "/"):
            return item.text
        return _PRODUCTS.get(item.text) if item.kind in ("cmd", "sign") else None

    def signed(self, argument: bool) -> None:
        while self.at_sign("+", "-"):
            self.put("op", self.item.text)
            self.place += 1
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
        if item.kind == "cmd" and item.text in (*_FUNCTIONS, "sqrt"):
            return True
        return self.is_applied()

    def is_applied(self) -> bool:
        if self.item.kind == "letter" or (
            self.item.kind == "cmd" and self.item.text not in (*_FUNCTIONS, *_FRACTIONS, "sqrt")
        ):
            after = self.items[self.place + 1]
            return after.kind == "sign" and after.text == "("
        return False

    def factor(self) -> None:
        self.atom()
        if self.at_sign("!"):
            raise UnreadableError("factorials are not for these answers")
        self.superscript()

    def superscript(self) -> None:
        """A power; its exponent is one lexeme or stands in braces."""
        if not self.at_sign("^"):
            return
        after = self.items[self.place + 1]
        if after.kind in ("num", "letter") or (after.kind == "cmd" and self.is_symbol(after)):
            self.put("op", "^")
            self.place += 2
            self.put("open", "{")
            number_ = after.kind == "num"
            self.put("num" if number_ else "sym", after.text if number_ else "s:" + after.text)
            self.put("close", "}")
        elif after.kind == "sign" and after.text == "{":
            self.put("op", "^")
            self.place += 1
            self.group()
        elif self.depth:
            raise UnreadableError("an exponent is missing")
        else:
            self.items[self.place] = _Item("end", "")

    @staticmethod
    def is_symbol(item: _Item) -> bool:
        return item.text not in (*_FUNCTIONS, *_FRACTIONS, *_PRODUCTS, "sqrt")

    def atom(self) -> None:
        item = self.item
        if item.kind == "num":
            after = self.items[self.place + 1]
            mixed = after.kind == "cmd" and after.text in _FRACTIONS
            self.place += 1
            if mixed:  # 3\frac12 is a product here
                self.put("open", "(")
            self.put("num", item.text)
            if mixed:
                self.put("close", ")")
        elif item.kind == "letter":
            self.symbol(item.text)
        elif item.kind == "cmd":
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
            self.put("sym", "f:" + name)  # the reader knows functions by their first letter
            self.group(arguments=True)
            return
        if self.at_sign("_"):
            self.place += 1
            name = f"{name}_{self.subscript()}"
        self.put("sym", "s:" + name)

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
        if name in _FUNCTIONS:
            self.function(name)
        elif name == "sqrt":
            self.root()
        elif name in _FRACTIONS:
            self.place += 1
            self.put("cmd", "frac")
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
        self.place += 1
        self.put("cmd", "sqrt")
        if self.at_sign("["):
            self.group()
        if self.at_sign("{"):
            self.group()
        elif self.depth or not mark:
            raise UnreadableError("the radicand is missing")
        else:
            del self.out[mark:]
            self.place = place
            self.items[place] = _Item("end", "")
            self.cut_sign()

    def cut_sign(self) -> None:
        """Drop a sign that stands at the end now."""
        while self.out and self.out[-1].kind == "op":
            self.out.pop()
        if not self.out:
            raise UnreadableError("nothing is left")

    def function(self, name: str) -> None:
        self.place += 1
        self.put("fn", _SYMPY_NAMES.get(name, name) if name != "ln" else "ln")
        for _ in range(2):
            if self.at_sign("^"):
                self.superscript()
            elif self.at_sign("_"):
                self.put("op", "_")
                self.place += 1
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
        self.product(argument=True)
        self.depth -= 1
        self.put("close", ")")

    def group(self, arguments: bool = False) -> None:
        opening = self.item.text
        shown = "(" if opening in ("[", r"\{") and not self.is_index() else opening
        self.put("open", shown)
        self.place += 1
        self.deeper()
        bars, self.in_bars = self.in_bars, False
        self.sum()
        while arguments and self.at_sign(","):
            self.put("op", ",")
            self.place += 1
            self.sum()
        if not self.at_sign(_OPENING[opening]):
            raise UnreadableError(f"{_OPENING[opening]!r} is missing")
        self.in_bars = bars
        self.put("close", {"(": ")", "{": "}", "[": "]"}[shown])
        self.place += 1
        self.depth -= 1

    def is_index(self) -> bool:
        """Whether a square bracket here is the index of a root."""
        return bool(self.out) and self.out[-1].text == "sqrt" and self.item.text == "["

    def bars(self) -> None:
        self.put("op", "|")
        self.place += 1
        self.deeper()
        self.in_bars = True
        self.sum()
        if not self.at_sign("|"):
            raise UnreadableError("'|' is missing")
        self.in_bars = False
        self.put("op", "|")
        self.place += 1
        self.depth -= 1


def _plain(node: Node) -> Node:
    """A tree whose symbols have their own names again; constants are symbols, too."""
    arguments = tuple(map(_plain, node.args))
    if node.op == "const" and node.value != "inf":
        return Node("sym", value=str(node.value))
    if node.op in ("sym", "apply"):
        name = str(node.value)
        return Node(node.op, arguments, name[2:] if name[1:2] == ":" else name)
    return node._replace(args=arguments)


# Building


def _build(node: Node) -> Any:  # noqa: PLR0911
    """The SymPy object of a tree.

    Raises:
        ValueError: a power is too large, or SymPy has nothing for it.
    """
    import sympy

    arguments = [_build(argument) for argument in node.args]
    if node.op == "num":
        top, bottom = node.value.numerator, node.value.denominator  # type: ignore[union-attr]
        exact = sympy.Rational(top, bottom)
        return exact if node.places is None else sympy.Float(exact, max(15, len(str(top))))
    if node.op == "sym":
        return sympy.oo if node.value == "infty" else sympy.Symbol(str(node.value))
    if node.op == "const":
        return sympy.oo
    if node.op == "add":
        return sympy.Add(*arguments)
    if node.op == "mul":
        return sympy.Mul(*arguments)
    if node.op == "pow":
        return _power(*arguments)
    if node.op == "apply":
        return sympy.Function(str(node.value))(*arguments)
    if node.op == "call":
        name = str(node.value)
        if name == "root":
            return _power(arguments[0], 1 / arguments[1])
        if name == "logb":
            return sympy.log(arguments[0], arguments[1])
        known = {"abs": "Abs", **_SYMPY_NAMES}.get(name, name)
        if known in _CALLS:
            return getattr(sympy, known)(*arguments)
    raise ValueError(f"nothing in SymPy for {node.op} {node.value}")


_CALLS = frozenset(
    "sin cos tan csc sec cot asin acos atan sinh cosh tanh log exp Abs".split()
)


def _power(base: Any, exponent: Any) -> Any:
    import sympy

    if exponent.is_number and not (exponent.is_Rational and abs(exponent) <= MAX_EXPONENT):
        raise ValueError("too large a power")
    return sympy.Pow(base, exponent)
