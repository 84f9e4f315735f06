"""The sections of the report: a task with its curves and tables, a family with its, and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from xlgo_metric.table import Column, Table, interval
from xlgo_metric.table import spread as with_spread

from ..display import labels
from ..display.formats import count, duration, ends, money, points, sortable, spread
from ..display.labels import ENGLISH
from ..display.sentences import say
from ..logs.costs import summed
from ..logs.graded_run import Example, GradedRun
from .experiments import reasons_of
from .findings import Told
from .gap_marks import (
    CellScores,
    GapSection,
    TaskScores,
    anchor,
    baseline,
    colours,
    compared_cells,
    gap_of,
    in_order,
    is_behind,
    is_significant,
    is_unequal,
    mark,
    ordered,
    others,
    smd_mark,
    verdicts_of,
)
from .pictures import asked_levels
from .pictures.charts import Gap, Series, chart

_MOST_NAMED = 3
_MOST_KINDS = 6


def series(
    code: str, cell: CellScores, colour: int, name: str | None = None, key: str | None = None
) -> Series:
    """The curve of one language."""
    levels = sorted((level["complexity"], level["correct"], level["n"]) for level in cell["levels"])
    return Series(
        name or labels.language(code).name, colour, tuple(levels), cell.get("band"), key or code
    )


def task_views(family: str, section: GapSection, scored: GradedRun) -> list[dict[str, Any]]:
    """The sections of a family that has gaps, one a task: curves, tables and examples."""
    return [
        {
            "id": anchor(family, name),
            "words": labels.task(name),
            "note": _task_note(task),
            "wrong": _wrong_note(task),
            "table_of": name,
            "table": sortable(without_empty(language_table(task)), languages=True),
            "kinds": _kinds(task),
            "why": reasons_of(section, name) if section.get("why") else [],
            "faults": faults_of(section, name),
            "examples": [_example_view(e) for e in scored.examples.of(family, name)],
            **_charts(name, task),
            "asked": _asked(family, name, task, scored),
        }
        for name, task in in_order(section["tasks"])
    ]


def worst_view(family: str, section: GapSection) -> dict[str, object] | None:
    """The curves of the pair of task and language with the clearest gap, for the first screen."""
    found = [
        (name, code, cell)
        for name, code, cell in compared_cells(section)
        if cell.get("band")
        and not is_unequal(cell)
        and baseline(section) in section["tasks"][name]["languages"]
    ]
    if not found:
        return None
    first = _most_affected(section)
    # The language that the sentence names, then what no wording may cause, then what is
    # significant, then what is largest.
    name, code, cell = max(
        found,
        key=lambda one: (
            one[1] == first,
            "†" not in mark(one[2]),
            is_significant(one[2]) and is_behind(one[2]),
            _size(one[2]),
        ),
    )
    task = section["tasks"][name]
    base, unit = baseline(task), labels.task(name).unit
    pair = [series(base, task["languages"][base], 0), series(code, cell, 1)]
    bracket = gap(cell)
    return {
        "id": anchor(family, name),
        "title": labels.task(name).title,
        "unit": unit,
        "words": labels.language(code),
        "baseline": labels.language(base).name,
        "note": _counted(cell),
        "bracket": bracket is not None,
        "chart": chart(pair, unit=unit, width=420, height=300, gap=bracket),
    }


def _size(cell: CellScores) -> float:
    """By how much the baseline is ahead."""
    found = gap_of(cell)
    return 0.0 if found is None else found.difference


def _counted(cell: CellScores) -> str:
    """The gap with its interval; empty where it is not known."""
    found = gap_of(cell)
    if found is None or not found.interval:
        return ""
    return (
        f"{points(found.difference, 0)} points over {count(found.n)} questions "
        f"({ends(*found.interval)})"
    )


def _most_affected(section: GapSection) -> str:
    """The code of the language that the first sentence names."""
    verdicts = verdicts_of(section)
    return max(verdicts, key=lambda code: verdicts[code].difference, default="")


def _task_note(task: TaskScores) -> str:
    """The clearest gaps of a task, for the heading under which it is folded."""
    cells = [(code, cell) for code, cell in others(task) if not cell.get("extreme")]
    marked = [(code, cell) for code, cell in cells if is_significant(cell)]
    marked.sort(key=lambda one: -abs(_size(one[1])))
    names = [labels.language(code).name for code, cell in marked if is_behind(cell)]
    if not cells:
        return ""
    few = ", ".join(names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"behind (●): {few}{more}" if names else "no language significantly behind"


def _wrong_note(task: TaskScores) -> str:
    """How many answers of a task have each outcome, for the heading under which they are folded."""
    counts = {
        status: sum(cell["statuses"].get(status, 0) for cell in task["languages"].values())
        for status in labels.STATUSES
    }
    return ", ".join(
        f"{count(number)} {labels.STATUSES[status][0]}"
        for status, number in counts.items()
        if number
    )


def _kinds(task: TaskScores) -> dict[str, Any]:
    """The kinds of answers, with a bar for each language."""
    view = sortable(without_empty(kinds_table(task), zeros=True), languages=True)
    for row in view["rows"]:
        shares = status_shares(task["languages"][row["words"].code])
        row["shares"] = [
            (status, round(100 * share, 2)) for status, share in shares.items() if share
        ]
    return view


def _charts(name: str, task: TaskScores) -> dict[str, object]:
    codes = ordered(task["languages"])
    colour, unit = colours(codes), labels.task(name).unit
    curves = {code: series(code, task["languages"][code], colour[code]) for code in codes}
    floor = [(point["complexity"], point["accuracy"]) for point in task.get("floor", ())]
    base = baseline(task)
    english = curves.get(base)
    panels = []
    for code in codes:
        cell = task["languages"][code]
        pair = [curves[code]]
        if english is not None and code != base:
            pair.insert(0, english)
        alone = len(pair) == 1
        panels.append(
            {
                "words": labels.language(code),
                "alone": alone,
                "note": "" if alone or cell.get("smd") is None else _note(cell),
                "chart": chart(pair, unit=unit, width=340, height=230, gap=gap(cell), floor=floor),
            }
        )
    drawn = list(reversed(curves.values()))
    return {
        "languages": [{"words": labels.language(c), "colour": colour[c]} for c in codes],
        "wide": chart(
            drawn, unit=unit, width=1040, height=380, bands=False, points=False, floor=floor
        ),
        "narrow": chart(
            drawn, unit=unit, width=360, height=280, bands=False, points=False, floor=floor
        ),
        "panels": panels,
    }


def _asked(family: str, name: str, task: TaskScores, scored: GradedRun) -> Markup | None:
    """Where questions were asked, for a design that chose them."""
    low, high = task.get("c_min"), task.get("c_max")
    if "design" not in task or low is None or high is None:
        return None
    ends = low, high
    codes = ordered(task["languages"])
    colour = colours(codes)
    curves = {}
    for code in codes:
        cell = task["languages"][code]
        curves[code] = asked_levels.on_log_scale(
            series(code, cell, colour[code]), cell["fit"], ends
        )
    found = asked_levels.rows(curves, asked_levels.second_stages(scored, family, name))
    return asked_levels.picture(found, labels.task(name).unit, ends)


def _note(cell: CellScores) -> str:
    if (smd := cell.get("smd")) is None:
        return f"too few questions for an SMD {mark(cell)}".strip() if cell.get("small") else (
            f"no SMD can be given {mark(cell)}".strip()
        )  # fmt: skip
    return f"SMD {points(smd)} {spread(cell.get('smd_sd'))} {smd_mark(cell)}".strip()


def gap(cell: CellScores) -> Gap | None:
    """The bracket at c*, where the gap is significant."""
    c_star, f_en, f_l = cell.get("c_star"), cell.get("f_en"), cell.get("f_l")
    if not is_significant(cell) or c_star is None or f_en is None or f_l is None:
        return None
    label = f"{points(abs(cell['smd'] or 0.0), signed=False)} points"
    return Gap(c_star, max(f_en, f_l), min(f_en, f_l), label)


def family_view(name: str, section: Mapping[str, Any], scored: GradedRun) -> dict[str, Any]:
    """The section of another family: its tables and examples."""
    from xlgo_metric.family import family

    exhibits = family(name).exhibits(section)
    examples = [] if exhibits else scored.examples.of(name)
    return {
        "id": anchor(name),
        "title": labels.family(name),
        "tables": table_views(name, section),
        "examples": [_example_view(example) for example in examples],
        "exhibits": exhibits,
    }


def table_views(name: str, section: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tables of a family, as the page shows them."""
    from xlgo_metric.scoring import tables_of

    return [sortable(table) for table in tables_of(name, section)]


