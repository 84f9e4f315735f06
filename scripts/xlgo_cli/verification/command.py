"""``xlgo verify RESULTS``: prove that results are what they say, as far as that can be proved."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from xlgo_cli.logs.lines import printable

from ..logs.graded_run import score_folder
from ..logs.results import find_run
from .challenge import seed_of
from .questions import Remade
from .results import DIFFERS, REPRODUCED, Proof, prove

EXIT = {REPRODUCED: 0, DIFFERS: 1}
NOT_PROVED = 3
"""The exit code where nothing is wrong, but not everything could be checked."""

NOT_SHOWN = (
    "Not shown by this: that the model named here gave these answers, that it was asked once only, "
    "and what a server or a judge said (see docs/trust.md)."
)


def is_results(folder: Path) -> bool:
    """Whether a path holds results of a run, not an exported folder."""
    if folder.is_file():
        return folder.suffix == ".jsonl"
    return next(folder.rglob("samples_*.jsonl"), None) is not None


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if reproduced, 1 if something differs, 3 if unproved.

    Raises:
        ValueError: there are no results.
    """
    proof = verified(args.folder, Remade(), model=args.model, date=args.date)
    if args.challenge is not None and proof.challenge != args.challenge:
        proof.differs.add(
            str(args.folder),
            f"the challenge was {proof.challenge!r:.80}; {args.challenge!r:.80} gives the seed "
            f"{seed_of(args.challenge)}",
        )
    if args.json:
        print(json.dumps(as_json(args.folder, proof), ensure_ascii=False, indent=1))
    else:
        print("\n".join(map(printable, _told(args.folder, proof))))
    return EXIT.get(proof.status, NOT_PROVED)


def verified(
    folder: Path, remade: Remade, *, model: str | None = None, date: str | None = None
) -> Proof:
    """Check all of a results folder.

    Args:
        folder, model, date: see ``find_run``.
        remade: questions that are made already.

    Raises:
        ValueError: there are no results.
    """
    proof = prove(find_run(folder, model=model, date=date), remade)
    if model is None and date is None:
        for problem in _scores(folder):
            proof.differs.add(*problem)
    return proof


def as_json(folder: Path, proof: Proof) -> dict[str, object]:
    """What was found, as JSON values."""
    return {
        "folder": str(folder),
        "status": proof.status,
        "answers": proof.answers,
        "challenge": proof.challenge,
        "differs": [str(problem) for problem in proof.differs.items],
        "unproved": dict(proof.unproved),
    }


def _told(folder: Path, proof: Proof) -> Iterator[str]:
    yield f"{folder}: {proof.status}"
    for problem in proof.differs.items:
        yield f"differs: {problem}"
    for why, count in proof.unproved.items():
        yield f"unproved: {why} ({count:,})"
    yield (
        f"{proof.answers:,} answers were compared with their questions, made again, and graded "
        "again."
    )
    if proof.challenge is not None:
        yield f"The seed is that of the challenge {proof.challenge!r:.80}."
    yield NOT_SHOWN


def _scores(folder: Path) -> Iterator[tuple[str, str]]:
    """Compare the numbers of a report in the folder with those made again."""
    path = (folder if folder.is_dir() else folder.parent) / "report" / "scores.json"
    if not path.is_file() or not folder.is_dir():
        return
    try:
        held = json.loads(path.read_text("utf-8"))
        signature, families = held["signature"], held["families"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield str(path), f"cannot be read ({type(error).__name__}): write the report again"
        return
    try:
        made = score_folder(folder, partial=True, quiet=True).score
    except ValueError as error:
        yield str(path), f"cannot be made again: {error}"
        return
    if json.loads(json.dumps(made["families"])) != families or made["signature"] != signature:
        yield str(path), "is not the score of these answers: write the report again and compare"
