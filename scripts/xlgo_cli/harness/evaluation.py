"""Evaluations by the harness's public API, of one model whose answers are kept as they arrive."""

import contextlib
import itertools
import json
import logging
import os
import textwrap
import traceback
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker, TrackioLogger, WandbLogger
from lm_eval.tasks import TaskManager
from lm_eval.utils import make_table

from xlgo_lm_eval.answers import (
    PLANNED,
    WROTE,
    Answer,
    Answers,
    check_run,
    digest,
    files_in,
    kept_in,
    own_file,
    rows_of,
    sha256_of,
    steps_of,
)
from xlgo_lm_eval.arguments import Settings, answer_arguments, redacted, redacted_json, written
from xlgo_lm_eval.chains import Recorded
from xlgo_lm_eval.patches import without_messages
from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from ..display.formats import count
from ..logs.results import models_in
from .judging.asking import JudgeBeside
from .make_tasks import harness_tasks
from .options import Request, is_first_process, make_model, without_hints
from .prepared import Prepared, run_of
from .progress import Progress

INTERRUPTED = 130
TRACEBACK = "xlgo_error.txt"
"""In the folder of the results: where a run failed, for those who can read it."""

Results = dict[str, Any]
"""What the harness gives back of an evaluation, or of one sample, by the names in its files."""

_TRACKER = "lm_eval.loggers.evaluation_tracker"
_NOT_SAVED = ("Could not save", "Error(")
_LOGGER = logging.getLogger("xlgo")
_LONGEST = 400
_OURS = frozenset({"xlgo_dataset", "xlgo_metric", "xlgo_lm_eval", "xlgo_cli"})


class Evaluator:
    """A model that is made once, and evaluated on any tasks.

    Args:
        run: what is to be run.
        manager: knows the tasks that are not of this package.
        progress: counts answers.
        beside: who judges chains as they end.

    Attributes:
        answers: those that are kept, and the open file for others, which the caller closes.
        wrote: the last event in which the files of a command were written, by command.

    Raises:
        ValueError: the folder holds another run, or another process writes to it.
    """

    def __init__(
        self, run: Prepared, manager: TaskManager, progress: Progress, beside: JudgeBeside | None
    ) -> None:
        self.run, self.progress, self._manager = run, progress, manager
        request, config, folder = run.request, run.config, run.request.folder
        options = {n: getattr(config, n) for n in ("batch_size", "max_batch_size", "device")}
        lm = make_model(request.model, config.model_args, **options)
        identity = run_of(request, config)
        arguments = json.dumps(answer_arguments(request.model_args), sort_keys=True, default=str)
        model = digest([identity["type"], arguments])
        self._planned, self.wrote = steps_of(folder)
        path = own_file(folder, lm.rank, lm.world_size)
        self.answers = Answers(path, identity, model=model, siblings=files_in(folder))
        judge, asker = (None, None) if beside is None else (beside.judge, beside.asker)
        self.model = Recorded(lm, self.answers, progress.arrived, judge, asker)

    def plan(self, parts: Mapping[str, Sequence[str]]) -> None:
        """Note the parts of the run, each by its command, for those who read the folder."""
        if is_first_process() and parts != self._planned:
            self.answers.note(PLANNED, parts=parts)

    def evaluate(self, tasks: Sequence[str], metadata: Settings) -> Results | None:
        """Have the harness evaluate tasks; its results with their samples.

        Args:
            tasks: their names.
            metadata: options of the tasks.

        Returns:
            ``None`` in a process that is not the first of several.

        Raises:
            Exception: whatever the harness, a task or the model raises.
        """
        config, request = self.run.config, self.run.request
        hub = {**config.hf_hub_log_args, "output_path": str(request.folder)}
        if token := os.environ.get("HF_TOKEN"):
            hub["token"] = token
        tracker = EvaluationTracker(**hub)
        names = ("random_seed", "numpy_random_seed", "torch_random_seed", "fewshot_random_seed")
        with without_hints():
            objects = harness_tasks(tasks, {**request.model_args, **metadata})
            objects += config.tasks if {*tasks} & {*self.run.foreign} else []
            results = simple_evaluate(
                self.model, model_args=dict(config.model_args), tasks=objects,
                num_fewshot=config.num_fewshot, batch_size=config.batch_size,
                max_batch_size=config.max_batch_size, device=config.device, limit=config.limit,
                samples=config.samples, write_out=config.write_out, log_samples=True,
                evaluation_tracker=tracker, system_instruction=config.system_instruction,
                apply_chat_template=config.apply_chat_template,
                fewshot_as_multiturn=config.fewshot_as_multiturn, gen_kwargs=config.gen_kwargs,
                task_manager=self._manager, predict_only=config.predict_only,
                confirm_run_unsafe_code=config.confirm_run_unsafe_code,
                **dict(zip(names, config.seed or [None] * 4)),
            )  # fmt: skip
        if results is not None:
            results["config"]["model"] = request.model
            tracker.general_config_tracker.model_source = request.model
            results["xlgo"] = {
                "versions": {
                    "xlgo": version("xlgo"),
                    "lm_eval": version("lm_eval"),
                    "reader": READER_VERSION,
                    "statistics": STATISTICS_VERSION,
                }
            }
            results["tracker"] = tracker
        return results

    def save(self, results: Results, command: str, **about: Any) -> None:
        """Write the harness's files: its results, and the samples with what came beside answers.

        Files that the same command wrote before are removed then.

        Args:
            results: of ``evaluate``.
            command: digest of what was asked.
            about: what else to record of it.

        Raises:
            OSError: not everything could be written.
        """
        tracker, samples = results.pop("tracker"), results.pop("samples")
        general = tracker.general_config_tracker
        general.model_name = redacted(general.model_name)
        general.model_name_sanitized = redacted(general.model_name_sanitized)
        results.update(redacted_json(results))
        if self.run.config.show_config:
            print(json.dumps(results, indent=2, default=str, ensure_ascii=False))
        failed = sum(_complete(row) for rows in samples.values() for row in rows)
        # The harness only logs that it cannot write, and not even that above the level of warnings.
        logging.getLogger(_TRACKER).setLevel(logging.INFO)
        with without_messages(_NOT_SAVED, _TRACKER) as lost:
            tracker.save_results_aggregated(results=results, samples=samples)
            for task in results["configs"]:
                tracker.save_results_samples(task_name=task, samples=samples[task])
        self._log_elsewhere(results, samples)
        if tracker.push_results_to_hub or tracker.push_samples_to_hub:
            tracker.recreate_metadata_card()
        if lost:
            raise OSError(f"not all results could be written: {'; '.join(dict.fromkeys(lost))}")
        folder = self.run.request.folder
        files = {
            path.relative_to(folder).as_posix(): sha256_of(path)
            for path in folder.rglob(f"*_{tracker.date_id}.json*")
        }
        event = {**about, "command": command, "missing": failed, "files": files}
        self.answers.note(WROTE, **event)
        if command in self.wrote:
            remove(folder, self.wrote[command]["files"].keys() - files)
        self.wrote[command] = event
        if self.run.request.is_verbose:
            print(
                "\n".join(
                    make_table(results, name) for name in ("results", "groups") if name in results
                )
            )

    def _log_elsewhere(self, results: Results, samples: Results) -> None:
        """Give results to the loggers of the harness that were asked for."""
        config = self.run.config
        wandb, trackio = config.wandb_args, config.trackio_args
        made: list[Any] = [
            wandb and WandbLogger(wandb, config.wandb_config_args),
            trackio and TrackioLogger(trackio),
        ]
        for logger in filter(None, made):
            logger.post_init(results)
            logger.log_eval_result()
            logger.log_eval_samples(samples)
            logger.run.finish() if hasattr(logger, "run") else logger.finish()


