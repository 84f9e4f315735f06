"""``xlgo verify RESULTS``: check results against questions made again, as far as that proves.

The design of a host says what is asked, in a file; ``--require`` takes nothing of it from a folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core import Options
from xlgo_dataset.family import generated_family_of
from xlgo_lm_eval.arguments import CHALLENGE, check_names
from xlgo_lm_eval.tasks.utils import known_options

from ..arguments import DEFAULT_TEXT
from ..folders import read_settings, write_json
from .graded_run import filed, score_folder
from .lines import printable
from .questions import DIFFERS, INCOMPLETE, UNPROVED, Proof, Required, check_size, seed_of

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
        options_given |= {CHALLENGE: challenge, "xlgo_seed": seed_of(challenge)}
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


NOT_PROVED = 3
"""The exit code where nothing is wrong, but not everything could be checked."""

NOT_SHOWN = (
    "Not shown by this: that the model named here gave these answers, that it was asked once only, "
    "and what a server or a judge said (see docs/trust.md)."
)


def is_results(folder: Path) -> bool:
    """Whether a path holds results of a run, not an exported folder."""
    samples = [folder] if folder.is_file() else folder.rglob("samples_*.jsonl")
    return any(path.suffix == ".jsonl" for path in samples)


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if all is regenerated, 1 if something differs, else 3.

    Raises:
        ValueError: there are no results.
    """
    required = None if args.require is None else read_design(args.require)
    proof = verified(args.folder, required, model=args.model)
    if args.json:
        print(json.dumps(as_json(args.folder, proof), ensure_ascii=False, indent=1))
    else:
        print("\n".join(map(printable, _lines(args.folder, proof))))
    if proof.status in (DIFFERS, INCOMPLETE):
        return 1
    return NOT_PROVED if proof.status == UNPROVED else 0


def verified(folder: Path, required: Required | None = None, **selection: Any) -> Proof:
    """Check all of a results folder.

    Args:
        folder: the folder, or a file of samples.
        required: the host's design.
        selection: ``model``, see ``find_run``.

    Raises:
        ValueError: there are no results.
    """
    path = folder / "report" / "scores.json"
    has_report = path.is_file() and not any(selection.values())
    scored = score_folder(folder, partial=True, quiet=True, required=required, **selection)
    proof = scored.proof
    proof.differs.items += [
        problem
        for problem in scored.problems.items
        if problem.lost and problem not in proof.differs.items
    ]
    if has_report:
        try:
            report = json.loads(path.read_text("utf-8"))
            signature, families = report["signature"], report["families"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            signature, families = "", type(error).__name__
        # A report is of the run's own design.
        own = score_folder(folder, partial=True, quiet=True) if required is not None else scored
        score = own.score
        families_again = json.loads(json.dumps(filed(score["families"])))
        if families_again != families or score["signature"] != signature:
            proof.differs.add(
                str(path), "is not the score of these answers: write the report again and compare"
            )
    return proof


def as_json(folder: Path, proof: Proof) -> dict[str, object]:
    """What was found, as JSON values."""
    return {
        "folder": str(folder),
        "status": proof.status,
        "answers": proof.answers,
        "asked": proof.expected,
        "missing": proof.missing.total(),
        "challenge": proof.challenge,
        "differs": [str(problem) for problem in proof.differs.items],
        "as_logged": dict(proof.logged),
        "notes": dict(proof.notes),
    }


def _lines(folder: Path, proof: Proof) -> Iterator[str]:
    yield f"{folder}: {proof.status}"
    for problem in proof.differs.items:
        yield f"differs: {problem}"
    if proof.lacking:
        yield f"missing: {proof.lacking}"
    for why, count in (proof.logged + proof.notes).items():
        yield f"not proved: {why} ({count:,})"
    design = "the required design" if proof.required else "its own design"
    yield (
        f"{proof.answers:,} answers were graded again; questions and golds of generated tasks "
        f"were made again from {design}."
    )
    if proof.challenge is not None:
        yield f"The seed is that of the challenge {proof.challenge!r:.80}."
    if not proof.required:
        yield "The design is the folder's own claim: --require FILE compares it with yours."
    yield NOT_SHOWN
