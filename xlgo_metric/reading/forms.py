r"""The forms that prompts ask for, and those that models write unasked or strike out.

Boxes, brackets, tags, lists and JSON objects. Each finder returns the forms of a text in order and
the offset of one that is opened last and never closed, or -1; each takes time linear in the text.

JSON objects are read as models write them, too: with smart, single and full-width quotes, native
digits and punctuation, comments, trailing commas, keys and words without quotes, round brackets,
arrows between entries; and what stands in LaTeX, HTML entities or a JSON string. The names of
`LENIENT_RULES` that were needed go with each object.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .values import INVISIBLE, MINUS, POINT, fold, parse_number

_SCAN = re.compile(
    r"(?P<box>(?:\\+(?:boxed|fbox)|(?<![A-Za-z\\])boxed)\s{0,4}\{|<\|begin_of_box\|>)"
    r"|(?P<end><\|end_of_box\|>)|\\.|[{}]",
    re.DOTALL,
)


class Form(NamedTuple):
    """Something in a response that has the form that a prompt asks for.

    Attributes:
        start: the form is ``text[start:end]``.
        end: see ``start``.
        content: what stands in it, trimmed.
    """

    start: int
    end: int
    content: str


def find_boxes(text: str) -> tuple[list[Form], int]:
    r"""The boxes of a text and where the last box that is never closed begins.

    Found are ``\boxed{…}``, ``\fbox{…}``, ``boxed{…}`` and the tokens ``<|begin_of_box|>`` and
    ``<|end_of_box|>``. Of boxes in each other the outermost counts. One pass: a million open
    braces cost no more than a million letters.

    Returns:
        The boxes in order, and the offset of a box that is opened behind the last of them and never
        closed (the text breaks off in it), or -1.

    >>> find_boxes(r"so $\boxed{\frac{1}{2}}$")[0]
    [Form(start=4, end=23, content='\\frac{1}{2}')]
    """
    spans: list[tuple[int, int, int, int]] = []
    opened: list[tuple[int, int]] = []  # box and its content; a brace of no box is (-1, -1)
    brace = (-1, -1)
    for match in _SCAN.finditer(text, max(0, text.find("box") - 12)) if "box" in text else ():
        mark = match[0]
        if match["box"]:
            opened.append(match.span())
        elif mark == "{":
            opened.append(brace)
        elif opened and (mark == "}" or match["end"]):
            start, begin = opened.pop()
            if start >= 0:
                while spans and spans[-1][0] > start:  # boxes inside of this one
                    spans.pop()
                spans.append((start, match.end(), begin, match.start()))
    forms = [Form(start, end, text[begin:stop].strip()) for start, end, begin, stop in spans]
    cut = max((start for start, _ in opened), default=-1)
    return forms, cut if not forms or cut > forms[-1].end else -1


def unboxed(content: str) -> str:
    r"""A content without the box around all of it: ``\boxed{5}`` as ``5``."""
    forms, _ = find_boxes(content)
    return forms[0].content if forms and forms[0][:2] == (0, len(content)) else content


Finder = Callable[[str], tuple[list[Form], int]]

_LONGEST = 2_000
_TAG = re.compile(r"<(/?)(?:final[_-]?answer|answer|result)>", re.IGNORECASE)
_HASH = re.compile(r"#\s{0,3}([^#\n]{1,40}?)\s{0,3}#")
_LIST = re.compile(r"\[([^\[\]{}]{1,2000})\]")
_MEMBER = re.compile(
    r"\{\s{0,9}[\"'](?:final[_ ]?)?(?:answer|result|choice|option|letter|value|number|count)[\"']"
    r"\s{0,9}:\s{0,9}(\"[^\"{}]{1,200}\"|'[^'{}]{1,200}'|[^\s\"'{}\[\],]{1,40})\s{0,9}\}",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^[ \t>*]{0,6}####(?!#)[ \t]{0,3}([^\n#]{1,200})$", re.MULTILINE)
_BRACKETS = re.compile(r"(?P<open>\\?\[\\?\[)|\\?\](?:\s?\\?\]){1,9}")
_CLOSING = re.compile(r"\\?\]")
_LOOSE = re.compile(r"([^\[\]\n]{1,300})\\?\]")


def find_brackets(text: str) -> tuple[list[Form], int]:
    r"""``[[…]]``, with or without backslashes, as in ``\[[…]\]``; the innermost of several.

    Brackets of the content may stand at its end (``[[[1, 2], [3]]]``), and one bracket may be all
    that closes it (``[[C]``).
    """
    forms: list[Form] = []
    opened: re.Match[str] | None = None
    for mark in _BRACKETS.finditer(text):
        if mark["open"]:
            if opened and (loose := _LOOSE.match(text, opened.end(), mark.start())):
                forms.append(Form(opened.start(), loose.end(), loose[1].strip()))
            opened = mark
        elif opened:
            closing = list(_CLOSING.finditer(text, *mark.span()))
            last = 1  # the bracket that closes the answer; the one before it closes it as well
            while last + 1 < len(closing) and (
                (inner := text[opened.end() : closing[last - 1].start()]).count("[")
                > inner.count("]")
            ):
                last += 1
            stop, end = closing[last - 1].start(), closing[last].end()
            content = text[opened.end() : stop]
            if content.count("]") > content.count("["):  # [[C] its text]]
                content = content.partition("]")[0]
            forms.append(Form(opened.start(), end, content.strip()))
            opened = None
    if opened and (loose := _LOOSE.match(text, opened.end())):
        return [*forms, Form(opened.start(), loose.end(), loose[1].strip())], -1
    return forms, opened.start() if opened else -1


def find_tags(text: str) -> tuple[list[Form], int]:
    """``<answer>…</answer>``; the text may end in the place of the closing tag."""
    forms, opened = [], None
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag
        elif opened and tag.start() - opened.end() <= _LONGEST:
            content = text[opened.end() : tag.start()].strip()
            forms.append(Form(opened.start(), tag.end(), content))
            opened = None
    if opened and (rest := text[opened.end() :].strip()) and len(rest) < 200:
        return [*forms, Form(opened.start(), len(text), rest)], -1
    return forms, opened.start() if opened else -1


def find_hashes(text: str) -> tuple[list[Form], int]:
    """``#20#`` and boxes."""
    marks = [Form(*m.span(), m[1]) for m in _HASH.finditer(text) if any(map(str.isdigit, m[1]))]
    boxes, unclosed = find_boxes(text)
    return sorted([*marks, *boxes]), unclosed


def find_lists(text: str) -> tuple[list[Form], int]:
    """``[3, 4]``: lists of which every entry has a digit."""
    lists = [
        Form(*m.span(), m[1])
        for m in _LIST.finditer(text)
        if all(re.search(r"\d", entry) for entry in entries(m[1]))
    ]
    opened = re.search(r"\[[\d\s,，、،#]{1,2000}\Z", text[-_LONGEST:])
    return lists, max(0, len(text) - _LONGEST) + opened.start() if opened else -1


def entries(content: str) -> list[str]:
    """The entries of a list of numbers; a comma at its end counts for nothing."""
    return re.split("[,，、،;]", content.strip().rstrip(",，、،; "))


def find_unasked(text: str) -> list[Form]:
    """Forms that need no words: tags, ``{"answer": 20}`` and ``#### 20``, in order."""
    members = [Form(*m.span(), m[1].strip("\"' ")) for m in _MEMBER.finditer(text)]
    hashes = [Form(*m.span(), m[1].strip()) for m in _HASHES.finditer(text)]
    return sorted([*find_tags(text)[0], *members, *hashes])


_OPENING = re.compile(
    r"(?<!~)~~(?=[^\s~])|<(s|del|strike)>|\\(?:[bx]?cancel|sout)\s?\{", re.IGNORECASE
)
_LONGEST_STRUCK = 4_000
_DIFF = re.compile(r"```diff\n[^`]*")
_REMOVED = re.compile(r"^-.*", re.MULTILINE)


def without_struck(text: str) -> str:
    r"""The text with spaces for what is struck out: ``~~…~~``, ``<del>…</del>``, ``\cancel{…}``,
    and lines that a diff removes.

    Offsets stay. A mark without its partner strikes nothing.

    >>> without_struck("~~A~~ B")
    '      B'
    """
    text = _DIFF.sub(lambda m: _REMOVED.sub(lambda line: " " * len(line[0]), m[0]), text)
    parts, done, folded = [], 0, text.lower() if text.isascii() else text
    last = {
        closing: folded.rfind(closing) for closing in ("</s>", "</del>", "</strike>", "~~", "}")
    }
    for mark in _OPENING.finditer(text):
        closing = f"</{mark[1].lower()}>" if mark[1] else "~~" if mark[0] == "~~" else "}"
        if mark.start() < done or last[closing] < mark.end():
            continue
        end = folded.find(closing, mark.end(), mark.end() + _LONGEST_STRUCK)
        if end >= 0:
            standing, done = text[done : mark.start()], end + len(closing)
            parts += [standing, " " * (done - mark.start())]
    return "".join([*parts, text[done:]])


LENIENT_RULES: dict[str, str] = {
    "prose": "text around the object",
    "fence": "the object stands in a code fence",
    "several_objects": "several objects have the key; the last one counts",
    "nested": "the object stands inside another one",
    "extra_keys": "the object has further members",
    "key_case": "the key is written otherwise: upper case, full width, final_state",
    "bare_key": "a key without quotes",
    "smart_quotes": "typographic or full-width quotes",
    "single_quotes": "single quotes",
    "trailing_comma": "a comma before the closing bracket",
    "comments": "comments inside the object",
    "fullwidth": "full-width or native punctuation, or compatibility forms of characters",
    "invisible": "invisible characters: bidirectional marks, zero width characters",
    "native_digits": "digits other than 0-9",
    "lookalike": "a letter of another script that looks the same: Cyrillic, Greek, Latin",
    "unicode_minus": "a minus sign other than -",
    "integral_float": "an integer written as a decimal fraction",
    "numeric_string": "a number written as a string",
    "id_case": "an identifier in lower case",
    "id_text": "words around an identifier where the identifier alone was asked for",
    "decorated": "more around an identifier than a room's name: a sentence, marks of formatting",
    "unit": "a unit behind a number",
    "one_item": "a list of one entry that is the answer",
    "list_text": "a list written as a string",
    "members": "an entry, or the list, written as an object or a pair with further members",
    "not_json": "no JSON: LaTeX, HTML entities, JSON in a string",
    "other_syntax": "any other deviation from JSON",
}
"""What can be forgiven in an answer to a puzzle, by the name under which it is recorded."""

_QUOTES = (
    ('"', '"'),
    ("'", "'"),
    ("“”„‟＂", '“”„‟＂"'),
    ("‘’‚‛＇`", "‘’‚‛＇'`"),
    ("«»‹›", "«»‹›"),
    ("「」『』｢｣", "「」『』｢｣"),
)
# An opening quote closes as well, so that no search for the end of a string passes the next one.
_TEXT = "|".join(
    rf"[{opening}][^{closing}\\]*(?:\\.[^{closing}\\]*)*[{closing}]" for opening, closing in _QUOTES
)
_GAP = (
    rf"(?:[\s{INVISIBLE}]|//[^\n]{{0,300}}\n|\#[^\n]{{0,300}}\n|/\*(?:[^*]|\*(?!/)){{0,300}}\*/)*"
)
_NUMBER = (
    rf"(?:[{MINUS}+][{INVISIBLE}]{{0,3}})?\d{{1,400}}(?:[{POINT}]\d{{0,400}})?"
    rf"(?:[eE][{MINUS}+]?\d{{1,20}})?"
)
_TOKEN = re.compile(
    rf"""{_GAP}(?:(?P<text>{_TEXT})|(?P<colon>[:：﹕∶])|(?P<open>[\[［(（{{｛])|(?P<close>[\]］)）}}｝])
    |(?P<comma>[,，﹐、﹑،]|[-=]>|[→⇒➜])|(?P<number>{_NUMBER})(?!\w)|(?P<word>[^\W\d]\w*))""",
    re.VERBOSE | re.DOTALL,
)
_ANCHOR = re.compile(
    rf"[{{｛](?=[\s{INVISIBLE}]{{0,99}}(?:[^\W\d]|[#/}}“”„‟＂‘’‚‛＇'\"«»‹›「」『』｢｣]))"
)
# A value of several words without quotes: Room E2679, 3 gold. A description has no digit.
_BARE = re.compile(
    r"(?=[^\n,，、،}｝\]］]{0,120}\d)[\w+-][^\n,，、،:：#/{}｛｝()（）\[\]［］\"'“”„`<>=→⇒➜\\]{1,120}(?=[,，、،}｝\]］])"
)
_PARTNERS = {"[": "]］", "［": "]］", "(": ")）", "（": ")）", "{": "}｝", "｛": "}｝"}
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_FINAL = re.compile(r"\A(?:final|shortest)[ _-]?")
_DEPTH = 12
_MOST_TOKENS = 60_000  # then the search goes on at the end of the text
_LAST_TOKENS = 250_000
_FLAT = re.compile(r"\[[^\[\]{}]*\]")
_TAIL = 30_000
_BEGUN = re.compile(r"\\?[{｛](?:&\w{0,5};?|[\s\"'“\\{])*(\w*)[\"'”\s]*\Z")


Members = dict[str, Any]
"""What an object holds, in plain Python types: its keys are the response's."""


@dataclass
class ResponseObject:
    """An object of a response.

    Attributes:
        start: the object is ``text[start:end]``.
        end: see ``start``.
        members: its members, in plain Python types.
        notes: the rules beyond JSON that it needs.
    """

    start: int
    end: int
    members: Members
    notes: set[str] = field(default_factory=set)


class _BrokenError(Exception):
    """An object that cannot be read; ``end``: the text ends in it."""

    def __init__(self, *, end: bool = False) -> None:
        self.end = end


def find_objects(text: str, key: str) -> tuple[list[ResponseObject], int]:
    """The outermost objects that hold a key, and the offset of one that the text breaks off in.

    An empty key finds every object.

    The offset is -1 where none does. What is no JSON at all is read only behind the last object.
    Takes time linear in the text.
    """
    reader = _Objects(text)
    objects = [item for item in reader.all() if any(True for _ in values_of(item.members, key))]
    cut = _cut(text, reader.cut, key)
    start = max(objects[-1].end if objects else 0, len(text) - _TAIL)
    if cut < 0 and key in text[start:].lower():
        loose = _Objects(_loosened(text[start:]))
        for item in loose.all():
            if any(True for _ in values_of(item.members, key)):
                notes = item.notes | {"not_json"}
                objects.append(
                    ResponseObject(start + item.start, start + item.end, item.members, notes)
                )
        if loose.cut >= 0:
            cut = _cut(text, start + loose.cut, key)
    return objects, cut


def _cut(text: str, offset: int, key: str) -> int:
    """Where an object with the asked key begins that the text breaks off in, or -1."""
    if offset >= 0 and key in text[offset:].lower():
        return offset
    begun = _BEGUN.search(text, max(0, len(text) - 60))
    return begun.start() if begun and key.startswith(begun[1].lower()) else -1


def is_key(name: str, key: str) -> bool:
    """Whether a key is the asked one, in any case and width, perhaps with ``final_`` before it."""
    plain = fold(name[:100]).strip().lower()
    return plain == key or _FINAL.sub("", plain) == key


def values_of(tree: Any, key: str, depth: int = 0) -> Iterator[tuple[Members, str]]:
    """The objects of a tree that have the key, with the key as it is written; outer ones alone."""
    if isinstance(tree, dict):
        for name in reversed(tree):
            if not key or is_key(name, key):
                yield tree, name
                return
    if isinstance(tree, dict | list) and depth < _DEPTH:
        for child in tree.values() if isinstance(tree, dict) else tree:
            yield from values_of(child, key, depth + 1)


def read_list(text: str) -> list[Any] | None:
    """The entries of a list that a string writes; ``None`` if it is none."""
    text = text.strip()
    if len(text) > _TAIL or text[:1] not in _PARTNERS or text[0] in "{｛":
        return None
    try:
        value, end = _Objects(text).value(0, 0)
    except _BrokenError:
        return None
    return value if end == len(text) and isinstance(value, list) else None


class _Objects:
    """The reading of a text's objects."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = 0
        self.notes: set[str] = set()
        self.cut = -1
        self.last = False  # the end alone is read

    def all(self) -> Iterator[ResponseObject]:
        """The outermost objects that can be read, in order; of a hostile text those of its end."""
        offset = 0
        while anchor := _ANCHOR.search(self.text, offset):
            start = anchor.start()
            if self.tokens > _MOST_TOKENS and not self.last:
                self.last, self.tokens = True, 0
                offset = max(start, len(self.text) - _TAIL)
                continue
            if self.tokens > _LAST_TOKENS:
                return
            self.notes = set()
            try:
                members, offset = self.value(start, 0)
                yield ResponseObject(start, offset, members, self.notes)
                self.cut = -1
            except _BrokenError as broken:
                self.cut = start if broken.end and self.cut < 0 else self.cut
                offset = start + 1

    def value(self, offset: int, depth: int) -> tuple[Any, int]:
        """The value at an offset, and where it ends."""
        token = self._token(offset)
        kind, written = token.lastgroup, token[token.lastgroup or 0]
        if kind == "open" and depth < _DEPTH:
            if written in "{｛":
                return self._object(token.end(), depth)
            flat = _FLAT.match(self.text, token.start("open"))
            if flat and (entries := _loaded(flat[0])) is not None:  # at once, not token by token
                return entries, flat.end()
            return self._list(token.end(), _PARTNERS[written], depth)
        if kind == "text":
            return _unquoted(written), token.end()
        if kind not in ("number", "word"):
            raise _BrokenError
        bare = _BARE.match(self.text, token.start(kind))
        words = bare[0].strip() if bare else written
        if kind == "number" and words == written:
            if written[0] == "+" or re.match(r"-?0\d", written):
                self.notes.add("other_syntax")
            return parse_number(written, self.notes), token.end()
        if words not in ("true", "false", "null"):
            self.notes.add("other_syntax")
        return _CONSTANTS.get(words.lower(), words), bare.end() if bare else token.end()

    def _object(self, offset: int, depth: int) -> tuple[Members, int]:
        members: Members = {}
        token = self._token(offset)
        while token.lastgroup != "close":
            if token.lastgroup not in ("text", "word"):
                raise _BrokenError
            if token.lastgroup == "word":
                self.notes.add("bare_key")
            name = _unquoted(token["text"]) if token["text"] else token["word"]
            colon = self._token(token.end())
            if colon.lastgroup != "colon":
                raise _BrokenError
            members[name], offset = self.value(colon.end(), depth + 1)
            token = self._next(offset)
        if token["close"] not in "}｝":
            raise _BrokenError
        return members, token.end()

    def _list(self, offset: int, closing: str, depth: int) -> tuple[list[Any], int]:
        entries: list[Any] = []
        token = self._token(offset)
        while token["close"] is None:
            entry, offset = self.value(token.start(), depth + 1)
            entries.append(entry)
            token = self._next(offset)
        if token["close"] not in closing:
            raise _BrokenError
        if token["close"] in ")）":
            self.notes.add("other_syntax")
        return entries, token.end()

    def _next(self, offset: int) -> re.Match[str]:
        """The token behind an entry and its comma."""
        token = self._token(offset)
        if token.lastgroup == "close":
            return token
        if token.lastgroup != "comma":
            raise _BrokenError
        if token["comma"] in ("->", "=>", *"→⇒➜"):
            self.notes.add("other_syntax")
        token = self._token(token.end())
        if token.lastgroup == "close":
            self.notes.add("trailing_comma")
        return token

    def _token(self, offset: int) -> re.Match[str]:
        token = _TOKEN.match(self.text, offset)
        self.tokens += 1
        if token is None or self.tokens > _LAST_TOKENS:
            rest = self.text[offset : offset + _TAIL].lstrip()
            raise _BrokenError(end=not rest or rest[0] in "\"'“‘«「#/" or len(rest) < 2)
        kind = token.lastgroup or ""
        written = token[kind]
        gap = token[0].removesuffix(written)
        if gap.strip():
            self.notes.add("invisible" if not re.search("[#/]", gap) else "comments")
        if kind == "text" and written[0] != '"':
            self.notes.add("single_quotes" if written[0] == "'" else "smart_quotes")
        elif kind in ("comma", "colon", "open", "close") and not written.isascii():
            self.notes.add("fullwidth")
        return token


def _loaded(text: str) -> Any:
    """What a JSON text says; ``None`` if it is none."""
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return None


def _unquoted(written: str) -> str:
    """The text that a quoted string stands for; unknown escapes stand for themselves."""
    body = written[1:-1]
    if "\\" not in body:
        return body
    decoded = _loaded(f'"{body}"')
    return decoded if decoded is not None else re.sub(r"\\(.)", r"\1", body, flags=re.DOTALL)


_WRAPPING = re.compile(
    r"\\(?:text[a-z]{0,10}|math[a-z]{1,10}|operatorname|mbox|boldsymbol|bm)\*?\s{0,3}\{([^{}]*)\}"
)
_ESCAPES = re.compile(
    r"\\+(?=[\"'{}\[\]_#&$])|\\+[nrt](?![A-Za-z])|\\(?:left|right|quad|[,;:! ])|[$*`]|^>",
    re.MULTILINE,
)
_ENTITY = re.compile(r"&(?:amp;)?#?\w{1,8};")
_SPELLED = re.compile(r"``|''")  # the quotes of LaTeX


def _loosened(text: str) -> str:
    """The text without LaTeX, entities and escapes around an object; every offset stays."""
    text = _ENTITY.sub(
        lambda m: html.unescape(html.unescape(m[0])).ljust(len(m[0]))[: len(m[0])], text
    )
    text = _SPELLED.sub(lambda m: '"'.ljust(len(m[0])), text)
    for _ in range(3):
        text = _WRAPPING.sub(lambda m: " " * (m.start(1) - m.start()) + m[1] + " ", text)
    return _ESCAPES.sub(lambda m: " " * len(m[0]), text)


_HINTS = re.compile(
    r"\.\.|…|⋯|<|X{2,}|x{2,}|\byour\b|[a-zX]_|\b[a-zX]\d{0,2}\b|[a-z]\d{1,2}\b|_id\b|\bID\b"
)
_PLACEHOLDER = re.compile(
    r"\.{2,}|…|⋯|etc\.?|<[^<>]{0,60}>|\{[A-Za-z_ ]{0,30}\}"
    r"|[a-zX]_?\{?(?:\d{1,2}|[a-zTN]|max|end|last|final)?\}?(?:[-+]\d)?"
    r"|[^\d<>]{0,30}(?:<[^<>]{0,60}>|X{2,}\d{0,2}|x{2,}|\.{3}|…)[^\d<>]{0,10}"
    r"|(?:\w{1,9}_)?(?:id|node|room|player|person|value|state)_?(?:id|name|number|[a-zN\d])"
    r"|(?:best|worst|1st|2nd|3rd|second|last|first)_?(?:id|player|room|node)"
    r"|(?:room|node|player|person) (?:id|name|number|n|[a-z]\d?)"
    r"|your[ _](?:final )?(?:answer|value|room|list|path|ranking|state|result)(?: here)?",
    re.IGNORECASE,
)


def is_placeholder(value: Any) -> bool:
    """Whether a value consists of placeholders: ``["v0", "v1", "..."]``, ``"<id>"``.

    Ordinary words are none, nor is a value of which one entry is an answer.
    """
    entries = value if isinstance(value, list) else re.split(r"[,，、;]|[-=]>|→", str(value))
    words = [entry.strip() for entry in entries if isinstance(entry, str)]
    line = " ".join(words)
    if not words or len(words) < len(entries) or len(line) > 300 or not _HINTS.search(line):
        return False
    return not re.search(r"[A-Za-z]\d{4}", line) and all(map(_PLACEHOLDER.fullmatch, words))
