"""A simulated model: it reads a prompt, solves it, and is right as often as a profile says.

At complexity c it answers right with probability P(q/2, q / (2 r c^2)), the curve of XLGoBench,
with q and r of the task and language. The harness gives it the reference of a question; without
one, plain puzzles are read from the text of their prompts. Its answers depend on seed and prompt
alone, not on the order of the prompts, so it can be asked in parallel, interrupted and resumed.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.family import known_texts

from ..folders import read_settings

_ENGLISH = frozenset({"length_matched"})
"""Conditions under which a prompt is in English, whatever its language."""


@dataclass(frozen=True)
class Identified:
    """What a prompt asks.

    Attributes:
        task: of the dataset.
        language: in which it is asked.
        complexity: of the question; 0 where it shows none.
        answer: the correct one, as in references.
    """

    task: str
    language: str
    complexity: int
    answer: Any


def identify(prompt: str) -> Identified | None:
    """Read a plain prompt of any task that is simulated, in any language, if it is one."""
    for task, language, text in _candidates():
        try:
            instance = xd.read(task, prompt, language, text)
        except ValueError:
            continue
        return Identified(task, language, instance.complexity, xd.solve(instance))
    return None


def from_reference(reference: Mapping[str, Any]) -> Identified | None:
    """The question of a reference, if its task is simulated."""
    task, language = reference.get("task"), reference["language"]
    if task not in simulated():
        return None
    if reference.get("condition") in _ENGLISH:
        language = xd.LANGUAGES[0]
    return Identified(task, language, int(reference.get("complexity", 1)), reference["answer"])


@lru_cache(maxsize=1)
def simulated() -> dict[str, float]:
    """The tasks that are simulated, as their families say (``Family.half_right``)."""
    return {
        task: half
        for family in xd.FAMILIES.values()
        for task in family.TASKS
        if (half := family.half_right(task)) is not None
    }


@lru_cache(maxsize=1)
def _candidates() -> list[tuple[str, str, str]]:
    """Task, language and wording of what a prompt may be; tasks without complexities come last."""
    candidates = [
        (task, language, text)
        for task in simulated()
        for text in known_texts()
        if (family := xd.family_of(task)).reads_prompts and text in family.texts
        for language in family.languages(task)
    ]
    return sorted(candidates, key=lambda c: xd.family_of(c[0]).complexity_range(c[0]) is None)


PROFILES = Path(__file__).parent / "profiles"
UNKNOWN_PROMPT = "I do not know."

Profile = dict[tuple[str, str], tuple[float, float]]
"""q and r by task and language."""

_NO_ANSWER = "I worked through the puzzle but could not reach a conclusion."
_UNENDED = "<think>Let me go through this one step at a time. First,"
_HUNDRED = 100
_FORMS = (
    (72, "ANSWER"),
    (82, "Following the rules step by step, this is what I arrive at.\n\nANSWER"),
    (90, "```json\nANSWER\n```"),
    (_HUNDRED, "<think>Let me go through this one step at a time.</think>\nANSWER"),
)
"""Forms of responses, and the number out of a hundred below which a draw gives each."""
_MOST_OFF = 5
"""By so much a wrong number is too large at most."""


def load_profile(name: str) -> Profile:
    """Read a profile: ``{"tasks": {"slt": {"en": {"q": 8.1, "r": 1e-5}}}}``.

    Args:
        name: of a profile of the package, or the path of a JSON file.

    Raises:
        ValueError: there is no such profile, or the file does not hold one.
    """
    path, content = _content(name)
    try:
        profile = {
            (task, language): (float(curve["q"]), float(curve["r"]))
            for task, languages in content["tasks"].items()
            for language, curve in languages.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}: not a profile ({type(error).__name__}: {error}): it must look like "
            '{"tasks": {"slt": {"en": {"q": 8.1, "r": 1e-5}}}}'
        ) from error
    for (task, language), (q, r) in profile.items():
        if not (0 < q < math.inf and 0 < r < math.inf):
            raise ValueError(f"{path}: {task} {language}: q and r must be above 0, got {q} and {r}")
    return profile


def _content(name: str) -> tuple[Path, Any]:
    path = PROFILES / f"{name}.json"
    path = path if path.is_file() else Path(name)
    if not path.is_file():
        raise ValueError(
            f"unknown profile {name!r}: give the path of a JSON file or one of "
            f"{', '.join(sorted(file.stem for file in PROFILES.glob('*.json')))}"
        )
    return path, read_settings(path, kind="JSON")


class Simulator:
    """Answers prompts: puzzles and questions, translations (by a toy code), and those to a judge
    of translations (by rule).

    Args:
        profile: a name or path, see ``load_profile``. A language that it lacks is answered as
            well as English; a task that it lacks as its family says, the puzzles never right.
        seed: another seed gives other answers.

    Raises:
        ValueError: an unknown profile, or a seed that is none.
    """

    def __init__(self, profile: str = "demo", seed: int = 0) -> None:
        if not isinstance(seed, int):
            raise ValueError(f"seed must be an integer, got {seed!r}")
        self.name = f"xlgo-sim-{Path(profile).stem}"
        self._profile = load_profile(profile)
        path, content = _content(profile)
        try:
            # How it answers prompts beside puzzles, family after family.
            self._replies = [family.replies(content, seed) for family in xd.FAMILIES.values()]
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        self._seed = seed

    def answer(self, prompt: str, reference: Mapping[str, Any] | None = None) -> str:
        """The response to a prompt; a plain "I do not know" if its task is not simulated.

        Args:
            prompt: the text.
            reference: of the question; without it only plain puzzles are known.
        """
        from xlgo_metric.family import FAMILIES

        for reply in self._replies:
            if (judged := reply(prompt)) is not None:
                return judged
        for family in FAMILIES.values():
            if family.judge is not None and (verdict := family.judge.simulated_judge_reply(prompt)):
                return verdict
        recognised = identify(prompt) if reference is None else from_reference(reference)
        if recognised is None:
            return UNKNOWN_PROMPT
        stream = Stream("xlgo-sim", self._seed, hashlib.sha256(prompt.encode()).hexdigest())
        if self._is_right(recognised, stream):
            return _written(_worded(recognised.answer, recognised.task), stream)
        wrong = _worded(slip(recognised.answer, stream), recognised.task)
        return _unusable(wrong, stream) or _written(wrong, stream)

    def accuracy(self, task: str, language: str, complexity: int) -> float:
        """The probability of a right answer."""
        from xlgo_metric.statistics.gamma import gamma_accuracy

        curve = self._profile.get((task, language)) or self._profile.get((task, "en"))
        curve = curve or _usual_curve(simulated().get(task, 0.0))
        return float(gamma_accuracy(complexity, *curve)) if curve else 0.0

    def _is_right(self, question: Identified, stream: Stream) -> bool:
        draw = stream.uniform()
        stream.uniform()  # unused, so that what follows stays as it was in earlier releases
        size = max(1, question.complexity)  # some prompts do not show theirs
        return draw < self.accuracy(question.task, question.language, size)


def _usual_curve(half: float) -> tuple[float, float] | None:
    """q and r of the curve 1 - exp(-1 / (r c^2)), which is 1/2 at the complexity ``half``."""
    return (2.0, 1 / (half**2 * math.log(2))) if half else None


def slip(answer: Any, stream: Stream) -> Any:
    """A wrong answer of the same form: one number a little larger, or one sign another."""
    if isinstance(answer, dict):
        return {key: slip(value, stream) for key, value in answer.items()}
    if isinstance(answer, list):
        position = stream.integer(len(answer))
        return [*answer[:position], slip(answer[position], stream), *answer[position + 1 :]]
    if isinstance(answer, int):
        return answer + 1 + stream.integer(_MOST_OFF)
    positions = [i for i, sign in enumerate(answer) if sign.isascii() and sign.isalnum()]
    positions = positions or [i for i, sign in enumerate(answer) if sign not in "[]"]
    position = positions[stream.integer(len(positions))]
    signs = "123456789" if answer[position].isdigit() else "ABCD"
    signs = signs.replace(answer[position].upper(), "")
    return f"{answer[:position]}{signs[stream.integer(len(signs))]}{answer[position + 1 :]}"


def _worded(answer: Any, task: str) -> str:
    """The answer as it was asked for."""
    worded = xd.family_of(task).response(answer, task)
    return worded if isinstance(worded, str) else json.dumps(worded, ensure_ascii=False)


def _written(answer: str, stream: Stream) -> str:
    """A response that holds the answer: mostly bare, now and then wrapped."""
    style = stream.integer(_HUNDRED)
    return next(form for below, form in _FORMS if style < below).replace("ANSWER", answer)


def _unusable(answer: str, stream: Stream) -> str | None:
    """Of the wrong responses, six in a hundred hold no answer that can be read."""
    style = stream.integer(_HUNDRED)
    unreadable = (answer[: -1 - len(answer) // 4], _NO_ANSWER, _UNENDED)
    return unreadable[style // 2] if style < 2 * len(unreadable) else None
