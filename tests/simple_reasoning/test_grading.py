"""Grading: oracles, wrong answers, forms that mean the same, hostile output; published numbers."""

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from statistics import fmean, mean, stdev
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_dataset.families.simple_reasoning import questions
from xlgo_metric.core import Grade, Record, values_of
from xlgo_metric.families.simple_reasoning import findings, summary, tables, tasks

from .transcripts import judged, simple_transcripts

simple_reasoning: Any = xd.family("simple_reasoning")

COUNTS = {"family": "easy", "task": "word_count", "answer": {"counts": [3, 4, 1]}}
ONE_WORD = {"family": "easy", "task": "word_count", "answer": {"counts": [7]}}
COUNT = {"family": "easy", "task": "char_count", "answer": {"counts": [7]}}
CHOICE = {"family": "easy", "task": "logic_eval", "answer": {"choice": "C"}}
NUMBER = {"family": "easy", "task": "proof_tree", "answer": {"number": 1234}}
TEMPLATE = "[(city1, city2, transportation_method), ...]"
TRIP = {
    "family": "easy", "task": "travel", "start": "Oslo", "end": "Bergen", "budget": 60, "visit": 3,
    "edges": [
        ["Oslo", "Moss", {"bus": 20, "train": 45}], ["Moss", "Bergen", {"bus": 40}],
        ["Oslo", "Bergen", {"bus": 15}], ["Bergen", "Moss", {"bus": 5}],
        ["Moss", "Oslo", {"bus": 1}],
    ],
    "answer": {},
}  # fmt: skip


def oracle(row):
    answer = json.loads(row["answer"])
    if row["task"] == "word_count":
        return f"The words appear [ {' , '.join(map(str, answer['counts']))} ] times."
    if row["task"] == "char_count":
        return f"The character appears #{answer['counts'][0]}# times."
    if "choice" in answer:
        return f"<answer>{answer['choice']}</answer>"
    if "number" in answer:
        return f"The final answer is $\\boxed{{{answer['number']}}}$."
    return str([tuple(leg) for leg in answer["itinerary"]])


def mutated(row):
    """The oracle's answer with one thing changed so that it is wrong."""
    answer = json.loads(row["answer"])
    if "counts" in answer:
        answer["counts"][-1] += 1
    elif "choice" in answer:
        answer["choice"] = "ABCD"["ABCD".index(answer["choice"]) - 1]
    elif "number" in answer:
        answer["number"] -= 1
    else:
        answer["itinerary"].pop()
    return oracle({"task": row["task"], "answer": json.dumps(answer)})


@pytest.mark.parametrize("task", questions.GENERATED)
def test_oracle_is_right_and_mutated_wrong(task):
    """In some languages; ``tests/harness/test_simple_oracle.py`` has every one."""
    for row in simple_reasoning.rows(task, simple_reasoning.languages(task)[::6], n=1):
        right, wrong = (
            xm.grade(oracle(row), row["reference"]),
            xm.grade(mutated(row), row["reference"]),
        )
        assert (right.correct, right.status, right.strict) == (True, "correct", True), row["id"]
        assert (wrong.correct, wrong.status) == (False, "wrong"), row["id"]
        values = values_of(tasks.measures(task), right, json.loads(row["reference"]))
        assert sorted(values) == sorted(one.name for one in tasks.measures(task))
        for none in (None, "", "I do not know."):
            assert xm.grade(none, row["reference"]).status == "no_answer"


