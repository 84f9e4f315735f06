"""Tables for people, in the layout of the paper's: categories, steps, mixed settings, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...core import ACCURACY, STRICT, Measure
from ...table import Column, Table, columns, interval
from .measures import FORMAT_FAILURES, PASS_RATE, PASS_RATES, REAL_LIFE, SCORES
from .names import CATEGORIES, CORRECTION, HARD, MIXED_TASKS, STEPS
from .shapes import Block, Fresh, Interval, KorSection, Round, Scores, Sides
from .studies.experiment_tables import experiment_tables
from .summary import CATEGORY_TASKS, NO_RULE

_BETWEEN = interval("95% interval", "share")


def tables(section: KorSection) -> list[Table]:
    """The tables of a section, only those for which it has numbers."""
    tasks = section["tasks"]
    found = [_overview(section)]
    if any(task in tasks for task in CATEGORY_TASKS):
        found.append(_categories(section))
    if any(task + NO_RULE in tasks for task in CATEGORY_TASKS):
        found.append(_categories(section, NO_RULE))
    if any(task in tasks for task in (*MIXED_TASKS, HARD)):
        found.append(_mixed(section))
    if STEPS in tasks:
        found.append(_steps(tasks[STEPS]))
    if CORRECTION in tasks and "rounds" in tasks[CORRECTION]:
        found.append(_rounds(tasks[CORRECTION]["rounds"]))
    if section.get("models"):
        found.append(_models(section["models"]))
    if "fresh" in section:
        found.append(_fresh(section["fresh"]))
    return [*found, *experiment_tables(section)]


def _columns(*measures: Measure) -> tuple[Column, ...]:
    return tuple(replace(measure.shown, digits=2) for measure in measures)


def _between(block: Interval) -> tuple[float, float]:
    return block["low"], block["high"]


def _overview(section: KorSection) -> Table:
    rows = [_line(task, block) for task, block in section["tasks"].items()]
    if "overall" in section:
        rows.append(_line("overall", section["overall"]))
    return Table(
        "korbench",
        "KOR-Bench",
        (
            Column("task"),
            Column("questions", "count"),
            Column("responses", "count"),
            *_columns(ACCURACY),
            *_BETWEEN,
            *_columns(*SCORES, FORMAT_FAILURES, STRICT),
            Column("truncated", "count"),
        ),
        tuple(rows),
        "Percent, with exact intervals over questions. The columns default and paper are the "
        "accuracies under this package's and the published grading. Overall is the accuracy over "
        "all questions, as in the paper.",
    )


def _line(name: str, block: Block) -> tuple[Any, ...]:
    return (
        name,
        block["questions"],
        block["responses"],
        block["accuracy"],
        *_between(block),
        block["score_default"],
        block["score_paper"],
        block["format_failures"],
        block["strict"],
        block["statuses"]["truncated"],
    )


def _categories(section: KorSection, suffix: str = "") -> Table:
    """One line as in the paper's main table: overall, the categories, the real-life rate.

    With the suffix of questions without rules it is that of the paper's tables 14 and 15.
    """
    tasks = section["tasks"]
    blocks = {category: tasks.get(task + suffix) for task, category in CATEGORY_TASKS.items()}
    overall = section.get("overall_no_rule") if suffix else section.get("overall")
    row = [overall["accuracy"] if overall else None]
    for category in CATEGORIES:
        block = blocks[category]
        row.append(block["accuracy"] if block else None)
    counterfactual = blocks["counterfactual"]
    row.append(counterfactual.get("real_life_rate") if counterfactual else None)
    return Table(
        "korbench_categories" + suffix,
        "KOR-Bench by category" + (", without the rules" if suffix else ""),
        (*columns("share", "overall", *CATEGORIES, digits=2), REAL_LIFE.shown),
        (tuple(row),),
        "Real-life answers: the share of counterfactual questions that were answered as in real "
        "life and not by the rule; lower is better.",
    )


def _mixed(section: KorSection) -> Table:
    rows: list[tuple[Any, ...]] = [
        (
            task,
            block["questions"],
            block["accuracy"],
            *_between(block),
            block.get("pass_rate"),
            block["score_paper"],
            block.get("pass_rate_paper"),
            block["format_failures"],
        )
        for task in (*MIXED_TASKS, HARD)
        if (block := section["tasks"].get(task))
    ]
    if "mixed" in section:
        mean = section["mixed"]
        means = (mean["accuracy"], None, None, mean["pass_rate"], mean["score_paper"])
        rows.append(("mean", None, *means, None, None))
    return Table(
        "korbench_mixed",
        "KOR-Bench, several rules and questions at once",
        (
            Column("setting"),
            Column("rows", "count"),
            *_columns(ACCURACY),
            *_BETWEEN,
            PASS_RATE.shown,
            Column("accuracy, paper", "share", 2),
            PASS_RATES[-1].shown,
            Column("unreadable", "share", 2),
        ),
        tuple(rows),
        "A row is right if all of its questions are; the pass rate is the mean share of right "
        "questions in a row. The mean is that of the paper's three settings.",
    )


def _steps(block: Block) -> Table:
    return Table(
        "korbench_steps",
        "KOR-Bench, cipher steps: error rate by type",
        (Column("type"), Column("steps", "count"), Column("error rate", "share", 2), *_BETWEEN),
        tuple(
            (name, part["steps"], part["error_rate"], *_between(part))
            for name, part in block["types"].items()
        ),
        "Published grading cannot accept a grid of cells, so its error rates of grids are higher.",
    )


def _rounds(rounds: list[Round]) -> Table:
    names = [name for name in CATEGORIES if name in rounds[0]["by_category"]]
    return Table(
        "korbench_rounds",
        "KOR-Bench, self-correction with oracle feedback",
        (
            Column("after round", "count"),
            Column("accuracy", "share", 2),
            *_BETWEEN,
            Column("unresolved before", "count"),
            *columns("share", "corrected", *names, digits=2),
            *columns("share", *(f"{name} corrected" for name in names), digits=2),
        ),
        tuple(
            (
                part["round"],
                part["accuracy"],
                *_between(part),
                part["unresolved"],
                part["corrected"],
                *(part["by_category"][name] for name in names),
                *(part["corrected_by_category"].get(name) for name in names),
            )
            for part in rounds
        ),
        "The model is told when an answer is wrong, by the reference. Corrected: the share of the "
        "questions unresolved before a round that it put right.",
    )


def _models(models: Mapping[str, Mapping[str, Mapping[str, Scores]]]) -> Table:
    rows = [
        (
            model,
            setting,
            task,
            part["questions"],
            part["score_default"],
            part["score_paper"],
            part["score_default"] - part["score_paper"],
        )
        for model, settings in models.items()
        for setting, tasks in settings.items()
        for task, part in tasks.items()
    ]
    return Table(
        "korbench_models",
        "KOR-Bench result files: both gradings side by side",
        (
            *columns("text", "model", "setting", "task"),
            Column("questions", "count"),
            *columns("share", "default", "paper", digits=2),
            Column("difference", "difference", 2),
        ),
        tuple(rows),
    )


def _fresh(fresh: Fresh) -> Table:
    rows = [("all", *_sides(fresh))]
    rows += [(part["rule_id"], *_sides(part)) for part in fresh["rules"]]
    sides = (
        (
            Column(name, "count"),
            Column(f"{name} accuracy", "share", 2),
            *interval(f"{name} 95%", "share"),
        )
        for name in ("released", "fresh")
    )
    return Table(
        "korbench_fresh",
        "KOR-Bench ciphers: released against fresh questions",
        (
            Column("rule"),
            *(column for side in sides for column in side),
            Column("difference", "difference", 2),
        ),
        tuple(rows),
        "The same rules with new text. A model that does better on the released questions may know "
        "them.",
    )


def _sides(part: Sides) -> tuple[Any, ...]:
    cells: list[Any] = []
    for block in (part["released"], part["fresh"]):
        cells += [block["questions"], block["accuracy"], *_between(block)]
    return (*cells, part["fresh"]["accuracy"] - part["released"]["accuracy"])
