"""What makes two answers equal: labelled renderings, plain pairs, numbers worked out here."""

import itertools
import os
import random
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path
from unittest.mock import Mock

import pytest

import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.mathematics import grading
from xlgo_metric.mathematics.grading import plainly
from xlgo_metric.mathematics.paper import published, symbols
from xlgo_metric.mathematics.text import clean
from xlgo_metric.mathematics.worker import Worker, WorkerError

HERE = Path(__file__).parent
PAIRS = [line.split("\t") for line in (HERE / "pairs.tsv").read_text("utf-8").splitlines()]
EQUAL = [
    (r"10,\!080", "10080"), (r"57\ 500", "57500"), ("57{,}00", "57"), ("16,00", "16"),
    (".5", "1/2"),
    ("১৮", "18"), ("95分", "95"), (r"272\ heures", "272"), ("10%", "10"), ("50%", r"\frac12"),
    ("2516", "2516_8"), ("11", "1011_2"), ("18億円", "1800000000"), ("7 dozen", "84"),
    ("-1.3591409", r"-\frac{e}{2}"), ("0.333333", r"\frac13"), ("x=5", "5"), ("5", "x = 5"),
    ("x + y + z = 22", "22"), ("The value of $k$ is $x = 6$.", "6"),
    ("Yes, the equilibrium is stable.", "Yes"), ("True", "yes"), ("(E) Hyperbola", r"\text{(E)}"),
    ("√8", r"2\sqrt{2}"), ("sqrt(8)", r"2\sqrt{2}"), ("2pi/4", r"\frac{\pi}{2}"),
    (r"5x - 7y + 11z + 4 = 0", "-10x + 14y - 22z - 8 = 0"), (r"3 \pm 2", "1, 5"),
    ("b > a > c", "c < a < b"), ("1 < x < 2", "(1,2)"), ("[-1 ; 3]", "[-1,3]"), ("2, 1", "1,2"),
    (r"\{2, 1\}", r"\{1,2\}"), (r"n \equiv 1, 3 \pmod 4", r"n \equiv \pm 1 \pmod{4}"),
    ("3^{2017}-1", "3 \\cdot 9^{1008}-1"), (r"\frac{(2n)!}{n!}", r"\binom{2n}{n} n!"),
    (r"\begin{pmatrix} 0.2 \\ 2 \end{pmatrix}", r"\begin{pmatrix} 1/5 \\ 2 \end{pmatrix}"),
    ("0.428571", r"\frac{3}{7}"), ("0.4285714", r"\frac{3}{7}"), (r"\frac{3}{7}", "0.4285714"),
    ("1.41421", r"\sqrt{2}"), ("1011_2", "11"), ("1%", "1"), ("(c) Circle", "C"),
    ("57 500", "57500"), (r"\\frac{1}{2}", r"\frac12"), (r"x \neq 2", "x ≠ 2"),
    ("1.5e3", "1500"), ("2e-05", "0.00002"), (r"\{x : x > 3\}", "x > 3"),
    (r"n^2 + 1 \text{ for } n > 1", "n^2+1"), (r"\sin{x} y", r"y \sin x"),
    ("(-oo, 1) U (2, oo)", r"(-\infty, 1) \cup (2, \infty)"), ("2, 3", r"\boxed{2} or \boxed{3}"),
    (r"\log 2", r"\ln 2"), ("5 meters", r"5\text{ m}"), ("El valor es 13/24", r"\frac{13}{24}"),
    (r"\sum_{k=0}^{\infty} (k+2)(k+1) x^k", r"\sum_{n=0}^{\infty} (n+1)(n+2) x^n"),
]  # fmt: skip
DIFFERENT = [
    (r"\lambda=2\sqrt2, A(\pm1,0)", "0"), ("5 or more", "5"), ("at least 5", "5"), ("7 dozen", "7"),
    ("18億円", "18"), ("0.333", r"\frac13"), ("0.5%", "0.5"), ("10%", "11"), ("2m", "2"),
    ("2516_7", "2516_8"), ("x=5", "y=5"), ("0", "x - 3z = 0"), ("r = 7/2 or r = 4", "4"),
    ("x>3", "x<3"), ("[1,2)", "(1,2)"), ("(2,1)", "(1,2)"), (r"\{1,2\}", "(1,2)"),
    ("(3,1)", "(3,2)"), ("f(y) = x + 1", "f(x) = x + 1"), ("1.41421357", r"\sqrt{2}"),
    ("1,2,3", "1,2"), (r"\{1, 2, 3\}", r"\{1, 2\}"), ("-5x = 1", "5x = 1"),
    ("-x < 1", "x < 1"), ("listen", "silent"),
    ("No", "Yes"), ("(A)", "(B)"), ("N", "n"), (r"n \equiv 1 \pmod 4", r"n \equiv \pm 1 \pmod{4}"),
    ("2^{2024}", "2^{2024}-1"), (r"2^{99}+1", "2^{99}-1"), ("5 m", "5 cm"), ("m^2", "m"),
    (r"\lfloor \sqrt{n} \rfloor", r"\lfloor \sqrt{n-1} \rfloor"), ("3142", "3.142"),
    ('{"a": -3, "b": 4}', "a. 3, b. 4"), (r"\sum_{n=0}^{\infty} x^n", r"\sum_{n=1}^{\infty} x^n"),
    (r"\prod_{i=1}^{9} (4i-1)", r"\prod_{i=1}^{9} (4i+1)"), ("1:3:2", "1:2:3"), ("12", "1,2"),
    (r"\sum_{k=0}^{\infty} k x^k", r"\sum_{n=0}^{\infty} n y^n"),
    ("0.42857", r"\frac{3}{7}"), ("0.428579", r"\frac{3}{7}"), ("0.428572", r"\frac{3}{7}"),
    ("-0.428571", r"\frac{3}{7}"), ("1.41422", r"\sqrt{2}"), ("-1.41421", r"\sqrt{2}"),
    (r"m \equiv 1 \pmod 4", r"n \equiv 1 \pmod{4}"),
    (r"n \equiv 1 \pmod 8", r"n \equiv 1 \pmod{4}"),
    ("5 m^2", "5 m^3"), ("5 months", "5 minutes"), (r"half of \pi", r"\pi"), (r"x \ge 3", "x > 3"),
    (r"1 \le x < 2", "(1,2)"), ("x + 0.0001", "x"),
    (r"\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}", r"\begin{pmatrix}1 & 2 & 3 & 4\end{pmatrix}"),
]  # fmt: skip


