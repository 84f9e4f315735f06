"""Means over texts and sequences: the two published views, and their errors by resampling texts.

The category view (Tables 2, 4, 6, 7 of the paper) takes a text's mean over its sequences, then the
mean of the texts of a subcategory; ``macro_category`` is the unweighted mean of the subcategories.
The sequence view (Tables 3, 8, 9) takes the mean over texts for each sequence; a tier and
``global`` are unweighted means of sequences. The two averages differ, so each has its own name.

Texts are drawn with return within their subcategory, and a drawn text brings all of its
sequences with it: chains of one text are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ...core import grouped
from ...statistics.draws import Floats, Stream
from ...views import Row, ordered
from .values import METRICS

SUBCATEGORIES = (
    "humanities",
    "stem",
    "core_semantics",
    "discourse",
    "implicit",
    "inference",
    "social",
    "informal",
    "conceptual_abstract",
    "idioms_metaphors",
    "polysemy",
    "register_tone",
    "syntactic_garden",
)
"""In the order of the paper's tables; others follow by name."""
TIERS = {
    "high": ("e_asia", "c_europe", "n_east"),
    "medium": ("se_asia", "s_asia", "n_europe"),
    "low": ("africa", "s_america"),
}
SEQUENCES = tuple(name for names in TIERS.values() for name in names)
_TEXT, _CHAIN = ["subcategory", "text_id"], ["tier", "sequence"]
_NAMES = {
    "e_asia": "East Asia",
    "c_europe": "Central Europe",
    "n_east": "Near East",
    "se_asia": "Southeast Asia",
    "s_asia": "South Asia",
    "n_europe": "Northern Europe",
    "africa": "Africa",
    "s_america": "South America",
    "stem": "STEM",
    "conceptual_abstract": "conceptual and abstract",
    "idioms_metaphors": "idioms and metaphors",
    "register_tone": "register and tone",
    "syntactic_garden": "garden-path syntax",
}
DRAWS = 10_000
LEAST_TEXTS = 4
"""Minimum number of texts for a standard error; texts of one value have none either."""
_BLOCK = 2_000_000  # numbers held at once
_SAME = 1e-9


def readable(name: str) -> str:
    """A sequence or subcategory as people call it; codes of custom ones without underscores."""
    return _NAMES.get(name, name.replace("_", " "))


def grids_of(chains: Sequence[Row]) -> dict[str, pd.DataFrame]:
    """The values of every metric, each a frame of texts × sequences.

    Rows are labelled by ``subcategory`` and ``text_id``, columns by ``tier`` and ``sequence``, in
    the order of the paper, which no input order changes; NaN where a value is missing.

    Args:
        chains: with these labels and the metrics, see ``values.values_of``.

    Raises:
        ValueError: a text has two subcategories, or a sequence two tiers.
    """
    frame = pd.DataFrame(chains)
    for name, what, label in (
        ("text_id", "text", "subcategory"),
        ("sequence", "sequence", "tier"),
    ):
        counts = frame.groupby(name)[label].nunique()
        if (counts > 1).any():
            raise ValueError(f"the {what} {counts.idxmax()!r} has two values of {label!r}")
    grid = frame.pivot(index=_TEXT, columns=_CHAIN, values=list(METRICS)).astype(np.float64)
    grid = grid.reindex(ordered(frame["subcategory"], SUBCATEGORIES), level="subcategory")
    grid = grid.reindex(ordered(frame["sequence"], SEQUENCES), level="sequence", axis=1)
    return {name: grid.xs(name, axis=1, level=0) for name in METRICS}


def views(cells: pd.DataFrame, counts: Floats | None = None) -> dict[str, Floats]:
    """Every mean of both views.

    Args:
        cells: of one metric, see :func:`grids_of`; shape (texts, sequences).
        counts: how often each text occurs, shape (draws, texts); ``None`` for once each.

    Returns:
        ``macro_category``, ``global``, and with a colon behind the kind ``tier:…``, ``sequence:…``
        and ``subcategory:…``, each of shape (draws,); NaN where there is no value.
    """
    counts = np.ones((1, len(cells))) if counts is None else counts
    kind = cells.index.get_level_values("subcategory").to_numpy()
    tier, sequence = (cells.columns.get_level_values(name).to_numpy() for name in _CHAIN)
    kinds, values = pd.unique(kind), cells.to_numpy()
    of_texts = np.where(kind[:, None] == kinds, mean_of_known(values)[:, None], np.nan)
    by_kind, by_sequence = _means(counts, of_texts), _means(counts, values)
    members = {"global": np.ones_like(tier, dtype=np.bool_)}
    members |= {f"tier:{name}": tier == name for name in pd.unique(tier) if name}
    members |= {f"sequence:{name}": sequence == name for name in sequence}
    return {
        "macro_category": mean_of_known(by_kind),
        **{view: mean_of_known(by_sequence[:, own]) for view, own in members.items()},
        **{f"subcategory:{name}": column for name, column in zip(kinds, by_kind.T)},
    }


