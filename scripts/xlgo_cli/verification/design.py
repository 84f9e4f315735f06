"""Designs of a host: what is asked, in a file; ``--require`` takes nothing of it from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import xlgo_dataset as xd
from xlgo_dataset.declared import Options
from xlgo_dataset.family import generated_family_of
from xlgo_lm_eval.arguments import check_names
from xlgo_lm_eval.tasks.utils import known_options

from ..arguments import DEFAULT_TEXT
from ..folders import read_settings, write_json
from ..logs.challenge import OPTION, seed_of
from ..logs.questions import Required, check_size

KIND, SCHEMA = "xlgo-design", 1


def save_design(
    path: Path,
    tasks: Sequence[str],
    languages: Sequence[str],
    options: Options,
    challenge: str | None = None,
) -> Required:
    """Write a design.

    Args:
        path: the file.
        tasks: generated tasks.
        languages: codes; the default ones of each task if empty.
        options: of the data, as in ``--metadata``: ``preset``, ``levels``, ``xlgo_seed``, ...
        challenge: a text from which the seed is derived.

    Raises:
        ValueError: a task, language or option is not allowed, or the design is too large.
    """
    options_given = dict(options)
    if challenge is not None:
        options_given |= {OPTION: challenge, "xlgo_seed": seed_of(challenge)}
    required: dict[str, Options] = {}
    for task in map(xd.task_named, tasks):
        family = generated_family_of(task)
        codes = tuple(languages) or family.default_languages(task)
        names = [option.name for option in family.task_options(task)]
        required[task] = {
            "xlgo_family": family.name,
            "xlgo_task": task,
            "xlgo_options": ",".join(names),
            "languages": ",".join(codes),
            "xlgo_seed": 0,
            **({"text": DEFAULT_TEXT} if DEFAULT_TEXT in family.texts else {}),
            **options_given,
        }
    allowed = {name for entry in required.values() for name in known_options(entry)}
    check_names("--metadata", options, allowed, is_open=False)
    design = {"kind": KIND, "schema": SCHEMA, "versions": _versions(required), "tasks": required}
    _check(required)
    write_json(path, design)
    return required


def read_design(path: Path) -> Required:
    """The design in a file that ``xlgo plan --save`` has written.

    Raises:
        ValueError: it is none, of another version of the data, or too large.
    """
    design = read_settings(path, "--require", "JSON")
    try:
        if design["kind"] != KIND or design["schema"] != SCHEMA:
            raise ValueError(f"kind {design['kind']!r:.40}, schema {design['schema']!r:.20}")
        required = {str(task): dict(o) for task, o in design["tasks"].items()}
        data, current = design["versions"]["data"], _versions(required)["data"]
        _check(required)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(
            f"--require {path}: not a design of xlgo plan --save ({error!s:.300})"
        ) from error
    if data != current:
        raise ValueError(
            f"--require {path}: made for version {data} of the data; this package makes {current}: "
            f"use xlgo {design['versions'].get('xlgo')!s:.20}"
        )
    return required


def _check(required: Required) -> None:
    if not required:
        raise ValueError("it has no task")
    for task, options in required.items():
        xd.family_of(task).check_asked(task, options["languages"].split(","))
        check_size(options)


def _versions(required: Required) -> dict[str, object]:
    data = {task: generated_family_of(task).DATA_VERSION for task in required}
    return {"xlgo": version("xlgo"), "data": data}
