"""Write a report: one HTML page and the files beside it.

Beside ``report.html`` stand the tables (Markdown and CSV), the score as JSON, descriptions of the
result for the Hub and for a bibliography, and, if asked for, plots (SVG and PNG). An earlier score
of the same answers, where another reader or other statistics made it, is kept as it was, and what
the new score says otherwise is listed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from xlgo_metric.comparison.section import KEY
from xlgo_metric.core import field_of

from ..display import labels
from ..display.formats import count, fact, render, rounded, sortable, write_table
from ..folders import explained, write_text
from ..logs.graded_run import GradedRun, score_folder
from ..logs.outputs import write_outputs
from . import against, verdicts
from .against import Change
from .findings import family_findings, findings, worst_sentence
from .gap_marks import GapSection, anchor, base_name, in_order, ordered, with_gaps
from .heat import Heat, family_heats, heatmap, language_lines
from .results_out.hub_results import bibtex
from .sections import (
    cost_line,
    cost_sentences,
    cost_table,
    family_view,
    table_views,
    task_views,
    worst_view,
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
_SKIPPED = frozenset({"band", "signature", "warnings", "headline", "version"})
_SHOWN = 3
_LARGEST = 200 * 2**20
_SAME = 1e-9


def write_report(results: Path, out: Path | None = None) -> Path:
    """Grade the answers in ``results`` and write the report.

    Args:
        results: what lm-evaluation-harness wrote: a folder or a file of samples.
        out: where to write; a folder ``report`` in it by default.

    Returns:
        The path of the HTML page.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    return write_files(score_folder(results), out or default_folder(results))


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
    dataset_id: str = "xlgo",
    *,
    samples: bool = True,
    plots: bool = False,
    since: Change | None = None,
) -> Path:
    """Write the page and everything beside it; each file is replaced in one step.

    Args:
        scored: the run.
        out: the folder to write into.
        dataset_id: the dataset's name on the Hub.
        samples: write the page of all answers too.
        plots: write curves and heat maps as SVG and PNG files too.
        since: how the gaps changed since an earlier run.

    Raises:
        ValueError: the folder cannot be written.
    """
    from xlgo_metric.scoring import tables_of

    from .results_out.hub_results import write_hub_files
    from .samples import remove_samples, write_samples

    with explained("write", out):
        families = scored.score["families"]
        found = {
            anchor(name, table.name): table
            for name, section in families.items()
            for table in tables_of(name, section)
        }
        found["cost"] = cost_table(scored.score["cost"])
        if (lengths := scored.lengths.table()) is not None:
            found[anchor(lengths.name)] = lengths
        if since is not None:
            found["changes"] = against.table(since)
        folder = out / "tables"
        written = [path for stem, one in found.items() for path in write_table(one, folder / stem)]
        if plots:
            from .pictures.plots import write_plots

            for section in with_gaps(scored.score).values():
                written += write_plots(section, out / "plots")
        _remove_earlier(out, {path.relative_to(out).as_posix() for path in written})
        keep_earlier(scored, out)
        score = dict(scored.score) | ({} if since is None else {"changes": since.as_json()})
        write_text(out / SCORES, json.dumps(score, indent=1) + "\n")
        write_hub_files(scored, out, dataset_id)
        page = out / "report.html"
        link = write_samples(scored, out).name if samples else remove_samples(out)
        write_text(page, render("report.html", samples=link, **_context(scored, since)))
    return page


def _remove_earlier(out: Path, written: set[str]) -> None:
    """Remove tables and plots of an earlier report that this one has not, and nothing else."""
    note = out / ".written"
    earlier = note.read_text("utf-8").splitlines() if note.is_file() else []
    for name in set(earlier) - written:
        if re.fullmatch(r"(tables|plots)/[^/]+", name):
            (out / name).unlink(missing_ok=True)
    write_text(note, "".join(f"{name}\n" for name in sorted(written)))


