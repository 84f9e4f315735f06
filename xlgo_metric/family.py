"""The families of tasks that can be graded: a family is a package and a line here."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

FAMILIES: dict[str, str] = {
    "xlgobench": "xlgo_metric.families.xlgobench",
    "polymath": "xlgo_metric.families.polymath",
    "easy": "xlgo_metric.families.simple_reasoning",
}
DEFAULT_FAMILY = "xlgobench"


def family(name: str) -> ModuleType:
    """The package that grades the family ``name``.

    Raises:
        ValueError: the name is not registered.
    """
    if name not in FAMILIES:
        raise ValueError(f"unknown family {name!r}: allowed are {', '.join(sorted(FAMILIES))}")
    return importlib.import_module(FAMILIES[name])


def family_of(reference: dict[str, Any]) -> ModuleType:
    """The package that grades answers to ``reference`` (see its key ``family``)."""
    return family(reference.get("family", DEFAULT_FAMILY))
