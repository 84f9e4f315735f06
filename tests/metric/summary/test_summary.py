"""The XLGoBench section against the functions it is made of, and what it does with poor data."""

import random
from importlib import resources
from typing import Any

import numpy as np
import pytest
from scipy.special import gammainc
from scipy.stats import multinomial

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_cli.language.command import wordings
from xlgo_metric import core, scoring, version
from xlgo_metric.comparison.levels import Levels, correct_over_cells
from xlgo_metric.comparison.table import sides
from xlgo_metric.families.xlgobench import diff, smd, wording_of
from xlgo_metric.families.xlgobench.summary import headline, summarize
from xlgo_metric.families.xlgobench.tables import tables
from xlgo_metric.family import family
from xlgo_metric.statistics import differences, draws

LEVELS = list(range(100, 601, 50))
HALF = {"en": 330, "te": 250, "ta": 320, "zh": 400}
VERSIONS = f"reader:{version.READER_VERSION}|statistics:{version.STATISTICS_VERSION}"
FAST: dict[str, Any] = {"draws": 20, "permutations": 199}


def record(task: str, language: str, c: int | None, index: int, correct: bool, **more) -> xm.Record:
    reference = {
        "task": task, "language": language, "complexity": c, "level": 0, "index": index,
        "instance_id": f"{task}-test-s0-c{c}-i{index}", "seed": 0, "split": "test", "data": 1,
        "text": "paper",
    } | more.pop("reference", {})  # fmt: skip
    status = more.pop("status", "correct" if correct else "wrong")
    grade = xm.Grade(correct, status, correct, None, more.pop("details", {}))
    return xm.Record(grade, {k: v for k, v in reference.items() if v is not None}, **more)


def counted(right: dict[str, list[int]], n: int, levels: list[int]) -> list[xm.Record]:
    """Of ``n`` answers a level, so many right by language and level."""
    return [
        record("slt", language, c, i, i < k)
        for language, counts in right.items()
        for c, k in zip(levels, counts)
        for i in range(n)
    ]


