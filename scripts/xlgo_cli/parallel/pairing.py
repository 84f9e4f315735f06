"""Benchmarks that ask the same questions in many languages: which answers are to one question.

A task's name holds the language, as in ``mgsm_direct_te``; a *pattern* has ``{lang}`` in its place
and may have ``*`` for a subject. What pairs two questions is a field of the document where the
data have one, else its place in the data (``doc_id``). Names, filters and what the harness leaves
out were checked against the task files of lm-evaluation-harness 0.4.9 and 0.4.13; that a key names
one question, and the same ones in all languages, is checked in every log: a gap between two
languages means nothing if a question is compared with another one. What cannot be paired beyond
doubt is refused, in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from xlgo_dataset.text.languages import code_of
from xlgo_metric.comparison.frames import key_of
from xlgo_metric.comparison.table import on_common_questions
from xlgo_metric.core import refuse

from ..logs.lines import Doc, mapping
from .answers import FIELD, LANGUAGE, MOST_LANGUAGES, QUESTION, Log, Parts, fields_of, line_at

LANG = "{lang}"

_CODE = "[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})??"


@dataclass(frozen=True)
class Benchmark:
    """What is known about the tasks that fit a pattern.

    Attributes:
        pattern: names of tasks, with ``{lang}`` for the language and perhaps ``*`` for a subject.
        key: fields of a document that together name a question in every language; the document's
            place in the data (``doc_id``) if there are none.
        filter: of several filters the one whose answers count; the first where it is empty.
        shared: the field that questions about one text have in common, if there is one.
        refused: why the tasks cannot be paired; empty if they can.
    """

    pattern: str
    key: tuple[str, ...] = ()
    filter: str = ""
    shared: str = ""
    refused: str = ""

    @property
    def title(self) -> str:
        """The pattern without what changes in it, such as ``mgsm_direct``."""
        words = self.pattern.replace(LANG, "").replace("*", "").strip("/").split("_")
        return "_".join(filter(None, words)) or "all tasks"


KNOWN = (
    Benchmark("mgsm_direct_{lang}", filter="flexible-extract"),
    Benchmark("mgsm_native_cot_{lang}", filter="flexible-extract"),
    Benchmark("mgsm_en_cot_{lang}", filter="flexible-extract"),
    # Subjects are filtered out of one file, so that a place in the data is one among a subject.
    Benchmark("global_mmlu_full_{lang}_*", key=("sample_id",)),
    Benchmark("global_mmlu_{lang}_*", key=("sample_id",)),
    Benchmark("mmlu_prox_lite_{lang}_*", key=("question_id",)),
    Benchmark("mmlu_prox_{lang}_*", key=("question_id",)),
    # The rows stand in another order in every language.
    Benchmark("belebele_{lang}", key=("link", "question_number"), shared="link"),
    Benchmark("xcopa_{lang}", key=("idx",)),
    Benchmark("xstorycloze_{lang}", key=("story_id",)),
    Benchmark("xnli_{lang}", shared="premise"),
    # The harness leaves out pairs with an empty sentence, others in every language.
    Benchmark("paws_{lang}", key=("id",)),
    Benchmark(
        "xwinograd_{lang}", refused="its languages have different questions, in different numbers"
    ),
    Benchmark(
        "global_piqa_nonparallel_cloze_{lang}",
        refused="its questions were written separately in every language",
    ),
    Benchmark(
        "global_piqa_nonparallel_generation_{lang}",
        refused="its questions were written separately in every language",
    ),
    Benchmark("include_base_44_{lang}", refused="its questions are from each country's own exams"),
    Benchmark(
        "multiblimp_{lang}", refused="its sentence pairs were made separately in every language"
    ),
)
"""More specific patterns come first; "refused" ones are not parallel benchmarks."""


def benchmark_of(pattern: str) -> Benchmark:
    """What is known about a pattern; a benchmark paired by ``doc_id`` or a field if nothing is.

    Without ``{lang}`` a field of the questions names the language (``by_field``).

    Raises:
        ValueError: several ``{lang}`` in the pattern, or the tasks are known not to be parallel.
    """
    benchmark = next((item for item in KNOWN if item.pattern == pattern), Benchmark(pattern))
    refuse(
        "",
        (
            pattern.count(LANG) > 1,
            f"--parallel {pattern!r}: a pattern of tasks' names has {LANG} once, in the place of "
            "the language, such as 'mgsm_direct_{lang}'",
        ),
        (benchmark.refused, f"{pattern}: these tasks cannot be paired: {benchmark.refused}"),
    )
    return benchmark


def of_tables(tasks: Iterable[str]) -> list[Benchmark]:
    """The tasks of a table; subjects, which stand behind ``/``, count together."""
    names = dict.fromkeys(task.partition("/")[::2] for task in tasks)
    parts = {name: bool(subject) for name, subject in names}
    return [
        Benchmark(escape(name) + "/*" * has_subjects, shared="cluster")
        for name, has_subjects in parts.items()
    ]


def matches(
    pattern: str, names: Iterable[str], languages: Sequence[str] = ()
) -> dict[str, dict[str, str]]:
    """The tasks that fit a pattern.

    Args:
        names: of tasks.
        languages: the only codes that may stand for ``{lang}``; any code of a language (two or
            three letters, perhaps with a script or region) if there are none.

    Returns:
        For each language, in the order of their codes, the task of each subject (what stands for
        ``*``; empty without one).
    """
    code = "|".join(map(re.escape, sorted(languages, key=len, reverse=True))) or _CODE
    parts = (re.escape(part).replace(r"\*", "(.+)") for part in pattern.split(LANG))
    shape = re.compile(f"(?P<lang>{code})".join(parts))
    names_by_language: dict[str, dict[str, str]] = {}
    for name in names:
        match = shape.fullmatch(name)
        if match:
            group = shape.groupindex["lang"] - 1
            subject = " ".join(t for n, t in enumerate(match.groups()) if n != group)
            names_by_language.setdefault(match["lang"], {})[subject] = name
    return dict(sorted(names_by_language.items()))


def baseline_in(languages: Collection[str], baseline: str | None) -> str:
    """The language that others are compared with, as the log calls it.

    Raises:
        ValueError: it is not among them, or none is given and none of them is English.
    """
    for code in sorted(languages, key=lambda code: code != (baseline or "en")):
        if code == baseline or code_of(code) == code_of(baseline or "en"):
            return code
    names = ", ".join(languages)
    if baseline is not None:
        raise ValueError(f"--baseline {baseline}: not among the languages: {names}")
    raise ValueError(f"English is not among the languages ({names}): give --baseline")


def codes_of(languages: Collection[str]) -> dict[str, str]:
    """The code that xlgo has for each language; the log's where two have the same, or none has."""
    codes = {name: code_of(name) for name in languages}
    return {n: c if [*codes.values()].count(c) == 1 else n for n, c in codes.items()}


