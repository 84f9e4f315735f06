"""What a run took, for the report: a line and a table."""

from __future__ import annotations

import pandas as pd

from xlgo_metric.family import Section
from xlgo_metric.table import Column, Table, listed

from ..display import labels
from ..display.formats import count, duration, money

_SOURCES = {
    "server": "Tokens as the server counted them, thinking among those out.",
    "tokenizer": "Tokens counted with the model's own tokenizer.",
    "server+tokenizer": "Tokens counted by the server and by the model's tokenizer.",
}


def _spent(cost: Section) -> pd.DataFrame:
    """A row for each task and language."""
    return pd.DataFrame(
        {"family": family, "task": task, "language": code, **entry}
        for family, tasks in cost["tasks"].items()
        for task in sorted(tasks, key=labels.task_order)
        for code, entry in tasks[task].items()
    )


def cost_line(score: Section) -> str:
    """What the whole run took; empty where nothing is known."""
    cost = score.get("cost")
    if not cost or not cost["tasks"]:
        return ""
    spent, unit, judge = _spent(cost), cost["unit"], cost.get("judge")
    requests = spent["requests"].sum()
    chains = f"{count(requests)} requests, " * bool(requests > spent["answers"].sum())
    note = " (counted with the model's tokenizer)" * ("tokenizer" in cost["counted_by"])
    note = " (token counts unavailable)" if unit == "characters" else note
    sent, received = (count(spent[f"{unit}_{side}"].sum()) for side in ("in", "out"))
    parts = [f"{chains}{sent} {unit} in, {received} out{note}"]
    if cost.get("wall_seconds"):
        parts.append(duration(cost["wall_seconds"]))
    if cost.get("price"):
        is_priced = "money" in spent and spent["money"].notna().all()
        amount = money(spent["money"].sum(), cost["price"]["currency"]) if is_priced else ""
        parts.append(amount or "no cost estimate: token counts are incomplete")
    if judge:
        judged = f"the judge: {count(judge['requests'])} requests"
        if judge["counted"] == judge["requests"]:
            judged += f", {count(judge['tokens_in'])} tokens in, {count(judge['tokens_out'])} out"
        if "money" in judge:
            judged += f", {money(judge['money'], judge['currency'])}"
        parts.append(judged)
    return "; ".join(parts)


def cost_table(cost: Section) -> Table:
    """What every task and language took."""
    spent, unit = _spent(cost), cost["unit"]
    frame = spent.assign(
        task=[labels.task(name).short for name in spent["task"]],
        language=[labels.language(code).name for code in spent["language"]],
        seconds=spent["seconds"].where(spent["timed"] == spent["answers"]),
    )
    columns = {
        "task": Column("Task"),
        "language": Column("Language"),
        "answers": Column("Answers", "count"),
        f"{unit}_in": Column(f"{unit.capitalize()} in", "count"),
        f"{unit}_out": Column(f"{unit.capitalize()} out", "count"),
        "seconds": Column("Seconds", "number", 1),
    }
    if price := cost.get("price"):
        columns["money"] = Column(str(price["currency"]), "number", 4)
    counted = _SOURCES.get(cost["counted_by"], "")
    source = counted if unit == "tokens" else "Characters: some tokens are not known."
    caption = (
        f"{source} A chain of requests is one answer; its tokens are those of all its requests. "
        "Seconds: of the requests, added up (they may run beside each other), where each was timed."
    )
    return listed("cost", "What it took", frame, columns, caption)
