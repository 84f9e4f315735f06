"""How chains are judged by a model, and how a judge of chains is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from ....core import Grade, Record, Status
from ....judge import Judge, JudgeCheck, Question
from ..mqm import DEFAULT_SCHEME, mqm80, raw_mqm
from .checks import check_of
from .prompts import question
from .replies import read_direct, read_mqm

SHUT = ("copied", "another_language", "language_unknown")
"""Details of a grade that name the hops which are no translations."""
MQM, DIRECT = "mqm", "direct"
"""Names of the questions: errors, and a single score."""


class TranslationJudge(Judge):
    """The judge of this family. It sees two English texts and nothing of the chain."""

    @property
    def trial(self) -> Question:
        """Two texts that differ in a word."""
        return question(MQM, MQM, "The boats came back at dawn.", "The boats came back at dusk.")

    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, object]
    ) -> Sequence[Question]:
        """Errors by MQM, and a single score.

        None for a chain that broke off: there is nothing to compare.
        """
        answer = grade.answer or {}
        if answer.get("status") != "ok":
            return []
        original, final = str(reference["original"]), answer["hops"][-1]["output"]
        return [question(kind, kind, original, final) for kind in (MQM, DIRECT)]

    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """The grade with the judgements in its details.

        It is ``correct`` where raw MQM is 80 or more and every hop is a translation, and
        ``needs_judge`` still where the errors could not be read.
        """
        mqm, direct = map(_judgement, (MQM, DIRECT), replies)
        details = grade.details | {"judge": judge, "judgement": mqm, "direct": direct}
        if mqm["status"] != "ok":
            return replace(grade, status="needs_judge", details=details)
        errors = read_mqm(replies[0]) or ()
        fit = mqm80(raw_mqm(errors, DEFAULT_SCHEME)) > 0
        fit = fit and not any(grade.details.get(name) for name in SHUT)
        status: Status = "correct" if fit else "wrong"
        return replace(grade, correct=fit, status=status, details=details)

    def check(self, records: Sequence[Record]) -> JudgeCheck:
        """See ``checks``."""
        return check_of(records)

    def simulated_judge_reply(self, request: str) -> str | None:
        """See ``rule_judge``."""
        from .rule_judge import simulated_judge_reply

        return simulated_judge_reply(request)


def _judgement(kind: str, reply: str | None) -> dict[str, object]:
    """A reply as recorded; an unreadable one never counts as one without errors."""
    errors = read_mqm(reply) if kind == MQM else None
    score = read_direct(reply) if kind == DIRECT else None
    status = "none" if reply is None else "unparsed" if reply.strip() else "error"
    if errors is not None or score is not None:
        status = "ok"
    if kind == MQM:
        return {"status": status, "errors": [asdict(error) for error in errors or ()]}
    return {"status": status, "score": score}
