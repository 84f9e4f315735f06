"""Write a report: one HTML page and the files beside it.

Beside ``report.html`` stand the score as JSON, all tables as Markdown and LaTeX, the main ones as
CSV.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_metric.comparison.section import KEY, GapCell, GapTask, cells_of_section, mark
from xlgo_metric.core import grouped
from xlgo_metric.family import FAMILIES
from xlgo_metric.scoring import tables_of
from xlgo_metric.table import Column, Table, interval, spread

from ..display import labels
from ..display.formats import (
    View,
    comma_separated,
    count,
    fact,
    latex,
    markdown,
    percent,
    render,
    sortable,
)
from ..folders import explained, write_text
from ..logs.costs import cost_line, cost_table
from ..logs.graded_run import GradedRun, filed
from ..logs.lines import Doc
from . import pictures
from .findings import Told, every_finding
from .grid import (
    GapSection,
    Grid,
    anchor,
    base_name,
    baseline,
    cells_table,
    gap_of,
    gaps_of,
    in_order,
    language_with_note,
    of_score,
    ordered,
    verdicts_of,
    with_gaps,
)
from .samples import has_texts, remove_samples, write_samples

_SOURCES = (
    ("Model", "model_name"),
    ("Backend", "model_source"),
    ("lm-evaluation-harness", "lm_eval_version"),
    ("transformers", "transformers_version"),
    ("Chat template (SHA-256)", "chat_template_sha"),
)
_SETTINGS = ("model_args", "gen_kwargs", "limit", "batch_size", "random_seed")

SCORES = "scores.json"
_OURS = "gaps|languages|cost|changes"
"""Names of tables that are no family's."""


def default_folder(results: Path) -> Path:
    """Where a report is written if nothing else is said."""
    return (results if results.is_dir() else results.parent) / "report"


@dataclass(frozen=True)
class Content:
    """What report and manuscript show of a run, computed once.

    Attributes:
        scored: the run.
        compared: its families with gaps by complexity; see ``with_gaps``.
        grids: the gaps of all families, a grid for each way of asking.
        family_tables: the tables of every family, by its name.
    """

    scored: GradedRun
    compared: Mapping[str, GapSection]
    grids: Sequence[Grid]
    family_tables: Mapping[str, Sequence[Table]]

    @classmethod
    def of(cls, scored: GradedRun) -> Content:
        """The content of a run."""
        families, compared = scored.score["families"], with_gaps(scored.score)
        grids = of_score(scored.score, compared)
        names = ["gaps", *(f"gaps-{number}" for number in range(1, len(grids)))]
        return cls(
            scored,
            compared,
            [replace(grid, name=name) for grid, name in zip(grids, names)],
            {name: tables_of(name, section) for name, section in families.items()},
        )

    @property
    def baseline(self) -> str:
        """The names of the languages that others are compared with."""
        of_grids = [grid.baseline for grid in self.grids if grid.baseline]
        bases = of_grids or [*map(base_name, self.compared.values())]
        return " and ".join(dict.fromkeys(bases)) or "English"

    def tables(self, more: Sequence[Table] = ()) -> tuple[list[Table], list[Table]]:
        """The tables that are files of their own, and all tables.

        Of families with curves the first are the typed cells and a row for each task and language,
        which hold the numbers of their tables; of others the tables themselves.

        Args:
            more: further ones.
        """
        named = {
            family: [replace(one, name=anchor(family, one.name)) for one in tables]
            for family, tables in self.family_tables.items()
        }
        cells = [
            cell
            for part in self.compared.values()
            for cell in (*verdicts_of(part).values(), *gaps_of(part).values())
        ]
        cells += [
            cell
            for family, section in self.scored.score["families"].items()
            if family not in self.compared and section.get(KEY)
            for cell in cells_of_section(section[KEY])
        ]
        spent = self.scored.score.get("cost")
        cost = [cost_table(spent)] if spent else []
        of_others = [one for name in named if name not in self.compared for one in named[name]]
        files = [cells_table(cells)] if cells else []
        files += [all_languages(self.compared)] if self.compared else []
        every = [*(grid.table for grid in self.grids), *chain(*named.values())]
        return [*files, *of_others, *cost, *more], [*every, *more, *cost]


