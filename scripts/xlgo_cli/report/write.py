"""Write a report: one HTML page and the files beside it.

Beside ``report.html`` stand the score as JSON, all tables as Markdown and LaTeX, the main ones as
CSV. An earlier score of the same answers, where another reader or other statistics made it, is kept
as it was, and what the new score says otherwise is listed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from xlgo_metric.comparison.section import KEY, cells_of_section
from xlgo_metric.core import field_of
from xlgo_metric.family import FAMILIES
from xlgo_metric.table import Table

from ..display import labels
from ..display.formats import comma_separated, count, fact, latex, markdown, render, rounded
from ..display.sentences import Said
from ..folders import explained, write_text
from ..logs.graded_run import GradedRun, filed
from ..logs.outputs import write_outputs
from . import verdicts
from .findings import family_findings, findings, verdict
from .gap_marks import (
    GapSection,
    anchor,
    base_name,
    gaps_of,
    in_order,
    ordered,
    verdicts_of,
    with_gaps,
)
from .grid import Grid, cells_table, of_languages, of_section
from .results_out.hub_results import bibtex
from .sections import (
    all_languages,
    cost_line,
    cost_sentences,
    cost_table,
    family_view,
    task_views,
)

_SOURCES = (
    ("Model", "model_name"),
    ("Backend", "model_source"),
    ("lm-evaluation-harness", "lm_eval_version"),
    ("transformers", "transformers_version"),
    ("Chat template (SHA-256)", "chat_template_sha"),
    ("Seconds", "total_evaluation_time_seconds"),
)
_SETTINGS = ("model_args", "gen_kwargs", "limit", "batch_size", "random_seed")

SCORES, CHANGES = "scores.json", "changes.md"
_OURS = "gaps|languages|cost|prompt_lengths|lengths|changes"
"""Names of tables that are no family's."""

_SKIPPED = frozenset({"band", "signature", "warnings", "headline", "version"})
_SHOWN = 3
_LARGEST = 200 * 2**20
_SAME = 1e-9


def write_all(scored: GradedRun, results: Path) -> Path:
    """Write the report into the folder of the results, and the files that families have beside it.

    Returns:
        The path of the HTML page.

    Raises:
        ValueError: the folder cannot be written.
    """
    write_outputs(scored, default_folder(results).parent)
    return write_files(scored, default_folder(results))


def default_folder(results: Path) -> Path:
    """Where a report is written if nothing else is said."""
    return (results if results.is_dir() else results.parent) / "report"


def write_files(
    scored: GradedRun,
    out: Path,
    dataset_id: str | None = None,
    *,
    samples: bool = True,
    tables: Sequence[Table] = (),
    changes: Sequence[tuple[str, Said]] = (),
) -> Path:
    """Write the page and everything beside it; each file is replaced in one step.

    Args:
        scored: the run.
        out: the folder to write into.
        dataset_id: the dataset's name on the Hub; files for a model's repository are then written.
        samples: write the page of all answers too.
        tables: further ones.
        changes: what else the page says first.

    Raises:
        ValueError: the folder cannot be written.
    """
    from .results_out.hub_results import write_hub_files
    from .samples import remove_samples, write_samples

    compared = with_gaps(scored.score)
    grids = grids_of(scored.score, compared)
    with explained("write", out):
        few, every = tables_of(scored, compared, grids, tables)
        write_tables(few, every, out)
        keep_earlier(scored, out)
        write_text(out / SCORES, json.dumps(filed(scored.score), indent=1) + "\n")
        if dataset_id is not None:
            write_hub_files(scored, out, dataset_id)
        page = out / "report.html"
        link = write_samples(scored, out).name if samples else remove_samples(out)
        context = _context(scored, compared, grids, changes)
        write_text(page, render("report.html", samples=link, **context))
    return page


