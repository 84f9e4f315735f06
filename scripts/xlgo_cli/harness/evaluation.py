"""Evaluations by the harness's public API, of one model whose answers are kept as they arrive."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.answers import Answers, check_run, files_in, own_file, rows_of
from xlgo_lm_eval.arguments import answer_arguments, written
from xlgo_lm_eval.asking import Asker
from xlgo_lm_eval.chains import Ended
from xlgo_lm_eval.recorded import Recorded
from xlgo_lm_eval.redaction import hold_credential, redacted, redacted_json
from xlgo_lm_eval.replies import Answer, digest, sha256_of
from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from ..display.formats import count
from ..logs.completeness import PLANNED, WROTE
from ..logs.lines import SAME_BACKEND
from .models import is_first_process, make_model
from .preflight.harness_options import without_hints
from .preflight.server import check
from .progress import Progress
from .request import Request

INTERRUPTED = 130
TRACEBACK = "xlgo_error.txt"
"""In the folder of the results: where a run failed, for those who can read it."""
SETTINGS = "settings"
"""An event in the file of answers: settings that may change on the way."""

_LOGGER = logging.getLogger("xlgo")
_NOT_SAVED = "Could not save"
"""How the harness begins to say, and only say, that it could not write results."""
_ABOUT_LENGTH = re.compile("truncat|context length|too long|max(imum)? length", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_LONGEST = 400
_OURS = ("xlgo_dataset", "xlgo_metric", "xlgo_lm_eval", "xlgo_cli.cli")

_EXTENDED = ("languages", "per_level", "repeats")
"""Options of tasks by which a run is extended in its folder; with any other, it is another run."""


class Evaluator:
    """A model that is made once, and evaluated on any tasks.

    Args:
        request: what is to be run.
        config: the harness's settings (``preflight.harness_options.harness_config``).
        folders: where task files are, besides the harness's own.
        only_these: look nowhere else; reading the harness's own ten thousand takes long.
        lm: the model.
        answers: those that are kept, and the open file for others.
        progress: counts answers.
        ended, beside: see ``Recorded``.
    """

    def __init__(
        self,
        request: Request,
        config: Any,
        folders: Sequence[Path],
        *,
        only_these: bool,
        lm: Any,
        answers: Answers,
        progress: Progress,
        ended: Ended | None = None,
        beside: Asker | None = None,
    ) -> None:
        self.answers = answers
        self.missing = 0
        self.progress = progress
        self._request, self._config = request, config
        self._folders, self._only_these = folders, only_these
        self.model = Recorded(lm, answers, progress.arrived, ended, beside)

    def plan(self, parts: Mapping[str, Sequence[str]]) -> None:
        """Note the parts of the run, each by its command, for those who read the folder."""
        noted = self.answers.noted(PLANNED)
        if is_first_process() and not (noted and noted[-1]["parts"] == parts):
            self.answers.note(PLANNED, parts=parts)

    def evaluate(self, tasks: Sequence[str], metadata: Mapping[str, Any]) -> dict[str, Any] | None:
        """Have the harness evaluate tasks; its results with their samples.

        Args:
            tasks: their names.
            metadata: options of the tasks.

        Returns:
            ``None`` in a process that is not the first of several.

        Raises:
            Exception: whatever the harness, a task or the model raises.
        """
        from lm_eval import simple_evaluate
        from lm_eval.loggers import EvaluationTracker
        from lm_eval.tasks import TaskManager

        config, request = self._config, self._request
        metadata = {**request.model_args, **metadata}
        if self._only_these:
            folders = [str(folder) for folder in self._folders]
            manager = TaskManager(include_path=folders, include_defaults=False, metadata=metadata)
            tasks = manager.match_tasks(list(tasks))
        else:
            config.include_path = [str(folder) for folder in self._folders]
            config.tasks = list(tasks)
            manager = config.process_tasks(metadata)
            tasks = config.tasks
        hub = {**config.hf_hub_log_args, "output_path": str(request.output)}
        if token := os.environ.get("HF_TOKEN"):
            hub["token"] = token
        tracker = EvaluationTracker(**hub)
        names = ("random_seed", "numpy_random_seed", "torch_random_seed", "fewshot_random_seed")
        with without_hints(), collected("lm_eval", _ABOUT_LENGTH.search) as warnings:
            results = simple_evaluate(
                self.model, model_args=dict(config.model_args), tasks=list(tasks),
                num_fewshot=config.num_fewshot, batch_size=config.batch_size,
                max_batch_size=config.max_batch_size, device=config.device, limit=config.limit,
                samples=config.samples, write_out=config.write_out, log_samples=True,
                evaluation_tracker=tracker, system_instruction=config.system_instruction,
                apply_chat_template=config.apply_chat_template,
                fewshot_as_multiturn=config.fewshot_as_multiturn, gen_kwargs=config.gen_kwargs,
                task_manager=manager, predict_only=config.predict_only,
                confirm_run_unsafe_code=config.confirm_run_unsafe_code,
                **dict(zip(names, config.seed or [None] * 4)),
            )  # fmt: skip
        if results is not None:
            results["config"]["model"] = request.model
            tracker.general_config_tracker.model_source = request.model
            results["xlgo"] = {"versions": _versions(), "warnings": _alike(warnings)}
            results["tracker"] = tracker
        return results

    def save(self, results: dict[str, Any], command: str) -> bool:
        """Write the harness's files: its results, and the samples with what came beside answers.

        Files that the same command wrote before are removed then.

        Args:
            results: of ``evaluate``.
            command: digest of what was asked.

        Returns:
            Whether everything was written.
        """
        tracker, samples = results.pop("tracker"), results.pop("samples")
        general = tracker.general_config_tracker
        general.model_name = redacted(general.model_name)
        general.model_name_sanitized = redacted(general.model_name_sanitized)
        results.update(redacted_json(results))
        if self._config.show_config:
            print(json.dumps(results, indent=2, default=str, ensure_ascii=False))
        failed = 0
        for task, rows in samples.items():
            failed += sum(map(_complete, rows))
            held = sum(map(_holds_credential, rows))
            if held:
                _LOGGER.warning(
                    "%s: %d of %d samples hold a credential in a prompt, response or reference, "
                    "where nothing is changed: see to it before you share them",
                    task, held, len(rows),
                )  # fmt: skip
        self.missing += failed
        is_failure = lambda message: message.startswith(_NOT_SAVED)  # noqa: E731
        with collected("lm_eval.loggers.evaluation_tracker", is_failure) as lost:
            tracker.save_results_aggregated(results=results, samples=samples)
            for task in results["configs"]:
                tracker.save_results_samples(task_name=task, samples=samples[task])
        self._log_elsewhere(results, samples)
        if tracker.push_results_to_hub or tracker.push_samples_to_hub:
            tracker.recreate_metadata_card()
        if lost:
            return False
        files = {
            path.relative_to(self._request.folder).as_posix(): sha256_of(path)
            for path in self._request.folder.rglob(f"*_{tracker.date_id}.json*")
        }
        before = wrote(self.answers, command)
        self.answers.note(WROTE, command=command, missing=failed, files=files)
        remove(self._request.folder, before, keep=files)
        return True

    def show(self, results: Mapping[str, Any]) -> None:
        """Print the harness's tables."""
        from lm_eval.utils import make_table

        print(make_table(results))
        if "groups" in results:
            print(make_table(results, "groups"))

    def _log_elsewhere(self, results: Mapping[str, Any], samples: Mapping[str, Any]) -> None:
        """Give results to the loggers of the harness that were asked for."""
        from lm_eval.loggers import TrackioLogger, WandbLogger

        config, loggers = self._config, []
        if config.wandb_args:
            loggers.append(WandbLogger(config.wandb_args, config.wandb_config_args))
        if config.trackio_args:
            loggers.append(TrackioLogger(config.trackio_args))
        for logger in loggers:
            logger.post_init(results)
            logger.log_eval_result()
            logger.log_eval_samples(samples)
            logger.run.finish() if hasattr(logger, "run") else logger.finish()


