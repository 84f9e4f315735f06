"""Checks of the judge itself: what it makes of texts whose errors are known.

It gets each text unchanged, with one planted error of each kind, and one such text three times.
Nothing here asks a model. Errors are made by rule, at random words of the project's own, so the
same text, seed and kind always give the same item; a rule that does not apply to a text gives
nothing.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import stdev
from typing import Any, TypeVar

from ...core import Record, grouped, mean
from ...family import CheckQuestion, JudgeCheck
from ...statistics.draws import Stream
from ...table import Column, Table, columns
from ...views import Row
from .prompts import MQM, question, read_mqm
from .records import SEVERITIES, mqm80, raw_mqm

Choice = TypeVar("Choice")

REPEATS = 3
IDENTITY_SCORE = 95.0
IDENTITY_SHARE = 0.95
"""An unchanged text should score 95 or more in 95 % of the items."""

_NOT = re.compile(r"\b([Cc]a|[Ww]o)n['’]t\b|n['’]t\b|\s{1,20}not\b|\bnever\s{1,20}")
_VERB = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|has|have|had|did|does|do|may|might)\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])\d{1,9}(?![\w]|[.,]\d)"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_SENTENCE = re.compile(r"[^.!?]{1,4000}[.!?]+[\"'”’)]{0,3}\s+(?=\S)")  # any but the last
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,30}\b")
_END = re.compile(r"(?<=\S)\s*\Z")
_ALL = re.compile(r".+", re.DOTALL)
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


Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Stream], str]]
"""A pattern, and what takes the place of one of its matches."""

PLANTED: Mapping[str, tuple[Rule, ...]] = {
    "negation": (
        (_NOT, lambda m, _: m[1][0] + ("an" if m[1][1] == "a" else "ill") if m[1] else ""),
        (_VERB, lambda m, _: f"{m[0]} not"),
    ),
    "number": ((_NUMBER, lambda m, stream: _number(m[0], stream)),),
    "omission": ((_SENTENCE, lambda *_: ""),),
    "entity": ((_NAME, lambda m, stream: _drawn([x for x in _NAMES if x != m[0]], stream)),),
    "hallucination": (
        (_END, lambda m, s: f" {_drawn([x for x in _INVENTED if x not in m.string], s)}"),
    ),
    "other_language": ((_ALL, lambda _, stream: _drawn(_OTHER, stream)),),
    "empty": ((_ALL, lambda *_: ""),),
}
"""The kinds of planted errors; of several rules the first that applies. Of the last two kinds
nothing of the text is left."""


def plant(kind: str, text: str, stream: Stream) -> str | None:
    """The text with an error of a kind of ``PLANTED``; ``None`` where no rule applies."""
    for pattern, substitute in PLANTED[kind]:
        if matches := list(pattern.finditer(text)):
            match = _drawn(matches, stream)
            return f"{text[: match.start()]}{substitute(match, stream)}{text[match.end() :]}"
    return None


def _number(written: str, stream: Stream) -> str:
    """Another number, in digits or as a word."""
    if written.isdigit():
        return str(int(written) + 2 + _pick(stream, 7))
    return _drawn([word for word in _NUMBER_WORDS if word != written], stream)


def _drawn(choices: Sequence[Choice], stream: Stream) -> Choice:
    return choices[_pick(stream, len(choices))]


def _pick(stream: Stream, count: int) -> int:
    """A number below ``count``, the same on every machine."""
    return (int(stream.words(1)[0]) >> 32) * count >> 32


def check_items(texts: Mapping[str, str], *, seed: int = 0) -> dict[str, tuple[str, str]]:
    """The items of all checks for these English texts: the two texts that the judge sees.

    Returns:
        By name: ``identity//<text>``, ``planted/<kind>/<text>``, ``repeat/<number>/<text>``.

    Raises:
        ValueError: no texts, or an empty one.
    """
    if not texts:
        raise ValueError("a judge is checked on texts: give one or more")
    items: dict[str, tuple[str, str]] = {}
    for text_id, text in texts.items():
        if not text.strip():
            raise ValueError(f"the text {text_id!r} is empty: a check needs words")
        planted = {
            f"planted/{kind}": output
            for kind in PLANTED
            if (output := plant(kind, text, Stream("lit planted", seed, text_id, kind)))
            not in (None, text)
        }
        first = next(iter(planted.values()))  # the kind "empty" fits every text
        repeats = dict.fromkeys((f"repeat/{number}" for number in range(REPEATS)), first)
        outputs = {"identity/": text, **planted, **repeats}
        items |= {f"{name}/{text_id}": (text, output or "") for name, output in outputs.items()}
    return items


def summarize_checks(items: Iterable[str], results: Mapping[str, Sequence[Row] | None]) -> Row:
    """How a judge did.

    Args:
        items: names from :func:`check_items`.
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
    names = list(items)
    read = {name: errors for name in names if (errors := results.get(name)) is not None}
    kinds = grouped(read, lambda name: name.split("/")[0])
    identity = [raw_mqm(read[name]) >= IDENTITY_SCORE for name in kinds.get("identity", ())]
    share = mean(identity)
    planted = grouped(kinds.get("planted", ()), lambda name: name.split("/")[1])
    by_text = grouped(kinds.get("repeat", ()), lambda name: name.split("/", 2)[2]).values()
    repeats = [[raw_mqm(read[name]) for name in same] for same in by_text if len(same) > 1]
    return {
        "items": len(names),
        "unread": len(names) - len(read),
        "identity": {
            "n": len(identity),
            "share": share,
            "passed": None if share is None else share >= IDENTITY_SHARE,
        },
        "planted": {kind: _planted([read[x] for x in planted.get(kind, ())]) for kind in PLANTED},
        "repeat": {
            "n": len(repeats),
            "deviation": mean([stdev(same) for same in repeats]),
            "flips": mean([len(set(map(mqm80, same))) > 1 for same in repeats]),
        },
    }


def _planted(errors_by_item: Sequence[Sequence[Row]]) -> Row:
    """Of the errors marked in each item."""
    worst = [
        max((SEVERITIES.index(e["severity"]) for e in errors), default=-1)
        for errors in errors_by_item
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
            CheckQuestion(
                name,
                question(MQM, *texts_of_item),
                int(name.split("/")[1]) if name.startswith("repeat/") else 0,
            )
            for name, texts_of_item in items.items()
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
