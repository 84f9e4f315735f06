"""The ledger of a run in rounds: questions and outcomes, flushed line by line.

A line is a JSON object. The first says what the run is; every round has a line with its plan
before it is asked, and one with S, the number of languages right on each question, after it. Under
conditions S goes over all languages and conditions. What the second stage of a language may see,
how many of it and English were right, stands beside S; a round of a second stage has nothing else.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_lm_eval.replies import append_line, whole_lines
from xlgo_metric.core import PLAIN, condition
from xlgo_metric.scoring import grade_all
from xlgo_metric.statistics.adaptive.design import Asked

ENGLISH = "en"
"""The language with which others have a second stage."""

Cells = dict[int, tuple[int, ...]]
"""The indexes of the questions of each complexity."""

Answered = tuple[Asked, dict[str, int]]
"""A question with S, and by language the number right of it and English."""

_WAIT = 0.2


@dataclass(frozen=True)
class Round:
    """What a round asks.

    Attributes:
        cells: of every task.
        pair: the language whose second stage it is, with English; ``None`` for all languages.
    """

    cells: dict[str, Cells]
    pair: str | None = None


class Ledger:
    """The rounds of a run.

    Attributes:
        plans: what each round asks.
        right: for each round that was answered, its questions by task, with what came of them.
        settings: every setting that may change on the way (budget and precision), with the number
            of rounds that had been answered when it was made.
    """

    def __init__(self, path: Path, header: Mapping[str, object], *, writes: bool) -> None:
        """Open a ledger, or begin one.

        Args:
            path: of the file.
            header: what the run is; it must be what the file says.
            writes: of several processes that run together, one writes.

        Raises:
            ValueError: the file is of another run, or broken.
        """
        self.path = path
        self._writes = writes
        self.plans: list[Round] = []
        self.right: list[dict[str, list[Answered]]] = []
        self.settings: list[tuple[int, dict[str, object]]] = []
        lines = self._read()
        if lines and lines[0] != header:
            raise ValueError(
                f"{path.parent.parent} contains an adaptive run with a different model, questions "
                "or options: choose another --output_path or repeat those options"
            )
        if not lines:
            self._append(header)
        for number, line in enumerate(lines[1:], start=2):
            try:
                self._take(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise ValueError(
                    f"{path}:{number}: not a line of a ledger ({type(error).__name__}: {error})"
                ) from error

    def settle(self, settings: Mapping[str, object]) -> bool:
        """Note the settings; whether they were others when rounds had been answered."""
        if not self.settings or self.settings[-1][1] != settings:
            self._add({"settings": dict(settings), "answered": len(self.right)})
        return any(answered for answered, _ in self.settings)

    def plan(self, asked: Round) -> None:
        """Record the plan of the next round."""
        written = {task: _written(of) for task, of in asked.cells.items()}
        pair = {} if asked.pair is None else {"pair": asked.pair}
        self._add({"round": len(self.plans) + 1, **pair, "plan": written})

    def answer(self, right: Mapping[str, Sequence[Answered]]) -> None:
        """Note what came of the round that was planned last."""
        written = {task: [[*asked, of] for asked, of in found] for task, found in right.items()}
        self._add({"round": len(self.right) + 1, "right": written})

    def wait(self) -> None:
        """Wait until the process that writes has noted what came of the round."""
        number = len(self.right) + 1
        while True:
            for line in self._read():
                if line.get("round") == number and "right" in line:
                    self._take(line)
                    return
            time.sleep(_WAIT)

    def asked(self, task: str) -> list[Asked]:
        """All questions of a task that all languages were asked, with S."""
        return [question for question, _ in self._answered(task, None)]

    def asked_of_two(self, task: str, language: str) -> tuple[list[Asked], list[Asked]]:
        """The questions that a language and English were asked, with how many of the two were
        right: those of all languages, and those of its second stage."""
        first, second = (
            [(size, index, of[language]) for (size, index, _), of in self._answered(task, pair)]
            for pair in (None, language)
        )
        return first, second

    def _answered(self, task: str, pair: str | None) -> list[Answered]:
        return [
            question
            for asked, found in zip(self.plans, self.right)
            if asked.pair == pair
            for question in found.get(task, [])
        ]

    def _add(self, line: dict[str, object]) -> None:
        self._append(line)
        self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        if "settings" in line:
            self.settings.append((int(line["answered"]), line["settings"]))
        elif "plan" in line:
            cells = {
                task: {int(size): tuple(indexes) for size, indexes in of.items()}
                for task, of in line["plan"].items()
            }
            self.plans.append(Round(cells, line.get("pair")))
        else:
            self.right.append({
                task: [
                    ((int(size), int(index), int(s)), {name: int(t) for name, t in two.items()})
                    for size, index, s, two in of
                ]
                for task, of in line["right"].items()
            })  # fmt: skip

    def _append(self, line: Mapping[str, object]) -> None:
        if self._writes:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_line(self.path, line)

    def _read(self) -> list[dict[str, object]]:
        """The complete lines; a partial last line is dropped."""
        try:
            return [json.loads(line) for line in whole_lines(self.path, cut=self._writes)]
        except ValueError as error:
            raise ValueError(f"{self.path}: not a ledger ({error})") from error


def _written(cells: Cells) -> dict[str, list[int]]:
    return {str(size): list(indexes) for size, indexes in cells.items()}


def way(language: str, condition_: str) -> str:
    """The key of a language and condition in the ledger; plain answers have the language alone."""
    return language if condition_ == PLAIN else f"{language}:{condition_}"


def _is_right(sample: Mapping[str, Any], reference: dict[str, Any]) -> bool:
    """Whether an answer is right; one under a condition has no metric that would say so.

    Raises:
        ValueError: it was not graded.
    """
    if condition(reference) != PLAIN:
        return grade_all(sample["filtered_resps"][:1], [reference])[0].grade.correct
    if "acc" not in sample:
        raise ValueError(
            "an answer was not graded: an adaptive design needs grades (leave out --predict_only)"
        )
    return bool(sample["acc"] == 1)


def languages_right(
    files: Iterable[Path], asked: Round, languages: Mapping[str, Sequence[str]]
) -> dict[str, list[Answered]]:
    """Read the outcome of every question of a round from the harness's logs.

    Args:
        files: samples that the round wrote.
        asked: what it asked.
        languages: in which each task was asked, under a condition as ``way`` names it.

    Raises:
        ValueError: an answer is missing or was not graded.
    """
    correct: dict[tuple[str, int, int], dict[str, bool]] = {}
    for path in files:
        with path.open("rb") as lines:
            for line in lines:
                sample = json.loads(line)
                reference = json.loads(sample["doc"]["reference"])
                key = (reference["task"], reference["complexity"], reference["index"])
                name = way(reference["language"], condition(reference))
                try:
                    correct.setdefault(key, {}).setdefault(name, _is_right(sample, reference))
                except ValueError as error:
                    raise ValueError(f"{path}: {error}") from error
    right: dict[str, list[Answered]] = {}
    for task, of in asked.cells.items():
        for size, indexes in of.items():
            for index in indexes:
                answers = correct.get((task, size, index), {})
                for code in languages[task]:
                    if code not in answers:
                        raise ValueError(
                            f"{task}: no answer in {code} to question {index} of complexity "
                            f"{size} was logged"
                        )
                s = sum(answers[code] for code in languages[task])
                question = (size, index, s)
                right.setdefault(task, []).append((question, _of_two(answers, languages[task])))
    return right


def _of_two(answers: Mapping[str, bool], languages: Sequence[str]) -> dict[str, int]:
    """How many of each language and English are right; nothing without English."""
    if ENGLISH not in languages:
        return {}
    others = [code for code in languages if code != ENGLISH]
    return {code: answers[ENGLISH] + answers[code] for code in others}
