r"""Find the answer in a response: ``[[…]]``, else a box, else single brackets.

A chat ends with its answer, so the last one counts. A completion begins with it and runs on into
questions of its own, so the first one counts. Examples that the prompt shows are no answers.
"""

from __future__ import annotations

import re

from ...reading.answers import Answer, Kind, read_response
from ...reading.boxes import Form, find_boxes
from ...reading.forms import find_brackets
from ...reading.identifiers import LATIN
from .templates import is_template

_SINGLE = re.compile(r"\[([^\[\]]{1,2000}?)\\?\]")
# What an answer looks like where it stands without brackets.
_SIGN = re.compile(
    rf"\d|(?<![{LATIN}])(?:[A-Z](?![{LATIN}'])(?! [a-z])|[A-Z]{{2,20}}(?![{LATIN}]))"
)


def find_answer(
    text: str | None,
    *,
    first: bool = False,
    examples: frozenset[str] = frozenset(),
    language: str = "en",
) -> Answer:
    """The answer that counts: the content of its brackets, with ``in_form`` for double ones.

    Args:
        text: a response.
        first: the first answer counts, not the last.
        examples: what the question shows in double brackets, with single spaces; such is no answer.
        language: whose words may take an answer back.
    """
    kind = Kind(
        find_brackets,
        lambda content: content or None,
        unasked=_unasked,
        sign=_SIGN,
        passed_over=lambda x: is_template(x) or " ".join(x.split()) in examples,
        first=first,
    )
    return read_response(text, kind, language)


def _unasked(text: str) -> list[Form]:
    """Boxes, and where there are none single brackets."""
    boxes = [box for box in find_boxes(text)[0] if not is_template(box.content)]
    single = (Form(*m.span(), m[1].strip()) for m in _SINGLE.finditer(text))
    return boxes or [form for form in single if not is_template(form.content)]
