"""Folders of schema 1, which stored each prompt twice: what their recipe says in today's terms."""

from __future__ import annotations

from pathlib import Path

import xlgo_dataset as xd
from xlgo_metric.family import family as grading_family

from ..folders import MANIFEST
from .checks import check_versions, check_wording, same
from .layout import Manifest, Recipe, TaskEntry
from .plan import Part


def check_manifest(folder: Path, manifest: Manifest, wording: Path) -> list[Part]:
    """The parts of an export of schema 1, after comparing what follows from its options.

    Raises:
        ValueError: naming the first entry that is not what the options give.
    """
    path, recipe = folder / MANIFEST, manifest["recipe"]
    check_versions(folder, recipe)
    same(path, list(manifest), ["command", "signature", "recipe", "shards"], "entries")
    parts = []
    try:
        if recipe["wording"] is not None:
            check_wording(folder, recipe)
        for task, entry in recipe["tasks"].items():
            parts.append(_part(wording, recipe, task, entry))
            _check_entry(path, parts[-1], entry)
        if len({part.together for part in parts}) > 1:
            raise LookupError("only some tasks have a configuration of all languages")
        texts = manifest["signature"], manifest["command"]
        wanted = [f"data:{recipe['data']}|code:{recipe['code'][:12]}|version:{recipe['version']}"]
        wanted += ["tasks:" + ",".join(recipe["tasks"]), "splits:" + ",".join(recipe["splits"])]
        if not all(text in texts[0] for text in wanted):
            raise LookupError("the signature is not that of the recipe")
        if " ".join(["--tasks", *recipe["tasks"], "--languages"]) not in texts[1]:
            raise LookupError("the command is not that of the recipe")
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: the recipe cannot be followed: {error!s:.300}") from error
    return parts


def _part(wording: Path, recipe: Recipe, task: str, entry: TaskEntry) -> Part:
    family = xd.family_of(task)
    if not isinstance(family, xd.GeneratedFamily) or task not in family.generated:
        raise ValueError(f"{task} is not generated")
    allowed = family.languages(task)
    if [code for code in allowed if code in entry["languages"]] != entry["languages"]:
        raise ValueError(f"recipe.tasks.{task}.languages is {entry['languages']!r:.100}")
    if not entry["languages"]:
        raise ValueError(f"recipe.tasks.{task} has no language")
    known = {option.name for option in family.task_options(task)}
    given = {k: v for k, v in entry["options"].items() if v is not None and k in known}
    if recipe["wording"] is not None:
        given["text"] = str(wording / given["text"])
    return Part(task, tuple(entry["languages"]), given, together=task in entry["configs"])


def _check_entry(path: Path, part: Part, entry: TaskEntry) -> None:
    where = f"recipe.tasks.{part.task}"
    name = grading_family(entry["family"]).name  # which knows the names that families had
    same(path, name, xd.family_of(part.task).name, f"{where}.family")
    same(path, entry["levels"], part.levels, f"{where}.levels")
    configs = {config: config for config in part.configs if config != part.task or part.together}
    if part.together and len(part.languages) == 1:
        configs[part.task] = f"{part.task}_{part.languages[0]}"
    same(path, entry["configs"], configs, f"{where}.configs")
    options = part.options
    for option, value in entry["options"].items():
        if option != "text" and option in options:
            same(path, value, options[option], f"{where}.options.{option}")
