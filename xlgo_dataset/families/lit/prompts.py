"""Prompts for translations, and reading the translation from a response."""

import hashlib
import re
import unicodedata
from typing import NamedTuple

from xlgo_metric.core import allowed_name

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

STATES = ("ok", "empty", "length", "error", "refused")
"""Of a hop. Anything but ``ok`` ends its chain."""

_OPEN, _CLOSE = "<think>", "</think>"
_TAGS = ("<text>", "</text>")
_FENCE = "```"
_DEPTH = 4
"""Tags in a fence in tags: more is no wrapping, and would take long to unwrap."""
_PROMPT = re.compile(
    fill(re.sub(r"\\([{}])", r"\1", re.escape(TEMPLATE)), src=r"(?P<src>[^\n]{,100}?)",
         tgt=r"(?P<tgt>[^\n]{,100}?)", text=r"(?P<text>.*)"),
    re.DOTALL,
)  # fmt: skip


class Hop(NamedTuple):
    """One translation as it is handed on.

    Attributes:
        state: one of ``STATES``.
        text: the translation in NFC; empty unless the state is ``ok`` or ``length``.
        reasoning: what the model thought before, or ``None``.
    """

    state: str
    text: str
    reasoning: str | None


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


def read_hop(answer: str, status: str = "ok", reasoning: str | None = None) -> Hop:
    """The translation out of an answer.

    Thinking (up to the last ``</think>``, or all of it if it never ends) is split off, the tags of
    the prompt and one fence around everything are removed.

    Args:
        answer: as the model wrote it.
        status: one of ``STATES``, as far as the model's interface tells.
        reasoning: thinking that came apart from the answer.

    Raises:
        ValueError: an unknown status.
    """
    if allowed_name(status, "status", STATES) in ("error", "refused"):
        return Hop(status, "", reasoning)
    thought, text = _split(answer)
    thinking = "\n".join(part for part in (reasoning, thought) if part) or None
    text = unicodedata.normalize("NFC", _unwrapped(text))
    if status == "length":
        return Hop(status, text, thinking)
    return Hop("ok" if text else "empty", text, thinking)


def _split(answer: str) -> tuple[str, str]:
    """Thinking and the rest."""
    before, found, after = answer.rpartition(_CLOSE)
    if found:
        return before.strip().removeprefix(_OPEN).strip(), after
    if answer.lstrip().startswith(_OPEN):
        return answer.strip().removeprefix(_OPEN).strip(), ""
    return "", answer


def _unwrapped(text: str) -> str:
    """Without the tags of the prompt and a fence around everything, in whatever order they are."""
    for _ in range(_DEPTH):
        text = text.strip()
        text = text.removeprefix(_TAGS[0]).removesuffix(_TAGS[1]).strip()
        first, newline, rest = text.partition("\n")
        # A language may stand behind the opening fence, but no text.
        opens = first.startswith(_FENCE) and " " not in first and _FENCE not in first[3:]
        if opens and newline and rest.endswith(_FENCE) and rest.count(_FENCE) == 1:
            text = rest.removesuffix(_FENCE).strip()
    return text
