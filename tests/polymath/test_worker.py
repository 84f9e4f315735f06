"""The process that runs math-verify and SymPy: started late, one for all, killed and said so."""

import os
import sys

import pytest

import xlgo_metric as xm
from xlgo_metric.mathematics.paper import published
from xlgo_metric.mathematics.worker import Worker, WorkerError

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
