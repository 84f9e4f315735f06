"""What runs in the worker's process: SymPy and math-verify, under the kernel's limits.

The process reads one question a line, a JSON list of a job and its texts, and writes one byte for
each. It never answers late: a question that takes more processor time than its job has
(``CPU_SECONDS``) ends it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from collections.abc import Callable

# Of a job. The paper's own is two; math-verify needs 0.6 at most for what it can read, and after a
# question that is stopped another process must start before the next is answered.
CPU_SECONDS = {"library": 1.0, "paper": 2.0}
# For a system without timers of processor time, and for work that waits.
WALL_SECONDS = 60.0
MEMORY = 2 << 30  # of addresses, in bytes; the libraries themselves take a quarter of it
READY, YES, NO = b"R", b"1", b"0"


def _library(gold: str, answer: str) -> bool:
    from .library_job import verified

    return verified(gold, answer)


def _paper(prediction: str, gold: str) -> bool:
    from .paper_symbols import same_symbols

    return same_symbols(prediction, gold)


JOBS: dict[str, Callable[[str, str], bool]] = {"library": _library, "paper": _paper}


def serve() -> None:
    """Answer the questions on standard input until it ends."""
    answers = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # nothing that a library prints may be taken for an answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to end
    _warm_up()
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.write(answers, READY)
    for line in sys.stdin:
        job, *texts = json.loads(line)
        faulthandler.dump_traceback_later(WALL_SECONDS, exit=True, file=nowhere)
        _limit(CPU_SECONDS[job])
        verdict = answer(job, texts)
        _limit(0)
        faulthandler.cancel_dump_traceback_later()
        os.write(answers, YES if verdict else NO)


def answer(job: str, texts: list[str]) -> bool:
    """The verdict of a job; False where the libraries fail, as they do on much that is no formula.

    Raises:
        MemoryError: it needs more than the process may have, which ends the process.
    """
    try:
        return JOBS[job](*texts)
    except MemoryError:
        raise
    except Exception:
        return False


def _limit(seconds: float) -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process


def _warm_up() -> None:
    """Import what the jobs need and build the parsers' tables, so that no question pays for it."""
    for job in JOBS:
        answer(job, [r"\frac{x}{2}", "0.5x"])