@looped(
    ("reference", "text", "status"),
    [
        (COUNTS, "The words appear [ 3 , 4 , 1 ] times.", "correct"),
        (COUNTS, "**The words appear [3, 4, 1] times.**", "correct"),
        (COUNTS, "The words appear \\[ 3, 4, 1 \\] times", "correct"),
        (COUNTS, "The words appear [#3#, `4`, **1**] times", "correct"),
        (COUNTS, "The words appear [３, ４, １] times.", "correct"),
        (COUNTS, "First [1, 1, 1]. Finally: [3, 4, 1]", "correct"),
        (COUNTS, "The words appear [1, 1, 1] times. No: they appear [3,4,1] times.", "correct"),
        (COUNTS, "The words appear [3, 4] times.", "bad_format"),
        (COUNTS, "The words appear [3, four, 1] times.", "bad_format"),
        (COUNTS, "The words appear [3, 1, 4] times.", "wrong"),
        (COUNTS, "The words appear [ your answer for the first word , ... ] times.", "no_answer"),
        (COUNTS, "<think>The words appear [3, 4, 1] times.", "truncated"),
        (COUNTS, "<think>[3, 4, 1]</think> The words appear [3, 4, 2] times.", "wrong"),
        (ONE_WORD, "The words appear [ 7 ] times.", "correct"),
        (ONE_WORD, "The word appears 7 times.", "bad_format"),
        (COUNT, "The character appears #7# times.", "correct"),
        (COUNT, "It appears #your answer# times. The character appears 7 times", "bad_format"),
        (COUNT, "It appears 3 times in line 1. In all it appears **7** times.", "correct"),
        (COUNT, "The character appears $\\boxed{7}$ times.", "correct"),
        (COUNT, "The character appears #٧# times.", "correct"),
        (COUNT, "The character appears #7.0# times.", "correct"),
        (COUNT, "\\boxed{7}", "correct"),
        (COUNT, "7", "correct"),
        (COUNT, "The character appears #17# times.", "wrong"),
        (COUNT, "The character appears #8# times, and 7 is a nice number.", "wrong"),
        (CHOICE, "<answer>C</answer>", "correct"),
        (CHOICE, "<ANSWER> c </ANSWER>", "correct"),
        (CHOICE, "<answer>**C**</answer>", "correct"),
        (CHOICE, "<answer>Option C</answer>", "correct"),
        (CHOICE, "<answer>C: a: True, b: False</answer>", "correct"),
        (CHOICE, "<answer>\\boxed{C}</answer>", "correct"),
        (CHOICE, "<answer>Ｃ</answer>", "correct"),
        (CHOICE, "I answer in <answer>A, B, C, or D</answer>: so <answer>C</answer>", "correct"),
        (CHOICE, "<answer>C</answer> (as asked: <answer>A, B, C, or D</answer>)", "correct"),
        (CHOICE, "so it is <answer>C", "correct"),
        (CHOICE, "The answer is C.", "correct"),
        (CHOICE, "<answer>A</answer> no, <answer>C</answer>", "correct"),
        (CHOICE, "<answer>C</answer> no, <answer>A</answer>", "wrong"),
        (CHOICE, "**C: (a and b)**\n\nThe other options (A, B, D) don't work.", "correct"),
        (CHOICE, "The answer is\nC: (a and b)", "correct"),
        (CHOICE, "A: true\nC: (a and b)", "bad_format"),  # a list of options
        (CHOICE, "__So the answer is C__", "correct"),
        (CHOICE, "<answer>A or C</answer>", "bad_format"),
        (CHOICE, "<answer>none of them</answer>", "bad_format"),
        (CHOICE, "<answer>A, B, C, or D</answer>", "bad_format"),
        (NUMBER, "The final answer is $\\boxed{1234}$.", "correct"),
        (NUMBER, "The final answer is $\\boxed{#1234#}$.", "correct"),
        (NUMBER, "$\\boxed{1,234 \\text{ apples}}$", "correct"),
        (NUMBER, "\\boxed{\\text{1234}}", "correct"),
        (NUMBER, "\\boxed{\\frac{2468}{2}}", "correct"),
        (NUMBER, "\\boxed{\\dfrac{2468}{2}}", "correct"),
        (NUMBER, "\\boxed{2468/2}", "correct"),
        (NUMBER, "\\boxed{1234.0}", "correct"),
        (NUMBER, "\\boxed {1234}", "correct"),
        (NUMBER, "\\boxed{1} then \\boxed{1234}", "correct"),
        (NUMBER, "The final answer is 1234.", "correct"),
        (NUMBER, "\\boxed{1234} then \\boxed{1}", "wrong"),
        (NUMBER, "\\boxed{-1234}", "wrong"),
        (NUMBER, "\\boxed{12}34", "wrong"),
        (NUMBER, "\\boxed{1234 or 1235}", "bad_format"),
        (NUMBER, "\\boxed{many}", "bad_format"),
        (NUMBER, "\\boxed{1/0}", "bad_format"),
        (NUMBER, "\\boxed{12", "truncated"),
        (NUMBER, "about 1234 of them", "bad_format"),
    ],
)
def test_forms_of_an_answer(reference, text, status):
    assert xm.grade(text, reference).status == status


