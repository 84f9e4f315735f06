"""Tables for people: scores by category and sequence, hops, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...table import Column, Table, columns, percent, spread
from .mqm import SEVERITIES
from .spread import LEAST_TEXTS
from .values import GATED_SUFFIX, Options
from .views import TIERS, readable

_NAMES = {
    "mqm80": "MQM ≥ 80",
    "raw_mqm": "raw MQM",
    "raw_mqm_clip0": "raw MQM, floor 0",
    "direct": "direct score",
    "chrf": "chrF++",
    "bleu": "BLEU",
    "length_ratio": "words out / in",
    "exact": "unchanged",
}
_GATED = Options().metrics()
_GATE = (
    "Gated: a chain counts 0 unless each of its hops is a translation into the language that was "
    "asked for."
)
_GATES = {
    "open": "a translation at every hop",
    "copied": "a hop copies its input",
    "another_language": "a hop in another language",
    "language_unknown": "language of a hop not detectable",
}


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of a section of a score; empty ones are left out."""
    found: list[Table] = []
    for split, part in section["splits"].items():
        origin = section["warnings"][0]
        found += [
            _by_category(split, part, origin),
            _by_sequence(split, part, origin),
            _coverage(split, part),
            _hops(split, part),
            _losses(split, part),
            _errors(split, part),
            _traces(split, part),
        ]
    return [table for table in found if table.rows]


def label(metric: str) -> str:
    """A metric as people call it: weights in brackets, with or without the gate marked."""
    gated = metric.endswith(GATED_SUFFIX)
    base, bracket, rest = metric.removesuffix(GATED_SUFFIX).partition("[")
    name = _NAMES.get(base, base) + (f" ({rest[:-1]})" if bracket else "")
    if gated:
        return f"{name}, gated"
    return f"{name}, ungated" if f"{base}{GATED_SUFFIX}" in _GATED else name


def _views(part: Mapping[str, Any], kind: str) -> list[str]:
    """The views of a kind that any metric has, in the order of the section."""
    return list(
        dict.fromkeys(
            view
            for by_view in part["metrics"].values()
            for view in by_view
            if view.startswith(f"{kind}:")
        )
    )