def verdict(answer, gold, *mode, **options):
    grade = xm.grade_math(answer, gold, *mode, **options)
    assert "error" not in grade.details, (answer, gold, grade.details)
    return grade.correct


def test_equal():
    assert not [pair for pair in EQUAL if not verdict(rf"\boxed{{{pair[0]}}}", pair[1])]


def test_different():
    assert not [pair for pair in DIFFERENT if verdict(rf"\boxed{{{pair[0]}}}", pair[1])]
    for answer, gold in ((r"0.5\%", "0.5"), ("5 m", "5 cm")):
        assert not verdict(answer, gold)  # a box changes nothing


def test_pairs_that_need_no_formula():
    """Of the pairs made to be hard, those that the fast path decides: few errors, few lenient."""
    pairs = [pair for pair in PAIRS if "box" not in pair[2] + pair[3]]
    verdicts = [
        plainly(clean(answer), clean(gold), language) for _, language, gold, answer, _ in pairs
    ]
    lenient = [pair for pair, found in zip(pairs, verdicts) if found is True and pair[4] == "0"]
    assert sum(found is not None for found in verdicts) > 500
    assert len(lenient) <= 6, lenient


@pytest.mark.parametrize(
    ("style", "write"),
    [
        ("a/b", str),
        ("frac", lambda x: rf"{'-' * (x < 0)}\dfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"),
        ("percent", lambda x: rf"{float(x * 100)}\%"),
        ("decimal", lambda x: str(float(x))),
        ("grouped", lambda x: f"{float(x):,}"),
        ("box", lambda x: rf"$x = {float(x)}$."),
    ],
)
def test_numbers_are_those_that_are_written(style, write):
    stream = random.Random(4)
    values = [
        Fraction(stream.randint(-4000, 4000), stream.choice([1, 2, 4, 5, 8])) for _ in range(60)
    ]
    for value, other in itertools.product(values, values):
        same = value == other or (style == "percent" and 100 * value == other and abs(other) >= 1)
        assert plainly(clean(write(value)), clean(str(other))) == same, (value, other)


