"""Tables for people, in the layout of the paper's: categories, steps, mixed settings, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Table
from .names import CATEGORIES
from .summary import CATEGORY_TASKS, CORRECTION, MIXED_TASKS, STEPS


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of a section, only those for which it has numbers."""
    tasks = section["tasks"]
    found = [_overview(section)]
    if any(task in tasks for task in CATEGORY_TASKS):
        found.append(_categories(section))
    if any(task in tasks for task in MIXED_TASKS):
        found.append(_mixed(section))
    if STEPS in tasks:
        found.append(_steps(tasks[STEPS]))
    if CORRECTION in tasks and "rounds" in tasks[CORRECTION]:
        found.append(_rounds(tasks[CORRECTION]["rounds"]))
    if section.get("models"):
        found.append(_models(section["models"]))
    if "fresh" in section:
        found.append(_fresh(section["fresh"]))
    return found


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _between(block: Mapping[str, Any], low: str = "low", high: str = "high") -> str:
    return f"{100 * block[low]:.1f}–{100 * block[high]:.1f}"


def _overview(section: Mapping[str, Any]) -> Table:
    rows = [_line(task, block) for task, block in section["tasks"].items()]
    if "overall" in section:
        rows.append(_line("overall", section["overall"]))
    return Table(
        "korbench",
        "KOR-Bench",
        ("task", "questions", "responses", "accuracy", "95% interval", "default", "paper",
         "format failures", "strict", "truncated"),
        tuple(rows),
        "Shares in per cent; exact intervals over questions. The columns default and paper are the "
        "accuracy under the mended and under the published grading. Overall is right answers over "
        "all, as in the paper.",
    )  # fmt: skip


def _line(name: str, block: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        name,
        block["questions"],
        block["responses"],
        _percent(block["accuracy"]),
        _between(block),
        _percent(block["score_default"]),
        _percent(block["score_paper"]),
        _percent(block["format_failures"]),
        _percent(block["strict"]),
        block["statuses"]["truncated"],
    )


def _categories(section: Mapping[str, Any]) -> Table:
    """One line as in the paper's main table: overall, the categories, the real-life rate."""
    blocks = {category: section["tasks"].get(task) for task, category in CATEGORY_TASKS.items()}
    overall = section.get("overall")
    cells = [_percent(overall["accuracy"]) if overall else ""]
    for category in CATEGORIES:
        block = blocks[category]
        cells.append(_percent(block["accuracy"]) if block else "")
    counterfactual = blocks["counterfactual"]
    cells.append(_percent(counterfactual.get("real_life_rate")) if counterfactual else "")
    return Table(
        "korbench_categories",
        "KOR-Bench by category",
        ("overall", *CATEGORIES, "real-life answers"),
        (tuple(cells),),
        "Real-life answers: the share of counterfactual questions that were answered as in real "
        "life and not by the rule; lower is better.",
    )


def _mixed(section: Mapping[str, Any]) -> Table:
    rows = [
        (
            task,
            block["questions"],
            _percent(block["accuracy"]),
            _between(block),
            _percent(block.get("pass_rate")),
            _percent(block["score_paper"]),
            _percent(block.get("pass_rate_paper")),
            _percent(block["format_failures"]),
        )
        for task in MIXED_TASKS
        if (block := section["tasks"].get(task))
    ]
    if "mixed" in section:
        mean = section["mixed"]
        rows.append(
            ("mean", "", _percent(mean["accuracy"]), "", _percent(mean["pass_rate"]),
             _percent(mean["score_paper"]), "", "")
        )  # fmt: skip
    return Table(
        "korbench_mixed",
        "KOR-Bench, several rules and questions at once",
        ("setting", "rows", "accuracy", "95% interval", "pass rate", "accuracy, paper",
         "pass rate, paper", "unreadable"),
        tuple(rows),
        "A row is right if all of its questions are; the pass rate is the mean share of right "
        "questions in a row. The mean is that of the three settings.",
    )  # fmt: skip


def _steps(block: Mapping[str, Any]) -> Table:
    return Table(
        "korbench_steps",
        "KOR-Bench, cipher steps: error rate by type",
        ("type", "steps", "error rate", "95% interval"),
        tuple(
            (name, part["steps"], _percent(part["error_rate"]), _between(part))
            for name, part in block["types"].items()
        ),
        "Published grading cannot accept a grid of cells, so its error rates of grids are higher.",
    )


def _rounds(rounds: list[Mapping[str, Any]]) -> Table:
    names = [name for name in CATEGORIES if name in rounds[0]["by_category"]]
    return Table(
        "korbench_rounds",
        "KOR-Bench, self-correction with oracle feedback",
        ("after round", "accuracy", "95% interval", "unresolved before", "corrected", *names),
        tuple(
            (
                part["round"],
                _percent(part["accuracy"]),
                _between(part),
                part["unresolved"],
                _percent(part["corrected"]),
                *(_percent(part["by_category"][name]) for name in names),
            )
            for part in rounds
        ),
        "The model is told when an answer is wrong, by the reference. Corrected: the share of the "
        "questions unresolved before a round that it put right.",
    )


def _models(models: Mapping[str, Any]) -> Table:
    rows = []
    for model, settings in models.items():
        for setting, tasks in settings.items():
            rows += [
                (
                    model,
                    setting,
                    task,
                    part["questions"],
                    _percent(part["score_default"]),
                    _percent(part["score_paper"]),
                    _percent(part["score_default"] - part["score_paper"]),
                )
                for task, part in tasks.items()
            ]
    return Table(
        "korbench_models",
        "KOR-Bench result files: mended and published grading side by side",
        ("model", "setting", "task", "questions", "default", "paper", "difference"),
        tuple(rows),
    )


def _fresh(fresh: Mapping[str, Any]) -> Table:
    rows = [("all", *_sides(fresh))]
    rows += [(part["rule_id"], *_sides(part)) for part in fresh["rules"]]
    return Table(
        "korbench_fresh",
        "KOR-Bench ciphers: released against fresh questions",
        ("rule", "released", "released accuracy", "released 95%", "fresh", "fresh accuracy",
         "fresh 95%", "difference"),
        tuple(rows),
        "The same rules with new text. A model that does better on the released questions may know "
        "them.",
    )  # fmt: skip


def _sides(part: Mapping[str, Any]) -> tuple[Any, ...]:
    cells: list[Any] = []
    for name in ("released", "fresh"):
        block = part[name]
        cells += [block["questions"], _percent(block["accuracy"]), _between(block)]
    return (*cells, _percent(part["fresh"]["accuracy"] - part["released"]["accuracy"]))