def _example_view(example: Example) -> dict[str, object]:
    unit = labels.task(example.task).unit
    return {
        "status": example.status,
        "status_words": labels.STATUSES[example.status][0],
        "language": labels.language(example.language),
        "complexity": "" if example.complexity is None else f"{example.complexity:g} {unit}",
        "identity": example.identity,
        "prompt": example.prompt,
        "prompt_cut": example.shortened,
        "response": example.response,
        "answer": example.answer,
        "details": example.details,
    }


_DEARER = 1.5
"""Times what English takes, from which a language is worth a sentence."""
_WORTH_SAYING = 1.1
_MOST = 3
_SIDES = (("in", "prompts"), ("out", "answers"))


def without_empty(table: Table, *, zeros: bool = False) -> Table:
    """A table without the cells that hold nothing in any row.

    Args:
        table: the numbers.
        zeros: leave out cells that are 0 throughout, too.
    """
    empty = (None, "", 0) if zeros else (None, "")
    kept = [
        place
        for number, group in enumerate(table.groups)
        if not number or any(row[group[0]] not in empty for row in table.rows)
        for place in group
    ]
    columns = tuple(table.columns[place] for place in kept)
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def language_table(task: TaskScores) -> Table:
    """The accuracies and gaps of every language of a task."""
    columns = (
        Column("Language"),
        Column("Answers", "count"),
        Column("Accuracy", "share", unit="%"),
        Column("Gap", "difference"),
        Column("Gap, mark", after=" "),
        *interval("95% interval"),
        Column("p", "p"),
        *with_spread("AvgAcc", unit="%"),
        *with_spread("SMD", "difference"),
        Column("SMD, mark", after=" "),
        Column("c*", "number", 0),
        Column("There", "share", 0, heading="There / in the baseline", unit="%"),
        Column("in the baseline", "share", 0, after=" / "),
        *with_spread("RD", "difference"),
    )
    rows = tuple((code, *_numbers(task["languages"][code])) for code in ordered(task["languages"]))
    return Table("languages", "Languages", columns, rows)


