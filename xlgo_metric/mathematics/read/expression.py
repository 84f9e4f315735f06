r"""Read one mathematical expression, in LaTeX or typed plainly, into a tree.

The grammar is that of answers to exam questions: sums, products written or implied, powers, roots,
fractions, functions with or without brackets, factorials, binomials, finite sums and products.
Nothing is evaluated here. What the grammar does not know raises ``UnreadableError``.
"""

from __future__ import annotations

from fractions import Fraction

from .cursor import Cursor, UnreadableError
from .nodes import (
    DEGREE,
    MINUS_ONE,
    Node,
    based,
    is_whole,
    negative,
    num,
    product,
    proper_fraction,
    quotient,
)
from .tokens import Token

_NAMED_FUNCTIONS = {"zeta": "zeta", "Gamma": "gamma"}
FUNCTION_LETTERS = frozenset("fgh")
_PRODUCTS = frozenset({"*", "times", "cdot"})
_ACCENTS = frozenset(
    {"hat", "bar", "vec", "tilde", "dot", "ddot", "overline", "widehat", "widetilde"}
    | {"overrightarrow"}
)
_SAME_ACCENTS = {
    "overline": "bar", "widehat": "hat", "widetilde": "tilde", "overrightarrow": "vec",
}  # fmt: skip
_INVERSES = {
    name: "a" + name for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh")
}
_MANY_ARGUMENTS = frozenset({"gcd", "lcm", "max", "min", "binomial"})
_ATOM_COMMANDS = (
    frozenset({"frac", "binom", "sum", "prod", "infty", "cbrt", "sqrt", "ell", "angle", "triangle"})
    | _ACCENTS
)
_AROUND = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}  # arguments
_CLOSERS = {"(": ")", "[": "]", "{": "}", "lfloor": "rfloor", "lceil": "rceil"}


def read_expression(tokens: list[Token], tight: bool = False) -> Node:
    """The tree of one expression.

    Args:
        tokens: all of its tokens.
        tight: read ``1/2x`` as 1/(2x) and not as (1/2)x.

    Raises:
        UnreadableError: the tokens are not one expression.
    """
    reader = _Reader(tokens, tight)
    node = reader.infix()
    if reader.place < len(reader.tokens):
        raise UnreadableError(f"unexpected {reader.tokens[reader.place].text!r}")
    return node