def tables_of(
    scored: GradedRun,
    compared: Mapping[str, GapSection],
    grids: Sequence[Grid],
    more: Sequence[Table] = (),
) -> tuple[list[Table], list[Table]]:
    """The tables that are files of their own, and all tables.

    Of families with curves the first are the typed cells and a row for each task and language,
    which hold the numbers of their tables; of others the tables themselves.
    """
    from xlgo_metric.scoring import tables_of as of_family

    families = scored.score["families"]
    by_family = {
        name: [replace(one, name=anchor(name, one.name)) for one in of_family(name, section)]
        for name, section in families.items()
    }
    cells = [
        cell
        for part in compared.values()
        for cell in (*verdicts_of(part).values(), *gaps_of(part).values())
    ]
    for name, section in families.items():
        if name not in compared and (found := section.get(KEY)):
            cells += cells_of_section(found)
    first = [cells_table(cells)] if cells else []
    first += [all_languages(compared)] if compared else []
    lengths = scored.lengths.table()
    rest = [*([] if lengths is None else [lengths]), *scored.lengths.spreads(), *more]
    cost = [] if (spent := scored.score.get("cost")) is None else [cost_table(spent)]
    own = [one for name, tables in by_family.items() if name not in compared for one in tables]
    shown = [
        replace(grid.table, name=f"gaps-{place}" if place else "gaps")
        for place, grid in enumerate(grids)
    ]
    every = [*shown, *(one for tables in by_family.values() for one in tables), *rest]
    return [*first, *own, *cost, *more], [*every, *cost]


def write_tables(few: Sequence[Table], every: Sequence[Table], out: Path) -> None:
    """Write ``tables.md`` and ``tables.tex`` of all tables, and CSV files of some.

    CSV files of an earlier report that this one has not are removed, and nothing else.
    """
    folder = out / "tables"
    for one in few:
        write_text(folder / f"{one.name}.csv", comma_separated(one))
    ours = re.compile(rf"(?:{'|'.join(map(anchor, FAMILIES))})-[\w.-]+|{_OURS}")
    for path in folder.glob("*.csv"):
        if ours.fullmatch(path.stem) and path.stem not in {one.name for one in few}:
            path.unlink()
    write_text(out / "tables.md", "\n".join(map(markdown, every)))
    write_text(out / "tables.tex", "\n".join(map(latex, every)))


def grids_of(
    score: Mapping[str, Any], compared: Mapping[str, GapSection] | None = None
) -> list[Grid]:
    """The gaps of all families, a grid for each way of asking; see ``with_gaps``."""
    compared = with_gaps(score) if compared is None else compared
    found = [grid for part in compared.items() if (grid := of_section(part[1], part[0]))]
    for name, section in score["families"].items():
        if name not in compared and (by_language := section.get(KEY)):
            found += of_languages(by_language, f"#{anchor(name)}")
    return found


