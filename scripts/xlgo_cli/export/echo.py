"""``xlgo verify FOLDER --family NAME``: another team's data and our grading of them, both proved.

Every reference answer of the folder is graded as a response. By our own rules each must be right.
The published rules of a family refuse some reference answers; those must be the known ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import xlgo_dataset as xd
from xlgo_metric.family import family as grading_family

from .. import workers

_SHOWN = 20
_KNOWN = "known to be refused"
_UNKNOWN = "refused, of which nothing is known beforehand"
_WRONG = "NOT AS IT SHOULD BE"


def check_source(folder: Path, name: str) -> int:
    """Grade all reference answers and print the rejected ones; 0 if as expected, else 1.

    Raises:
        ValueError: an unknown family, or a folder that does not hold its data.
    """
    data = xd.family(name)
    published = grading_family(name).published
    if data.gold_answers is None or published is None:
        raise ValueError(f"{name} has no check of a local copy of its data")
    # A whole copy has some thousand answers: they fit into memory.
    answers = list(data.gold_answers(folder))
    counts = Counter(answer.part for answer in answers)
    names: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    work = ((answer.part, (name, answer)) for answer in answers)
    for part, verdicts in workers.in_order(_verdicts, work, workers.available_processors()):
        for mode, kind, where in verdicts:
            names[mode, kind, part].append(where)
    revisions = {str(answer.reference.get("revision", "unknown")) for answer in answers}
    counted = ", ".join(f"{count:,} {part}" for part, count in counts.items())
    print(f"{folder}: {counted} (revision {', '.join(sorted(revisions))})")
    for mode in published.modes:
        print("\n".join(_lines(mode, names)))
    return int(any(kind == _WRONG for _, kind, _ in names))


def _verdicts(work: tuple[str, xd.GoldAnswer]) -> list[tuple[str, str, str]]:
    """The modes by which a reference answer is refused, or wrongly accepted: mode, kind, name."""
    name, answer = work
    grading, verdicts = grading_family(name), []
    published = grading.published
    assert published is not None
    is_known = published.rejects_gold(answer.part, answer.name, answer.reference)
    for place, mode in enumerate(published.modes):
        correct = grading.grade(answer.response, {**answer.reference, "mode": mode}).correct
        expected = is_known if place else False  # the first mode is ours
        if expected is not None and expected == correct:
            said = "accepted" if correct else "refused"
            verdicts.append((mode, _WRONG, f"{answer.name} ({said})"))
        elif not correct:
            verdicts.append((mode, _KNOWN if expected else _UNKNOWN, answer.name))
    return verdicts


def _lines(mode: str, names: dict[tuple[str, str, str], list[str]]) -> Iterator[str]:
    by_kind = {key[1:]: refused for key, refused in names.items() if key[0] == mode}
    if not by_kind:
        yield f"mode {mode}: every reference answer is right"
        return
    count = sum(len(refused) for (kind, _), refused in by_kind.items() if kind == _KNOWN)
    yield f"mode {mode}: refuses {count:,} reference answers that are known to be refused"
    for (kind, part), refused in sorted(by_kind.items()):
        more = f" and {len(refused) - _SHOWN} more" if len(refused) > _SHOWN else ""
        prefix = "" if kind == _KNOWN else f"{kind}, "
        yield f"  {prefix}{part} ({len(refused)}): {'; '.join(refused[:_SHOWN])}{more}"
