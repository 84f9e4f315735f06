"""Prompts for translations."""

import hashlib
import re

from ...text.document import fill

PROMPT_ID = "lit-tr-v1"
"""Version of the wording. Our own: the authors' prompt (paper 003, E.3) is not public."""

TEMPLATE = (
    "Translate the text between the tags from {src} to {tgt}. Keep the meaning, tone, register, "
    "formatting and any notation. Translate faithfully even where the text is awkward or unclear; "
    "do not correct, explain or add anything. Reply with the translation only.\n"
    "<text>\n{text}\n</text>"
)

PROMPT_SHA = hashlib.sha256(TEMPLATE.encode()).hexdigest()
"""SHA-256 of the template, in hexadecimal digits."""

_PROMPT = re.compile(
    fill(re.sub(r"\\([{}])", r"\1", re.escape(TEMPLATE)), src=r"(?P<src>[^\n]{,100}?)",
         tgt=r"(?P<tgt>[^\n]{,100}?)", text=r"(?P<text>.*)"),
    re.DOTALL,
)  # fmt: skip


def translation(text: str, src: str, tgt: str) -> str:
    """The prompt of one hop.

    Args:
        text: what is translated.
        src, tgt: names of the languages in English.
    """
    return fill(TEMPLATE, src=src, tgt=tgt, text=text)


def read_translation(prompt: str) -> tuple[str, str, str] | None:
    """Text and names of the languages out of a prompt; ``None`` if it is not one of these."""
    match = _PROMPT.fullmatch(prompt)
    return (match["text"], match["src"], match["tgt"]) if match else None
