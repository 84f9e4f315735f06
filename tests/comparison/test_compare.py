"""The one comparison: against counts by hand, scipy's exact tests, and what it must refuse."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from statistics import mean, variance
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import xlgo_metric as xm
from tests.lit.metric.test_grading import DEGRADED, HONEST, judged
from xlgo_cli.page.findings import family_findings
from xlgo_metric import comparison, scoring
from xlgo_metric.comparison.levels import gaps_of
from xlgo_metric.comparison.section import GAPS, KEY, READINGS, repeats_of
from xlgo_metric.comparison.table import Answer, answers_of
from xlgo_metric.families.lit import FAMILY
from xlgo_metric.statistics.adaptive import NAME


def answer(question: str, language: str, correct: bool | None, **more: Any) -> Answer:
    given: dict[str, Any] = {
        "family": "toy", "task": "sum", "language": language, "condition": "plain", "level": None,
        "complexity": None, "question": question, "cluster": question, "repeat": 0, "run": "",
        "model": "m", "design": "fixed", "split": "test", "seed": 0, "wording": "paper",
        "status": "correct" if correct else "wrong", "strict": correct, "in_form": correct,
        "correct": correct, "record": None, "measures": {},
    }  # fmt: skip
    return Answer(**given | more)


def made(chances: dict[str, float], n: int = 60, **more: Any) -> list[Answer]:
    rng = random.Random(3)
    return [
        answer(f"q{i}", language, rng.random() < chance, **more)
        for language, chance in chances.items()
        for i in range(n)
    ]


def compared(answers: Iterable[Answer], *args: Any, **options: Any) -> comparison.Comparison:
    return comparison.compare(comparison.AnswerTable.of_answers(answers), *args, **options)


def test_counts_test_and_interval_by_language() -> None:
    answers = made({"te": 0.4, "en": 0.8, "zh": 0.7})
    right = {(a.language, a.question): a.correct for a in answers}
    found = compared(reversed(answers))
    assert [(cell.baseline, cell.other) for cell in found.cells] == [("en", "zh"), ("en", "te")]
    for cell in found.cells:
        pairs = [(right["en", f"q{i}"], right[cell.other, f"q{i}"]) for i in range(60)]
        only = pairs.count((True, False)), pairs.count((False, True))
        assert (cell.n, cell.clusters, cell.discordant) == (60, 60, only)
        assert cell.difference == pytest.approx((only[0] - only[1]) / 60)
        assert cell.difference == pytest.approx(cell.baseline_accuracy - cell.accuracy)
        assert cell.ci_low <= cell.difference <= cell.ci_high
        assert (cell.ci_low > 0) == cell.is_significant == (cell.p_value <= 0.05)
        # One cell by itself is the exact sign test; two together are corrected for both.
        (alone,) = compared(a for a in answers if a.language in ("en", cell.other)).cells
        exact = binomtest(only[0], sum(only)).pvalue
        assert alone.p_value == pytest.approx(exact, abs=4 * (exact / 9_999) ** 0.5 + 2e-4)
        assert alone.p_value <= cell.p_value + 0.01
    assert next(found.about(other="te")).is_significant


def test_a_gap_over_tasks_counts_the_same_tasks_in_every_language() -> None:
    chances = {"en": 0.9, "te": 0.5, "zh": 0.5}
    answers = [
        *made(chances, task="both"),
        *made({"en": 0.9, "te": 0.5}, task="one"),
        *made({"en": 0.9}, task="sizes", complexity=4.0),
        *made({"te": 0.5, "zh": 0.5}, 30, task="sizes", complexity=4.0),
        *made(chances, task="doubted", flagged=True),
        *made(chances, task="chosen", design=NAME),
    ]
    table, why = comparison.common_tasks(comparison.AnswerTable.of_answers(answers), "en")
    assert list(dict.fromkeys(table.frame["task"])) == ["both", "sizes"]
    assert why == {
        "one": "not asked in zh",
        "doubted": "the wording in en, te, zh may cause a gap",
        "chosen": "answers chose its questions",
    }
    (one, *_) = compared(made(chances, flagged=True)).cells
    assert one.flagged
    assert not compared(made(chances)).cells[0].flagged
    under = made({"te": 0.9}, flagged=True, lacking=True, condition=LINES["condition"])
    (cell,) = compared([*made({"te": 0.5}), *under], "condition").cells
    assert (cell.flagged, cell.refused) == (False, "")  # of languages alone


def test_a_cell_turned_is_that_of_the_other_baseline() -> None:
    answers = made({"en": 0.8, "te": 0.4})
    (cell,) = compared(answers).cells
    (other,) = compared(answers, baseline="te").cells
    assert cell.turned == other


def test_another_baseline_is_compared_with_everything_and_english_is_one_of_the_others() -> None:
    answers = made({"en": 0.8, "zh": 0.7, "te": 0.4})
    found = compared(answers, "language", "zh")
    assert found.baseline == "zh"
    assert {(cell.baseline, cell.other) for cell in found.cells} == {("zh", "en"), ("zh", "te")}
    with pytest.raises(ValueError, match=r"'xx'.*allowed are en, zh, te"):
        compared(answers, "language", "xx")


LINES = {"condition": "english_lines"}


@pytest.mark.parametrize(
    ("by", "first", "second", "refused"),
    [
        ("condition", {"design": NAME}, {"design": NAME, **LINES}, ""),  # it pools the conditions
        ("condition", {"design": NAME}, {"design": "plan-of-m", **LINES},
         "the answers under the condition plain chose the questions"),
        ("condition", {}, LINES, ""),
        ("language", {"design": NAME}, {"design": NAME, "language": "en"}, ""),  # and the languages
        ("model", {"design": NAME, "model": "one"}, {"design": "plan-of-one", "model": "two/x"},
         "one chose questions by its own answers"),
        ("model", {"design": "plan-of-one", "model": "three"},
         {"design": "plan-of-one", "model": "two/x"}, ""),
    ],
)  # fmt: skip
def test_questions_that_one_side_chose_by_its_answers_are_not_tested(
    by: Any, first: dict[str, Any], second: dict[str, Any], refused: str
) -> None:
    sides = [
        answer._replace(**more)
        for chance, more in ((0.9, first), (0.5, second))
        for answer in made({"te": chance})
    ]
    (cell,) = compared(sides, by).cells
    assert (cell.p_value is None) == bool(cell.refused) == bool(refused)
    assert refused in cell.refused


def test_repeats_are_one_question_and_undecided_answers_do_not_count() -> None:
    about = {"family": "xlgobench", "task": "slt", "instance_id": "i1"}
    statuses: tuple[Any, ...] = ("correct", "wrong", "wrong", "correct", "needs_judge")
    table = comparison.AnswerTable.of_records(
        [
            xm.Record(xm.Grade(status == "correct", status), about | {"language": language})
            for language, status in zip(("en", "te", "en", "te", "te"), statuses, strict=True)
        ]
    )
    assert list(table.frame["repeat"]) == [0, 0, 1, 1, 2]
    (cell,) = comparison.compare(table).cells
    assert (cell.n, cell.clusters, cell.discordant, cell.difference) == (1, 1, (0, 0), 0.0)
    once = made({"en": 0.8, "te": 0.5})
    twice = [a._replace(repeat=k) for a in once for k in range(2)]
    assert compared(twice).cells == compared(once).cells
    chosen = [a._replace(question=f"x{a.question}", design=NAME) for a in once]
    mixed = [a._replace(design=NAME) for a in made({"en": 0.1}, 20)]
    fixed = [*made({"te": 0.5}, 20), *once[20:60], *once[80:]]
    (cell,) = compared([*fixed, *mixed, *chosen]).cells  # of 120 that both answered
    assert (cell.n, cell.is_chosen) == (40, False)


def test_nothing_in_common_gives_no_cells() -> None:
    answers = made({"en": 0.5})
    assert compared(answers).cells == ()
    others = [a._replace(language="te", question=f"x{a.question}") for a in answers]
    assert compared(answers + others).cells == ()
    assert compared([a._replace(question=None) for a in answers + others]).cells == ()


def test_ranks_are_of_the_questions_that_all_answered() -> None:
    rng = np.random.default_rng(3)
    answers = [
        answer(f"q{n}", language, bool(rng.random() < chance))
        for language, chance in (("en", 0.8), ("te", 0.4), ("zh", 0.8), ("ar", 0.8))
        for n in range(300)
    ]
    lucky = [answer(f"x{n}", language, True) for language in ("te", "zh") for n in range(900)]
    found = compared(answers + lucky, within=(), ranked=True)
    assert (found.baseline, {cell.n for cell in found.cells}) == (None, {300})
    ranks = found.ranks()
    assert (ranks["te"].rank, ranks["te"].low, ranks["te"].high) == (4, 4, 4)
    assert [name for name, rank in ranks.items() if rank.high == 4] == ["te"]
    alike = [a._replace(correct=int(str(a.question)[1:]) % 3 > 0) for a in answers]
    assert {str(one) for one in compared(alike, ranked=True).ranks().values()} == {
        "Rank(rank=1, low=1, high=4)"
    }
    assert compared([], within=(), ranked=True).ranks() == {}
    with pytest.raises(ValueError, match="give no baseline"):
        compared(answers, baseline="te", ranked=True)


@pytest.mark.parametrize(
    ("english", "other", "n", "is_equal"),
    [
        (1.0, 1.0, 400, True),
        (1.0, 1.0, 20, False),  # the interval is wider than ±5 points
        (0.99, 0.7, 400, False),
    ],
)
def test_no_gap_is_claimed_where_both_limits_lie_within_the_margin(
    english: float, other: float, n: int, is_equal: bool
) -> None:
    (cell,) = compared(made({"en": english, "te": other}, n)).cells
    assert cell.is_equal is is_equal
    assert not replace(cell, ci_low=0.01, ci_high=0.3).is_equal


def test_a_contrast_is_the_difference_of_two_gaps_question_by_question() -> None:
    """Every answer has its own luck. Questions that answers chose do not count."""
    rng = random.Random(1)
    behind = {"a": {"en": 0.9, "te": 0.3, "zh": 0.9}, "b": {"en": 0.9, "te": 0.9, "zh": 0.9}}
    rows = [
        a._replace(correct=rng.random() < chance)
        for model, of in behind.items()
        for code, chance in of.items()
        for a in made({code: 0.5}, 200, model=model)
    ]
    right = {(a.model, a.language, a.question): float(bool(a.correct)) for a in rows}
    chosen = [a._replace(question=f"chosen {a.question}", design="adaptive") for a in rows]
    cells = comparison.settle(
        comparison.gap_drafts(comparison.AnswerTable.of_answers([*rows, *chosen]), "model", "en")
    )
    assert [cell.language for cell in cells] == ["te", "zh"]
    for cell in cells:
        gaps = {
            model: np.mean(
                [
                    right[model, "en", f"q{i}"] - right[model, cell.language, f"q{i}"]
                    for i in range(200)
                ]
            )
            for model in "ab"
        }
        assert (cell.baseline, cell.other, cell.n) == ("a", "b", 200)
        assert cell.baseline_accuracy == pytest.approx(gaps["a"])
        assert cell.accuracy == pytest.approx(gaps["b"])
        assert cell.difference == pytest.approx(gaps["a"] - gaps["b"])
        assert cell.is_significant == (cell.language == "te")
    (over,) = comparison.settle(
        comparison.gap_drafts(
            comparison.AnswerTable.of_answers(rows), "model", "en", languages=False
        )
    )
    assert (over.difference, over.n) == (
        pytest.approx(np.mean([cell.difference for cell in cells])), 400,
    )  # fmt: skip


@pytest.mark.parametrize("measure", ["raw_mqm_gated", "mqm80_gated", "chrf_gated"])
def test_scores_of_chains_are_compared_over_texts(measure: str) -> None:
    sides = {"honest": judged(HONEST), "shuffled": judged(DEGRADED["shuffled"])}
    table = comparison.AnswerTable.of_answers(
        [
            answer
            for name, records in sides.items()
            for answer in answers_of(records, model=name, measures=[measure])
        ],
        [measure],
    )
    (cell,) = comparison.compare(table, "model", within=["family"], measure=measure).cells
    texts: dict[str, list[float]] = {}
    for one, two in zip(*sides.values(), strict=True):
        values = [FAMILY.measure(measure).of(side) for side in (one, two)]
        assert None not in values
        texts.setdefault(one.reference["text_id"], []).append(values[0] - values[1])
    sums = [sum(of) for of in texts.values()]
    assert cell.n == sum(map(len, texts.values()))
    assert cell.difference == pytest.approx(sum(sums) / cell.n)
    # Chains of one text are not independent: fewer than 20 texts allow no mark and no interval.
    assert cell.clusters == len(texts) < 20
    assert "clusters of questions" in cell.refused
    assert cell.ci_low is cell.p_value is None


CHANCES = {"en": 0.9, "te": 0.3, "zh": 0.85}


def records(chances: dict[str, float] = CHANCES, **more: str) -> list[xm.Record]:
    rng = random.Random(5)
    return [
        xm.Record(
            xm.Grade(right, "correct" if right else "wrong", True),
            {
                "family": "polymath", "task": "polymath", "language": language, "level": level,
                "index": index, "instance_id": f"polymath-{level}-i{index}", "control": "none",
            } | more,
        )
        for language, chance in chances.items()
        for level in ("low", "medium", "high", "top")
        for index in range(25)
        for right in [rng.random() < chance]
    ]  # fmt: skip


def test_controls_are_compared_apart() -> None:
    answers = records() + records({"en": 0.5, "te": 0.5}, control="english")
    cells = xm.summarize(answers)["families"]["polymath"][KEY]["cells"]
    expected = {("", "te", 100), ("", "zh", 100), ("english", "te", 100)}
    assert {(cell["where"]["model"], cell["other"], cell["n"]) for cell in cells} == expected


YES, NO, LOOSE, STATED = (
    (True, True, True), (False, True, True), (True, False, True), (True, False, False),
)  # fmt: skip


def test_rates_and_tests_are_those_of_counts_by_hand() -> None:
    """Of answers that are correct, strict and in form as given."""
    telugu_answers = [YES] * 8 + [LOOSE] * 6 + [STATED] * 16 + [NO] * 10
    kinds = {"en": [YES] * 30 + [NO] * 10, "te": telugu_answers}
    records = [
        xm.Record(
            xm.Grade(right, "correct" if right else "wrong", strict, in_form=in_form),
            {"family": "polymath", "task": "polymath", "language": language, "level": "low",
             "index": index, "instance_id": f"polymath-low-i{index}", "control": "none"},
        )
        for language, answers in kinds.items()
        for index, (right, strict, in_form) in enumerate(answers)
    ]  # fmt: skip
    section: Any = xm.summarize(records)["families"]["polymath"]
    rates = [
        [of[k] for k in ("n", "strict", "in_form", "lenient")] for of in section[READINGS]["rates"]
    ]
    assert rates == [[40, 0.75, 0.75, 0.75], [40, 0.2, 0.35, 0.75]]
    (gap,) = section[READINGS]["gaps"]
    assert (gap["language"], gap["n"], gap["depends"]) == ("te", 40, True)
    for name, only in (("strict", 22), ("in_form", 16), ("lenient", 0)):
        read = gap["by_reading"][name]
        expected = binomtest(only, only).pvalue if only else 1.0
        assert read["difference"] == pytest.approx(only / 40)
        assert read["p_value"] == pytest.approx(expected, abs=2e-4)
        assert read["is_significant"] == (expected < 0.05)
    tables = {table.name: table for table in scoring.tables_of("polymath", section)}
    assert (len(tables[READINGS].rows), len(tables[GAPS].rows)) == (2, 1)
    told = [sentence for kind, sentence in family_findings("polymath", section) if kind == "warn"]
    assert any("depends on the reading" in sentence and "Telugu" in sentence for sentence in told)


def test_columns_need_a_correct_answer_and_are_empty_until_a_judge_decides() -> None:
    reference = {"family": "xlgobench", "task": "slt", "language": "en", "instance_id": "i"}
    grades = [
        xm.Grade(True, "correct", True),
        xm.Grade(True, "correct", in_form=False),
        xm.Grade(False, "wrong", True),
        xm.Grade(False, "needs_judge", True),
    ]
    frame = comparison.AnswerTable.of_records(
        [xm.Record(grade, reference) for grade in grades]
    ).frame
    assert list(frame["strict"]) == [True, False, False, None]
    assert list(frame["in_form"]) == [True, False, False, None]


TASKS: dict[tuple[str, str], tuple[float | None, ...]] = {
    ("puzzles", "sum"): (4.0, 9.0, 25.0),
    ("puzzles", "rank"): (9.0, 10.0),
    ("texts", "sum"): (None,),  # another family's task of the same name
}
RATES = {"en": 0.8, "zh": 0.7, "te": 0.4}
MODELS = {"a": 0.1, "b": 0.0, "c": -0.3}


@cache
def answers() -> list[Answer]:
    """Levels of 3, 6 and 9 questions; one answer in eight is missing, one in ten undecided."""
    rng = random.Random(11)
    return [
        answer(
            f"q{size}-{number}", code, None if rng.random() < 0.1 else rng.random() < chance + more,
            family=family, task=task, complexity=size, repeat=repeat, model=model,
            cluster=f"{family} {task} {size} {number // 2}",
        )
        for (family, task), sizes in TASKS.items()
        for place, size in enumerate(sizes)
        for number in range(3 * (place + 1) if size else 40)
        for code, chance in RATES.items()
        for model, more in MODELS.items()
        for repeat in range(1 + (number + len(code + model)) % 3)
        if rng.random() > 1 / 8
    ]  # fmt: skip


Key = tuple[str, ...]


def place_of(row: Answer, names: Sequence[str]) -> Key:
    return tuple(getattr(row, name) for name in names)


def means(rows: Sequence[Answer], key: Callable[[Answer], Any]) -> dict[Any, Fraction]:
    """The exact mean of the decided answers of each key."""
    right: dict[Any, list[Fraction]] = defaultdict(list)
    for row in rows:
        if row.correct is not None:
            right[key(row)].append(Fraction(row.correct))
    return {name: mean(of) for name, of in right.items()}


def weighted(values: dict[Any, Fraction], part: Callable[[Any], Any]) -> Fraction:
    """The mean of the means of parts."""
    return mean(
        mean(x for name, x in values.items() if part(name) == own)
        for own in {part(name) for name in values}
    )


def by_task_and_level(of: dict[Any, Fraction]) -> Fraction:
    """Tasks (and what else is pooled) alike, and levels within them alike."""
    return mean(
        weighted({key: x for key, x in of.items() if key[0] == task}, lambda key: key[1])
        for task in {task for task, _, _ in of}
    )


@pytest.mark.parametrize("within", [None, ("family", "task"), ("model",), ()])
@pytest.mark.parametrize("by", ["language", "model"])
def test_all_figures_of_all_cells(by: str, within: tuple[str, ...] | None) -> None:
    dimensions = ("family", "task", "language", "condition", "model")
    apart = within
    if apart is None:
        apart = tuple(name for name in dimensions if name != by)
    apart = tuple(name for name in apart if name != by)
    pooled = [name for name in dimensions if name not in (*apart, by)]
    by_cell = defaultdict(list)
    for row in answers():
        by_cell[place_of(row, apart), getattr(row, by)].append(row)
    clusters = {
        (place_of(row, apart), place_of(row, pooled), row.question): row.cluster
        for row in answers()
    }

    def question(row: Answer) -> Any:
        return place_of(row, pooled), row.complexity, row.question

    expected = {}
    places = dict.fromkeys(place for place, _ in by_cell)
    names = list(RATES if by == "language" else MODELS)
    couples = [("en", "zh"), ("en", "te")] if by == "language" else list(combinations(names, 2))
    for place, (base, other) in product(places, couples):
        one, two = (means(by_cell[place, name], question) for name in (base, other))
        common = one.keys() & two.keys()
        first, second = ({name: of[name] for name in common} for of in (one, two))
        key = (*place, base, other)
        expected[key] = (
            len(common),
            len({clusters[place, pool, name] for pool, _, name in common}),
            (sum(first[name] > second[name] for name in common),
             sum(first[name] < second[name] for name in common)),
            by_task_and_level(first), by_task_and_level(second),
        )  # fmt: skip
    table = comparison.AnswerTable.of_answers(answers())
    cells = comparison.compare(table, by, within=None if within is None else apart).cells  # type: ignore[arg-type]
    assert len(cells) == len(expected)
    for found in cells:
        place = tuple(found.where[name] for name in apart)
        # Models are paired in the order in which they first occur.
        cell = found if (*place, found.baseline, found.other) in expected else found.turned
        key = (*place, cell.baseline, cell.other)
        n, clustered, discordant, first_mean, second_mean = expected[key]
        assert (cell.n, cell.clusters, cell.discordant) == (n, clustered, discordant)
        assert cell.baseline_accuracy == pytest.approx(float(first_mean), abs=1e-12)
        assert cell.accuracy == pytest.approx(float(second_mean), abs=1e-12)
        assert cell.difference == pytest.approx(float(first_mean - second_mean), abs=1e-12)


def test_variances_of_repeats_of_several_tasks_and_languages() -> None:
    """Against sums of squares, for every task, model and language by itself."""
    rows = [a for a in answers() if a.correct is not None and a.family == "puzzles"]
    by_place: dict[Key, dict[Any, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for a in rows:
        by_place[a.task, a.model, a.language][a.question].append(a.correct)
    found = repeats_of(comparison.AnswerTable.of_answers(rows), "en")
    assert {(one["task"], one["asked_as"], one["language"]) for one in found} == by_place.keys()
    for one in found:
        task, model = one["task"], one["asked_as"]
        own, base = (by_place[task, model, code] for code in (one["language"], "en"))
        assert (one["questions"], one["answers"]) == (len(own), sum(map(len, own.values())))
        gap: tuple[Fraction | None, Fraction | None] = (None, None)
        if one["language"] != "en":
            gap = components([base, own], base.keys() & own.keys())
        names = ("between", "within", "gap_between", "gap_within")
        for name, of in zip(names, (*components([own], own.keys()), *gap), strict=True):
            assert one[name] == (None if of is None else pytest.approx(float(of), abs=1e-12)), name


def components(
    sides: Sequence[dict[Any, list[Any]]], common: Any
) -> tuple[Fraction | None, Fraction | None]:
    """Searle, Casella and McCulloch's estimates for unequal numbers of answers."""
    within, noise = Fraction(0), Fraction(0)
    for side in sides:
        of = {q: variance(map(Fraction, side[q])) for q in common if len(side[q]) > 1}
        if len(common) < 2 or not of:
            return None, None
        within += mean(of.values())
        noise += mean(of.get(q, mean(of.values())) / len(side[q]) for q in common)
    means = [[mean(map(Fraction, side[q])) for side in sides] for q in common]
    between = variance(first - sum(others, Fraction(0)) for first, *others in means)
    return max(between - noise, Fraction(0)), within


