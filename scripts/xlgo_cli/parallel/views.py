"""What a comparison of languages says: sentences, a table, JSON and questions side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.section import mark, tables
from xlgo_metric.core import SideBySide, SideBySideText
from xlgo_metric.table import Column, Table, interval

from ..display.labels import language
from ..logs.graded_run import shorten
from ..logs.lines import asked, responses_of
from ..report.findings import Told, by_language
from .answers import asked_of, line_of
from .comparing import Compared, ParallelRun

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 2
"""Of ``parallel.json``."""

_MOST_QUESTIONS = 12
_PROMPT = (300, 1500)
_RESPONSE = (400, 1200)


def ordered(gaps: Sequence[Cell]) -> list[Cell]:
    """The language with the largest gap first."""
    return sorted(gaps, key=lambda gap: (-gap.difference, gap.other))


def findings(found: ParallelRun) -> list[Told]:
    """The main results in sentences."""
    return [told for one in found.by_language for told in by_language(one)]


def table(found: Compared) -> Table:
    """A benchmark as a table; accuracies in percent, differences in percentage points."""
    name, right = language(found.baseline).name, found.base["correct"]
    rows: list[tuple[Any, ...]] = [
        (name, len(right), float(right.mean()), *[None] * 8, len(found.lost[found.baseline]))
    ]
    for gap in ordered(found.gaps):
        rows.append(
            (
                language(gap.other).name, gap.n, gap.accuracy, gap.baseline_accuracy,
                gap.difference, mark(gap) or None, gap.ci_low, gap.ci_high, *gap.discordant,
                gap.p_value, len(found.lost[gap.other]),
            )
        )  # fmt: skip
    return Table(
        "parallel",
        found.title,
        (
            Column("Language"),
            Column("Questions", "count"),
            Column("Correct", "share", unit="%"),
            Column(f"In {name}", "share", unit="%"),
            Column("Gap", "difference"),
            Column("Significant", after=" "),
            *interval("95% interval"),
            Column(f"Only {name}", "count"),
            Column("Only this language", "count"),
            Column("p", "p"),
            Column("Failed only here", "count"),
        ),
        tuple(rows),
        f"Gap: {name} minus the language, in percentage points, on the questions that both were "
        "asked. Only: questions answered correctly in only one of the two. ● significant at 5%: 0 "
        "is outside the 95% interval. Intervals and p hold for all comparisons of this page. "
        "? no test, as said above. Failed only here: correct in every other language.",
    )  # fmt: skip


def reading_tables(found: Compared) -> list[Table]:
    """The same answers as every filter of the log reads them, and gaps that depend on it."""
    if found.readings is None:
        return []
    filters = list(found.readings["gaps"][0]["by_reading"])
    return tables(found.readings, filters=filters, of=f"{found.title}: ")


def tables_of(found: Compared) -> list[Table]:
    """All tables of a benchmark."""
    return [table(found), *reading_tables(found)]


def as_json(found: ParallelRun) -> dict[str, object]:
    """Everything in plain JSON types; accuracies and differences are fractions."""
    return {
        "schema": SCHEMA,
        "model": found.run.model,
        "date": found.run.date,
        "findings": [text for _, text in findings(found)],
        "notes": found.notes,
        "benchmarks": [_benchmark_json(one) for one in found.benchmarks],
    }


def _benchmark_json(found: Compared) -> dict[str, object]:
    right = found.base["correct"]
    in_base = _by_question(found, found.baseline)
    return {
        "benchmark": found.title,
        "pattern": found.pattern,
        "signature": found.signature,
        "generation": found.generation,
        "metric": found.choice.metric,
        "filter": found.choice.filter,
        "paired_by": found.by,
        "baseline": {
            "language": found.baseline,
            "n": len(right),
            "right": int(right.sum()),
            "accuracy": float(right.mean()),
        },
        "languages": [gap.as_json() for gap in ordered(found.gaps)],
        "readings": found.readings,
        "lost_alone": {
            code: [
                {"task": row.file.task, "doc_id": row.doc_id}
                for row in in_base.loc[lost["question"]].itertuples()
            ]
            for code, lost in found.lost.items()
        },
    }


def _by_question(found: Compared, code: str) -> pd.DataFrame:
    """The paired answers in a language, by question."""
    return found.rows[found.rows["language"] == code].set_index("question")


def lost_questions(found: Compared) -> list[dict[str, Any]]:
    """For each language some questions that it alone loses, beside the baseline.

    Those that the baseline loses stand beside the first other language.
    """
    views: list[dict[str, Any]] = []
    base, first, *_ = found.answers
    others = {code: _by_question(found, code) for code in (base, first)}
    for code in (*(gap.other for gap in ordered(found.gaps)), found.baseline):
        lost = found.lost[code]
        if lost.empty:
            continue
        shown = lost[:_MOST_QUESTIONS]
        beside = others[first if code == base else base].loc[shown["question"]]
        both = zip(beside.itertuples(), shown.itertuples())
        exhibits = [_side_by_side(pair) for pair in both]
        views.append({"words": language(code), "count": len(lost), "exhibits": exhibits})
    return views


def _side_by_side(rows: Sequence[Any]) -> SideBySide:
    passages = []
    for row in rows:
        data = line_of(row)
        prompt = shorten(asked(asked_of(data)) or str(data["doc"]), *_PROMPT)
        answer = shorten(response(data), *_RESPONSE)
        verdict = "right" if row.correct else "wrong"
        note = f"{verdict}; the right answer is {data.get('target')}"
        name = language(row.language).name
        passages.append(SideBySideText(name, f"{prompt}\n\n→ {answer}", row.language, note))
    title = f"{rows[0].file.task}, document {rows[0].doc_id}"
    return SideBySide(title, tuple(passages))


def response(data: dict[str, Any]) -> str:
    """What the model answered: its text, or the choice that it found most likely."""
    responses = data.get("filtered_resps")
    if isinstance(responses, list) and len(responses) > 1 and isinstance(responses[0], list):
        scores = [float(one[0]) for one in responses]
        best = max(range(len(scores)), key=scores.__getitem__)
        argument = data.get("arguments", {}).get(f"gen_args_{best}", {}).get("arg_1", "")
        return f"choice {best + 1} of {len(scores)}: {str(argument).strip()}"
    return "\n".join(text or "" for text in responses_of(data))