def _context(scored: GradedRun, since: Change | None) -> dict[str, Any]:
    families = scored.score["families"]
    compared = with_gaps(scored.score)
    tasks = [view for name, part in compared.items() for view in task_views(name, part, scored)]
    heats = [heat for name, part in compared.items() if (heat := heatmap(part, name))]
    by_language = {
        name: found
        for name, section in families.items()
        if name not in compared and (found := section.get(KEY))
    }
    for name, found in by_language.items():
        heats += family_heats(found, f"#{anchor(name)}")
    tables = [view for name in compared for view in table_views(name, families[name])]
    lengths = scored.lengths.table()
    tables += [] if lengths is None else [sortable(lengths)]
    other_families = [
        family_view(name, section, scored)
        for name, section in families.items()
        if name not in compared
    ]
    warnings = _warnings(scored)
    sentences = [
        sentence
        for name, section in families.items()
        for sentence in (
            [*worst_sentence(compared[name]), *findings(compared[name])]
            if name in compared
            else family_findings(name, section)
        )
    ]
    if since is not None:
        sentences += against.findings(since)
        tables.append(sortable(against.table(since)))
    sentences += cost_sentences(scored.score)
    cost = cost_table(scored.score["cost"])
    judged = {file.path.parent / verdicts.FILE for file in scored.run.files}
    if judged := {path for path in judged if path.is_file()}:
        sentences += verdicts.told(judged)
    language_rows = [found for part in compared.values() if (found := language_lines(part))]
    contents = [("gaps", "Gaps" if heats else "Findings")]
    contents += [("tasks", "Tasks"), ("wrong", "Outcomes")] if tasks else []
    contents += [("families", "Other tasks" if tasks else "Results")] if other_families else []
    contents += [("details", "Tables"), ("cost", "Cost"), ("words", "Definitions")]
    contents += [("source", "Method")]
    bases = [*map(base_name, compared.values())]
    bases += [labels.language(found["baseline"]).name for found in by_language.values()]
    return {
        "title": f"{scored.run.model}: {_subject(scored, heats)}",
        "subject": f"Report: {_subject(scored, heats)}",
        "model": scored.run.model,
        "contents": contents,
        "facts": _facts(scored),
        "outcomes": {
            status
            for part in compared.values()
            for task in part["tasks"].values()
            for cell in task["languages"].values()
            for status, number in cell["statuses"].items()
            if number
        },
        "alerts": scored.score.get("warnings", []),
        "findings": sentences,
        "heats": heats,
        "worst": [one for part in compared.items() if (one := worst_view(*part))][:1],
        "baseline": " and ".join(dict.fromkeys(bases)) or "English",
        "lines": language_rows,
        "warnings": [text for text in warnings if text not in {said for _, said in sentences}],
        "tasks": tasks,
        "more": tables,
        "families": other_families,
        "cost": sortable(cost),
        "cost_line": cost_line(scored.score),
        "signature": scored.score["signature"],
        "generation": scored.score["generation"],
        "provenance": _provenance(scored),
        "files": [str(file.path) for file in scored.run.files],
        "bibtex": bibtex(families),
    }


def _subject(scored: GradedRun, heats: list[Heat]) -> str:
    """What the page is about: gaps where there are any, else the languages or the families."""
    if heats:
        return "cross-lingual gaps"
    families = ", ".join(labels.family(name) for name in scored.score["families"])
    languages = set(scored.table.frame["language"])
    only = languages.pop() if len(languages) == 1 else ""
    return f"{families} in {labels.language(only).name}" if only else families


def _facts(scored: GradedRun) -> list[tuple[str, str]]:
    tasks = {(family, task) for (family, task, *_), _ in scored.records}
    languages = {language for (_, _, language, *_), _ in scored.records}
    there = "" if scored.there is None or scored.there[0] == scored.there[1] else (
        f" (of {count(scored.there[1])} asked)"
    )  # fmt: skip
    return [
        (count(scored.count), f"answers{there}"),
        fact(len(tasks), "task"),
        fact(len(languages), "language"),
        (scored.run.date.partition("T")[0], "date of the run"),
    ]


def _warnings(scored: GradedRun) -> list[str]:
    """All warnings, each once."""
    found = [str(problem) for problem in scored.problems.items]
    for section in scored.score["families"].values():
        found += section.get("warnings", [])
    for part in with_gaps(scored.score).values():
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
    changed = list(_changes(old.get("families"), scored.score["families"]))
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
