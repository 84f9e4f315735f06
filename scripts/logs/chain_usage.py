"""What a chain of requests took, read out of what became of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_LONGEST = 50_000_000
_VAST = 10**12


class ChainUsage(NamedTuple):
    """What the requests of one chain took.

    Attributes:
        requests: answers of the model, tries that failed left out.
        tokens: of prompts and of answers, as the server counted them; ``None`` unless it counted
            those of every answer.
        thought: tokens of thinking among those of the answers.
        characters: of prompts and of answers. A later prompt is taken to be the first one with
            another text in it (translations) or with the conversation behind it (rounds).
    """

    requests: int
    tokens: tuple[int, int] | None
    thought: int
    characters: tuple[int, int]


def chain_usage(response: str | None, prompt: str, original: str = "") -> ChainUsage | None:
    """What a chain took; ``None`` for a response that is no chain.

    Args:
        response: the outcome of a chain, as JSON.
        prompt: the first prompt.
        original: the text in it that later prompts replace.
    """
    logged = (response or "").lstrip()
    if not logged.startswith("{") or len(logged) > _LONGEST:
        return None
    try:
        outcome = json.loads(logged)
    except (ValueError, RecursionError):
        return None
    kind = outcome.get("kind")
    if kind not in ("translation", "self_correction"):
        return None
    all_counted, requests, tokens_in, tokens_out, thought = True, 0, 0, 0, 0
    characters_in = characters_out = 0
    frame = max(0, len(prompt) - len(original))
    before = original
    said = 0
    for answer, goes_on in _answers(outcome):
        text = answer.get("text")
        output = text if isinstance(text, str) else ""
        if kind == "translation":
            characters_in += frame + len(before)
            before = output if goes_on else before
        else:
            characters_in += len(prompt) + said
            said += len(output)
        characters_out += len(output) + len(str(answer.get("reasoning") or ""))
        requests += 1
        usage = answer.get("usage")
        counts = usage if isinstance(usage, Mapping) else {}
        in_and_out = _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))
        if in_and_out[0] is None or in_and_out[1] is None:
            all_counted = False
            continue
        tokens_in, tokens_out = tokens_in + in_and_out[0], tokens_out + in_and_out[1]
        thought += _count(counts.get("reasoning_tokens")) or 0
    tokens = (tokens_in, tokens_out) if all_counted and requests else None
    return ChainUsage(requests, tokens, thought, (characters_in, characters_out))


def _answers(outcome: Mapping[str, object]) -> Iterator[tuple[Mapping[str, object], bool]]:
    """The answers that came, and whether the chain goes on from each."""
    for name in ("hops", "rounds"):
        entries = outcome.get(name)
        for entry in entries if isinstance(entries, list) else []:
            if not isinstance(entry, Mapping):
                continue
            if entry.get("state") != "error":
                yield entry, True
            back = entry.get("back")
            if isinstance(back, Mapping) and back.get("state") != "error":
                yield back, False


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _VAST
    return value if is_count else None
