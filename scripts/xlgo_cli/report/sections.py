"""The sections of the report: a task with its curves and numbers, a family with its, and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from xlgo_metric.comparison.section import mark
from xlgo_metric.table import Column, Table, interval
from xlgo_metric.table import spread as with_spread

from ..display import labels
from ..display.formats import count, duration, money, percent, sortable
from ..display.labels import ENGLISH
from ..display.sentences import say
from ..logs.costs import summed
from . import pictures
from .experiments import reasons_of
from .findings import Told
from .gap_marks import (
    CellScores,
    GapSection,
    TaskScores,
    anchor,
    baseline,
    gap_of,
    gaps_of,
    in_order,
    language_with_note,
    ordered,
)

_MOST_NAMED = 3


def task_views(family: str, section: GapSection) -> list[dict[str, Any]]:
    """The sections of a family that has gaps, one a task: curves, numbers and outcomes."""
    base = baseline(section)
    return [
        {
            "id": anchor(family, name),
            "words": labels.task(name),
            "note": _note(section, name),
            "name": name,
            "curves": _curves(anchor(family, name), name, task, base),
            "table": sortable(without_empty(language_table(task)), languages=True),
            "outcomes": _outcomes(task),
            "why": reasons_of(section, name) if section.get("why") else [],
        }
        for name, task in in_order(section["tasks"])
    ]


def _note(section: GapSection, task: str) -> str:
    """The languages that are significantly behind, for the heading under which a task is folded."""
    gaps = [gap for (name, _), gap in gaps_of(section).items() if name == task]
    sure = sorted(
        (gap for gap in gaps if gap.is_significant and gap.difference > 0),
        key=lambda gap: -gap.difference,
    )
    if not gaps:
        return ""
    few = ", ".join(map(language_with_note, sure[:_MOST_NAMED]))
    more = f" and {len(sure) - _MOST_NAMED} more" if len(sure) > _MOST_NAMED else ""
    return f"behind (●): {few}{more}" if sure else "no language significantly behind"


def _curves(ident: str, name: str, task: TaskScores, base: str) -> str:
    """The curves of every language beside those of the baseline."""
    panels = pictures.task_panels(task, base)
    floor = [(point["complexity"], point["accuracy"]) for point in task.get("floor", ())]
    unit = labels.task(name).unit
    figure = pictures.curves(panels, unit, floor=floor, asked="design" in task)
    drawn = {curve.name: curve.words for panel in panels for curve in panel}
    told = " ".join([f"Accuracy by the number of {unit}.", *drawn.values()])
    return pictures.svg(figure, ident, told)


def _outcomes(task: TaskScores) -> list[dict[str, Any]]:
    """The share of answers of each status in every language, for bars and in words."""
    rows = []
    for code in ordered(task["languages"]):
        shares = status_shares(task["languages"][code])
        kept = [(status, share) for status, share in shares.items() if share]
        rows.append(
            {
                "words": labels.language(code),
                "shares": [(s, round(100 * x, 2)) for s, x in kept],
                "told": ", ".join(f"{labels.STATUSES[s][0]} {percent(x, 1)}" for s, x in kept),
            }
        )
    return rows


def family_view(name: str, section: Mapping[str, Any]) -> dict[str, Any]:
    """The section of another family: its tables and examples."""
    from xlgo_metric.family import family
    from xlgo_metric.scoring import tables_of

    return {
        "id": anchor(name),
        "title": labels.family(name),
        "tables": [sortable(table) for table in tables_of(name, section)],
        "exhibits": family(name).exhibits(section),
    }


def without_empty(table: Table) -> Table:
    """A table without the cells that hold nothing in any row."""
    kept = [
        place
        for number, group in enumerate(table.groups)
        if not number or any(row[group[0]] not in (None, "") for row in table.rows)
        for place in group
    ]
    columns = tuple(table.columns[place] for place in kept)
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def language_table(task: TaskScores) -> Table:
    """Counts, fitted curves and the published measures of every language of a task."""
    columns = (
        Column("Language"),
        Column("Wording"),
        Column("Answers", "count"),
        Column("Accuracy", "share", unit="%"),
        Column("Parsed", "share", unit="%"),
        Column("Strict", "share", unit="%"),
        Column("Gap", "difference"),
        Column("Gap, mark", after=" "),
        *interval("95% interval"),
        Column("p", "p"),
        *with_spread("AvgAcc", unit="%"),
        *with_spread("SMD", "difference"),
        Column("SMD, published rule", after=" "),
        Column("c*", "number", 0),
        *with_spread("RD", "difference"),
    )
    rows = tuple((code, *_numbers(task["languages"][code])) for code in ordered(task["languages"]))
    return Table("languages", "Languages", columns, rows)


def _numbers(cell: CellScores) -> tuple[Any, ...]:
    """A row of ``language_table``."""
    gap = gap_of(cell)
    of_gap = (
        (None,) * 5
        if gap is None
        else (gap.difference, mark(gap) or None, gap.ci_low, gap.ci_high, gap.p_value)
    )
    smd = ("avg_acc", "avg_acc_sd", "smd", "smd_sd")
    return (
        gap and labels.WORDINGS.get(gap.wording_status), cell["n"], cell["accuracy"],
        cell["parsed"], cell["strict"], *of_gap, *map(cell.get, smd),
        "○" if cell.get("published_rule") else None, *map(cell.get, ("c_star", "rd", "rd_sd")),
    )  # fmt: skip


def all_languages(sections: Mapping[str, GapSection]) -> Table:
    """The numbers of every task and language, for a file: ``language_table`` and outcomes."""
    rows: list[tuple[Any, ...]] = []
    table = Table("languages", "", (), ())
    for family, section in sections.items():
        for name, task in in_order(section["tasks"]):
            table = language_table(task)
            shares = [status_shares(task["languages"][row[0]]).values() for row in table.rows]
            rows += [(family, name, *row, *own) for row, own in zip(table.rows, shares)]
    statuses = (Column(name, "share") for name in labels.STATUSES)
    columns = (Column("Family"), Column("Task"), *table.columns, *statuses)
    return Table("languages", "Every task and language", columns, tuple(rows))


def status_shares(cell: CellScores) -> dict[str, float]:
    """The share of the answers that has each status."""
    counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
    total = sum(counts.values()) or 1
    return {status: n / total for status, n in counts.items()}


_DEARER = 1.5
"""Times what English takes, from which a language is worth a sentence."""
_WORTH_SAYING = 1.1
_MOST = 3
_SIDES = (("in", "prompts"), ("out", "answers"))


def _unit(cost: Mapping[str, Any]) -> str:
    return str(cost["unit"])


def by_language(cost: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What each language took over all tasks, English first."""
    cells: dict[str, dict[str, Mapping[str, Any]]] = {}
    for family, tasks in cost["tasks"].items():
        for task, languages in tasks.items():
            for code, entry in languages.items():
                cells.setdefault(code, {})[f"{family} {task}"] = entry
    return {code: summed(cells[code]) for code in ordered(cells)}