def test_groups_are_those_of_the_language_in_answers_alone():
    for language in ("de", "es", "fr", "id", "it", "pt", "ru", "vi"):
        for answer, gold in (("70.000", "70000"), (r"1.450 \text{ m}", "1450")):
            assert verdict(rf"\boxed{{{answer}}}", gold, language=language)
            assert not verdict(rf"\boxed{{{answer}}}", gold, language="en")
        assert not verdict(r"\boxed{70.000}", "7000", language=language)
        assert not verdict(r"\boxed{0.375}", "375", language=language)
    assert not verdict("3142", "3.142", language="de")  # references are written in English style


def test_boxes_side_by_side_are_one_list_and_none_of_them_the_answer():
    text = r"$x = \boxed{2}$ or $x = \boxed{3}$"
    assert verdict(text, "2, 3")
    assert xm.grade_math(text, "2").status == "bad_format"


def test_a_word_that_multiplies_counts_only_where_the_question_has_it():
    for question, correct in (("How many dozens of eggs?", True), ("How many eggs?", False)):
        grade = grading.grade_boxed(r"\boxed{7\text{ dozen}}", "7", question=question)
        assert grade.correct == correct


@pytest.mark.parametrize("mode", ["default", "paper"])
def test_an_exception_is_bad_format_and_named(monkeypatch, mode):
    broken = Mock(side_effect=ArithmeticError("no rule foresaw this"))
    monkeypatch.setattr(grading, "compare", broken)
    monkeypatch.setattr(grading, "grade_paper", broken)
    grade = xm.grade_math("1", "2", mode)
    assert (grade.correct, grade.status) == (False, "bad_format")
    assert grade.details["error"] == "ArithmeticError"


NAMED = {
    r"\ge": ("GREATER-THAN OR EQUAL TO", "GREATER-THAN OVER EQUAL TO",
              "GREATER-THAN OR SLANTED EQUAL TO"),
    r"\le": ("LESS-THAN OR EQUAL TO", "LESS-THAN OVER EQUAL TO", "LESS-THAN OR SLANTED EQUAL TO"),
    r"\ne": ("NOT EQUAL TO",),
    r"\in": ("ELEMENT OF",),
    r"\notin": ("NOT AN ELEMENT OF",),
    r"\cup": ("UNION",),
    r"\cap": ("INTERSECTION",),
    r"\lfloor": ("LEFT FLOOR",),
    r"\rfloor": ("RIGHT FLOOR",),
    r"\lceil": ("LEFT CEILING",),
    r"\rceil": ("RIGHT CEILING",),
    r"\pm": ("PLUS-MINUS SIGN",),
    r"\mp": ("MINUS-OR-PLUS SIGN",),
}  # fmt: skip
"""By command, the characters that mean it, as Unicode calls them."""


def test_a_sign_means_what_unicode_calls_it() -> None:
    for command, names in NAMED.items():
        for sign in map(unicodedata.lookup, names):
            assert clean(f"x {sign} 2") == clean(f"x {command} 2") == f"x {command} 2", sign


# Grading of mathematical answers in both modes, and the process that asks SymPy.


REFERENCE = {
    "family": "polymath",
    "task": "polymath",
    "language": "en",
    "level": "low",
    "answer": "$42$",
}


@pytest.mark.parametrize("kind", ["default", "paper"])
def test_every_gold_equals_itself(kind):
    golds = {gold for _, _, gold, _, _ in PAIRS if "boxed" not in gold}
    assert not [gold for gold in golds if not verdict(gold, gold, kind)]


@looped(
    ("response", "status"),
    [
        (r"\boxed{42}", "correct"),
        (r"<think>\boxed{41}</think> \boxed{42}", "correct"),
        (r"<think>\boxed{42}</think> \boxed{41}", "wrong"),
        (r"<think>the answer is \boxed{42}", "correct"),
        (r"so \boxed{42", "truncated"),
        ("The answer is 42.", "bad_format"),
        (r"put it in $\boxed{}$", "no_answer"),
        (r"~~$\boxed{42}$~~ $\boxed{41}$", "wrong"),
        (r"~~$\boxed{41}$~~ $\boxed{42}$", "correct"),
        (r"~~$\boxed{42}$~~", "bad_format"),
        (r"<del>\boxed{42}</del>", "bad_format"),
        ("", "no_answer"),
        (None, "no_answer"),
        (r"\boxed{" + "9" * 100_000 + "}", "bad_format"),
    ],
)
def test_statuses_of_responses(response, status):
    found = xm.grade(response, REFERENCE)
    assert (found.status, found.correct) == (status, status == "correct")


