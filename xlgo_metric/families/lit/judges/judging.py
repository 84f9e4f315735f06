"""How chains are judged by a model, and how a judge of chains is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from ....core import Grade, Record, Status, Table
from ....judge import CheckQuestion, Judge, JudgeCheck, Question
from ..mqm import DEFAULT_SCHEME, mqm80, raw_mqm
from .checks import CheckItem, Results, check_items, summarize_checks
from .prompts import PROMPTS, judge_request, repair_request
from .replies import Kind, read_direct, read_mqm

SHUT = ("copied", "another_language", "language_unknown")
"""Details of a grade that name the hops which are no translations."""
MQM: Kind = "mqm"
DIRECT: Kind = "direct"
HOP = "hop"
"""Names of the questions: errors, a single score, and errors after a hop on the way."""


class TranslationJudge(Judge):
    """The judge of this family. It sees two English texts and nothing of the chain."""

    @property
    def trial(self) -> Question:
        """Two texts that differ in a word."""
        return question(MQM, MQM, "The boats came back at dawn.", "The boats came back at dusk.")

    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, object]
    ) -> Sequence[Question]:
        """Errors by MQM, a single score, and errors of each translation back on the way.

        None for a chain that broke off: there is nothing to compare.
        """
        answer = grade.answer or {}
        if answer.get("status") != "ok":
            return []
        original, hops = str(reference["original"]), answer["hops"]
        final = hops[-1]["output"]
        backs = [hop["back"] for hop in hops if hop["back"] is not None]
        return [
            question(MQM, MQM, original, final),
            question(DIRECT, DIRECT, original, final),
            *(question(HOP, MQM, original, back) for back in backs),
        ]

    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """The grade with the judgements in its details.

        It is ``correct`` where raw MQM is 80 or more and every hop is a translation, and
        ``needs_judge`` still where the errors could not be read.
        """
        mqm, direct, *hops = map(_judgement, (MQM, DIRECT, *[MQM] * (len(replies) - 2)), replies)
        details = grade.details | {
            "judge": judge, "judgement": mqm, "direct": direct, "hops": hops
        }  # fmt: skip
        if mqm["status"] != "ok":
            return replace(grade, status="needs_judge", details=details)
        errors = read_mqm(replies[0]).errors or ()
        fit = mqm80(raw_mqm(errors, DEFAULT_SCHEME)) > 0
        fit = fit and not any(grade.details.get(name) for name in SHUT)
        status: Status = "correct" if fit else "wrong"
        return replace(grade, correct=fit, status=status, details=details)

    def check(self, records: Sequence[Record]) -> JudgeCheck:
        """See ``TranslationJudgeCheck``."""
        return TranslationJudgeCheck(records)

    def simulated_judge_reply(self, request: str) -> str | None:
        """See ``rule_judge``."""
        from .rule_judge import simulated_judge_reply

        return simulated_judge_reply(request)


def question(name: str, kind: Kind, original: str, output: str) -> Question:
    """A question about two texts."""
    read = read_mqm if kind == MQM else read_direct
    return Question(
        name,
        PROMPTS[kind].label,
        judge_request(kind, original, output),
        lambda reply: read(reply).ok,
        partial(repair_request, kind, original, output),
    )


def _judgement(kind: str, reply: str | None) -> dict[str, object]:
    """A reply as recorded; an unreadable one never counts as one without errors."""
    empty: dict[str, object] = {"errors": []} if kind == MQM else {"score": None}
    if reply is None:
        return {"status": "none", **empty}
    found = read_mqm(reply) if kind == MQM else read_direct(reply)
    if not found.ok:
        return {"status": "unparsed" if reply.strip() else "error", **empty}
    if kind == MQM:
        return {"status": "ok", "errors": [error.to_json() for error in found.errors or ()]}
    return {"status": "ok", "score": found.score}


class TranslationJudgeCheck:
    """Unchanged texts, planted errors, swapped texts, repeats and injections (see ``checks``).

    Args:
        records: their originals are the texts.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        texts = {
            str(record.reference["text_id"]): str(record.reference["original"])
            for record in records
        }
        self._items = check_items(dict(sorted(texts.items())))

    @cached_property
    def questions(self) -> list[CheckQuestion]:
        """An MQM question for each item; repeats are asked again."""
        return [
            CheckQuestion(
                item.item_id, question(MQM, MQM, item.original, item.output), item.seed_offset
            )
            for item in self._items
        ]

    def summarize(
        self, replies: Mapping[str, str], second: Mapping[str, str] | None = None
    ) -> dict[str, object]:
        """See ``checks.summarize_checks``."""
        other = None if second is None else _results(self._items, second)
        return summarize_checks(self._items, _results(self._items, replies), second=other)

    def tables(self, found: Mapping[str, object]) -> list[Table]:
        """The two tables of a check."""
        from ..tables import check_tables

        return check_tables(found)


def _results(items: Sequence[CheckItem], replies: Mapping[str, str]) -> Results:
    known = (item.item_id for item in items if item.item_id in replies)
    return {name: read_mqm(replies[name]).errors for name in known}
