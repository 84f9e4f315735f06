"""Translations in series: each request sees the last text and nothing before it."""

import json
from collections.abc import Mapping, Sequence

from xlgo_dataset.families.lit import prompts

from ..answers import Answer
from ..chains import SCHEMA, Ask, Start, answer_fields, register_step

STEP = "translation"


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
        hops = [_hop(answer) for answer in history]
        source = len(hops)
        if source == self._hops or any(hop.state != "ok" for hop in hops):
            return None
        text = hops[-1].text if hops else self._text
        return Ask(
            prompts.translation(text, *self._names[source : source + 2]),
            {"src": self._codes[source], "tgt": self._codes[source + 1]},
        )

    def remaining(self, history: Sequence[Answer]) -> int:
        """Translations that follow if none fails."""
        return self._hops - len(history)

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """``status`` (``ok`` or ``failed@k``), ``final`` (empty if failed) and every hop."""
        hops = [_hop(answer) for answer in history]
        complete = len(hops) == self._hops and hops[-1].state == "ok"
        entries = [
            {
                "hop": number,
                "src": self._codes[number - 1],
                "tgt": self._codes[number],
                "state": hop.state,
                "text": hop.text,
                "reasoning": hop.reasoning,
                **answer_fields(answer),
            }
            for number, (hop, answer) in enumerate(zip(hops, history), 1)
        ]
        return {
            "schema": SCHEMA,
            "kind": STEP,
            "chain": list(self._codes),
            "status": "ok" if complete else f"failed@{max(1, len(hops))}",
            "final": hops[-1].text if complete else "",
            "hops": entries,
        }


def _hop(answer: Answer) -> prompts.Hop:
    return prompts.read_hop(answer.text, answer.status, answer.reasoning)


def start(doc: Mapping[str, object], metadata: Mapping[str, object]) -> Start:
    """The chain of a question."""
    reference = json.loads(str(doc["reference"]))
    chain = reference["chain"]
    name = f"{'>'.join(chain['codes'])}/{reference['text_id']}"
    return name, Translation(reference["original"], chain["codes"], chain["names"])


register_step(STEP, start)
