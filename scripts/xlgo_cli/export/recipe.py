"""The manifest of an export: its recipe, from which everything in the folder can be made again."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of
from xlgo_lm_eval.replies import sha256_of

from ..folders import digest_of
from .layout import Manifest, Recipe, ShardRecord
from .plan import Part, Request

SCHEMA = 2
"""Of exported folders: 1 stored each prompt twice, by language and among all languages; 2 stores it
once. It rises when the layout, the manifest or the words of the card change."""

PROVENANCE: tuple[Literal["code", "pyarrow", "version"], ...] = ("code", "pyarrow", "version")
"""Entries of a recipe that say who made the folder. No row depends on them, so they are claims."""

_DEFAULTS = {"preset": "paper", "seed": 0, "text": "paper"}
_HERE = Path(__file__).parent
_CODE = ("card.py", "command.py", "plan.py", "recipe.py", "shards.py")

_NAMES = {"seed": "xlgo_seed"}
"""Options of the data to those of the command line, where they differ."""


def recipe_of(parts: list[Part], request: Request) -> Recipe:
    """Everything that the bytes of an export depend on, in plain JSON types.

    Args:
        parts: of the request.
        request: its splits and options are taken.
    """
    text = request.options.get("text", "paper")
    found = (name for part in parts for name in generated_family_of(part.task).texts)
    known = {_DEFAULTS["text"], *found}
    tasks = {
        part.task: {
            "family": xd.family_of(part.task).name,
            "data": xd.family_of(part.task).DATA_VERSION,
            "languages": part.languages,
            "configs": part.configs,
            "levels": part.levels,
            "options": _named(part.options, known),
        }
        for part in parts
    }
    recipe = {
        "tasks": tasks,
        "splits": list(dict.fromkeys(request.splits)),
        "options": _complete(_named(request.options, known), [set(part.options) for part in parts]),
        "wording": None if text in known else sha256_of(Path(text)),
        "code": digest_of([Path(xd.__file__).parent, *(_HERE / name for name in _CODE)]),
        "pyarrow": version("pyarrow"),
        "version": version("xlgo"),
    }
    plain: Recipe = json.loads(json.dumps(recipe))
    return plain


def manifest_of(recipe: Recipe, name: str, shards: list[ShardRecord]) -> Manifest:
    """The manifest of a folder called ``name``."""
    return {
        "schema": SCHEMA,
        "command": command(recipe, name),
        "signature": signature(recipe),
        "recipe": recipe,
        "shards": shards,
    }


def dumps(manifest: Manifest) -> str:
    """The manifest as written in the folder."""
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def command(recipe: Recipe, name: str) -> str:
    """The command that makes an export again, every list and option spelled out."""
    tasks = recipe["tasks"]
    words = ["xlgo", "export", "--out", name, "--tasks", *tasks]
    chosen = [task["languages"] for task in tasks.values()]
    if all(languages == chosen[0] for languages in chosen):
        words += ["--languages", *chosen[0]]  # else none were asked for: each has its own
    words += ["--splits", *recipe["splits"]]
    for option, value in recipe["options"].items():
        words += [f"--{_NAMES.get(option, option).replace('_', '-')}", str(value)]
    return shlex.join(words)


def signature(recipe: Recipe) -> str:
    """What made the data, in one line."""
    tasks = recipe["tasks"]
    languages = {code: None for task in tasks.values() for code in task["languages"]}
    fields = {"tasks": ",".join(tasks), "languages": ",".join(languages)}
    fields["splits"] = ",".join(recipe["splits"])
    for option in ("preset", "levels", "per_level", "n", "text", "seed"):
        values = {str(t["options"][option]): None for t in tasks.values() if option in t["options"]}
        if values:
            fields["n" if option == "per_level" else option] = ",".join(values)
    fields["data"] = ",".join({str(task["data"]): None for task in tasks.values()})
    fields |= {"code": recipe["code"][:12], "version": recipe["version"]}
    return "|".join(f"{label}:{value}" for label, value in fields.items())


def request_of(recipe: Recipe, folder: Path) -> Request:
    """The export request that a recipe describes.

    A wording of one's own is the file in the folder.

    Raises:
        KeyError, TypeError, AttributeError: the recipe is malformed.
    """
    options = dict(recipe["options"])
    if recipe["wording"] is not None:
        options["text"] = str(folder / options["text"])
    return Request(list(recipe["tasks"]), None, list(recipe["splits"]), options)


def parts_of(recipe: Recipe, request: Request) -> list[Part]:
    """The parts of ``request_of`` in the recipe's languages.

    Raises:
        ValueError: an unknown task, language or option.
        KeyError, TypeError, AttributeError: the recipe is malformed.
    """
    return [
        part
        for task, entry in recipe["tasks"].items()
        for part in Request([task], entry["languages"], request.splits, request.options).parts()
    ]


def _complete(options: dict[str, object], known: list[set[str]]) -> dict[str, object]:
    """Options in one order and spelling, with the main ones even where they were not given.

    So the command that is recorded has the same recipe as the one that was typed.

    Args:
        options: as given.
        known: the options that each task has.
    """
    common = set.intersection(*known) if known else set()
    found = {name: value for name, value in _DEFAULTS.items() if name in common}
    found |= {name: value for name, value in options.items() if value is not None}
    return {
        name: ",".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in sorted(found.items())
    }


def _named(options: dict[str, Any], known: set[Any]) -> dict[str, object]:
    """Options with a wording of one's own, which is not ``known``, by the name of its file."""
    text = options.get("text", "paper")
    return options if text in known else options | {"text": Path(text).name}
