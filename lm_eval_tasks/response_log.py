"""A file of what is known about answers beside their texts: why they ended, thinking, tokens.

The harness logs texts. One JSON line for each answer stands in a file beside its logs; the line is
found by the SHA-256 of what was sent and of the text. The same file holds warnings of the harness
about prompts that it cut.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FILE = "model_replies.ndjson"
"""Its name, in the folder of the results."""

SCHEMA = 1


def write_lines(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    """Add lines to a file; its folder is made.

    Raises:
        OSError: the file cannot be written.
    """
    text = "".join(f"{json.dumps({'schema': SCHEMA, **line})}\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def chat_sha(chat: Any) -> str:
    """SHA-256 of a chat as the harness logs it in ``arguments``: JSON text, perhaps in a list."""
    return text_sha(chat if isinstance(chat, str) else chat[0])


def text_sha(text: str) -> str:
    """SHA-256 of a text; half a character, as a server may send one, is part of it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
