"""xlgo: one and the same algorithmic puzzle in many languages.

>>> import xlgo_dataset as xd
>>> instance = xd.generate("dsa", complexity=4, seed=0, index=0, split="test")
>>> xd.read("dsa", xd.render(instance, "te"), "te") == instance
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .core.version import DATA_VERSION
from .family import FAMILIES, family, family_of
from .hub import hook

if TYPE_CHECKING:
    from .core.instance import SPLITS, Instance
    from .families.xlgobench import TASKS
    from .text.languages import LANGUAGES, TEXTS, available, load_language

_LATER = {
    "Instance": "core.instance",
    "SPLITS": "core.instance",
    "LANGUAGES": "text.languages",
    "TEXTS": "text.languages",
    "available": "text.languages",
    "load_language": "text.languages",
    "TASKS": "families.xlgobench",
}
"""Names whose modules are imported when they are first used, so that importing us is quick."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


def generate(task: str, **parameters: Any) -> Instance:
    """Draw one instance of a task; see the ``generate`` of the task's family.

    Raises:
        ValueError: an unknown task, parameter or split, or an impossible complexity.
    """
    generator = family_of(task).generate
    try:
        return generator(task, **parameters)
    except TypeError as error:
        if "unexpected keyword argument" in str(error) or "required keyword-only" in str(error):
            raise ValueError(f"{task}: {str(error).replace('generate() ', '')}") from None
        raise


def solve(instance: Instance) -> dict[str, Any]:
    """The answer of an instance, under the key that its prompt asks for."""
    return family_of(instance.task).solve(instance)


def render(instance: Instance, language: str, text: str = "paper") -> str:
    """The prompt of an instance in one language and wording.

    Raises:
        ValueError: an unknown language or text.
    """
    return family_of(instance.task).render(instance, language, text)


def read(task: str, prompt: str, language: str, text: str = "paper") -> Instance:
    """The instance that a prompt describes, from its text alone.

    Raises:
        ValueError: the text is not a prompt of this task in this language.
    """
    return family_of(task).read(task, prompt, language, text)


def instance_from_json(task: str, data: dict[str, Any]) -> Instance:
    """The instance of a JSON form; entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or impossible.
    """
    return family_of(task).instance_from_json(task, data)


def load_dataset(name: str, **parameters: Any) -> Any:
    """Generate a data set (see ``xlgo_dataset.hub.builder.load_dataset``).

    >>> rows = load_dataset("t_rank_ja", split="test", preset="smoke", streaming=True)
    >>> next(iter(rows))["id"]
    't_rank-test-s0-c6-i0-ja'
    """
    from .hub import builder

    return builder.load_dataset(name, **parameters)


hook.install()

__all__ = [
    "DATA_VERSION",
    "FAMILIES",
    "LANGUAGES",
    "SPLITS",
    "TASKS",
    "TEXTS",
    "Instance",
    "available",
    "family",
    "family_of",
    "generate",
    "instance_from_json",
    "load_dataset",
    "load_language",
    "read",
    "render",
    "solve",
]
