"""The families of tasks: a family is a package and a line here."""

from __future__ import annotations

import importlib
from types import ModuleType

FAMILIES: dict[str, str] = {
    "xlgobench": "xlgo_dataset.families.xlgobench",
    "polymath": "xlgo_dataset.families.polymath",
    "easy": "xlgo_dataset.families.simple_reasoning",
}


def family(name: str) -> ModuleType:
    """The package of the family ``name``.

    Raises:
        ValueError: the name is not registered.
    """
    if name not in FAMILIES:
        raise ValueError(f"unknown family {name!r}: allowed are {', '.join(FAMILIES)}")
    return importlib.import_module(FAMILIES[name])


def family_of(task: str) -> ModuleType:
    """The package of the family that ``task`` belongs to.

    Raises:
        ValueError: no family has a task of that name.
    """
    names: list[str] = []
    for name in FAMILIES:
        package = family(name)
        if task in package.TASKS:
            return package
        names.extend(package.TASKS)
    raise ValueError(f"unknown task {task!r}: allowed are {', '.join(names)}")