@looped(
    ("text", "violation"),
    [
        ("[('Oslo', 'Moss', 'bus'), ('Moss', 'Bergen', 'bus')]", None),
        ('[("Oslo", "Moss", "bus"), # $20\n ("Moss", "Bergen", "bus")  # [$40]\n]\n```', None),
        ("[(oslo, moss, BUS), (Moss, Bergen, bus)]", None),
        ("[[‘Oslo’, ‘Moss’, ‘bus’], [‘Moss’, ‘Bergen’, ‘bus’]] [1]", None),
        (f"Format: {TEMPLATE}\n[(Oslo,Moss,bus),(Moss,Bergen,bus)]", None),
        (f"[(Oslo,Moss,bus),(Moss,Bergen,bus)] as {TEMPLATE}", None),
        ("[(Oslo,Bergen,bus),(Bergen,Moss,bus),(Moss,Oslo,bus),(Oslo,Bergen,bus)]", None),
        ("Plan:\n1. Oslo → Moss: bus\n2. Moss → Bergen: bus", None),
        ("- **Oslo** -> Moss (bus)\n- Moss -> Bergen (bus)\n\nEnjoy!", None),
        ('[{"a":"Oslo", "b": "Moss", "c": "bus"}, {"a": "Moss", "b": "Bergen", "c":"bus"}]', None),
        ("1. Oslo → Bergen: bus", "too_few_cities"),
        ("[]", "empty"),
        ("[(Moss, Bergen, bus)]", "wrong_start"),
        ("[(Oslo, Moss, bus)]", "wrong_end"),
        ("[(Oslo, Moss, bus), (Oslo, Bergen, bus)]", "broken_chain"),
        ("[(Oslo, Moss, tram), (Moss, Bergen, bus)]", "unknown_connection"),
        ("[(Oslo, Rome, bus), (Rome, Bergen, bus)]", "unknown_connection"),
        ("[(Oslo, Moss, train), (Moss, Bergen, bus)]", "over_budget"),
        ("[(Oslo, Bergen, bus)]", "too_few_cities"),
        ("[(Oslo,Moss,bus),(Moss,Bergen,bus)] no: [(Oslo, Bergen, bus)]", "too_few_cities"),
    ],
)
def test_itineraries(text, violation):
    found = xm.grade(text, TRIP)
    assert found.details["violation"] == violation
    assert found.status == ("correct" if violation is None else "wrong")


def test_diagnostics_of_wrong_answers() -> None:
    text = "[(Oslo, Moss, bus), (Moss, Oslo, bus), (Oslo, Bergen, tram)]"
    known = {"violation": "unknown_connection", "leg": 3, "cost": None, "cities": 3}
    assert xm.grade(text, TRIP).details == known
    assert xm.grade("[(Oslo, Moss, bus), (Oslo, Bergen, bus)]", TRIP).details["leg"] == 2
    assert xm.grade("The character appears #9# times.", COUNT).details == {"off_by": "2"}
    drinks = {"family": "easy", "task": "unpuzzles", "domain": ["red", "red wine"]}
    said = "My final answer is: red wine, please"
    assert xm.grade(said, drinks | {"answer": {"text": "red wine"}}).correct


@looped(
    ("reference", "text"),
    [
        (TRIP, "[" + "('A', 'B', 'bus'), " * 1_000_000),
        (TRIP, "[" + "('Oslo', 'Moss', 'bus'), " * 1_000_000 + "]"),
        (TRIP, "[(" * 500_000),
        (TRIP, "[('" * 330_000),
        (TRIP, "[('a','b','c')" + "#" * 1_000_000),
        (TRIP, "[('a','b','c')" + " #\n" * 300_000),
        (TRIP, "[(" + "'" * 1_000_000),
        (TRIP, "[ " * 500_000),
        (NUMBER, "\\boxed{" * 140_000),
        (NUMBER, "\\boxed{" + "{" * 1_000_000),
        (NUMBER, "\\boxed{" + "9" * 1_000_000 + "}"),
        (NUMBER, "final answer is " * 60_000),
        (CHOICE, "<answer>" * 125_000),
        (CHOICE, "<answer>" + "A" * 1_000_000),
        (CHOICE, "<answer>" + " " * 1_000_000),
        (CHOICE, "<answer>((((" * 80_000),
        (COUNTS, "appears [" * 110_000),
        (COUNTS, "appears [" + "1," * 500_000 + "]"),
        (COUNTS, "[" + "1 " * 500_000),
        (COUNT, "appears " + "9" * 1_000_000),
        (COUNT, "appear" * 160_000),
        (COUNT, "appears " * 120_000),
        (COUNT, "#1" * 500_000),
        (COUNT, "<think>" * 140_000),
        (COUNT, "\ufdfa" * 300_000),
        (COUNT, "İ" * 300_000 + "appears 7 times"),
    ],
)
def test_hostile_output_costs_little(reference, text):
    text = text[:250_000] + text[-20:]
    with processor_seconds(1):
        assert not xm.grade(text, reference).correct or text.endswith("7 times")


