"""The requests of tasks without complexities: single questions, chains, and their judging."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xlgo_cli.logs.costs import Prices
from xlgo_metric.family import family
from xlgo_metric.table import Column, Table

from ..make_tasks import FoundTask

if TYPE_CHECKING:
    from xlgo_lm_eval.chains import Step
    from xlgo_lm_eval.replies import Answer

BYTES_PER_TOKEN = 3
"""Of prompts in UTF-8: about 4 in English, 2 to 3 in Indic scripts (a rough estimate)."""
JUDGE_TOKENS = 300
"""Tokens of a judge's reply; a list of errors as JSON has 20 to 800."""


@dataclass(frozen=True)
class Asked:
    """What a task, or the judging of it, asks.

    Attributes:
        task: its name.
        who: ``model`` or ``judge``.
        questions: their number; to a judge, those about which it is asked.
        requests: the most that are sent where nothing fails.
        tokens_in: of all prompts.
        tokens_out: of all answers; ``None`` where nothing tells how long they are.
    """

    task: str
    who: str
    questions: int
    requests: int
    tokens_in: int
    tokens_out: int | None

    def price(self, prices: Prices | None, names: Mapping[str, str]) -> float | None:
        """What it costs, as far as that is known.

        Args:
            prices: the price list.
            names: of the model and the judge in it.

        Raises:
            ValueError: the list has no price of it.
        """
        if prices is None or self.tokens_out is None:
            return None
        return prices.of(names.get(self.who, self.who)).of(self.tokens_in, self.tokens_out)


def estimated(text: str) -> int:
    """Tokens of a text, from its size."""
    return len(text.encode()) // BYTES_PER_TOKEN


def asked(
    task: FoundTask,
    *,
    metadata: Mapping[str, Any] | None = None,
    limit: int | None = None,
    answer_tokens: int | None = None,
    judged: bool = True,
    count: Callable[[str], int] = estimated,
) -> list[Asked]:
    """The requests of a task to the model and to the judge.

    A chain is followed to its end: a translation is taken to be as long as its original, and no
    answer to be right where a wrong one is followed by another round.

    Args:
        task: one of this package.
        metadata: options of the task.
        limit: of its questions.
        answer_tokens: of an answer with its thinking; by default as many as the text to be
            translated has, and unknown elsewhere.
        judged: whether a judge is asked.
        count: tells how many tokens a text has.

    Raises:
        ValueError: the questions cannot be loaded.
    """
    from xlgo_lm_eval.tasks import utils

    metadata_of_task = {**task.metadata, **(metadata or {})}
    steps = _steps(task, metadata_of_task)
    of_family = family(task.family)
    questions = requests = tokens_in = tokens_out = 0
    answers_known = True
    of_judge: list[str] = []
    for doc in itertools.islice(utils.docs(**metadata_of_task), limit):
        reference = json.loads(str(doc["reference"]))
        original = reference.get("original")
        reply = original if isinstance(original, str) else ""
        prompts, response = _followed(None if steps is None else steps(doc), doc, reply)
        questions += 1
        requests += len(prompts)
        tokens_in += sum(map(count, prompts))
        if answer_tokens is not None:
            tokens_out += answer_tokens * len(prompts)
        elif reply:
            tokens_out += count(reply) * len(prompts)
        else:
            answers_known = False
        if judged and of_family.judge is not None:
            grade = of_family.grade(response, reference)
            if grade.status == "needs_judge":
                of_judge += [
                    q.prompt for q in of_family.judge.questions(grade, response, reference)
                ]
    name = task.spec.task
    estimates = [
        Asked(name, "model", questions, requests, tokens_in, tokens_out if answers_known else None)
    ]
    if of_judge:
        estimates.append(
            Asked(
                name, "judge", questions, len(of_judge), sum(map(count, of_judge)),
                JUDGE_TOKENS * len(of_judge),
            )
        )  # fmt: skip
    return estimates


def _steps(
    task: FoundTask, metadata: Mapping[str, Any]
) -> Callable[[Mapping[str, Any]], Step] | None:
    """What makes the chain of a question, where the task has chains."""
    if not task.spec.step:
        return None
    from xlgo_lm_eval.task import find_step

    maker = find_step(task.spec.step, task.family)
    if maker is None:
        raise ValueError(f"{task.spec.task}: unknown kind of chain {task.spec.step!r}")
    return lambda doc: maker(doc, metadata).step


def _followed(step: Step | None, doc: Mapping[str, object], reply: str) -> tuple[list[str], str]:
    """The prompts of a question where every answer is ``reply``, and the response that it makes."""
    from xlgo_lm_eval.chains import Ask
    from xlgo_lm_eval.replies import Answer
    from xlgo_lm_eval.tasks import utils

    if step is None:
        return [utils.doc_to_text(dict(doc))], reply
    history: list[Answer] = []
    prompts = []
    while (ask := step(history)) is not None:
        prompt = ask.prompt if isinstance(ask, Ask) else ask
        prompts.append(
            prompt if isinstance(prompt, str) else "\n".join(turn["content"] for turn in prompt)
        )
        history.append(Answer(reply))
    return prompts, json.dumps(step.outcome(history), ensure_ascii=False)


def table(
    found: Sequence[Asked], prices: Prices | None = None, names: Mapping[str, str] | None = None
) -> Table:
    """The requests for people, with their sum.

    Raises:
        ValueError: the price list has no price of the model or the judge.
    """
    rows: list[tuple[Any, ...]] = [
        (
            one.task, one.who, one.questions, one.requests, one.tokens_in, one.tokens_out,
            one.price(prices, names or {}),
        )
        for one in found
    ]  # fmt: skip
    if len(rows) > 1:
        sums = [_sum([row[place] for row in rows]) for place in (3, 4, 5, 6)]
        rows.append(("all", None, None, *sums))
    columns = [
        Column("task"),
        Column("who"),
        Column("questions", "count"),
        Column("requests", "count"),
        Column("tokens in", "count"),
        Column("tokens out", "count"),
    ]
    if prices is not None:
        columns.append(Column("price", "number", 2))
        rows = [row[:7] for row in rows]
    else:
        rows = [row[:6] for row in rows]
    return Table(
        "requests",
        "What tasks without complexities ask",
        tuple(columns),
        tuple(rows),
        "requests: where nothing fails; of self-correction, where no answer is right; tokens out: "
        "a translation is taken to be as long as its original, without thinking, and a judge's "
        f"reply to have {JUDGE_TOKENS} tokens; –: not known (--answer-tokens N)",
    )


def _sum(values: Sequence[Any]) -> Any:
    return None if any(value is None for value in values) else sum(values)


def as_json(one: Asked, prices: Prices | None, names: Mapping[str, str]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "task": one.task,
        "who": one.who,
        "questions": one.questions,
        "requests": one.requests,
        "tokens_in": one.tokens_in,
        "tokens_out": one.tokens_out,
        "price": one.price(prices, names),
    }
