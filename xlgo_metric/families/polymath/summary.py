"""From graded responses to PolyMath's section of a score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from statistics import fmean
from typing import Any

from ...core import STRICT, Record, Reference, common, counted, grouped, signature
from ...statistics.measures import (
    average_at_k,
    dw_acc,
    language_consistency,
    language_spread,
    pearson,
)
from .measures import LEVELS, PARTS
from .section import Cell, Languages, Over, PolyMathSection, Result

QUESTIONS = 125
FIRST_LANGUAGES = ("en", "zh")
"""In the paper's tables; the others follow by code."""


def summarize(records: Sequence[Record]) -> PolyMathSection:
    """The section of this family.

    Args:
        records: any number of responses to each question (repeats of one question share its
            ``level``, ``index`` and ``language``). References may name a ``model`` and a
            ``control``; each pair of them gets a result of its own.

    Returns:
        Plain JSON types: ``signature``, ``languages``, ``warnings``, and ``results``, a list with
        per model and control

        * ``accuracy[level][language]``: ``n``, ``correct`` (of all repeats), ``accuracy``,
          ``repeats``, ``average_at_k`` (the paper's equation 3, which rounds to whole questions)
          and its ``sd``, ``score`` (average@k in mode ``paper``, else the accuracy; what all other
          numbers are made from), ``statuses``;
        * ``spread[level]`` over languages, ``dw_acc[language]`` and ``dw_spread``;
        * ``consistency[part]`` and ``english[part]``, ``correlation[part][level]`` of consistency
          with accuracy over languages;
        * ``length[level][language]``: mean characters of thinking (of the answer where a model
          does not think), and ``length_correlation[level]``.

        Shares are fractions; what cannot be given is ``None``.
    """
    groups = grouped(
        records, lambda one: (one.reference.get("model", ""), one.reference.get("control", "none"))
    )
    warnings: list[str] = []
    odd: list[str] = []
    results = [_result(*named, group, warnings, odd) for named, group in groups.items()]
    if odd:
        warnings.append(
            f"{len(odd)} pairs of language and level do not have {QUESTIONS} questions, such as "
            f"{odd[0]}"
        )
    references = [record.reference for record in records]
    sizes = sorted({cell["n"] for cell in _cells(results)})
    fields = {
        "task": "polymath",
        "levels": "+".join(_present(references, "level", LEVELS)),
        "n": "-".join(map(str, sorted({sizes[0], sizes[-1]}))) if sizes else None,
        "control": common(references, "control"),
        "mode": common(references, "mode") or "default",
        "math_verify": version("math-verify"),
    }
    return {
        "signature": signature(fields),
        "languages": _present(references, "language", FIRST_LANGUAGES),
        "results": results,
        "warnings": list(dict.fromkeys(warnings)),
    }


def _cells(results: Iterable[Result]) -> Iterator[Cell]:
    for result in results:
        for row in result["accuracy"].values():
            yield from row.values()


def _present(references: Iterable[Reference], key: str, order: Sequence[str]) -> list[str]:
    found = {str(reference.get(key)) for reference in references}
    return [name for name in order if name in found] + sorted(found - set(order))


def _result(
    model: str, control: str, records: Sequence[Record], warnings: list[str], odd: list[str]
) -> Result:
    references = [record.reference for record in records]
    languages = _present(references, "language", FIRST_LANGUAGES)
    levels = _present(references, "level", LEVELS)
    cells = grouped(
        records, lambda one: (str(one.reference.get("level")), str(one.reference.get("language")))
    )
    accuracy = {
        level: {
            language: _cell(cells[level, language], f"{language}, {level}", warnings, odd)
            for language in languages
            if (level, language) in cells
        }
        for level in levels
    }
    plain = {
        level: {language: cell["score"] for language, cell in row.items()}
        for level, row in accuracy.items()
    }
    weighted = {language: _weighted(plain, language) for language in languages}
    if any(value is None for value in weighted.values()):
        warnings.append("no DW-ACC for languages without answers on all four levels")
    complete = {language: value for language, value in weighted.items() if value is not None}
    lengths = {
        level: {language: fmean(map(_length, cells[level, language])) for language in row}
        for level, row in accuracy.items()
    }
    return {
        "model": model,
        "control": control,
        "accuracy": accuracy,
        "spread": {level: _over(row) for level, row in plain.items() if row},
        "dw_acc": weighted,
        "dw_spread": _over(complete) if complete else None,
        **_consistency(records, plain, warnings),
        "length": lengths,
        "length_correlation": {
            level: _correlation(lengths[level], plain[level]) for level in levels
        },
    }


