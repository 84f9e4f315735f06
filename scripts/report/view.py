"""What the HTML report says: sentences, tables and charts made from a score."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import labels
from .formats import DASH, count, fixed, percent, points, spread

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "html"
ENGLISH = "en"
ALPHA = 0.05

_FULL_COLOUR = 0.35  # |SMD| that gets the strongest colour of the heat map
_FEW = 0.02  # share of unreadable responses that needs no mention
_FEW_OF_ONE = 0.05  # the same in one language and task
_DOUBT = 1.96  # standard deviations
_HALF_A_POINT = 0.005
_UNREAD = ("truncated", "no_answer", "bad_format")
_STRONGEST_PALE = 22
_STRONGEST = 62  # percent of that colour; more would make the text hard to read
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

Cells = Mapping[str, Any]
"""The results of one language on one task, as the summary of XLGoBench gives them."""


def render(template: str, **context: Any) -> str:
    """A page from one of the templates, complete and free of any network address."""
    import xlgo_metric

    style = (FOLDER / "style.css").read_text("utf-8")
    script = (FOLDER / "page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    from markupsafe import Markup

    found = environment().get_template(template)
    page = found.render(
        style=Markup(style),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        version=getattr(xlgo_metric, "__version__", ""),
        statuses=list(labels.STATUSES.items()),
        glossary=labels.GLOSSARY,
        **context,
    )
    return clean(page)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.filters["show"] = show
    return found


def clean(text: str) -> str:
    """Replace what may not stand in a page: control characters and halves of surrogate pairs."""
    return _UNSAFE.sub("\ufffd", text)


def show(value: Any) -> str:
    """A cell of a table as text."""
    if value is None:
        return DASH
    return f"{value:.3g}".replace("-", "−") if isinstance(value, float) else str(value)


def anchor(*parts: str) -> str:
    """A name for a place in the page."""
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in parts)


def mark(cell: Cells) -> str:
    """``●`` for a gap that holds in the paired test, ``○`` for the published rule only."""
    p_value = (cell.get("paired") or {}).get("p_holm")
    if p_value is not None and p_value < ALPHA:
        return "●"
    return "○" if cell.get("significant") else ""


def is_behind(cell: Cells) -> bool:
    """Whether English is ahead."""
    return (cell.get("smd") or 0) > 0


def crosses(cell: Cells) -> bool:
    """Whether each of the two languages is ahead somewhere: RD is clearly below 0."""
    rd, sd = cell.get("rd"), cell.get("rd_sd")
    return rd is not None and rd < -max(_DOUBT * (sd or 0.0), _HALF_A_POINT)


def is_identified(cell: Cells) -> bool:
    """Whether the accuracies of both languages fix a curve, so that the gap has a size."""
    return cell.get("identified") is not False


def others(task: Mapping[str, Any]) -> list[tuple[str, Cells]]:
    """The languages of a task but English."""
    return [(code, cell) for code, cell in task["languages"].items() if code != ENGLISH]


def in_order(tasks: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The tasks of a section in the order in which the paper has them."""
    return sorted(tasks.items(), key=lambda item: labels.task_order(item[0]))


def ordered(codes: Iterable[str]) -> list[str]:
    """English first, the others by name."""
    return sorted(set(codes), key=lambda code: (code != ENGLISH, labels.language(code).name))


def colours(codes: Sequence[str]) -> dict[str, int]:
    """A colour for each language: 0 for English, the others take turns."""
    from .charts import COLOURS

    rest = [code for code in codes if code != ENGLISH]
    return {code: 1 + i % (COLOURS - 1) for i, code in enumerate(rest)} | {ENGLISH: 0}


def heatmap(section: Mapping[str, Any], prefix: str = "") -> dict[str, Any] | None:
    """The SMD of every task and language; ``None`` if English was not asked.

    Args:
        section: the section of XLGoBench.
        prefix: what the anchors of the tasks begin with.
    """
    tasks = in_order(section["tasks"])
    codes = ordered(code for _, task in tasks for code, _ in others(task))
    known = any(cell.get("smd") is not None for _, task in tasks for _, cell in others(task))
    if not codes or not known:
        return None
    rows = []
    for code in codes:
        cells = [
            heat_cell(name, code, task["languages"].get(code), f"#{anchor(prefix, name)}")
            for name, task in tasks
        ]
        rows.append({"language": labels.language(code), "cells": cells})
    return {
        "tasks": [labels.task(name) for name, _ in tasks],
        "rows": rows,
        "title": "Gaps to English",
        "caption": "SMD in percentage points, ± one standard deviation: how much less accurate the "
        "model is than in English, at the puzzle size where the two lie furthest apart. Negative "
        "numbers: it is better than in English. Pale cells without a mark may be chance.",
        "behind": "behind English",
        "ahead": "ahead of English",
        "marks": ("● holds in the paired test (Holm, 5%)", "○ marked by the published rule only"),
    }


