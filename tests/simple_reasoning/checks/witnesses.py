"""For each option an interpretation in which it differs from the negation: proof that it is wrong.

They are sought among the package's own interpretations and confirmed by ``logic.check_negation``,
which evaluates the formulas of the prompt by itself.
"""

from typing import Any

from xlgo_dataset.families.simple_reasoning import logic
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import (
    INTERPRETATIONS,
    models,
    negate,
)


def witnesses_of(structure: Any) -> list[dict[str, Any] | None]:
    """By option: the propositions and facts that are true in a witness; ``None`` for the key."""
    value, key = logic.Evaluator(models(), INTERPRETATIONS), negate(structure["formula"])
    options = structure["options"]
    used = logic.used_in([structure["formula"], *options])
    truth = value(key)
    differences = [0 if option == key else truth ^ value(option) for option in options]
    return [_witness(difference, used) if difference else None for difference in differences]


def _witness(difference: int, used: dict[str, dict[int, int]]) -> dict[str, Any]:
    at = (difference & -difference).bit_length() - 1
    column = [mask >> at & 1 for mask in models()]
    return {
        "propositions": [p for p in used["prop"] if column[p]],
        "facts": [
            [predicate, domain, element]
            for predicate in used["pred"]
            for domain in used["domain"]
            for element in (0, 1)
            if column[logic.row(predicate, domain, element)]
        ],
    }