def _cell(records: Sequence[Record], name: str, warnings: list[str], odd: list[str]) -> Cell:
    """One language and level: accuracy, and average@k over the runs that all questions have."""
    runs: dict[Any, list[bool]] = defaultdict(list)
    for place, record in enumerate(records):
        runs[record.reference.get("index", place)].append(record.grade.correct)
    repeats = {len(run) for run in runs.values()}
    if len(repeats) > 1:
        warnings.append(
            f"{name}: questions have between {min(repeats)} and {max(repeats)} responses"
        )
    if len(runs) != QUESTIONS:
        odd.append(f"{name} with {len(runs)}")
    k = min(repeats)
    counts = [sum(run[place] for run in runs.values()) for place in range(k)]
    rounded, sd = average_at_k(counts, len(runs))
    correct = sum(record.grade.correct for record in records)
    rounds = any(record.reference.get("mode") == "paper" for record in records)
    return {
        "n": len(records),
        "correct": correct,
        "accuracy": correct / len(records),
        "strict": STRICT.mean([records]),
        "repeats": k,
        "average_at_k": rounded,
        "score": rounded if rounds else correct / len(records),
        "sd": sd if k > 1 else None,
        "statuses": counted(records),
    }


def _over(row: dict[str, float]) -> Over:
    found = language_spread(row)
    return {
        "mean": found.mean, "sd": found.sd, "range": found.range, "lowest": found.lowest,
        "highest": found.highest,
    }  # fmt: skip


def _weighted(accuracy: dict[str, dict[str, float]], language: str) -> float | None:
    values = [accuracy.get(level, {}).get(language) for level in LEVELS]
    return None if None in values else float(dw_acc(values))  # type: ignore[arg-type]


def _consistency(
    records: Sequence[Record], accuracy: dict[str, dict[str, float]], warnings: list[str]
) -> Languages:
    """Consistency with the question's language and share of English, for thinking and answer."""
    languages = [str(record.reference.get("language")) for record in records]
    levels = [str(record.reference.get("level")) for record in records]
    found: Languages = {"consistency": {}, "english": {}, "correlation": {}}
    for part in PARTS:
        for shares, prefix in ((found["consistency"], "lc"), (found["english"], "english")):
            verdicts = [record.grade.details.get(f"{prefix}_{part}") for record in records]
            of = language_consistency(verdicts, languages, levels)
            shares[part] = {
                "by_language": of.by_language, "by_level": of.by_level, "mean": of.mean,
                "sd": of.sd, "unsupported": of.unsupported,
            }  # fmt: skip
        rates = found["consistency"][part]["by_level"]
        found["correlation"][part] = {
            level: _correlation(row, accuracy[level]) for level, row in rates.items()
        }
        unjudged = found["consistency"][part]["unsupported"]
        if unjudged and any(record.grade.details.get(f"{part}_length") for record in records):
            warnings.append(f"no language consistency of the {part} for {', '.join(unjudged)}")
    return found


def _correlation(row: Mapping[str, float | None], accuracy: Mapping[str, float]) -> float | None:
    pairs = [(value, accuracy[name]) for name, value in row.items() if value is not None]
    return pearson(*zip(*pairs, strict=True)) if len(pairs) > 1 else None


def _length(record: Record) -> int:
    details = record.grade.details
    return int(details.get("thinking_length") or details.get("answer_length") or 0)
