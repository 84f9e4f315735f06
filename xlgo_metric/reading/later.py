"""Answers behind the one that was found which lack the asked key: ``{"room": …}``, a box.

A model that corrects itself sometimes forgets the key. What it wrote last is its answer then, not
the object before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from xlgo_metric.reading.grammar import Words
from xlgo_metric.reading.normalise import fold

_LENGTH = 30_000
_PLACES = 20
_MEMBER = re.compile(r"\{\s{0,9}\"([^\"\\{}]{1,60})\"\s{0,9}:")
_BOX = re.compile(r"\\f?boxed\s?\{([^{}]{1,2000})\}")


def later_values(text: str, words: Words) -> Iterator[Any]:
    """Values that stand as answers without the asked key, as JSON or text.

    Of objects those with one member, whose key is in another script or names an answer in a
    language of ``words``.
    """
    if "{" not in text and "｛" not in text:
        return
    text = fold(text[-_LENGTH:])
    for match in list(_BOX.finditer(text))[-_PLACES:]:
        content = match[1].strip(" $")
        yield content.replace("'", '"') if content.startswith("[") else content
    decoder = json.JSONDecoder()
    for match in list(_MEMBER.finditer(text))[-_PLACES:]:
        if match[1].isascii() and not words.names_answer.search(match[1].replace("_", " ")):
            continue
        try:
            found, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if len(found) == 1:
            yield from found.values()