def write_files(
    scored: GradedRun,
    out: Path,
    *,
    samples: bool = True,
    tables: Sequence[Table] = (),
    changes: Sequence[Told] = (),
    content: Content | None = None,
) -> Path:
    """Write the page and everything beside it; each file is replaced in one step.

    Args:
        scored: the run.
        out: the folder to write into.
        samples: write the page of all answers too, where the logs have their texts.
        tables: further ones.
        changes: what else the page says first.
        content: of the run, where it is at hand.

    Raises:
        ValueError: the folder cannot be written.
    """
    content = content or Content.of(scored)
    with explained("write", out):
        write_tables(*content.tables(tables), out)
        write_text(out / SCORES, json.dumps(filed(scored.score), indent=1) + "\n")
        page = out / "report.html"
        shown = samples and has_texts(scored)
        link = write_samples(scored, out).name if shown else remove_samples(out)
        write_text(page, render("report.html", samples=link, **_context(content, changes)))
    return page


def write_tables(files: Sequence[Table], every: Sequence[Table], out: Path) -> None:
    """Write ``tables.md`` and ``tables.tex`` of all tables, and CSV files of some.

    CSV files of an earlier report that this one has not are removed, and nothing else.
    """
    folder = out / "tables"
    for table in files:
        write_text(folder / f"{table.name}.csv", comma_separated(table))
    ours = re.compile(rf"(?:{'|'.join(map(anchor, FAMILIES))})-[\w.-]+|{_OURS}")
    for path in folder.glob("*.csv"):
        if ours.fullmatch(path.stem) and path.stem not in {table.name for table in files}:
            path.unlink()
    write_text(out / "tables.md", "\n".join(map(markdown, every)))
    write_text(out / "tables.tex", "\n".join(map(latex, every)))


def _context(content: Content, changes: Sequence[Told]) -> View:
    scored, compared, grids = content.scored, content.compared, content.grids
    families = scored.score["families"]
    tasks = [view for name, part in compared.items() for view in task_views(name, part)]
    other_families = [
        {
            "id": anchor(name),
            "title": labels.family(name),
            "tables": [*map(sortable, content.family_tables[name])],
        }
        for name, section in families.items()
        if name not in compared
    ]
    sentences = [*every_finding(scored.score, compared), *changes]
    contents = [("gaps", "Gaps" if grids else "Findings")]
    contents += [("tasks", "Tasks")] if tasks else []
    contents += [("families", "Other tasks" if tasks else "Results")] if other_families else []
    subject, texts = _subject(scored, grids), {text for _, text in sentences}
    return {
        "title": f"{scored.run.model}: {subject}",
        "subject": f"Report: {subject}",
        "model": scored.run.model,
        "contents": [*contents, ("details", "Method")],
        "facts": _facts(scored),
        "alerts": scored.score.get("warnings", []),
        "findings": sentences,
        "grids": grids,
        "baseline": content.baseline,
        "warnings": [text for text in _warnings(scored, compared) if text not in texts],
        "tasks": tasks,
        "families": other_families,
        "cost_line": cost_line(scored.score),
        "signature": scored.score["signature"],
        "generation": scored.score["generation"],
        "provenance": _provenance(scored.run.info),
        "files": [str(file.path) for file in scored.run.files],
        "bibtex": bibtex(families),
    }


def _subject(scored: GradedRun, grids: Sequence[Grid]) -> str:
    """What the page is about: gaps where there are any, else the languages or the families."""
    if grids:
        return "cross-lingual gaps"
    families = ", ".join(labels.family(name) for name in scored.score["families"])
    languages = set(scored.table.frame["language"])
    only = languages.pop() if len(languages) == 1 else ""
    return f"{families} in {labels.language(only).name}" if only else families


def _facts(scored: GradedRun) -> list[tuple[str, str]]:
    keys = [key for key, _ in scored.records]
    lacking = scored.absent.total() + scored.lacking
    asked = count(scored.asked.total() + scored.lacking)
    return [
        (count(scored.count), "answers" + f" (of {asked} asked)" * (lacking > 0)),
        fact(len({key[:2] for key in keys}), "task"),
        fact(len({key[2] for key in keys}), "language"),
        (scored.run.date.partition("T")[0], "date of the run"),
    ]


def _warnings(scored: GradedRun, compared: Mapping[str, GapSection]) -> list[str]:
    """All warnings, each once; those about curves with the tasks and languages of each."""
    sections = scored.score["families"].values()
    warnings = [str(problem) for problem in scored.problems.items]
    warnings += [text for section in sections for text in section.get("warnings", [])]
    fitted = [
        (text, labels.task(name).short, labels.language(code).name)
        for part in compared.values()
        for name, task in in_order(part["tasks"])
        for code in ordered(task["languages"])
        for text in (task["languages"][code].get("fit") or {}).get("warnings", [])
    ]
    for text, rows in grouped(fitted, itemgetter(0)).items():
        of_task = grouped(rows, itemgetter(1)).items()
        where = (f"{task} ({', '.join(name for *_, name in own)})" for task, own in of_task)
        warnings.append(f"{'; '.join(where)}: {text}")
    return list(dict.fromkeys(warnings))


