"""``xlgo audit discordant``: is a gap the model's, or that of the wording?

From each cell of a report with a significant gap (paired test), questions that were solved in
English and not in the language go into a sheet, both prompts and both answers side by side. A
linguist gives each a verdict, ``xlgo audit import`` takes them back, ``xlgo audit verdicts`` and
the report say what they come to.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import CHOICE, MODEL, OVERWRITE, RESULTS, RUN, Action, Argument, count
from ..display import labels
from ..folders import explained
from ..logs import lines
from ..report import verdicts
from .file import check_new
from .pair_sheet import Shown, read, write

if TYPE_CHECKING:
    from ..logs.graded_run import GradedRun, Key
    from ..logs.lines import Sample

MOST = 20
"""Pairs of a cell that are shown."""


@dataclass(frozen=True)
class Chosen:
    """The pairs of one cell.

    Attributes:
        family, task, language: which.
        only_en, only_l: how many questions were solved in one of the two languages only.
        questions: instance ids of those that are shown.
    """

    family: str
    task: str
    language: str
    only_en: int
    only_l: int
    questions: tuple[str, ...]


def _verdicts(args: argparse.Namespace) -> int:
    """Print the verdicts."""
    from ..display.formats import show

    cells = verdicts.cells(verdicts.load(_register(args)))
    show(verdicts.table(cells))
    for one in cells:
        print(one.sentence())
    return 0


def _discordant(args: argparse.Namespace) -> int:
    """Write the sheet."""
    from ..logs.graded_run import score_folder

    check_new([args.out], overwrite=args.overwrite)
    scored = score_folder(
        args.results, model=args.model, date=args.date, judge=args.judge,
        options=lines.pairs("--options", args.options), partial=args.partial, details=False,
    )  # fmt: skip
    puzzles = choose(scored, args.most)
    if not puzzles:
        raise ValueError(
            f"{args.results}: no language is behind {labels.language(scored.baseline).name} in the "
            "paired test (5%), so there is no gap to look into"
        )
    shown = pairs(puzzles, _texts(args, puzzles, scored), scored)
    codes = list(dict.fromkeys(cell.language for cell in puzzles))
    with explained("write", args.out):
        write(args.out, {code: [s for c, s in shown if c.language == code] for code in codes})
    path = scored.run.files[0].path.parent / verdicts.FILE
    verdicts.save(path, _registered(path, scored, puzzles, shown))
    for cell in puzzles:
        place = f"{labels.task(cell.task).title} ({cell.language})"
        print(f"{place}: {len(cell.questions)} of {cell.only_en} pairs")
    print(f"{args.out}: {len(shown)} rows; {path} knows them")
    return 0


ACTIONS = {
    "discordant": Action(
        "write a sheet of questions solved in English and not in a language",
        _discordant,
        RESULTS,
        Argument("-o", "--out", type=Path, required=True, help="file to write, .csv"),
        Argument("--most", type=count, default=MOST, help=f"pairs of a cell (default: {MOST})"),
        OVERWRITE,
        *CHOICE,
    ),
    "verdicts": Action(
        "say which gaps are due to the wording",
        _verdicts,
        Argument("results", type=Path, help="the results that the sheet was made from"),
        MODEL,
        RUN,
    ),
}
"""The two actions of ``xlgo audit``."""


def take(args: argparse.Namespace, reviewer: str, date: str) -> str:
    """Record the verdicts of a filled-in sheet, and summarize all verdicts.

    Raises:
        ValueError: the sheet or the register cannot be read, a value is not allowed, or a pair is
            not among those that were given out; nothing is recorded then.
    """
    if args.results is None:
        raise ValueError(
            f"{args.file} is a sheet of discordant pairs: give --results, the folder that it was "
            "made from"
        )
    path = _register(args)
    register = verdicts.load(path)
    rows = read(args.file, args.language)
    if not rows:
        return f"{path}: left as it is, no reviewer recorded: no row was filled in"
    for row in rows:
        pair = register["pairs"].get(row.key)
        if pair is None or pair["language"] != args.language:
            raise ValueError(
                f"nothing was imported: {args.file.name}: the pair {row.key!r} was not given out "
                f"for {args.language!r} from these results: make the sheet again"
            )
    for row in rows:
        register["pairs"][row.key]["verdicts"][reviewer] = {
            "verdict": row.verdict, "comment": row.comment, "date": date,
        }  # fmt: skip
    verdicts.save(path, register)
    given = sum(bool(row.verdict) for row in rows)
    sentences = [
        one.sentence() for one in verdicts.cells(register) if one.language == args.language
    ]
    return "\n".join([f"{path}: {given} verdicts of {reviewer}", *sentences])


def choose(scored: GradedRun, most: int = MOST) -> list[Chosen]:
    """The cells with a significant gap to English (paired test), and the pairs shown of each.

    A cell counts if the language is behind English, at all sizes together or at some of them. Its
    pairs are ordered by complexity, and as many as allowed are taken at even distances: they are
    a sample of all, not only the short ones.

    Args:
        scored: the graded run.
        most: pairs of a cell.
    """
    from ..report.gap_marks import gaps_of, with_gaps

    sizes = {
        key: (record.reference.get("complexity") or 0, key[3]) for key, record in scored.records
    }
    candidates = []
    for name, part in with_gaps(scored.score).items():
        for (task, code), gap in gaps_of(part).items():
            if not gap.is_significant or gap.difference <= 0:
                continue
            english = _first(scored, name, task, part["baseline"])
            theirs = _first(scored, name, task, code)
            both = [q for q in english if q in theirs]
            only_en = [q for q in both if english[q] and not theirs[q]]
            only_l = sum(theirs[q] and not english[q] for q in both)
            only_en.sort(key=lambda q: sizes[name, task, code, q, 0])
            shown = tuple(only_en[i] for i in _evenly(len(only_en), most))
            if shown:
                candidates.append(Chosen(name, task, code, len(only_en), only_l, shown))
    return candidates


def pairs(
    chosen: Sequence[Chosen], texts: Mapping[Key, Sample], scored: GradedRun
) -> list[tuple[Chosen, Shown]]:
    """The pairs as the sheet shows them; those whose texts are gone are left out."""
    grades = {key: record.grade for key, record in scored.records}
    puzzles = []
    for cell in chosen:
        for question in cell.questions:
            keys = [(cell.family, cell.task, c, question, 0) for c in (_english(scored, cell),
                    cell.language)]  # fmt: skip
            if not all(key in texts for key in keys):
                continue
            first, second = (texts[key] for key in keys)
            prompts = first.prompt, second.prompt
            answers = first.response or "", second.response or ""
            grade = grades[keys[1]]
            answer = None if grade.answer is None else json.dumps(grade.answer, ensure_ascii=False)
            size = second.reference.get("complexity")
            shown = Shown(
                _name(cell, question, *prompts, *answers),
                labels.task(cell.task).title,
                question,
                size if isinstance(size, int | float) else None,
                prompts,
                answers,
                json.dumps(second.reference.get("answer"), ensure_ascii=False),
                labels.STATUSES[grade.status][0] + (f": {answer}" if answer else ""),
            )
            puzzles.append((cell, shown))
    return puzzles


def _first(scored: GradedRun, family: str, task: str, language: str) -> dict[str, bool]:
    """Whether the first response to each question is right."""
    asked = {"family": family, "task": task, "language": language}
    first = scored.table.where(**asked, repeat=0).frame
    return dict(zip(first["question"], first["correct"]))


def _english(scored: GradedRun, cell: Chosen) -> str:
    from ..report.gap_marks import with_gaps

    return str(with_gaps(scored.score)[cell.family]["baseline"])


def _evenly(n: int, most: int) -> Iterator[int]:
    """At most ``most`` of the numbers below ``n``, at even distances."""
    many = min(n, most)
    return ((2 * i + 1) * n // (2 * many) for i in range(many))


def _texts(
    args: argparse.Namespace, chosen: Sequence[Chosen], scored: GradedRun
) -> dict[Key, Sample]:
    """The samples of the pairs: a run keeps no texts, so that its files are read once more."""
    wanted = {
        (cell.family, cell.task, code, question, 0)
        for cell in chosen
        for question in cell.questions
        for code in (_english(scored, cell), cell.language)
    }
    places = {record.where: key for key, record in scored.records if key in wanted}
    from ..logs.results import find_run, read_samples

    again = find_run(args.results, model=args.model, date=args.date)
    return {
        places[sample.where]: sample
        for sample in read_samples(again)
        if sample.where in places and not sample.repeat
    }


def _name(cell: Chosen, question: str, *texts: str) -> str:
    """Twelve letters that differ where the question, a prompt or an answer does."""
    parts = [cell.family, cell.task, cell.language, question, *texts]
    text = json.dumps(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _registered(
    path: Path,
    scored: GradedRun,
    chosen: Sequence[Chosen],
    shown: Sequence[tuple[Chosen, Shown]],
) -> dict[str, Any]:
    """The register with these pairs; verdicts on pairs of the same answers stay."""
    old = verdicts.load(path) if path.is_file() else {"date": None, "pairs": {}}
    before = old["pairs"]
    same = {key: pair for key, pair in before.items() if pair["verdicts"]}
    kept = same if old["date"] == scored.run.date else {}
    baselines = {_english(scored, cell) for cell in chosen}
    return {
        "model": scored.run.model,
        "date": scored.run.date,
        "baseline": "+".join(sorted(baselines)),
        "cells": [
            {
                "family": cell.family, "task": cell.task, "language": cell.language,
                "only_en": cell.only_en, "only_l": cell.only_l,
            }
            for cell in chosen
        ],
        "pairs": kept
        | {
            pair.key: {
                "family": cell.family, "task": cell.task, "language": cell.language,
                "question": pair.question,
                "verdicts": before.get(pair.key, {}).get("verdicts", {}),
            }
            for cell, pair in shown
        },
    }  # fmt: skip


def _register(args: argparse.Namespace) -> Path:
    """Where the register of a run stands: beside its newest samples."""
    from ..logs.results import find_run

    run = find_run(args.results, model=args.model, date=args.date)
    return run.files[0].path.parent / verdicts.FILE
