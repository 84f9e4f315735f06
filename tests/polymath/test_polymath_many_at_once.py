"""Two models, two controls, three languages and unequal repeats: every printed figure counted."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from statistics import fmean, pstdev, stdev
from typing import Any

import pytest
from scipy.stats import pearsonr

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.polymath.summary import summarize
from xlgo_metric.families.polymath.tables import findings, tables

LEVELS = {"low": (1, 7), "medium": (2, 6), "high": (4, 5), "top": (8, 5)}
"""Weight in DW-ACC, and questions."""
CHANCES = {"en": 0.8, "zh": 0.65, "te": 0.35}
RUNS = (("m1", "none"), ("m1", "english"), ("m2", "none"))
STATUSES: Any = ("wrong", "no_answer", "bad_format", "truncated")


@cache
def records() -> tuple[Record, ...]:
    """Two to four answers to a question; Telugu of the second model lacks a level."""
    rng = random.Random(23)
    made = []
    for place, (model, control) in enumerate(RUNS):
        for code, chance in CHANCES.items():
            for level, (weight, n) in LEVELS.items():
                if (model, code, level) == ("m2", "te", "high"):
                    continue
                for index in range(n):
                    for _ in range(2 + (index + place) % 3):
                        right = rng.random() < chance - weight / 20 - place / 10
                        status: Any = "correct" if right else rng.choice(STATUSES)
                        details = {
                            "lc_thinking": None if rng.random() < 0.2 else rng.random() < 0.4,
                            "lc_answer": rng.random() < 0.7,
                            "english_thinking": rng.random() < 0.5,
                            "english_answer": rng.random() < 0.2,
                            "thinking_length": rng.choice([0, 50, 120]),
                            "answer_length": rng.randrange(5, 40),
                        }
                        reference = {
                            "family": "polymath", "task": "polymath", "language": code,
                            "level": level, "index": index, "model": model, "control": control,
                        }  # fmt: skip
                        made.append(Record(Grade(right, status, True, None, details), reference))
    return tuple(made)


@cache
def section() -> Any:
    return summarize(list(records()))


def of(**names: Any) -> list[Record]:
    return [
        one for one in records() if all(one.reference[name] == x for name, x in names.items())
    ]  # fmt: skip


def mean(values: Iterable[int | bool]) -> Fraction:
    each = [Fraction(int(value)) for value in values]
    return sum(each, Fraction(0)) / len(each)


def test_every_row_of_the_section() -> None:
    rows = section()["measured"]
    assert len(rows) == 3 * 3 * 4 - 1
    for row in rows:
        own = of(**{name: row[name] for name in ("model", "control", "level", "language")})
        assert (row["n"], row["correct"]) == (len(own), sum(one.grade.correct for one in own))
        assert row["unread"] == sum(one.grade.status not in ("correct", "wrong") for one in own)
        assert row["score"] == pytest.approx(float(mean(one.grade.correct for one in own)))
        for name in ("lc_thinking", "lc_answer", "english_thinking", "english_answer"):
            known = [x for one in own if (x := one.grade.details[name]) is not None]
            assert row[name] == pytest.approx(float(mean(known)))
        lengths = [
            one.grade.details["thinking_length"] or one.grade.details["answer_length"]
            for one in own
        ]
        assert row["length"] == pytest.approx(fmean(lengths))
        by_question: dict[int, list[bool]] = defaultdict(list)
        for one in own:
            by_question[one.reference["index"]].append(one.grade.correct)
        fewest, most = (f(map(len, by_question.values())) for f in (min, max))
        assert (row["questions"], row["repeats"], row["most"]) == (len(by_question), fewest, most)
        runs = [sum(values[k] for values in by_question.values()) for k in range(fewest)]
        rounded = int(Fraction(sum(runs), fewest) + Fraction(1, 2))
        assert row["average_at_k"] == pytest.approx(rounded / len(by_question))
        assert row["sd"] == pytest.approx(stdev(runs) / len(by_question))
    warnings = section()["warnings"]
    assert any("125 questions" in warning for warning in warnings)
    assert "no DW-ACC for languages without answers on all four levels" in warnings
    assert "te, low: questions have between 2 and 4 responses" in warnings


def test_every_table_is_that_of_its_rows() -> None:
    found = {table.name: table for table in tables(section())}
    heads = {
        ("m1", "none"): "m1 no language control",
        ("m1", "english"): "m1 + forcing English",
        ("m2", "none"): "m2 no language control",
    }

    def numbers(name: str, row: str, *more: str) -> dict[str, Any]:
        table = found[name]
        names = [column.name for column in table.columns]
        (own,) = (one for one in table.rows if one[: 1 + len(more)] == (row, *more))
        return dict(zip(names, own, strict=True))

    rows = {
        (row["model"], row["control"], row["level"], row["language"]): row
        for row in section()["measured"]
    }
    for run, head in heads.items():
        of_run = {key[2:]: row for key, row in rows.items() if key[:2] == run}
        scores: dict[str, dict[str, float]] = {}
        for level in LEVELS:
            codes = [code for code in CHANCES if (level, code) in of_run]
            shown = numbers(f"polymath_accuracy_{level}", head)
            scores[level] = {code: of_run[level, code]["score"] for code in codes}
            values = list(scores[level].values())
            over = [fmean(values), pstdev(values), max(values) - min(values)]
            names = (*codes, "avg.", "std.", "range")
            assert [shown[name] for name in names] == pytest.approx([*values, *over])
            spread = numbers(f"polymath_sd_{level}", head)
            sds = [of_run[level, code]["sd"] for code in codes]
            assert [spread[name] for name in (*codes, "avg.")] == pytest.approx([*sds, fmean(sds)])
            lengths = numbers("polymath_length", head, level)
            own = {code: of_run[level, code]["length"] for code in codes}
            if len(codes) > 2:
                own["r"] = pearsonr(list(own.values()), values).statistic
            assert {name: lengths[name] for name in own} == pytest.approx(own)
        weighted = numbers("polymath_dw_acc", head)
        exact = {
            code: sum(
                weight * scores[level][code] for level, (weight, _) in LEVELS.items()
            ) / 15
            for code in CHANCES
            if all(code in scores[level] for level in LEVELS)
        }  # fmt: skip
        exact["avg."] = fmean(exact.values())
        assert {name: weighted[name] for name in exact} == pytest.approx(exact)
        assert (weighted["te"] is None) == ("te" not in exact)
        for part in ("thinking", "answer"):
            for name, of_name in (("consistency", "lc"), ("english", "english")):
                shown = numbers(f"polymath_{name}", head, part)
                rates = {
                    code: fmean(
                        row[f"{of_name}_{part}"] for (_, own), row in of_run.items() if own == code
                    )
                    for code in CHANCES
                }
                assert {code: shown[code] for code in CHANCES} == pytest.approx(rates)
            shown = numbers("polymath_consistency_levels", head, part)
            for level in LEVELS:
                codes = [code for code in CHANCES if (level, code) in of_run]
                own_rates = [of_run[level, code][f"lc_{part}"] for code in codes]
                expected = [fmean(own_rates), pstdev(own_rates)]
                if len(codes) > 2:
                    expected.append(pearsonr(own_rates, [*scores[level].values()]).statistic)
                values, place = list(shown.values()), list(LEVELS).index(level)
                of_level = [*values[2 + 2 * place : 4 + 2 * place], values[10 + place]]
                assert of_level[: len(expected)] == pytest.approx(expected)


def test_each_run_is_told_by_itself() -> None:
    told = [text for _, text in findings(section())]
    for model, control in RUNS:
        own = of(model=model, control=control)
        forced = ", answering in English," if control == "english" else ""
        (sentence,) = (text for text in told if text.startswith(f"{model}{forced} solves"))
        counts = {str(sum(one.grade.correct for one in own)), str(len(own))}
        assert counts <= set(re.findall(r"\d+", sentence))
        unread = sum(one.grade.status not in ("correct", "wrong") for one in own)
        assert any(f"{unread}" in text and "unparsable" in text for text in told)
