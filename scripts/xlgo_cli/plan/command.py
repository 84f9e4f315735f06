"""``xlgo plan``: cost and statistical power of a design, before a run."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import xlgo_dataset as xd
from xlgo_lm_eval.arguments import pairs
from xlgo_metric.core import refuse

from ..arguments import Argument, Names, languages

if TYPE_CHECKING:
    from xlgo_metric.comparison.section import Repeats
    from xlgo_metric.table import Table

    from .costs import Cost, Curves

_POINTS = 100.0
_DEFAULTS = {
    "profile": "demo", "results": None, "gap": 10.0, "no_gap": None, "tokenizer": None,
    "json": False,
}  # fmt: skip
"""Of the options that do nothing with ``--save``."""

PARSER = {
    "description": "Prompts, characters and tokens of a preset, the standard deviation to be "
    "expected of a gap, and how often it is marked."
}

ARGUMENTS = (
    Argument(
        "--profile", default=_DEFAULTS["profile"],
        help="expected curves: a profile of xlgo-sim, or its file",
    ),
    Argument(
        "--from", dest="results", type=Path, metavar="RUN",
        help="take the curves from results of an earlier run instead",
    ),
    Argument(
        "--tasks", nargs="+", action=Names, default=[], metavar="TASK",
        help="tasks, as `slt dsa` or `slt,dsa` (default: all that the curves have)",
    ),
    languages("all that the curves have"),
    Argument("--preset", default="quick", help="preset of the design (default: quick)"),
    Argument(
        "--gap", type=float, default=_DEFAULTS["gap"],
        help="gap in percentage points for which to report power (default: 10)",
    ),
    Argument(
        "--no-gap", type=float, metavar="POINTS",
        help="print the questions needed to claim a gap below this many points",
    ),
    Argument(
        "--tokenizer",
        help="tokenizer that counts tokens: tekken, qwen, characters, or a name or folder of "
        "transformers",
    ),
    Argument(
        "--save", type=Path, metavar="FILE",
        help="only write the fixed design of --tasks, --languages, --preset and --metadata, for "
        "--require of verify and leaderboard",
    ),
    Argument(
        "--metadata", needs="--save FILE", nargs="+", metavar="KEY=VALUE",
        help="options of the saved design: levels, per_level, xlgo_seed, text ...",
    ),
    Argument(
        "--challenge", needs="--save FILE", metavar="NONCE",
        help="text from which the seed of the saved design is derived",
    ),
    Argument("--json", action="store_true", help="print JSON instead of a table"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Print what a design costs and can show, or write it; 0 if it went well.

    Raises:
        ValueError: an option is out of range, or names what the curves have not.
    """
    from xlgo_dataset.text.tokenizers import counter

    from ..display.formats import show
    from .costs import cost, repeats_table

    if args.save is not None:
        return _save(args)
    refuse("", *(
        (points is not None and not 0 < points < _POINTS,
         f"--{name} must lie between 0 and 100 points, got {points or 0:g}")
        for name, points in (("gap", args.gap), ("no-gap", args.no_gap))
    ))  # fmt: skip
    tokens = None if args.tokenizer is None else counter(args.tokenizer, marks=True)
    costs = []
    selected, gaps = _selected_curves(args)
    for task, curves in selected.items():
        family = xd.family_of(task)
        levels = family.levels(task, preset=args.preset) or ()
        cells = dict.fromkeys(levels, family.shards(task, preset=args.preset))
        costs.append(cost(task, args.preset, cells, curves, count=tokens))
    if args.json:
        print(json.dumps([_json(one, args, gaps) for one in costs], indent=2))
    else:
        show(table(costs, args), *([repeats_table(gaps)] if gaps else ()))
    return 0


def _save(args: argparse.Namespace) -> int:
    """Write the fixed design of the command line; 0 if it went well.

    Raises:
        ValueError: a task, language or option is not allowed, or does nothing here.
    """
    from ..logs.questions import save_design

    refuse("", *(
        (getattr(args, name) != default,
         f"--{name.replace('results', 'from').replace('_', '-')}: does nothing with --save: "
         "leave it out")
        for name, default in _DEFAULTS.items()
    ))  # fmt: skip
    options = {"preset": args.preset, **pairs("--metadata", args.metadata)}
    tasks = [name.removeprefix("xlgo_") for name in args.tasks] or xd.TASKS
    save_design(args.save, tasks, args.languages or (), options, args.challenge)
    print(f"design: {args.save} (xlgo leaderboard --require {args.save})")
    return 0