DOC_ID = "doc_id"
TARGET = "target"
NOTHING = "none"

_SHOWN = 3
_FEW = 0.05  # of the correct answers may differ where the data name their questions
_TELLING = 4  # a field with values for every fourth document or more tells documents apart


class Paired(NamedTuple):
    """A language beside the baseline.

    Attributes:
        base, other: the first answers in the two languages to the questions that both were asked,
            in one order. ``question`` is the name of each in the logs of all models: where its
            place alone names it, its target stands beside: another benchmark has the same places.
        more: the further answers of both to these questions.
        notes: what a reader should know, in sentences.
    """

    base: pd.DataFrame
    other: pd.DataFrame
    more: pd.DataFrame
    notes: list[str]


def task_label(frame: pd.DataFrame) -> str:
    """The task of the answers in a language, or the first of several and how many there are."""
    file, subjects = frame["file"].iloc[0], frame["subject"].nunique()
    suffix = f" in {frame['language'].iloc[0]}" if file.tool else ""
    return f"{file.task}{suffix}" + (f" (and {subjects - 1} more)" if subjects > 1 else "")


def common_key(languages: Sequence[pd.DataFrame], *, common: bool) -> tuple[str, ...]:
    """The field that names a question in all languages; empty where no field does.

    Such a field has another value in every document, and the same values in every language.

    Args:
        common: half of the values may be those of one language alone.
    """
    names = [name for name in fields_of(languages[0]) if all(name in one for one in languages)]
    for name in sorted(names, key=lambda name: name != FIELD + QUESTION):
        first, *indexes = (
            frame[frame["repeat"] == 0].set_index(["subject", name]).index for frame in languages
        )
        if any(index.has_duplicates for index in (first, *indexes)):
            continue
        shares = [len(first.intersection(o)) / max(len(first.union(o)), 1) for o in indexes]
        if all(share > 0.5 if common else share == 1 for share in shares):
            return (name.removeprefix(FIELD),)
    return ()


