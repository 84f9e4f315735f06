"""The frozen numbers, computed again from the stored answers, and what differs from before.

Numbers are frozen, not words: of a table its name and its cells, of a score all but warnings.
"""

from __future__ import annotations

import csv
import json
import lzma
import math
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.metric.transcripts.labelled_puzzles import puzzle_transcripts
from tests.simple_reasoning.transcripts import simple_transcripts
from xlgo_cli.leaderboard.entries import choose, read_entries
from xlgo_cli.leaderboard.standings import board
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.parallel.comparing import compare_languages
from xlgo_cli.report.compare.comparison import as_json, comparison
from xlgo_metric.scoring import grade, tables

from .inputs import HERE, unpack

STORED = HERE / "numbers.json.xz"
DEPARTURES = HERE / "DEPARTURES.md"
SAMPLE = 29
"""One in so many labelled responses is graded in the quick form."""

_RUNS = ("puzzles", "conditions", "adaptive", "polymath", "simple", "korbench", "lit")
_WORDS = frozenset({"warnings", "version", "signature", "signatures", "notes", "headline_words"})
_RELATIVE, _ABSOLUTE = 1e-5, 1e-7
"""Fits stop at a tolerance: processors that add in another order differ by up to 3e-6 behind it."""


def computed(*, full: bool = False) -> dict[str, Any]:
    """All numbers, in plain JSON types.

    Args:
        full: grade every labelled response, not only a sample.
    """
    with tempfile.TemporaryDirectory() as name:
        answers = unpack(Path(name))
        found: dict[str, Any] = {}
        runs = {run: score_folder(answers / run, quiet=True) for run in _RUNS}
        for run, scored in runs.items():
            found[run] = _scored(scored)
        strong = score_folder(answers / "strong", quiet=True)
        found["compare"] = _numbers(as_json(comparison(runs["puzzles"], strong)))
        found["leaderboard"] = _leaderboard(answers)
        found["parallel"] = _parallel(answers / "simple")
        zh = score_folder(answers / "puzzles", quiet=True, options={"baseline": "zh"})
        found["baseline zh"] = _numbers(zh.score["families"])
    found["verdicts"] = _verdicts(full=full)
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def _scored(scored: GradedRun) -> dict[str, Any]:
    statuses = sorted((*map(str, key), record.grade.status) for key, record in scored.records)
    return {
        "score": _numbers(scored.score),
        "signature": _signature(scored.score["signature"]),
        "tables": {f"{t.name}": _cells(t.rows) for t in tables(scored.score)},
        "statuses": " ".join(row[-1] for row in statuses),
    }


def _signature(text: str) -> list[str]:
    """Its fields but those that name versions of the code."""
    fields = [field for part in text.split() for field in part.split("|")]
    return [f for f in fields if f.split(":")[0] not in ("version", "reader", "statistics")]


def _numbers(value: Any) -> Any:
    """A copy of a score without the sentences in it."""
    if isinstance(value, dict):
        return {key: _numbers(one) for key, one in value.items() if key not in _WORDS}
    return [_numbers(one) for one in value] if isinstance(value, list | tuple) else value


def _cells(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return [list(row) for row in rows]


def _leaderboard(answers: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as keep:
        folders = [answers / name for name in ("puzzles", "strong", "weak")]
        entries, failed = read_entries(folders, Path(keep))
        assert not failed
        found = board(choose(entries))
    names = [entry.name for entry in found.entries]
    return {
        "accuracy": found.accuracy,
        "ranks": [list(vars(rank).values()) for rank in found.ranks],
        "pairs": [
            {
                "first": names.index(pair.base),
                "second": names.index(pair.other),
                "gain": pair.difference,
                "p": pair.p,
                "p_holm": pair.p_adjusted,
            }
            for pair in found.pairs
        ],
        "languages": {
            code: [shares, [list(vars(rank).values()) for rank in ranks]]
            for code, (shares, ranks) in found.languages.items()
        },
        "gaps": {f"{place} {code}": vars(gap) for (place, code), gap in found.gaps.items()},
        "differences": {
            f"{place} {code}": {
                "n": cell.n,
                "english": cell.mean_base,
                "other": cell.mean_other,
                "low": cell.low,
                "high": cell.high,
                "p": cell.p,
                "p_holm": cell.p_adjusted,
            }
            for (place, code), cell in found.differences.items()
        },
        "p_holm": [
            cell["paired"]["p_holm"]
            for section in found.sections
            for part in section.values()
            for task in part["tasks"].values()
            for cell in task["languages"].values()
            if cell["paired"]
        ],
        "counts": [found.cells, found.puzzles],
    }


def _parallel(answers: Path) -> list[dict[str, Any]]:
    patterns = ["simple_logic_eval_{lang}", "simple_proof_tree_{lang}"]
    return [
        {
            "benchmark": gap.task, "language": gap.other, "baseline": gap.base, "n": gap.n,
            "right": gap.right_other, "right_base": gap.right_base, "only_base": gap.only_base,
            "only_language": gap.only_other, "low": gap.low, "high": gap.high, "p": gap.p,
            "p_holm": gap.p_adjusted,
        }
        for gap in compare_languages(answers, patterns).gaps
    ]  # fmt: skip


def _verdicts(*, full: bool) -> dict[str, str]:
    """The status of each labelled response, an asterisk after those graded strict."""
    step = 1 if full else SAMPLE
    made: dict[str, Iterable[Any]]
    made = {"puzzles": puzzle_transcripts(), "simple reasoning": simple_transcripts()}
    found = {
        name: " ".join(_verdict(one.text, one.reference) for one in islice(several, 0, None, step))
        for name, several in made.items()
    }
    pairs = HERE.parent / "polymath" / "pairs.tsv"
    with pairs.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found["polymath"] = " ".join(
        _verdict(text, {"family": "polymath", "task": "polymath", "language": code, "answer": gold})
        for _, code, gold, text, *_ in rows[::step]
    )
    return found


def _verdict(text: str, reference: dict[str, Any]) -> str:
    found = grade(text, reference)
    return found.status + "*" * found.strict


def stored() -> dict[str, Any]:
    """The frozen numbers, those of the full form beside the quick one."""
    return json.loads(lzma.decompress(STORED.read_bytes()))  # type: ignore[no-any-return]


def differences(old: Any, new: Any, place: str = "", *, exact: bool = False) -> Iterator[str]:
    """Every place where a frozen number is gone or another; what is new is none."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in new:
                yield from differences(value, new[key], f"{place}/{key}", exact=exact)
            else:
                yield f"{place}/{key}: is gone"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new)):
            yield from differences(a, b, f"{place}/{number}", exact=exact)
    elif not _same(old, new, exact):
        yield f"{place}: {_short(old)} is now {_short(new)}"


def _same(old: Any, new: Any, exact: bool) -> bool:
    if bool in (type(old), type(new)) or not all(isinstance(x, int | float) for x in (old, new)):
        return repr(old) == repr(new)
    if exact or math.isnan(old) or math.isnan(new):
        return old == new or (math.isnan(old) and math.isnan(new))
    return math.isclose(old, new, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 120 else f"{text[:100]}… ({len(text)} characters)"
