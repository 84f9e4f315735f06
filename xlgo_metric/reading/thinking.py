"""Separating what a model thinks from what it answers, by the markers that models use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

# Opening and closing marker of each kind, in lower case; a block closes with its own kind only.
_PAIRS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("<think>", "<thinking>"), ("</think>", "</thinking>")),
    (("<thought>", "<thoughts>"), ("</thought>", "</thoughts>")),
    (("<reasoning>",), ("</reasoning>",)),
    (("<reflection>",), ("</reflection>",)),
    (("<analysis>",), ("</analysis>",)),
    (("<scratchpad>",), ("</scratchpad>",)),
    (("<seed:think>",), ("</seed:think>",)),
    (("<longcat_think>",), ("</longcat_think>",)),
    (("◁think▷",), ("◁/think▷",)),
    (("[think]",), ("[/think]",)),
    (("<|start_thinking|>",), ("<|end_thinking|>",)),
    (("<|begin_of_thought|>",), ("<|end_of_thought|>",)),
    (("<|inner_prefix|>",), ("<|inner_suffix|>",)),
    (("<|channel>",), ("<channel|>",)),
    (("<|im_start|>think",), ("<|im_start|>answer",)),
    (("<unused94>",), ("<unused95>",)),
    (("[unused16]",), ("[unused17]",)),
)
_OPENING = {marker: kind for kind, (opening, _) in enumerate(_PAIRS) for marker in opening}
_CLOSING = {marker: kind for kind, (_, closing) in enumerate(_PAIRS) for marker in closing}

# Anything that may be a marker; the tables above decide. Every repetition is bounded.
_MARKER = re.compile(
    r"<(?:\|im_start\|>(?:think|answer)|[^<>\s]{1,24}>)|\[(?:/?think|unused1[67])\]|◁/?think▷",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s*")

# Messages of several channels, of which only "final" is meant for the reader.
_CHANNEL = re.compile(r"<\|channel\|>\s*([a-z]{1,20})[^<]{0,200}<\|message\|>", re.IGNORECASE)
_MESSAGE_END = re.compile(r"<\|(?:end|start|return|call|channel)\|>", re.IGNORECASE)

# Plain words that open a response and part it from the answer: those of channel messages whose
# special tokens were lost in decoding ("analysisWe …assistantfinal…"), and a fixed phrase.
_LEADS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"\s*analysis(?=[^\W\da-z_])"), re.compile(r"assistantfinal")),
    (
        re.compile(r"\s*here(?: is|'s|’s) my thought process:", re.IGNORECASE),
        re.compile(r"here(?: is|'s|’s) my response:", re.IGNORECASE),
    ),
)


@dataclass(frozen=True)
class Response:
    """A response in its two parts.

    Attributes:
        thinking: the text inside thinking markers; ``None`` if there are no markers.
        answer: the text outside of them.
        closed: False if the last thinking block has no end, that is, the output was cut.
    """

    thinking: str | None
    answer: str
    closed: bool = True


@lru_cache(maxsize=2)  # grading a response and counting its thinking ask for the same one
def split_thinking(text: str) -> Response:
    """Split a response into thinking and answer, in time linear in its length.

    Understood are tags (``<think>``, ``<thinking>``, ``◁think▷``, ``[THINK]``, …), channel messages
    (``<|channel|>analysis<|message|>``) and a few fixed phrases; tags in either case. A closing
    marker without an opening one makes everything before it thinking: many chat templates put the
    opening marker into the prompt. A closing marker that only repeats, with nothing after it, is
    ignored.
    """
    if "<|channel|>" in text:
        channels = list(_CHANNEL.finditer(text))
        if channels:
            return _split_channels(text, channels)
    for opening, parting in _LEADS:
        lead = opening.match(text)
        if lead:
            return _split_lead(text, lead.end(), parting)
    return _split_pairs(text)


def _split_channels(text: str, channels: list[re.Match[str]]) -> Response:
    thinking: list[str] = []
    answer: str | None = None
    for number, channel in enumerate(channels):
        limit = channels[number + 1].start() if number + 1 < len(channels) else len(text)
        end = _MESSAGE_END.search(text, channel.end(), limit)
        body = text[channel.end() : end.start() if end else limit]
        if channel[1].lower() == "final":
            answer = body
        else:
            thinking.append(body)
    return Response("\n".join(thinking) or None, answer or "", closed=answer is not None)


def _split_lead(text: str, start: int, parting: re.Pattern[str]) -> Response:
    partings = list(parting.finditer(text, start))
    if not partings:
        return Response(text[start:], "", closed=False)
    return Response(text[start : partings[-1].start()], text[partings[-1].end() :])


def _split_pairs(text: str) -> Response:
    thinking: list[str] = []
    outside: list[str] = []
    kind: int | None = None  # the kind of the open block
    opened = False  # some block was opened so far
    start = 0  # where the current part begins
    for match in _MARKER.finditer(text):
        marker = match[0].lower()
        if kind is None and marker in _OPENING:
            outside.append(text[start : match.start()])
            kind, opened = _OPENING[marker], True
        elif kind is not None and _CLOSING.get(marker) == kind:
            thinking.append(text[start : match.start()])
            kind = None
        elif kind is None and marker in _CLOSING:
            outside.append(text[start : match.start()])
            if not (opened and _is_last(text, match.end())):
                thinking.extend(outside)
                outside = []
        else:
            continue
        start = match.end()
    (outside if kind is None else thinking).append(text[start:])
    if not thinking:
        return Response(None, text)
    return Response("\n".join(thinking), "\n".join(outside), closed=kind is None)


def _is_last(text: str, position: int) -> bool:
    """Whether nothing but white space follows."""
    space = _SPACE.match(text, position)
    return space is not None and space.end() == len(text)
