"""Go through tokens one by one."""

from __future__ import annotations

from .tokens import Token

MAX_LEVELS = 90


class UnreadableError(ValueError):
    """The tokens are no expression of this grammar."""


class Cursor:
    """A place in a list of tokens, and how deep the reading has gone."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = list(tokens)
        self.place = 0
        self.depth = 0

    def enter(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MAX_LEVELS:
            raise UnreadableError("too deeply nested")

    def peek(self) -> Token | None:
        """The next token, if there is one."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def next(self) -> Token:
        """The next token, which is taken."""
        token = self.peek()
        if token is None:
            raise UnreadableError("it ends too early")
        self.place += 1
        return token

    def accept(self, *texts: str) -> str | None:
        """The next token's text if it is one of these; it is taken then."""
        token = self.peek()
        if token is not None and token.text in texts and token.kind != "word":
            self.place += 1
            return token.text
        return None

    def expect(self, text: str) -> None:
        """Take the next token, which must be this."""
        if self.accept(text) is None:
            raise UnreadableError(f"{text!r} is missing")

    def raw(self) -> str:
        """The next symbol or group as plain text: a subscript, or the letter under an accent."""
        token = self.next()
        if token.text != "{":
            return token.text
        parts: list[str] = []
        depth = 1
        while depth:
            token = self.next()
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            parts.append(token.text)
        return "".join(parts[:-1])

    def marks(self) -> str:
        """The primes that come next, taken."""
        found = ""
        while (mark := self.peek()) is not None and mark.kind == "op" and set(mark.text) == {"'"}:
            found += self.next().text
        return found

    def subscript_first(self) -> None:
        """Put the subscript of ``x^2_1``, which comes next, in front of the power."""
        start = self.place
        if self.accept("^") and self.peek() is not None:
            self.raw()
            power = self.tokens[start : self.place]
            if self.accept("_") and self.peek() is not None:
                below = self.place - 1
                self.raw()
                self.tokens[start : self.place] = self.tokens[below : self.place] + power
        self.place = start
