"""``xlgo report RESULTS --manuscript FOLDER``: figures, tables, methods and references for a paper.

The numbers are those of the grids and tables that the report shows.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_metric.comparison import Cell
from xlgo_metric.core import field_of
from xlgo_metric.statistics.differences import DRAWS
from xlgo_metric.table import Table

from ..display import labels
from ..display.formats import count, latex, markdown, tex
from ..folders import explained, replace_folder, write_text
from ..logs.lines import UNKNOWN
from . import pictures
from .grid import (
    GapSection,
    Grid,
    anchor,
    base_name,
    baseline,
    gaps_of,
    in_order,
    ordered,
    wordings,
)
from .write import Content, bibtex, language_table, without_empty

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
_TEST = "Test: paired, by random signs of whole clusters, corrected for all cells together (max-T)."
_CURVES = (
    "Curves are incomplete gamma functions, fitted by least squares; their bands are 95\\% limits "
    r"of refits to accuracies from Beta posteriors \cite{xlgobench}."
)


def write_manuscript(content: Content, folder: Path, models: Grid | None = None) -> Path:
    """Write text, tables, references and figures into a folder, which appears in one step.

    Args:
        content: what the report shows of the run.
        folder: a new folder, or that of an earlier manuscript, which is replaced.
        models: the gaps of several models, a column each, for a figure.

    Returns:
        The path of ``manuscript.tex``.

    Raises:
        ValueError: the folder holds something else, or cannot be written.
    """
    paths = folder.iterdir() if folder.is_dir() else [folder] if folder.exists() else []
    if foreign := sorted(path.name for path in paths if not _OURS.fullmatch(path.name)):
        raise ValueError(
            f"--manuscript: {folder} holds {foreign[0]}, which is no part of a manuscript: give a "
            "new folder"
        )
    captions, tables = dict[str, str](), [*_tables(content)]
    with explained("write", folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as work:
            new = Path(work, "new")
            for name, figure, text in _figures(content, models):
                pictures.save(figure, new / "figures" / name, FORMATS)
                captions[name] = text
            floats = (_FIGURE % (name, printed(text), name) for name, text in captions.items())
            write_text(new / NAME, _DOCUMENT % (methods(content), "".join(floats)))
            write_text(new / "tables.tex", "\n".join([_FIT, *map(_fitted, tables)]))
            write_text(new / "tables.md", "\n".join(map(markdown, tables)))
            write_text(new / "references.bib", bibtex(content.scored.score["families"]))
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
    gaps = list(cells)
    sizes = sorted({cell.n for cell in gaps})
    n = " to ".join(map(count, sizes[:: max(len(sizes) - 1, 1)]))
    words = wordings([cell for cell in gaps if cell.task] or gaps)  # not the means over these
    sentences = [
        about,
        f"n = {n} questions a {'cell' if tested else 'language'}." * bool(gaps),
        _TEST * bool(gaps and tested),
        f"Wordings: {words}." * bool(words),
        f"Signature: {signature}",
    ]
    return " ".join(filter(None, sentences))


def _figures(content: Content, models: Grid | None) -> Iterator[tuple[str, Figure, str]]:
    """The gaps, the models side by side, and the curves of each task: name, figure, caption."""
    signature = content.scored.score["signature"]
    for grid in [*content.grids, *([] if models is None else [replace(models, name="models")])]:
        text = f"{grid.title}. {_of_grid(grid, signature)}"
        yield grid.name, pictures.gaps(grid.rows, grid.columns, grid.cells), text
    for family, section in content.compared.items():
        for name, task in in_order(section["tasks"]):
            words, cells = labels.task(name), _of_task(section, name)
            about = (
                f"{words.title}: accuracy by the number of {words.unit}, with fitted curves and "
                f"95% bands; dashed: {base_name(section)}."
            )
            drawn = pictures.curves(pictures.task_panels(task, baseline(section)), words.unit)
            text = caption(about, cells, section["signature"], tested=False)
            yield f"curves-{anchor(family, name)}", drawn, text


def _tables(content: Content) -> Iterator[Table]:
    """The tables of the page: gaps, a table a task with curves, and those of other families."""
    families = content.scored.score["families"]
    for grid in content.grids:
        yield replace(grid.table, caption=_of_grid(grid, content.scored.score["signature"]))
    for family, section in content.compared.items():
        for name, task in in_order(section["tasks"]):
            found = without_empty(language_table(task))
            yield replace(
                found,
                name=anchor(family, name),
                title=labels.task(name).title,
                rows=tuple((labels.language(code).name, *rest) for code, *rest in found.rows),
                caption=caption(_COLUMNS, _of_task(section, name), section["signature"]),
            )
    for family in [name for name in families if name not in content.compared]:
        for table in content.family_tables[family]:
            yield replace(
                table,
                name=anchor(family, table.name),
                caption=caption(table.caption, (), families[family]["signature"]),
            )


def methods(content: Content) -> str:
    """A paragraph for the paper, in LaTeX: model, questions, versions, seeds and statistics.

    Logs of others do not say all of it; what is not known is left out.
    """
    scored = content.scored
    signature, generation = scored.score["signature"], scored.score["generation"]

    def stated(labelled: Mapping[str, str]) -> str:
        """Fields of the signature with their labels."""
        fields = {name: field_of(signature.partition(" ")[0], name) for name in labelled}
        return ", ".join(
            f"{labelled[name]} {printed(value)}" for name, value in fields.items() if value
        )

    tasks = sorted({key[1] for key, _ in scored.records}, key=labels.task_order)
    codes = ordered(key[2] for key, _ in scored.records)
    questions = stated({"seed": "seed", "text": "wording", "data": "data version"})
    harness = scored.run.info.get("lm_eval_version")
    return "\n".join([
        printed(
            f"{scored.run.model} gave {count(scored.count)} answers. Tasks: "
            f"{', '.join(labels.task(task).title for task in tasks)}. Languages: "
            f"{', '.join(labels.language(code).name for code in codes)}."
        ),
        f"The questions are the same in all languages{f' ({questions})' if questions else ''}."
        + (f" Generation: {printed(generation)}." if UNKNOWN not in generation else ""),
        "Software: "
        + stated({"version": "xlgo", "reader": "reader", "statistics": "statistics"})
        + r" \cite{xlgo}, NumPy and SciPy \cite{numpy,scipy}"
        + (rf", lm-evaluation-harness {printed(str(harness))} \cite{{lmeval}}" if harness else "")
        + ".",
        _PROCEDURE.format(base=printed(labels.language(scored.baseline).name)),
        *([_CURVES] if content.compared else []),
        f"Signature: {printed(signature)}.",
    ])  # fmt: skip


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


def _of_grid(grid: Grid, signature: str) -> str:
    return caption(grid.table.caption, grid.cells.values(), signature)


def _of_task(section: GapSection, name: str) -> list[Cell]:
    return [gap for (task, _), gap in gaps_of(section).items() if task == name]
