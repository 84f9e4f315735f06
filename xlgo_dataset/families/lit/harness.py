"""What the lm-eval tasks of this family are: their names and settings."""

from __future__ import annotations

from typing import Any

from .chains import sequences

GROUP = "lit"
STEP = "translation"
"""The kind of chain, as ``chain_step`` in the metadata of a task file."""

GENERATION: dict[str, Any] = {
    "until": [],
    "max_gen_toks": 8192,
    "do_sample": True,
    "temperature": 1.0,
    "top_p": 0.95,
}
"""Sampling (paper 003, Table 10: 1.0 and 0.95 unless a model's makers say otherwise); the paper
gives no limit of tokens."""


def lm_eval_tasks() -> list[dict[str, Any]]:
    """One entry per lm-eval task: ``task``, ``group``, ``xlgo_task``, ``languages``, ``metadata``.

    The eight sequences are the group ``lit``. ``lit_custom`` needs ``chain`` when it is run.
    """
    names = [(f"{GROUP}_{chain.sequence}", GROUP) for chain in sequences()]
    names += [(f"{GROUP}_{name}", "") for name in ("pairwise", "robustness", "custom")]
    return [
        {
            "task": name,
            "group": group,
            "xlgo_task": name,
            "languages": ["en"],
            "metadata": {"chain_step": STEP},
        }
        for name, group in names
    ]
