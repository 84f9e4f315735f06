"""``xlgo audit discordant``: is a gap the model's, or that of the wording?

From each cell of a report with a significant gap (paired test), questions that were solved in
English and not in the language go into a sheet, both prompts and both answers side by side. A
linguist gives each a verdict, ``xlgo audit import`` takes them back, ``xlgo audit verdicts`` and
the report say what they come to. The sheet is read back by ``PAIR``, which names prompts and
answers, and ``Language``; its rows may be sorted or left out.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import CHOICE, MODEL, OVERWRITE, RESULTS, RUN, Action, Argument, count, pairs
from ..display import labels
from ..folders import explained
from ..report import verdicts
from .file import check_new
from .sheet import csv_lines, write_csv

if TYPE_CHECKING:
    from xlgo_metric.core import Grade

    from ..logs.graded_run import GradedRun, Key
    from ..logs.lines import Sample

MOST = 20
"""Pairs of a cell that are shown."""

Cell = dict[str, Any]
"""``family``, ``task``, ``language``, and ``only_en``, ``only_l``: how many questions were solved
in one of the two languages only."""

HEADINGS = (
    "PAIR", "Language", "Task", "Complexity", "English prompt", "Prompt in the language",
    "English answer", "Answer in the language", "Right answer", "How the answer was read",
    "Verdict", "Comment", "Question",
)  # fmt: skip
_CELL_LIMIT = 30_000  # a cell of a spreadsheet holds 32,767 characters
_CONTROL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]")


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
        options=pairs("--options", args.options), partial=args.partial, details=False,
    )  # fmt: skip
    chosen = list(choose(scored, args.most))
    if not chosen:
        raise ValueError(
            f"{args.results}: no language is behind {labels.language(scored.baseline).name} in the "
            "paired test (5%), so there is no gap to look into"
        )
    wanted = {key for _, pairs in chosen for pair in pairs for key in pair}
    texts, grades = _texts(args, wanted, scored), {k: r.grade for k, r in scored.records}
    rows = [
        (cell, _row(pair, texts, grades[pair[1]]))
        for cell, pairs in chosen
        for pair in pairs
        if texts.keys() >= {*pair}
    ]
    with explained("write", args.out):
        write_csv(args.out, [HEADINGS, *(row for _, row in rows)])
    path = scored.run.files[0].path.parent / verdicts.FILE
    verdicts.save(path, _registered(path, scored, [cell for cell, _ in chosen], rows))
    for cell, sampled in chosen:
        place = f"{labels.task(cell['task']).title} ({cell['language']})"
        print(f"{place}: {len(sampled)} of {cell['only_en']} pairs")
    print(f"{args.out}: {len(rows)} rows; {path} knows them")
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
    rows = _read(args.file, args.language, register["pairs"])
    if not rows:
        return f"{path}: left as it is, no reviewer recorded: no row was filled in"
    for row in rows:
        register["pairs"][row["PAIR"]]["verdicts"][reviewer] = {
            "verdict": row["Verdict"].lower(),
            "comment": row["Comment"],
            "date": date,
        }
    verdicts.save(path, register)
    given = sum(bool(row["Verdict"]) for row in rows)
    sentences = [
        one.sentence() for one in verdicts.cells(register) if one.language == args.language
    ]
    return "\n".join([f"{path}: {given} verdicts of {reviewer}", *sentences])


def is_pair_sheet(path: Path) -> bool:
    """Whether a file is a sheet of pairs; ``False`` for whatever else it may be."""
    with contextlib.suppress(ValueError):
        return next(csv_lines(path), ("", [""]))[1][:1] == [HEADINGS[0]]
    return False


def _read(path: Path, code: str, pairs: Mapping[str, Any]) -> list[dict[str, str]]:
    """The filled-in rows of a language, by heading.

    Args:
        path: the sheet.
        code: of the language.
        pairs: those that were given out.

    Raises:
        ValueError: see ``take``.
    """
    table = [(place, [cell.strip() for cell in cells]) for place, cells in csv_lines(path)]
    if not table or table[0][1][: len(HEADINGS)] != list(HEADINGS):
        raise ValueError(f"{path}: row 1 must be {', '.join(HEADINGS)}")
    full = [*[""] * len(HEADINGS)]
    every = [(p, dict(zip(HEADINGS, [*cells, *full]))) for p, cells in table[1:] if any(cells)]
    rows = [(place, row) for place, row in every if row["Language"] == code]
    if not rows:
        there = ", ".join(dict.fromkeys(row["Language"] for _, row in every))
        raise ValueError(f"{path}: there are no rows of {code!r}, only of {there}")
    times = Counter(row["PAIR"] for _, row in rows)
    filled = [(place, row) for place, row in rows if row["Verdict"] or row["Comment"]]
    problems = [f"{p}: {said}" for p, row in filled if (said := _problem(row, times, pairs))]
    if problems:
        raise ValueError("nothing was imported: " + "; ".join(problems))
    return [row for _, row in filled]


def _problem(row: Mapping[str, str], times: Counter[str], pairs: Mapping[str, Any]) -> str:
    key, verdict, code = row["PAIR"], row["Verdict"], row["Language"]
    if times[key] > 1:
        return f"the pair {key!r} is there more than once"
    if verdict and verdict.lower() not in verdicts.VERDICTS:
        return f"'Verdict' must be {' or '.join(verdicts.VERDICTS)}, not {verdict!r}"
    if key not in pairs or pairs[key]["language"] != code:
        return f"the pair {key!r} was not given out for {code!r} from these results: make it again"
    return ""


def choose(scored: GradedRun, most: int = MOST) -> Iterator[tuple[Cell, list[tuple[Key, Key]]]]:
    """The cells with a significant gap to the baseline (paired test), and the pairs shown of each.

    A cell counts if the language is behind, at all sizes together or at some of them. Its pairs
    are ordered by complexity, and as many as allowed are taken at even distances: they are a
    sample of all, not only the short ones.

    Args:
        scored: the graded run.
        most: pairs of a cell.
    """
    from ..report.gap_marks import gaps_of, with_gaps

    sizes = {key: record.reference.get("complexity") or 0 for key, record in scored.records}
    for family, part in with_gaps(scored.score).items():
        base = part["baseline"]
        gaps = gaps_of(part)
        for task in part["tasks"]:
            frame = scored.table.where(family=family, task=task, repeat=0).frame
            right = frame.pivot(index="question", columns="language", values="correct")
            for code in (code for name, code in gaps if name == task):
                gap = gaps[task, code]
                if not gap.is_significant or gap.difference <= 0:
                    continue
                both = right[[base, code]].dropna().astype(bool)
                only_en = list(both.index[both[base] & ~both[code]])
                only_l = int((both[code] & ~both[base]).sum())
                pairs = sorted(
                    (((family, task, base, q, 0), (family, task, code, q, 0)) for q in only_en),
                    key=lambda pair: (sizes[pair[1]], pair[1]),
                )
                cell = {"family": family, "task": task, "language": code,
                        "only_en": len(only_en), "only_l": only_l}  # fmt: skip
                if pairs:
                    yield cell, [pairs[place] for place in _evenly(len(pairs), most)]


def _evenly(n: int, most: int) -> Iterator[int]:
    """At most ``most`` of the numbers below ``n``, at even distances."""
    many = min(n, most)
    return ((2 * i + 1) * n // (2 * many) for i in range(many))


def _row(pair: tuple[Key, Key], texts: Mapping[Key, Sample], grade: Grade) -> list[str]:
    """The cells of a pair; the first names its question, prompts and answers."""
    first, second = (texts[key] for key in pair)
    family, task, code, question, _ = pair[1]
    prompts_answers = [first.prompt, second.prompt, first.response or "", second.response or ""]
    named = json.dumps([family, task, code, question, *prompts_answers])
    answer = "" if grade.answer is None else f": {json.dumps(grade.answer, ensure_ascii=False)}"
    size = second.reference.get("complexity")
    return [
        hashlib.sha256(named.encode()).hexdigest()[:12],
        code,
        labels.task(task).title,
        f"{size:g}" if isinstance(size, int | float) else "",
        *map(_shortened, [
            *prompts_answers,
            json.dumps(second.reference.get("answer"), ensure_ascii=False),
            labels.STATUSES[grade.status][0] + answer,
        ]),
        "", "", question,
    ]  # fmt: skip


def _shortened(text: str) -> str:
    """A text that a cell can hold: no control characters, and not too long."""
    from ..logs.graded_run import shorten

    half = _CELL_LIMIT // 2
    return shorten(_CONTROL.sub("\ufffd", text), half, half)


def _texts(args: argparse.Namespace, wanted: set[Key], scored: GradedRun) -> dict[Key, Sample]:
    """The samples of the pairs: a run keeps no texts, so that its files are read once more."""
    from ..logs.results import find_run, read_samples

    places = {record.where: key for key, record in scored.records if key in wanted}
    again = find_run(args.results, model=args.model, date=args.date)
    return {
        places[sample.where]: sample
        for sample in read_samples(again)
        if sample.where in places and not sample.repeat
    }


def _registered(
    path: Path, scored: GradedRun, cells: Sequence[Cell], rows: Sequence[tuple[Cell, list[str]]]
) -> dict[str, Any]:
    """The register with these pairs; verdicts on pairs of the same answers stay."""
    from ..report.gap_marks import with_gaps

    old = verdicts.load(path) if path.is_file() else {"date": None, "pairs": {}}
    before = old["pairs"]
    same = {key: pair for key, pair in before.items() if pair["verdicts"]}
    parts = with_gaps(scored.score)
    return {
        "model": scored.run.model,
        "date": scored.run.date,
        "baseline": "+".join(sorted({parts[cell["family"]]["baseline"] for cell in cells})),
        "cells": list(cells),
        "pairs": (same if old["date"] == scored.run.date else {})
        | {
            key: {
                "family": cell["family"],
                "task": cell["task"],
                "language": cell["language"],
                "question": question,
                "verdicts": before.get(key, {}).get("verdicts", {}),
            }
            for cell, (key, *_, question) in rows
        },
    }


def _register(args: argparse.Namespace) -> Path:
    """Where the register of a run stands: beside its newest samples."""
    from ..logs.results import find_run

    run = find_run(args.results, model=args.model, date=args.date)
    return run.files[0].path.parent / verdicts.FILE