def test_an_answer_given_three_times_is_one_answer() -> None:
    """Of a family whose questions have sizes: gap, test, curve and what its draws spread."""
    chances = {"en": (0.95, 0.9, 0.7, 0.4, 0.1), "te": (0.9, 0.7, 0.4, 0.2, 0.05)}
    rows = [
        xm.Record(
            xm.Grade(right, "correct" if right else "wrong"),
            {"family": "simple_reasoning", "task": "proof_tree", "language": code,
             "complexity": size, "instance_id": f"{size}-{n}"},
        )
        for seed, (code, levels) in enumerate(chances.items())
        for size, chance in enumerate(levels, 2)
        for n, right in enumerate(np.random.default_rng(seed).random(40) < chance)
    ]  # fmt: skip
    one, three = (
        section["tasks"]["proof_tree"]["languages"]["te"]
        for times in (1, 3)
        if (section := gaps_of(rows * times, draws=40)) is not None
    )
    assert one["smd"] is not None
    counts = {"n", "correct", "statuses", "levels", "pooled", "most"}  # limits of levels: stretched
    assert {name for name, value in one.items() if three[name] != value} == counts


def test_questions_without_names_count_and_are_not_parallel() -> None:
    """Of a family whose questions have sizes; in two wordings besides."""
    section = gaps_of(
        [
            xm.Record(
                xm.Grade(n < right, "correct" if n < right else "wrong"),
                {"family": "easy", "task": "proof_tree", "language": code, "complexity": size,
                 "text": text},
            )
            for code, text, right, sizes in (
                ("en", "paper", 3, (1, 2, 3)), ("te", "revised.1", 1, (2, 3, 4)),
            )
            for size in sizes
            for n in range(4)
        ],
        draws=2,
    )  # fmt: skip
    assert section is not None
    task = section["tasks"]["proof_tree"]
    cell = task["languages"]["te"]
    counts = [cell["pooled"][name] for name in ("k_en", "n_en", "k_l", "n_l")]
    assert (task["c_min"], task["c_max"], cell["n"], cell["paired"]) == (1, 4, 12, None)
    assert counts == [6, 8, 2, 8]
    (apart, worded) = section["warnings"]
    assert "the questions of 'te' are others than those of 'en': not parallel" in apart
    assert worded == ("proof_tree: asked in paper and revised wording: a gap may be one of wording")


