"""From the chains of one model to the section of its score."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ...core import Record, common, signature
from ...family import Section
from ...views import Row
from .grading import surface_signatures
from .prompts import prompt_labels
from .records import DEFAULT_WEIGHTS, GATES, JUDGEMENT_STATUSES, parts_of, weights_of
from .tables import warnings_of
from .values import METRICS, error_kinds, hop_table, values_of
from .views import DRAWS, estimates, grids_of

DATA_ORIGINS = {
    "sample": "These texts are the sample set of this package: the numbers are not published LiT "
    "scores and cannot be compared with them.",
    "user": "These texts were supplied by the user: the numbers are not published LiT scores "
    "unless the texts are those of the paper, which are not public.",
}
"""Where the texts are from, and what must be said of it first."""
_HASH_LENGTH = 12


def summarize(
    records: Sequence[Record],
    *,
    weights: str = DEFAULT_WEIGHTS,
    missing: str = "fail",
    draws: int = DRAWS,
    seed: int = 0,
) -> Section:
    """The section of one model.

    Args:
        records: graded responses. Each text and sequence counts once in a part, and every part has
            its own averages; repetitions are left out.
        weights: of ``raw_mqm`` and ``mqm80``, see ``records.weights_of``.
        missing: what a chain that broke off is worth, see ``values``.
        draws: resamples of the texts, 2 or more.
        seed: of the resamples.

    Returns:
        Plain JSON types: ``signature``, ``data_origin``, ``warnings`` (the first says what the
        texts are), ``options``, ``surface_signatures`` and ``splits``. A split has ``texts`` and
        ``sequences`` (names), ``coverage`` (numbers of chains), ``hops`` and ``errors`` (see
        ``values``), and ``metrics[metric][view]`` with ``mean``, ``se``, ``texts`` and ``n``
        chains; the views are those of ``views.views``. All scores are on the scale of the paper, 0
        to 100; shares are fractions, ``None`` where there is nothing to count.

    Raises:
        ValueError: an option that is not allowed, or sacrebleu is not installed.
    """
    weights_of(weights)  # before anything is counted
    parts, repetitions = parts_of(records)
    references = [record.reference for record in records]
    data_origin = "sample" if "sample" in {x.get("data_origin") for x in references} else "user"
    judge = common([record.grade.details for record in records], "judge")
    prompts = {
        f"{x.get('prompt_id', '')}@{str(x.get('prompt_sha', ''))[:_HASH_LENGTH]}"
        for x in references
    }
    judged, direct = (
        any(chain[kind] != "none" for chains in parts.values() for chain in chains)
        for kind in ("judgement", "direct")
    )
    splits = {part: _split(chains, weights, missing, draws, seed) for part, chains in parts.items()}
    warnings = [DATA_ORIGINS[data_origin]]
    if not judged and not direct:
        warnings.append(
            "Nobody judged these chains: surface scores are for smoke tests, not for meaning."
        )
    for part, content in splits.items():
        warnings += warnings_of(part, content, parts[part], missing)
    if repetitions:
        warnings.append(
            f"{repetitions} chains are repetitions of others: the first of each counts."
        )
    options = {"weights": weights, "missing": missing, "draws": draws, "seed": seed}
    options |= {"judge": judge, "translation_prompt": "+".join(sorted(prompts))}
    sequences = dict.fromkeys(name for part in splits.values() for name in part["sequences"])
    fields = {
        "task": "lit",
        "data": data_origin,
        "texts": "+".join(str(len(part["texts"])) for part in splits.values()),
        "sequences": "+".join(sequences),
        "weights": weights if judged else None,
        "judge": judge,
        "prompts": prompt_labels(direct) if judged or direct else None,
        "translation": options["translation_prompt"] or None,
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
        "data_origin": data_origin,
        "warnings": warnings,
        "options": options,
        "surface_signatures": surface_signatures(),
        "splits": splits,
    }


def _split(chains: Sequence[Row], weights: str, missing: str, draws: int, seed: int) -> Row:
    grids = grids_of(values_of(chains, weights, missing))
    texts, sequences = (
        list(axis.unique(name))
        for axis, name in zip(grids[METRICS[0]].axes, ("text_id", "sequence"))
    )
    return {
        "texts": texts,
        "sequences": sequences,
        "coverage": _coverage(chains, len(texts) * len(sequences)),
        "metrics": estimates(grids, draws, seed),
        "hops": hop_table(chains),
        "errors": error_kinds(chains, weights),
    }


def _coverage(chains: Sequence[Row], asked: int) -> Row:
    answered = [chain for chain in chains if not chain["missing"]]
    finished = [chain for chain in answered if chain["status"] == "ok"]

    def counts(key: str, names: Iterable[str]) -> dict[str, int]:
        number = Counter(chain[key] for chain in finished)
        return {name: number[name] for name in names}

    failed = Counter(chain["status"] for chain in answered if chain["status"] != "ok")
    return {
        "chains": asked,
        "recorded": len(chains),
        "missing": len(chains) - len(answered),
        "finished": len(finished),
        "gate": counts("gate", GATES),
        "failed": dict(sorted(failed.items())),
        "judgements": counts("judgement", JUDGEMENT_STATUSES),
        "direct": counts("direct", JUDGEMENT_STATUSES),
    }