@contextlib.contextmanager
def evaluator(
    request: Request,
    config: Any,
    folders: Sequence[Path],
    *,
    only_these: bool,
    progress: Progress,
    ended: Ended | None = None,
    beside: Asker | None = None,
) -> Iterator[Evaluator]:
    """Make the model of a run and open its answers; see ``Evaluator``.

    Raises:
        ValueError: the folder holds another run, another process writes to it, or the server of
            the model does not answer.
    """
    run = run_of(request, config)
    lm = make_model(
        request.model, config.model_args, batch_size=config.batch_size,
        max_batch_size=config.max_batch_size, device=config.device,
    )  # fmt: skip
    path = own_file(request.folder, lm.rank, lm.world_size)
    model = digest(
        [run["type"], json.dumps(answer_arguments(request.model_args), sort_keys=True, default=str)]
    )
    with Answers(path, run, model=model, beside=files_in(request.folder)) as answers:
        check(lm, config.gen_kwargs)
        yield Evaluator(
            request, config, folders, only_these=only_these, lm=lm, answers=answers,
            progress=progress, ended=ended, beside=beside,
        )  # fmt: skip


def run_of(request: Request, config: Any) -> dict[str, Any]:
    """Return what must not change in a folder: the model, how it answers, and the design."""
    design = {k: v for k, v in request.metadata.items() if k not in _EXTENDED}
    return redacted_json({
        "model": request.model_name,
        "type": SAME_BACKEND.get(request.model, request.model),
        "arguments": written(answer_arguments(request.model_args)),
        "generation": {
            "gen_kwargs": config.gen_kwargs,
            "chat_template": config.apply_chat_template,
            "system_instruction": config.system_instruction,
            "seed": config.seed,
        },
        "design": {**design, "data": xd.DATA_VERSION, "adaptive": _range_of(request)},
    })  # fmt: skip


def _range_of(request: Request) -> list[Any] | None:
    """The range of an adaptive design; its budget and precision may change on the way."""
    chosen = request.adaptive
    return None if chosen is None else [chosen.c_min, chosen.c_max, chosen.max_prompt_tokens]


