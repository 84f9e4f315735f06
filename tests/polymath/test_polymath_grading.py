"""Grading of mathematical answers in both modes, and the process that asks SymPy."""

import itertools
import os
import sys

import pytest

import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.mathematics.paper import published
from xlgo_metric.mathematics.paper.symbols import parse_python
from xlgo_metric.mathematics.worker import Worker, WorkerError

from .test_answer_equality import PAIRS, verdict

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
    assert found.status == status
    assert found.correct == (status == "correct")


def test_strict_is_one_proper_box():
    assert xm.grade(r"So $\boxed{42}$.", REFERENCE).strict
    assert not xm.grade(r"\boxed{41}, no, \boxed{42}", REFERENCE).strict
    assert not xm.grade(r"\boxed 42", REFERENCE).strict


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
    golds = itertools.cycle(("42", r"$\frac{1}{2}$", "$x^2+1$"))
    for answer, gold in zip(answers, golds):
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
            parse_python(code)
    assert str(parse_python("2*x + sqrt(9)")) == "2*x + 3"


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
    def broken(self, kind, prediction, gold):
        raise WorkerError("no process")

    published._library_verdict.cache_clear()
    monkeypatch.setattr(Worker, "ask", broken)
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
