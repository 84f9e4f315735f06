"""Finding the last JSON object that has a given key, in any text, in linear time.

The grammar is that of JSON, widened by what language models write: smart and single quotes, native
and full-width punctuation and digits, comments, trailing commas, unquoted keys. The parser keeps
its own stack (no recursion, bounded depth). Where an object turns out to be malformed, the search
goes on behind the point that was read, or at an opening brace that a string or comment of the
malformed object had swallowed; the total of such returns is bounded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from xlgo_metric.reading.normalise import (
    INVISIBLE,
    MINUS,
    NATIVE_DIGIT,
    OTHER_MINUS,
    POINT,
    fold,
    parse_number,
)
from xlgo_metric.reading.objects.lenient import is_placeholder

# Opening and closing quotes. Each opening quote also closes: a search for the end of a string then
# never passes the next possible beginning of one, which keeps all searches together linear.
_QUOTES = (
    ('"', '"'),
    ("'", "'"),
    ("“”„‟＂", '“”„‟＂"'),
    ("‘’‚‛＇", "‘’‚‛＇'"),
    ("«»‹›", "«»‹›"),
    ("「」『』｢｣", "「」『』｢｣"),
)
OPENING_QUOTES = frozenset("".join(opening for opening, _ in _QUOTES))
# A string goes from an opening quote to the first closing one without a backslash before it.
_TEXT = "|".join(
    rf"[{opening}][^{closing}\\]*(?:\\.[^{closing}\\]*)*[{closing}]" for opening, closing in _QUOTES
)
_GAP = rf"[\s{INVISIBLE}]*"
GAP = re.compile(_GAP)
_WORD = "[A-Za-z_][A-Za-z_0-9]*"
_NUMBER = (
    rf"(?:[{MINUS}+][{INVISIBLE}]*)?\d{{1,400}}(?:[{INVISIBLE}]{{1,9}}\d{{1,400}}){{0,20}}"
    rf"(?:[{POINT}]\d{{0,400}})?(?:[eE][{MINUS}+]?\d{{1,20}})?"
)
_COLONS = ":：﹕∶"
_COMMAS = ",，﹐、﹑،"
TOKEN = re.compile(
    rf"""{_GAP}(?:
      (?P<text>{_TEXT})
     |(?P<comma>[{_COMMAS}])
     |(?P<number>{_NUMBER})
     |(?P<colon>[{_COLONS}])
     |(?P<open_list>[\[［])
     |(?P<close_list>[\]］])
     |(?P<open_object>[{{｛])
     |(?P<close_object>[}}｝])
     |(?P<word>{_WORD})
    )""",
    re.VERBOSE | re.DOTALL,
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
BRACE = re.compile("[{｛]")
# What a model may put before the asked key: "final_state", "shortest path".
_FINAL = re.compile(r"\A(?:final|shortest)[ _-]?")
# A brace that may open an object with members: a key or a comment follows.
ANCHOR = re.compile(
    rf"[{{｛](?={_GAP}(?:(?:{_TEXT}|{_WORD}){_GAP}(?:[{_COLONS}]|\Z)|\#|/[/*]))", re.DOTALL
)
# Lists behind their opening bracket, to be read at once and not token by token: of integers, one
# that may be plain JSON, and of strings and numbers. Their repetitions are bounded for the memory
# that a match takes.
_INTEGER = rf"[{MINUS}+]?\d{{1,18}}"
_INTEGERS = re.compile(_INTEGER)
INTEGER_LIST = re.compile(rf"(?:\s*{_INTEGER}\s*[{_COMMAS}]){{0,5000}}\s*{_INTEGER}\s*[\]］]")
FLAT_LIST = re.compile(r"[^\[\]{}]*\]")
_SCALAR = rf"{_GAP}(?:{_NUMBER}|{_TEXT}){_GAP}"
SCALAR_LIST = re.compile(
    rf"(?:{_SCALAR}[{_COMMAS}]){{0,5000}}(?:{_SCALAR}|{_GAP})[\]］]", re.DOTALL
)
_OTHER_MINUS = re.compile(f"[{OTHER_MINUS}]")
_NATIVE_MARKS = re.compile(rf"[{_COMMAS}］]")
_LONG_NUMBER = re.compile(r"[0-9]{19}")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
CONSTANTS = {"true": True, "false": False, "null": None, "none": None, "nan": float("nan")}


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=list, parse_constant=_refuse)


def load_json(text: str) -> Any:
    """What a JSON text without deep nesting says, objects as lists of members; else ``None``.

    Texts with very long numbers are not read: their conversion can take quadratic time.
    """
    if _LONG_NUMBER.search(text):
        return None
    try:
        return _DECODER.decode(text)
    except ValueError:
        return None


def read_integers(text: str, notes: set[str]) -> list[int]:
    """The items of a list that `INTEGER_LIST` matches; ``notes`` as in `normalise.parse_number`."""
    if not text.isascii():
        marks = "".join(set(text))
        if NATIVE_DIGIT.search(marks):
            notes.add("native_digits")
        if not all(mark.isascii() for mark in _NATIVE_MARKS.findall(marks)):
            notes.add("fullwidth")
        plain = _OTHER_MINUS.sub("-", text)
        if plain != text:
            notes.add("unicode_minus")
        text = plain
    return list(map(int, _INTEGERS.findall(text)))


def unquoted(written: str) -> str:
    """The text that a quoted string stands for; unknown escapes stand for themselves."""
    body = written[1:-1]
    if "\\" not in body:
        return body
    try:
        decoded = json.loads(f'"{body}"', strict=False)
    except ValueError:
        return _ESCAPE.sub(r"\1", body)
    return str(decoded)


def token_notes(token: re.Match[str], last_kind: str | None) -> set[str]:
    """The rules beyond JSON that a token needs, but for numbers (see `normalise.parse_number`).

    ``last_kind`` is the kind of the token before: the name of its group.
    """
    notes = set()
    kind = token.lastgroup or ""
    written = token[kind]
    if kind == "text" and written[0] != '"':
        notes.add("single_quotes" if written[0] == "'" else "smart_quotes")
    elif kind not in ("text", "number", "word") and not written.isascii():
        notes.add("fullwidth")
    elif kind == "word" and written.lower() not in CONSTANTS:
        notes.add("bare_key")
    if kind.startswith("close") and last_kind == "comma":
        notes.add("trailing_comma")
    if _INVISIBLE.search(token[0].removesuffix(written)):
        notes.add("invisible")
    return notes


# Of more objects and lists within each other the outermost are given up.
MAX_DEPTH = 32
# Bounds of the work on one text: when so many tokens were read inside of objects, the search goes
# on in the last characters only. Answers need a hundredth of it.
MAX_TOKENS = 100_000
TAIL_LENGTH = 30_000
MIN_RETURNS = 50_000
_COMMENTS = (("//", "\n"), ("#", "\n"), ("/*", "*/"))
_SHOWN_KEYS = 5
_SHOWN_KEY_LENGTH = 40
_LONGEST_ECHO = 400
_LONGEST_KEY = 100  # as written, with escapes

# What may come next: a key, a colon, the value of a member, an item of a list, a comma or the end.
_KEY, _COLON, _VALUE, _ITEM, _AFTER = range(5)
_TAKE_VALUE = (_VALUE, _ITEM)
_MAY_CLOSE = (_KEY, _ITEM, _AFTER)
_MAY_BE_TEXT = (_KEY, _VALUE, _ITEM)


@dataclass
class Found:
    """A complete object that has the key.

    Attributes:
        start: the object is ``text[start:end]``.
        end: see ``start``.
        outer: start and end of the outermost object around it (its own if it is not nested).
        key: the key as it is written.
        alone: the object has no other member.
        value: a string, number, boolean, ``None``, or lists and objects of these.
        notes: names of the rules beyond JSON that the object needs (`extract.LENIENT_RULES`).
    """

    start: int
    end: int
    outer: tuple[int, int]
    key: str
    alone: bool
    value: Any = None
    notes: set[str] = field(default_factory=set)


@dataclass
class Scan:
    """What a text holds.

    Attributes:
        found: the last complete object with the key whose value is no placeholder.
        count: how many complete objects have the key.
        cut_at: where the key stands in the last object that the text breaks off in; -1 without one.
        malformed_at: where it stands in the last object that could not be understood, or -1.
        placeholder: some object has a placeholder for its value.
        other_keys: the first keys of the last complete object without the key.
    """

    found: Found | None = None
    count: int = 0
    cut_at: int = -1
    malformed_at: int = -1
    placeholder: bool = False
    other_keys: tuple[str, ...] = ()


def find_object(text: str, key: str) -> Scan:
    """Find the last JSON object in a text that has the key, in time linear in the text's length.

    ``key`` is in lower case; keys are compared after NFKC without regard to case. Of objects
    within each other that both have the key, the outer one counts.
    """
    scanner = _Scanner(text, key)
    position = scanner.scan(0)
    if position < len(text):
        scanner.scan(max(position, len(text) - TAIL_LENGTH))
    found = scanner.result.found
    if found is not None:
        reader = _Scanner(text[found.start : found.end], key, reading=True)
        found.value = reader.read_value()
        found.notes = reader.notes
    return scanner.result


@dataclass(slots=True)
class _Frame:
    """An object or a list that is being read."""

    start: int
    is_object: bool
    items: list[Any] | None = None  # of a list that is part of the value of the key
    record: dict[str, object] | None = None  # the same for an object
    keys: list[str] = field(default_factory=list)
    members: int = 0
    at_key: bool = False  # the member that is being read is the one looked for
    key: str = ""  # that key as written
    key_at: int = -1  # and its position
    value: Any = None

    def wants_value(self) -> bool:
        """Whether a value read now is part of an answer."""
        return self.at_key or self.items is not None or self.record is not None

    def hold(self, value: Any) -> None:
        """Take the value of the key, or the item of its list."""
        if self.at_key:
            self.value = value
        elif self.items is not None:
            self.items.append(value)
        elif self.record is not None:
            self.record[self.key] = value


class _Scanner:
    """Finds objects; values and notes are taken of the one that counts only (``reading``)."""

    def __init__(self, text: str, key: str, reading: bool = False) -> None:
        self.text = text
        self.key = key
        self.reading = reading
        self.notes: set[str] = set()
        self.behind = 0  # where the next token begins
        self.result = Scan()
        self.starts: set[int] = set()  # of the complete objects with the key
        self.cut = False  # the object that is being read has no end
        self.swallowed = -1  # first brace inside of a string or comment of that object
        self.last_ends = {end: text.rfind(end) for _, end in _COMMENTS}
        self.tokens = 0  # read so far

    def scan(self, position: int) -> int:
        """Read all objects from a position on; returns where the work was too much, or the end."""
        self.tokens = 0
        returns = 2 * (len(self.text) - position) + MIN_RETURNS  # characters to be read again
        while anchor := ANCHOR.search(self.text, position):
            stack = [_Frame(anchor.start(), is_object=True)]
            self.cut = False
            self.swallowed = -1
            position = self._read(stack, anchor.end())
            if stack:
                self._give_up(stack, self.cut)
            if self.tokens > MAX_TOKENS:
                return position
            if stack and self.swallowed >= 0 and returns > 0:
                returns -= position - self.swallowed
                position = self.swallowed
        return len(self.text)

    def read_value(self) -> Any:
        """The value of the key in a text that is an object with the key."""
        frame = _Frame(0, is_object=True)
        self._read([frame], 1)
        return frame.value

    def _read(self, stack: list[_Frame], position: int) -> int:
        """Read what is on the stack to its end; what then is left there was not complete.

        Returns the position behind it, or of the first token that does not fit, or behind the
        first character of one that does not end.
        """
        state = _KEY
        last_kind: str | None = None
        while stack and self.tokens <= MAX_TOKENS:
            self.tokens += 1
            token = TOKEN.match(self.text, position)
            if token is None:
                behind = self._skip_comment(position)
                if behind == position:
                    return self._unfit(position, state)
                position = behind
                continue
            if self.reading:
                self.notes |= token_notes(token, last_kind)
            self.behind = token.end()
            next_state = self._take(stack, token, state)
            if next_state is None:
                return token.start()
            state = next_state
            position = self.behind
            last_kind = token.lastgroup
        return position

    def _take(self, stack: list[_Frame], token: re.Match[str], state: int) -> int | None:
        """Take one token; returns what may come next, ``None`` if the token does not fit."""
        kind = token.lastgroup
        frame = stack[-1]
        next_state: int | None = None
        if state == _AFTER and kind == "comma":
            next_state = _KEY if frame.is_object else _ITEM
        elif state == _KEY and kind in ("text", "word"):
            next_state = self._take_key(frame, token)
        elif state == _COLON and kind == "colon":
            next_state = _VALUE
        elif state in _TAKE_VALUE and kind in ("text", "number", "word"):
            next_state = self._take_scalar(frame, token)
        elif state in _TAKE_VALUE and kind in ("open_list", "open_object"):
            next_state = self._open(stack, token)
        elif state in _MAY_CLOSE and kind == ("close_object" if frame.is_object else "close_list"):
            stack.pop()
            if frame.is_object:
                self._complete(frame, token.end(), stack)
            next_state = _AFTER
        return next_state

    def _skip_comment(self, position: int) -> int:
        """The position behind the comment that stands here, or the same one if none does."""
        start = _end(GAP, self.text, position)
        for opening, closing in _COMMENTS:
            if self.text.startswith(opening, start) and start < self.last_ends[closing]:
                end = self.text.find(closing, start + len(opening))
                if end < 0:
                    return position
                self._swallow(start, end)
                self.notes.add("comments")
                return end + len(closing)
        return position

    def _unfit(self, position: int, state: int) -> int:
        """See `_read`; a string or comment without an end is not taken to hold what follows."""
        start = _end(GAP, self.text, position)
        first = self.text[start : start + 1]
        self.cut = (
            not first
            or (first in OPENING_QUOTES and state in _MAY_BE_TEXT)
            or self.text.startswith(("//", "#", "/*"), start)
        )
        return start + 1 if first and self.cut else start

    def _swallow(self, start: int, end: int) -> None:
        if self.swallowed < 0:
            brace = BRACE.search(self.text, start, end)
            self.swallowed = brace.start() if brace else -1

    def _take_key(self, frame: _Frame, token: re.Match[str]) -> int:
        name = token["word"] or unquoted(token["text"])
        if token["text"]:
            self._swallow(token.start("text"), token.end())
        if len(frame.keys) < _SHOWN_KEYS:
            frame.keys.append(name[:_SHOWN_KEY_LENGTH])
        frame.members += 1
        if frame.record is not None:
            frame.key = name
            return _COLON
        frame.at_key = self._is_key(name)
        if frame.at_key:
            frame.key, frame.key_at = name, token.start()
        return _COLON

    def _is_key(self, name: str) -> bool:
        if len(name) > _LONGEST_KEY:
            return False
        plain = (name if name.isascii() else fold(name)).strip().lower()
        return plain == self.key or _FINAL.sub("", plain) == self.key

    def _take_scalar(self, frame: _Frame, token: re.Match[str]) -> int | None:
        if token["text"]:
            self._swallow(token.start("text"), token.end())
            if self.reading and frame.wants_value():
                frame.hold(unquoted(token["text"]))
        elif token["number"]:
            if self.reading and frame.wants_value():
                frame.hold(parse_number(token["number"], self.notes))
        elif token["word"].lower() in CONSTANTS:
            frame.hold(CONSTANTS[token["word"].lower()])
        else:
            return None
        return _AFTER

    def _open(self, stack: list[_Frame], token: re.Match[str]) -> int:
        frame = stack[-1]
        if len(stack) >= MAX_DEPTH:
            self._give_up([stack.pop(0)], cut=False)
        if token["open_object"]:
            record: dict[str, object] | None = {} if self.reading and frame.wants_value() else None
            frame.hold({} if record is None else record)
            stack.append(_Frame(token.start("open_object"), is_object=True, record=record))
            return _KEY
        if (end := self._read_flat_list(frame, token.end())) is not None:
            self.behind = end
            return _AFTER
        items: list[Any] | None = [] if frame.wants_value() else None
        frame.hold([] if items is None else items)
        stack.append(_Frame(token.end(), is_object=False, items=items))
        return _ITEM

    def _read_flat_list(self, frame: _Frame, start: int) -> int | None:
        """Read a list of strings and numbers at once, if that is what stands here."""
        items = None
        flat = INTEGER_LIST.match(self.text, start)
        if flat:
            items = read_integers(flat[0], self.notes) if self.reading else []
        elif frame.at_key:
            flat = FLAT_LIST.match(self.text, start)
            items = load_json("[" + flat[0]) if flat else None
        if items is None:
            flat = None if self.reading else SCALAR_LIST.match(self.text, start)
        if flat is None:
            return None
        frame.hold(items)
        self._swallow(start, flat.end())
        return flat.end()

    def _complete(self, frame: _Frame, end: int, around: list[_Frame]) -> None:
        """An object has ended well."""
        result = self.result
        found = result.found
        if frame.key_at >= 0:
            if self._echoes(frame, end):
                result.placeholder = True
                return
            self.starts.add(frame.start)
            result.count = len(self.starts)
            if found is None or found.end < end:
                span = (frame.start, end)
                result.found = Found(*span, span, frame.key, alone=frame.members == 1)
        elif found is not None and found.outer[0] > frame.start:
            found.outer = (frame.start, end)
        elif not around:
            result.other_keys = tuple(frame.keys)

    def _echoes(self, frame: _Frame, end: int) -> bool:
        """Whether the value of the key is a placeholder, where that is the object's only member."""
        if frame.members > 1 or end - frame.key_at > _LONGEST_ECHO:
            return False
        name, _, value = self.text[frame.key_at : end].partition(":")
        return self.key in name.lower() and is_placeholder(value.rstrip("}｝ \n"))

    def _give_up(self, stack: list[_Frame], cut: bool) -> None:
        for frame in stack:
            if frame.key_at >= 0 and cut:
                self.result.cut_at = max(self.result.cut_at, frame.key_at)
            elif frame.key_at >= 0:
                self.result.malformed_at = max(self.result.malformed_at, frame.key_at)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a pattern that matches the empty string too ends."""
    match = pattern.match(text, position)
    return match.end() if match else position
