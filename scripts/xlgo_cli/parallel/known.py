"""Benchmarks of lm-evaluation-harness that ask the same questions in many languages.

A task's name holds the language, as in ``mgsm_direct_te``; a *pattern* has ``{lang}`` in its place
and may have ``*`` for a subject. What pairs two questions is a field of the document where the
data have one, else its place in the data (``doc_id``). Names, filters and what the harness leaves
out were checked against the task files of lm-evaluation-harness 0.4.9 and 0.4.13; that a key names
one question, and the same ones in all languages, is checked in every log.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from glob import escape

from xlgo_dataset.text.language_codes import code_of

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
    if pattern.count(LANG) > 1:
        raise ValueError(
            f"--parallel {pattern!r}: a pattern of tasks' names has {LANG} once, in the place of "
            "the language, such as 'mgsm_direct_{lang}'"
        )
    benchmark = next((item for item in KNOWN if item.pattern == pattern), Benchmark(pattern))
    if benchmark.refused:
        raise ValueError(f"{pattern}: these tasks cannot be paired: {benchmark.refused}")
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
