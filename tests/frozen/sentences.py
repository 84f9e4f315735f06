"""Sentences: what report and terminal say of the stored runs of ``scores.py``.

Nine runs, one of them against another baseline too; and each kind of sentence that there is.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from xlgo_cli.display.formats import SENTENCES
from xlgo_cli.page.findings import family_findings, findings, verdict
from xlgo_cli.page.findings import sentences as on_terminal
from xlgo_cli.page.grid import with_gaps

from .scores import RUNS, scored
from .stored import Part, Values, flat


def _said(found: Iterable[tuple[str, str]]) -> list[str]:
    """Sentences with their kind (``behind``, ``ahead``, ``warn``) before them."""
    return [f"{kind}: {text}" if kind else str(text) for kind, text in found]


def _of_run(run: str, baseline: str, one_in: int) -> Values:
    score = scored(run, baseline).score
    said: dict[str, list[str]] = {"warning": list(score.get("warnings", []))}
    curved = with_gaps(score)
    for name, section in score["families"].items():
        if name in curved:
            told: list[Any] = [*verdict(curved[name]), *findings(curved[name])]
        else:
            told = family_findings(name, section)
        said[name] = _said(told)
        said[f"{name} warning"] = list(section.get("warnings", []))
    said["terminal"] = on_terminal(score)
    return _numbered(said)


def _registry(one_in: int) -> Values:
    """Every kind of sentence, also those that none of the results leads to."""
    return flat(
        {name: {"asserts": kind.asserts, "text": kind.text} for name, kind in SENTENCES.items()}
    )


def _numbered(said: dict[str, list[str]]) -> Values:
    return {f"{where}/{n}": text for where, texts in said.items() for n, text in enumerate(texts)}


def parts() -> list[Part]:
    """A part for each result that is put into words."""
    made: dict[str, Callable[[int], Values]] = {run: partial(_of_run, run, "") for run in RUNS}
    made |= {
        "baseline_zh": partial(_of_run, "puzzles", "zh"),
        "registry": _registry,
    }
    return [Part("sentences", name, compute) for name, compute in made.items()]
