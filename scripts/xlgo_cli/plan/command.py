"""``xlgo plan``: cost and statistical power of a design, before a run."""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xlgo_dataset as xd
from xlgo_dataset.family import has_few

from ..arguments import Argument, Names, count, languages, pairs
from ..harness.request import BUDGET

if TYPE_CHECKING:
    from xlgo_dataset.text.tokenizers import Count
    from xlgo_metric.comparison.repeats import Repeats
    from xlgo_metric.statistics.adaptive.design import Design
    from xlgo_metric.table import Table

    from ..harness.make_tasks import FoundTask
    from .costs import Cost, Curves

_POINTS = 100.0
_OF_REQUESTS = ("limit", "answer_tokens", "prices", "model", "judge")
"""Options that mean something for tasks without complexities alone."""
_OF_CURVES = ("runs", "no_gap", "out")
"""Options that mean nothing for these."""
_NOT_OF_DESIGNS = {
    "profile": "demo", "runs": None, "gap": 10.0, "no_gap": None, "correlation": 0.4,
    "tokenizer": None, "json": False,
}  # fmt: skip
"""Options that do nothing with ``--save``, and their defaults."""

PARSER = {
    "description": "Prompts, characters and tokens of a preset, the standard deviation to be "
    "expected of a gap, and how often it is marked."
}