def pair(
    base: pd.DataFrame, other: pd.DataFrame, by: Sequence[str], same: str, *, common: bool = False
) -> Paired:
    """Put the answers of two languages side by side.

    Args:
        base, other: frames of ``answers_of``.
        by: fields that name a question; the place in the data where there are none.
        same: what must be the same in both languages: ``target``, a field, or ``none``.
        common: leave out questions that one of the two was not asked, instead of refusing.

    Raises:
        ValueError: the questions are not the same, or not in the same order.
    """
    called, notes, frames = (task_label(base), task_label(other)), [], (base, other)
    base, other = (_by_question(frame[frame["repeat"] == 0], by) for frame in frames)
    for of, one, names in ((base, other, called), (other, base, called[::-1])):
        absent = list(of.loc[~of.index.isin(one.index), DOC_ID])
        if not absent:
            continue
        sentence = f"{len(absent)} of the {len(of)} questions of {names[0]} are missing in "
        sentence += f"{names[1]} ({_listed(absent)})"
        if not common:
            raise ValueError(
                f"{sentence}: every question must be asked in both languages (--common compares "
                "those that are)"
            )
        notes.append(f"{sentence}: left out.")
    other, base = on_common_questions([other, base])
    if base.empty:
        raise ValueError(f"{called[0]} and {called[1]} have no question in common")
    agree = np.ones(len(base), dtype=np.bool_)
    if same != NOTHING:
        agree, more = _agreeing(base, other, by, same)
        notes += more
    elif not by:
        notes.append(
            f"That {called[0]} and {called[1]} ask the same questions in the same order was not "
            "checked (--same none)."
        )
    question = base.index.map(lambda key: "/".join(map(str, key)))
    if not by:
        _check_order(base, other)
        question = [f"{name}/{target:x}" for name, target in zip(question, base[TARGET])]
    base, other = (side.assign(question=question)[agree] for side in (base, other))
    alike = base["prompt"].to_numpy() == other["prompt"].to_numpy()
    untranslated = int((alike & (base["prompt"] != key_of(None)).to_numpy()).sum())
    if untranslated:
        notes.append(
            f"{untranslated} of {len(base)} prompts of {called[1]} are the same text as "
            f"in {called[0]}: perhaps they were not translated."
        )
    place = ["subject", DOC_ID]
    further = (
        frame[frame["repeat"] > 0].merge(side[[*place, "question"]], on=place)
        for frame, side in zip(frames, (base, other))
    )
    return Paired(base, other, pd.concat(further), notes)


