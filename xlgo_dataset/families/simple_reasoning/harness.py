"""What the lm-eval tasks of this family are: their names, settings and metrics."""

from __future__ import annotations

from typing import Any

from . import text, unpuzzles

GROUP = "easy"

_PLAIN = ["acc", "parsed", "strict", "truncated"]
_CHOICE = [*_PLAIN, "floor_always_a", "floor_longest", "floor_medoid", "floor_outlier"]

_TASKS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "word_count": (
        {"k": [1, 3, 6], "m": [50, 150], "source": text.WIKITEXT}, _PLAIN,
    ),
    "char_count": ({"m": [50, 150], "source": text.WIKITEXT}, _PLAIN),
    "logic_eval": (
        {
            "depth": [4, 8, 12],
            "size": ["small", "medium"],
            "vocabulary": ["letters", "movies", "rand20"],
        },
        _CHOICE,
    ),
    "logic_negation": (
        {
            "depth": [4, 8, 12],
            "size": ["small", "medium"],
            "vocabulary": ["letters", "movies", "rand20"],
            "distractors": "star",
        },
        _CHOICE,
    ),
    "proof_tree": (
        {"depth": [3, 6, 9], "diverse": [False, True], "compeq_style": "explicit"}, _PLAIN,
    ),
    "irrelevant": (
        {"trees": [1, 2, 4, 6], "sentences": [0, 60], "compeq_style": "explicit"}, _PLAIN,
    ),
    "travel": (
        {"cities": [10, 20], "visit": [5, 8], "modes": 4, "budget": "path"},
        [*_PLAIN, "floor_greedy"],
    ),
}  # fmt: skip


def lm_eval_tasks() -> list[dict[str, Any]]:
    """One entry per lm-eval task: ``task`` (its name), ``xlgo_task`` (the task whose rows it
    takes), ``languages``, ``metadata`` (options of ``rows``, the paper's grid) and ``metrics``.

    The tasks of UNPUZZLES need ``source`` to be given when they are run.
    """
    found = [
        {
            "task": f"{GROUP}_{name}",
            "group": GROUP,
            "xlgo_task": name,
            "languages": ["en"],
            "metadata": {"n": 20, **settings},
            "metrics": list(metrics),
        }
        for name, (settings, metrics) in _TASKS.items()
    ]
    for variant in unpuzzles.VARIANTS:
        found.append(
            {
                "task": f"{GROUP}_unpuzzles_{variant}",
                "group": GROUP,
                "xlgo_task": unpuzzles.TASK,
                "languages": ["en"],
                "metadata": {"variant": variant, "items": "shifted", "source": ""},
                "metrics": ["acc", "parsed", "strict", "truncated", "needs_critic"],
            }
        )
    return found
