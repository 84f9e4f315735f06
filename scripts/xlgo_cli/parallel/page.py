"""The page of a comparison of languages, in the look of the report of the puzzles."""

from __future__ import annotations

from ..display.formats import count, fact, render, sortable
from ..display.labels import language
from ..report.gap_marks import anchor
from ..report.heat import family_heats
from . import views
from .comparing import Compared, ParallelRun

_TERMS = (
    (
        "Gap",
        "Accuracy in the baseline minus accuracy in the language, in percentage points, on the "
        "questions that both were asked. Negative: the language is ahead.",
    ),
    (
        "Only this language, only the baseline",
        "Questions that the model answers correctly in only one of the two languages. Questions "
        "that are correct in both, or in neither, are no evidence of a gap.",
    ),
    (
        "p, ● and the 95% interval",
        "One procedure makes all three, so that ● stands exactly where the interval leaves out 0. "
        "The signs of the differences of whole clusters of questions are exchanged, for all "
        "comparisons of this page at once; the other limits weigh clusters at random. All "
        "intervals of the page hold together.",
    ),
    (
        "Failed only here",
        "Questions that are correct in every other language and incorrect in this one: the "
        "first to read. The language, its translation or the way the harness reads answers "
        "may be the cause.",
    ),
    (
        "What this cannot show",
        "Whether a translation is as hard as its original. These questions were written once and "
        "translated, with all that a translation adds or loses, and some have been public for "
        "years.",
    ),
)


def page(found: ParallelRun) -> str:
    """The HTML page."""
    heats = [heat for one in found.by_language for heat in family_heats(one)]
    benchmarks = [_benchmark(one) for one in found.benchmarks]
    contents = [("gaps", "Gaps" if heats else "Findings"), ("tasks", "Benchmarks")]
    contents += [("words", "Definitions"), ("source", "Method")]
    files = sorted(str(file.path) for one in found.benchmarks for file in one.files)
    return render(
        "parallel.html",
        title=f"{found.run.model}: gaps between languages",
        model=found.run.model,
        baseline=" and ".join(language(one["baseline"]).name for one in found.by_language),
        contents=contents,
        facts=_facts(found),
        findings=views.findings(found),
        heats=heats,
        warnings=found.notes,
        benchmarks=benchmarks,
        terms=_TERMS,
        files=files,
    )


def _facts(found: ParallelRun) -> list[tuple[str, str]]:
    parts = [one.answers for one in found.benchmarks]
    total = sum(len(answers.frame) for part in parts for answers in part.values())
    languages = {code for part in parts for code in part}
    return [
        (count(total), "answers"),
        fact(len(languages), "language"),
        fact(len(parts), "benchmark"),
        (found.run.date.partition("T")[0], "date of the run"),
    ]


def _benchmark(found: Compared) -> dict[str, object]:
    name = language(found.baseline).name
    gaps = views.ordered(found.gaps)
    return {
        "id": anchor(found.title),
        "title": found.title,
        "baseline": name,
        "caption": f"Paired by {found.by}; {found.choice.metric} of the filter "
        f"{found.choice.filter}.",
        "table": sortable(
            views.table(found),
            words=[language(found.baseline), *(language(gap.other) for gap in gaps)],
        ),
        "readings": [sortable(one) for one in views.reading_tables(found)],
        "lost": views.lost_questions(found),
        "signature": found.signature,
        "generation": found.generation,
    }