class _Reader(Cursor):
    """A recursive descent over tokens, whose nesting ``tokenize`` has bounded."""

    def __init__(self, tokens: list[Token], tight: bool) -> None:
        super().__init__(tokens)
        self.tight = tight
        self.bars = 0  # open | signs
        self.bound: list[str] = []  # running variables of sums: i is not the imaginary unit there

    def sum(self) -> Node:
        self.enter()
        terms = [self.factors()]
        while sign := self.accept("+", "-"):
            term = self.factors()
            terms.append(term if sign == "+" else negative(term))
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Node("add", tuple(terms))

    def infix(self) -> Node:
        r"""A sum, or two with ``\over`` or ``\choose`` between them."""
        node = self.sum()
        if self.accept("choose"):
            return Node("call", (node, self.sum()), "binomial")
        return quotient(node, self.sum()) if self.accept("over") else node

    def factors(self) -> Node:
        factors = [self.signed()]
        while (token := self.peek()) is not None and token.kind != "word":
            if token.text in _PRODUCTS:
                self.place += 1
                factors.append(self.signed())
            elif token.text == "/":
                self.place += 1
                divisor = self.run() if self.tight else self.signed_power()
                factors.append(Node("pow", (divisor, MINUS_ONE)))
                if self.starts_atom():
                    factors.append(self.run())
            elif token.text == "mod":
                self.place += 1
                factors = [Node("call", (product(factors), self.signed()), "mod")]
            else:
                break
        return product(factors)

    def signed(self) -> Node:
        minus = False
        while sign := self.accept("-", "+"):
            minus ^= sign == "-"
        node = self.run()
        return negative(node) if minus else node

    def signed_power(self) -> Node:
        sign = self.accept("-", "+")
        node = self.power()
        return negative(node) if sign == "-" else node

    def run(self) -> Node:
        """Factors side by side; an integer before a plain fraction is a mixed number."""
        first = self.peek()
        factors = [self.power()]
        while self.starts_atom():
            token = self.peek()
            assert token is not None
            behind = self.tokens[self.place - 1].kind
            if token.kind == "num" and factors[-1].op == "num" and behind != "close":
                return self.mixed_typed(factors)
            mixed = (
                token.text == "frac"
                and len(factors) == 1
                and first is not None
                and first.kind == "num"
            )
            factor = self.power()
            if mixed and is_whole(factors[0]) and (part := proper_fraction(factor)) is not None:
                factors[0] = num(factors[0].value + part)  # type: ignore[operator]
            else:
                factors.append(factor)
        return product(factors)

    def mixed_typed(self, factors: list[Node]) -> Node:
        """``2 1/2``."""
        if len(factors) == 1 and is_whole(factors[0]):
            top = self.next()
            if self.accept("/"):
                bottom = self.next()
                if (
                    bottom.kind == "num"
                    and bottom.value
                    and top.value is not None
                    and top.value < bottom.value
                ):
                    whole = factors[0].value
                    assert isinstance(whole, Fraction)
                    return num(whole + top.value / bottom.value)
        raise UnreadableError("two numbers side by side")

    def starts_atom(self) -> bool:
        token = self.peek()
        if token is None:
            return False
        if token.kind in ("num", "sym", "fn"):
            return True
        if token.kind == "open":
            return token.text in _CLOSERS
        if token.kind == "op":
            return token.text == "|" and self.bars == 0
        return token.kind == "cmd" and token.text in _ATOM_COMMANDS

    def power(self) -> Node:
        self.enter()
        node = self.postfix()
        if self.accept("^"):
            if self.is_degree():
                node = self.after_power(Node("mul", (node, DEGREE)))
            else:
                node = self.after_power(Node("pow", (node, self.signed_power())))
        self.depth -= 1
        return node

    def after_power(self, node: Node) -> Node:
        """A factorial behind a power."""
        return Node("call", (node,), "factorial") if self.accept("!") else node

    def is_degree(self) -> bool:
        r"""Whether ``\circ`` follows, in braces or not; it is taken."""
        texts = [token.text for token in self.tokens[self.place : self.place + 3]]
        if texts[:1] == ["circ"]:
            self.place += 1
            return True
        if texts == ["{", "circ", "}"]:
            self.place += 3
            return True
        return False

    def postfix(self) -> Node:
        start = self.place
        node = self.atom()
        if is_whole(node) and self.place == start + 3 and self.accept("_"):  # (1011)_2
            node = based(self.tokens[start + 1].text, self.raw())
        if self.accept("!"):
            node = Node("call", (node,), "factorial2" if self.accept("!") else "factorial")
        if self.accept("%"):
            node = Node("mul", (node, num(Fraction(1, 100))))
        return node

    def atom(self) -> Node:
        self.enter()
        node = self.one_of_a_kind(self.next())
        self.depth -= 1
        return node

    def one_of_a_kind(self, token: Token) -> Node:
        if token.kind == "num":
            return self.number(token)
        if token.kind == "sym":
            return self.symbol(token)
        if token.kind == "fn":
            return self.function(token.text)
        if token.kind == "open" and token.text in _CLOSERS:
            return self.group(token.text)
        if token.text == "|":
            self.bars += 1
            node = self.sum()
            self.expect("|")
            self.bars -= 1
            return Node("call", (node,), "abs")
        if token.kind == "cmd":
            return self.command(token.text)
        raise UnreadableError(f"unexpected {token.text!r}")

    def number(self, token: Token) -> Node:
        assert token.value is not None
        if self.accept("_"):
            return based(token.text, self.raw())
        exact = {"⟦", "e", "E"}.isdisjoint(token.text)
        decimals = token.text.rpartition(".")[2] if "." in token.text and exact else ""
        return num(token.value, len(decimals) or None)

    def symbol(self, token: Token) -> Node:
        name = token.text
        marks = self.marks()
        self.subscript_first()
        if self.accept("_"):
            start = self.place
            if name == "C" and (combination := self.combination()) is not None:
                return combination
            self.place = start
            name += "_" + self.raw()
        name += marks + self.marks()
        if name[0] in FUNCTION_LETTERS:
            braced = [each.text for each in self.tokens[self.place : self.place + 2]] == ["{", "("]
            self.place += braced  # f{(x)}
            if self.accept("("):
                arguments = tuple(self.arguments(")"))
                if braced:
                    self.expect("}")
                return Node("apply", arguments, name)
            self.place -= braced
        if name in _NAMED_FUNCTIONS and self.accept("("):
            return Node("call", tuple(self.arguments(")")), _NAMED_FUNCTIONS[name])
        if name in ("e", "i", "pi") and name not in self.bound:
            return Node("const", value=name)
        if name == "infty":
            return Node("const", value="inf")
        return Node("sym", value=name)

    def combination(self) -> Node | None:
        """``C_n^k``, read behind the ``_``."""
        try:
            lower = self.single()
        except UnreadableError:
            return None
        if not self.accept("^"):
            return None
        return Node("call", (lower, self.single()), "binomial")

    def group(self, opening: str) -> Node:
        bars, self.bars = self.bars, 0
        node = self.infix()
        self.expect(_CLOSERS[opening])
        self.bars = bars
        if opening in ("lfloor", "lceil"):
            return Node("call", (node,), "floor" if opening == "lfloor" else "ceil")
        return node

    def arguments(self, closing: str) -> list[Node]:
        bars, self.bars = self.bars, 0
        found = [self.sum()]
        while self.accept(",", ";"):
            found.append(self.sum())
        self.expect(closing)
        self.bars = bars
        return found

    def function(self, name: str) -> Node:
        if name == "sqrt":
            return self.root()
        if name == "cbrt":
            return Node("call", (self.single(), num(3)), "root")
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            if power is None and self.accept("^"):
                power = self.single(signed=True)
            elif base is None and self.accept("_"):
                base = self.single()
        if power is not None and power == MINUS_ONE and name in _INVERSES:
            name, power = _INVERSES[name], None
        node = Node("call", tuple(self.function_arguments(name)), name)
        if base is not None:
            if name != "log":
                raise UnreadableError(f"{name} has no base")
            node = Node("call", (node.args[0], base), "logb")
        return node if power is None else Node("pow", (node, power))

    def function_arguments(self, name: str) -> list[Node]:
        token = self.peek()
        if token is not None and token.kind == "open" and token.text in _AROUND:
            self.place += 1
            found = self.arguments(_AROUND[token.text])
            if len(found) > 1 and name not in _MANY_ARGUMENTS:
                raise UnreadableError(f"{name} takes one argument")
            return found
        sign = self.accept("-")
        factors = [self.power()]
        while self.starts_atom():
            token = self.peek()
            assert token is not None
            if token.kind in ("fn", "open") or token.text == "|":
                break
            factors.append(self.power())
        node = product(factors)
        return [negative(node) if sign else node]

    def root(self) -> Node:
        index: Node = num(2)
        if self.accept("["):
            index = self.sum()
            self.expect("]")
        return Node("call", (self.single(), index), "root")

    def command(self, name: str) -> Node:  # noqa: PLR0911
        if name == "frac":
            return quotient(self.single(), self.single())
        if name == "binom":
            return Node("call", (self.single(), self.single()), "binomial")
        if name in ("sqrt", "cbrt"):
            return self.function(name)
        if name == "infty":
            return Node("const", value="inf")
        if name in ("sum", "prod"):
            return self.series(name)
        if name in _ACCENTS:
            inner = self.raw()
            if inner in ("i", "j", "k") and name in ("hat", "widehat", "vec"):  # the vectors
                return self.symbol(Token("sym", inner))
            return Node("sym", value=f"{_SAME_ACCENTS.get(name, name)}({inner})")
        if name in ("angle", "triangle", "ell"):
            return Node("sym", value=name)
        raise UnreadableError(f"\\{name} is not known")

    def series(self, name: str) -> Node:
        self.expect("_")
        self.expect("{")
        variable = self.next()
        if variable.kind != "sym":
            raise UnreadableError("a sum without a variable")
        self.expect("=")
        lower = self.sum()
        self.expect("}")
        self.expect("^")
        upper = self.single(signed=True)
        self.bound.append(variable.text)
        body = self.factors()
        self.bound.pop()
        return Node(name, (lower, upper, body), variable.text)

    def single(self, signed: bool = False) -> Node:
        r"""An argument of a LaTeX command: a group, or one symbol or digit (``\frac12``)."""
        token = self.peek()
        if token is None:
            raise UnreadableError("an argument is missing")
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit() and not signed:
            self.tokens[self.place] = Token(
                "num", token.text[1:], False, Fraction(int(token.text[1:]))
            )
            return num(int(token.text[0]))
        if signed and self.accept("-"):
            return negative(self.single())
        return self.atom()
