"""Checks of the judge itself: what it makes of texts whose errors are known.

It gets each text unchanged, with one planted error of each kind, and one such text three times.
Nothing here asks a model. Errors are made by rule, at random words of the project's own, so the
same text, seed and kind always give the same item; a rule that does not apply to a text gives
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any, TypeVar

from ...core import Record, grouped, mean
from ...judge import CheckQuestion, JudgeCheck
from ...statistics.draws import Stream
from ...table import Column, Table, columns
from ...views import Row
from .prompts import MQM, question, read_mqm
from .records import SEVERITIES, MqmError, mqm80, raw_mqm

Choice = TypeVar("Choice")

REPEATS = 3
IDENTITY_SCORE = 95.0
IDENTITY_SHARE = 0.95
"""An unchanged text should score 95 or more in 95 % of the items."""

_SENTENCE = re.compile(r"[^.!?]{1,4000}[.!?]*[\"'”’)]{0,3}\s*")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|has|have|had|did|does|do|may|might)\b"
)
_NOT = re.compile(r"\b([Cc]a|[Ww]o)n['’]t\b|n['’]t\b|\s{1,20}not\b|\bnever\s{1,20}")
_WITHOUT_NOT = {"": "", "ca": "an", "wo": "ill"}
"""What follows the first letter of "can't" and "won't" without their "not"."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,9}(?![\w]|[.,]\d)")
_NUMBER_WORD = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,30}\b")
_NAMES = ("Margaret", "Lisbon", "Okafor", "Helsinki", "Ramirez", "Brandt", "Jakarta", "Osei")
_INVENTED = (
    "The ministry later confirmed that the whole stock had been sold to a museum in Lisbon.",
    "Nobody was hurt, although the fire burned for eleven days.",
    "Her brother had refused to sign the contract for that very reason.",
    "A second study of forty patients found the opposite.",
    "The price was to rise by nine percent before the end of the year.",
)
_OTHER = (
    "Ayer por la tarde llovió mucho y nadie quiso salir de casa hasta que volvió la luz.",
    "Der Zug nach Hause fuhr an diesem Abend nicht, und so blieben alle noch eine Stunde länger.",
    "Leo asubuhi watoto walienda shuleni mapema kwa sababu basi lilikuwa limejaa watu.",
)


def sentences(text: str) -> list[str]:
    """The sentences of an English text, their white space included: joined, they are the text."""
    parts = _SENTENCE.findall(text)
    return parts if "".join(parts) == text else [text]


def flip_negation(text: str, stream: Stream) -> str | None:
    """The text with one "not" taken out or, where it has none, put in; ``None`` without a verb."""
    if match := _drawn([*_NOT.finditer(text)], stream):
        stem = match[1] or ""
        verb_left = stem[:1] + _WITHOUT_NOT[stem.lower()]
        return text[: match.start()] + verb_left + text[match.end() :]
    verb = _drawn([*_AUXILIARY.finditer(text)], stream)
    return verb and f"{text[: verb.end()]} not{text[verb.end() :]}"


def change_number(text: str, stream: Stream) -> str | None:
    """The text with another number in the place of one; ``None`` without numbers."""
    match = _drawn([*_NUMBER.finditer(text), *_NUMBER_WORD.finditer(text)], stream)
    if match is None:
        return None
    if match[0].isdigit():
        number = str(int(match[0]) + 2 + _pick(stream, 7))
    else:
        number = _drawn([word for word in _NUMBER_WORDS if word != match[0]], stream) or ""
    return text[: match.start()] + number + text[match.end() :]


def drop_sentence(text: str, stream: Stream) -> str | None:
    """The text without one of its sentences; ``None`` if it has only one."""
    parts = sentences(text)
    if len(parts) < 2:
        return None
    del parts[_pick(stream, len(parts))]
    return "".join(parts).strip()


def swap_name(text: str, stream: Stream) -> str | None:
    """The text with another name in the place of one; ``None`` without names inside sentences."""
    match = _drawn([*_NAME.finditer(text)], stream)
    if match is None:
        return None
    name = _drawn([name for name in _NAMES if name != match[0]], stream)
    return f"{text[: match.start()]}{name}{text[match.end() :]}"


def append_invention(text: str, stream: Stream) -> str | None:
    """The text with a sentence behind it that it does not hold."""
    sentence = _drawn([invention for invention in _INVENTED if invention not in text], stream)
    return sentence and f"{text.rstrip()} {sentence}"


PLANTED: dict[str, Callable[[str, Stream], str | None]] = {
    "negation": flip_negation,
    "number": change_number,
    "omission": drop_sentence,
    "entity": swap_name,
    "hallucination": append_invention,
    "other_language": lambda text, stream: _drawn(_OTHER, stream),
    "empty": lambda text, stream: "",
}
"""The kinds of planted errors, with the rule that makes each; of the last two, nothing of the text
is left."""


def _drawn(choices: Sequence[Choice], stream: Stream) -> Choice | None:
    return choices[_pick(stream, len(choices))] if choices else None


def _pick(stream: Stream, count: int) -> int:
    """A number below ``count``, the same on every machine."""
    return (int(stream.words(1)[0]) >> 32) * count >> 32


@dataclass(frozen=True)
class CheckItem:
    """Two texts for the judge, and what is known of them.

    Attributes:
        text_id: the text that it was made from.
        kind: ``identity``, ``planted`` or ``repeat``.
        variant: the planted kind, or the number of the repeat; empty for identity.
        original, output: what the judge sees.
        repeat: added to the seed of the request: repeats must be asked again.
    """

    text_id: str
    kind: str
    variant: str
    original: str
    output: str
    repeat: int = 0

    @property
    def item_id(self) -> str:
        """Text, kind and variant; unique."""
        return "/".join(filter(None, (self.text_id, self.kind, self.variant)))


