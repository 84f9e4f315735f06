"""From records of chains to the score of one model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ...core import signature
from ...language.identify import identify_language
from ...statistics.draws import Floats
from ...statistics.measures import spearman
from ...table import written
from .hops import hop_losses, hop_table
from .kinds import error_kinds
from .mqm import DEFAULT_SCHEME, count_words, scheme
from .prompts import prompt_labels
from .records import JUDGEMENT_STATUSES, ChainRecord
from .shapes import (
    ByView,
    Coverage,
    Example,
    LitSection,
    RankAgreement,
    Split,
)  # fmt: skip
from .spread import LEAST_TEXTS, spreads
from .surface import corpus_scores, surface_signatures
from .traces import trace_languages
from .values import GATES, Options, Values, gate_of, scale_of, values_of
from .views import DRAWS, Layout, grid, layout_of, readable, replicates, views

DATA_ORIGINS = {
    "sample": "These texts are the sample set of this package: the numbers are not published LiT "
    "scores and cannot be compared with them.",
    "user": "These texts were supplied by the user: the numbers are not published LiT scores "
    "unless the texts are those of the paper, which are not public.",
}
"""Where the texts are from, and what must be said of it first."""
_EXAMPLES = 3


def summarize(
    parts: Mapping[str, Sequence[ChainRecord]],
    *,
    data_origin: str,
    model: str = "",
    judge: str | None = None,
    translation_prompt: str | None = None,
    weights: str = DEFAULT_SCHEME.name,
    missing: str = "fail",
    draws: int = DRAWS,
    seed: int = 0,
    ter: bool = False,
) -> LitSection:
    """The section of one model.

    Args:
        parts: its chains by the name of their part, each text and sequence once in a part; every
            part has its own averages, and empty ones are left out.
        data_origin: ``sample`` or ``user``.
        model, judge: their names; ``judge`` is ``None`` where nobody judged.
        translation_prompt: id and hash of the prompt of the hops.
        weights: of ``raw_mqm`` and ``mqm80``, see ``mqm.scheme``.
        missing: what a chain that broke off is worth, see ``values``.
        draws: resamples of the texts, 2 or more.
        seed: of the resamples.
        ter: TER too, which can take seconds a text.

    Returns:
        Plain JSON types: ``signature``, ``model``, ``data_origin``, ``warnings`` (the first says
        what the texts are), ``options``, ``surface_signatures`` and ``splits``. A split has
        ``texts``, ``sequences``, ``coverage``, ``metrics[metric][view]`` with ``mean``, ``se``,
        ``low``, ``high`` (95 %), ``texts`` and ``n`` chains, ``hops``,
        ``hop_loss``, ``errors``, ``traces``, ``corpus``, ``agreement`` and ``examples``. The views
        are those of ``views.views``. All scores are on the scale of the paper, 0 to 100.

    Raises:
        ValueError: an unknown option, or sacrebleu is not installed.
    """
    records = [record for chains in parts.values() for record in chains]
    options = Options(scheme(weights), missing=missing, ter=ter)
    warnings = [DATA_ORIGINS[data_origin]]
    splits: dict[str, Split] = {}
    for part, chains in parts.items():
        if chains:
            splits[part] = _split(chains, options, draws, seed)
            _warn(splits[part], chains, options, part, warnings)
    judged = any(record.judgement.status != "none" for record in records)
    direct = any(record.direct.status != "none" for record in records)
    if not judged and not direct:
        warnings.insert(
            1, "Nobody judged these chains: surface scores are for smoke tests, not for meaning."
        )
    fields = {
        "task": "lit",
        "data": data_origin,
        "texts": "+".join(str(len(part["texts"])) for part in splits.values()),
        "sequences": _sequences(splits),
        "weights": options.weights.name if judged else None,
        "judge": _plain(judge) if judge else None,
        "prompts": _plain(prompt_labels(direct)) if judged or direct else None,
        "translation": _plain(translation_prompt) if translation_prompt else None,
        "missing": missing,
        "draws": draws,
        "seed": seed,
    }
    return {
        "signature": signature(fields),
        "model": model,
        "data_origin": data_origin,
        "warnings": warnings,
        "options": {
            "weights": options.weights.name, "missing": missing, "draws": draws, "seed": seed,
            "judge": judge, "translation_prompt": translation_prompt,
        },
        "surface_signatures": surface_signatures(),
        "splits": splits,
    }  # fmt: skip


def _sequences(splits: Mapping[str, Split]) -> str:
    names = dict.fromkeys(name for part in splits.values() for name in part["sequences"])
    return _plain("+".join(names))


def _plain(text: str) -> str:
    """A text without the characters that separate the fields of a signature."""
    return text.replace("|", "/").replace(":", "/").replace("\n", " ")


def cells_of(
    records: Sequence[ChainRecord], options: Options
) -> tuple[Layout, Values, dict[str, Floats]]:
    """The layout of chains, their values, and these by metric, shape (texts, sequences)."""
    layout = layout_of(records)
    values = values_of(records, options)
    return layout, values, {name: grid(layout, values, name) for name in options.metrics()}


def _split(records: Sequence[ChainRecord], options: Options, draws: int, seed: int) -> Split:
    records = sorted(records, key=lambda r: (r.text_id, r.sequence))
    layout, values, cells = cells_of(records, options)
    finished = [record for record in records if record.ok]
    return {
        "texts": list(layout.texts),
        "sequences": list(layout.sequences),
        "coverage": _coverage(records, layout),
        "metrics": estimates(layout, cells, draws, seed),
        "hops": hop_table(records),
        "hop_loss": hop_losses(records),
        "errors": error_kinds(records, options.weights),
        "traces": trace_languages(records, _language),
        "corpus": corpus_scores([(r.original, r.final) for r in finished]),
        "agreement": _agreement(records, values, options),
        "examples": _examples(records, values),
    }


def estimates(
    layout: Layout, cells: Mapping[str, Floats], draws: int, seed: int
) -> dict[str, ByView]:
    """For each metric and view its mean, standard error and 95 % interval (see ``spread``).

    Metrics without any value are left out, and so are views without one.
    """
    known = {name: values for name, values in cells.items() if not np.isnan(values).all()}
    if not known:
        return {}
    drawn = replicates(layout, known, draws, seed)
    by_metric: dict[str, ByView] = {}
    for name, values in known.items():
        point = views(layout, values)
        sizes = {
            view: int(np.count_nonzero(~np.isnan(values[np.ix_(*members)])))
            for view, members in layout.members.items()
        }
        spread = spreads(layout, values, drawn[name], ends=scale_of(name))
        by_metric[name] = {
            view: {"mean": float(point[view][0]), **spread[view], "n": sizes[view]}
            for view in point
            if sizes[view]
        }
    return by_metric


def _coverage(records: Sequence[ChainRecord], layout: Layout) -> Coverage:
    there = [record for record in records if not record.missing]
    failed = Counter(record.chain_status for record in there if not record.ok)
    finished = [record for record in there if record.ok]
    gates = Counter(map(gate_of, finished))
    judged = Counter(record.judgement.status for record in finished)
    direct = Counter(record.direct.status for record in finished)
    return {
        "chains": len(layout.texts) * len(layout.sequences),
        "recorded": len(records),
        "missing": len(records) - len(there),
        "finished": len(finished),
        "gate": {name: gates[name] for name in GATES},
        "failed": dict(sorted(failed.items())),
        "judgements": {name: judged[name] for name in JUDGEMENT_STATUSES},
        "direct": {name: direct[name] for name in JUDGEMENT_STATUSES},
    }


def gate_warning(part: str, content: Split) -> str | None:
    """How many chains were no translations, and what they would be worth without the gate.

    Args:
        part: its name.
        content: of that part, in a section.

    Returns:
        ``None`` where every finished chain is a translation at every hop.
    """
    gate, finished = content["coverage"]["gate"], content["coverage"]["finished"]
    shut = finished - gate["open"]
    if not shut:
        return None
    reasons = (
        (gate["copied"], "a hop copies its input"),
        (gate["another_language"], "a hop is in another language than asked for"),
        (gate["language_unknown"], "the language of a hop cannot be detected"),
    )
    reasons_counted = "; ".join(f"in {count} {reason}" for count, reason in reasons if count)
    sentence = (
        f"LiT {part}: {shut} of {finished} finished chains are not translations all the way "
        f"({reasons_counted}). They count 0 in gated scores"
    )
    metrics = content["metrics"]
    for name, label in (("mqm80", "MQM ≥ 80"), ("chrf", "chrF++")):
        if name in metrics and "global" in metrics[name]:
            means = (metrics[key]["global"]["mean"] for key in (f"{name}_gated", name))
            gated, without = (written(mean, 1) for mean in means)
            return f"{sentence}: {label} is {gated} gated, {without} ungated."
    return f"{sentence}."


def _warn(
    content: Split,
    records: Sequence[ChainRecord],
    options: Options,
    split: str,
    warnings: list[str],
) -> None:
    coverage = content["coverage"]
    if (warning := gate_warning(split, content)) is not None:
        warnings.append(warning)
    lost = coverage["chains"] - coverage["recorded"]
    if lost:
        warnings.append(f"{split}: {lost} of {coverage['chains']} chains are not recorded.")
    if coverage["missing"]:
        warnings.append(
            f"{split}: {coverage['missing']} of {coverage['recorded']} chains are missing, since "
            "requests failed: the same command asks for them again."
        )
    failed = sum(coverage["failed"].values())
    if failed:
        worth = "count 0 in mqm80 and gated scores" if options.missing == "fail" else "are left out"
        warnings.append(f"{split}: {failed} chains broke off; they {worth}.")
    read = ((coverage["judgements"], "judgements"), (coverage["direct"], "direct scores"))
    for counts, name in read:
        unread = counts["unparsed"] + counts["error"]
        if unread:
            warnings.append(f"{split}: {unread} {name} could not be read; they are left out.")
        if counts["none"] and counts["none"] < coverage["finished"]:
            warnings.append(f"{split}: {counts['none']} finished chains have no {name} yet.")
    texts = Counter(layout_of(records).subcategories)
    few = [name for name, count in texts.items() if count < LEAST_TEXTS]
    if few:
        names = ", ".join(map(readable, few))
        warnings.append(
            f"{split}: fewer than {LEAST_TEXTS} texts of {names}: these have no standard error."
        )


def _language(sentence: str) -> str | None:
    """The language of a sentence of a trace, if detectable."""
    found = identify_language(sentence)
    return found.language if found.sure else None


def _agreement(
    records: Sequence[ChainRecord], values: Values, options: Options
) -> dict[str, RankAgreement]:
    """Rank correlation of gated ``raw_mqm`` with other measures of the same chains."""
    words = {(r.text_id, r.sequence): float(count_words(r.original)) for r in records if r.ok}
    names = [f"raw_mqm[{other.name}]_gated" for other in options.others if other != options.weights]
    found: dict[str, RankAgreement] = {}
    for name in (*names, "raw_mqm", "direct_gated", "chrf_gated", "bleu_gated", "words"):
        pairs = []
        for key, length in words.items():
            other = length if name == "words" else values[key][name]
            own = values[key]["raw_mqm_gated"]
            if own is not None and other is not None:
                pairs.append((own, other))
        if len(pairs) > 2:
            rho, _ = spearman(*zip(*pairs))
            found[name] = {"n": len(pairs), "spearman": rho}
    return found


def _examples(records: Sequence[ChainRecord], values: Values) -> list[Example]:
    """The worst, the middle and the best chain by gated ``raw_mqm``, or chrF++ without a judge."""
    finished = [record for record in records if record.ok]
    name = "raw_mqm_gated"
    if not any(values[r.text_id, r.sequence][name] is not None for r in finished):
        name = "chrf_gated"
    scored = [
        (score, record.text_id, record.sequence, record)
        for record in finished
        if (score := values[record.text_id, record.sequence][name]) is not None
    ]
    scored.sort(key=lambda entry: entry[:3])
    if not scored:
        return []
    places = dict.fromkeys(round(i * (len(scored) - 1) / (_EXAMPLES - 1)) for i in range(_EXAMPLES))
    return [_example(name, scored[place][0], scored[place][3]) for place in places]


def _example(metric: str, score: float, record: ChainRecord) -> Example:
    return {
        "metric": metric,
        "score": score,
        "text_id": record.text_id,
        "sequence": record.sequence,
        "original": record.original,
        "final": record.final,
        "hops": [
            {"src": h.src, "tgt": h.tgt, "output": h.output, "language_ok": h.language_ok}
            for h in record.hops
        ],
        "errors": [error.to_json() for error in record.judgement.errors],
    }


def harness_results(section: LitSection) -> dict[str, dict[str, float]]:
    """The means in the form of ``results`` of lm-evaluation-harness.

    Returns:
        By task: ``lit_<split>`` with macro-category and global means, and one task each for tiers,
        sequences and subcategories; keys as ``mqm80,none`` and ``mqm80_stderr,none``.
    """
    rows: dict[str, dict[str, float]] = {}
    for split, part in section["splits"].items():
        for metric, by_view in part["metrics"].items():
            for view, cell in by_view.items():
                task, suffix = f"lit_{split}", ""
                if ":" in view:
                    task = f"{task}_{view.partition(':')[2]}"
                elif view == "global":
                    suffix = "_global"
                row = rows.setdefault(task, {})
                row[f"{metric}{suffix},none"] = cell["mean"]
                if cell["se"] is not None:
                    row[f"{metric}{suffix}_stderr,none"] = cell["se"]
    return rows
