"""Handing over to the command line of lm-evaluation-harness, in this process."""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import json
import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from xlgo_lm_eval.manifest import files_listed
from xlgo_lm_eval.patching import patched
from xlgo_lm_eval.redaction import redacted

from ..logs.lines import pairs
from .response_log import noted, saved

INTERRUPTED = 130
TRACEBACK = "xlgo_error.txt"
"""In the folder of the results: where a run failed, for those who can read it."""

_HINTING = ("lm_eval.api.task", "lm_eval.config.evaluate_config", "lm_eval.__main__")
_HINTS = ("Custom kwargs can be passed", "SHOULD ONLY BE USED FOR TESTING")

_LOGGER = logging.getLogger("xlgo")
_LONGEST = 400

_OURS = ("xlgo_dataset", "xlgo_metric", "xlgo_lm_eval", "xlgo_cli.cli")


def check_model(name: str, model_args: Sequence[str] | None = None) -> None:
    """Register our models, and refuse a model that the harness does not know.

    Args:
        name: its type, as for ``--model``.
        model_args: its arguments, where they are to be checked too.

    Raises:
        ValueError: there is no model of that name, or a package or an argument is missing.
    """
    if model_args is not None:
        _check_hf(name, model_args)
    from xlgo_lm_eval.models import register as register_completions

    from ..extras import EXTRAS
    from ..simulate.model import register

    register()
    register_completions()
    from lm_eval.api.registry import MODEL_REGISTRY, get_model

    known = sorted(MODEL_REGISTRY.keys())
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else f"allowed are {', '.join(known)}"
        raise ValueError(f"unknown model {name!r}: {meant}")
    try:
        get_model(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in EXTRAS:
            raise
        raise ValueError(
            f"--model {name} needs the package {error.name}, which is not installed"
        ) from error
    if model_args is not None:
        _check_tokenizer(name, model_args)


def keeping_replies(model: str, model_args: Sequence[str], folder: Path) -> tuple[str, list[str]]:
    """The model and its arguments with which finish reasons, thinking and tokens are kept.

    Args:
        model, model_args: as given.
        folder: of the results; the replies stand in a file there.
    """
    from xlgo_lm_eval.models import KEEPING
    from xlgo_lm_eval.replies import FILE

    keeping = KEEPING.get(model, model)
    if keeping not in KEEPING.values():
        return model, list(model_args)
    given = {"details": str((folder / FILE).resolve()), **pairs("--model_args", model_args)}
    return keeping, [json.dumps(given)]


def _check_hf(model: str, model_args: Sequence[str]) -> None:
    """Refuse the harness's default model, ``hf``, without a name of one.

    Raises:
        ValueError: it says what to give.
    """
    if model == "hf" and not pairs("--model_args", model_args).get("pretrained"):
        raise ValueError(
            "which model? Give --model hf --model_args pretrained=ORG/MODEL, or --model "
            "local-chat-completions --apply_chat_template --model_args model=NAME,base_url=URL; "
            "--model xlgo-sim --preset smoke tries everything with a simulated model "
            "(xlgo run --help)"
        )


def _check_tokenizer(model: str, model_args: Sequence[str]) -> None:
    """Refuse a completions server whose prompts would be tokenized by a package that is missing.

    Raises:
        ValueError: it says what to install, or how to do without.
    """
    if not is_api(model) or "chat" in model:
        return
    backend = pairs("--model_args", model_args).get("tokenizer_backend", "huggingface")
    if backend == "huggingface" and find_spec("transformers") is None:
        raise ValueError(
            f"--model {model} counts tokens with the package transformers, which is not "
            "installed: pip install 'xlgo[hf]', or add tokenizer_backend=None to --model_args"
        )


def is_api(model: str) -> bool:
    """Whether models of a type, which the harness knows, are behind an interface."""
    from lm_eval.api.registry import get_model
    from lm_eval.models.api_models import TemplateAPI

    kind = get_model(model)
    return isinstance(kind, type) and issubclass(kind, TemplateAPI)


def is_first_process() -> bool:
    """Of several processes that evaluate together, the first writes the results."""
    return all(os.environ.get(name, "0") == "0" for name in ("RANK", "LOCAL_RANK"))


def call(
    arguments: Sequence[str],
    folders: Sequence[Path],
    *,
    only_these: bool,
    noted_in: tuple[str, Path],
    gen_kwargs: Mapping[str, object] | None = None,
) -> int:
    """Run ``lm-eval run`` with the arguments, in this process.

    Args:
        arguments: as on the command line, without ``run``, which older releases do not know and
            newer ones add.
        folders: where task files are, besides the harness's own.
        only_these: look nowhere else; reading the harness's own ten thousand takes long.
        noted_in: the model, and the folder in which cut prompts and answers are noted.
        gen_kwargs: how the model answers, for the small request that finds out if its server does.

    Returns:
        0, or the exit code of a failure, which has been told in one line (its traceback stands in
        a file of the folder); results that the harness could not write are one.
    """
    try:
        with (
            patched(sys, "argv", ["lm-eval", *arguments]),
            _task_folders(folders, only_these),
            _without_hints(),
            saved() as lost,
        ):
            from lm_eval.__main__ import cli_evaluate

            with (
                files_listed(noted_in[1]),
                noted(*noted_in),
                _server_checked(noted_in[0], gen_kwargs or {}),
            ):
                cli_evaluate()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        print("xlgo: stopped", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # of a model or the harness: its own words say it best
        print(f"xlgo: {_told(error, noted_in[1])}", file=sys.stderr)
        return 1
    if lost:
        print("xlgo: not all results could be written: see above for the reason", file=sys.stderr)
    return 1 if lost else 0


def _told(error: Exception, folder: Path) -> str:
    """An error in one line; the traceback of one that is not ours goes to a file of ``folder``."""
    words = " ".join(str(error).split())
    if _is_said(error):
        return words
    _LOGGER.info("the run failed", exc_info=error)
    words = words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ..."
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    path = folder / TRACEBACK
    try:
        path.write_text(redacted("".join(traceback.format_exception(error))), encoding="utf-8")
    except OSError:  # a full disk may be the very reason
        return said
    return f"{said} (the traceback is in {path})"


def _is_said(error: Exception) -> bool:
    """Whether the message is enough for a user: it is ours, or names an unknown task."""
    if not isinstance(error, ValueError | OSError):
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    source = Path(frame.f_code.co_filename).resolve()
    ours = [importlib.import_module(name).__file__ for name in _OURS]
    return str(error).startswith("Tasks not found") or any(
        source.is_relative_to(Path(file).resolve().parent) for file in ours if file
    )


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

    with patched(tasks, "TaskManager", manager):
        yield


@contextlib.contextmanager
def _without_hints() -> Iterator[None]:
    """Hide the harness's messages to task authors, and those that do not apply to our tasks.

    Gaps of few questions are as wide as they are: the score says so by itself.
    """
    loggers = [logging.getLogger(name) for name in _HINTING]

    def is_for_users(record: logging.LogRecord) -> bool:
        message = record.getMessage()
        return not any(hint in message for hint in _HINTS)

    for logger in loggers:
        logger.addFilter(is_for_users)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_for_users)


@contextlib.contextmanager
def _server_checked(name: str, gen_kwargs: Mapping[str, object]) -> Iterator[None]:
    """Ask the server of a model something small when the model is made, before any prompt is."""
    from .preflight.server import checking

    with _made_by(name, lambda make: checking(make, gen_kwargs)):
        yield


@contextlib.contextmanager
def model_kept(name: str) -> Iterator[None]:
    """Load the model once for several calls: loading a large one takes minutes."""
    loaded: list[Any] = []

    def keep(make: Any) -> Any:
        def kept(*arguments: Any, **options: Any) -> Any:
            if not loaded:
                loaded.append(make(*arguments, **options))
            return loaded[0]

        return kept

    with _made_by(name, keep):
        yield


@contextlib.contextmanager
def _made_by(name: str, change: Callable[[Any], Any]) -> Iterator[None]:
    """Have the harness make a model by what ``change`` makes of its two ways."""
    from lm_eval.api.registry import get_model

    model = get_model(name)
    makers = ("create_from_arg_obj", "create_from_arg_string")
    with contextlib.ExitStack() as stack:
        for maker in makers:
            make = getattr(model, maker)
            changed = staticmethod(functools.wraps(make)(change(make)))
            stack.enter_context(patched(model, maker, changed))
        yield