def _provenance(info: Doc) -> list[tuple[str, str]]:
    """What the harness says of a run."""
    config = info["config"] if isinstance(info.get("config"), dict) else {}
    values = {label: info.get(key) for label, key in _SOURCES}
    values |= {key.replace("_", " ").capitalize(): config.get(key) for key in _SETTINGS}
    return [
        (label, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for label, value in values.items()
        if value not in (None, {}, "", "N/A")
    ]


_MOST_NAMED = 3


def task_views(family: str, section: GapSection) -> list[View]:
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


def _curves(ident: str, name: str, task: GapTask, base: str) -> str:
    """The curves of every language beside those of the baseline."""
    panels = pictures.task_panels(task, base)
    floor = [(point["complexity"], point["accuracy"]) for point in task.get("floor", ())]
    unit = labels.task(name).unit
    figure = pictures.curves(panels, unit, floor=floor, asked="design" in task)
    drawn = {curve.name: curve.words for panel in panels for curve in panel}
    words = " ".join([f"Accuracy by the number of {unit}.", *drawn.values()])
    return pictures.svg(figure, ident, words)


def _outcomes(task: GapTask) -> list[View]:
    """The share of answers of each status in every language, for bars and in words."""
    shares = {
        code: [(status, share) for status, share in status_shares(cell).items() if share]
        for code, cell in task["languages"].items()
    }
    return [
        {
            "words": labels.language(code),
            "shares": [(status, round(100 * x, 2)) for status, x in shares[code]],
            "told": ", ".join(f"{labels.STATUSES[s][0]} {percent(x, 1)}" for s, x in shares[code]),
        }
        for code in ordered(shares)
    ]


def without_empty(table: Table) -> Table:
    """A table without the cells that hold nothing in any row."""
    indices = [
        index
        for number, group in enumerate(table.groups)
        if not number or any(row[group[0]] not in (None, "") for row in table.rows)
        for index in group
    ]
    columns = tuple(table.columns[index] for index in indices)
    rows = tuple(tuple(row[index] for index in indices) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


_COLUMNS = (
    Column("Language"),
    Column("Wording"),
    Column("Answers", "count"),
    Column("Accuracy", "share", unit="%"),
    Column("Parsed", "share", unit="%"),
    Column("Exact form", "share", unit="%"),
    Column("Gap", "difference"),
    Column("Gap, mark", after=" "),
    *interval("95% interval"),
    Column("p", "p"),
    *spread("AvgAcc", unit="%"),
    *spread("SMD", "difference"),
    Column("SMD, published rule", after=" "),
    Column("c*", "number", 0),
    *spread("RD", "difference"),
)


def language_table(task: GapTask) -> Table:
    """Counts, fitted curves and the published measures of every language of a task."""
    rows = tuple((code, *_numbers(task["languages"][code])) for code in ordered(task["languages"]))
    return Table("languages", "Languages", _COLUMNS, rows)


def _numbers(cell: GapCell) -> tuple[Any, ...]:
    """A row of ``language_table``."""
    gap = None if cell.get("extreme") else gap_of(cell)
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
    rows = tuple(
        (family, name, code, *_numbers(cells[code]), *status_shares(cells[code]).values())
        for family, section in sections.items()
        for name, task in in_order(section["tasks"])
        for cells in [task["languages"]]
        for code in ordered(cells)
    )
    statuses = (Column(name, "share") for name in labels.STATUSES)
    columns = (Column("Family"), Column("Task"), *_COLUMNS, *statuses)
    return Table("languages", "Every task and language", columns, rows)


def status_shares(cell: GapCell) -> dict[str, float]:
    """The share of the answers that has each status."""
    counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
    total = sum(counts.values()) or 1
    return {status: n / total for status, n in counts.items()}


_TOOLS = Path(__file__).with_name("tools.bib")


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on."""
    texts = [xd.family(name).citation for name in families if name in xd.FAMILIES]
    entries = {
        key: entry
        for text in [*texts, _TOOLS.read_text("utf-8")]
        for entry in text.strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries.values()) + "\n"