def task_manager(run: Prepared) -> TaskManager:
    """What knows the tasks of a run that are not of this package; their names go to its settings.

    Raises:
        ValueError: the harness has no such task.
    """
    request, config = run.request, run.config
    if not run.foreign:  # to read the harness's own ten thousand takes long
        return TaskManager(include_defaults=False)
    config.tasks = list(run.foreign)
    try:
        manager: TaskManager = config.process_tasks({**request.model_args, **request.metadata})
    except ValueError as error:
        raise ValueError(
            f"--tasks: {error} (xlgo tasks lists those of this package, lm-eval ls tasks those of "
            "the harness)"
        ) from error
    return manager


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files that events name."""
    for name in names:
        if ".." not in Path(name).parts and not Path(name).is_absolute():
            (folder / name).unlink(missing_ok=True)


def begin_again(folder: Path) -> None:
    """Remove the answers that a folder keeps and the files that its runs wrote."""
    with contextlib.suppress(ValueError):
        remove(folder, itertools.chain(*(event["files"] for event in steps_of(folder)[1].values())))
    for path in files_in(folder):
        path.unlink()


def check_folder(run: Prepared) -> None:
    """Refuse a folder with results of another model or design.

    Raises:
        ValueError: it says what differs.
    """
    folder, identity = run.request.folder, run_of(run.request, run.config)
    files = files_in(folder)
    for path in files:
        header = next((row for *_, row in rows_of(path)), None)
        if header is not None:
            check_run(path, header["run"], json.loads(json.dumps(identity, default=str)))
    name = redacted(run.request.model_name)
    if not files and (models := sorted({*models_in(folder)} - {name})):
        raise ValueError(f"{folder} holds results of {', '.join(models)}: choose another --out")


def failure(error: BaseException, request: Request) -> str:
    """Return why a run ended, in a line; a traceback that users cannot read goes into a file."""
    folder, words = request.folder, " ".join(str(error).split())
    kept, command = kept_in(folder), f"the same command{' without --fresh' * request.fresh}"
    resumes = f"; {count(kept)} answers are kept in {folder}: {command} resumes" * bool(kept)
    if isinstance(error, KeyboardInterrupt):
        return f"stopped{resumes}"
    _LOGGER.info("the run failed", exc_info=error)
    if _is_said(error):
        return f"{words}{resumes}"
    message = f"{type(error).__name__}: {textwrap.shorten(words, _LONGEST)}".removesuffix(": ")
    path = folder / TRACEBACK
    with contextlib.suppress(OSError):  # a full disk may be the very reason
        path.write_text(redacted("".join(traceback.format_exception(error))), encoding="utf-8")
        message += f" (the traceback is in {path})"
    return f"{message}{resumes}"


def _is_said(error: BaseException) -> bool:
    """Whether the message is enough for a user: it is ours."""
    if not isinstance(error, ValueError | OSError):
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return not _OURS.isdisjoint(Path(frame.f_code.co_filename).resolve().parts)


def _complete(sample: Results) -> int:
    """Add to a sample what came beside its answers; how many of them are missing or refused."""
    answers = [answer for of_request in sample["resps"] for answer in of_request]
    if not all(isinstance(answer, Answer) for answer in answers):
        return 0  # likelihoods
    sample["answers"] = [answer.about() for answer in answers]
    for request in sample["arguments"]:
        if len(request) > 1 and isinstance(request[1], dict):
            request[1].update(written(request[1]))
    return sum(answer.state != "answered" for answer in answers)
