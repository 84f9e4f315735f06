"""``xlgo report RESULTS --manuscript FOLDER``: figures, tables, methods and references for a paper.

The numbers are those of the grids and tables that the report shows.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xlgo_metric.comparison import Cell
from xlgo_metric.core import field_of, grouped
from xlgo_metric.statistics.simultaneous import DRAWS
from xlgo_metric.table import Table

from ..display import labels
from ..display.formats import count, latex, markdown, tex
from ..folders import explained, replace_folder, write_text
from . import pictures
from .gap_marks import (
    GapSection,
    anchor,
    base_name,
    baseline,
    gaps_of,
    in_order,
    ordered,
    with_gaps,
    with_notes,
)
from .grid import Grid
from .results_out.hub_results import bibtex
from .sections import language_table, without_empty
from .write import grids_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..logs.graded_run import GradedRun

NAME = "manuscript.tex"
FORMATS = (".pdf", ".svg", ".png")
_OURS = re.compile(r"manuscript\.[\w.]+|tables\.(?:md|tex)|references\.bib|figures")
"""Names of what this module writes, and of what LaTeX makes of it."""
_NO_SIGN = re.compile(r"[^\x20-\x7e\xa0-\xff\n]")
"""Characters that pdflatex cannot print."""

_DOCUMENT = r"""%% Written by xlgo report --manuscript, which replaces the whole folder.
\documentclass{article}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,graphicx} %% tables.tex needs both
\graphicspath{{figures/}}
\AddToHook{env/table/begin}{\centering\scriptsize\setlength{\tabcolsep}{2pt}}
\sloppy
\begin{document}
\section*{Methods}
%s
%s
\clearpage
\input{tables.tex}
\nocite{*}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""
_FIGURE = r"""
\begin{figure}
\centering
\includegraphics[width=\linewidth,height=.85\textheight,keepaspectratio]{%s}
\caption{%s}
\label{fig:%s}
\end{figure}
"""
_COLUMNS = (
    "Gap: points with 95% interval; ● significant at 5%; SMD: largest gap of the curves, at c*; "
    "± standard deviation."
)
_FIT = r"""\providecommand{\fit}[1]{\sbox0{#1}%
\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}
"""
_PROCEDURE = (
    "The gap of a language is accuracy in {base} minus accuracy in the language on the same "
    f"questions; sizes weigh alike, and so do tasks. Its paired test draws {DRAWS:,} random signs "
    "for whole clusters of questions, and is corrected for all cells of a table together "
    r"(single-step max-T) \cite{{westfallyoung1993}}. The 95\% intervals come from the same test, "
    r"and from exponential weights of clusters \cite{{rubin1981,clopper1934}}; they hold together."
)
_CURVES = (
    "Curves are incomplete gamma functions, fitted by least squares; their bands are 95\\% limits "
    r"of refits to accuracies from Beta posteriors \cite{xlgobench}."
)


class Drawn(NamedTuple):
    """A figure and its caption."""

    figure: Figure
    caption: str


