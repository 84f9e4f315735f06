"""Tables for people: scores by category and by sequence, hops, errors, examples, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core import Table
from .mqm import SEVERITIES
from .values import GATED_SUFFIX, Options
from .views import TIERS

_NAMES = {
    "mqm80": "MQM ≥ 80",
    "raw_mqm": "raw MQM",
    "raw_mqm_clip0": "raw MQM, floor 0",
    "direct": "direct score",
    "chrf": "chrF++",
    "bleu": "BLEU",
    "ter": "TER",
    "number_recall": "numbers kept",
    "name_recall": "names kept",
    "length_ratio": "words out / in",
    "exact": "unchanged",
}
_NOTHING = "–"
_GATED = Options().metrics()


_GATE = (
    "Gated: a chain counts 0 unless each of its hops is a translation into the language that was "
    "asked for."
)
_GATES = {
    "open": "a translation at every hop",
    "copied": "a hop copies its input",
    "another_language": "a hop in another language",
    "language_unknown": "language of a hop not told",
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
            _agreement(split, part),
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


def number(value: float | None, digits: int = 1) -> str:
    """A number with so many digits behind the point; a dash where there is none."""
    if value is None:
        return _NOTHING
    written = f"{value:.{digits}f}"
    return written.replace("-", "−") if float(written) else f"{0:.{digits}f}"


def _percent(value: float | None) -> str:
    return number(None if value is None else 100 * value)


def _cell(by_view: Mapping[str, Mapping[str, Any]], view: str) -> str:
    found = by_view.get(view)
    if found is None:
        return _NOTHING
    mean = number(found["mean"])
    return mean if found["se"] is None else f"{mean} ± {number(found['se'])}"


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


def _grid(part: Mapping[str, Any], columns: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    return tuple(
        (label(metric), *(_cell(by_view, view) for view in columns))
        for metric, by_view in part["metrics"].items()
    )


def _by_category(split: str, part: Mapping[str, Any], origin: str) -> Table:
    columns = ["macro_category", *_views(part, "subcategory")]
    heads = ["average", *(name.partition(":")[2] for name in columns[1:])]
    return Table(
        f"lit_{split}_category",
        f"LiT {split}: by category",
        ("", *heads),
        _grid(part, columns),
        f"{_GATE} Layout of the paper's Tables 2, 4, 6 and 7, which are ungated: mean "
        "over the sequences of a text, then over texts; the average is the plain mean of the "
        f"columns. ± is the standard error from resampling texts. {origin}",
    )


def _by_sequence(split: str, part: Mapping[str, Any], origin: str) -> Table:
    tiers = _views(part, "tier")
    columns = ["global", *tiers, *_views(part, "sequence")]
    heads = ["global", *(name.partition(":")[2] for name in columns[1:])]
    members = "; ".join(
        f"{name}: {', '.join(TIERS[name])}"
        for name in (tier.partition(":")[2] for tier in tiers)
        if name in TIERS
    )
    return Table(
        f"lit_{split}_sequence",
        f"LiT {split}: by sequence of languages",
        ("", *heads),
        _grid(part, columns),
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
    return Table(f"lit_{split}_coverage", f"LiT {split}: coverage", ("", "chains"), tuple(rows))


def _hops(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            hop["sequence"],
            hop["hop"],
            f"{hop['src']} → {hop['tgt']}",
            hop["n"],
            hop["statuses"]["ok"],
            *(hop["statuses"][name] for name in ("empty", "length", "refused", "error")),
            _percent(hop["in_language"]),
            _percent(hop["copied"]),
            number(hop["length_ratio"], 2),
        )
        for hop in part["hops"]
    )
    return Table(
        f"lit_{split}_hops",
        f"LiT {split}: hops",
        ("sequence", "hop", "languages", "n", "ok", "empty", "cut off", "refused", "error",
         "in language %", "copied %", "characters out / in"),
        rows,
        "In language: of the outputs whose language can be told. Copied: chrF of output against "
        "input above 90. A hop that is copied, in another language or in one that cannot be told "
        "shuts the gate.",
    )  # fmt: skip


def _losses(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            row["sequence"], row["hop"], row["tgt"], label(row["scale"]), row["n"],
            number(row["score"]), number(row["loss"]),
        )
        for row in part["hop_loss"]
    )  # fmt: skip
    return Table(
        f"lit_{split}_hop_loss",
        f"LiT {split}: where meaning is lost",
        ("sequence", "hop", "into", "scale", "n", "score after", "loss"),
        rows,
        "The score of a back-translation after each hop. A loss holds the noise of two "
        "back-translations and can be below 0.",
    )


def _errors(split: str, part: Mapping[str, Any]) -> Table:
    found = part["errors"]["all"]
    rows = tuple(
        (
            category,
            *(counts[severity] for severity in SEVERITIES),
            _percent(found["points"].get(category)),
        )
        for category, counts in found["counts"].items()
    )
    shares = ", ".join(
        f"{name} {_percent(found[key])} %"
        for name, key in (
            ("an omission", "omission"),
            ("a hallucination", "hallucination"),
            ("no error", "no_error"),
        )
    )
    return Table(
        f"lit_{split}_errors",
        f"LiT {split}: errors that the judge marked",
        ("category", *SEVERITIES, "% of the penalty"),
        rows,
        f"{found['chains']} judged chains, of which had {shares}.",
    )


def _traces(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            row["tgt"], row["texts"], row["letters"],
            *(_percent(row[name]) for name in ("target", "english", "other", "unknown")),
        )
        for row in part["traces"]
    )  # fmt: skip
    return Table(
        f"lit_{split}_traces",
        f"LiT {split}: in which language the model thinks",
        ("into", "traces", "letters", "in it %", "English %", "other %", "not told %"),
        rows,
        "Shares of the letters of the thinking that was kept, sentence by sentence; the last "
        "column is of all letters, the others of those whose language can be told.",
    )


def _agreement(split: str, part: Mapping[str, Any]) -> Table:
    rows = tuple(
        (label(name), found["n"], number(found["spearman"], 3))
        for name, found in part["agreement"].items()
    )
    return Table(
        f"lit_{split}_agreement",
        f"LiT {split}: rank correlation of gated raw MQM over chains",
        ("with", "n", "Spearman"),
        rows,
        "Scores of the same texts in several sequences are not independent of each other.",
    )


def pair_tables(pairs: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Differences of models on the same texts, a table per metric.

    Args:
        pairs: from ``compare.paired``, with ``first`` and ``second``, the names of the models.
    """
    metrics = dict.fromkeys(metric for pair in pairs for metric in pair["metrics"])
    found = []
    for metric in metrics:
        own = [pair for pair in pairs if metric in pair["metrics"]]
        views = list(dict.fromkeys(view for pair in own for view in pair["metrics"][metric]))
        rows = []
        for pair in own:
            for view in views:
                cell = pair["metrics"][metric].get(view)
                if cell is not None:
                    rows.append(
                        (
                            pair["first"], pair["second"], view.replace(":", " "),
                            number(cell["difference"]), number(cell["se"]),
                            f"{number(cell['low'])} to {number(cell['high'])}",
                            number(cell.get("p"), 4),
                        )
                    )  # fmt: skip
        found.append(
            Table(
                f"lit_pairs_{metric}",
                f"LiT: first minus second, {label(metric)}",
                ("first", "second", "over", "difference", "SE", "95% interval", "p"),
                tuple(rows),
                "Paired by text. Intervals come from resampling texts; p exchanges the two models "
                "within texts, and is not corrected for several pairs.",
            )
        )
    return found


