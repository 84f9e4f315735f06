"""From graded responses to the section of a score, its headline and its files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...core import Grade, Record
from ...extras import Outputs
from ...table import written
from .mqm import DEFAULT_SCHEME, MqmError, Scheme, count_words, raw_mqm, scheme
from .prompts import PROMPTS
from .records import ChainRecord, Direct, Hop, HopScore, Judgement
from .shapes import LitSection, Split
from .summary import gate_warning, harness_results, summarize
from .surface import surface_scores
from .values import HEADLINE, UNGATED, Options, values_of
from .views import readable

PARTS = ("main", "robustness", "pairwise", "custom")
"""The split ``main`` through the eight sequences, the other split, and the two other presets."""
_OF_TASKS = {f"lit_{name}": name for name in PARTS[1:]}
_HASH_LENGTH = 12
_JUDGE_HINT = "judge them with `xlgo judge`"


def part_of(reference: Mapping[str, object]) -> str:
    """The part of a result that a question belongs to; each has its own averages."""
    return _OF_TASKS.get(str(reference.get("task")), PARTS[0])


_TEXTS = ("text_id", "subcategory", "category", "text_split", "sequence", "tier", "original")


def record_of(
    grade: Grade, reference: Mapping[str, Any], weights: Scheme = DEFAULT_SCHEME
) -> ChainRecord:
    """The record of one chain.

    Args:
        grade: from ``grading.grade``, perhaps judged.
        reference: of the question.
        weights: of scores after hops on the way, where these were judged.

    Raises:
        ValueError: the reference lacks what a record needs.
    """
    for name in _TEXTS:
        if not isinstance(reference.get(name, ""), str):
            raise ValueError(f"{name!r} in the reference of a chain is no text")
    answer = grade.answer or {"status": "failed@1", "hops": []}
    hops = tuple(
        Hop(
            hop["hop"], hop["src"], hop["tgt"], hop["output"], hop["status"], hop["language_ok"],
            hop["reasoning"], hop["copied"],
        )
        for hop in answer["hops"]
    )  # fmt: skip
    ok = answer["status"] == "ok"
    judgement = _judgement(grade.details.get("judgement"))
    direct = grade.details.get("direct") or {}
    try:
        return ChainRecord(
            text_id=reference["text_id"],
            subcategory=reference["subcategory"],
            category=reference["category"],
            split=reference["text_split"],
            sequence=reference["sequence"],
            tier=reference["tier"],
            hops=hops,
            chain_status=answer["status"],
            original=reference["original"],
            final=hops[-1].output if ok else "",
            judgement=judgement,
            direct=Direct(direct.get("status", "none"), direct.get("score")),
            hop_scores=_hop_scores(grade, reference["original"], judgement, weights) if ok else (),
        )
    except KeyError as error:
        raise ValueError(f"the reference of a chain has no {error}") from None


def _judgement(found: Mapping[str, Any] | None) -> Judgement:
    if not found:
        return Judgement()
    return Judgement(found["status"], tuple(map(MqmError.from_json, found["errors"])))


def _hop_scores(
    grade: Grade, original: str, last: Judgement, weights: Scheme
) -> tuple[HopScore, ...]:
    """Scores of what was translated back on the way.

    The last language needs no translation of its own: the end of the chain is one.
    """
    hops = (grade.answer or {})["hops"]
    backs = [(hop["hop"], hop["back"]) for hop in hops if hop["back"] is not None]
    if not backs:
        return ()
    words = max(1, count_words(original))
    judged = [_judgement(found) for found in grade.details.get("hops", ())]
    judged += [Judgement()] * (len(backs) - len(judged))
    backs.append((hops[-1]["hop"] - 1, hops[-1]["output"]))
    found = []
    for (number, text), judgement in zip(backs, [*judged, last]):
        if judgement.status == "ok":
            score = raw_mqm(judgement.errors, weights, words=words)
            found.append(HopScore(number, "raw_mqm", score))
        found.append(HopScore(number, "chrf", surface_scores(original, text)["chrf"]))
    return tuple(found)


def parts_of(
    records: Sequence[Record], weights: Scheme = DEFAULT_SCHEME
) -> tuple[dict[str, list[ChainRecord]], int]:
    """The chains by part, and the number of duplicates that were left out."""
    found: dict[str, list[ChainRecord]] = {name: [] for name in PARTS}
    seen: set[tuple[str, str, str]] = set()
    again = 0
    for record in records:
        chain = record_of(record.grade, record.reference, weights)
        part = part_of(record.reference)
        key = (part, chain.text_id, chain.sequence)
        if key in seen:
            again += 1
            continue
        seen.add(key)
        found[part].append(chain)
    return {name: chains for name, chains in found.items() if chains}, again


def judges_of(records: Sequence[Record]) -> str | None:
    """The names of the judges; ``None`` without judgements."""
    names = {str(r.grade.details["judge"]) for r in records if r.grade.details.get("judge")}
    return "+".join(sorted(names)) or None


def section_of(records: Sequence[Record], **options: Any) -> LitSection:
    """The section of a score: see ``summary.summarize``.

    Args:
        records: graded responses, each text and sequence once; repetitions are left out.
        options: ``weights``, ``missing``, ``draws``, ``seed`` and ``ter``.

    Raises:
        ValueError: an option that is not allowed, or sacrebleu is not installed.
    """
    settings = dict(options)
    weights = scheme(settings["weights"]) if "weights" in settings else DEFAULT_SCHEME
    parts, again = parts_of(records, weights)
    origins = {str(record.reference.get("data_origin", "user")) for record in records}
    prompts = {_prompt(record.reference) for record in records}
    section = summarize(
        parts,
        data_origin="sample" if "sample" in origins else "user",
        judge=judges_of(records),
        translation_prompt="+".join(sorted(prompts)),
        **settings,
    )
    if again:
        section["warnings"].append(
            f"{again} chains are repetitions of others: the first of each counts."
        )
    return section


def _prompt(reference: Mapping[str, object]) -> str:
    """Id and hash of the prompt of the translations."""
    sha = str(reference.get("prompt_sha", ""))[:_HASH_LENGTH]
    return f"{reference.get('prompt_id', '')}@{sha}"


def headline(section: LitSection) -> dict[str, float]:
    """``lit_<part>_<metric>`` for the global means, and ``..._macro`` for those over categories.

    Gated scores first.
    """
    found = {}
    for part, content in section["splits"].items():
        for metric in (*HEADLINE, "chrf_gated", *UNGATED, "chrf"):
            for view, suffix in (("global", ""), ("macro_category", "_macro")):
                cell = content["metrics"].get(metric, {}).get(view)
                if cell is not None:
                    found[f"lit_{part}_{metric}{suffix}"] = cell["mean"]
    return found


def findings(section: LitSection) -> list[tuple[str, str]]:
    """What the texts are, which chains are no translations, then each part in words."""
    told = [("warn", section["warnings"][0])]
    parts = section["splits"]
    told += [
        ("warn", warning)
        for part, content in parts.items()
        if (warning := gate_warning(part, content)) is not None
    ]
    for part, content in parts.items():
        told += _findings(part, content, section["options"]["judge"])
    return told


def _findings(part: str, content: Split, judge: str | None) -> list[tuple[str, str]]:
    coverage, metrics = content["coverage"], content["metrics"]
    reached = f"{coverage['finished']} of {coverage['chains']} chains reached their end"
    if coverage["missing"]:
        reached += f", {coverage['missing']} are missing since requests failed"
    if "mqm80_gated" not in metrics:
        surface = metrics.get("chrf_gated", {}).get("global")
        score = f"; gated chrF++ {written(surface['mean'], 1)} (surface only)" if surface else ""
        return [("warn", f"LiT {part}: {reached}, none is judged{score}: {_JUDGE_HINT}.")]
    judged = coverage["judgements"]["ok"]
    sentences = []
    if judged < coverage["finished"]:
        sentences.append(
            (
                "warn",
                f"LiT {part}: only {judged} of {coverage['finished']} finished chains are judged: "
                f"the scores are over these. {_JUDGE_HINT.capitalize()}.",
            )
        )
    kinds = sum(view.startswith("subcategory:") for view in metrics["mqm80_gated"])
    macro, over_all = (
        metrics["mqm80_gated"][view]["mean"] for view in ("macro_category", "global")
    )
    sentences.append(
        (
            "",
            f"LiT {part}: {reached}. {written(over_all, 1)}% of them keep their meaning (gated MQM "
            f"of 80 or more; mean over {len(content['sequences'])} sequences), "
            f"{written(macro, 1)}% as the mean over {kinds} categories of "
            f"{len(content['texts'])} texts; judged by {judge or 'a judge without a name'}.",
        )
    )
    by_sequence = {
        view.partition(":")[2]: cell["mean"]
        for view, cell in metrics.get("raw_mqm_gated", {}).items()
        if view.startswith("sequence:")
    }
    # One place for both ends says nothing.
    if len(set(by_sequence.values())) > 1:
        worst = min(by_sequence, key=lambda name: by_sequence[name])
        best = max(by_sequence, key=lambda name: by_sequence[name])
        sentences.append(
            (
                "",
                f"LiT {part}: gated raw MQM is highest through {readable(best)} "
                f"({written(by_sequence[best], 1)}) "
                f"and lowest through {readable(worst)} ({written(by_sequence[worst], 1)}).",
            )
        )
    return sentences


def outputs(records: Sequence[Record], section: LitSection) -> Outputs:
    """Results in the harness's form, a row for each chain, and what the numbers depend on."""
    options = section["options"]
    weights = scheme(options["weights"])
    settings = Options(weights, missing=options["missing"])
    parts, _ = parts_of(records, weights)
    rows = []
    for part, chains in parts.items():
        values = values_of(chains, settings)
        for chain in sorted(chains, key=lambda chain: (chain.sequence, chain.text_id)):
            rows.append(_row(part, chain, values[chain.text_id, chain.sequence]))
    manifest = {
        "data_origin": section["data_origin"],
        "signature": section["signature"],
        "warnings": section["warnings"],
        "options": dict(options),
        "prompts": {name: prompt.label for name, prompt in PROMPTS.items()},
        "surface_signatures": section["surface_signatures"],
        "coverage": {part: found["coverage"] for part, found in section["splits"].items()},
    }
    return Outputs(harness_results(section), rows, manifest)


def _row(part: str, chain: ChainRecord, values: Mapping[str, float | None]) -> dict[str, object]:
    return {
        "part": part,
        "text_id": chain.text_id,
        "sequence": chain.sequence,
        "tier": chain.tier,
        "category": chain.category,
        "subcategory": chain.subcategory,
        "chain_status": "missing" if chain.missing else chain.chain_status,
        "languages": ",".join(hop.tgt for hop in chain.hops),
        "original": chain.original,
        "final": chain.final,
        "judgement": chain.judgement.status,
        "direct_judgement": chain.direct.status,
        "errors": json.dumps([e.to_json() for e in chain.judgement.errors], ensure_ascii=False),
        **values,
    }