def test_strict_is_one_proper_box():
    assert xm.grade(r"So $\boxed{42}$.", REFERENCE).strict
    assert not xm.grade(r"\boxed{41}, no, \boxed{42}", REFERENCE).strict
    assert not xm.grade(r"\boxed 42", REFERENCE).strict
    assert not xm.grade("<answer>42</answer>", REFERENCE).in_form


HOSTILE = [
    "{" * 100_000, r"\boxed{" * 20_000, "9**9**9", "9^{9^{9}}", "9" * 1_000_000, "(" * 100_000,
    r"\frac{1}{" * 3_000 + "x" + "}" * 3_000, "x^{" * 300 + "2" + "}" * 300, r"\sqrt{" * 300,
    "1+" * 900 + "1", r"\text{" * 300, "|" * 1_000, "-" * 1_500 + "1", "1" + "!" * 1_500,
    r"\zeta(1.0001+1000i)", r"\\" * 900,
    "__import__('os').system('true')", "{,}" * 600, r"\begin{pmatrix}" * 50, "1&" * 900,
    "$" * 100_000, r"\int_0^1 \sin(\sin(\sin(x^2)))dx", "1." + "3" * 1_900,
]  # fmt: skip
HARD = [
    r"\sum_{n=1}^{10^9} n", r"\prod_{n=1}^{2000} n^{n^n}", r"\cos(10^{8000})",
    r"\Gamma(100000.5)", "(x+y+z)^{100}", r"\lfloor " * 39 + "5" + r"\rfloor" * 39,
]  # fmt: skip
"""Each has SymPy at work until its process is ended; of these, ``9^{9^{9}}`` is above."""


@pytest.mark.parametrize(
    ("mode", "answers"),
    [
        ("default", HOSTILE),
        pytest.param("default", HARD, marks=pytest.mark.slow),
        ("paper", [*HOSTILE[:10], HOSTILE[16]]),
    ],
    ids=["default", "hard", "paper"],
)
def test_hostile_answers_are_wrong_in_bounded_time(mode, answers):
    verdict("x", "y", mode)  # starts the process
    for answer, gold in zip(answers, itertools.cycle(("42", r"$\frac{1}{2}$", "$x^2+1$"))):
        with processor_seconds(2):
            assert not verdict(rf"\boxed{{{answer}}}", gold, mode), answer[:12]


# Mode "paper": the published semantics, as scoring.md words them.


@looped(
    ("answer", "gold", "right"),
    [
        ("3/4", "3/4", True),  # 2: equal as trimmed lower-case text
        ("N", "n", True),
        ("(B)", "B", True),  # 3: the last free-standing letter
        ("B or C", "B", False),
        ("500", "5", True),  # 4: numbers, also times or by a hundred
        ("5", "500", True),
        ("1000001", "1000000", True),
        ("1.001", "1", False),
        ("1,2", "12", True),
        (r"50\%", "0.5", True),
        ("(1,2)", "[1,2]", True),  # 8: brackets of either type
        ("(1,3)", "[1,2]", False),
        ("(2,1)", "(1,2)", False),
        (r"\frac{1}{23}", r"\frac{12}{3}", True),  # 7: braces deleted
        ("-(a+b)", "-a+b", True),
        (r"\{1,2\}", r"\{2,1\}", False),  # sets are ordered
        ("x=5", "5", True),  # 10: a short name
        ("x=5", "x=6", False),
        ("abc=5", "5", False),
        ("x+y=5", "5-x-y=0", True),
        (r"\frac{2}{4}", r"\frac{1}{2}", True),  # 11: by SymPy
        (r"(x+1)^2", "x^2+2x+1", True),
        ("9**9**9", "9", True),  # the LaTeX parser reads a prefix
        ("x<3", "x>3", True),
        ("tac", "cat", True),
        ("$5$", "5", False),  # dollar signs stay
        ("(3,2)", "$(3,2)$", False),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1.0&2\\3&4\end{pmatrix}", True),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", False),
    ],
)
def test_paper_mode_follows_the_published_rules(answer, gold, right):
    assert published.grade_paper(answer, gold, bare=True).correct == right


