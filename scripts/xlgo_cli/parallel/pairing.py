"""Which answers belong to the same question, and whether the logs leave any doubt about it.

A gap between two languages means nothing if a question is compared with another one. What cannot
be paired beyond doubt is refused, in one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from xlgo_metric.comparison.frames import key_of
from xlgo_metric.comparison.table import on_common_questions

from ..logs.lines import mapping
from .answers import FIELD, Answers, line_of

if TYPE_CHECKING:
    import pandas as pd

DOC_ID = "doc_id"
TARGET = "target"
NOTHING = "none"

_SHOWN = 3
_FEW = 0.05  # of the correct answers may differ where the data name their questions
_TELLING = 4  # a field with values for every fourth document or more tells documents apart


@dataclass(frozen=True)
class Paired:
    """A language beside the baseline.

    Attributes:
        base, other: the answers in the two languages to the questions that both were asked, in one
            order. ``question`` is the name of each in the logs of all models: where its place alone
            names it, its target stands beside: another benchmark has the same places.
        notes: what a reader should know, in sentences.
    """

    base: pd.DataFrame
    other: pd.DataFrame
    notes: list[str]


def common_key(languages: Sequence[Answers], *, common: bool) -> tuple[str, ...]:
    """The field that names a question in all languages; empty where no field does.

    Such a field has another value in every document, and the same values in every language.

    Args:
        common: half of the values may be those of one language alone.
    """
    for name in languages[0].fields:
        if not all(name in one.frame for one in languages):
            continue
        first, *others = (one.frame.set_index(["subject", name]).index for one in languages)
        if any(index.has_duplicates for index in (first, *others)):
            continue
        shares = [len(first.intersection(o)) / max(len(first.union(o)), 1) for o in others]
        if all(share > 0.5 if common else share == 1 for share in shares):
            return (name.removeprefix(FIELD),)
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
    base, other = (replace(one, frame=_by_question(one, by)) for one in (base, other))
    notes = []
    for of, one in ((base, other), (other, base)):
        absent = list(of.frame.loc[~of.frame.index.isin(one.frame.index), DOC_ID])
        if not absent:
            continue
        sentence = f"{len(absent)} of the {len(of.frame)} questions of {of.name} are missing in "
        sentence += f"{one.name} ({_listed(absent)})"
        if not common:
            raise ValueError(
                f"{sentence}: every question must be asked in both languages (--common compares "
                "those that are)"
            )
        notes.append(f"{sentence}: left out.")
    theirs, mine = on_common_questions([other.frame, base.frame])
    if mine.empty:
        raise ValueError(f"{base.name} and {other.name} have no question in common")
    base, other = replace(base, frame=mine), replace(other, frame=theirs)
    if same == NOTHING:
        agree = np.ones(len(mine), dtype=np.bool_)
        notes += [] if by else [
            f"That {base.name} and {other.name} ask the same questions in the same order was not "
            "checked (--same none)."
        ]  # fmt: skip
    else:
        agree, told = _agreeing(base, other, by, same)
        notes += told
    names = ["/".join(map(str, key)) for key in mine.index]
    if not by:
        _check_order(base, other)
        names = [f"{name}/{target:x}" for name, target in zip(names, mine[TARGET])]
    mine, theirs = (side.assign(question=names)[agree] for side in (mine, theirs))
    alike = mine["prompt"].to_numpy() == theirs["prompt"].to_numpy()
    untranslated = int((alike & (mine["prompt"] != key_of(None)).to_numpy()).sum())
    if untranslated:
        notes.append(
            f"{untranslated} of {len(mine)} prompts of {other.name} are the same text as "
            f"in {base.name}: perhaps they were not translated."
        )
    return Paired(mine, theirs, notes)


def _by_question(answers: Answers, by: tuple[str, ...]) -> pd.DataFrame:
    """The answers by what names their questions.

    Raises:
        ValueError: two have the same name.
    """
    names = ["subject", *(FIELD + name for name in by)] if by else ["subject", DOC_ID]
    found = answers.frame.set_index(names, drop=False).rename_axis([None] * len(names))
    if not found.index.has_duplicates:
        return found
    twice = found.loc[[found.index[found.index.duplicated()][0]]]
    values = ", ".join(f"{name} {_value(twice.iloc[0], name)!r}" for name in by)
    documents = " and ".join(str(doc_id) for doc_id in twice[DOC_ID].iloc[:2])
    raise ValueError(
        f"{answers.name}: documents {documents} have the same {values}, which names no "
        "question then: choose other fields with --pair-by"
    )


def _agreeing(
    base: Answers, other: Answers, by: tuple[str, ...], same: str
) -> tuple[npt.NDArray[np.bool_], list[str]]:
    """Which questions have in both languages what must agree, and how many others there are.

    Raises:
        ValueError: it differs in many, so that the questions are not the same.
    """
    column = TARGET if same == TARGET else FIELD + same
    for one in (base, other):
        if column not in one.frame:
            raise ValueError(f"--same {same}: the documents of {one.name} have no such field")
    ours, theirs = (one.frame[column].to_numpy() for one in (base, other))
    agree = ours == theirs
    count = int((~agree).sum())
    if not count:
        return agree, []
    first, second = (one.frame[~agree].iloc[0] for one in (base, other))
    sentence = (
        f"{count} of {len(agree)} questions have another {same} in {other.name} than in "
        f"{base.name} (first document {first[DOC_ID]}: {_short(second, same)} and "
        f"{_short(first, same)})"
    )
    if by and count <= _FEW * len(agree):
        return agree, [f"{sentence}: left out."]
    why = "they are not the same questions"
    if not by:
        reordered = np.array_equal(np.sort(ours), np.sort(theirs))
        why = "they are in another order" if reordered else "they are others"
    raise ValueError(
        f"{sentence}: {why} (--pair-by FIELD pairs by a field that names a question, "
        "--same none if correct answers are words of the language)"
    )


def _check_order(base: Answers, other: Answers) -> None:
    """Reject pairing by position if a field shows another order.

    Raises:
        ValueError: a field has the same values in both languages, in another order.
    """
    for column in (name for name in base.fields if name in other.frame):
        ours, theirs = (one.frame[column].to_numpy() for one in (base, other))
        tells = len(np.unique(ours)) * _TELLING >= len(ours)
        moved = ours != theirs
        if tells and moved.any() and np.array_equal(np.sort(ours), np.sort(theirs)):
            first, second = (one.frame[moved].iloc[0] for one in (base, other))
            name = column.removeprefix(FIELD)
            raise ValueError(
                f"{other.name} asks its questions in another order than {base.name}: "
                f"{name} of document {first[DOC_ID]} is {_short(second, name)} and "
                f"{_short(first, name)} (--pair-by FIELD pairs by fields that name a question)"
            )


def _value(row: Any, name: str) -> object:
    """The target or the value of a field, read again from the log."""
    line = line_of(row)
    return line.get(TARGET) if name == TARGET else mapping(line.get("doc")).get(name)


def _listed(doc_ids: Sequence[object]) -> str:
    more = f" and {len(doc_ids) - _SHOWN} more" if len(doc_ids) > _SHOWN else ""
    return f"document {', '.join(map(str, doc_ids[:_SHOWN]))}{more}"


def _short(row: Any, name: str) -> str:
    text = repr(_value(row, name))
    return text if len(text) <= 40 else text[:39] + "…"