@pytest.mark.parametrize(
    "reference",
    [
        {"family": "easy", "task": "chess", "answer": {}},
        {"family": "easy", "task": "travel", "answer": {}},
        {"family": "easy", "task": "proof_tree", "answer": {}},
    ],
)
def test_a_malformed_reference_is_named(reference):
    with pytest.raises(ValueError, match=r"chess|edges|number"):
        xm.grade("[('Oslo', 'Moss', 'bus')] \\boxed{1}", reference)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_all_transcripts(step: int) -> None:
    """By default a third of them, in which every style is; at most 2% falsely correct.

    A sentence without a label ("The character appears 7 times.") is not read, in any language.
    """
    transcripts = list(simple_transcripts())
    assert len(transcripts) > 3_500
    faults = [
        (transcript.style, fault, transcript.text)
        for transcript in transcripts[::step]
        if (fault := judged(xm.grade(transcript.text, transcript.reference), transcript))
    ]
    false = [fault for fault in faults if fault[1] == "false correct"]
    assert len(false) <= 0.02 * len(transcripts[::step])
    assert len(faults) <= 0.07 * len(transcripts[::step])


def test_the_paper_stands_beside_the_measured_cells():
    rows = list(simple_reasoning.rows("irrelevant", ["en"], n=1)) * 5
    score = xm.score([oracle(row) for row in rows], [row["reference"] for row in rows])
    table = next(one for one in xm.tables(score) if one.name == "irrelevant_en")
    assert len(table.rows) == 8
    shown = [dict(zip(table.headings(), row)) for row in table.shown()]
    row = next(r for r in shown if (r["trees"], r["sentences"]) == ("4", "60"))
    # Paper 002, Figure 4: P = 4, S = 60.
    assert row["o1"].startswith("0.25 ±")
    assert row["G3"].startswith("0.80 ±")
    assert (row["measure"], row["value"]) == ("pass@5", "1.00")
    assert "o1-2024-12-17" in table.caption


def test_every_published_cell_is_a_setting_of_the_default_rows():
    for task, table in summary.published()["tasks"].items():
        if task == "unpuzzles":
            continue
        params = [
            json.loads(r["reference"])["params"] for r in simple_reasoning.rows(task, ["en"], n=1)
        ]
        averaged = tasks.TASKS[task].averaged if task in tasks.TASKS else ()
        kept = [{name: x for name, x in p.items() if name not in averaged} for p in params]
        for cell in table["cells"]:
            own = {json.dumps(p) for p in kept if cell["params"].items() <= p.items()}
            assert len(own) == 1, (task, cell["params"])


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_subsets_with_a_right_response(n):
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        subsets = list(itertools.combinations([True] * c + [False] * (n - c), k))
        assert summary.pass_at_k(n, c, k) == pytest.approx(fmean(any(s) for s in subsets))


def test_the_half_width_gives_every_printed_interval():
    cells = [
        (round(cell["value"][model] * table["n"]), table["n"], half)
        for table in summary.published()["tasks"].values()
        for cell in table["cells"]
        for model, half in cell["half_width"].items()
        if half is not None
    ]
    assert len(cells) == 367
    for right, n, half in cells:
        values = [1.0] * right + [0.0] * (n - right)
        assert summary.paper_half_width(values) == pytest.approx(half, abs=0.0051)


# Several tasks, languages, settings and unequal numbers of responses, counted by fractions.


K = 3
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "proof_tree": [{"depth": 3}, {"depth": 6}, {"depth": 9}],
    "logic_eval": [
        {"depth": depth, "vocabulary": words} for depth in (4, 8) for words in ("letters", "words")
    ],
    "travel": [{"cities": 4}, {"cities": 6}],
}
"""Of the vocabulary the paper averages, so that it parts no cells."""
CELLS = {"proof_tree": 3, "logic_eval": 2, "travel": 2}
VARIANTS = ("original", "unpuzzle", "context_shifted")
STATUSES: Any = ("wrong", "wrong", "truncated", "no_answer")
GONE = ("empty", "too long", None)