def write_manuscript(scored: GradedRun, folder: Path, models: Grid | None = None) -> Path:
    """Write text, tables, references and figures into a folder, which appears in one step.

    Args:
        scored: the run.
        folder: a new folder, or that of an earlier manuscript, which is replaced.
        models: the gaps of several models, a column each, for a figure.

    Returns:
        The path of ``manuscript.tex``.

    Raises:
        ValueError: the folder holds something else, or cannot be written.
    """
    there = folder.iterdir() if folder.is_dir() else [folder] if folder.exists() else []
    if foreign := sorted(path.name for path in there if not _OURS.fullmatch(path.name)):
        raise ValueError(
            f"--manuscript: {folder} holds {foreign[0]}, which is no part of a manuscript: give a "
            "new folder"
        )
    drawn, tables = dict(figures(scored, models)), [*tables_of(scored)]
    floats = "".join(_FIGURE % (name, printed(one.caption), name) for name, one in drawn.items())
    with explained("write", folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as work:
            new = Path(work, "new")
            write_text(new / NAME, _DOCUMENT % (methods(scored), floats))
            write_text(new / "tables.tex", "\n".join([_FIT, *map(_fitted, tables)]))
            write_text(new / "tables.md", "\n".join(map(markdown, tables)))
            write_text(new / "references.bib", bibtex(scored.score["families"]))
            for name, one in drawn.items():
                pictures.save(one.figure, new / "figures" / name, FORMATS)
            replace_folder(new, folder)
    return folder / NAME


def caption(about: str, cells: Iterable[Cell], signature: str, *, tested: bool = True) -> str:
    """What stands below a figure or table, in one place for all of them.

    Args:
        about: what it shows.
        cells: the differences that it shows, or rests on; they give n and the state of wordings.
        signature: of the answers.
        tested: it shows marks or p values.
    """
    shown = list(cells)
    told = [about]
    if shown:
        sizes = sorted({cell.n for cell in shown})
        n = " to ".join(count(end) for end in dict.fromkeys((sizes[0], sizes[-1])))
        told.append(f"n = {n} questions a {'cell' if tested else 'language'}.")
    if shown and tested:
        told.append(
            "Test: paired, by random signs of whole clusters, corrected for all cells "
            "together (max-T)."
        )
    read = [cell for cell in shown if cell.task] or shown  # not the means over these
    notes = with_notes(dict.fromkeys(cell.language or cell.other for cell in read), read)
    if wordings := grouped((one for one in notes.values() if one.note), lambda one: one.note):
        told.append(
            "Wordings: "
            + "; ".join(
                f"{', '.join(one.name for one in of)}: {note}" for note, of in wordings.items()
            )
            + "."
        )
    return " ".join([*told, f"Signature: {signature}"])


def figures(scored: GradedRun, models: Grid | None = None) -> Iterator[tuple[str, Drawn]]:
    """The gaps, the models side by side, and the curves of each task, by the names of the files."""
    for place, grid in enumerate(grids_of(scored.score)):
        drawn = pictures.gaps(grid.rows, grid.columns, grid.cells)
        yield _numbered("gaps", place), Drawn(drawn, f"{grid.title}. {_of_grid(grid, scored)}")
    if models is not None:
        drawn = pictures.gaps(models.rows, models.columns, models.cells)
        yield "models", Drawn(drawn, f"{models.title}. {_of_grid(models, scored)}")
    for family, section in with_gaps(scored.score).items():
        for name, task in in_order(section["tasks"]):
            words, base, cells = labels.task(name), baseline(section), _of_task(section, name)
            about = (
                f"{words.title}: accuracy by the number of {words.unit}, with fitted curves and "
                f"95% bands; dashed: {base_name(section)}."
            )
            drawn = pictures.curves(pictures.task_panels(task, base), words.unit)
            told = caption(about, cells, section["signature"], tested=False)
            yield f"curves-{anchor(family, name)}", Drawn(drawn, told)


def tables_of(scored: GradedRun) -> Iterator[Table]:
    """The tables of the page: gaps, a table a task with curves, and those of other families."""
    from xlgo_metric.scoring import tables_of as of_family

    for place, grid in enumerate(grids_of(scored.score)):
        yield replace(grid.table, name=_numbered("gaps", place), caption=_of_grid(grid, scored))
    compared = with_gaps(scored.score)
    for family, section in compared.items():
        for name, task in in_order(section["tasks"]):
            found = without_empty(language_table(task))
            told = caption(_COLUMNS, _of_task(section, name), section["signature"])
            rows = tuple((labels.language(code).name, *rest) for code, *rest in found.rows)
            yield replace(found, name=anchor(family, name), title=labels.task(name).title,
                          rows=rows, caption=told)  # fmt: skip
    for family, section in scored.score["families"].items():
        for found in of_family(family, section) if family not in compared else ():
            told = caption(found.caption, (), section["signature"]).lstrip()
            yield replace(found, name=anchor(family, found.name), caption=told)


def methods(scored: GradedRun) -> str:
    """A paragraph for the paper, in LaTeX: model, questions, versions, seeds and statistics."""
    signature, compared = scored.score["signature"], with_gaps(scored.score)
    first = signature.partition(" ")[0]
    version, seed, wording, data, reader, statistics = (
        field_of(first, name) or "unknown"
        for name in ("version", "seed", "text", "data", "reader", "statistics")
    )
    tasks = sorted({key[1] for key, _ in scored.records}, key=labels.task_order)
    codes = ordered(key[2] for key, _ in scored.records)
    harness = scored.run.info.get("lm_eval_version")
    parts = [
        printed(
            f"{scored.run.model} gave {count(scored.count)} answers to "
            f"{', '.join(labels.task(task).title for task in tasks)} in "
            f"{', '.join(labels.language(code).name for code in codes)}."
        ),
        printed(
            f"Questions: seed {seed}, wording {wording}, data version {data}; the same in all "
            f"languages. Generation: {scored.score['generation']}."
        ),
        rf"Software: xlgo {printed(version)} \cite{{xlgo}}, reader {printed(reader)}, statistics "
        rf"{printed(statistics)}, NumPy and SciPy \cite{{numpy,scipy}}"
        + (rf", lm-evaluation-harness {printed(str(harness))} \cite{{lmeval}}" if harness else "")
        + ".",
        _PROCEDURE.format(base=printed(labels.language(scored.baseline).name)),
        *([_CURVES] if compared else []),
        f"Signature: {printed(signature)}.",
    ]
    return "\n".join(parts)


def printed(text: str) -> str:
    """A text for pdflatex: nothing in it is a command."""
    return _printable(tex(text))


def _printable(latex_text: str) -> str:
    """LaTeX whose long signatures may be broken, with numbers for signs that pdflatex has not."""
    text = latex_text.replace(r"\textbar{}", r"\textbar\allowbreak{}")
    return _NO_SIGN.sub(lambda sign: f"(U+{ord(sign[0]):04X})", text)


def _fitted(table: Table) -> str:
    """A table for LaTeX that is at most as wide as a line."""
    text = _printable(latex(table))
    return text.replace(r"\begin{tabular}", r"\fit{\begin{tabular}").replace(
        r"\end{tabular}", r"\end{tabular}}"
    )


def _of_grid(grid: Grid, scored: GradedRun) -> str:
    about = " ".join([grid.caption, *(f"{one}." for one in grid.legend), *grid.notes])
    return caption(about, grid.cells.values(), scored.score["signature"])


def _of_task(section: GapSection, name: str) -> list[Cell]:
    return [gap for (task, _), gap in gaps_of(section).items() if task == name]


def _numbered(name: str, place: int) -> str:
    return f"{name}-{place}" if place else name
