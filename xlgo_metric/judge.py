"""Judging answers by a model: how a family asks for it, and who may be asked.

A family whose answers can need a judge says which prompts a judge gets and what its replies mean.
Whoever answers the prompts is a function from a prompt to a reply: a server, a model of
lm-evaluation-harness, or anything else.
"""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .core import Grade, Json, Record, Table

Ask = Callable[[str], str]
"""A judge: from a prompt to a reply."""


def filled(template: str, values: Mapping[str, str]) -> str:
    """A prompt with values in the place of their names in braces; other braces stay."""
    names = "|".join(values)
    return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], template)


@dataclass(frozen=True)
class Question:
    """What a judge is asked in one call.

    Attributes:
        name: its kind, the same for all answers of a family.
        prompt_id: version of its wording.
        prompt: what the judge is sent.
        readable: whether a reply can be understood.
        repair: from a reply that cannot be understood to the request for a better one.
    """

    name: str
    prompt_id: str
    prompt: str
    readable: Callable[[str], bool]
    repair: Callable[[str], str]

    @property
    def key(self) -> str:
        """SHA-256 of wording and prompt, the key under which judgements are stored."""
        text = f"{self.name}\x1f{self.prompt_id}\x1f{self.prompt}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class CheckQuestion:
    """A question whose right answer is known, to check a judge.

    Attributes:
        item: its name, once in a check.
        question: what is asked.
        repeat: number of the repetition, from 0: a repeated question is asked again.
    """

    item: str
    question: Question
    repeat: int = 0


@dataclass(frozen=True)
class JudgeCheck:
    """How a family finds out whether a judge can be trusted.

    Attributes:
        questions: what the judge is asked.
        summarize: from its replies by item to how it did, in plain JSON types; a reply that is
            missing or cannot be understood counts as unread.
        tables: for people, of what ``summarize`` gives.
    """

    questions: Sequence[CheckQuestion]
    summarize: Callable[[Mapping[str, str]], dict[str, object]]
    tables: Callable[[Json], Sequence[Table]]


class Judge(ABC):
    """How a family has answers judged.

    Attributes:
        trial: a small question, to see before a run whether a judge answers as it is asked to.
    """

    trial: Question | None = None

    @abstractmethod
    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, object]
    ) -> Sequence[Question]:
        """What a judge is asked about one response, each question in a call of its own.

        Raises:
            ValueError: the reference lacks what a judge must know.
        """

    @abstractmethod
    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """The grade after a judge has replied.

        Its status is ``needs_judge`` still where a reply that it hangs on cannot be understood: it
        never counts as right or wrong then.

        Args:
            grade: of the response, as it was before.
            replies: to the questions, in their order; empty where no reply came or none was
                understood, ``None`` where the judge was not asked.
            judge: the name of the judge, for the result.
        """

    def check(self, records: Sequence[Record]) -> JudgeCheck | None:
        """How a judge is checked, on the questions of these records; ``None`` if it is not."""
        return None

    def simulated_judge_reply(self, request: str) -> str | None:
        """What the simulated model, as a judge, replies to a request of this family, by rule."""
        return None


def judged(
    grade: Grade, response: str | None, reference: Mapping[str, object], judge: Judge, ask: Ask
) -> Grade:
    """The grade of a response, decided by a judge if it needs one.

    What ``ask`` raises is passed on.
    """
    if grade.status != "needs_judge":
        return grade
    questions = judge.questions(grade, response or "", reference)
    return judge.decide(grade, [ask(question.prompt) for question in questions])