@cache
def records() -> tuple[Record, ...]:
    """Two to five responses to a question; of UNPUZZLES, one each, of which some wait."""
    rng = random.Random(31)
    made = []
    for task, settings in SETTINGS.items():
        for code in ("en", "te", "ja"):
            for params in settings:
                for index in range(4):
                    for repeat in range(3 - (task == "travel") + (index + len(code)) % 3):
                        right = rng.random() < 0.6 - 0.2 * (code == "te") - 0.05 * repeat
                        status: Any = "correct" if right else rng.choice(STATUSES)
                        details = {"violation": rng.choice(GONE)} if not right else {}
                        reference: dict[str, Any] = {
                            "family": "easy", "task": task, "language": code, "params": params,
                            "instance_id": f"{task}-{index}", "answer": {"choice": "A"},
                            "options": ["x", "y", "z", "w"], "budget": 1,
                        }  # fmt: skip
                        grade = Grade(right, status, rng.random() < 0.5, None, details)
                        made.append(Record(grade, reference))
    for code in ("en", "te"):
        for variant in VARIANTS:
            for item in range(9):
                if (variant, item) == ("unpuzzle", 8):
                    continue
                right = rng.random() < (0.8 if variant == "original" else 0.4)
                waits = (item + len(variant)) % 5 == 0
                status = "needs_judge" if waits else "correct" if right else "wrong"
                made.append(Record(
                    Grade(right and not waits, status, False, None, {}),
                    {"family": "easy", "task": "unpuzzles", "language": code, "item": f"i{item}",
                     "instance_id": f"{variant}-{item}", "params": {"variant": variant}},
                ))  # fmt: skip
    return tuple(made)


