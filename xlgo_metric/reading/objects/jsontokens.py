"""The tokens of JSON as language models write it, and the texts that they stand for."""

from __future__ import annotations

import json
import re
from typing import Any

from xlgo_metric.reading.normalise import INVISIBLE, MINUS, NATIVE_DIGIT, OTHER_MINUS, POINT

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
