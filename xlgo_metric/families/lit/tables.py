"""Tables for people: scores by category and sequence, hops, errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core import grouped
from ...table import Column, Table, columns, percent, spread
from .records import SEVERITIES
from .spread import LEAST_TEXTS
from .values import GATED_SUFFIX, GATES, SCORES
from .views import TIERS, readable

_NAMES = {
    "mqm80": "MQM ≥ 80",
    "raw_mqm": "raw MQM",
    "direct": "direct score",
    "chrf": "chrF++",
    "bleu": "BLEU",
    "length_ratio": "words out / in",
    "exact": "unchanged",
}
_GATE = (
    "Gated: a chain counts 0 unless each of its hops is a translation into the language that was "
    "asked for."
)


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of a section of a score; empty ones are left out."""
    makers = (_coverage, _hops, _errors, _traces)
    result: list[Table] = []
    for split, part in section["splits"].items():
        result += [*_by_view(split, part, section["warnings"][0])]
        result += [make(split, part) for make in makers]
    return [table for table in result if table.rows]


def label(metric: str) -> str:
    """A metric as people call it, with or without the gate marked."""
    base = metric.removesuffix(GATED_SUFFIX)
    gate = "" if base not in SCORES else ", ungated" if metric == base else ", gated"
    return f"{_NAMES.get(base, base)}{gate}"


def _by_view(split: str, part: Mapping[str, Any], origin: str) -> Iterator[Table]:
    """Both published views: a row for each metric, its mean and standard error in each column."""
    every = [view for by_view in part["metrics"].values() for view in by_view]
    views = grouped(dict.fromkeys(every), lambda view: view.partition(":")[0])
    kinds, tiers = views.get("subcategory", []), views.get("tier", [])
    named = (name for name in (tier.partition(":")[2] for tier in tiers) if name in TIERS)
    members = "; ".join(f"{name}: {', '.join(map(readable, TIERS[name]))}" for name in named)
    texts, sequences = (len(part[name]) for name in ("texts", "sequences"))
    for kind, title, overall, others, caption in (
        (
            "category", "by category", ("macro_category", "average"), kinds,
            "Layout of the paper's Tables 2, 4, 6 and 7, which are ungated: mean over the "
            "sequences of a text, then over texts; the average is the plain mean of the columns, "
            f"over {len(kinds)} subcategories of {texts} texts through {sequences} sequences. ± is "
            "the standard error from resampling texts; fewer than "
            f"{LEAST_TEXTS} texts, or texts of one value, have none.",
        ),
        (
            "sequence", "by sequence of languages", ("global", "global"),
            [*tiers, *views.get("sequence", [])],
            "Layout of the paper's Tables 3, 8 and 9, which are ungated; tiers and the global mean "
            f"are plain means of sequences{f' ({members})' if members else ''}.",
        ),
    ):  # fmt: skip
        heads = [overall[1], *(readable(view.partition(":")[2]) for view in others)]
        rows = (
            (label(metric), *(by_view.get(view, {}).get(value) for view in (overall[0], *others)
                              for value in ("mean", "se")))
            for metric, by_view in part["metrics"].items()
        )  # fmt: skip
        columns_of = (one for name in heads for one in spread(name, "number", 1, sd="SE"))
        yield Table(
            f"lit_{split}_{kind}",
            f"LiT {split}: {title}",
            (Column(""), *columns_of),
            tuple(rows),
            f"{_GATE} {caption} {origin}",
        )


def _coverage(split: str, part: Mapping[str, Any]) -> Table:
    found = part["coverage"]
    judged, direct = found["judgements"], found["direct"]
    rows = [
        ("chains", found["chains"]),
        ("recorded", found["recorded"]),
        ("missing: a request failed", found["missing"]),
        ("finished", found["finished"]),
        *((f"finished, {sentences}", found["gate"][name]) for name, sentences in GATES.items()),
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
    names = ("tgt", "texts", "letters", "target", "english", "other", "unknown")
    rows = tuple(tuple(map(row.get, names)) for row in part["traces"])
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