def heat_cell(task: str, code: str, cell: Cells | None, href: str) -> dict[str, Any]:
    """One cell of the heat map."""
    if cell is None or cell.get("smd") is None:
        reason = "not asked" if cell is None else "no gap can be given"
        return {"kind": "none", "value": DASH, "sentence": reason, "strength": 0, "href": ""}
    value = cell["smd"]
    identified = is_identified(cell)
    return {
        "kind": ("behind" if value > 0 else "ahead") if identified else "none",
        "value": points(value),
        "sd": spread(cell.get("smd_sd")),
        "mark": mark(cell),
        "mark_words": {"●": "holds in the paired test", "○": "published rule only"}.get(
            mark(cell), ""
        ),
        "strength": strength(value, pale=not mark(cell)) if identified else 0,
        "sentence": gap_sentence(task, code, cell),
        "href": href,
    }


def strength(difference: float, pale: bool) -> int:
    """How strongly a cell of a heat map is coloured, in percent of the full colour.

    What may well be chance is ``pale``, so that it does not catch the eye.
    """
    strongest = _STRONGEST_PALE if pale else _STRONGEST
    return round(strongest * min(abs(difference) / _FULL_COLOUR, 1))


def gap_sentence(task: str, code: str, cell: Cells) -> str:
    """A gap in words."""
    language, unit = labels.language(code).name, labels.task(task).unit
    title = labels.task(task).title
    if not is_identified(cell):
        sure = ", though that there is one holds in the paired test" if mark(cell) == "●" else ""
        return (
            f"{language}, {title}: the accuracies in {language} or in English do not fix a curve; "
            f"the size of the gap (SMD {points(cell['smd'])} points) is not reliable{sure}."
        )
    if cell.get("c_star") is None or cell.get("f_l") is None:
        return f"{language}, {title}: SMD {points(cell['smd'])} points."
    other = points(-cell["rd"]).lstrip("+") if crosses(cell) else ""
    return (
        f"{language}, {title}: at about {cell['c_star']:.0f} {unit} the model solves "
        f"{percent(cell['f_l'])} in {language} and {percent(cell['f_en'])} in English "
        f"(SMD {points(cell['smd'])} {spread(cell.get('smd_sd'))} points)"
        + (f"; elsewhere it is the other way round by {other} points." if other else ".")
    )