ARGUMENTS = (
    Argument(
        "--profile", default=_NOT_OF_DESIGNS["profile"],
        help="expected curves: a profile of xlgo-sim, or its file",
    ),
    Argument(
        "--from", dest="runs", nargs="+", type=Path, metavar="RUN",
        help="take the curves from results of earlier runs instead",
    ),
    Argument(
        "--tasks", nargs="+", action=Names, default=[], metavar="TASK",
        help="tasks, as `slt dsa` or `slt,dsa` (default: all that the curves have)",
    ),
    languages("all that the curves have"),
    Argument("--preset", default="paper", help="preset of the design (default: paper)"),
    Argument(
        "--gap", type=float, default=_NOT_OF_DESIGNS["gap"],
        help="gap in percentage points for which to report power (default: 10)",
    ),
    Argument(
        "--no-gap", type=float, metavar="POINTS",
        help="print the questions needed to claim a gap below this many points",
    ),
    Argument(
        "--correlation", type=float, default=_NOT_OF_DESIGNS["correlation"],
        help="correlation of two languages' answers to a question (default: 0.4)",
    ),
    Argument(
        "--tokenizer",
        help="tokenizer that counts tokens: tekken, qwen, characters, or a name or folder of "
        "transformers",
    ),
    Argument(
        "--limit", type=count, metavar="N",
        help="questions of each task without complexities (default: all)",
    ),
    Argument(
        "--answer-tokens", type=count, metavar="N",
        help="tokens per answer with its reasoning, for tasks without complexities",
    ),
    Argument(
        "--prices", type=Path, metavar="FILE",
        help="prices of tokens, for tasks without complexities (docs/running_models.md)",
    ),
    Argument(
        "--metadata", nargs="+", metavar="KEY=VALUE",
        help="options of tasks without complexities, or of --save, as for `xlgo run`",
    ),
    Argument(
        "--model", needs="--prices FILE",
        help="the model's name in --prices, for tasks without complexities",
    ),
    Argument(
        "--judge",
        help="the judge's name in --prices, or none for no judge, for tasks without complexities",
    ),
    Argument(
        "--out", "-o", needs="--from RUN", type=Path, metavar="FILE",
        help="file to write: a plan for the models of --from, for `xlgo run --plan`",
    ),
    Argument(
        "--budget", type=int, default=BUDGET, needs="--out FILE",
        help=f"prompts per language of that plan (default: {BUDGET})",
    ),
    Argument("--c-min", type=int, needs="--out FILE", help="lowest complexity of that plan"),
    Argument("--c-max", type=int, needs="--out FILE", help="highest complexity of that plan"),
    Argument(
        "--save", type=Path, metavar="FILE",
        help="only write the fixed design of --tasks, --languages, --preset and --metadata "
        "(levels, per_level, xlgo_seed, text ...), for --require of verify and leaderboard",
    ),
    Argument(
        "--challenge", needs="--save FILE", metavar="NONCE",
        help="text from which the seed of the saved design is derived",
    ),
    Argument("--json", action="store_true", help="print JSON instead of tables"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks; 0 if it went well."""
    from xlgo_dataset.core.question_plan import TaskPlan, plan_json
    from xlgo_dataset.text.tokenizers import counter

    from ..display.formats import show
    from ..folders import write_text
    from . import repeats
    from .costs import common_cells, cost

    plain = [] if args.save is not None else _without_complexities(args)
    _check(args, plain=bool(plain))
    if args.save is not None:
        return _save(args)
    tokens = None if args.tokenizer is None else counter(args.tokenizer, marks=True)
    if plain:
        return _tell_requests(args, plain, tokens)
    models, used, repeated = _expected(args)
    costs: list[Cost] = []
    plans: dict[str, TaskPlan] = {}
    for task in _tasks(args, models):
        family = xd.family_of(task)
        curves = [_selected_curves(args, task, model[task]) for model in models if task in model]
        levels = family.levels(task, preset=args.preset) or ()
        cells = dict.fromkeys(levels, family.shards(task, preset=args.preset))
        costs.append(
            cost(task, args.preset, cells, curves[0], alike=args.correlation, count=tokens)
        )
        if args.out is not None:
            design = _design(args, task, len(curves[0]))
            of_models = common_cells(design, curves, used.get(task, {}))
            plans[task] = TaskPlan(of_models, design.c_min, design.c_max)
    if args.json:
        print(json.dumps([_json(one, args, repeated) for one in costs], indent=2))
    else:
        show(table(costs, args))
        print("\n".join(_wordings(costs)))
        show(*([repeats.table(repeated)] if repeated else ()))
    if args.out is not None:
        write_text(args.out, json.dumps(plan_json(plans, made_by="earlier runs")) + "\n")
        print(f"plan: {args.out}")
    return 0


def _save(args: argparse.Namespace) -> int:
    """Write the fixed design of the command line; 0 if it went well.

    Raises:
        ValueError: a task, language or option is not allowed.
    """
    from ..verification.design import save_design

    options = {"preset": args.preset, **pairs("--metadata", args.metadata)}
    tasks = [name.removeprefix("xlgo_") for name in args.tasks] or xd.TASKS
    save_design(args.save, tasks, args.languages or (), options, args.challenge)
    print(f"design: {args.save} (xlgo leaderboard --require {args.save})")
    return 0


def _without_complexities(args: argparse.Namespace) -> list[FoundTask]:
    """The tasks that are asked for, if none has complexities.

    Raises:
        ValueError: some have complexities and some have none.
    """
    from ..harness.task_names import check_options, expand, harness_names

    if not args.tasks:
        return []
    tasks, _ = expand(harness_names(args.tasks), strict=False)
    check_options(tasks, pairs("--metadata", args.metadata))
    plain = {
        name: task
        for name, task in tasks.items()
        if xd.family(task.family).complexity_range(task.spec.task) is None
    }
    if plain and len(plain) < len(tasks):
        raise ValueError(
            f"--tasks: {', '.join(plain)} without complexities, the others with: plan these apart"
        )
    return list(plain.values())


def _tell_requests(
    args: argparse.Namespace, tasks: Sequence[FoundTask], tokens: Count | None
) -> int:
    """Print what tasks without complexities ask; 0 if it went well.

    Raises:
        ValueError: an option is out of range, or questions or prices cannot be loaded.
    """
    from xlgo_cli.logs.costs import read_prices

    from ..display.formats import show
    from ..harness.preflight import size as requests

    prices = None if args.prices is None else read_prices(args.prices)
    estimates = [
        estimate
        for task in tasks
        for estimate in requests.request_counts(
            task,
            limit=args.limit,
            answer_tokens=args.answer_tokens,
            judged=args.judge != "none",
            count=tokens or requests.estimated,
            metadata=pairs("--metadata", args.metadata),
        )
    ]
    names = {who: name for who in ("model", "judge") if (name := getattr(args, who))}
    if args.json:
        print(
            json.dumps(
                [requests.as_json(estimate, prices, names) for estimate in estimates], indent=2
            )
        )
    else:
        show(requests.table(estimates, prices, names))
    return 0


def _check(args: argparse.Namespace, *, plain: bool) -> None:
    """Refuse values out of range, and options that do nothing.

    Args:
        plain: the tasks have no complexities.

    Raises:
        ValueError: the first of them.
    """
    if args.save is not None:
        for name, default in _NOT_OF_DESIGNS.items():
            if getattr(args, name) != default:
                option = "from" if name == "runs" else name.replace("_", "-")
                raise ValueError(f"--{option}: does nothing with --save: leave it out")
    unused = [*_OF_CURVES] if plain else [*_OF_REQUESTS]
    unused += [] if plain or args.save is not None else ["metadata"]
    for name in unused:
        if getattr(args, name):
            without = "with" if plain else "without"
            option = "--from" if name == "runs" else f"--{name.replace('_', '-')}"
            raise ValueError(f"{option}: only for tasks {without} complexities: leave it out")
    if not 0 <= args.correlation < 1:
        raise ValueError(f"--correlation must lie in [0, 1), got {args.correlation:g}")
    for name, points in (("gap", args.gap), ("no-gap", args.no_gap)):
        if points is not None and not 0 < points < _POINTS:
            raise ValueError(f"--{name} must lie between 0 and 100 points, got {points:g}")


def _expected(
    args: argparse.Namespace,
) -> tuple[list[dict[str, Curves]], dict[str, dict[int, int]], list[Repeats]]:
    """For each model, the curves of each task; how many questions were asked already; and how far
    the answers to one question differ, where some were asked several times."""
    if not args.runs:
        from ..simulate.simulator import load_profile

        curves: dict[str, dict[str, tuple[float, float]]] = {}
        for (task, language), curve in load_profile(args.profile).items():
            curves.setdefault(task, {})[language] = curve
        return [dict(curves)], {}, []
    from ..logs.graded_run import score_folder
    from ..report.gap_marks import with_gaps
    from .repeats import repeated

    again: list[Repeats] = []
    models: list[dict[str, Curves]] = []
    used: dict[str, dict[int, int]] = {}
    for path in args.runs:
        score = score_folder(path).score
        again += repeated(score)
        model: dict[str, Curves] = {}
        sections = with_gaps(score).values()
        for task, entry in (
            (name, task_section)
            for part in sections
            for name, task_section in part["tasks"].items()
        ):
            if not xd.family_of(task).complexity_range(task):
                continue
            cells = entry["languages"]
            fits = {
                name: (cell["fit"]["q"], cell["fit"]["r"])
                for name, cell in cells.items()
                if cell["fit"] is not None and cell["fit"]["identified"]
            }
            if fits:
                model[task] = fits
            for level in (level for cell in cells.values() for level in cell["levels"]):
                size, counts = int(level["complexity"]), used.setdefault(task, {})
                counts[size] = max(counts.get(size, 0), level["n"])
        if not model:
            raise ValueError(f"{path}: no curve of any puzzle is identified there")
        models.append(model)
    return models, used, again


def _tasks(args: argparse.Namespace, models: Sequence[Mapping[str, Curves]]) -> list[str]:
    known_tasks = [task for model in models for task in model]
    names = [name.removeprefix("xlgo_") for name in args.tasks] or list(dict.fromkeys(known_tasks))
    for name in names:
        if name not in known_tasks:
            raise ValueError(
                f"--tasks: no curves of {name!r}: there are those of {', '.join(dict(models[0]))}"
            )
    return names


def _selected_curves(args: argparse.Namespace, task: str, curves: Curves) -> Curves:
    names = args.languages or list(curves)
    for name in names:
        if name not in curves:
            raise ValueError(
                f"--languages: no curve of {name!r} for {task}: there are {', '.join(curves)}"
            )
    return {name: curves[name] for name in names}


def _design(args: argparse.Namespace, task: str, languages: int) -> Design:
    """Where the questions of a common plan may lie, and how many there are."""
    from xlgo_metric.statistics.adaptive.design import Design

    ends = xd.family_of(task).complexity_range(task)
    if ends is None:
        raise ValueError(f"{task} has no complexities to choose")
    low = ends[0] if args.c_min is None else args.c_min
    high = ends[1] if args.c_max is None else args.c_max
    xd.family_of(task).options(task, complexities=[low, high])
    return Design(low, high, languages, args.budget, avoided=functools.partial(has_few, task))


def _json(one: Cost, args: argparse.Namespace, repeated: Sequence[Repeats]) -> dict[str, Any]:
    margin = args.no_gap and args.no_gap / _POINTS
    return {
        "task": one.task,
        "preset": one.preset,
        "prompts": one.prompts,
        "cells": {str(size): n for size, n in one.cells.items()},
        "characters": one.characters,
        "tokens": one.tokens or None,
        "discordant": one.discordant,
        "sd": one.sd,
        "gap": args.gap / _POINTS,
        "power": one.power(args.gap / _POINTS),
        "least_gap": one.least_gap,
        **({"no_gap": {"margin": margin, "needed": one.needed(margin)}} if margin else {}),
        "wordings": _statuses(one),
        "repeats": [gap for gap in repeated if gap["task"] == one.task],
    }


def table(costs: Sequence[Cost], args: argparse.Namespace) -> Table:
    """The designs for people."""
    from xlgo_metric.table import Column, Table

    counted, gap = "tokens" if costs[0].tokens else "characters", args.gap / _POINTS
    no_gap = args.no_gap and args.no_gap / _POINTS
    rows = tuple(
        (
            one.task, min(one.cells), max(one.cells), one.prompts,
            sum((one.tokens or one.characters).values()), one.discordant, one.sd, one.power(gap),
            one.least_gap, *([one.needed(no_gap)] if no_gap else ()),
        )
        for one in costs
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


def _statuses(one: Cost) -> dict[str, str]:
    """Who wrote and read the wording of each language."""
    from .costs import text_of

    text = text_of(one.task)
    return {code: xd.wording_status(one.task, code, text) for code in one.characters}


def _wordings(costs: Sequence[Cost]) -> list[str]:
    """Who wrote and read the wordings of the languages, a line each but for English."""
    from ..display.labels import ENGLISH, WORDINGS, language

    tasks: dict[tuple[str, str], dict[str, None]] = {}
    for one in costs:
        for code, status in _statuses(one).items():
            if (words := WORDINGS.get(status)) and code != ENGLISH:
                tasks.setdefault((code, words), {})[one.task] = None
    return [
        f"{language(code).name}: {words} ({', '.join(task_names)})"
        for (code, words), task_names in tasks.items()
    ]