def _expected(profile: str, results: Path | None) -> tuple[Mapping[str, Curves], list[Repeats]]:
    """The curves of each task, of a profile or as an earlier run identifies them; and the gaps of
    the run whose questions were answered several times.

    Raises:
        ValueError: there is no such profile, or the run identifies no curve.
    """
    if results is None:
        from ..simulate.simulator import load_profile

        curves: dict[str, dict[str, tuple[float, float]]] = {}
        for (task, language), curve in load_profile(profile).items():
            curves.setdefault(task, {})[language] = curve
        return curves, []
    from ..logs.graded_run import score_folder
    from ..page.grid import with_gaps
    from .costs import repeated

    score = score_folder(results).score
    tasks = {
        task: {
            code: (fit["q"], fit["r"])
            for code, cell in entry["languages"].items()
            if (fit := cell["fit"]) is not None and fit["identified"]
        }
        for part in with_gaps(score).values()
        for task, entry in part["tasks"].items()
        if xd.family_of(task).complexity_range(task)
    }
    identified = {task: curves for task, curves in tasks.items() if curves}
    if not identified:
        raise ValueError(f"{results}: no curve of any puzzle is identified there")
    return identified, [*repeated(score)]


def _selected_curves(args: argparse.Namespace) -> tuple[dict[str, Curves], list[Repeats]]:
    """The expected curves of the tasks and languages that the command line chooses; and as above.

    Raises:
        ValueError: the curves have none of a task, or of a language in it.
    """
    curves, gaps = _expected(args.profile, args.results)
    selected: dict[str, Curves] = {}
    for task in [name.removeprefix("xlgo_") for name in args.tasks] or curves:
        of_task = curves.get(task, {})
        refuse(
            "",
            (
                not of_task,
                f"--tasks: no curves of {task!r}: there are those of {', '.join(curves)}",
            ),
            *(
                (
                    code not in of_task,
                    f"--languages: no curve of {code!r} for {task}: there are {', '.join(of_task)}",
                )
                for code in args.languages
            ),
        )
        selected[task] = {code: of_task[code] for code in args.languages or of_task}
    return selected, gaps


def _json(cost: Cost, args: argparse.Namespace, gaps: Sequence[Repeats]) -> dict[str, object]:
    margin = args.no_gap and args.no_gap / _POINTS
    return {
        "task": cost.task,
        "preset": cost.preset,
        "prompts": cost.prompts,
        "cells": {str(size): n for size, n in cost.cells.items()},
        "characters": cost.characters,
        "tokens": cost.tokens or None,
        "discordant": cost.discordant,
        "sd": cost.sd,
        "gap": args.gap / _POINTS,
        "power": cost.power(args.gap / _POINTS),
        "least_gap": cost.least_gap,
        "repeats": [gap for gap in gaps if gap["task"] == cost.task],
        **({"no_gap": {"margin": margin, "needed": cost.needed(margin)}} if margin else {}),
    }


def table(costs: Sequence[Cost], args: argparse.Namespace) -> Table:
    """The designs for people."""
    from xlgo_metric.table import Column, Table

    counted, gap = "tokens" if costs[0].tokens else "characters", args.gap / _POINTS
    no_gap = args.no_gap and args.no_gap / _POINTS
    rows = tuple(
        (
            cost.task, min(cost.cells), max(cost.cells), cost.prompts,
            sum((cost.tokens or cost.characters).values()), cost.discordant, cost.sd,
            cost.power(gap), cost.least_gap, *([cost.needed(no_gap)] if no_gap else ()),
        )
        for cost in costs
    )  # fmt: skip
    caption = (
        f"prompts: in each language; {counted}: in all {len(costs[0].characters)}; discordant: "
        "expected share of questions that one of two equal languages answers correctly; sd: of a "
        f"gap, in points; power: how often a gap of {args.gap:g} points is marked; least gap: "
        "marked in 80% of runs (all languages together); –: no informative questions"
    )
    if no_gap:
        caption += (
            f"\nneeded: questions in each language to claim no gap within ±{args.no_gap:g} points "
            "(80% chance, 95% interval for all languages together)"
        )
    return Table(
        "designs",
        f"What preset {args.preset} costs and can show",
        (
            Column("task"),
            Column("from", "number", heading="from-to"),
            Column("to", "number", after="-"),
            Column("prompts", "count"),
            Column(counted, "count"),
            Column("discordant", "share", unit="%"),
            Column("sd", "share"),
            Column("power", "share", 0, unit="%"),
            Column("least gap", "share"),
            *([Column("needed", "count")] if no_gap else ()),
        ),
        rows,
        caption,
    )
