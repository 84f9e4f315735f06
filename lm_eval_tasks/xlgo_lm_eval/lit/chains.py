"""Translations in series: each request sees the last text and nothing before it."""

import json
import unicodedata
from collections.abc import Mapping, Sequence

from xlgo_dataset.families.lit import prompts
from xlgo_metric.reading.thinking import split_thinking

from ..answers import Answer
from ..chains import SCHEMA, Ask, Start, answer_fields, register_step

STEP = "translation"

_TAGS, _FENCE = ("<text>", "</text>"), "```"
_DEPTH = 4
"""Tags in a fence in tags: more is no wrapping, and would take long to unwrap."""


class Translation:
    """A text goes from language to language; each request sees only the last text.

    Args:
        text: the original.
        codes: the languages, the first that of the original.
        names: what the prompts call them, as many.
    """

    def __init__(self, text: str, codes: Sequence[str], names: Sequence[str]) -> None:
        self._text, self._codes, self._names = text, tuple(codes), tuple(names)
        self._hops = len(codes) - 1

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The next translation; ``None`` at the end, or when there is nothing to translate."""
        hops = [read_hop(answer) for answer in history]
        source = len(hops)
        if source == self._hops or any(hop["state"] != "ok" for hop in hops):
            return None
        text = str(hops[-1]["text"]) if hops else self._text
        return Ask(
            prompts.translation(text, *self._names[source : source + 2]),
            {"src": self._codes[source], "tgt": self._codes[source + 1]},
        )

    def remaining(self, history: Sequence[Answer]) -> int:
        """Translations that follow if none fails."""
        return self._hops - len(history)

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status`` (``ok`` or ``failed@k``), ``final`` (empty if failed) and every hop."""
        hops = [read_hop(answer) for answer in history]
        complete = len(hops) == self._hops and hops[-1]["state"] == "ok"
        entries = [
            {
                "hop": number,
                "src": self._codes[number - 1],
                "tgt": self._codes[number],
                **hop,
                **answer_fields(answer),
            }
            for number, (hop, answer) in enumerate(zip(hops, history), 1)
        ]
        return {
            "schema": SCHEMA,
            "kind": STEP,
            "chain": list(self._codes),
            "status": "ok" if complete else f"failed@{max(1, len(hops))}",
            "final": hops[-1]["text"] if complete else "",
            "hops": entries,
        }


def read_hop(answer: Answer) -> dict[str, object]:
    """One translation as it is handed on.

    Thinking is split off; the tags of the prompt and one fence around everything are removed.

    Returns:
        ``state``: ``ok``, ``empty``, ``length``, ``error`` or ``refused``; anything but ``ok`` ends
        the chain. ``text``: the translation in NFC; empty unless the state is ``ok`` or ``length``.
        ``reasoning``: what the model thought before, or ``None``.
    """
    if answer.status in ("error", "refused"):
        return {"state": answer.status, "text": "", "reasoning": answer.reasoning}
    response = split_thinking(answer.text)
    thoughts = (answer.reasoning, (response.thinking or "").strip())
    text = unicodedata.normalize("NFC", _unwrapped(response.answer))
    return {
        "state": answer.status if text or answer.status == "length" else "empty",
        "text": text,
        "reasoning": "\n".join(filter(None, thoughts)) or None,
    }


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


def start(doc: Mapping[str, object], metadata: Mapping[str, object]) -> Start:
    """The chain of a question."""
    reference = json.loads(str(doc["reference"]))
    chain = reference["chain"]
    name = f"{'>'.join(chain['codes'])}/{reference['text_id']}"
    return name, Translation(reference["original"], chain["codes"], chain["names"])


register_step(STEP, start)
