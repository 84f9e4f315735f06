"""The process that runs math-verify and SymPy: started late, one for all, killed and said so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import tracemalloc
from types import SimpleNamespace

import pytest

import xlgo_metric as xm
from xlgo_metric.mathematics.paper import published
from xlgo_metric.mathematics.worker import Worker, WorkerError

ENDLESS = (r"\prod_{n=1}^{2000} n^{n^n}", "7")
FORMULAS = [
    (r"\frac{2}{4}", r"\frac{1}{2}", True),
    ("(x+1)^2", "x^2+2x+1", True),
    ("x+1", "x+2", False),
    (r"\sqrt{4}", "2", True),
]


@pytest.fixture(scope="module")
def worker():
    """One for all tests: each leaves it in a state in which it answers."""
    made = Worker()
    yield made
    made.stop()


def run(code):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_no_process_without_need():
    found = run(
        r"""
        import xlgo_metric as xm
        from xlgo_metric.mathematics.worker import WORKER
        for answer, gold in ((r"\frac12", "0.5"), ("7", "8"), ("x+1", " x+1"), ("no", "yes")):
            xm.grade_math(rf"\boxed{{{answer}}}", gold)
        assert WORKER.pid is None
        assert xm.grade_math(r"\sqrt{8}", r"2\sqrt{2}").correct
        before = WORKER.pid
        assert before
        assert xm.grade_math(r"\frac{2}{4}", r"\frac{1}{2}", "paper").correct  # without a guard
        assert WORKER.pid == before
        print(before)
        """
    )
    assert found.returncode == 0, found.stderr
    with pytest.raises(ProcessLookupError):  # it ended with its parent
        os.kill(int(found.stdout), 0)


def test_one_process_answers_all_and_history_changes_nothing(worker):
    def ask(pairs):
        return {pair: worker.ask("paper", *pair[:2]) for pair in pairs}

    there = ask(FORMULAS)
    first = worker.pid
    back = ask(reversed(FORMULAS))
    assert worker.pid == first
    assert there == back == {pair: pair[2] for pair in FORMULAS}


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


@pytest.mark.skipif(sys.platform == "win32", reason="needs timers of processor time")
def test_the_limit_is_of_processor_time():
    found = run(
        """
        import time
        from xlgo_metric.mathematics.isolated import _limit
        _limit(0.3)
        time.sleep(1)  # waiting is no work
        print("waited", flush=True)
        while True:
            pass
        """
    )
    assert found.stdout == "waited\n"
    assert found.returncode == -signal.SIGPROF


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


def test_an_interrupt_leaves_no_answer_behind(worker, monkeypatch):
    def read(size):
        raise KeyboardInterrupt

    def interrupted(process):
        return process.stdin, SimpleNamespace(read=read, close=process.stdout.close)

    worker.ask("paper", "x", "x")
    monkeypatch.setattr("xlgo_metric.mathematics.worker._pipes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        worker.ask("paper", "x", "y")
    monkeypatch.undo()
    assert worker.ask("paper", "x", "x") is True


def test_a_process_that_cannot_start(worker, monkeypatch):
    worker.stop()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerError, match="could not be started"):
        worker.ask("paper", "x", "x")
    assert worker.pid is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_its_own(worker):
    worker.ask("paper", "x", "x")
    child = os.fork()
    if child == 0:
        good = worker.pid is None and worker.ask("paper", "x", "x") is True
        worker.stop()
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert worker.ask("paper", "y", "y") is True


# Mode "paper": what runs in the process, and what no longer costs memory.


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("{1,2}", "{2,1}", True),  # Python's sets have no order
        (r"\{1,2\}", r"\{2,1\}", False),  # lists of the LaTeX parser have one
        (r"\{1,\frac{1}{2}\}", r"\left\{1,1/2\right\}", True),
        (r"\{1,\frac{1}{2}\}", r"\{1,\frac{1}{3}\}", False),
        (r"4^{1/2}", r"\sqrt{4}", True),
        (
            r"\begin{pmatrix}1&2\end{pmatrix}+\begin{pmatrix}1&2\end{pmatrix}",
            r"\begin{pmatrix}2&4\end{pmatrix}",
            True,
        ),
        (r"\begin{pmatrix}\sqrt[3]{8}&2\end{pmatrix}", r"\begin{pmatrix}2&2\end{pmatrix}", True),
    ],
)
def test_paper_mode_on_sets_and_matrices(answer, gold, expected):
    assert published.grade_paper(answer, gold, bare=True).correct == expected


def test_paper_mode_survives_letters_and_products():
    letters = "".join(chr(ord("a") + place % 26) for place in range(240))
    product = "".join(f"({letter}+1)" for letter in letters[:50])
    for answer in (letters, product, "+".join(letters[:140])):
        grade = xm.grade_math(rf"\boxed{{{answer}}}", "x", "paper")
        assert grade.status == "wrong"
        assert "error" not in grade.details


def test_paper_mode_finds_a_nested_box_in_linear_memory():
    text = r"\boxed{" * 20_000 + "1" + "}" * 20_000
    tracemalloc.start()
    count, first = published.first_box(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert first == text[len(r"\boxed{") : -1]
    assert peak < 10_000_000