def test_paper_mode_takes_the_first_box_and_deletes_spaces():
    assert published.first_box(r"\boxed{1 2} then \boxed{3}") == (2, "12")
    assert published.first_box(r"\boxed{a\boxed{b}}") == (2, r"a\boxed{b}")
    assert published.first_box(r"\boxed{\boxed{5}") == (1, "5")  # an open box is skipped
    assert published.first_box(r"\boxed5 \boxed\{6\}") == (0, None)
    assert verdict(r"\boxed{41} \boxed{42}", "41", "paper")
    assert not xm.grade("no box: 42", REFERENCE | {"answer": "42", "mode": "paper"}).correct


def test_paper_mode_never_runs_python(tmp_path):
    target = tmp_path / "made"
    for code in (
        f"__import__('pathlib').Path(r'{target}').mkdir()",
        "(lambda: 1)()",
        "[1 for x in 'ab']",
    ):
        assert not verdict(rf"\boxed{{{code}}}", "7", "paper")
    assert not target.exists()
    for code in ("x.y", "f(1)", "'a'", "9**9**9", "1 if x else 2", "x[0]", "factorial(10**6)"):
        with pytest.raises((ValueError, SyntaxError)):
            symbols.parse_python(code)
    assert str(symbols.parse_python("2*x + sqrt(9)")) == "2*x + 3"


def test_the_published_question_that_asks_for_dozens_accepts_them():
    known = REFERENCE | {"answer": "7", "instance_id": "polymath-low-i18"}
    dozens = r"$\boxed{7\text{ dozen}}$"
    assert xm.grade(dozens, known).correct
    assert not xm.grade(dozens, known | {"instance_id": "polymath-low-i19"}).correct
    assert not xm.grade(dozens, known | {"answer": "61"}).correct


ENDLESS = (r"\prod_{n=1}^{2000} n^{n^n}", "7")


@pytest.fixture(scope="module")
def worker():
    """One for all tests: each leaves it in a state in which it answers."""
    made = Worker()
    yield made
    made.stop()


@pytest.mark.parametrize(
    "question",
    [
        ("library", "9^{9^{9^9}}", "42"),
        pytest.param(("paper", *ENDLESS), marks=pytest.mark.slow),
    ],
    ids=lambda question: question[0],
)
def test_a_question_too_hard_ends_the_process_and_leaves_none_behind(worker, question):
    assert worker.ask(question[0], "x", "x") is True
    before = worker.pid
    assert worker.ask(*question) is None
    assert worker.pid is None
    with pytest.raises(ProcessLookupError):  # not even one that nobody waited for
        os.kill(before, 0)
    assert worker.ask("paper", "x", "y") is False
    assert worker.pid not in (None, before)


def test_a_stopped_question_stands_in_the_details(monkeypatch):
    published._library_verdict.cache_clear()
    monkeypatch.setattr(Worker, "ask", lambda self, kind, prediction, gold: None)
    grade = xm.grade_math(r"\int x^3 dx", r"\int y^3 dx", "paper")
    assert (grade.status, grade.details["library"]) == ("wrong", "stopped")
    published._library_verdict.cache_clear()


def test_a_machine_without_processes_is_no_wrong_answer(monkeypatch):
    published._library_verdict.cache_clear()
    monkeypatch.setattr(Worker, "ask", Mock(side_effect=WorkerError("no process")))
    with pytest.raises(WorkerError, match="no process"):
        xm.grade_math(r"\int x^3 dx", r"\int y^3 dx", "paper")


def test_a_killed_process_is_replaced(worker):
    worker.ask("paper", "x", "x")
    os.kill(worker.pid, 9)
    assert worker.ask("paper", "x", "x") is None
    assert worker.ask("paper", "x", "x") is True


def test_a_process_that_cannot_start(worker, monkeypatch):
    worker.stop()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerError, match="could not be started"):
        worker.ask("paper", "x", "x")
    assert worker.pid is None