def answers(tasks=("slt",), languages=tuple(HALF), n=30, levels=LEVELS) -> list[xm.Record]:
    rng = random.Random(5)
    return [
        record(
            task, language, c, i, rng.random() < xm.gamma_accuracy(c, 10, HALF[language] ** -2.0)
        )
        for task in tasks
        for language in languages
        for c in levels
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def section() -> Any:
    return summarize(answers(("slt", "dsa")), **FAST)


def test_every_number_is_that_of_its_function(section) -> None:
    found = sides(xm.AnswerTable.of_records(answers(("slt", "dsa"))))["slt"]
    english, own = section["tasks"]["slt"]["languages"]["en"], telugu(section)
    fits = [xm.fit_gamma(*found[code].levels) for code in ("en", "te")]
    assert own["fit"].items() >= {"q": fits[1].q, "r": fits[1].r, "r2": fits[1].r2}.items()
    sizes = np.arange(100, 601)
    f_en, f_l = (gammainc(fit[0] / 2, fit[0] / (2 * fit[1] * sizes * sizes)) for fit in fits)
    gap = f_en - f_l
    at = np.abs(gap).argmax()
    numbers = {
        "smd": gap[at], "c_star": sizes[at], "f_en": f_en[at], "f_l": f_l[at],
        "rd": (np.sign(gap[at]) * gap).min(),
    }  # fmt: skip
    assert {name: own[name] for name in numbers} == pytest.approx(numbers)
    assert own["avg_acc"] == pytest.approx(xm.average_accuracy(*fits[1], 100, 600))
    assert min(own[f"{name}_sd"] for name in numbers) >= 0
    assert {english[name] for name in (*numbers, "paired", "published_rule")} == {None}
    assert own["published_rule"] == (abs(own["smd"]) > 1.96 * own["smd_sd"])
    both = Levels.of_pairs(found["en"], found["te"])
    counts = (both.k_base, both.k_other, both.discordant, both.n, both.c)
    assert own["paired"]["p"] == xm.paired_test(
        *counts, draws=199, seed=draws.derive_seed(0, "slt")
    )


def test_the_signature_says_what_the_numbers_depend_on(section) -> None:
    assert section["signature"] == (
        "task:dsa+slt|levels:11|c:100-600+100-600|n:30|data:1|text:paper|fit:ls-beta20"
        f"|permutations:199|seed:0|{VERSIONS}|version:{xm.__version__}"
    )
    other = summarize(answers(n=3), seed=7, draws=5, permutations=9, baseline="ta")["signature"]
    assert "|c:100-600|n:3|" in other
    assert "|fit:ls-beta5-s7|permutations:9|baseline:ta|" in other
    assert core.signature({"a": 1, "b": None}, "2.0") == f"a:1|{VERSIONS}|version:2.0"
    with pytest.raises(ValueError, match="must hold no"):
        core.signature({"a": "x|y"}, "2.0")


@pytest.mark.parametrize(
    "bad",
    [0, -5, True, "100", float("nan"), float("inf"), [1], 1e200, pytest.param(10**400, id="vast")],
)
def test_a_complexity_that_is_none_is_left_out(bad) -> None:
    records = [
        *answers(languages=("en",), n=5),
        record("slt", "en", 100, 99, True, reference={"complexity": bad}),
    ]
    cell = summarize(records, **FAST)["tasks"]["slt"]["languages"]["en"]
    assert cell["n"] == sum(level["n"] for level in cell["levels"]) + 1


def test_other_levels_are_compared_where_they_overlap() -> None:
    english, some = answers(languages=("en",)), answers(languages=("te",), levels=LEVELS[3:])
    found = summarize(english + some, **FAST)
    assert any("250 to 600" in text for text in found["warnings"])
    assert telugu(found)["c_star"] >= 250
    found = summarize(answers(languages=("en",), levels=LEVELS[:3]) + some, **FAST)
    assert telugu(found)["smd"] is None
    assert any("do not overlap" in text for text in found["warnings"])
    tables(found)


def test_wordings_and_chosen_questions_that_are_not_alike_are_told() -> None:
    english, other = answers(languages=("en",), n=3), answers(languages=("te",), n=3)
    for one in other:
        one.reference["text"] = "revised.2"
    for one in (english[0], other[0]):
        one.reference["design"] = "adaptive-x"
    warnings = summarize(english + other, **FAST)["warnings"]
    assert (
        "slt/te: asked in the wording revised, 'en' in paper: a gap may be one of wording"
        in warnings
    )
    assert sum("answers chose 1 of 33 questions: they do not count" in x for x in warnings) == 2
    for one in english + other:
        one.reference.update(design="adaptive-x", range=[600, 100])
    found = summarize(english + other, **FAST)
    assert "design" not in found["tasks"]["slt"]  # its range is none
    assert not [x for x in found["warnings"] if "they do not count" in x]


def test_details_are_shares_of_all_answers_or_means_of_what_is_known() -> None:
    details = [
        {"final_value": True, "kendall_normalised": 0.5, "lenient": [], "is_path": None},
        {"final_value": False, "kendall_normalised": None, "is_path": True},
        {"reason": "text", "kendall_normalised": 0.1},
        {},
    ]
    records = [record("slt", "en", 10, i, False, details=d) for i, d in enumerate(details)]
    assert summarize(records, **FAST)["tasks"]["slt"]["languages"]["en"]["details"] == {
        "final_value": 1 / 4,
        "is_path": pytest.approx(1 / 3),
        "kendall_normalised": pytest.approx(0.3),
    }


def score(right: dict[str, list[int]], n: int, levels: list[int]) -> Any:
    return summarize(counted(right, n, levels), **FAST)


def telugu(found: dict) -> dict:
    return found["tasks"]["slt"]["languages"]["te"]


@pytest.mark.parametrize("n", [4, 10, 25])
def test_paired_limits_hold_the_difference_by_enumeration(n: int) -> None:
    outcomes = [(a, b) for a in range(n + 1) for b in range(n + 1 - a)]
    limits = np.array([differences.paired_limits(a, b, n) for a, b in outcomes])
    for only_en in np.linspace(0, 1, 12):
        for only_l in np.linspace(0, 1 - only_en, 8):
            rest = max(0.0, 1 - only_en - only_l)
            chances = multinomial.pmf(
                [(a, b, n - a - b) for a, b in outcomes], n, [only_en, only_l, rest]
            )
            gap = only_en - only_l
            inside = (limits[:, 0] <= gap + 1e-9) & (gap - 1e-9 <= limits[:, 1])
            assert chances[inside].sum() >= 0.95


def test_a_gap_between_levels_is_not_supported() -> None:
    """Both are right below the drop and wrong above it, but the curves part between the levels."""
    found = score({"en": [50, 50, 3, 0], "te": [50, 47, 0, 0]}, 50, [10, 40, 70, 100])
    cell = telugu(found)
    limits = [differences.paired_limits(*level, 50) for level in ((0, 0), (3, 0), (3, 0), (0, 0))]
    assert (cell["most"], cell["smd"], cell["supported"], cell["coarse"]) == (
        max(high for _, high in limits), None, False, True,
    )  # fmt: skip
    # No level shows the drop: the interval allows for any fall between two of them.
    assert cell["paired"]["interval"] == "model-free"
    assert cell["paired"]["low"] < 0
    assert cell["paired"]["high"] > 0.9
    assert any("too far apart to show the drop" in text for text in found["warnings"])
    assert not {"smd", "smd_te"} & {*headline(found), *(table.name for table in tables(found))}


def test_that_nothing_can_be_seen_is_not_said_beside_a_difference() -> None:
    """Whichever of two tests finds it: that of the levels, corrected together, or of the whole."""
    cases = [
        (p, sure, kind)
        for p in (0.004, 0.02, 0.7)
        for sure in (True, False)
        for kind in ("nothing", "everything")
    ]
    corrected = differences.holm([p for p, _, _ in cases])
    assert sum(p < 0.05 for p in corrected) == 4  # .004 and no other
    ends = dict.fromkeys(("estimate", "low", "high", "free_low", "free_high"))
    languages: Any = {
        f"l{number}": {
            "paired": {"p": p, **ends},
            "difference": {"difference": 0.02, "is_significant": sure},
            "sides": {"p_behind": 0.5, "p_ahead": 0.5, "behind": None, "ahead": None},
            "extreme": kind, "rd": None, "rd_sd": None, "crossing": None,
        }
        for number, (p, sure, kind) in enumerate(cases)
    }  # fmt: skip
    correct_over_cells({"slt": {"languages": languages}})
    for (p, sure, kind), whole, cell in zip(cases, corrected, languages.values()):
        assert cell["paired"]["p_holm"] == pytest.approx(whole)
        assert cell["extreme"] == (None if sure or p == 0.004 else kind), (p, sure)


def test_a_crossing_needs_both_sides() -> None:
    levels = list(range(10, 90, 10))
    flat, steep = [40, 36, 32, 28, 24, 20, 16, 12], [50, 50, 50, 40, 10, 0, 0, 0]
    cell = telugu(score({"en": flat, "te": steep}, 50, levels))
    found = cell["crossing"]
    side = [levels.index(c) for c in found["levels"]]
    assert set(side) <= set(range(4)) or set(side) <= set(range(4, 8))
    only_en = sum(max(flat[i] - steep[i], 0) for i in side)
    only_l = sum(max(steep[i] - flat[i], 0) for i in side)
    assert (found["only_en"], found["only_l"]) == (only_en, only_l)
    assert (only_en - only_l) * cell["difference"]["difference"] < 0
    assert max(cell["sides"]["p_behind"], cell["sides"]["p_ahead"]) < 0.01
    shifted = telugu(score({"en": steep, "te": [50, 50, 40, 12, 0, 0, 0, 0]}, 50, levels))
    assert shifted["crossing"] is None


EIGHT = list(range(10, 90, 10))


@pytest.mark.parametrize(
    ("english", "other", "identified"),
    [
        ([10] * 8, [10, 9, 7, 5, 3, 1, 0, 0], False),
        ([10, 9, 7, 5, 3, 1, 0, 0], [0] * 8, False),
        ([10, 10, 9, 7, 5, 3, 1, 0], [10, 9, 7, 5, 3, 1, 0, 0], True),
    ],
)
def test_a_gap_rests_on_both_curves(english, other, identified: bool) -> None:
    cell = telugu(score({"en": english, "te": other}, 10, EIGHT))
    assert cell["identified"] is identified
    assert cell["smd"] is None  # ten questions a level are too few for one
    found = score({"en": [3 * k for k in english], "te": [3 * k for k in other]}, 30, EIGHT)
    assert (telugu(found)["smd"] is not None) is identified
    assert ("smd" in {table.name for table in tables(found)}) is identified
    assert found["tasks"]["slt"]["languages"]["en"]["identified"] is None


@pytest.mark.parametrize(("n", "given"), [(1, False), (4, False), (5, True)])
def test_few_questions_give_a_test_and_no_interval(n: int, given: bool) -> None:
    """Resampling one question per level gives that question each time: a width of nothing."""
    falls = [n, n, max(n - 2, 0), n // 2, min(2, n - 1), 0, 0, 0]
    later = [n, n, n, n - 1, n // 2 + 1, n // 3, 0, 0]
    found = score({"en": later, "te": falls, "ta": falls}, n, EIGHT)
    for language in ("te", "ta"):
        paired = found["tasks"]["slt"]["languages"][language]["paired"]
        assert 0 < paired["p"] <= 1
        assert (paired["low"] is not None) is given
    assert sum("no interval" in text for text in found["warnings"]) == (not given)
    tables(found)


def test_the_harness_counts_questions_and_not_their_answers_as_the_report_does() -> None:
    """40 questions a level that are answered twice: the second answers are worse."""
    right = {"en": [40, 38, 36, 28, 20, 10, 4, 2], "te": [40, 36, 30, 20, 12, 6, 2, 0]}
    first = counted(right, 40, EIGHT)
    second = counted({code: [k - k // 8 for k in of] for code, of in right.items()}, 40, EIGHT)
    for records in (first, [*first, *first], [*first, *second]):
        values = [
            ("slt", ref["language"], ref["complexity"], one.grade.correct, ref["instance_id"], "")
            for one in records
            for ref in [one.reference]
        ]
        cell = telugu(summarize(records))
        assert cell["difference"]["n"] == 320
        assert smd(values, "te") == (cell["smd"], cell["smd_sd"])
    few = [x for x in values if x[1] == "en" or int(x[4].rpartition("i")[2]) % 40 < 29]
    assert np.isnan(smd(few, "te")).all()  # 29 questions a level in one of the two


PUZZLES = xd.family("xlgobench")


@looped(
    ("task", "code", "text"),
    [
        (task, code, text)
        for task in PUZZLES.TASKS
        for code in PUZZLES.languages(task)
        for text in ("paper", "revised")
    ],
)
def test_what_the_metric_knows_of_wordings_is_what_the_language_files_say(
    task: str, code: str, text: str
) -> None:
    judged = xd.load_language(code).attribution.get(task)
    is_doubtful = judged is not None and getattr(judged, text) == "no"
    assert wording_of(task, code, text) == (xd.wording_status(task, code, text), is_doubtful)


def test_wordings_of_other_files_and_families() -> None:
    stored = resources.files("xlgo_metric.families.xlgobench").joinpath("wordings.json")
    assert stored.read_text("utf-8") == wordings()  # `xlgo language wordings` brings it up to date
    assert wording_of("slt", "hi", "own.toml") == ("edited", False)
    assert wording_of("slt", "yo", "own.toml") == ("machine-written", False)
    for case in (("travel", "te", "paper"), ("proof_tree", "en", "parallel")):
        assert family("simple_reasoning").wording_of(*case) == (xd.wording_status(*case), False)


def test_the_harness_counts_a_structure_once_in_its_standard_error() -> None:
    """Four questions of each structure, with one answer, tell as much as one of each."""
    right = np.random.default_rng(4).random((30, 2)) < [0.8, 0.5]
    alone, copies = (
        [
            ("slt", code, 10, bool(right[i, place]), f"q{i}-{j}", f"s{i}")
            for i in range(30)
            for j in range(times)
            for place, code in enumerate(("en", "te"))
        ]
        for times in (1, 4)
    )
    gains = right[:, 0].astype(int) - right[:, 1]
    assert diff(copies, "te")[0] == diff(alone, "te")[0] == gains.mean()
    assert diff(alone, "te")[1] == pytest.approx(gains.std(ddof=1) / 30**0.5)
    assert diff(copies, "te")[1] == pytest.approx(diff(alone, "te")[1])
    assert np.isnan(diff(copies[:8], "te")[1])  # one structure says nothing of its spread


MATHS = {"family": "polymath", "task": "polymath", "language": "en", "level": "low"}
EASY = {"family": "easy", "task": "proof_tree", "language": "en", "params": {"depth": 3}}


def answered(about: dict[str, Any], index: int, right: bool) -> xm.Record:
    reference = about | {"instance_id": f"i{index}", "index": index, "seed": 0, "data": 1}
    return xm.Record(xm.Grade(right, "correct" if right else "wrong"), reference)


def test_an_option_that_no_family_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown option 'drews': allowed are .*draws"):
        xm.summarize([answered(EASY, 0, True)], drews=50)


def test_the_order_of_the_records_changes_nothing_of_a_mixed_score() -> None:
    records = [answered(EASY, i, i < 3) for i in range(5)]
    records += [answered(MATHS, i, i < 2) for i in range(4)]
    records += [
        record("slt", x, c, i, i * 10 < c) for x in ("en", "te") for c in (10, 20) for i in range(3)
    ]
    first = xm.summarize(records, draws=20)
    assert list(first["families"]) == ["xlgobench", "polymath", "simple_reasoning"]
    random.Random(2).shuffle(records)
    again = xm.summarize(records, draws=20)
    assert again["signature"] == first["signature"]
    assert again["families"]["xlgobench"] == first["families"]["xlgobench"]


@pytest.mark.parametrize(("thinking", "mean"), [(None, (4 + 6) / 2), (["x" * 7, *[None] * 3], 7)])
def test_thinking_inside_the_responses_is_measured(thinking: Any, mean: float) -> None:
    references = [{"task": "slt", "language": "en", "complexity": 1, "answer": {"chain": [1]}}] * 4
    texts = ["<think>four</think>[1]", "<think>sixsix</think>[1]", '{"chain": [1]}', None]
    found = xm.score(texts, references, thinking=thinking)["families"]["xlgobench"]
    assert found["thinking"]["slt"]["mean_characters"] == {"en": mean}
    with pytest.raises(ValueError, match="4 predictions but 1 texts of thinking"):
        xm.score(texts, references, thinking=["x"])


def test_an_answer_that_waits_for_a_judge_has_no_accuracy() -> None:
    reference = {"task": "slt", "language": "en"}
    waits, wrong = xm.Grade(False, "needs_judge"), xm.Grade(False, "wrong")
    assert "acc" not in core.values_of(core.COMMON_MEASURES, waits, reference)
    assert core.values_of(core.COMMON_MEASURES, wrong, reference)["acc"] == 0.0


def test_a_failed_request_is_in_no_rate() -> None:
    failed = xm.Record(
        xm.Grade(False, "no_answer", details={core.MISSING: True}), MATHS | {"index": 2}
    )
    headline = xm.summarize([*(answered(MATHS, i, i == 0) for i in (0, 1)), failed])["headline"]
    assert (headline["accuracy"], headline["parsed"]) == (0.5, 1.0)


@pytest.mark.parametrize("status", ["correct", "wrong", "no_answer", "bad_format", "needs_judge"])
def test_what_was_cut_off_is_truncated_unless_its_answer_could_be_read(status) -> None:
    found = xm.Grade(status == "correct", status, strict=True)
    is_read = status in ("correct", "wrong")
    assert scoring.cut_off(found) == (found if is_read else xm.Grade(False, "truncated"))


def test_answers_under_a_condition_are_in_no_accuracy_of_a_language() -> None:
    plain = [record("slt", code, 10, i, True) for code in ("en", "te") for i in range(20)]
    changed = [
        record("slt", "te", 10, i, False, reference={"condition": "english_rules"})
        for i in range(20)
    ]
    section = xm.summarize([*plain, *changed], **FAST)["families"]["xlgobench"]
    cell = section["tasks"]["slt"]["languages"]["te"]
    assert (cell["n"], cell["accuracy"], cell["difference"]["difference"]) == (20, 1.0, 0.0)


def test_questions_of_one_structure_count_as_one() -> None:
    """Where all questions of a level are one, four levels prove nothing, whatever they hold."""
    records = counted({"en": [36, 34, 32, 34], "te": [16, 14, 18, 16]}, 40, EIGHT[:4])
    alone = telugu(summarize(records, **FAST))["difference"]
    for one in records:
        one.reference["structure"] = f"c{one.reference['complexity']}"
    found = telugu(summarize(records, **FAST))["difference"]
    assert found["difference"] == pytest.approx(alone["difference"])
    assert (found["is_significant"], alone["is_significant"]) == (False, True)
