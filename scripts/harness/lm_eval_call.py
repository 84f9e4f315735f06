"""Handing over to the command line of lm-evaluation-harness, in this process."""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

INTERRUPTED = 130

_OURS = ("xlgo_dataset", "xlgo_metric", "xlgo_lm_eval", "xlgo_cli.cli")
_TRACKER = "lm_eval.loggers.evaluation_tracker"
_NOT_SAVED = "Could not save"
"""How the harness begins to say, and only say, that it could not write results."""


def check_model(name: str) -> None:
    """Register the models of this package, and refuse one that the harness does not know.

    Raises:
        ValueError: there is no model of that name, or a package that it needs is missing.
    """
    from xlgo_lm_eval import models

    from ..cli import EXTRAS
    from ..simulate.model import register

    register()
    models.register()
    from lm_eval.api.registry import MODEL_REGISTRY, get_model

    known = sorted(MODEL_REGISTRY.keys())
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3) or known
        raise ValueError(f"unknown model {name!r}: lm-eval knows, for example, {', '.join(near)}")
    try:
        get_model(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in EXTRAS:
            raise
        raise ValueError(
            f"--model {name} needs the package {error.name}, which is not installed"
        ) from error


def is_first_process() -> bool:
    """Of several processes that evaluate together, the first writes the results."""
    return all(os.environ.get(name, "0") == "0" for name in ("RANK", "LOCAL_RANK"))


def call(arguments: Sequence[str], folders: Sequence[Path], *, only_these: bool) -> int:
    """Run ``lm-eval run`` with the arguments, in this process.

    Args:
        arguments: as on the command line, without ``run``, which older releases do not know and
            newer ones add.
        folders: where task files are, besides the harness's own.
        only_these: look nowhere else; reading the harness's own ten thousand takes long.

    Returns:
        0, or the exit code of a failure, which has been printed; results that the harness could
        not write are one.
    """
    before = sys.argv
    sys.argv = ["lm-eval", *arguments]
    try:
        with _task_folders(folders, only_these), _without_hints(), _saved() as lost:
            from lm_eval.__main__ import cli_evaluate

            cli_evaluate()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # of a model or the harness: its own words say it best
        if _is_said(error):
            print(f"xlgo: {error}", file=sys.stderr)
        else:
            traceback.print_exc()
        return 1
    finally:
        sys.argv = before
    if lost:
        print("xlgo: not all results could be written: see above for the reason", file=sys.stderr)
    return 1 if lost else 0


def _is_said(error: Exception) -> bool:
    """The message alone tells a user what is wrong: it is ours, or names an unknown task."""
    if not isinstance(error, ValueError | OSError):
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    source = Path(frame.f_code.co_filename).resolve()
    ours = [importlib.import_module(name).__file__ for name in _OURS]
    return str(error).startswith("Tasks not found") or any(
        source.is_relative_to(Path(file).resolve().parent) for file in ours if file
    )


@contextlib.contextmanager
def _saved() -> Iterator[list[str]]:
    """Have samples written that hold half a character, and collect what could not be written.

    A server may cut an answer within a character (a surrogate without its other half). Such text
    has no UTF-8: the harness would lose it and all samples after it.
    """
    from lm_eval.loggers.evaluation_tracker import EvaluationTracker

    logger = logging.getLogger(_TRACKER)
    lost: list[str] = []
    warn, save = logger.warning, EvaluationTracker.save_results_samples

    def warning(message: object, *arguments: Any, **options: Any) -> None:
        if str(message).startswith(_NOT_SAVED):
            lost.append(str(message))
        warn(message, *arguments, **options)

    def save_encodable(tracker: Any, task_name: str, samples: Any) -> None:
        for sample in samples:
            for key in ("resps", "filtered_resps"):
                sample[key] = _encodable(sample[key])
        save(tracker, task_name, samples)

    vars(logger)["warning"] = warning
    EvaluationTracker.save_results_samples = save_encodable
    try:
        yield lost
    finally:
        del vars(logger)["warning"]
        EvaluationTracker.save_results_samples = save


def _encodable(value: Any) -> Any:
    """The same with U+FFFD for every half of a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(value, list | tuple):
        return type(value)(map(_encodable, value))
    return value


@contextlib.contextmanager
def _task_folders(folders: Sequence[Path], only_these: bool) -> Iterator[None]:
    """Let the harness look for tasks in several folders; its command line takes one only."""
    from lm_eval import tasks

    original = tasks.TaskManager

    def manager(*arguments: Any, **options: Any) -> Any:
        options |= {
            "include_path": [str(folder) for folder in folders],
            "include_defaults": not only_these,
        }
        return original(*arguments, **options)

    tasks.TaskManager = manager
    try:
        yield
    finally:
        tasks.TaskManager = original


@contextlib.contextmanager
def _without_hints() -> Iterator[None]:
    """Leave out what the harness tells the authors of tasks, once for every task."""
    logger = logging.getLogger("lm_eval.api.task")

    def is_for_users(record: logging.LogRecord) -> bool:
        return "Custom kwargs can be passed" not in record.getMessage()

    logger.addFilter(is_for_users)
    try:
        yield
    finally:
        logger.removeFilter(is_for_users)


@contextlib.contextmanager
def model_kept(name: str) -> Iterator[None]:
    """Load the model once for several calls: loading a large one takes minutes."""
    from lm_eval.api.registry import get_model

    model = get_model(name)
    makers = ("create_from_arg_obj", "create_from_arg_string")
    loaded: list[Any] = []

    def keep(make: Any) -> Any:
        @functools.wraps(make)
        def kept(*arguments: Any, **options: Any) -> Any:
            if not loaded:
                loaded.append(make(*arguments, **options))
            return loaded[0]

        return staticmethod(kept)

    own = {maker: vars(model).get(maker) for maker in makers}
    for maker in makers:
        setattr(model, maker, keep(getattr(model, maker)))
    try:
        yield
    finally:
        for maker, before in own.items():
            if before is None:
                delattr(model, maker)
            else:
                setattr(model, maker, before)
