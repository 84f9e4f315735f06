"""Means over texts and sequences: the two published views, and their errors by resampling texts.

The category view (Tables 2, 4, 6, 7 of the paper) takes a text's mean over its sequences, then the
mean of the texts of a subcategory; ``macro_category`` is the unweighted mean of the subcategories.
The sequence view (Tables 3, 8, 9) takes the mean over texts for each sequence; a tier and
``global`` are unweighted means of sequences. The two averages differ, so each has its own name.

Texts are drawn with return within their subcategory, and a drawn text brings all of its
sequences with it: chains of one text are not independent of each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core import grouped
from ...statistics.draws import Floats, Integers, Stream
from .records import ChainRecord

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


def readable(name: str) -> str:
    """A sequence or subcategory as people call it; codes of custom ones without underscores."""
    return _NAMES.get(name, name.replace("_", " "))


@dataclass(frozen=True)
class Layout:
    """The texts and sequences of a set of chains, in an order that no input order changes.

    Attributes:
        texts: ids; ``subcategories``: that of each text.
        sequences: names; ``tiers``: that of each sequence, or an empty string.
    """

    texts: tuple[str, ...]
    subcategories: tuple[str, ...]
    sequences: tuple[str, ...]
    tiers: tuple[str, ...]

    @property
    def strata(self) -> dict[str, Integers]:
        """For each subcategory, the positions of its texts."""
        result = grouped(range(len(self.texts)), self.subcategories.__getitem__)
        return {name: np.array(positions, dtype=np.int64) for name, positions in result.items()}

    @property
    def resampled(self) -> dict[str, Integers]:
        """The strata within which texts are resampled.

        They are the subcategories; where one has a single text, whose spread nobody knows, all
        texts are one stratum, which makes errors rather too large than too small.
        """
        result = self.strata
        if all(len(positions) > 1 for positions in result.values()):
            return result
        return {"": np.arange(len(self.texts), dtype=np.int64)}

    @cached_property
    def members(self) -> dict[str, tuple[Integers, Integers]]:
        """For each view (see `views`), the positions of its texts and of its sequences."""
        texts, sequences = np.arange(len(self.texts)), np.arange(len(self.sequences))
        tiers = sorted(set(self.tiers) - {""}, key=lambda name: (_rank(name, tuple(TIERS)), name))
        return {
            "macro_category": (texts, sequences),
            "global": (texts, sequences),
            **{f"tier:{t}": (texts, np.flatnonzero(np.array(self.tiers) == t)) for t in tiers},
            **{f"sequence:{name}": (texts, np.array([j])) for j, name in enumerate(self.sequences)},
            **{
                f"subcategory:{name}": (positions, sequences)
                for name, positions in self.strata.items()
            },
        }


def layout_of(records: Sequence[ChainRecord]) -> Layout:
    """The layout of chains of one model and one split.

    Raises:
        ValueError: a text has two subcategories, or a sequence two tiers.
    """
    texts: dict[str, str] = {}
    sequences: dict[str, str] = {}
    for record in records:
        if texts.setdefault(record.text_id, record.subcategory) != record.subcategory:
            raise ValueError(f"the text {record.text_id!r} has two subcategories")
        if sequences.setdefault(record.sequence, record.tier) != record.tier:
            raise ValueError(f"the sequence {record.sequence!r} has two tiers")
    ordered = sorted(texts, key=lambda t: (_rank(texts[t], SUBCATEGORIES), texts[t], t))
    names = sorted(sequences, key=lambda s: (_rank(s, SEQUENCES), s))
    return Layout(
        tuple(ordered),
        tuple(texts[text] for text in ordered),
        tuple(names),
        tuple(sequences[name] for name in names),
    )


def _rank(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)


def grid(
    layout: Layout, values: Mapping[tuple[str, str], Mapping[str, float | None]], metric: str
) -> Floats:
    """The values of a metric, shape (texts, sequences); NaN where one is missing.

    Args:
        values: by text and sequence, what ``values.chain_values`` gives.
    """
    return np.array(
        [
            [values.get((text, sequence), {}).get(metric) for sequence in layout.sequences]
            for text in layout.texts
        ],
        dtype=np.float64,
    )


def views(layout: Layout, cells: Floats, counts: Floats | None = None) -> dict[str, Floats]:
    """Every mean of both views.

    Args:
        cells: what :func:`grid` gives, shape (texts, sequences).
        counts: how often each text occurs, shape (draws, texts); ``None`` for once each.

    Returns:
        ``macro_category``, ``global``, and with a colon behind the kind ``subcategory:…``,
        ``sequence:…`` and ``tier:…``, each of shape (draws,); NaN where there is no value.
    """
    if counts is None:
        counts = np.ones((1, len(layout.texts)))
    is_number = ~np.isnan(cells)
    filled = np.where(is_number, cells, 0.0)
    by_sequence = _ratio(counts @ filled, counts @ is_number.astype(np.float64))
    means = mean_of_known(cells)
    has_value = (~np.isnan(means)).astype(np.float64)
    means = np.nan_to_num(means)
    result = {}
    for view, (texts, sequences) in layout.members.items():
        if view.startswith("subcategory:"):
            result[view] = _ratio(
                counts[:, texts] @ means[texts], counts[:, texts] @ has_value[texts]
            )
        else:
            result[view] = mean_of_known(by_sequence[:, sequences])
    categories = [values for view, values in result.items() if view.startswith("subcategory:")]
    return result | {"macro_category": mean_of_known(np.stack(categories, axis=1))}


def _ratio(total: Floats, count: Floats) -> Floats:
    return np.where(count > 0, total / np.maximum(count, 1.0), np.nan)


def mean_of_known(values: Floats) -> Floats:
    """The mean over the last axis without NaN; NaN where there is nothing else."""
    is_number = ~np.isnan(values)
    return _ratio(
        np.where(is_number, values, 0.0).sum(axis=-1), is_number.sum(axis=-1).astype(np.float64)
    )


def resampled_counts(layout: Layout, draws: int, seed: int) -> Iterator[Floats]:
    """How often each text is drawn in each resample, in blocks of shape (rows, texts).

    Within each stratum of n texts n - 1 are drawn with return, and each counts n / (n - 1): so the
    spread is that of a mean of n texts also where n is small (Rao and Wu, JASA 83, 1988). The draws
    depend on the seed and the texts alone: two models that did the same texts meet the same
    resamples.
    """
    strata = layout.resampled
    streams = {
        name: Stream("lit texts", seed, name, len(positions)) for name, positions in strata.items()
    }
    rows_of_block = max(1, _BLOCK // max(1, len(layout.texts)))
    for begin in range(0, draws, rows_of_block):
        rows = min(rows_of_block, draws - begin)
        counts = np.zeros((rows, len(layout.texts)))
        for name, positions in strata.items():
            counts[:, positions] = _drawn(streams[name], rows, len(positions))
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


def replicates(
    layout: Layout, cells: Mapping[str, Floats], draws: int, seed: int
) -> dict[str, dict[str, Floats]]:
    """Every mean of both views under resampling, by the names of ``cells``; shape (draws,)."""
    blocks: dict[str, list[dict[str, Floats]]] = {name: [] for name in cells}
    for counts in resampled_counts(layout, draws, seed):
        for name, values in cells.items():
            blocks[name].append(views(layout, values, counts))
    return {
        name: {view: np.concatenate([block[view] for block in result]) for view in result[0]}
        for name, result in blocks.items()
    }
