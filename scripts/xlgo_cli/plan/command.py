"""``xlgo plan``: cost and statistical power of a design, before a run."""

from __future__ import annotations

import argparse
import functools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xlgo_dataset as xd
from xlgo_dataset.family import has_few

from ..arguments import Argument, Names, count, languages, pairs
from ..harness.request import BUDGET

if TYPE_CHECKING:
    from xlgo_dataset.core.question_plan import TaskPlan
    from xlgo_dataset.text.tokenizers import Count
    from xlgo_metric.comparison.repeats import Repeats
    from xlgo_metric.statistics.adaptive.design import Design
    from xlgo_metric.table import Table

    from ..harness.make_tasks import FoundTask
    from .costs import Cost, Curves

ADAPTIVE = "adaptive"
_POINTS = 100.0


PARSER = {
    "description": "Prompts, characters and tokens of the fixed and the adaptive design, the "
    "standard deviation to be expected of a gap, and how often the paired test finds one."
}

ARGUMENTS = (
    Argument(
        "--profile", default="demo", help="expected curves: a profile of xlgo-sim, or its file"
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
    Argument("--preset", default="paper", help="preset of the fixed design (default: paper)"),
    Argument(
        "--budget", type=int, default=BUDGET,
        help=f"prompts per language of the adaptive design (default: {BUDGET})",
    ),
    Argument("--c-min", type=int, help="lowest complexity of the adaptive design"),
    Argument("--c-max", type=int, help="highest complexity of the adaptive design"),
    Argument(
        "--second-stage", action=argparse.BooleanOptionalAction, default=True,
        help="plan the second stage of the adaptive design (default: yes)",
    ),
    Argument(
        "--gap", type=float, default=10.0,
        help="gap in percentage points for which to report power (default: 10)",
    ),
    Argument(
        "--no-gap", type=float, metavar="POINTS",
        help="print the questions needed to claim a gap below this many points",
    ),
    Argument(
        "--correlation", type=float, default=0.4,
        help="correlation of two languages' answers to a question (default: 0.4)",
    ),
    Argument(
        "--tokenizer",
        help="tokenizer that counts tokens: tekken, qwen, characters, or a name or folder of "
        "transformers",
    ),
    Argument(
        "--conditions",
        help="comma-separated conditions: print their cost and the smallest detectable effect "
        "(see docs/why.md)",
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
        help="options of tasks without complexities, as for `xlgo run`",
    ),
    Argument("--model", help="the model's name in --prices"),
    Argument("--judge", help="the judge's name in --prices, or none for no judge"),
    Argument(
        "--out", "-o", needs="--from RUN", type=Path, metavar="FILE",
        help="file to write: a plan for the models of --from, for `xlgo run --plan`",
    ),
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

    from ..display.formats import show
    from ..folders import write_text
    from . import decomposition, repeats
    from .costs import common_cells

    if args.save is not None:
        return _save(args)
    _check(args)
    if plain := _without_complexities(args):
        return _tell_requests(args, plain)
    models, used, repeated = _expected(args)
    costs: list[Cost] = []
    plans: dict[str, TaskPlan] = {}
    for task in _tasks(args, models):
        curves = [_selected_curves(args, task, model[task]) for model in models if task in model]
        design = _design(args, task, curves[0])
        costs += _costs(args, task, curves[0], design)
        if args.out is not None:
            cells = common_cells(design, curves, used.get(task, {}))
            plans[task] = TaskPlan(cells, design.c_min, design.c_max)
    if args.json:
        print(json.dumps([_json(found, args, repeated) for found in costs], indent=2))
    else:
        apart = [one.decomposition for one in costs if one.decomposition is not None]
        show(table(costs, args))
        print("\n".join(_wordings(costs)))
        show(
            *([decomposition.table(apart)] if apart else ()),
            *([repeats.table(repeated)] if repeated else ()),
        )
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


def _tell_requests(args: argparse.Namespace, tasks: Sequence[FoundTask]) -> int:
    """Print what tasks without complexities ask; 0 if it went well.

    Raises:
        ValueError: an option is out of range, or questions or prices cannot be loaded.
    """
    from xlgo_cli.logs.costs import read_prices

    from ..display.formats import show
    from ..harness.preflight import size as requests

    prices = None if args.prices is None else read_prices(args.prices)
    count = _counter(args) or requests.estimated
    estimates = [
        one
        for task in tasks
        for one in requests.request_counts(
            task,
            limit=args.limit,
            answer_tokens=args.answer_tokens,
            judged=args.judge != "none",
            count=count,
            metadata=pairs("--metadata", args.metadata),
        )
    ]
    names = {who: name for who in ("model", "judge") if (name := getattr(args, who))}
    if args.json:
        print(json.dumps([requests.as_json(one, prices, names) for one in estimates], indent=2))
    else:
        show(requests.table(estimates, prices, names))
    return 0


def _counter(args: argparse.Namespace) -> Count | None:
    """What counts the tokens of a prompt; ``None`` where no tokenizer is given."""
    from xlgo_dataset.text.tokenizers import counter

    return None if args.tokenizer is None else counter(args.tokenizer, marks=True)


def _check(args: argparse.Namespace) -> None:
    """Refuse values out of range.

    Raises:
        ValueError: the first of them.
    """
    if not 0 <= args.correlation < 1:
        raise ValueError(f"--correlation must lie in [0, 1), got {args.correlation:g}")
    if not 0 < args.gap < _POINTS:
        raise ValueError(f"--gap must lie between 0 and 100 points, got {args.gap:g}")
    if args.no_gap is not None and not 0 < args.no_gap < _POINTS:
        raise ValueError(f"--no-gap must lie between 0 and 100 points, got {args.no_gap:g}")


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
        score = score_folder(path, details=False).score
        again += repeated(score)
        model: dict[str, Curves] = {}
        sections = with_gaps(score).values()
        for task, entry in ((name, of) for part in sections for name, of in part["tasks"].items()):
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
            for cell in cells.values():
                for level in cell["levels"]:
                    size = int(level["complexity"])
                    known = used.setdefault(task, {})
                    known[size] = max(known.get(size, 0), level["n"])
        if not model:
            raise ValueError(f"{path}: no curve of any puzzle is identified there")
        models.append(model)
    return models, used, again


def _tasks(args: argparse.Namespace, models: Sequence[Mapping[str, Curves]]) -> list[str]:
    there = [task for model in models for task in model]
    names = [name.removeprefix("xlgo_") for name in args.tasks] or list(dict.fromkeys(there))
    for name in names:
        if name not in there:
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


def _design(args: argparse.Namespace, task: str, curves: Curves) -> Design:
    from xlgo_metric.statistics.adaptive.design import Design

    ends = xd.family_of(task).complexity_range(task)
    if ends is None:
        raise ValueError(f"{task} has no complexities to choose")
    low = ends[0] if args.c_min is None else args.c_min
    high = ends[1] if args.c_max is None else args.c_max
    xd.family_of(task).options(task, complexities=[low, high])
    avoided = functools.partial(has_few, task)
    return Design(low, high, len(curves), args.budget, avoided=avoided)


def _costs(args: argparse.Namespace, task: str, curves: Curves, design: Design) -> list[Cost]:
    """The fixed and the adaptive design of a task."""
    from .costs import adaptive_cells, cost, needed, second_cells, with_lengths
    from .decomposition import decomposition

    family = xd.family_of(task)
    levels = family.levels(task, preset=args.preset) or ()
    per_level = family.shards(task, preset=args.preset)
    count = _counter(args)
    chosen = {
        f"fixed {args.preset}": dict.fromkeys(levels, per_level),
        ADAPTIVE: adaptive_cells(design, curves),
    }
    # The gap is sought wherever it is: a range without any fall of the curve tells nothing of it.
    ends = min(design.c_min, *levels), max(design.c_max, *levels)
    found = []
    for name, cells in chosen.items():
        one = cost(task, name, cells, curves, alike=args.correlation, ends=ends)
        if name == ADAPTIVE and args.second_stage:
            one = replace(one, second=second_cells(design, curves, cells))
        one = with_lengths(one, list(curves), count)
        if args.no_gap is not None:
            of = needed(one, curves, alike=args.correlation, margin=args.no_gap / _POINTS)
            one = replace(one, no_gap=of)
        if args.conditions is not None:
            parts = decomposition(one, curves, args.conditions, alike=args.correlation, count=count)
            one = replace(one, decomposition=parts)
        found.append(one)
    return found


def _json(found: Cost, args: argparse.Namespace, repeated: Sequence[Repeats]) -> dict[str, Any]:
    from .costs import text_of
    from .decomposition import as_json

    more: dict[str, Any] = {}
    if found.no_gap is not None:
        share, n = found.no_gap
        more["no_gap"] = {"margin": args.no_gap / _POINTS, "discordant": share, "needed": n}
    if found.decomposition is not None:
        more["decomposition"] = as_json(found.decomposition)
    return {
        "task": found.task,
        "design": found.design,
        "prompts": found.prompts,
        "cells": {str(size): n for size, n in found.cells.items()},
        "second_stage": {
            language: {str(size): n for size, n in cells.items()}
            for language, cells in found.second.items()
        },
        "characters": found.characters,
        "tokens": found.tokens or None,
        "sd": found.sd if found.sd < math.inf else None,
        "gap": args.gap / _POINTS,
        "power": found.power(args.gap / _POINTS),
        "wordings": {
            code: xd.wording_status(found.task, code, text_of(found.task))
            for code in found.characters
        },
        "repeats": [one for one in repeated if one["task"] == found.task],
        **more,
    }


def table(costs: Sequence[Cost], args: argparse.Namespace) -> Table:
    """The designs for people, and where a second stage is expected."""

    from xlgo_metric.table import Column, Table

    from .costs import least_gap

    counted = "tokens" if costs[0].tokens else "characters"
    rows = tuple(
        (
            found.task, found.design, min(found.cells), max(found.cells), found.prompts,
            sum((found.tokens or found.characters).values()),
            found.sd if found.sd < math.inf else None, found.power(args.gap / _POINTS),
            least_gap(found.sd) if found.sd < math.inf else None, *(found.no_gap or ()),
        )
        for found in costs
    )  # fmt: skip
    told = [
        f"prompts: in each language; {counted}: in all {len(costs[0].characters)}; sd: expected of "
        f"a gap, in points; power: of the paired test at .05, for a gap of {args.gap:g} points; "
        "least gap: found in 80% of runs; –: no informative questions"
    ]
    if args.no_gap is not None:
        told.append(
            f"needed: questions in each language to claim no gap within ±{args.no_gap:g} points "
            "(80% chance, 95% interval for all languages together), with this share of discordant "
            "questions"
        )
    for found in costs:
        more = ", ".join(f"{name} {sum(cells.values())}" for name, cells in found.second.items())
        if more:
            told.append(
                f"{found.task}: a second stage of prompts is expected in {more}, and as many in "
                f"English for each; they are in the {counted}, not in prompts, sd and power"
            )
    return Table(
        "designs",
        "What each design costs and can show",
        (
            Column("task"),
            Column("design"),
            Column("from", "number", heading="from-to"),
            Column("to", "number", after="-"),
            Column("prompts", "count"),
            Column(counted, "count"),
            Column("sd", "share"),
            Column("power", "share", 0, unit="%"),
            Column("least gap", "share", 0),
            *([Column("discordant", "share"), Column("needed", "count")] if args.no_gap else ()),
        ),
        rows,
        "\n".join(told),
    )


def _wordings(costs: Sequence[Cost]) -> list[str]:
    """Who wrote and read the wordings of the languages, a line each but for English."""
    from ..display.labels import ENGLISH, WORDINGS, language
    from .costs import text_of

    told: dict[tuple[str, str], dict[str, None]] = {}
    for one in costs:
        for code in one.characters:
            status = WORDINGS.get(xd.wording_status(one.task, code, text_of(one.task)))
            if status and code != ENGLISH:
                told.setdefault((code, status), {})[one.task] = None
    return [
        f"{language(code).name}: {status} ({', '.join(tasks)})"
        for (code, status), tasks in told.items()
    ]
