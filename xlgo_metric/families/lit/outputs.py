"""Files of a result: means in the harness's form, a row for each chain, and a manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...core import Record
from ...family import Outputs
from .judging.prompts import PROMPTS
from .mqm import scheme
from .records import ChainRecord, parts_of
from .values import Options, values_of


def outputs(records: Sequence[Record], section: Mapping[str, Any]) -> Outputs:
    """Results in the harness's form, a row for each chain, and what the numbers depend on."""
    weights = scheme(section["options"]["weights"])
    settings = Options(weights, missing=section["options"]["missing"])
    rows = []
    for part, chains in parts_of(records, weights)[0].items():
        values = values_of(chains, settings)
        for chain in sorted(chains, key=lambda chain: (chain.sequence, chain.text_id)):
            rows.append(_row(part, chain, values[chain.text_id, chain.sequence]))
    manifest = {
        **{name: section[name] for name in ("data_origin", "signature", "warnings", "options")},
        "prompts": {name: prompt.label for name, prompt in PROMPTS.items()},
        "surface_signatures": section["surface_signatures"],
        "coverage": {part: content["coverage"] for part, content in section["splits"].items()},
    }
    return Outputs(harness_results(section), rows, manifest)


def harness_results(section: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The means in the form of ``results`` of lm-evaluation-harness.

    Returns:
        By task: ``lit_<split>`` with macro-category and global means, and one task each for tiers,
        sequences and subcategories; keys as ``mqm80,none`` and ``mqm80_stderr,none``.
    """
    rows: dict[str, dict[str, float]] = {}
    for split, part in section["splits"].items():
        for metric, by_view in part["metrics"].items():
            for view, cell in by_view.items():
                _, _, name = view.partition(":")
                row = rows.setdefault("_".join(filter(None, ("lit", split, name))), {})
                suffix = "_global" if view == "global" else ""
                row[f"{metric}{suffix},none"] = cell["mean"]
                if cell["se"] is not None:
                    row[f"{metric}{suffix}_stderr,none"] = cell["se"]
    return rows


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
        "errors": json.dumps([asdict(e) for e in chain.judgement.errors], ensure_ascii=False),
        **values,
    }
