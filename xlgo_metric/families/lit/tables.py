"""For people: tables of scores by category and sequence, hops, errors, and the main results."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ...core import grouped
from ...family import Section, Told
from ...table import Column, Table, columns, percent, spread, written
from ...views import Row, ordered
from .records import GATES, SEVERITIES
from .values import GATED_SUFFIX, HEADLINE, SCORES, UNGATED
from .views import LEAST_TEXTS, SUBCATEGORIES, TIERS, readable

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


def tables(section: Section) -> list[Table]:
    """The tables of a section of a score; empty ones are left out."""
    makers = (_coverage, _hops, _errors)
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


def _by_view(split: str, part: Row, origin: str) -> Iterator[Table]:
    """Both published views: a row for each metric, its mean and standard error in each column."""
    every = [view for by_view in part["metrics"].values() for view in by_view]
    views = grouped(dict.fromkeys(every), lambda view: view.partition(":")[0])
    kinds, tiers = views.get("subcategory", []), views.get("tier", [])
    tier_names = (name for name in (tier.partition(":")[2] for tier in tiers) if name in TIERS)
    members = "; ".join(f"{name}: {', '.join(map(readable, TIERS[name]))}" for name in tier_names)
    texts, sequences = (len(part[name]) for name in ("texts", "sequences"))
    for kind, title, overall, further, caption in (
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
        heads = [overall[1], *(readable(view.partition(":")[2]) for view in further)]
        rows = (
            (label(metric), *(by_view.get(view, {}).get(value) for view in (overall[0], *further)
                              for value in ("mean", "se")))
            for metric, by_view in part["metrics"].items()
        )  # fmt: skip
        columns_of = (column for name in heads for column in spread(name, "number", 1, sd="SE"))
        yield Table(
            f"lit_{split}_{kind}",
            f"LiT {split}: {title}",
            (Column(""), *columns_of),
            tuple(rows),
            f"{_GATE} {caption} {origin}",
        )


def _coverage(split: str, part: Row) -> Table:
    coverage = part["coverage"]
    judged, direct = coverage["judgements"], coverage["direct"]
    rows = [
        ("chains", coverage["chains"]),
        ("recorded", coverage["recorded"]),
        ("missing: a request failed", coverage["missing"]),
        ("finished", coverage["finished"]),
        *((f"finished, {sentences}", coverage["gate"][name]) for name, sentences in GATES.items()),
        *((f"broke off: {status}", count) for status, count in coverage["failed"].items()),
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


def _hops(split: str, part: Row) -> Table:
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


def _errors(split: str, part: Row) -> Table:
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


# Sentences

_JUDGE_HINT = "judge them with `xlgo judge`"
_REASONS = {
    "copied": "a hop copies its input",
    "another_language": "a hop is in another language than asked for",
    "language_unknown": "the language of a hop cannot be detected",
}


def headline(section: Section) -> dict[str, float]:
    """``lit_<part>_<metric>`` for the global means, and ``..._macro`` for those over categories.

    Gated scores first.
    """
    return {
        f"lit_{part}_{metric}{suffix}": content["metrics"][metric][view]["mean"]
        for part, content in section["splits"].items()
        for metric in (*HEADLINE, "chrf_gated", *UNGATED, "chrf")
        for view, suffix in (("global", ""), ("macro_category", "_macro"))
        if view in content["metrics"].get(metric, {})
    }


def gate_warning(part: str, content: Row) -> str | None:
    """How many chains were no translations, and what they would be worth without the gate.

    Args:
        part: its name.
        content: of that part, in a section.

    Returns:
        ``None`` where every finished chain is a translation at every hop.
    """
    gate, finished = content["coverage"]["gate"], content["coverage"]["finished"]
    if finished == gate["open"]:
        return None
    reasons = "; ".join(f"in {gate[name]} {why}" for name, why in _REASONS.items() if gate[name])
    sentence = (
        f"LiT {part}: {finished - gate['open']} of {finished} finished chains are not translations "
        f"all the way ({reasons}). They count 0 in gated scores"
    )
    metrics = content["metrics"]
    for name, title in (("mqm80", "MQM ≥ 80"), ("chrf", "chrF++")):
        if "global" in metrics.get(name, {}):
            gated, without = (
                written(metrics[key]["global"]["mean"], 1) for key in (f"{name}_gated", name)
            )
            return f"{sentence}: {title} is {gated} gated, {without} ungated."
    return f"{sentence}."


def warnings_of(part: str, content: Row, records: Sequence[Row], missing: str) -> list[str]:
    """What a reader of the scores of a part must know: gates, missing, unread, and too few texts.

    Args:
        part: its name; ``content``: of that part, in a section, and its ``records``.
        missing: what a chain that broke off counts.
    """
    coverage = content["coverage"]
    chains, recorded, lost = (coverage[name] for name in ("chains", "recorded", "missing"))
    failed = sum(coverage["failed"].values())
    worth = "count 0 in mqm80 and gated scores" if missing == "fail" else "are left out"
    sentences = [
        (chains - recorded, f"{chains - recorded} of {chains} chains are not recorded."),
        (
            lost,
            f"{lost} of {recorded} chains are missing, since requests failed: the same command "
            "asks for them again.",
        ),
        (failed, f"{failed} chains broke off; they {worth}."),
    ]
    for key, name in (("judgements", "judgements"), ("direct", "direct scores")):
        counts = coverage[key]
        unread, none = counts["unparsed"] + counts["error"], counts["none"]
        is_partly = none < coverage["finished"]
        sentences += [
            (unread, f"{unread} {name} could not be read; they are left out."),
            (none and is_partly, f"{none} finished chains have no {name} yet."),
        ]
    texts = Counter({chain["text_id"]: chain["subcategory"] for chain in records}.values())
    few = ", ".join(
        readable(name) for name in ordered(texts, SUBCATEGORIES) if texts[name] < LEAST_TEXTS
    )
    sentences.append(
        (few, f"fewer than {LEAST_TEXTS} texts of {few}: these have no standard error.")
    )
    gate = gate_warning(part, content)
    return [*([gate] if gate else []), *(f"{part}: {words}" for holds, words in sentences if holds)]


def findings(section: Section) -> list[Told]:
    """What the texts are, which chains are no translations, then each part in words."""
    parts = section["splits"]
    gates = [gate_warning(part, content) for part, content in parts.items()]
    sentences = [("warn", warning) for warning in (section["warnings"][0], *gates) if warning]
    for part, content in parts.items():
        judge = section["options"]["judge"] or "a judge without a name"
        sentences += [(kind, f"LiT {part}: {words}") for kind, words in _findings(content, judge)]
    return sentences


def _findings(content: Row, judge: str) -> list[Told]:
    coverage, metrics = content["coverage"], content["metrics"]
    finished, judged = coverage["finished"], coverage["judgements"]["ok"]
    reached = f"{finished} of {coverage['chains']} chains reached their end"
    if coverage["missing"]:
        reached += f", {coverage['missing']} are missing since requests failed"
    if "mqm80_gated" not in metrics:
        surface = metrics.get("chrf_gated", {}).get("global")
        score = f"; gated chrF++ {written(surface['mean'], 1)} (surface only)" if surface else ""
        return [("warn", f"{reached}, none is judged{score}: {_JUDGE_HINT}.")]
    sentences = []
    if judged < finished:
        sentences.append(
            (
                "warn",
                f"only {judged} of {finished} finished chains are judged: the scores are over "
                f"these. {_JUDGE_HINT.capitalize()}.",
            )
        )
    cells = metrics["mqm80_gated"]
    kinds = sum(view.startswith("subcategory:") for view in cells)
    fit, macro = (written(cells[view]["mean"], 1) for view in ("global", "macro_category"))
    meaning = (
        f"{reached}. {fit}% of them keep their meaning (gated MQM of 80 or more; mean over "
        f"{len(content['sequences'])} sequences), {macro}% as the mean over {kinds} categories of "
        f"{len(content['texts'])} texts; judged by {judge}."
    )
    sentences.append(("", meaning))
    return sentences