def _numbers(cell: CellScores) -> tuple[Any, ...]:
    """A row of ``language_table``."""
    found = gap_of(cell)
    of_gap: tuple[Any, ...] = (None,) * 5
    if found is not None:
        limits = (found.ci_low, found.ci_high, found.p_value)
        of_gap = (found.difference, mark(cell) or None, *limits)
    curve = (cell.get(name) for name in ("c_star", "f_l", "f_en", "rd", "rd_sd"))
    return (
        cell["n"], cell["accuracy"], *of_gap, cell.get("avg_acc"), cell.get("avg_acc_sd"),
        cell.get("smd"), cell.get("smd_sd"), smd_mark(cell) or None, *curve,
    )  # fmt: skip


def kinds_table(task: TaskScores) -> Table:
    """The share of answers of each status in every language, and grader diagnostics."""
    cells = task["languages"].values()
    details = sorted({key for cell in cells for key in cell.get("details") or {}})
    columns = [Column("Language")]
    columns += [Column(n.capitalize(), "share", unit="%") for n, _ in labels.STATUSES.values()]
    columns += [Column(name, "share", unit="%") for name in ("Parsed", "Strict")]
    columns += [Column(key.replace("_", " ").capitalize(), "number") for key in details]
    rows = []
    for code in ordered(task["languages"]):
        cell = task["languages"][code]
        found = cell.get("details") or {}
        rows.append(
            (code, *status_shares(cell).values(), cell["parsed"], cell["strict"],
             *(found.get(key) for key in details))
        )  # fmt: skip
    return Table("kinds", "Kinds of answers", tuple(columns), tuple(rows))