def _by_question(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The answers by what names their questions.

    Raises:
        ValueError: a field is missing, or two questions have the same name.
    """
    columns = [FIELD + name for name in by]
    if lacking := [name for name, column in zip(by, columns) if column not in frame]:
        names_of_fields = "".join(f", {name.removeprefix(FIELD)}" for name in fields_of(frame))
        raise ValueError(
            f"{task_label(frame)}: the documents have no field {lacking[0]!r}: choose with "
            f"--pair-by among doc_id{names_of_fields}"
        )
    names = ["subject", *columns] if by else ["subject", DOC_ID]
    indexed = frame.set_index(names, drop=False).rename_axis([None] * len(names))
    if not (double := indexed.index.duplicated()).any():
        return indexed
    twice = indexed.loc[[indexed.index[double][0]]]
    values = ", ".join(f"{name} {_value(twice.iloc[0], name)!r}" for name in by)
    documents = " and ".join(str(doc_id) for doc_id in twice[DOC_ID].iloc[:2])
    raise ValueError(
        f"{task_label(frame)}: documents {documents} have the same {values}, which names no "
        "question then: choose other fields with --pair-by"
    )


def _agreeing(
    base: pd.DataFrame, other: pd.DataFrame, by: Sequence[str], same: str
) -> tuple[npt.NDArray[np.bool_], list[str]]:
    """Which questions have in both languages what must agree, and how many others there are.

    Raises:
        ValueError: it differs in many, so that the questions are not the same.
    """
    column = TARGET if same == TARGET else FIELD + same
    for frame in (base, other):
        if column not in frame:
            raise ValueError(
                f"--same {same}: the documents of {task_label(frame)} have no such field"
            )
    ours, theirs = (frame[column].to_numpy() for frame in (base, other))
    agree = ours == theirs
    count = int((~agree).sum())
    if not count:
        return agree, []
    first, second = (frame[~agree].iloc[0] for frame in (base, other))
    sentence = (
        f"{count} of {len(agree)} questions have another {same} in {task_label(other)} than in "
        f"{task_label(base)} (first document {first[DOC_ID]}: {_short(second, same)} and "
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


def _check_order(base: pd.DataFrame, other: pd.DataFrame) -> None:
    """Reject pairing by position if a field shows another order.

    Raises:
        ValueError: a field has the same values in both languages, in another order.
    """
    for column in (name for name in fields_of(base) if name in other):
        ours, theirs = (frame[column].to_numpy() for frame in (base, other))
        moved = ours != theirs
        if not moved.any() or not np.array_equal(np.sort(ours), np.sort(theirs)):
            continue
        if len(np.unique(ours)) * _TELLING >= len(ours):
            first, second = (frame[moved].iloc[0] for frame in (base, other))
            name = column.removeprefix(FIELD)
            raise ValueError(
                f"{task_label(other)} asks its questions in another order than {task_label(base)}: "
                f"{name} of document {first[DOC_ID]} is {_short(second, name)} and "
                f"{_short(first, name)} (--pair-by FIELD pairs by fields that name a question)"
            )


def _value(row: Any, name: str) -> object:
    """The target or the value of a field, read again from the log."""
    line = line_at(row.file, row.place)
    return line.get(TARGET) if name == TARGET else mapping(line.get("doc")).get(name)


def _listed(doc_ids: Sequence[object]) -> str:
    more = f" and {len(doc_ids) - _SHOWN} more" if len(doc_ids) > _SHOWN else ""
    return f"document {', '.join(map(str, doc_ids[:_SHOWN]))}{more}"


def _short(row: Any, name: str) -> str:
    text = repr(_value(row, name))
    return text if len(text) <= 40 else text[:39] + "…"


_NAMES = (LANGUAGE, "lang", "language_code", "lang_code", "locale", "target_language", "subset")


def parts_by(
    logs: Mapping[str, Log], field: str | None, languages: Collection[str]
) -> tuple[str, Parts]:
    """The field that names the language, and the logs of each language by task.

    lm-evaluation-harness has a task for each language; other tools log that of each sample.

    Args:
        logs: by task.
        field: that names the language; found by itself if ``None``.
        languages: the only languages that count; all if there are none.

    Raises:
        ValueError: no field names languages, or it names fewer than two, or too many.
    """
    names = dict.fromkeys(name for log in logs.values() for name in log.texts)
    texts = {n: {t for log in logs.values() for t in log.texts.get(n, {}).values()} for n in names}
    usable = {
        name: values
        for name, values in texts.items()
        if all(name in log.texts and log.languages(name).notna().all() for log in logs.values())
    }
    field = field or _language_field(usable)
    if len(texts.get(field, ())) > MOST_LANGUAGES:
        raise ValueError(
            f"the field {field!r} names more than {MOST_LANGUAGES} languages: choose another with "
            "--language-by"
        )
    counted = sorted(text for text in texts.get(field, ()) if not languages or text in languages)
    parts = {
        language: {
            task if len(logs) > 1 else "": log
            for task, log in logs.items()
            if language in log.texts.get(field, {}).values()
        }
        for language in counted
    }
    if len(parts) < 2:
        alternatives = ", ".join(name for name in usable if name != field)
        choose = f": choose another with --language-by among {alternatives}" if alternatives else ""
        raise ValueError(
            f"the field {field!r} names fewer than two languages ({', '.join(parts) or 'none'}), "
            f"and a gap is between two{choose}"
        )
    return field, parts


def _language_field(usable: Mapping[str, Collection[str]]) -> str:
    """The field that names the language.

    Raises:
        ValueError: none does.
    """
    usual = [name for name in _NAMES if len(usable.get(name, ())) > 1]
    coded = [
        name
        for name, values in usable.items()
        if len(values) > 1
        and all(re.fullmatch(_CODE, value) for value in values)
        and any(code_of(value) == "en" for value in values)
    ]
    if fields := [*usual, *coded]:
        return fields[0]
    raise ValueError(
        "no field of the questions names their language: give --language-by FIELD, among "
        f"{', '.join(usable) or 'none'}, or a pattern with {{lang}} where each language is a task"
    )


SUBJECT = "subject"
_TEXTS = (
    "premise", "passage", "flores_passage", "context", "paragraph", "article", "document", "story",
    "link", "passage_id", "context_id", "document_id", "title", "template",
)  # fmt: skip
"""Names of fields that questions about one text share, the narrower ones first."""

_NO_CLUSTER = re.compile(
    r"(.*_)?(gold|answers?|label|target|solution|options?|choices?|models?|dates?|year|splits?"
    r"|languages?|lang|sub(ject)?s?|subject_category|categor(y|ies)|difficulty|levels?|grade"
    r"|type|task|topic|domain|knowledge|source|license|version)(_.*)?",
    re.IGNORECASE,
)
_LONG = 40
"""Characters of a value from which a field holds a text, however few texts there are."""

_MANY = 20
"""Values from which a field is no category, whatever its name."""


def cluster_field(
    paired: Sequence[Paired], document: Doc, field: str | None, usual: str, by: Collection[str]
) -> str:
    """What names the clusters of a benchmark: a field, ``subject`` (the task's), or ``none``.

    Questions about one text are not independent of each other, and a test that takes each by itself
    finds too much (13 to 41% of data without a gap where 5% were meant). A field is a cluster where
    its values repeat over questions in the same way in every language. Never clusters are answers,
    options, models, dates and splits; subjects, categories and levels are strata, in which
    questions are independent.

    Args:
        paired: every language beside the baseline.
        document: the fields of a question in the baseline.
        field: that was asked for; ``none`` for no clusters; found if ``None``.
        usual: the field that is known of the benchmark, or an empty string.
        by: the fields that name a question.

    Raises:
        ValueError: the documents have no field of that name.
    """
    if field is not None and field not in (NOTHING, SUBJECT, *document):
        raise ValueError(
            f"--cluster-by {field}: the documents of {paired[0].base['file'].iloc[0].task} have no "
            f"such field: choose among none, subject, {', '.join(document) or 'no fields'}"
        )
    if field is not None:
        return field
    frames = [paired[0].base, *(pair.other for pair in paired)]
    names = [name.removeprefix(FIELD) for name in fields_of(frames[0])]
    fields = [
        name
        for name in dict.fromkeys((usual, *_TEXTS, *(n for n in names if n not in by)))
        if all(FIELD + name in frame for frame in frames) and not _NO_CLUSTER.fullmatch(name)
    ]
    alike = [n for n in fields if all(_repeats_alike(pair, FIELD + n) for pair in paired)]
    sizes = {
        name: size
        for name in alike
        if (size := int(paired[0].base[FIELD + name].nunique())) >= _MANY
        or name in _TEXTS
        or len(str(document.get(name, ""))) > _LONG
    }
    likely = [name for name in sizes if name in _TEXTS or name == fields[0]]
    return next(iter(likely or sorted(sizes, key=lambda name: -sizes[name])), NOTHING)


def _repeats_alike(pair: Paired, column: str) -> bool:
    """Whether a field groups the questions in the same way in both languages.

    A field that follows from the correct answer is another form of it, and no cluster.
    """
    codes, target = pair.base[column].factorize()[0], pair.base[TARGET].factorize()[0]
    if not 1 < codes.max() + 1 < len(codes):
        return False
    follows = len(set(zip(target.tolist(), codes.tolist()))) == target.max() + 1 < len(codes)
    alike: bool = (codes == pair.other[column].factorize()[0]).all()
    return alike and not follows


def clusters_note(title: str, by: str, clusters: int, n: int) -> str:
    """What was used, in sentences."""
    if by == NOTHING:
        return (
            f"{title}: each question by itself: no field of the documents groups them alike in "
            "every language (--cluster-by FIELD takes questions together)."
        )
    return (
        f"{title}: questions of one {by} are not independent ({clusters} clusters of {n} "
        f"questions): the test exchanges whole clusters. Where a whole {by} fails in one language "
        "only, up to 11% of tests without a gap find one, not 5%. --cluster-by names another "
        "field, or none."
    )
