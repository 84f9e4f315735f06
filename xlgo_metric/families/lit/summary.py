"""From the chains of one model to the section of its score."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core import Record, signature
from ...family import Section
from ...statistics.draws import Floats
from ...views import Row
from .grading import surface_signatures
from .prompts import prompt_labels
from .records import (
    DEFAULT_WEIGHTS,
    JUDGEMENT_STATUSES,
    ChainRecord,
    judges_of,
    parts_of,
    weights_of,
)
from .tables import warnings_of
from .values import GATES, METRICS, error_kinds, gate_of, hop_table, values_of
from .views import DRAWS, LEAST_TEXTS, Layout, grid, layout_of, mean_of_known, replicates, views

DATA_ORIGINS = {
    "sample": "These texts are the sample set of this package: the numbers are not published LiT "
    "scores and cannot be compared with them.",
    "user": "These texts were supplied by the user: the numbers are not published LiT scores "
    "unless the texts are those of the paper, which are not public.",
}
"""Where the texts are from, and what must be said of it first."""
_HASH_LENGTH = 12


def section_of(records: Sequence[Record], **options: Any) -> Section:
    """The section of a score: see :func:`summarize`.

    Args:
        records: graded responses, each text and sequence once; repetitions are left out.
        options: ``weights``, ``missing``, ``draws`` and ``seed``.

    Raises:
        ValueError: an option that is not allowed, or sacrebleu is not installed.
    """
    parts, repetitions = parts_of(records)
    references = [record.reference for record in records]
    origins = {reference.get("data_origin") for reference in references}
    prompts = {
        f"{reference.get('prompt_id', '')}@{str(reference.get('prompt_sha', ''))[:_HASH_LENGTH]}"
        for reference in references
    }
    section = summarize(
        parts,
        data_origin="sample" if "sample" in origins else "user",
        judge=judges_of(records),
        translation_prompt="+".join(sorted(prompts)),
        **options,
    )
    if repetitions:
        section["warnings"].append(
            f"{repetitions} chains are repetitions of others: the first of each counts."
        )
    return section


def summarize(
    parts: Mapping[str, Sequence[ChainRecord]],
    *,
    data_origin: str,
    model: str = "",
    judge: str | None = None,
    translation_prompt: str | None = None,
    weights: str = DEFAULT_WEIGHTS,
    missing: str = "fail",
    draws: int = DRAWS,
    seed: int = 0,
) -> Section:
    """The section of one model.

    Args:
        parts: its chains by the name of their part, each text and sequence once in a part; every
            part has its own averages, and empty ones are left out.
        data_origin: ``sample`` or ``user``.
        model, judge: their names; ``judge`` is ``None`` where nobody judged.
        translation_prompt: id and hash of the prompt of the hops.
        weights: of ``raw_mqm`` and ``mqm80``, see ``records.weights_of``.
        missing: what a chain that broke off is worth, see ``values``.
        draws: resamples of the texts, 2 or more.
        seed: of the resamples.

    Returns:
        Plain JSON types: ``signature``, ``model``, ``data_origin``, ``warnings`` (the first says
        what the texts are), ``options``, ``surface_signatures`` and ``splits``. A split has
        ``texts`` and ``sequences`` (names), ``coverage`` (numbers of chains), ``hops`` and
        ``errors`` (see ``values``), and ``metrics[metric][view]`` with ``mean``, ``se``, ``texts``
        and ``n`` chains; the views are those of ``views.views``. All scores are on the scale of
        the paper, 0 to 100; shares are fractions, ``None`` where there is nothing to count.

    Raises:
        ValueError: an unknown option, or sacrebleu is not installed.
    """
    weights_of(weights)  # before anything is counted
    warnings = [DATA_ORIGINS[data_origin]]
    records = [record for chains in parts.values() for record in chains]
    judged, direct = (
        any(getattr(record, kind).status != "none" for record in records)
        for kind in ("judgement", "direct")
    )
    if not judged and not direct:
        warnings.append(
            "Nobody judged these chains: surface scores are for smoke tests, not for meaning."
        )
    splits = {
        part: _split(chains, weights, missing, draws, seed)
        for part, chains in parts.items()
        if chains
    }
    for part, content in splits.items():
        warnings += warnings_of(part, content, parts[part], missing)
    sequences = dict.fromkeys(name for part in splits.values() for name in part["sequences"])
    fields = {
        "task": "lit",
        "data": data_origin,
        "texts": "+".join(str(len(part["texts"])) for part in splits.values()),
        "sequences": "+".join(sequences),
        "weights": weights if judged else None,
        "judge": judge or None,
        "prompts": prompt_labels(direct) if judged or direct else None,
        "translation": translation_prompt or None,
        "missing": missing,
        "draws": draws,
        "seed": seed,
    }
    separators = str.maketrans({"|": "/", ":": "/", "\n": " "})
    plain = {
        name: v.translate(separators) if isinstance(v, str) else v for name, v in fields.items()
    }
    return {
        "signature": signature(plain),
        "model": model,
        "data_origin": data_origin,
        "warnings": warnings,
        "options": {
            "weights": weights,
            "missing": missing,
            "draws": draws,
            "seed": seed,
            "judge": judge,
            "translation_prompt": translation_prompt,
        },
        "surface_signatures": surface_signatures(),
        "splits": splits,
    }


def _split(
    records: Sequence[ChainRecord], weights: str, missing: str, draws: int, seed: int
) -> Row:
    records = sorted(records, key=lambda r: (r.text_id, r.sequence))
    layout, values = layout_of(records), values_of(records, weights, missing)
    return {
        "texts": list(layout.texts),
        "sequences": list(layout.sequences),
        "coverage": _coverage(records, layout),
        "metrics": _estimates(
            layout, {name: grid(layout, values, name) for name in METRICS}, draws, seed
        ),
        "hops": hop_table(records),
        "errors": error_kinds(records, weights),
    }


def _estimates(
    layout: Layout, cells: Mapping[str, Floats], draws: int, seed: int
) -> dict[str, Row]:
    """For each metric and view that has a value its mean and standard error."""
    measured = {name: values for name, values in cells.items() if not np.isnan(values).all()}
    drawn = replicates(layout, measured, draws, seed)
    by_metric: dict[str, Row] = {}
    for name, values in measured.items():
        by_view = by_metric[name] = {}
        for view, mean in views(layout, values).items():
            part = values[np.ix_(*layout.members[view])]
            of_texts, errors = (x[~np.isnan(x)] for x in (mean_of_known(part), drawn[name][view]))
            has_error = len(of_texts) >= LEAST_TEXTS and len(errors) > 1 and np.ptp(of_texts) > 1e-9
            if n := int(np.count_nonzero(~np.isnan(part))):
                by_view[view] = {
                    "mean": float(mean[0]),
                    "se": float(np.std(errors, ddof=1)) if has_error else None,
                    "texts": len(of_texts),
                    "n": n,
                }
    return by_metric


def _coverage(records: Sequence[ChainRecord], layout: Layout) -> Row:
    answered = [record for record in records if not record.missing]
    finished = [record for record in answered if record.ok]
    gates = Counter(map(gate_of, finished))
    judged = Counter(record.judgement.status for record in finished)
    direct = Counter(record.direct.status for record in finished)
    failed = Counter(record.chain_status for record in answered if not record.ok)
    return {
        "chains": len(layout.texts) * len(layout.sequences),
        "recorded": len(records),
        "missing": len(records) - len(answered),
        "finished": len(finished),
        "gate": {name: gates[name] for name in GATES},
        "failed": dict(sorted(failed.items())),
        "judgements": {name: judged[name] for name in JUDGEMENT_STATUSES},
        "direct": {name: direct[name] for name in JUDGEMENT_STATUSES},
    }