def times_english(cost: Mapping[str, Any], side: str) -> dict[str, float]:
    """How many times what English takes a language takes for the same tasks, by language.

    An answer counts as much as the same answer in English: means of each task are compared, over
    the tasks that were asked in both.

    Args:
        cost: of a score.
        side: ``in`` for prompts, ``out`` for answers.
    """
    key = f"{_unit(cost)}_{side}"
    sums: dict[str, list[float]] = {}
    for tasks in cost["tasks"].values():
        for languages in tasks.values():
            english = languages.get(ENGLISH)
            for code, entry in languages.items():
                if english and code != ENGLISH and english["answers"] and entry["answers"]:
                    found = sums.setdefault(code, [0.0, 0.0])
                    found[0] += entry[key] / entry["answers"]
                    found[1] += english[key] / english["answers"]
    return {code: own / base for code, (own, base) in sums.items() if base}


def cost_sentences(score: Mapping[str, Any]) -> list[Told]:
    """Languages whose prompts or answers take many more tokens than those of English."""
    cost = score.get("cost")
    if not cost or _unit(cost) != "tokens":  # characters of two scripts say nothing of costs
        return []
    told: list[Told] = []
    for side, what in _SIDES:
        dear = {code: x for code, x in times_english(cost, side).items() if x >= _DEARER}
        if dear:
            first = sorted(dear, key=lambda code: -dear[code])
            names = [f"{labels.language(code).name} {dear[code]:.1f}" for code in first[:_MOST]]
            more = f" and {len(first) - _MOST} more languages" if len(first) > _MOST else ""
            told.append(("", say("costs.dear", what=what, names=", ".join(names), more=more)))
    return told