def _grid(part: Mapping[str, Any], shown: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """A row for each metric: its mean and standard error in each view."""
    return tuple(
        (
            label(metric),
            *(value for view in shown for value in _mean_and_error(by_view.get(view))),
        )
        for metric, by_view in part["metrics"].items()
    )


def _mean_and_error(cell: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    return (None, None) if cell is None else (cell["mean"], cell["se"])


def _means(names: Sequence[str]) -> tuple[Column, ...]:
    return tuple(one for name in names for one in spread(name, "number", 1, sd="SE"))


def _by_category(split: str, part: Mapping[str, Any], origin: str) -> Table:
    shown = ["macro_category", *_views(part, "subcategory")]
    heads = ["average", *(readable(name.partition(":")[2]) for name in shown[1:])]
    return Table(
        f"lit_{split}_category",
        f"LiT {split}: by category",
        (Column(""), *_means(heads)),
        _grid(part, shown),
        f"{_GATE} Layout of the paper's Tables 2, 4, 6 and 7, which are ungated: mean "
        "over the sequences of a text, then over texts; the average is the plain mean of the "
        f"columns, {_averaged(part)}. ± is the standard error from resampling texts; fewer than "
        f"{LEAST_TEXTS} texts, or texts of one value, have none. {origin}",
    )


def _averaged(part: Mapping[str, Any]) -> str:
    """What an average is over: subcategories, texts and sequences."""
    kinds, texts = len(_views(part, "subcategory")), len(part["texts"])
    return f"over {kinds} subcategories of {texts} texts through {len(part['sequences'])} sequences"


def _by_sequence(split: str, part: Mapping[str, Any], origin: str) -> Table:
    tiers = _views(part, "tier")
    shown = ["global", *tiers, *_views(part, "sequence")]
    heads = ["global", *(readable(name.partition(":")[2]) for name in shown[1:])]
    members = "; ".join(
        f"{name}: {', '.join(map(readable, TIERS[name]))}"
        for name in (tier.partition(":")[2] for tier in tiers)
        if name in TIERS
    )
    return Table(
        f"lit_{split}_sequence",
        f"LiT {split}: by sequence of languages",
        (Column(""), *_means(heads)),
        _grid(part, shown),
        f"{_GATE} Layout of the paper's Tables 3, 8 and 9, which are ungated; tiers and "
        "the global mean are plain means of sequences"
        f"{f' ({members})' if members else ''}. {origin}",
    )


def _coverage(split: str, part: Mapping[str, Any]) -> Table:
    found = part["coverage"]
    judged, direct = found["judgements"], found["direct"]
    rows = [
        ("chains", found["chains"]),
        ("recorded", found["recorded"]),
        ("missing: a request failed", found["missing"]),
        ("finished", found["finished"]),
        *((f"finished, {told}", found["gate"][name]) for name, told in _GATES.items()),
        *((f"broke off: {status}", count) for status, count in found["failed"].items()),
        ("judged by MQM", judged["ok"]),
        ("judgements that could not be read", judged["unparsed"] + judged["error"]),
        ("judged directly", direct["ok"]),
        ("direct scores that could not be read", direct["unparsed"] + direct["error"]),
    ]
    return Table(
        f"lit_{split}_coverage",
        f"LiT {split}: coverage",
        (Column(""), Column("chains", "count")),
        tuple(rows),
    )


def _hops(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            readable(hop["sequence"]),
            hop["hop"],
            f"{hop['src']} → {hop['tgt']}",
            hop["n"],
            hop["statuses"]["ok"],
            *(hop["statuses"][name] for name in ("empty", "length", "refused", "error")),
            hop["in_language"],
            hop["copied"],
            hop["length_ratio"],
        )
        for hop in part["hops"]
    )
    return Table(
        f"lit_{split}_hops",
        f"LiT {split}: hops",
        (
            Column("sequence"),
            Column("hop", "count"),
            Column("languages"),
            *columns("count", "n", "ok", "empty", "cut off", "refused", "error"),
            *columns("share", "in language", "copied", unit="%"),
            Column("characters out / in", "number", 2),
        ),
        rows,
        "In language: of the outputs whose language can be told. Copied: chrF of output against "
        "input above 90. A hop that is copied, in another language or in one that cannot be told "
        "shuts the gate.",
    )


def _losses(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            readable(row["sequence"]),
            row["hop"],
            row["tgt"],
            label(row["scale"]),
            row["n"],
            row["score"],
            row["loss"],
        )
        for row in part["hop_loss"]
    )
    return Table(
        f"lit_{split}_hop_loss",
        f"LiT {split}: where meaning is lost",
        (
            Column("sequence"),
            Column("hop", "count"),
            *columns("text", "into", "scale"),
            Column("n", "count"),
            Column("score after", "number", 1),
            Column("loss", "number", 1),
        ),
        rows,
        "The score of a back-translation after each hop. A loss holds the noise of two "
        "back-translations and can be below 0.",
    )


def _errors(split: str, part: Mapping[str, Any]) -> Table:
    errors = part["errors"]
    rows = tuple(
        (category, *(counts[severity] for severity in SEVERITIES), errors["points"].get(category))
        for category, counts in errors["counts"].items()
    )
    shares = ", ".join(
        f"{name} {percent(share, 1)}"
        for name, share in (
            ("an omission", errors["omission"]),
            ("a hallucination", errors["hallucination"]),
            ("no error", errors["no_error"]),
        )
    )
    return Table(
        f"lit_{split}_errors",
        f"LiT {split}: errors that the judge marked",
        (
            Column("category"),
            *columns("count", *SEVERITIES),
            Column("of the penalty", "share", unit="%"),
        ),
        rows,
        f"{errors['chains']} judged chains, of which had {shares}.",
    )


def _traces(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            row["tgt"],
            row["texts"],
            row["letters"],
            row["target"],
            row["english"],
            row["other"],
            row["unknown"],
        )
        for row in part["traces"]
    )
    return Table(
        f"lit_{split}_traces",
        f"LiT {split}: in which language the model thinks",
        (
            Column("into"),
            *columns("count", "traces", "letters"),
            *columns("share", "in it", "English", "other", "not told", unit="%"),
        ),
        rows,
        "Shares of the letters of the thinking that was kept, sentence by sentence; the last "
        "column is of all letters, the others of those whose language can be told.",
    )
