"""The tokens of JSON as language models write it, and the texts that they stand for."""

from __future__ import annotations

import json
import re
from typing import Any

from xlgo_metric.normalise import INVISIBLE, MINUS, POINT

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
_COLONS = ":：﹕∶"
TOKEN = re.compile(
    rf"""{_GAP}(?:
      (?P<text>{_TEXT})
     |(?P<comma>[,，﹐、﹑،])
     |(?P<number>(?:[{MINUS}+][{INVISIBLE}]*)?\d[\d{INVISIBLE}]*
                 (?:[{POINT}]\d*)?(?:[eE][{MINUS}+]?\d+)?)
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
# A flat list to its end, for the parser of the standard library.
FLAT_LIST = re.compile(r"[^\[\]{}]*\]")
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
