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
from ....judge import CheckQuestion
from ....statistics.draws import Stream
from ....statistics.measures import spearman
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


def summarize_checks(
    items: Sequence[CheckItem], results: Results, *, second: Results | None = None
) -> dict[str, Any]:
    """How a judge did, and how far a second one agrees with it.

    Args:
        items: from :func:`check_items`.
        results: the judge's; missing ones are counted as unread.
        second: another judge's results on the same items.

    Returns:
        ``items``, ``unread`` (items without a result), and

        * ``identity``: ``n``, ``share`` of items that score 95 or more, ``passed``;
        * ``planted[kind]``: ``n``, ``detected`` (share with any error), ``severities`` (share of
          items by the severest error), ``mean`` score;
        * ``repeat``: ``n``, mean standard ``deviation`` within an item, ``flips`` (share of items
          whose ``mqm80`` is not the same each time);
        * ``judges``, with a second one: ``n`` and ``spearman`` over items.

        Shares are fractions, ``None`` without items.
    """
    scores = _scores(items, results)
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
        "judges": None if second is None else _two_judges(scores, _scores(items, second)),
    }


def _scores(items: Sequence[CheckItem], results: Results) -> dict[str, float]:
    return {
        item.item_id: raw_mqm(errors)
        for item in items
        if (errors := results.get(item.item_id)) is not None
    }


def _planted(items: Sequence[CheckItem], results: Results) -> dict[str, Any]:
    marked = [results[item.item_id] or () for item in items]
    worst = [max((SEVERITIES.index(e.severity) for e in errors), default=-1) for errors in marked]
    return {
        "n": len(items),
        "detected": mean([bool(errors) for errors in marked]),
        "severities": {name: mean([w == k for w in worst]) for k, name in enumerate(SEVERITIES)},
        "mean": mean([raw_mqm(errors) for errors in marked]),
    }


def _two_judges(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, object]:
    common = sorted(set(first) & set(second))
    rho, _ = spearman(*([side[name] for name in common] for side in (first, second)))
    return {"n": len(common), "spearman": rho}


class TranslationJudgeCheck:
    """Unchanged texts, planted errors and repeats, as a check that a judge can be put to.

    Args:
        records: their originals are the texts.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        references = [record.reference for record in records]
        texts = {str(reference["text_id"]): str(reference["original"]) for reference in references}
        self._items = check_items(dict(sorted(texts.items())))

    @property
    def questions(self) -> list[CheckQuestion]:
        """An MQM question for each item; repeats are asked again."""
        return [
            CheckQuestion(
                item.item_id, question("mqm", "mqm", item.original, item.output), item.repeat
            )
            for item in self._items
        ]

    def summarize(
        self, replies: Mapping[str, str], second: Mapping[str, str] | None = None
    ) -> dict[str, object]:
        """See ``summarize_checks``."""
        read, other = (
            {name: read_mqm(reply) for name, reply in (side or {}).items()}
            for side in (replies, second)
        )
        return summarize_checks(self._items, read, second=None if second is None else other)

    def tables(self, found: Mapping[str, Any]) -> list[Table]:
        """See ``check_tables``."""
        return check_tables(found)


def check_tables(found: Mapping[str, Any]) -> list[Table]:
    """How the judge did in its own checks: what ``summarize_checks`` gives."""
    identity, repeat, judges = found["identity"], found["repeat"], found["judges"]
    passed = {None: "", True: "passed", False: "failed"}[identity["passed"]]
    rows: list[tuple[Any, ...]] = [
        ("unchanged text scores 95 or more", identity["n"], identity["share"], None, passed),
        ("standard deviation over repeats", repeat["n"], None, repeat["deviation"], ""),
        ("mqm80 not the same over repeats", repeat["n"], repeat["flips"], None, ""),
        ("replies that could not be read", found["items"], None, found["unread"], ""),
    ]
    if judges is not None:
        rows.append(("two judges: rank correlation", judges["n"], None, judges["spearman"], ""))
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
            tuple(rows),
        ),
        Table(
            "lit_judge_planted",
            "Planted errors",
            (Column("kind"), n, *severities, Column("mean score", "number", 1)),
            tuple(planted),
            "Severities are those of the severest error of an item.",
        ),
    ]
