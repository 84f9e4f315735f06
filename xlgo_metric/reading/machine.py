"""Forms that models write unasked: ``<answer>20</answer>``, ``{"answer": 20}``, ``#### 20``.

They are read where nothing stands in the form that the prompt asks for, and no words are needed to
find them: they are the same in every language.
"""

from __future__ import annotations

import re

from xlgo_metric.reading.settling import Form

_TAG = re.compile(
    r"<(?:final[_-]?answer|answer|result)>\s{0,20}([^<]{0,400}?)\s{0,20}"
    r"(?:</(?:final[_-]?answer|answer|result)>|\Z)",
    re.IGNORECASE,
)
_MEMBER = re.compile(
    r"\{\s{0,9}[\"'](?:final[_ ]?)?"
    r"(?:answer|result|choice|option|letter|value|number|count)[\"']\s{0,9}:"
    r"\s{0,9}(\"[^\"{}]{1,200}\"|'[^'{}]{1,200}'|\[[^\[\]{}]{1,400}\]|[^\s\"'{}\[\],]{1,40})"
    r"\s{0,9}\}",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^[ \t>*]{0,6}####(?!#)[ \t]{0,3}([^\n#]{1,200})$", re.MULTILINE)
_BOX_TOKENS = re.compile(r"<\|begin_of_box\|>([^<>]{0,2000})<\|end_of_box\|>")


def unwrapped(text: str) -> str:
    r"""The text with boxes of special tokens as ``\boxed{…}``."""
    return _BOX_TOKENS.sub(r"\\boxed{\1}", text) if "<|begin_of_box|>" in text else text


def machine_forms(text: str) -> list[Form]:
    """The answers in such forms, in order."""
    forms = []
    for mark, pattern in (("<", _TAG), ("{", _MEMBER), ("#", _HASHES)):
        if mark in text:
            forms += [Form(*m.span(), m[1].strip("\"' ")) for m in pattern.finditer(text)]
    return sorted(form for form in forms if form.content)