@pytest.fixture(scope="module")
def section() -> Any:
    """What shortcuts score is tested elsewhere, on questions with all their parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "xlgo_metric.families.simple_reasoning.summary.shortcuts",
            lambda reference: {"guess": 0.25} if reference["task"] == "logic_eval" else {},
        )
        return summary.summarize(list(records()), k=K, draws=10)


def of(task: str, code: str) -> list[Record]:
    return [
        one for one in records()
        if (one.reference["task"], one.reference["language"]) == (task, code)
    ]  # fmt: skip


def by_question(rows: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for one in rows:
        found[f"{one.reference['instance_id']} {one.reference['params']}"].append(one)
    return found


def check(block: dict[str, Any], rows: Sequence[Record]) -> None:
    """All numbers of a block, from its responses."""
    questions = by_question(rows)
    assert (block["questions"], block["responses"]) == (len(questions), len(rows))
    judged = [
        own for own in questions.values() if all(r.grade.status != "needs_judge" for r in own)
    ]
    assert block["needs_judge"] == len(questions) - len(judged)
    shares = [Fraction(sum(r.grade.correct for r in own), len(own)) for own in judged]
    exact = float(mean(shares))
    assert block["accuracy"] == pytest.approx(exact)
    assert block["half_width"] == pytest.approx(2 * stdev(map(float, shares)) / sqrt(len(shares)))
    z = 1.959963984540054**2
    n = len(shares)
    for end in (block["low"], block["high"]):  # both ends solve Wilson's quadratic equation
        assert n * (exact - end) ** 2 == pytest.approx(z * end * (1 - end), abs=1e-9)
    assert block["low"] < exact < block["high"]
    statuses = Counter(one.grade.status for one in rows)
    assert {name: n for name, n in block["statuses"].items() if n} == dict(statuses)
    read = statuses["correct"] + statuses["wrong"]
    assert block["parsed"] == pytest.approx(read / len(rows))
    assert block["strict"] == pytest.approx(sum(r.grade.strict for r in rows) / len(rows))
    if min(map(len, questions.values())) < K:
        assert block["pass_at"] == {}
        return
    chances = [
        1 - Fraction(comb(sum(not r.grade.correct for r in own), K), comb(len(own), K))
        for own in judged
    ]
    assert block["pass_at"].keys() == {str(K)}
    assert block["pass_at"][str(K)]["accuracy"] == pytest.approx(float(mean(chances)))


def test_every_task_language_and_cell(section: Any) -> None:
    for task in SETTINGS:
        for code in ("en", "te", "ja"):
            block = section["tasks"][task]["languages"][code]
            rows = of(task, code)
            check(block, rows)
            assert block["floors"] == ({"guess": 0.25} if task == "logic_eval" else {})
            assert len(block["cells"]) == CELLS[task]
            for cell in block["cells"]:
                assert "vocabulary" not in cell["params"]
                check(cell, [
                    one for one in rows
                    if cell["params"].items() <= one.reference["params"].items()
                ])  # fmt: skip
            if task == "travel":
                told = Counter(one.grade.details.get("violation") for one in rows)
                del told[None]
                assert block["violations"] == dict(told)
            cut = sum(one.grade.status == "truncated" for one in rows)
            assert f"{task} ({code}): {cut} responses were truncated" in section["warnings"]


def test_variants_are_paired_by_item_in_each_language(section: Any) -> None:
    for code in ("en", "te"):
        block = section["tasks"]["unpuzzles"]["languages"][code]
        rows = of("unpuzzles", code)
        check(block, rows)
        right = {
            (one.reference["params"]["variant"], one.reference["item"]): one.grade.correct
            for one in rows
            if one.grade.status != "needs_judge"
        }
        cells = {(cell["baseline"], cell["other"]): cell for cell in block["variants"]}
        assert cells.keys() == set(combinations(VARIANTS, 2))
        for (one, other), cell in cells.items():
            pairs = [
                (right[one, f"i{item}"], right[other, f"i{item}"])
                for item in range(9)
                if (one, f"i{item}") in right and (other, f"i{item}") in right
            ]
            assert cell["n"] == len(pairs)
            assert cell["discordant"] == [pairs.count((True, False)), pairs.count((False, True))]
        (told,) = (text for text in section["warnings"] if text.startswith(f"unpuzzles ({code})"))
        assert f": {block['needs_judge']} questions of free form" in told


def test_what_waits_and_what_is_no_better_than_a_shortcut_is_told(section: Any) -> None:
    """A shortcut at the very end of an interval may be as good."""
    blocks = [block for *_, block in summary.parts_of(section["tasks"])]
    at_the_end = json.loads(json.dumps(section))
    for number, (*_, block) in enumerate(summary.parts_of(at_the_end["tasks"])):
        # Of proof trees in three languages and of logic in two the shortcut is at the limit.
        block["floors"] = {"guess": block["low"] - 1e-9 * (number > 4)}
    told = [text for _, text in findings.findings(at_the_end)]
    waiting = sum(block["needs_judge"] for block in blocks)
    assert f"{waiting} free-form questions wait for a judge and do not count yet." in told
    names = "proof trees, proof trees (te), proof trees (ja) and 2 more"
    assert f"Not significantly better than a shortcut without reasoning: {names}." in told


def test_tables_of_violations_and_of_many_models(section: Any) -> None:
    block = section["tasks"]["travel"]["languages"]["en"]
    shown = {table.name: table for table in tables.tables(section)}
    rows = shown["travel_en_violations"].rows
    assert dict(row[:2] for row in rows) == block["violations"]
    assert [row[2] for row in rows] == [row[1] / block["responses"] for row in rows]
    (beside,) = tables.many({"a": section, "b": section}, {})
    (first, _) = beside.rows
    english = [section["tasks"][task]["languages"]["en"] for task in SETTINGS]
    rates = [block["pass_at"].get(str(K), block)["accuracy"] for block in english]
    variants = section["tasks"]["unpuzzles"]["languages"]["te"]["cells"]
    rates += [cell["accuracy"] for cell in variants]
    assert beside.names == ("rank", "model", "mean", *SETTINGS, *VARIANTS)
    assert first[2:] == pytest.approx((fmean(rates), *rates))


def test_languages_with_other_questions_stand_in_a_table_of_their_own() -> None:
    """English is right everywhere, Telugu nowhere: its texts, and so its questions, are others."""
    rows = list(simple_reasoning.rows("char_count", ["en", "te"], n=1))
    said = [oracle(row) if row["language"] == "en" else None for row in rows]
    score = xm.score(said, [row["reference"] for row in rows], draws=2)
    (table,) = (one for one in xm.tables(score) if one.name == "languages_unpaired")
    n = sum(row["language"] == "te" for row in rows)
    assert table.rows[0][:7] == ("char_count", "te", n, 0, n, 1, 1)
    guess = xm.grade("<answer>A</answer>", CHOICE)
    for params, known in (({"released": 1}, False), ({}, True)):
        values = values_of(tasks.measures("logic_eval"), guess, CHOICE | {"params": params})
        assert ("floor_always_a" in values) is known
