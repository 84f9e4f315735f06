"""Checks of the judge itself: what it makes of texts whose errors are known.

It gets each text unchanged, with one planted error of each kind, and one such text three times.
Nothing here asks a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any

from ....core import Record, grouped, mean
from ....judge import CheckQuestion, JudgeCheck
from ....statistics.draws import Stream
from ....table import Column, Table, columns
from ..mqm import SEVERITIES, MqmError, mqm80, raw_mqm
from .planting import PLANTED
from .prompts import question
from .replies import read_mqm

REPEATS = 3
IDENTITY_SCORE = 95.0
IDENTITY_SHARE = 0.95
"""An unchanged text should score 95 or more in 95 % of the items."""

Results = Mapping[str, "Sequence[MqmError] | None"]
"""What a judge made of the items, by their ids; ``None`` where no reply could be read."""


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
        items.append(CheckItem(text_id, "identity", "", text, text))
        items += [CheckItem(text_id, "planted", kind, text, out) for kind, out in planted.items()]
        first = next(iter(planted.values()))  # the kind "empty" fits every text
        items += [
            CheckItem(text_id, "repeat", str(k), text, first, repeat=k) for k in range(REPEATS)
        ]
    return items


def summarize_checks(items: Sequence[CheckItem], results: Results) -> dict[str, Any]:
    """How a judge did.

    Args:
        items: from :func:`check_items`.
        results: the judge's; missing ones are counted as unread.

    Returns:
        ``items``, ``unread`` (items without a result), and

        * ``identity``: ``n``, ``share`` of items that score 95 or more, ``passed``;
        * ``planted[kind]``: ``n``, ``detected`` (share with any error), ``severities`` (share of
          items by the severest error), ``mean`` score;
        * ``repeat``: ``n``, mean standard ``deviation`` within an item, ``flips`` (share of items
          whose ``mqm80`` is not the same each time).

        Shares are fractions, ``None`` without items.
    """
    scores = {
        item.item_id: raw_mqm(errors)
        for item in items
        if (errors := results.get(item.item_id)) is not None
    }
    kinds = grouped((item for item in items if item.item_id in scores), lambda item: item.kind)
    share = mean([scores[one.item_id] >= IDENTITY_SCORE for one in kinds.get("identity", ())])
    by_text = grouped(kinds.get("repeat", ()), lambda item: item.text_id).values()
    repeats = [[scores[item.item_id] for item in same] for same in by_text if len(same) > 1]
    return {
        "items": len(items),
        "unread": len(items) - len(scores),
        "identity": {
            "n": len(kinds.get("identity", ())),
            "share": share,
            "passed": None if share is None else share >= IDENTITY_SHARE,
        },
        "planted": {
            kind: _planted([i for i in kinds.get("planted", ()) if i.variant == kind], results)
            for kind in PLANTED
        },
        "repeat": {
            "n": len(repeats),
            "deviation": mean([stdev(same) for same in repeats]),
            "flips": mean([len(set(map(mqm80, same))) > 1 for same in repeats]),
        },
    }


def _planted(items: Sequence[CheckItem], results: Results) -> dict[str, Any]:
    errors_of_items = [results[item.item_id] or () for item in items]
    worst = [
        max((SEVERITIES.index(e.severity) for e in errors), default=-1)
        for errors in errors_of_items
    ]
    return {
        "n": len(items),
        "detected": mean([bool(errors) for errors in errors_of_items]),
        "severities": {name: mean([w == k for w in worst]) for k, name in enumerate(SEVERITIES)},
        "mean": mean([raw_mqm(errors) for errors in errors_of_items]),
    }


def check_of(records: Sequence[Record]) -> JudgeCheck:
    """The check of a judge on the originals of records: an MQM question for each item."""
    references = [record.reference for record in records]
    texts = {str(item["text_id"]): str(item["original"]) for item in references}
    items = check_items(dict(sorted(texts.items())))
    return JudgeCheck(
        [
            CheckQuestion(
                item.item_id, question("mqm", "mqm", item.original, item.output), item.repeat
            )
            for item in items
        ],
        lambda replies: summarize_checks(
            items, {name: read_mqm(reply) for name, reply in replies.items()}
        ),
        check_tables,
    )


def check_tables(found: Mapping[str, Any]) -> list[Table]:
    """How the judge did in its own checks: what ``summarize_checks`` gives."""
    identity, repeat = found["identity"], found["repeat"]
    passed = {None: "", True: "passed", False: "failed"}[identity["passed"]]
    rows = (
        ("unchanged text scores 95 or more", identity["n"], identity["share"], None, passed),
        ("standard deviation over repeats", repeat["n"], None, repeat["deviation"], ""),
        ("mqm80 not the same over repeats", repeat["n"], repeat["flips"], None, ""),
        ("replies that could not be read", found["items"], None, found["unread"], ""),
    )
    planted = [
        (kind, cell["n"], cell["detected"], *cell["severities"].values(), cell["mean"])
        for kind, cell in found["planted"].items()
        if cell["n"]
    ]
    n, share = Column("n", "count"), Column("share", "share", unit="%")
    value, verdict = Column("value", "number"), Column("")
    severities = columns("share", "found", *SEVERITIES, unit="%")
    return [
        Table(
            "lit_judge",
            "The judge under test",
            (Column("check"), n, share, value, verdict),
            rows,
        ),
        Table(
            "lit_judge_planted",
            "Planted errors",
            (Column("kind"), n, *severities, Column("mean score", "number", 1)),
            tuple(planted),
            "Severities are those of the severest error of an item.",
        ),
    ]
