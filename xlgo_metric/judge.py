"""Judging answers by a model: how a family asks for it, and who may be asked.

A family whose answers can need a judge says which prompts a judge gets and what its replies mean.
Whoever answers the prompts is a function from a prompt to a reply: a server, a model of
lm-evaluation-harness, or anything else.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from .core import Grade, Record, Table

Ask = Callable[[str], str]
"""A judge: from a prompt to a reply."""

ANSWER_LIMIT = 4_000_000
"""Bytes of a server's answer that are read."""


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


class JudgeCheck(Protocol):
    """How a family finds out whether a judge can be trusted."""

    @property
    def questions(self) -> Sequence[CheckQuestion]:
        """What the judge is asked."""

    def summarize(
        self, replies: Mapping[str, str], second: Mapping[str, str] | None = None
    ) -> dict[str, object]:
        """How the judge did, in plain JSON types.

        Args:
            replies: by item; one that is missing or cannot be understood counts as unread.
            second: those of another judge to the same questions.
        """

    def tables(self, found: Mapping[str, object]) -> Sequence[Table]:
        """Tables for people of what ``summarize`` found."""


class Judge(ABC):
    """How a family has answers judged."""

    @property
    def trial(self) -> Question | None:
        """A small question, to see before a run whether a judge answers as it is asked to."""
        return None

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


def self_preference(
    scores: Mapping[str, Mapping[str, float]], families: Mapping[str, str]
) -> list[dict[str, object]]:
    """How many ranks a model gains under a judge of its own family.

    Args:
        scores: by judge and model, a mean score of the same texts.
        families: of judges and models, by name.

    Returns:
        For each judge and model of one family ``judge``, ``model``, ``own`` (rank under that
        judge, 1 is best), ``others`` (mean rank under judges of other families) and
        ``preference`` (``others`` minus ``own``, positive if the judge favours it).
    """
    ranks = {
        judge: {name: 1 + sum(v > value for v in row.values()) for name, value in row.items()}
        for judge, row in scores.items()
    }
    preferences = []
    for judge, row in ranks.items():
        family = families.get(judge)
        for model, own in row.items():
            if family is None or families.get(model) != family:
                continue
            others = [
                other[model]
                for name, other in ranks.items()
                if model in other and families.get(name) != family
            ]
            if others:
                mean = fmean(others)
                preferences.append(
                    {"judge": judge, "model": model, "own": own, "others": mean,
                     "preference": mean - own}
                )  # fmt: skip
    return preferences


def ask_openai(
    url: str,
    model: str,
    *,
    api_key: str | None = None,
    max_tokens: int = 2048,
    temperature: float = 0.0,
    timeout: float = 120.0,
) -> Ask:
    """A critic behind an OpenAI-compatible server.

    Args:
        url: the full address of its chat completions, ending in ``/chat/completions``.
        model: its name there.
        api_key: sent as a bearer token where it is given.
        timeout: seconds for connecting and for each read.

    Returns:
        A function that raises ``ValueError`` where the server fails, answers out of form, or
        redirects: no redirect is followed, as the key would go to whomever it names.

    Raises:
        ValueError: the address is not one of http or https.
    """
    import urllib.error  # slow to import, and only this needs them
    import urllib.request

    class Stay(urllib.request.HTTPRedirectHandler):
        """Follows nothing: ``open`` then raises the redirect as an error."""

        def redirect_request(self, *_: Any) -> None:
            return None

    if not url.startswith(("http://", "https://")):
        raise ValueError(f"the critic's address {url!r} must begin with http:// or https://")
    opener = urllib.request.build_opener(Stay)
    headers = {"Content-Type": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"

    def ask(prompt: str) -> str:
        body = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        data = json.dumps(body).encode("utf-8")
        request = urllib.request.Request(url, data=data, headers=headers)
        try:
            with opener.open(request, timeout=timeout) as reply:
                answer = json.loads(reply.read(ANSWER_LIMIT))
            content = answer["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            target = error.headers.get("Location") if 300 <= error.code < 400 else None
            error.close()
            if target is not None:
                raise ValueError(
                    f"the critic at {url} redirects to {target!r:.200}, which is not followed: "
                    "give the address that answers"
                ) from None
            raise ValueError(f"the critic at {url} failed: {error}") from error
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(f"the critic at {url} failed: {error}") from error
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"the critic at {url} answered out of form: no {error}") from error
        return str(content or "")

    return ask


def ask_lm_eval(model: str, model_args: str = "", *, max_tokens: int = 2048) -> Ask:
    """A critic that is any model of lm-evaluation-harness.

    Args:
        model: its type there, such as ``hf`` or ``local-chat-completions``.
        model_args: its arguments, ``name=value`` with commas between.

    Raises:
        ValueError: the harness is not installed or does not know the model.
    """
    try:
        import lm_eval.models  # noqa: F401  (registers the models)
        from lm_eval.api.instance import Instance
        from lm_eval.api.registry import get_model
    except ImportError as error:
        raise ValueError(f"this critic needs lm-eval: {error}; install xlgo[eval]") from error
    try:
        critic = get_model(model).create_from_arg_string(model_args)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"lm-eval has no model {model!r} with {model_args!r}: {error}") from error

    def ask(prompt: str) -> str:
        settings = {"until": ["</answer>"], "max_gen_toks": max_tokens, "do_sample": False}
        request = Instance(
            request_type="generate_until", doc={}, arguments=(prompt, settings), idx=0
        )
        return str(critic.generate_until([request])[0])

    return ask