def cost_line(score: Mapping[str, Any]) -> str:
    """What the whole run took; empty where nothing is known."""
    cost = score.get("cost")
    if not cost or not cost["tasks"]:
        return ""
    every = summed(
        {
            f"{family} {task} {code}": entry
            for family, tasks in cost["tasks"].items()
            for task, languages in tasks.items()
            for code, entry in languages.items()
        }
    )
    unit = _unit(cost)
    parts = [f"{count(every[f'{unit}_in'])} {unit} in, {count(every[f'{unit}_out'])} out"]
    if every["requests"] > every["answers"]:  # chains
        parts[0] = f"{count(every['requests'])} requests, {parts[0]}"
    if unit == "characters":
        parts[0] += " (token counts unavailable)"
    elif "tokenizer" in cost["counted_by"]:
        parts[0] += " (counted with the model's tokenizer)"
    if cost.get("wall_seconds"):
        parts.append(duration(cost["wall_seconds"]))
    if "money" in every:
        parts.append(money(every["money"], cost["price"]["currency"]))
        dear = by_language(cost)
        if len(dear) > 1 and all("money" in entry for entry in dear.values()):
            each = {code: entry["money"] / entry["answers"] for code, entry in dear.items()}
            most = max(each, key=lambda code: each[code])
            if each.get(ENGLISH) and each[most] >= _WORTH_SAYING * each[ENGLISH]:
                parts.append(
                    f"a question in {labels.language(most).name} costs "
                    f"{each[most] / each[ENGLISH]:.1f} times one in English"
                )
    elif cost.get("price"):
        parts.append("no cost estimate: token counts are incomplete")
    if cost.get("judge"):
        parts.append(_judge_line(cost["judge"], bool(cost.get("price"))))
    return "; ".join(parts)


def _judge_line(judge: Mapping[str, Any], priced: bool) -> str:
    """What the judge took, apart from the model."""
    told = f"the judge: {count(judge['requests'])} requests"
    if judge["counted"] == judge["requests"]:
        told += f", {count(judge['tokens_in'])} tokens in, {count(judge['tokens_out'])} out"
    if "money" in judge:
        return f"{told}, {money(judge['money'], judge['currency'])}"
    return f"{told}, no price of the judge" if priced else told


def cost_table(cost: Mapping[str, Any]) -> Table:
    """What every task and language took, and each language over all tasks."""
    unit = _unit(cost)
    priced = cost.get("price")
    counts = ("Answers", f"{unit.capitalize()} in", f"{unit.capitalize()} out", "In per answer",
              "Out per answer")  # fmt: skip
    columns = [Column("Task"), Column("Language"), *(Column(name, "count") for name in counts)]
    columns += [Column("Seconds", "number", 1)]
    columns += [Column(str(priced["currency"]), "number", 4)] if priced else []
    rows: list[tuple[Any, ...]] = []
    entries = {("all", code): entry for code, entry in by_language(cost).items()}
    for tasks in cost["tasks"].values():
        for task in sorted(tasks, key=labels.task_order):
            short = labels.task(task).short
            entries |= {(short, code): tasks[task][code] for code in ordered(tasks[task])}
    for (task, code), entry in entries.items():
        spent = [entry[f"{unit}_in"], entry[f"{unit}_out"]]
        row = [task, labels.language(code).name, entry["answers"], *spent]
        row += [value / entry["answers"] for value in spent]
        row.append(entry["seconds"] if entry["timed"] == entry["answers"] else None)
        row += [entry.get("money")] if priced else []
        rows.append(tuple(row))
    if judge := cost.get("judge"):
        known = judge["counted"] == judge["requests"]
        spent = [judge["tokens_in"], judge["tokens_out"]] if known else [None, None]
        row = ["judge", judge["judge"], judge["requests"], *spent]
        row += [None if value is None else value / judge["requests"] for value in spent]
        row.append(judge["seconds"] if judge["timed"] == judge["answers"] else None)
        row += [judge.get("money")] if priced else []
        rows.append(tuple(row))
    source = {
        "server": "Tokens as the server counted them, thinking among those out.",
        "tokenizer": "Tokens counted with the model's own tokenizer.",
    }.get(cost["counted_by"], "Tokens counted by the server and by the model's tokenizer.")
    if unit == "characters":
        source = "Characters, because the tokens of some answers are not known."
    return Table(
        "cost",
        "What it took",
        tuple(columns),
        tuple(rows),
        f"{source} A chain of requests is one answer; its tokens are those of all its requests. "
        "The judge is not in the sums. Seconds: of the requests, added up (they may run beside "
        "each other), where each was timed.",
    )