def command_of(request: Request, tasks: Iterable[str]) -> str:
    """Return a digest of what some tasks of a run ask."""
    asked = [sorted(tasks), request.metadata, request.limit]
    return digest(json.loads(json.dumps(asked, default=str)))


def wrote(answers: Answers, command: str) -> list[dict[str, Any]]:
    """Return the events in which the files of a command were written."""
    return [event for event in answers.noted(WROTE) if event["command"] == command]


def remove(folder: Path, events: Iterable[Mapping[str, Any]], keep: Iterable[str] = ()) -> None:
    """Remove files that events name."""
    for name in {name for event in events for name in event["files"]} - {*keep}:
        if ".." not in Path(name).parts and not Path(name).is_absolute():
            (folder / name).unlink(missing_ok=True)


def is_done(answers: Answers, folder: Path, command: str) -> bool:
    """Whether a command was answered in full, and its files are still there."""
    events = wrote(answers, command)
    files = events[-1]["files"] if events else {}
    there = all((folder / name).is_file() for name in files)
    return bool(files) and there and not events[-1]["missing"]


def begin_again(folder: Path) -> None:
    """Remove the answers that a folder keeps and the files that its runs wrote."""
    for path in files_in(folder):
        with contextlib.suppress(ValueError):
            remove(folder, [row for *_, row in rows_of(path) if row.get("kind") == WROTE])
        path.unlink()


def check_folder(request: Request, config: Any) -> None:
    """Refuse a folder with results of another model or design.

    Raises:
        ValueError: it says what differs.
    """
    from ..logs.results import models_in

    folder, run = request.folder, run_of(request, config)
    files = files_in(folder)
    for path in files:
        header = next((row for *_, row in rows_of(path)), None)
        if header is not None:
            check_run(path, header["run"], json.loads(json.dumps(run, default=str)))
    if not files and (others := sorted({*models_in(folder)} - {redacted(request.model_name)})):
        raise ValueError(f"{folder} holds results of {', '.join(others)}: choose another --out")


def failure(error: BaseException, request: Request, kept: int) -> str:
    """Return why a run ended, in a line; a traceback that users cannot read goes into a file."""
    folder = request.folder
    again = "the same command without --fresh" if request.fresh else "the same command"
    resumes = f"; {count(kept)} answers are kept in {folder}: {again} resumes"
    if isinstance(error, KeyboardInterrupt):
        return f"stopped{resumes}"
    words = " ".join(str(error).split())
    if _is_said(error):
        return words + (resumes if isinstance(error, ConnectionError) else "")
    _LOGGER.info("the run failed", exc_info=error)
    words = words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ..."
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    path = folder / TRACEBACK
    try:
        path.write_text(redacted("".join(traceback.format_exception(error))), encoding="utf-8")
    except OSError:  # a full disk may be the very reason
        return said + (resumes if kept else "")
    return f"{said} (the traceback is in {path}){resumes if kept else ''}"


def _is_said(error: BaseException) -> bool:
    """Whether the message is enough for a user: it is ours, or names an unknown task."""
    if not isinstance(error, ValueError | OSError):
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    source = Path(frame.f_code.co_filename).resolve()
    ours = [import_module(name).__file__ for name in _OURS]
    return str(error).startswith("Tasks not found") or any(
        source.is_relative_to(Path(file).resolve().parent) for file in ours if file
    )


def _complete(sample: dict[str, Any]) -> int:
    """Add to a sample what came beside its answers; how many of them are missing or refused."""
    answers = [answer for of_request in sample["resps"] for answer in of_request]
    if not all(isinstance(answer, Answer) for answer in answers):
        return 0  # likelihoods
    sample["answers"] = [answer.about() for answer in answers]
    for request in sample["arguments"]:
        if len(request) > 1 and isinstance(request[1], dict):
            request[1].update(written(request[1]))
    return sum(answer.state != "answered" for answer in answers)


def _holds_credential(sample: Mapping[str, Any]) -> bool:
    return hold_credential(
        text for name in ("doc", "arguments", "resps") for text in _texts(sample[name])
    )


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _versions() -> dict[str, object]:
    return {
        "xlgo": version("xlgo"), "lm_eval": version("lm_eval"), "reader": READER_VERSION,
        "statistics": STATISTICS_VERSION,
    }  # fmt: skip


def _alike(messages: Iterable[str]) -> list[list[Any]]:
    """Warnings and how often each was given, those alike but for their numbers once."""
    first: dict[str, str] = {}
    counts = Counter[str]()
    for message in messages:
        kind = _NUMBER.sub("#", message)
        first.setdefault(kind, redacted(message))
        counts[kind] += 1
    return [[first[kind], times] for kind, times in counts.items()]


@contextlib.contextmanager
def collected(name: str, wanted: Any) -> Iterator[list[str]]:
    """Collect a harness logger's warnings, even if its level would suppress them."""
    logger = logging.getLogger(name)
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: (  # type: ignore[method-assign]
        messages.append(record.getMessage()) if wanted(record.getMessage()) else None
    )
    level = logger.level
    if logger.getEffectiveLevel() > logging.WARNING:
        logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
