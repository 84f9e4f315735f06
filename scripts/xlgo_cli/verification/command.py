"""``xlgo verify RESULTS``: check results against questions made again, as far as that proves."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..logs.graded_run import filed, score_folder
from ..logs.lines import printable
from ..logs.questions import DIFFERS, INCOMPLETE, UNPROVED, Proof, Required
from .design import read_design

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
