"""What ``xlgo run`` was asked to do."""

from dataclasses import dataclass, field
from pathlib import Path

from xlgo_lm_eval import arguments
from xlgo_lm_eval.tasks.utils import Options

SIMULATED = "xlgo-sim"
"""The simulated model, which also judges by rule."""
BUDGET = 300
"""Prompts in each language of a task of an adaptive design."""


@dataclass(frozen=True)
class Adaptive:
    """How complexities are chosen (``--design adaptive``).

    Attributes:
        budget: prompts in each language of each task.
        c_min, c_max: the range of all tasks; ``None`` takes each task's own.
    """

    budget: int
    c_min: int | None = None
    c_max: int | None = None


@dataclass
class Request:
    """What is to be run.

    Attributes:
        tasks: names of tasks, groups or patterns, as given.
        model: name of the model for the harness.
        model_args: its arguments.
        output: where results go.
        metadata: everything for ``--metadata``, with the options of the tasks.
        include: a folder with task files of the user.
        limit: questions per task, as given.
        one_by_one: run the tasks one by one; ``None`` leaves it to their size.
        judge: the model that judges answers that need it; ``None`` for none.
        judge_args, judge_gen_kwargs: its options, as given.
        passed_on: all other options, for the harness.
        adaptive: how complexities are chosen; ``None`` where they are given.
        level: how much the harness logs; at INFO and below, its own tables are printed too.
        quiet: print nothing but the path of the report and what goes wrong.
        prices: a file with prices of tokens.
        is_size_chosen: the user chose the size of the run.
        sure: the user accepts any size (``--yes``), or asking costs nothing.
        partial: score what is there although answers are missing.
        fresh: begin again, without the answers that are kept.
        has_folder: ``output`` was given; else ``prepared`` settles it.
    """

    tasks: list[str]
    model: str
    model_args: Options
    output: Path
    metadata: Options
    include: Path | None = None
    limit: float | None = None
    one_by_one: bool | None = None
    judge: str | None = None
    judge_args: list[str] | None = None
    judge_gen_kwargs: list[str] | None = None
    passed_on: list[str] = field(default_factory=list)
    adaptive: Adaptive | None = None
    level: str = "WARNING"
    quiet: bool = False
    prices: Path | None = None
    is_size_chosen: bool = True
    sure: bool = True
    partial: bool = False
    fresh: bool = False
    has_folder: bool = True

    @property
    def model_name(self) -> str:
        """The name of the model for people: that in its arguments, or of its type."""
        return arguments.model_name(self.model_args) or self.model

    @property
    def is_verbose(self) -> bool:
        """Whether the harness's own output and log are shown."""
        return self.level in ("INFO", "DEBUG")

    @property
    def folder(self) -> Path:
        """The folder that the harness writes to; of an output file, its parent."""
        return self.output.parent if self.output.suffix == ".json" else self.output