def correlation_table(entries: Sequence[Mapping[str, Any]]) -> Table:
    """Agreement with ratings from outside.

    Args:
        entries: from ``agreement.correlate``.
    """
    rows = tuple(
        (
            entry["source"] or _NOTHING, entry["language"] or _NOTHING, entry["n"],
            number(entry["spearman"], 3), number(entry["spearman_p"], 4),
            f"{number(entry['low'], 2)} to {number(entry['high'], 2)}"
            if "low" in entry else _NOTHING,
            number(entry["pearson"], 3), number(entry["pearson_p"], 4),
            number(entry["kendall"], 3), number(entry["kendall_p"], 4),
            entry["largest_move"] if entry["largest_move"] is not None else _NOTHING,
        )
        for entry in entries
    )  # fmt: skip
    notes = [entry["warning"] for entry in entries if entry["warning"]]
    return Table(
        "lit_correlation",
        "LiT: agreement with ratings from outside",
        ("source", "language", "models", "Spearman", "p", "95% (texts)", "Pearson", "p",
         "Kendall", "p", "largest move"),
        rows,
        " ".join(["Up to 8 models p values are exact.", *dict.fromkeys(notes)]),
    )  # fmt: skip


def agreement_table(entries: Sequence[Mapping[str, Any]]) -> Table:
    """How far metrics rank models alike.

    Args:
        entries: from ``compare.metric_agreement``.
    """
    rows = tuple(
        (
            label(entry["first"]), label(entry["second"]), entry["n"],
            number(entry["spearman"], 3), number(entry["spearman_p"], 4),
            number(entry["pearson"], 3), number(entry["largest_move"]),
        )
        for entry in entries
    )  # fmt: skip
    return Table(
        "lit_metrics",
        "LiT: do the metrics rank these models alike?",
        ("metric", "and", "models", "Spearman", "p", "Pearson", "largest move"),
        rows,
        "Up to 8 models p values are exact. The largest move is in places.",
    )


