"""What runs in the worker's process: SymPy, under the kernel's limits.

The process reads one question a line, a JSON list of two texts, and writes one byte for each. It
never answers late: a question that takes more processor time than its kind may ends it.
"""

import faulthandler
import json
import os
import signal
import sys
from importlib import import_module

WALL_SECONDS = 60.0
"""For a system without timers of processor time, and for work that waits."""
MEMORY = 2 << 30  # of addresses, in bytes; the libraries themselves take a quarter of it
READY, YES, NO = b"R", b"1", b"0"


def serve() -> None:
    """Answer the questions on standard input until it ends."""
    answers = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # nothing that a library prints may be taken for an answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to end
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warm: set[str] = set()
    os.write(answers, READY)
    for line in sys.stdin:
        kind, *pair = json.loads(line)
        if kind not in warm:  # imports, and the tables of the parsers: no question pays
            answer(kind, r"\frac{x}{2}", "0.5x")
            warm.add(kind)
        faulthandler.dump_traceback_later(WALL_SECONDS, exit=True, file=nowhere)
        _limit(ASKED[kind][2])
        verdict = answer(kind, *pair)
        _limit(0)
        faulthandler.cancel_dump_traceback_later()
        os.write(answers, YES if verdict else NO)


ASKED = {
    "library": (".library", "same_answer", 1.0),
    "paper": (".paper.symbols", "same_symbols", 2.0),
    "expressions": (".library", "same_expressions", 2.0),
}
"""Who decides on two answers: a module here, its function, and the seconds of processor time.

Of the real answers that math-verify was asked about, 99.9% took less than half a second. PolyMath's
published code gives its SymPy one second with the start of a process.
"""


def answer(kind: str, prediction: str, gold: str) -> bool:
    """The verdict; False where SymPy fails, as it does on much that is no formula.

    Raises:
        MemoryError: it needs more than the process may have, which ends the process.
    """
    module, name, _ = ASKED[kind]
    same = getattr(import_module(module, __package__), name)
    try:
        return bool(same(prediction, gold))
    except MemoryError:
        raise
    except Exception:
        return False


def _limit(seconds: float) -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process
