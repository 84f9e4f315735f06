"""``--design adaptive``: languages and range of complexities of each task, settled beforehand."""

from __future__ import annotations

import functools
import itertools
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of, has_few
from xlgo_dataset.text.tokenizers import Count, counter
from xlgo_lm_eval.arguments import tokenizer_name
from xlgo_metric.core import PLAIN, condition
from xlgo_metric.option import codes
from xlgo_metric.statistics.adaptive.design import Design

from ..display.labels import ENGLISH
from .make_tasks import FoundTask
from .request import Adaptive, Request
from .task_names import one_language_each


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked; under a condition as
            ``way`` names it.
        design: the settings.
        alone: by language, the harness's task that asks it alone.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design
    alone: Mapping[str, str]

    @property
    def pairs(self) -> tuple[str, ...]:
        """The languages that may have a second stage, with English; none under conditions."""
        if ENGLISH not in self.languages or set(self.languages) - set(self.alone):
            return ()
        return tuple(code for code in self.languages if code != ENGLISH)


def designs(
    request: Request, tasks: Mapping[str, FoundTask], others: Sequence[str]
) -> dict[str, TaskDesign]:
    """The design of every task of the dataset; empty where it is not adaptive.

    Args:
        request: what is to be run.
        tasks: of the harness, of this package.
        others: tasks that are not of this package.

    Raises:
        ValueError: a task without complexities to choose, or a value that is not allowed.
    """
    adaptive = request.adaptive
    if adaptive is None:
        return {}
    unable = [name for name, task in tasks.items() if _range(task) is None]
    if unable or others:
        raise ValueError(
            f"--design adaptive: {[*unable, *others][0]} has no complexities to choose: leave it "
            "out, or run it with --design fixed"
        )
    by_task = {}
    for key in dict.fromkeys(task.spec.task for task in tasks.values()):
        of = {name: task for name, task in tasks.items() if task.spec.task == key}
        merged = [{**task.metadata, **request.metadata} for task in of.values()]
        named = [codes(str(m.get("xlgo_language") or m["languages"])) for m in merged]
        languages = list(dict.fromkeys(itertools.chain(*named)))
        low, high = _ends(key, languages, request, adaptive)
        asked = _ways(key, languages, low, request)
        precision = None if adaptive.precision is None else adaptive.precision / 100.0
        try:
            avoided = functools.partial(has_few, key)
            design = Design(low, high, len(asked), adaptive.budget, precision, avoided)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        single = one_language_each(of, request.metadata)
        coded = ((task.metadata.get("xlgo_language"), name) for name, task in single.items())
        alone = {str(code): name for code, name in coded if code is not None}
        by_task[key] = TaskDesign(tuple(of), asked, design, alone)
    return by_task


def _ways(
    task: str, languages: Sequence[str], complexity: int, request: Request
) -> tuple[str, ...]:
    """The languages in which a task is asked, with those under conditions."""
    given = {k: request.metadata[k] for k in ("conditions", "text") if k in request.metadata}
    if "conditions" not in given:
        return tuple(languages)
    family = xd.family_of(task)
    rows = family.questions(task, languages, complexities=[complexity], per_level=1, **given)
    asked = ((str(row["language"]), condition(json.loads(row["reference"]))) for row in rows)
    return tuple(way(*one) for one in asked)


def _range(task: FoundTask) -> tuple[int, int] | None:
    return xd.family(task.family).complexity_range(task.spec.task)


def _ends(
    task: str, languages: Sequence[str], request: Request, adaptive: Adaptive
) -> tuple[int, int]:
    """The range of a task: as given, or its own, cut to prompts that are not too long."""
    family = xd.family_of(task)
    own = family.complexity_range(task) or ()
    given = [
        end.get(task) if isinstance(end, dict) else end for end in (adaptive.c_min, adaptive.c_max)
    ]
    low, high = (mine if end is None else end for mine, end in zip(own, given))
    if low >= high:
        raise ValueError(f"--design adaptive: {task}: c_min {low} must be below c_max {high}")
    family.options(task, complexities=[low, high])
    if adaptive.max_prompt_tokens is not None:
        tokenizer = adaptive.tokenizer or tokenizer_name(request.model_args)
        if tokenizer is None:
            raise ValueError("which tokenizer counts the tokens? Give --tokenizer NAME")
        count = counter(tokenizer, marks=True)
        text = request.metadata.get("text", "paper")
        high = highest_within(
            task, languages, (low, high), limit=adaptive.max_prompt_tokens, count=count, text=text
        )
        if not request.quiet:
            print(
                f"{task}: complexities {low} to {high}: prompts of at most "
                f"{adaptive.max_prompt_tokens} tokens in every language"
            )
    return low, high


def way(language: str, condition_: str) -> str:
    """The name of a language under a condition; plain answers have that of the language alone."""
    return language if condition_ == PLAIN else f"{language}:{condition_}"


def highest_within(
    task: str,
    languages: Sequence[str],
    ends: tuple[int, int],
    *,
    limit: int,
    count: Count,
    text: str = "paper",
) -> int:
    """The highest complexity of a range whose prompts are short enough in every language.

    Prompts grow with their complexity, so it is found by halving.

    Args:
        task, languages, text: what is asked.
        ends: the range.
        limit: tokens that a prompt may have.
        count: what counts them.

    Raises:
        ValueError: not even those of the least complexities have so few.
    """
    low, high = ends
    family = generated_family_of(task)

    def tokens(complexity: int) -> int:
        instance = family.generate(task, complexity=complexity)
        return max(count(family.render(instance, language, text)) for language in languages)

    if (shortest := tokens(low + 1)) > limit:
        raise ValueError(
            f"--max-prompt-tokens {limit}: {task} needs {shortest} at complexity {low + 1}"
        )
    return low + bisect_right(range(low + 1, high + 1), limit, key=tokens)
