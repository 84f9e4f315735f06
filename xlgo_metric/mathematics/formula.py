r"""Write a cleaned answer as the LaTeX that math-verify reads to its end."""

import re
import unicodedata

from .text import is_shallow, is_unbalanced
from .words import AND, OR, alters

MAX_LENGTH = 600
"""Longer formulas are compared as text; the longest reference answer of PolyMath has 300."""

_FUNCTIONS = (
    "arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|log|exp|max|min|gcd|lcm|det"
)
_NAMES = re.compile(rf"(?<![\\A-Za-z])({_FUNCTIONS}|pi|theta|alpha|beta|lambda|infty)(?![A-Za-z])")
_ARGUMENT = re.compile(rf"(\\(?:{_FUNCTIONS})(?:[_^](?:\{{[^{{}}]*\}}|\w))?)\s*\{{([^{{}}]*)\}}")
_INFINITY = re.compile(r"(?<![\\A-Za-z])(?:infinity|inf|oo)(?![A-Za-z])")
_ROOT = re.compile(r"(?:\\|(?<![A-Za-z]))sqrt\s*(?=\()")
_BARE_ROOT = re.compile(r"\\sqrt\s+(\d+|[A-Za-z])")
_POWER = re.compile(r"\^\s*(?=\()")
_LONG_POWER = re.compile(r"\^\s*(-?\d\d+|-\w)")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
# Links in scripts whose words hold marks, or touch what they link: หรือ, 1或2, またはx.
_OTHER_LETTER = r"[^\x00-\x7f]"
_LINK = re.compile(
    rf"(?<!{_OTHER_LETTER})(?:%s)(?!{_OTHER_LETTER})"
    % "|".join(
        re.escape(word)
        for word in sorted(OR | AND, key=len, reverse=True)
        if not unicodedata.name(word[0]).startswith(("LATIN", "AMPERSAND"))
    )
)
_PRODUCT = re.compile(r"[a-zA-Z]{2,3}")
_UNION = re.compile(r"(?<=[\])}])\s*U\s*(?=[\[({\\])")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s?\{[a-z]{1,12}\*?\}(?:\s?\{[clr|\s]{1,20}\})?")
_LETTER = r"(?:[^\W\d_]|[^\x00-\x7f])"  # or a mark of one
_BEFORE = re.compile(
    rf"\s*(?=[^\d\\]*(?:[^\W\d_]{{3}}|[^\x00-\x7f]))(?:{_LETTER}+[\s,:.]+)*"
    rf"(?:{_LETTER}{{2,}}|[^\x00-\x7f])[\s,:]+"
)
_BEHIND = re.compile(
    rf"(?<=[\w}})!\]])\s+(?:{_LETTER}{{3,}}|[^\x00-\x7f]+)(?:[\s./]{_LETTER}+){{0,4}}\s*\Z"
)
_BUILDER = re.compile(
    r"\\\{\s*\w+(?:\s*\\in\s*\\mathbb\s*\{?[A-Z]\}?)?\s*[:|](?P<condition>[^:|]+)\\\}"
)
_CONDITION = re.compile(
    r"(?P<main>.+?)(?:[,;]\s?\(?|\s\(?)(?:(?:for|where|with|when|if|such that|in|without)\s.*"
    r"|\\forall.*|\w(?:_\w)?\s?\\in\s?\\mathbb.*)"
    r"|(?P<equation>[^<>,;]*=[^<>,;]*?)\s*[,;(]\s*(?:[^=,;<>]*(?:<|>|\\[lg]e(?![a-z])))+[^=]*"
)
_SAYS = re.compile(r"[^\d=\\]*[^\W\d_]{3}[^\d=\\]*\b(?:is|are|equals)\s+")
_LAST_SIDE = re.compile(
    r"(?!.*\b(?:or|and)\b)(?P<name>\s*\([^()=]*\)\s*|[^,;<>]*)(?:=|\\in(?![a-z]))(?P<value>[^=]+)"
)
_OPERATION = re.compile(r"[+*/-]")
_ORDER = re.compile(r"[<>]|\\(?:le|ge|ne)(?![a-z])")


def formulas(answer: str, gold: str) -> tuple[str, str]:
    """Two cleaned answers as LaTeX; empty where words stand in one that no formula has.

    What one side names and the other does not is dropped: of ``x = 5`` and ``5`` the name.
    """
    sides = formula(answer), formula(gold)
    (name, value), (wanted_name, gold_value) = map(_split_name, sides)
    if _OPERATION.search(wanted_name):  # an equation, and no name for a value
        return sides
    return (value, gold_value) if name == wanted_name or not (name and wanted_name) else sides


def _split_name(text: str) -> tuple[str, str]:
    """The name that a text without order signs gives its value, and the value: of ``x = 5``."""
    match = None if _ORDER.search(text) else _LAST_SIDE.fullmatch(text)
    if match is None or is_unbalanced(match["value"]):
        return "", text
    return "".join(match["name"].split()), match["value"].strip()


def formula(text: str) -> str:
    """The LaTeX of a cleaned answer; empty if words stand in it that no formula has."""
    if len(text) > MAX_LENGTH or not is_shallow(text):
        return ""
    if not text.isascii():
        text = _LINK.sub(_joined, text)
    match = _CONDITION.fullmatch(text)
    text = (match["main"] or match["equation"]) if match else text
    text = _SAYS.sub("", text, count=1)
    if (match := _BUILDER.fullmatch(text)) is not None:
        text = match["condition"]
    text = _BARE_ROOT.sub(r"\\sqrt{\1}", text)
    for pattern, command in ((_ROOT, r"\sqrt"), (_POWER, "^")):
        text = _braced(text, pattern, command)
    text = _NAMES.sub(r"\\\1 ", _INFINITY.sub(r"\\infty ", text)).replace("**", "^")
    text = _LONG_POWER.sub(r"^{\1}", text.replace("*", r"\cdot "))
    text = _ARGUMENT.sub(r"\1(\2)", text)  # else it would reach to the end of the product
    text = _UNION.sub(r"\\cup ", text)
    text = _WORD.sub(_joined, text)
    for words in (_BEFORE.match(text), _BEHIND.search(text)):
        if words and not alters(" ".join(words[0].split()[-2:])):
            text = text.replace(words[0], " ", 1)
    return "" if _unread(text) else text.strip(" ,")


def _braced(text: str, pattern: re.Pattern[str], command: str) -> str:
    """Arguments in round brackets as LaTeX has them: ``sqrt(2)``, ``2^(n-1)``."""
    for match in reversed(list(pattern.finditer(text))):  # what stands inside comes first
        depth, end = 0, match.end()
        for sign in re.finditer(r"[()]", text[match.end() :]):
            depth += 1 if sign[0] == "(" else -1
            if not depth:
                end += sign.start()
                inner = text[match.end() + 1 : end]
                text = f"{text[: match.start()]}{command}{{{inner}}}{text[end + 1 :]}"
                break
    return text


def _joined(match: re.Match[str]) -> str:
    word = match[0].casefold()
    return " or " if word in OR else " and " if word in AND else match[0]


def _unread(text: str) -> bool:
    words = _WORD.findall(_ENVIRONMENT.sub("", text).replace(r"_{\max}", ""))
    return (
        r"\equiv" in text
        or "!!" in text
        or text.count(":") > 1
        or any(word not in ("or", "and") and not _PRODUCT.fullmatch(word) for word in words)
    )