def status_shares(cell: CellScores) -> dict[str, float]:
    """The share of the answers that has each status."""
    counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
    total = sum(counts.values()) or 1
    return {status: n / total for status, n in counts.items()}


def faults_of(section: Mapping[str, Any], task: str) -> dict[str, Any] | None:
    """Kinds and positions of first wrong steps, a row a language; ``None`` where none is known.

    Args:
        section: of a family that has gaps.
        task: the name of the task.
    """
    cells = (section.get("faults") or {}).get("tasks", {}).get(task, {})
    total: dict[str, int] = {}
    for cell in cells.values():
        for kind, one in cell["kinds"].items():
            total[kind] = total.get(kind, 0) + one["n"]
    kinds = sorted(total, key=lambda kind: (-total[kind], kind))[:_MOST_KINDS]
    if not kinds:
        return None
    columns = [Column("Language"), Column("Wrong", "count")]
    for kind in kinds:
        name = kind.replace("_", " ").capitalize()
        columns += [
            Column(name, "count"),
            Column(f"{name}, mark", after=" "),
            Column(f"{name}, by chance", "number", 0, after=", by chance "),
        ]
    columns += [
        Column("In the first half", "share", 0, unit="%"),
        Column("In the first half, of", "count", after=" of "),
        Column("Earlier", "count", heading="Earlier / later"),
        Column("Later", "count", after=" / "),
        Column("Earlier / later, mark", after=" "),
    ]
    rows = tuple((code, *_row(cells[code], kinds)) for code in ordered(cells))
    table = Table("faults", "Where answers first go wrong", tuple(columns), rows)
    return sortable(without_empty(table, zeros=True), languages=True)


def _row(cell: Mapping[str, Any], kinds: list[str]) -> list[Any]:
    found: list[Any] = [cell["wrong"]]
    against = cell["against"] or {}
    for kind in kinds:
        one = cell["kinds"].get(kind, {"n": 0, "by_chance": None})
        claimed = against.get("kinds", {}).get(kind, {}).get("claimed")
        found += [one["n"], "●" if claimed else None, one["by_chance"]]
    known = sum(cell["quarters"])
    found += [sum(cell["quarters"][:2]) / known, known] if known else [None, None]
    position = against.get("position")
    if not position or not position["both"]:
        return [*found, None, None, None]
    return [*found, position["earlier"], position["later"], "●" if position["claimed"] else None]


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
        {f"{family} {task} {code}": entry for family, tasks in cost["tasks"].items()
         for task, languages in tasks.items() for code, entry in languages.items()}
    )  # fmt: skip
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
        row.append(judge["seconds"])
        row += [judge.get("money")] if priced else []
        rows.append(tuple(row))
    source = {
        "server": "Tokens as the server counted them, thinking among those out.",
        "tokenizer": "Tokens counted with the model's own tokenizer.",
    }.get(cost["counted_by"], "Tokens counted by the server and by the model's tokenizer.")
    if unit == "characters":
        source = "Characters, because the tokens of some answers are not known."
    return Table(
        "cost", "What it took", tuple(columns), tuple(rows),
        f"{source} A chain of requests is one answer; its tokens are those of all its requests. "
        "The judge is not in the sums. Seconds: of the requests, added up (they may run beside "
        "each other), where each was timed.",
    )  # fmt: skip
