"""What every test is watched for."""

import asyncio
import gc
import logging
import os
import pickle
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# Before anything reads them: what a user's shell says must not decide what the tests see.
_SHELL = (
    "COLUMNS", "EAGER_IMPORT", "FORCE_COLOR", "HF_DATASETS_OFFLINE", "HF_ENDPOINT",
    "HF_HUB_OFFLINE", "HF_TOKEN", "LMEVAL_LOG_LEVEL", "NO_COLOR", "PYTHONDONTWRITEBYTECODE",
    "XLGO_NO_HOOKS",
)  # fmt: skip
for _name in _SHELL:
    os.environ.pop(_name, None)
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command has it, whose tests come later
sys.dont_write_bytecode = False  # else every process that a test starts compiles all packages anew
gc.set_threshold(1_000_000)  # as the command does

import pytest  # noqa: E402

import xlgo_lm_eval  # noqa: E402
from xlgo_cli import workers  # noqa: E402
from xlgo_metric import core  # noqa: E402
from xlgo_metric.family import LOGGER  # noqa: E402

core.GROUP = ""  # families of other packages are not looked for in this process


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def caught(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What the guard caught: a test that asks for this expects graders to raise."""
    return caplog


@pytest.fixture(autouse=True)
def _no_grader_raises(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """A grader that raises would be hidden by the guard: the test fails then."""
    yield
    raised = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.name == LOGGER.name and record.levelno == logging.ERROR
    ]
    assert "caught" in request.fixturenames or not raised, raised


@pytest.fixture(autouse=True, scope="session")
def _no_process_because_the_machine_is_busy() -> Iterator[None]:
    """Grading stays in this process, however slow the machine; tests of others say when."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "PATIENCE", 60.0)
        yield


@pytest.fixture(scope="session")
def sim_server() -> Iterator[Any]:
    """A server of the simulated model on this machine."""
    from aiohttp import web

    from xlgo_cli.simulate.server import HOST, application
    from xlgo_cli.simulate.simulator import Simulator

    listening, loop = socket.create_server((HOST, 0)), asyncio.new_event_loop()
    settings = {"sock": listening, "print": None, "handle_signals": False, "loop": loop}
    thread = threading.Thread(
        target=web.run_app, args=[application(Simulator("demo"))], kwargs=settings
    )
    thread.start()
    yield SimpleNamespace(url=f"http://{HOST}:{listening.getsockname()[1]}")

    def leave() -> None:
        raise web.GracefulExit

    loop.call_soon_threadsafe(leave)
    thread.join()


@pytest.fixture(scope="module")
def graded_once() -> Iterator[None]:
    """What is asked of a folder that did not change is answered by the grades of the first time."""
    from xlgo_cli.logs import graded_run

    grade, graded = graded_run.score_folder, dict[str, Any]()

    def once(path: Any, **given: Any) -> Any:
        files = Path(path).rglob("*.*json*") if isinstance(path, Path) else ()
        state = [(file, file.stat().st_mtime_ns) for file in files if "report" not in file.parts]
        given.pop("quiet", None)
        key = repr((Path.cwd(), path, sorted(state), given))
        if key not in graded:
            graded[key] = grade(path, quiet=True, **given)
        return deepcopy(graded[key])  # a command adds to it

    with pytest.MonkeyPatch.context() as patch:
        for module in [one for one in sys.modules.values() if "score_folder" in vars(one)]:
            if module.score_folder is grade:
                patch.setattr(module, "score_folder", once)
        yield


_TASK_FILES = Path(xlgo_lm_eval.__file__).parent / "tasks"
_indexes: dict[tuple[Path, ...], bytes] = {}


@pytest.fixture(autouse=True, scope="session")
def _task_files_are_parsed_once() -> Iterator[None]:
    """The harness parses all task files at every run, which takes most of a small run's time.

    Only what it made of our own files is kept; those that a test writes are always parsed. The
    source of a function, which it looks up for each run's settings, is looked up once as well.
    """
    task, index = (sys.modules.get(f"lm_eval.{name}") for name in ("config.task", "tasks._index"))

    def parsed_once(paths: Sequence[Path], **options: Any) -> Any:
        key = tuple(paths)
        if options or not all(path.is_relative_to(_TASK_FILES) for path in key):
            return build(paths, **options)
        if key not in _indexes:
            _indexes[key] = pickle.dumps(build(paths))
        return pickle.loads(_indexes[key])  # a copy: the harness changes what it reads

    with pytest.MonkeyPatch.context() as patch:
        if task is not None and index is not None:  # else no test of this session uses it
            build: Callable[..., Any] = index.TaskIndex.build
            patch.setattr(index.TaskIndex, "build", staticmethod(parsed_once))
            patch.setattr(task, "getsource", cache(task.getsource))
        yield