def check_items(texts: Mapping[str, str], *, seed: int = 0) -> list[CheckItem]:
    """The items of all checks for these English texts, by id.

    Raises:
        ValueError: no texts, or an empty one.
    """
    if not texts:
        raise ValueError("a judge is checked on texts: give one or more")
    items: list[CheckItem] = []
    for text_id, text in texts.items():
        if not text.strip():
            raise ValueError(f"the text {text_id!r} is empty: a check needs words")
        planted = {
            kind: output
            for kind, plant in PLANTED.items()
            if (output := plant(text, Stream("lit planted", seed, text_id, kind)))
            not in (None, text)
        }
        first = next(iter(planted.values()))  # the kind "empty" fits every text
        items += [
            CheckItem(text_id, "identity", "", text, text),
            *(CheckItem(text_id, "planted", kind, text, out) for kind, out in planted.items()),
            *(CheckItem(text_id, "repeat", str(k), text, first, k) for k in range(REPEATS)),
        ]
    return items


def summarize_checks(
    items: Sequence[CheckItem], results: Mapping[str, Sequence[MqmError] | None]
) -> Row:
    """How a judge did.

    Args:
        items: from :func:`check_items`.
        results: the judge's errors by item; ``None`` and missing ones are counted as unread.

    Returns:
        ``items``, ``unread`` (items without a result), and

        * ``identity``: ``n``, ``share`` of items that score 95 or more, ``passed``;
        * ``planted[kind]``: ``n``, ``detected`` (share with any error), ``severities`` (share of
          items by the severest error), ``mean`` score;
        * ``repeat``: ``n``, mean standard ``deviation`` within an item, ``flips`` (share of items
          whose ``mqm80`` is not the same each time).

        Shares are fractions, ``None`` without items.
    """
    read = [(item, errors) for item in items if (errors := results.get(item.item_id)) is not None]
    kinds = grouped(read, lambda pair: pair[0].kind)
    identity = [raw_mqm(errors) >= IDENTITY_SCORE for _, errors in kinds.get("identity", ())]
    share = mean(identity)
    planted = grouped(kinds.get("planted", ()), lambda pair: pair[0].variant)
    by_text = grouped(kinds.get("repeat", ()), lambda pair: pair[0].text_id).values()
    repeats = [[raw_mqm(errors) for _, errors in same] for same in by_text if len(same) > 1]
    return {
        "items": len(items),
        "unread": len(items) - len(read),
        "identity": {
            "n": len(identity),
            "share": share,
            "passed": None if share is None else share >= IDENTITY_SHARE,
        },
        "planted": {
            kind: _planted([errors for _, errors in planted.get(kind, ())]) for kind in PLANTED
        },
        "repeat": {
            "n": len(repeats),
            "deviation": mean([stdev(same) for same in repeats]),
            "flips": mean([len(set(map(mqm80, same))) > 1 for same in repeats]),
        },
    }


def _planted(errors_by_item: Sequence[Sequence[MqmError]]) -> Row:
    """Of the errors marked in each item."""
    worst = [
        max((SEVERITIES.index(e.severity) for e in errors), default=-1) for errors in errors_by_item
    ]
    return {
        "n": len(errors_by_item),
        "detected": mean([bool(errors) for errors in errors_by_item]),
        "severities": {name: mean([w == k for w in worst]) for k, name in enumerate(SEVERITIES)},
        "mean": mean([raw_mqm(errors) for errors in errors_by_item]),
    }


def check_of(records: Sequence[Record]) -> JudgeCheck:
    """The check of a judge on the originals of records: an MQM question for each item."""
    texts = {str(r.reference["text_id"]): str(r.reference["original"]) for r in records}
    items = check_items(dict(sorted(texts.items())))
    return JudgeCheck(
        [
            CheckQuestion(item.item_id, question(MQM, item.original, item.output), item.repeat)
            for item in items
        ],
        lambda replies: summarize_checks(
            items, {name: read_mqm(reply) for name, reply in replies.items()}
        ),
        check_tables,
    )


def check_tables(result: Mapping[str, Any]) -> list[Table]:
    """How the judge did in its own checks: what ``summarize_checks`` gives."""
    identity, repeat = result["identity"], result["repeat"]
    passed = {None: "", True: "passed", False: "failed"}[identity["passed"]]
    rows = (
        ("unchanged text scores 95 or more", identity["n"], identity["share"], None, passed),
        ("standard deviation over repeats", repeat["n"], None, repeat["deviation"], ""),
        ("mqm80 not the same over repeats", repeat["n"], repeat["flips"], None, ""),
        ("replies that could not be read", result["items"], None, result["unread"], ""),
    )
    planted = tuple(
        (kind, cell["n"], cell["detected"], *cell["severities"].values(), cell["mean"])
        for kind, cell in result["planted"].items()
        if cell["n"]
    )
    n, share = Column("n", "count"), Column("share", "share", unit="%")
    heads = (Column("check"), n, share, Column("value", "number"), Column(""))
    severities = columns("share", "found", *SEVERITIES, unit="%")
    mean_score = Column("mean score", "number", 1)
    return [
        Table("lit_judge", "The judge under test", heads, rows),
        Table(
            "lit_judge_planted",
            "Planted errors",
            (Column("kind"), n, *severities, mean_score),
            planted,
            "Severities are those of the severest error of an item.",
        ),
    ]