def test_places_follow_from_who_is_clearly_better() -> None:
    pairs = {
        ("a", "b"): (0.1, 0.3),
        ("a", "c"): (0.1, 0.04),
        ("a", "d"): (0.9, 0.001),
        ("b", "c"): (0.0, 1.0),
        ("b", "d"): (0.8, 0.001),
        ("c", "d"): (0.8, 0.06),
    }
    made = comparison.Comparison(
        "model",
        None,
        cells=tuple(
            comparison.Cell(
                {}, base, other, 10, 10, 0.0, 0.0, (0, 0), gain, gain, gain, p, p < 0.05
            )
            for (base, other), (gain, p) in pairs.items()
        ),
    )
    found = {name: (one.rank, one.low, one.high) for name, one in made.ranks().items()}
    assert found == {"a": (1, 1, 2), "b": (2, 1, 3), "c": (2, 2, 4), "d": (4, 3, 4)}
    with pytest.raises(ValueError, match="one cell for every two models"):
        replace(made, cells=made.cells[1:]).ranks()


def test_pairs_are_corrected_together() -> None:
    right = np.random.default_rng(2).random((4, 40)) < np.array([[0.9], [0.6], [0.5], [0.1]])
    rows = [
        answer(f"q{n}", "en", bool(correct), model=model)
        for model, of in zip("abcd", right)
        for n, correct in enumerate(of)
    ]
    pairs = comparison.compare(comparison.AnswerTable.of_answers(rows), "model", ranked=True).cells
    assert [pair.baseline + pair.other for pair in pairs] == ["ab", "ac", "ad", "bc", "bd", "cd"]
    for pair in pairs:
        first, second = (right["abcd".index(name)] for name in (pair.baseline, pair.other))
        alone = binomtest(int((first & ~second).sum()), int((first != second).sum())).pvalue
        assert pair.difference == pytest.approx(first.mean() - second.mean())
        # Single-step max-T: at least the p value of one test, at most about Bonferroni's.
        assert 0.9 * alone - 1e-3 <= pair.p_value <= len(pairs) * alone + 0.02
