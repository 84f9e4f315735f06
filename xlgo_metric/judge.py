"""Judging free answers to UNPUZZLES with a critic model (paper 002, appendix D.3).

The critic is asked two questions in separate calls. A response counts as right if its reasoning
is not different from the known solution ("no") and the known solution "supports" its conclusion.
By the paper's counts critics reject 12 to 80 percent of right responses and accept 0 to 8 percent
of wrong ones: the estimate is low.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .core import Grade
from .families.simple_reasoning.grading import grade
from .families.simple_reasoning.responses import lowered, places, reply_of

Ask = Callable[[str], str]
"""A critic: from a prompt to a response."""

DIFFERENT = """Here is a simple question:
{unpuzzle}
This simple question has the simple solution:
<correct solution>
{unpuzzle_solution}
</correct solution>
Is the reasoning in the following solution different, regardless of it is correct or not?
<second solution>
{response}
</second solution>
Please answer with <answer>yes or no</answer>"""

SUPPORTS = """The following are 2 solutions to a simple puzzle.
Solution 1: {unpuzzle_solution}
Solution 2: {response}
Compare the key points from both solutions step by step and then check whether Solution 1 \
‘supports’, ‘contradicts’ or ‘is not directly related to’ the conclusion in Solution 2.
Please answer with <answer>‘supports’, ‘contradicts’, or ‘is not directly related to’</answer>"""

RESPONSE_LIMIT = 20_000
"""Characters of a response that the critic sees, its end: a context has limits."""
ANSWER_LIMIT = 4_000_000
"""Bytes of a server's answer that are read."""

_FIELD = re.compile(r"\{(unpuzzle|unpuzzle_solution|response)\}")
_TAG = re.compile(r"<answer>([^<]{0,200})(?:</answer>|\Z)", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What a critic said.

    Attributes:
        correct: the rule above; ``None`` if one of the answers could not be understood.
        different: ``yes`` or ``no``; ``None`` if not understood.
        relation: ``supports``, ``contradicts`` or ``unrelated``; ``None`` if not understood.
    """

    correct: bool | None
    different: str | None
    relation: str | None


def judge(question: str, solution: str, response: str, ask: Ask) -> Verdict:
    """Ask a critic whether a response is right, given a correct solution.

    Only the end of the response is shown, without its thinking. ``ask`` is called twice; what it
    raises is passed on.
    """
    shown = reply_of(response).text.strip()[-RESPONSE_LIMIT:]
    values = {"unpuzzle": question, "unpuzzle_solution": solution, "response": shown}
    different = _choice(ask(_filled(DIFFERENT, values)), {"yes": "yes", "no": "no"})
    relation = _choice(
        ask(_filled(SUPPORTS, values)),
        {
            "supports": "supports",
            "contradicts": "contradicts",
            "is not directly related to": "unrelated",
            "not directly related": "unrelated",
        },
    )
    correct = None
    if different is not None and relation is not None:
        correct = different == "no" and relation == "supports"
    return Verdict(correct, different, relation)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _FIELD.sub(lambda match: values[match[1]], text)


def _choice(answer: str, choices: Mapping[str, str]) -> str | None:
    """The one choice that the last answer tag of a critic names."""
    text = reply_of(answer).text
    for start in places(lowered(text), "<answer>"):
        match = _TAG.match(text, start)
        if match is None:
            continue
        words = " ".join(re.findall(r"\w+", match[1].lower()))
        named = {value for choice, value in choices.items() if f" {choice} " in f" {words} "}
        if len(named) == 1:
            return named.pop()
    return None


def grade_with_critic(prediction: str | None, reference: Mapping[str, Any], ask: Ask) -> Grade:
    """Grade a response to UNPUZZLES, and let a critic judge what comparing words cannot.

    Raises:
        ValueError: the reference has no question or solution.
    """
    found = grade(prediction, reference)
    if not found.details.get("needs_critic") or not (prediction or "").strip():
        return found
    if not reference.get("question") or not reference.get("solution"):
        raise ValueError("a critic needs the 'question' and the 'solution' in the reference")
    verdict = judge(reference["question"], reference["solution"], prediction or "", ask)
    details = {
        "needs_critic": verdict.correct is None,
        "different": verdict.different,
        "relation": verdict.relation,
    }
    correct = bool(verdict.correct)
    return replace(
        found, correct=correct, status="correct" if correct else "wrong", details=details
    )


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
        A function that raises ``ValueError`` where the server fails or answers out of form.

    Raises:
        ValueError: the address is not one of http or https.
    """
    import urllib.request  # slow to import, and only this needs it

    if not url.startswith(("http://", "https://")):
        raise ValueError(f"the critic's address {url!r} must begin with http:// or https://")
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
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                answer = json.loads(reply.read(ANSWER_LIMIT))
            content = answer["choices"][0]["message"]["content"]
        except (OSError, ValueError) as error:
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
