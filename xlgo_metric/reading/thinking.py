"""Separating what a model thinks from what it answers, by the markers that models use.

Every format, with the models that write it, is listed in ``README.md`` beside it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

# Opening and closing marker of each kind, in lower case; a block closes with its own kind only.
# Tags may have attributes and spaces: these are left out before looking here.
_PAIRS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("<think>", "<thinking>"), ("</think>", "</thinking>")),
    (("<thought>", "<thoughts>"), ("</thought>", "</thoughts>")),
    (("<reasoning>",), ("</reasoning>",)),
    (("<reflection>",), ("</reflection>",)),
    (("<analysis>",), ("</analysis>",)),
    (("<scratchpad>",), ("</scratchpad>",)),
    (("<seed:think>",), ("</seed:think>",)),
    (("<mm:think>",), ("</mm:think>",)),
    (("<ifm|think>",), ("</ifm|think>",)),
    (("<ifm|think_fast>",), ("</ifm|think_fast>",)),
    (("<ifm|think_faster>",), ("</ifm|think_faster>",)),
    (("<longcat_think>",), ("</longcat_think>",)),
    (("◁think▷",), ("◁/think▷",)),
    (("[think]",), ("[/think]",)),
    (("<|start_thinking|>",), ("<|end_thinking|>",)),
    (("<|begin_of_thought|>",), ("<|end_of_thought|>",)),
    (("<|inner_prefix|>",), ("<|inner_suffix|>",)),
    (("<|think:start|>",), ("<|think:end|>",)),
    (("<|plamo:begin_think:plamo|>",), ("<|plamo:end_think:plamo|>",)),
    (("<|open|>think<|sep|>",), ("<|close|>think<|sep|>",)),
    (("<|channel>",), ("<channel|>",)),
    (("<|im_start|>think",), ("<|im_start|>answer",)),
    (("<unused94>",), ("<unused95>",)),
    (("[unused16]",), ("[unused17]",)),
    ((), ("[begin final response]",)),
)
# Closing markers that end other things too: they close a block of their kind and nothing else.
_INNER_PAIRS = (
    ("<|think|>", "<|end|>"),
    ("<|content_thinking|>", "<|end_message|>"),
    ("<details reasoning>", "</details>"),
)
_OPENING = {marker: kind for kind, (opening, _) in enumerate(_PAIRS) for marker in opening}
_CLOSING = {marker: kind for kind, (_, closing) in enumerate(_PAIRS) for marker in closing}
_OPENING |= {opening: -1 - kind for kind, (opening, _) in enumerate(_INNER_PAIRS)}
_CLOSING |= {closing: -1 - kind for kind, (_, closing) in enumerate(_INNER_PAIRS)}

# Anything that may be a marker; the tables above decide. Every repetition is bounded. What opens
# the answer right behind a closing marker belongs to it.
_MARKER = re.compile(
    r"<(?:\|im_start\|>(?:think|answer)"
    r"|\|open\|>\s{0,3}think\s{0,3}<\|sep\|>"
    r"|\|close\|>\s{0,3}think\s{0,3}<\|sep\|>(?:\s{0,9}<\|open\|>\s{0,3}response\s{0,3}<\|sep\|>)?"
    r"|\|end\|>(?:\s{0,9}<\|begin\|>assistant)?(?:\s{0,9}<\|content\|>)?"
    r"|\|end_message\|>(?:\s{0,9}<\|message_model\|>)?(?:\s{0,9}<\|content_text\|>)?"
    r"|[^<>]{1,100}>)"
    r"|\[(?:/?think|unused1[67]|begin final response)\]|◁/?think▷",
    re.IGNORECASE,
)
_TAG = re.compile(r"<\s*(/?)\s*(details|[a-z_]+)(?::[a-z0-9_-]+)?(\s[^<>]*|/?)>")
_LONGER = ("<|open|>think<|sep|>", "<|close|>think<|sep|>", "<|end|>", "<|end_message|>")
_SPACE = re.compile(r"\s*")

ENDS = re.compile(
    r"(?:\s{0,9}(?:<[|｜](?:im_end|eot_id|eot|eom_id|eom|endoftext|end|return|end_of_turn|end_of_text"
    r"|endofassistant|end[_▁]of[_▁]sentence|message_end)[|｜]>|</s>|<eos>|<end_of_turn>|\[EOS\])){1,5}\s*\Z",
    re.IGNORECASE,
)
"""Tokens that end a turn, which decoding should have left out."""

# Messages of several channels, or to several readers, of which one is the answer.
_CHANNEL = re.compile(
    r"(?:<\|channel\|>\s*([a-z]{1,20})|(?:^|(?<=<\|start\|>assistant))\s{0,9}to=(self|user))"
    r"(?:[^<]|<\|constrain\|>){0,200}<\|message\|>",
    re.IGNORECASE,
)
_ANSWERS = ("final", "user")
_MESSAGE_END = re.compile(r"<\|(?:end|start|return|call|channel|eom|eot)\|>", re.IGNORECASE)

# Plain words that open a response and part it from the answer: those of channel messages whose
# special tokens were lost in decoding ("analysisWe …assistantfinal…"), and fixed phrases.
_LEADS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(r"\s*analysis(?![ \t'’.,:;)/—–-])"),
        re.compile(r"assistantfinal"),
    ),
    (
        re.compile(r"\s*here(?: is|'s|’s) my thought process:", re.IGNORECASE),
        re.compile(r"here(?: is|'s|’s) my response:", re.IGNORECASE),
    ),
    (
        re.compile(r"\s*here are my reasoning steps:", re.IGNORECASE),
        re.compile(r"\[begin final response\]", re.IGNORECASE),
    ),
    (re.compile(r"\s*thinking\.\.\.\r?\n", re.IGNORECASE), re.compile(r"\.\.\.done thinking\.")),
    (re.compile(r"\s*/think\n"), re.compile(r"<\|im_end\|>\s{0,9}<\|im_start\|>assistant\n?")),
    (re.compile(r"(?=.*assistantfinal)", re.DOTALL), re.compile(r"assistantfinal")),
)


_Span = tuple[int, int]


@dataclass(frozen=True)
class Response:
    """A response in its two parts.

    Attributes:
        thinking: the text inside thinking markers; ``None`` if there are no markers.
        answer: the text outside of them.
        closed: False if the last thinking block has no end, that is, the output was cut.
        spans: where the parts of the answer stand in the response.
        open: where the thinking stands that never ends; (0, 0) where it does.
    """

    thinking: str | None
    answer: str
    closed: bool = True
    spans: tuple[_Span, ...] = ()
    open: _Span = (0, 0)


@lru_cache(maxsize=2)  # grading a response and counting its thinking ask for the same one
def split_thinking(text: str) -> Response:
    """Split a response into thinking and answer, in time linear in its length.

    Understood are tags (``<think>``, ``<thinking>``, ``◁think▷``, ``[THINK]``, …), channel messages
    (``<|channel|>analysis<|message|>``) and a few fixed phrases; tags in either case, with spaces
    and attributes. A closing marker without an opening one makes everything before it thinking:
    many chat templates put the opening marker into the prompt. A closing marker that only repeats,
    with nothing after it, is ignored.
    """
    thinking, outside, closed = _parts(text)
    spans = [(a, b) for a, b in outside if text[a:b].strip()] or outside[-1:]
    return Response(
        "\n".join(text[a:b] for a, b in thinking) if thinking else None,
        "\n".join(text[a:b] for a, b in outside),
        closed,
        tuple(spans),
        (0, 0) if closed else thinking[-1],
    )


def _parts(text: str) -> tuple[list[_Span], list[_Span], bool]:
    """Where thinking stands, where the answer stands, and whether the thinking is closed."""
    if "<|message|>" in text and (channels := list(_CHANNEL.finditer(text))):
        return _split_channels(text, channels)
    for opening, parting in _LEADS:
        if lead := opening.match(text):
            return _split_lead(text, lead.end(), parting)
    return _split_pairs(text)


def _split_channels(
    text: str, channels: list[re.Match[str]]
) -> tuple[list[_Span], list[_Span], bool]:
    start = channels[0].start()  # where the prompt opened the first message
    before = text[:start]
    headless = _MESSAGE_END.search(before) and before.strip()[0] != "<"
    thinking = [(0, start)] if headless else []
    answer: list[_Span] = []
    for number, channel in enumerate(channels):
        limit = channels[number + 1].start() if number + 1 < len(channels) else len(text)
        end = _MESSAGE_END.search(text, channel.end(), limit)
        body = (channel.end(), end.start() if end else limit)
        if (channel[1] or channel[2]).lower() in _ANSWERS:
            answer = [body]
        else:
            thinking.append(body)
    return thinking, answer, bool(answer)


def _split_lead(
    text: str, start: int, parting: re.Pattern[str]
) -> tuple[list[_Span], list[_Span], bool]:
    partings = list(parting.finditer(text, start))
    if not partings:
        return [(start, len(text))], [], False
    return [(start, partings[-1].start())], [(partings[-1].end(), len(text))], True


def _split_pairs(text: str) -> tuple[list[_Span], list[_Span], bool]:
    thinking: list[_Span] = []
    outside: list[_Span] = []
    kind: int | None = None  # the kind of the open block
    opened = False  # some block was opened so far
    start = 0  # where the current part begins
    for match in _MARKER.finditer(text):
        marker = _marker(match[0])
        if kind is None and marker in _OPENING:
            outside.append((start, match.start()))
            kind, opened = _OPENING[marker], True
        elif kind is not None and _CLOSING.get(marker) == kind:
            thinking.append((start, match.start()))
            kind = None
        elif kind is None and _CLOSING.get(marker, -1) >= 0:
            outside.append((start, match.start()))
            if not (opened and _SPACE.fullmatch(text, match.end())):
                thinking.extend(outside)
                outside = []
        else:
            continue
        start = match.end()
    (outside if kind is None else thinking).append((start, len(text)))
    return thinking, outside, kind is None


def _marker(written: str) -> str:
    """A marker as it stands in the tables."""
    marker = written.lower()
    if marker.startswith("<|"):
        plain = "".join(marker.split())
        return next((mark for mark in _LONGER if plain.startswith(mark)), marker)
    tag = _TAG.fullmatch(marker)
    if tag is None or marker in _OPENING or marker in _CLOSING:
        return marker
    slash, name, attributes = tag.groups()
    reasoning = name == "details" and not slash and "reasoning" in attributes
    return "<details reasoning>" if reasoning else f"<{slash}{name}>"


def join_thinking(text: str | None, reasoning: str | None, *, is_cut: bool) -> str | None:
    """An answer with the thinking that its server gave apart, as if it had not.

    Thinking that was cut off before any answer stays open.
    """
    if not reasoning or "think>" in reasoning:
        return text
    if not (text or "").strip() and is_cut:
        return f"<think>\n{reasoning}"
    return f"<think>\n{reasoning}\n</think>\n{text or ''}"