def findings(section: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The main results in sentences, each with its kind (``behind``, ``ahead``, ``warn`` or "")."""
    cells = [
        (name, code, cell)
        for name, task in section["tasks"].items()
        for code, cell in others(task)
        if cell.get("smd") is not None
    ]
    told: list[tuple[str, str]] = []
    if cells:
        told.append(_overall([cell for _, _, cell in cells]))
        holds = [found for found in cells if mark(found[2]) == "●"]
        marked = holds or [found for found in cells if mark(found[2])]
        marked.sort(key=lambda found: -abs(found[2]["smd"]))
        for name, code, cell in marked[:3]:
            kind = "" if crosses(cell) else "behind" if is_behind(cell) else "ahead"
            told.append((kind, gap_sentence(name, code, cell)))
    unread = _unread(section)
    return [*told, ("warn", unread)] if unread else told


def _unread(section: Mapping[str, Any]) -> str:
    """How many responses held no answer that could be read; empty if they are few everywhere."""
    cells = {
        (name, code): cell
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
    }
    total = sum(cell["n"] for cell in cells.values())
    lost = {
        status: sum(cell["statuses"].get(status, 0) for cell in cells.values())
        for status in _UNREAD
    }
    shares = {
        key: sum(cell["statuses"].get(status, 0) for status in _UNREAD) / cell["n"]
        for key, cell in cells.items()
    }
    (name, code), most = max(shares.items(), key=lambda item: item[1], default=(("", ""), 0.0))
    many_of_one = most > _FEW_OF_ONE and most * cells[name, code]["n"] > 1
    if sum(lost.values()) <= _FEW * total and not many_of_one:
        return ""
    kinds = ", ".join(
        f"{percent(number / total, 1)} {labels.STATUSES[status][0]}"
        for status, number in lost.items()
        if number
    )
    return (
        f"In {percent(sum(lost.values()) / total, 1)} of the responses no answer could be read "
        f"({kinds}), most often in {labels.language(code).name}, {labels.task(name).title} "
        f"({percent(most, 1)}). They count as not right: a gap may then be one of format or "
        "length, not of reasoning."
    )


def _overall(cells: Sequence[Cells]) -> tuple[str, str]:
    """In how many of the gaps the paired test finds something, and of which kind it is."""
    tested = sum((cell.get("paired") or {}).get("p_holm") is not None for cell in cells)
    holds = [cell for cell in cells if mark(cell) == "●"]
    crossing = sum(crosses(cell) for cell in holds)
    behind = sum(is_behind(cell) and not crosses(cell) for cell in holds)
    ahead = len(holds) - behind - crossing
    only = sum(mark(cell) == "○" for cell in cells)
    pairs = f"{count(tested)} pair{'s' * (tested != 1)} of language and task"
    if not tested:
        text = "No gap to English could be tested, for want of questions asked in both languages"
    elif not holds:
        text = f"In none of {pairs} does a gap to English hold in the paired test"
    else:
        text = f"The model is behind English in {behind} of {pairs}"
        text += f", and ahead of it in {ahead}" if ahead else ""
        text += f", and behind at some sizes and ahead at others in {crossing}" if crossing else ""
        text += " (paired test, Holm's correction, 5%)"
    if tested and len(cells) > tested:
        more = count(len(cells) - tested)
        text += f"; {more} more could not be tested, for want of common questions"
    if only:
        text += f"; {only} more {'is' if only == 1 else 'are'} marked by the published rule only"
    return "behind" if behind else "", text + "."


def language_table(task: Mapping[str, Any]) -> dict[str, Any]:
    """The accuracies and gaps of every language of a task, for a table that sorts."""
    heads = [
        ("Language", False), ("Answers", True), ("Accuracy", True), ("AvgAcc", True), ("SMD", True),
        ("p (Holm)", True), ("95% interval", True), ("c*", True), ("There / in English", True),
        ("RD", True),
    ]  # fmt: skip
    rows = [
        {"words": labels.language(code), "cells": _numbers(task["languages"][code])}
        for code in ordered(task["languages"])
    ]
    return {"heads": heads, "rows": rows}


def _numbers(cell: Cells) -> list[dict[str, Any]]:
    paired = cell.get("paired") or {}
    low, high = paired.get("low"), paired.get("high")
    interval = DASH if low is None or high is None else f"{points(low)} to {points(high)}"
    there = DASH
    if cell.get("c_star") is not None:
        there = f"{percent(cell.get('f_l'))} / {percent(cell.get('f_en'))}"
    average, gap = cell.get("avg_acc"), cell.get("smd")
    return [
        number(cell["n"], count(cell["n"])),
        number(cell["accuracy"], percent(cell["accuracy"], 1)),
        number(average, percent(average, 1), spread(cell.get("avg_acc_sd"))),
        number(gap, points(gap), f"{spread(cell.get('smd_sd'))} {mark(cell)}"),
        number(paired.get("p_holm"), fixed(paired.get("p_holm"), 4)),
        number(paired.get("estimate"), interval),
        number(cell.get("c_star"), fixed(cell.get("c_star"), 0)),
        number(cell.get("f_l"), there),
        number(cell.get("rd"), points(cell.get("rd")), spread(cell.get("rd_sd"))),
    ]


def number(value: float | None, text: str, sd: str = "") -> dict[str, Any]:
    """A cell of a table that sorts: what it sorts by, its text, and something small beside it."""
    if value is None:
        return {"sort": "", "text": text, "sd": ""}
    return {"sort": value, "text": text, "sd": sd}


def kinds_table(task: Mapping[str, Any]) -> dict[str, Any]:
    """How many answers of each status every language has, and what the grader found in them."""
    cells = task["languages"].values()
    details = sorted({key for cell in cells for key in cell.get("details") or {}})
    heads = [name.capitalize() for name, _ in labels.STATUSES.values()]
    heads += ["Parsed", "Strict", *(key.replace("_", " ").capitalize() for key in details)]
    rows = []
    for code in ordered(task["languages"]):
        cell = task["languages"][code]
        counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
        total = sum(counts.values()) or 1
        found = [number(n, count(n)) for n in counts.values()]
        found += [number(cell[key], percent(cell[key], 1)) for key in ("parsed", "strict")]
        found += [_detail((cell.get("details") or {}).get(key)) for key in details]
        shares = [(status, round(100 * n / total, 2)) for status, n in counts.items() if n]
        rows.append({"words": labels.language(code), "cells": found, "shares": shares})
    return {"heads": heads, "rows": rows}


def _detail(value: Any) -> dict[str, Any]:
    return number(value if isinstance(value, int | float) else None, show(value))
