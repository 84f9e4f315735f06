"""A simulated model: it reads a prompt, solves it, and is right as often as a profile says.

At complexity c it answers right with probability P(q/2, q / (2 r c^2)), the curve of XLGoBench,
with q and r of the task and language. Puzzles are read from the text of their prompts; of tasks
whose prompts are not read it knows the reference, where the harness gives it one. Its answers
depend on seed and prompt alone, not on the order of the prompts, so it can be asked in parallel,
interrupted and resumed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.family import family_of

from .causes import ALL, LENGTH_MATCHED, read_causes
from .identify import Identified, Referenced, from_reference, identify, simulated

PROFILES = Path(__file__).parent / "profiles"
UNKNOWN_PROMPT = "I do not know."

Profile = dict[tuple[str, str], tuple[float, float]]
"""q and r by task and language."""

_NO_ANSWER = "I worked through the puzzle but could not reach a conclusion."
_HUNDRED = 100
_MOST_OFF = 5
"""By so much a wrong number is too large at most."""


def profile_names() -> list[str]:
    """The profiles that come with the package."""
    return sorted(path.stem for path in PROFILES.glob("*.json"))


def load_profile(name: str) -> Profile:
    """Read a profile: ``{"tasks": {"slt": {"en": {"q": 8.1, "r": 1e-5}}}}``.

    Args:
        name: one of ``profile_names()``, or the path of a JSON file.

    Raises:
        ValueError: there is no such profile, or the file does not hold one.
    """
    path, text = _profile_text(name)
    try:
        tasks = json.loads(text)["tasks"]
        profile = {
            (task, language): (float(curve["q"]), float(curve["r"]))
            for task, languages in tasks.items()
            for language, curve in languages.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{path}: not a profile ({type(error).__name__}: {error}): it must look like "
            '{"tasks": {"slt": {"en": {"q": 8.1, "r": 1e-5}}}}'
        ) from error
    for (task, language), (q, r) in profile.items():
        if not (0 < q < math.inf and 0 < r < math.inf):
            raise ValueError(f"{path}: {task} {language}: q and r must be above 0, got {q} and {r}")
    return profile


def _profile_text(name: str) -> tuple[Path, str]:
    path = PROFILES / f"{name}.json"
    if not path.is_file():
        path = Path(name)
    try:
        return path, path.read_text("utf-8")
    except OSError:
        raise ValueError(
            f"unknown profile {name!r}: give the path of a JSON file or one of "
            f"{', '.join(profile_names())}"
        ) from None


class Simulator:
    """Answers prompts: puzzles and questions, translations (by a toy code), and those to a judge
    of translations (by rule).

    Args:
        profile: a name or path, see ``load_profile``. A language that it lacks is answered as
            well as English; a task that it lacks as its family says, the puzzles never right.
        seed: another seed gives other answers.
        correlation: in [0, 1]. Two languages answer the same question by one and the same draw with
            this probability; where they are equally accurate, it is the correlation of being
            right. At 0 they are independent.
        wording: see ``identify``.

    Raises:
        ValueError: an unknown profile, a correlation out of range, or no file of that wording.
    """

    def __init__(
        self,
        profile: str = "demo",
        seed: int = 0,
        correlation: float = 0.0,
        wording: str | None = None,
    ) -> None:
        if not 0 <= correlation <= 1:
            raise ValueError(f"correlation must lie between 0 and 1, got {correlation}")
        if wording is not None and not Path(wording).is_file():
            raise ValueError(f"wording {wording!r}: there is no such file")
        self.name = f"xlgo-sim-{Path(profile).stem}"
        self._profile = load_profile(profile)
        path, text = _profile_text(profile)
        try:
            self._causes = read_causes(json.loads(text))
            # How it answers prompts beside puzzles, family after family.
            self._replies = [f.replies(json.loads(text), seed) for f in xd.FAMILIES.values()]
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        self._seed = seed
        self._correlation = correlation
        self._wording = wording

    def answer(self, prompt: str, reference: Mapping[str, Any] | None = None) -> str:
        """The response to a prompt; a plain "I do not know" if its task is not simulated.

        Args:
            prompt: the text.
            reference: of the question, for tasks whose prompts are not read.
        """
        from xlgo_metric.family import FAMILIES

        for reply in self._replies:
            if (judged := reply(prompt)) is not None:
                return judged
        for family in FAMILIES.values():
            if family.judge is not None and (verdict := family.judge.simulated_judge_reply(prompt)):
                return verdict
        recognised = identify(prompt, wording=self._wording)
        if recognised is None and reference is not None:
            recognised = from_reference(reference)
        if recognised is None:
            return UNKNOWN_PROMPT
        stream = Stream("xlgo-sim", self._seed, hashlib.sha256(prompt.encode()).hexdigest())
        instance = recognised.instance
        is_known = isinstance(instance, Referenced)
        right = instance.reference["answer"] if is_known else xd.solve(instance)
        if self._is_right(recognised, prompt, stream):
            return _written(_worded(right, recognised), stream)
        wrong = _worded(slip(right, stream), recognised)
        return _unusable(wrong, stream) or _written(wrong, stream)

    def accuracy(self, task: str, language: str, complexity: int) -> float:
        """The probability of a right answer, before causes take theirs."""
        from xlgo_metric.statistics.gamma import gamma_accuracy

        curve = self._profile.get((task, language)) or self._profile.get((task, "en"))
        curve = curve or _usual_curve(simulated().get(task, 0.0))
        return float(gamma_accuracy(complexity, *curve)) if curve else 0.0

    def chance(self, found: Identified, prompt: str, english: str | None = None) -> float:
        """The probability of a right answer to a prompt: of its curve, less what causes take.

        Args:
            found: what the prompt is.
            prompt: its text.
            english: the plain English prompt of the same question, where it is at hand.
        """
        language = xd.LANGUAGES[0] if found.condition == LENGTH_MATCHED else found.language
        size = max(1, found.instance.complexity)  # some prompts do not show theirs

        def plain() -> str:
            return english or xd.render(found.instance, xd.LANGUAGES[0], found.text)

        costs = [self._causes[name] for name in (ALL, language) if name in self._causes]
        left = math.prod(cost.share(found.condition, prompt, plain) for cost in costs)
        return self.accuracy(found.task, language, size) * left

    def _is_right(self, found: Identified, prompt: str, stream: Stream) -> bool:
        draw = stream.uniform()
        # Both of two languages take the shared draw with probability sqrt(correlation)^2.
        if stream.uniform() < math.sqrt(self._correlation):
            content = json.dumps(found.instance.to_json(), sort_keys=True)
            digest = hashlib.sha256(content.encode()).hexdigest()
            draw = Stream("xlgo-sim", self._seed, "shared", digest).uniform()
        return draw < self.chance(found, prompt)


def _usual_curve(half: float) -> tuple[float, float] | None:
    """q and r of the curve 1 - exp(-1 / (r c^2)), which is 1/2 at the complexity ``half``."""
    return (2.0, 1 / (half**2 * math.log(2))) if half else None


def slip(answer: Any, stream: Stream) -> Any:
    """A wrong answer of the same form: one number a little larger, or one sign another."""
    if isinstance(answer, dict):
        return {key: slip(value, stream) for key, value in answer.items()}
    if isinstance(answer, list):
        place = stream.integer(len(answer))
        return [*answer[:place], slip(answer[place], stream), *answer[place + 1 :]]
    if isinstance(answer, int):
        return answer + 1 + stream.integer(_MOST_OFF)
    places = [i for i, sign in enumerate(answer) if sign.isascii() and sign.isalnum()]
    places = places or [i for i, sign in enumerate(answer) if sign not in "[]"]
    place = places[stream.integer(len(places))]
    signs = "123456789" if answer[place].isdigit() else "ABCD"
    others = [sign for sign in signs if sign != answer[place].upper()]
    return f"{answer[:place]}{others[stream.integer(len(others))]}{answer[place + 1 :]}"


def _worded(answer: Any, found: Identified) -> str:
    """The answer as it was asked for."""
    worded = family_of(found.task).response(answer, found.task)
    return worded if isinstance(worded, str) else json.dumps(worded, ensure_ascii=False)


def _written(answer: str, stream: Stream) -> str:
    """A response that holds the answer: mostly bare, now and then wrapped."""
    style = stream.integer(_HUNDRED)
    if style < 72:
        return answer
    if style < 82:
        return f"Following the rules step by step, this is what I arrive at.\n\n{answer}"
    if style < 90:
        return f"```json\n{answer}\n```"
    return f"<think>Let me go through this one step at a time.</think>\n{answer}"


def _unusable(answer: str, stream: Stream) -> str | None:
    """Of the wrong responses, six in a hundred hold no answer that can be read."""
    style = stream.integer(_HUNDRED)
    if style < 2:
        return answer[: -1 - len(answer) // 4]
    if style < 4:
        return _NO_ANSWER
    if style < 6:
        return "<think>Let me go through this one step at a time. First,"
    return None
