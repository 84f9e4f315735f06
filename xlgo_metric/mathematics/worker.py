"""One long-lived process for what is asked of SymPy, which may be killed.

SymPy's work has no bound that could be known beforehand, and a count of its calls depends on what
its caches hold. So it runs in a process of its own, whose processor time for one question is
limited by the kernel. A question that exceeds it ends the process, and the caller is told so; the
next question starts another.

The process is started by the first question, never by an import. It is a plain interpreter with a
command of its own: it does not import the user's script, so no ``__main__`` guard is needed.
"""

import atexit
import json
import os
import subprocess  # the project's own module in the same interpreter, nothing from outside
import sys
import threading
from pathlib import Path
from typing import IO

from .isolated import READY, YES

_COMMAND = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from xlgo_metric.mathematics.isolated import serve; serve()"
)


_ROOT = str(Path(__file__).parents[2])  # where the package stands, however it was found


class WorkerError(RuntimeError):
    """The process could not be started: the machine's fault, not the answer's."""


class Worker:
    """A process that answers yes or no, one question at a time; threads take turns."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.stop)

    def ask(self, kind: str, prediction: str, gold: str) -> bool | None:
        """The verdict on two answers; ``None`` if it exceeded its limits.

        Args:
            kind: who is asked, a name in ``isolated.ASKED``.
            prediction: an answer.
            gold: the answer that it is compared with.

        Raises:
            WorkerError: the process could not be started.
        """
        with self._lock:
            try:
                process = self._process or self._started()
                stdin, stdout = _pipes(process)
                try:
                    stdin.write(json.dumps([kind, prediction, gold]).encode() + b"\n")
                except BrokenPipeError:
                    answer = b""
                else:
                    answer = stdout.read(1)
            except BaseException:  # an interrupt: the next answer would be that of this question
                self.stop()
                raise
            if not answer:
                self.stop()
                return None
            return bool(answer == YES)

    @property
    def pid(self) -> int | None:
        """The process's id; ``None`` if none runs."""
        return None if self._process is None else self._process.pid

    def stop(self) -> None:
        """End the process, if there is one; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in _pipes(process):
                pipe.close()

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, *map(os.path.abspath, [*sys.path, _ROOT])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                # The order of SymPy's sets, and so its paths, do not vary from run to run.
                env=os.environ | {"PYTHONHASHSEED": "0"},
            )
        except OSError as error:
            raise WorkerError(
                f"the process that runs SymPy could not be started: {error}"
            ) from None
        self._process = process
        if _pipes(process)[1].read(1) != READY:
            self.stop()
            raise WorkerError(
                "the process that runs SymPy ended before it was ready; this shows why: "
                f"{sys.executable} -c 'import math_verify, sympy'"
            )
        return process

    def _forget(self) -> None:
        """In a forked child: the process is the parent's, so the child starts its own."""
        process, self._process = self._process, None
        self._lock = threading.Lock()
        if process is not None:
            process.returncode = 0  # not this process's to wait for
            for pipe in _pipes(process):
                pipe.close()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


WORKER = Worker()
"""The process of this interpreter."""
