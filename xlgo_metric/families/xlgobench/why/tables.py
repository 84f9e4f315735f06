"""Tables for people of gaps decomposed, in percentage points."""

from __future__ import annotations

from xlgo_metric.families.xlgobench.section import Asked, Effect, Why, WhySection, XlgoSection
from xlgo_metric.table import Column, Table, interval

_WHERE = (Column("task"), Column("language"))
_EFFECT = (
    Column("points", "difference"),
    *interval("95% interval"),
    Column("p", "p"),
    Column("p (Holm)", "p"),
    Column("claimed"),
)


def tables(section: XlgoSection) -> list[Table]:
    """``conditions``, ``causes`` and ``contrasts``; none without answers under conditions."""
    found = section.get("why")
    return [] if found is None else [_conditions(found), _causes(found), _contrasts(found)]


def _conditions(found: WhySection) -> Table:
    rows = tuple(
        (task, language, name, one["n"], one["correct"], one["accuracy"], one["parsed"],
         *_as_asked(one))
        for task, languages in found["asked"].items()
        for language, conditions in languages.items()
        for name, one in conditions.items()
    )  # fmt: skip
    return Table(
        "conditions",
        "Correct answers under each condition",
        (
            *_WHERE,
            Column("condition"),
            Column("answers", "count"),
            Column("right", "count"),
            Column("accuracy", "share", unit="%"),
            Column("parsed", "share", unit="%"),
            Column("reasoning as asked", "share", unit="%"),
            Column("reasoning as asked, of", "count", after=" of "),
        ),
        rows,
        "Over all levels. Reasoning: of the answers whose language can be told, those in the "
        "language that the prompt asked for. Only plain answers make the other tables.",
    )


def _as_asked(one: Asked) -> tuple[float | None, int | None]:
    known = one.get("told")
    return (one["as_asked"] / known, known) if known else (None, None)


def _causes(found: WhySection) -> Table:
    rows = []
    for task, language, entry in _entries(found):
        overall = _effect(entry["gap"])
        rows.append((task, language, "the whole gap", *overall, None, None, entry["n"]))
        steps = {step["cause"] for step in entry["steps"]}
        for name, one in entry["causes"].items():
            kind = "step" if name in steps else "alone"
            within = ", ".join(one.get("taken_out") or one.get("within") or ())
            remark = f"without {within}" if one.get("taken_out") else within and f"part of {within}"
            rows.append((task, language, name, *_effect(one), kind, remark, entry["n"]))
    return Table(
        "causes",
        "Where the gaps come from (points)",
        (
            *_WHERE,
            Column("cause"),
            *_EFFECT,
            Column("kind"),
            Column("overlap"),
            Column("questions", "count"),
        ),
        tuple(rows),
        "Positive: the language is behind for it. Steps sum to the gap; what stands alone is a "
        "part of others, as said, and adds to nothing. Claimed: Holm's p over all tests of this "
        "table and of the contrasts is below .05.",
    )


def _contrasts(found: WhySection) -> Table:
    rows = tuple(
        (task, language, name, one["against"], entry["accuracy"][name],
         entry["accuracy"][one["against"]], *_effect(one))
        for task, language, entry in _entries(found)
        for name, one in entry["contrasts"].items()
    )  # fmt: skip
    return Table(
        "contrasts",
        "Each condition against the plain questions (points)",
        (
            *_WHERE,
            Column("condition"),
            Column("against"),
            Column("accuracy", "share", unit="%"),
            Column("of that", "share", unit="%"),
            *_EFFECT,
        ),
        rows,
        "On the same questions, at informative levels; positive where the condition is better. "
        "Sign test and interval are exact.",
    )


def _entries(found: WhySection) -> list[tuple[str, str, Why]]:
    return [
        (task, language, entry)
        for task, languages in found["tasks"].items()
        for language, entry in languages.items()
    ]


def _effect(one: Effect) -> tuple[object, ...]:
    return one["estimate"], one["low"], one["high"], one["p"], one["p_holm"], one["claimed"]