def check_tables(found: Mapping[str, Any]) -> list[Table]:
    """How the judge did in its own checks.

    Args:
        found: from ``checks.summarize_checks``.
    """
    identity, dose, repeat = found["identity"], found["dose"], found["repeat"]
    injection, swap, judges = found["injection"], found["swap"], found["judges"]
    rows: list[tuple[Any, ...]] = [
        ("unchanged text scores 95 or more, %", identity["n"], _percent(identity["share"]),
         _verdict(identity["passed"])),
        ("scores fall with 0, 1, 2, 4 errors", dose["n"],
         " → ".join(number(mean) for mean in dose["mean"].values()) or _NOTHING,
         _verdict(dose["monotone"])),
        ("texts whose score never rises, %", dose["n"], _percent(dose["texts_monotone"]), ""),
        ("difference when the texts are swapped", swap["n"], number(swap["difference"]), ""),
        ("standard deviation over repeats", repeat["n"], number(repeat["deviation"], 2), ""),
        ("mqm80 not the same over repeats, %", repeat["n"], _percent(repeat["flips"]), ""),
        ("higher score with an injection, %", injection["n"], _percent(injection["higher"]),
         _verdict(injection["passed"])),
        ("rank correlation with length", found["length"]["n"],
         number(found["length"]["spearman"], 2), ""),
        ("replies that could not be read", found["items"], found["unread"], ""),
    ]  # fmt: skip
    if judges is not None:
        rows += [
            ("two judges: rank correlation", judges["n"], number(judges["spearman"], 3), ""),
            ("two judges: kappa of mqm80", judges["n"], number(judges["kappa"], 3), ""),
        ]
    planted = tuple(
        (
            kind, cell["n"], _percent(cell["detected"]),
            *(_percent(cell["severities"][severity]) for severity in SEVERITIES),
            number(cell["mean"]),
        )
        for kind, cell in found["planted"].items()
        if cell["n"]
    )  # fmt: skip
    return [
        Table("lit_judge", "The judge under test", ("check", "n", "value", ""), tuple(rows)),
        Table(
            "lit_judge_planted",
            "Planted errors",
            ("kind", "n", "found %", *(f"{severity} %" for severity in SEVERITIES), "mean score"),
            planted,
            "Severities are those of the severest error of an item.",
        ),
    ]


def _verdict(passed: bool | None) -> str:
    return "" if passed is None else ("passed" if passed else "failed")
