"""``export.json``: the recipe of an export, from which everything in it can be made again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.declared import Options
from xlgo_dataset.family import known_texts
from xlgo_dataset.sources import digest_of
from xlgo_lm_eval.replies import sha256_of

from .plan import Request
from .shards import Shard

SCHEMA = 3
"""Of exported folders. It rises when the layout, the manifest or the words of the card change."""

PROVENANCE = ("code", "pyarrow", "version")
"""Entries of a recipe that say who made the folder. No row depends on them, so they are claims."""

Recipe = dict[str, Any]
"""What an export is made from: see ``Manifest``; or what it says of one task."""
Manifest = dict[str, Any]
"""The content of ``export.json``: ``schema``, ``command``, ``signature``, ``recipe``, ``shards``
(see ``Shard``). The recipe has ``tasks`` (family, data version, languages, configurations, levels
and options of each), ``splits``, ``options``, ``wording`` (SHA-256 of a file of strings), ``code``,
``pyarrow`` and ``version``."""

_DEFAULTS = {"preset": "quick", "seed": 0, "text": "paper"}
_HERE = Path(__file__).parent
_CODE = ("card.py", "command.py", "plan.py", "recipe.py", "shards.py")


def recipe_of(request: Request) -> Recipe:
    """Everything that the bytes of an export depend on, in plain JSON types."""
    parts = request.parts()
    text = request.options.get("text", "paper")
    recipe = {
        "tasks": {
            part.task: {
                "family": part.family.name,
                "data": part.family.DATA_VERSION,
                "languages": part.languages,
                "configs": {
                    part.task: list(part.folders),
                    **{name: [name] for name in part.folders},
                },
                "levels": part.levels,
                "options": _options_in_folder(part.options),
            }
            for part in parts
        },
        "splits": list(dict.fromkeys(request.splits)),
        "options": _complete(request.options, [set(part.options) for part in parts]),
        "wording": None if text in known_texts() else sha256_of(Path(text)),
        "code": digest_of([Path(xd.__file__).parent, *(_HERE / name for name in _CODE)]),
        "pyarrow": version("pyarrow"),
        "version": version("xlgo"),
    }
    plain: Recipe = json.loads(json.dumps(recipe))
    return plain


def dumps(recipe: Recipe, shards: Iterable[Shard]) -> str:
    """The text of ``export.json``, the shards in the order of their paths."""
    manifest: Manifest = {
        "schema": SCHEMA,
        "command": command(recipe),
        "signature": signature(recipe),
        "recipe": recipe,
        "shards": [asdict(shard) for shard in sorted(shards, key=lambda shard: shard.path)],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def command(recipe: Recipe) -> str:
    """The command that makes an export again, every list and option spelled out."""
    tasks = recipe["tasks"]
    words = ["xlgo", "export", "--out", "xlgo", "--tasks", *tasks]
    by_task = [task["languages"] for task in tasks.values()]
    if all(languages == by_task[0] for languages in by_task):
        words += ["--languages", *by_task[0]]  # else none were given: each task has its defaults
    words += ["--splits", *recipe["splits"]]
    for option, value in recipe["options"].items():
        name = "xlgo-seed" if option == "seed" else option.replace("_", "-")
        words += [f"--{name}", str(value)]
    return shlex.join(words)


def signature(recipe: Recipe) -> str:
    """What made the data, in one line."""
    tasks = recipe["tasks"]
    languages = dict.fromkeys(code for task in tasks.values() for code in task["languages"])
    fields = {"tasks": ",".join(tasks), "languages": ",".join(languages)}
    fields["splits"] = ",".join(recipe["splits"])
    spelt = {"n": ("per_level", "n")}  # puzzles have so many a level
    for option in ("preset", "levels", "n", "text", "seed"):
        names = spelt.get(option, (option,))
        values = [str(t["options"][x]) for t in tasks.values() for x in names if x in t["options"]]
        if values:
            fields[option] = ",".join(dict.fromkeys(values))
    fields["data"] = ",".join(dict.fromkeys(str(task["data"]) for task in tasks.values()))
    fields |= {"code": recipe["code"][:12], "version": recipe["version"]}
    return "|".join(f"{label}:{value}" for label, value in fields.items())


def request_of(recipe: Recipe, folder: Path) -> Request:
    """The export request that a recipe describes.

    Args:
        recipe: of an export.
        folder: where the file of its wording lies, if it has one.

    Raises:
        LookupError, TypeError, AttributeError, ValueError: the recipe is malformed.
    """
    options = dict(recipe["options"])
    if recipe["wording"] is not None:
        options["text"] = str(folder / Path(options["text"]).name)
    languages = {task: entry["languages"] for task, entry in recipe["tasks"].items()}
    return Request(list(languages), languages, list(recipe["splits"]), options)


def _complete(options: Options, by_task: list[set[str]]) -> dict[str, object]:
    """Options in one order and spelling, the main ones even where they were not given.

    So the recorded command has the same recipe as the one that was typed.
    """
    common = set.intersection(*by_task) if by_task else set()
    spelled = {name: value for name, value in _DEFAULTS.items() if name in common}
    spelled |= {
        name: value for name, value in _options_in_folder(options).items() if value is not None
    }
    return {
        name: ",".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in sorted(spelled.items())
    }


def _options_in_folder(options: Options) -> Options:
    """Options with a file of strings by its name alone: the folder holds a copy."""
    text = options.get("text", "paper")
    return options if text in known_texts() else {**options, "text": Path(text).name}