def _means(counts: Floats, values: Floats) -> Floats:
    """The means of columns under counts of the rows, without NaN; NaN where there is nothing."""
    total = counts @ np.nan_to_num(values)
    count = counts @ (~np.isnan(values)).astype(np.float64)
    return np.where(count > 0, total / np.maximum(count, 1.0), np.nan)


def mean_of_known(values: Floats) -> Floats:
    """The mean over the last axis without NaN; NaN where there is nothing else."""
    return _means(np.ones((1, values.shape[1])), values.T)[0]


def estimates(grids: Mapping[str, pd.DataFrame], draws: int, seed: int) -> dict[str, Row]:
    """For each metric and view that has a value its mean and standard error.

    Args:
        grids: see :func:`grids_of`.
        draws: resamples of the texts.
        seed: of these.

    Returns:
        ``[metric][view]`` with ``mean``, ``se``, ``texts`` and ``n`` chains.
    """
    measured = {name: cells for name, cells in grids.items() if cells.notna().any(axis=None)}
    kinds = list(grids[METRICS[0]].index.get_level_values("subcategory"))
    blocks = [
        {name: pd.DataFrame(views(cells, counts)) for name, cells in measured.items()}
        for counts in resampled_counts(kinds, draws, seed)
    ]
    result: dict[str, Row] = {name: {} for name in measured}
    for name, of_metric in result.items():
        errors = pd.concat([block[name] for block in blocks]).std()
        for view, (mean,) in views(measured[name]).items():
            level, _, label = view.partition(":")
            part = measured[name]
            part = part.xs(label, axis=int(level in _CHAIN), level=level) if label else part
            texts = part.mean(axis=1).dropna()
            is_spread = len(texts) >= LEAST_TEXTS and np.ptp(texts) > _SAME
            if len(texts):
                of_metric[view] = {
                    "mean": float(mean),
                    "se": float(errors[view]) if is_spread and pd.notna(errors[view]) else None,
                    "texts": len(texts),
                    "n": int(part.count().sum()),
                }
    return result


def resampled_counts(kinds: Sequence[str], draws: int, seed: int) -> Iterator[Floats]:
    """How often each text is drawn in each resample, in blocks of shape (rows, texts).

    Within each subcategory of n texts n - 1 are drawn with return, and each counts n / (n - 1): so
    the spread is that of a mean of n texts also where n is small (Rao and Wu, JASA 83, 1988). Where
    a subcategory has a single text, whose spread nobody knows, all texts are drawn as one, which
    makes errors rather too large than too small. The draws depend on the seed and the texts alone:
    two models that did the same texts meet the same resamples.

    Args:
        kinds: the subcategory of each text.
    """
    strata = grouped(range(len(kinds)), kinds.__getitem__)
    if min(map(len, strata.values())) == 1:
        strata = {"": list(range(len(kinds)))}
    streams = {name: Stream("lit texts", seed, name, len(own)) for name, own in strata.items()}
    block = max(1, _BLOCK // len(kinds))
    for begin in range(0, draws, block):
        counts = np.zeros((min(block, draws - begin), len(kinds)))
        for name, own in strata.items():
            counts[:, own] = _drawn(streams[name], len(counts), len(own))
        yield counts


def _drawn(stream: Stream, rows: int, size: int) -> Floats:
    """``size - 1`` draws from ``size`` texts per row; the share of a text is exact to 2**-32."""
    if size == 1:
        return np.ones((rows, 1))
    words = size // 2  # two draws from each word; rows never share one
    halves = stream.words(rows * words).astype("<u8").view("<u4").reshape(rows, 2 * words)
    drawn = (halves[:, : size - 1].astype(np.uint64) * np.uint64(size)) >> np.uint64(32)
    cells = drawn.astype(np.int64) + size * np.arange(rows)[:, None]
    result = np.bincount(cells.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
    return result * (size / (size - 1))
