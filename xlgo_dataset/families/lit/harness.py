"""What the lm-eval tasks of this family are: their names and settings."""

from __future__ import annotations

from ...family import HarnessTask
from .chains import sequences

GROUP = "lit"
STEP = "translation"
"""The kind of chain, as ``chain_step`` in the metadata of a task file."""

GENERATION: dict[str, object] = {
    "until": [],
    "max_gen_toks": 8192,
    "do_sample": True,
    "temperature": 1.0,
    "top_p": 0.95,
}
"""Sampling (paper 003, Table 10: 1.0 and 0.95 unless a model's makers say otherwise); the paper
gives no limit of tokens."""


def harness_tasks() -> tuple[HarnessTask, ...]:
    """The eight sequences, which are the group ``lit``, and three tasks outside it.

    ``lit_custom`` needs ``chain`` when it is run.
    """
    inside = [f"{GROUP}_{chain.sequence}" for chain in sequences()]
    outside = [f"{GROUP}_{name}" for name in ("pairwise", "robustness", "custom")]
    return tuple(
        HarnessTask(
            name, name, ("en",), GROUP, GROUP,
            in_group=name in inside, step=STEP, generation=GENERATION,
        )
        for name in (*inside, *outside)
    )  # fmt: skip