def _context(
    scored: GradedRun,
    compared: Mapping[str, GapSection],
    grids: Sequence[Grid],
    changes: Sequence[tuple[str, Said]],
) -> dict[str, Any]:
    families = scored.score["families"]
    tasks = [view for name, part in compared.items() for view in task_views(name, part)]
    others = [
        family_view(name, section) for name, section in families.items() if name not in compared
    ]
    sentences = [
        sentence
        for name, section in families.items()
        for sentence in (
            [*verdict(compared[name]), *findings(compared[name])]
            if name in compared
            else family_findings(name, section)
        )
    ]
    sentences += [*changes, *cost_sentences(scored.score)]
    judged = {file.path.parent / verdicts.FILE for file in scored.run.files}
    if judged := {path for path in judged if path.is_file()}:
        sentences += verdicts.told(judged)
    contents = [("gaps", "Gaps" if grids else "Findings")]
    contents += [("tasks", "Tasks")] if tasks else []
    contents += [("families", "Other tasks" if tasks else "Results")] if others else []
    contents += [("details", "Method")]
    bases = [*map(base_name, compared.values())]
    found = [
        section[KEY]
        for name, section in families.items()
        if name not in compared and section.get(KEY)
    ]
    bases += [labels.language(one["baseline"]).name for one in found]
    said = {text for _, text in sentences}
    return {
        "title": f"{scored.run.model}: {_subject(scored, grids)}",
        "subject": f"Report: {_subject(scored, grids)}",
        "model": scored.run.model,
        "contents": contents,
        "facts": _facts(scored),
        "alerts": scored.score.get("warnings", []),
        "findings": sentences,
        "grids": grids,
        "baseline": " and ".join(dict.fromkeys(bases)) or "English",
        "warnings": [text for text in _warnings(scored, compared) if text not in said],
        "tasks": tasks,
        "families": others,
        "cost_line": cost_line(scored.score),
        "signature": scored.score["signature"],
        "generation": scored.score["generation"],
        "provenance": _provenance(scored),
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
    tasks = {(family, task) for (family, task, *_), _ in scored.records}
    languages = {language for (_, _, language, *_), _ in scored.records}
    there = (
        ""
        if scored.there is None or scored.there[0] == scored.there[1]
        else (f" (of {count(scored.there[1])} asked)")
    )
    return [
        (count(scored.count), f"answers{there}"),
        fact(len(tasks), "task"),
        fact(len(languages), "language"),
        (scored.run.date.partition("T")[0], "date of the run"),
    ]


def _warnings(scored: GradedRun, compared: Mapping[str, GapSection]) -> list[str]:
    """All warnings, each once."""
    found = [str(problem) for problem in scored.problems.items]
    for section in scored.score["families"].values():
        found += section.get("warnings", [])
    for part in compared.values():
        found += _fit_warnings(part)
    return list(dict.fromkeys(found))


def _fit_warnings(section: GapSection) -> list[str]:
    """Warnings about curves: each once, with the tasks and languages that it is about."""
    about: dict[str, dict[str, list[str]]] = {}
    for name, task in in_order(section["tasks"]):
        for code in ordered(task["languages"]):
            for text in (task["languages"][code].get("fit") or {}).get("warnings", []):
                tasks = about.setdefault(text, {})
                tasks.setdefault(labels.task(name).short, []).append(labels.language(code).name)
    told = []
    for text, tasks in about.items():
        where = "; ".join(f"{task} ({', '.join(names)})" for task, names in tasks.items())
        told.append(f"{where}: {text}")
    return told


def _provenance(scored: GradedRun) -> list[tuple[str, str]]:
    info = scored.run.info
    found = [
        (label, _source(info[key]))
        for label, key in _SOURCES
        if info.get(key) and info[key] != "N/A"
    ]
    config = info.get("config")
    if isinstance(config, dict):
        for key in _SETTINGS:
            if config.get(key) not in (None, {}, ""):
                found.append((key.replace("_", " ").capitalize(), _setting(config[key])))
    return found


def _source(value: Any) -> str:
    """A value as people read it; the harness writes seconds as a text of sixteen digits."""
    text = str(value)
    return rounded(float(text)) if re.fullmatch(r"[0-9]{1,9}\.[0-9]{3,30}", text) else text


def _setting(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def keep_earlier(scored: GradedRun, out: Path) -> None:
    """Keep the score that stands in ``out``, if other versions made it, and say what changed.

    The earlier file gets a name with its versions, ``changes.md`` lists every number that is
    another one now, and the run's problems tell of both.
    """
    old = _read(out / SCORES)
    if old is None:
        return
    before, now = versions(old), versions(scored.score)
    if before == now:
        return
    changed = list(_changes(old.get("families"), filed(scored.score)["families"]))
    name = f"scores_{before.replace(', ', '_').replace(' ', '-')}.json"
    write_text(out / name, (out / SCORES).read_text("utf-8"))
    lines = [f"# Changes\n\nEarlier score ({name}): {before}. This score: {now}.\n"]
    lines += [f"- {line}" for line in changed] or ["No number changed."]
    write_text(out / CHANGES, "\n".join(lines) + "\n")
    told = f"{len(changed)} numbers changed" if changed else "no number changed"
    told += f" ({'; '.join(changed[:_SHOWN])}…; all are in {CHANGES})" if changed else ""
    scored.problems.add(
        str(out / SCORES),
        f"was made with {before}; graded again with {now}: {told}. It is kept as {name}",
        lost=False,
    )


def versions(score: Mapping[str, object]) -> str:
    """The versions of reader and statistics that made a score, or that of the package alone."""
    first = str(score.get("signature", "")).partition(" ")[0]
    found = [(name, field_of(first, name)) for name in ("reader", "statistics")]
    if all(value is None for _, value in found):
        found = [("xlgo", field_of(first, "version"))]
    return ", ".join(f"{name} {_plain(value)}" for name, value in found)


def _plain(value: str | None) -> str:
    """A version as a part of a file's name, whatever stood in the file."""
    return "".join(sign for sign in (value or "unknown")[:20] if sign.isalnum() or sign in ".-")


def _read(path: Path) -> dict[str, object] | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _changes(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Numbers and counts that both scores have, where they differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [key for key in old if key in new and key not in _SKIPPED]:
            yield from _changes(old[key], new[key], f"{place}.{key}" if place else str(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new)):
            yield from _changes(a, b, f"{place}[{number}]")
    elif not isinstance(old, dict | list) and not isinstance(new, dict | list):
        numbers = isinstance(old, int | float) and isinstance(new, int | float)
        same = abs(old - new) <= _SAME * max(1.0, abs(old)) if numbers else old == new
        if not same:
            yield f"{place}: {_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)[:40]
