"""What a section says first: headline and main results in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...family import Section, Told
from ...table import written
from ...views import Row
from .records import ChainRecord
from .spread import LEAST_TEXTS
from .values import HEADLINE, UNGATED
from .views import layout_of, readable

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


def warnings_of(part: str, content: Row, records: Sequence[ChainRecord], missing: str) -> list[str]:
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
    texts = Counter(layout_of(records).subcategories)
    few = ", ".join(readable(name) for name, count in texts.items() if count < LEAST_TEXTS)
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
    means = {
        view.partition(":")[2]: cell["mean"]
        for view, cell in metrics["raw_mqm_gated"].items()
        if view.startswith("sequence:")
    }
    best, worst = (choose(means, key=means.__getitem__) for choose in (max, min))
    if means[best] > means[worst]:
        highest, lowest = (
            f"{readable(name)} ({written(means[name], 1)})" for name in (best, worst)
        )
        sentences.append(
            ("", f"gated raw MQM is highest through {highest} and lowest through {lowest}.")
        )
    return sentences
