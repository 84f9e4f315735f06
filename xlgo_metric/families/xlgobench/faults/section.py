"""The part of an XLGoBench section that says where answers first go wrong, by language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from xlgo_metric.comparison.adjustment import adjusted
from xlgo_metric.comparison.contrast import Contrast
from xlgo_metric.comparison.counts import by_question
from xlgo_metric.comparison.table import UNKNOWN_LANGUAGE
from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench.comparison import CLAIM_LEVEL
from xlgo_metric.statistics.differences import sign_test

_QUARTERS = 4
Key = tuple[str, int]


def faults(records: Sequence[Record], baseline: str) -> dict[str, Any] | None:
    """Kinds and positions of first wrong steps, and how languages differ in them.

    Args:
        records: graded answers, those that are wrong with ``fault`` in their details where it is
            known (see ``faults.fault``).
        baseline: the language that the others are compared with.

    Returns:
        ``tasks``: by task and language ``n`` (answers), ``wrong``, ``kinds`` (of each its answers
        ``n``, their ``share`` of all answers, and ``by_chance``, the answers of that kind to be
        expected were the wrong answers drawn at random), ``quarters`` (wrong steps known by
        quarter of the way) and ``against`` the baseline on the same questions (``None`` for
        itself): of each kind ``difference`` (share of the language minus that of the baseline),
        its exact 95% limits, ``p`` of the exact sign test and ``p_holm`` over the section; and of
        ``position``, over questions wrong in both, how often the step is ``earlier`` or ``later``
        than in the baseline. ``None`` if no answer says where it goes wrong.
    """
    found: dict[str, dict[str, list[Record]]] = {}
    for record in records:
        language = str(record.reference.get("language") or UNKNOWN_LANGUAGE)
        by_language = found.setdefault(record.reference["task"], {})
        by_language.setdefault(language, []).append(record)
    if not any("fault" in record.grade.details for record in records):
        return None
    tasks: dict[str, Any] = {}
    for task, languages in found.items():
        english = languages.get(baseline)
        kinds = sorted({_fault(r)["kind"] for of in languages.values() for r in of if _fault(r)})
        tasks[task] = {
            language: _counted(of)
            | {
                "against": None
                if english is None or language == baseline
                else _compared(by_question(english), by_question(of), kinds)
            }
            for language, of in languages.items()
        }
    _adjust(tasks)
    return {"tasks": tasks}


def _fault(record: Record) -> Mapping[str, Any]:
    """Where an answer goes wrong; empty where that is not known."""
    value = record.grade.details.get("fault")
    return value if isinstance(value, Mapping) else {}


def _counted(records: Sequence[Record]) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    chance: Counter[str] = Counter()
    quarters = [0] * _QUARTERS
    for record in records:
        found = _fault(record)
        if not found:
            continue
        kinds[found["kind"]] += 1
        for kind, share in found.get("chance", {}).items():
            chance[kind] += share
        place = _place(found)
        if place is not None:
            quarters[min(int(place * _QUARTERS), _QUARTERS - 1)] += 1
    return {
        "n": len(records),
        "wrong": sum(record.grade.status == "wrong" for record in records),
        "kinds": {
            kind: {
                "n": n,
                "share": n / len(records),
                "by_chance": round(chance[kind], 1) if kind in chance else None,
            }
            for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        },
        "quarters": quarters,
    }


def _place(found: Mapping[str, Any]) -> float | None:
    """How far on the way the first wrong step lies, from 0; ``None`` where it is not known."""
    step, of = found.get("step"), found.get("of")
    return None if step is None or not of else (step - 1) / of


def _compared(
    english: Mapping[Key, Record], other: Mapping[Key, Record], kinds: Iterable[str]
) -> dict[str, Any] | None:
    """The language against the baseline on the questions that both answered."""
    common = [key for key in other if key in english]
    if not common:
        return None
    pairs = [(_fault(english[key]), _fault(other[key])) for key in common]
    told = {}
    for kind in kinds:
        has = np.array([[f.get("kind") == kind for f in pair] for pair in pairs])
        counts = Contrast.of(has[:, 1], has[:, 0])
        low, high = counts.limits
        told[kind] = {"difference": counts.difference, "low": low, "high": high, "p": counts.p}
    places = [(_place(first), _place(second)) for first, second in pairs]
    known = [(a, b) for a, b in places if a is not None and b is not None]
    earlier, later = (sum(b < a for a, b in known), sum(b > a for a, b in known))
    position = {"both": len(known), "earlier": earlier, "later": later,
                "p": sign_test(earlier, later)}  # fmt: skip
    return {"n": len(common), "kinds": told, "position": position}


def _adjust(tasks: Mapping[str, Any]) -> None:
    """Holm over all tests of the section."""
    compared = [
        cell["against"] for languages in tasks.values() for cell in languages.values()
        if cell["against"] is not None
    ]  # fmt: skip
    tests = [test for one in compared for test in (*one["kinds"].values(), one["position"])]
    for test, p in zip(tests, adjusted([test["p"] for test in tests])):
        test["p_holm"], test["claimed"] = p, p is not None and p < CLAIM_LEVEL
