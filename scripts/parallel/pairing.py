"""Which answers belong to the same question, and whether the logs leave any doubt about it.

A gap between two languages means nothing if a question is compared with another one. What cannot
be paired beyond doubt is refused, in one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .answers import Answers

DOC_ID = "doc_id"
TARGET = "target"
NOTHING = "none"

_SHOWN = 3
_FEW = 0.05  # of the correct answers may differ where the data name their questions
_TELLING = 4  # a field with values for every fourth document or more tells documents apart

Key = tuple[str | int, ...]


@dataclass
class Paired:
    """A language beside the baseline.

    Attributes:
        base, other: the two languages.
        pairs: for each common question the number of its document in both.
        by: the fields that pair them, or ``doc_id``.
        notes: what a reader should know, in sentences.
    """

    base: Answers
    other: Answers
    pairs: list[tuple[int, int]]
    by: tuple[str, ...]
    notes: list[str] = field(default_factory=list)

    @cached_property
    def numbers(self) -> dict[str, tuple[int, int]]:
        """The numbers of the documents of each question, by its name in the logs of all models.

        Where its place alone names it, its target stands beside: another benchmark has the same
        places.
        """
        keys = _keys(self.base, self.by)
        if not self.by:
            keys = [(*key, f"{target:x}") for key, target in zip(keys, self.base.targets)]
        return {"/".join(map(str, keys[pair[0]])): pair for pair in self.pairs}


def common_key(languages: Sequence[Answers], *, common: bool) -> tuple[str, ...]:
    """The field that names a question in all languages; empty where no field does.

    Such a field has another value in every document, and the same values in every language.

    Args:
        common: half of the values may be those of one language alone.
    """
    for name in languages[0].fields:
        if not all(name in one.fields for one in languages):
            continue
        first, *others = (set(_keys(one, (name,))) for one in languages)
        if any(len(found) != len(one.doc_ids) for found, one in zip((first, *others), languages)):
            continue
        if all(2 * len(first & o) > len(first | o) if common else first == o for o in others):
            return (name,)
    return ()


def pair(
    base: Answers, other: Answers, by: tuple[str, ...], same: str, *, common: bool = False
) -> Paired:
    """Put the answers of two languages side by side.

    Args:
        by: fields that name a question; the place in the data where there are none.
        same: what must be the same in both languages: ``target``, a field, or ``none``.
        common: leave out questions that one of the two was not asked, instead of refusing.

    Raises:
        ValueError: the questions are not the same, or not in the same order.
    """
    places = [{key: n for n, key in enumerate(_unique(one, by))} for one in (base, other)]
    notes = []
    for of, mine, one, theirs in (
        (base, places[0], other, places[1]),
        (other, places[1], base, places[0]),
    ):
        absent = [of.doc_ids[n] for key, n in mine.items() if key not in theirs]
        if not absent:
            continue
        sentence = f"{len(absent)} of the {len(of.doc_ids)} questions of {of.name} are missing in "
        sentence += f"{one.name} ({_listed(absent)})"
        if not common:
            raise ValueError(
                f"{sentence}: every question must be asked in both languages (--common compares "
                "those that are)"
            )
        notes.append(f"{sentence}: left out.")
    keys = [key for key in places[0] if key in places[1]]
    if not keys:
        raise ValueError(f"{base.name} and {other.name} have no question in common")
    pairs = [(places[0][key], places[1][key]) for key in keys]
    result = Paired(base, other, pairs, by, notes)
    _check_targets(result, same)
    if not by:
        _check_order(result)
    untranslated = sum(base.prompts[a] == other.prompts[b] for a, b in result.pairs)
    if untranslated:
        result.notes.append(
            f"{untranslated} of {len(result.pairs)} prompts of {other.name} are the same text as "
            f"in {base.name}: perhaps they were not translated."
        )
    return result


def _keys(answers: Answers, by: tuple[str, ...]) -> list[Key]:
    if not by:
        return list(zip(answers.subjects, answers.doc_ids))
    return list(zip(answers.subjects, *(answers.fields[name] for name in by)))


def _unique(answers: Answers, by: tuple[str, ...]) -> list[Key]:
    keys = _keys(answers, by)
    often, times = Counter(keys).most_common(1)[0] if keys else ((), 0)
    if times > 1:
        twice = [n for n, key in enumerate(keys) if key == often][:2]
        values = ", ".join(f"{name} {_field(answers, twice[0], name)!r}" for name in by)
        documents = " and ".join(str(answers.doc_ids[n]) for n in twice)
        raise ValueError(
            f"{answers.name}: documents {documents} have the same {values}, which names no "
            "question then: choose other fields with --pair-by"
        )
    return keys


def _check_targets(found: Paired, same: str) -> None:
    """Compare fields that must agree in both languages; drop or reject those that differ.

    Raises:
        ValueError: it differs, so that the questions are not the same.
    """
    if same == NOTHING:
        if not found.by:
            found.notes.append(
                f"That {found.base.name} and {found.other.name} ask the same questions in the same "
                "order was not checked (--same none)."
            )
        return
    for one in (found.base, found.other):
        if same != TARGET and same not in one.fields:
            raise ValueError(f"--same {same}: the documents of {one.name} have no such field")
    values = [
        one.targets if same == TARGET else one.fields[same] for one in (found.base, found.other)
    ]
    differ = [n for n, (a, b) in enumerate(found.pairs) if values[0][a] != values[1][b]]
    if not differ:
        return
    a, b = found.pairs[differ[0]]
    shown = [_field(one, n, same) for one, n in ((found.base, a), (found.other, b))]
    sentence = (
        f"{len(differ)} of {len(found.pairs)} questions have another {same} in {found.other.name} "
        f"than in {found.base.name} (first document {found.base.doc_ids[a]}: {_short(shown[1])} "
        f"and {_short(shown[0])})"
    )
    if found.by and len(differ) <= _FEW * len(found.pairs):
        gone = set(differ)
        found.pairs = [pair for n, pair in enumerate(found.pairs) if n not in gone]
        found.notes.append(f"{sentence}: left out.")
        return
    why = "they are not the same questions"
    if not found.by:
        reordered = Counter(values[0]) == Counter(values[1])
        why = "they are in another order" if reordered else "they are others"
    raise ValueError(
        f"{sentence}: {why} (--pair-by FIELD pairs by a field that names a question, "
        "--same none if correct answers are words of the language)"
    )


def _check_order(found: Paired) -> None:
    """Reject pairing by position if a field shows another order.

    Raises:
        ValueError: a field has the same values in both languages, in another order.
    """
    for name in found.base.fields.keys() & found.other.fields.keys():
        ours = [found.base.fields[name][a] for a, _ in found.pairs]
        theirs = [found.other.fields[name][b] for _, b in found.pairs]
        if ours == theirs or len(set(ours)) * _TELLING < len(ours):
            continue
        if Counter(ours) == Counter(theirs):
            a, b = next(p for p, x, y in zip(found.pairs, ours, theirs) if x != y)
            raise ValueError(
                f"{found.other.name} asks its questions in another order than {found.base.name}: "
                f"{name} of document {found.base.doc_ids[a]} is "
                f"{_short(_field(found.other, b, name))} and {_short(_field(found.base, a, name))} "
                "(--pair-by FIELD pairs by fields that name a question)"
            )


def _field(answers: Answers, number: int, name: str) -> object:
    """The value itself, read again from the log."""
    data = answers.line(number)
    if name == TARGET:
        return data.get(TARGET)
    document = data["doc"]
    return document[name] if isinstance(document, dict) else None


def _listed(doc_ids: Sequence[object]) -> str:
    more = f" and {len(doc_ids) - _SHOWN} more" if len(doc_ids) > _SHOWN else ""
    return f"document {', '.join(map(str, doc_ids[:_SHOWN]))}{more}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
