"""How chains are judged by a model, and a judge by rule, which marks where words differ.

The judge by rule stands in for a judge model in simulations and tests. It knows no synonyms, so a
good paraphrase costs it points: its scores say nothing of meaning.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from ...core import Grade, Record, Reference, Status
from ...family import Judge, JudgeCheck, Question
from ...views import Row
from .prompts import DIRECT, MQM, question, read_direct, read_mqm, read_request
from .records import SHUT, mqm80, mqm_error, raw_mqm

MAX_WORDS = 1_500
"""Words of each text that are compared; what follows counts as one error."""
_WORD = re.compile(r"[\w'’-]{1,100}|[^\w\s]")
_GRAVE = re.compile(
    r"not|no|never|none|nobody|nothing|neither|nor|without|cannot|.*n['’]t"
    r"|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million"
    r"|.*\d.*|(?-i:(?!I['’])[A-Z].+)",
    re.IGNORECASE,
)
"""Negations, numbers and names: words whose change is a major error."""
_LONG = 5  # words of a passage
_LOST_SHARE = 0.25
_MANY = 60
_SPAN = 12


def rule_errors(original: str, output: str) -> tuple[Row, ...]:
    """The differences of two texts as errors.

    No text or one with hardly a word in common: one critical error. A passage of five words or more
    that is gone is major, one that came in is critical. A change that touches a number, a negation
    or a name is major, any other is minor. The same two texts always give the same errors, and
    equal ones none. At most 60 are marked.
    """
    words, output_words = (_WORD.findall(text) for text in (original, output))
    first, second = ({x.lower() for x in side if x[0].isalnum()} for side in (words, output_words))
    if first and len(first & second) < _LOST_SHARE * min(len(first), len(second) or 1):
        return (mqm_error("non-translation", "critical"),)
    matcher = SequenceMatcher(None, words[:MAX_WORDS], output_words[:MAX_WORDS], autojunk=False)
    errors = [
        _error(words[a:b], output_words[c:d])
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]
    if words[MAX_WORDS:] != output_words[MAX_WORDS:]:
        errors.append(mqm_error("other", "critical", explanation="the texts go on differently"))
    return tuple(errors[:_MANY])


def _error(gone: list[str], came: list[str]) -> Row:
    kind = ("style/awkward", "minor")
    if len(came) - len(gone) >= _LONG:
        kind = ("accuracy/addition", "critical")
    elif len(gone) - len(came) >= _LONG:
        kind = ("accuracy/omission", "major")
    elif any(map(_GRAVE.fullmatch, gone + came)):
        kind = ("accuracy/mistranslation", "major")
    return mqm_error(*kind, " ".join(gone[:_SPAN]), " ".join(came[:_SPAN]))


class TranslationJudge(Judge):
    """The judge of this family. It sees two English texts and nothing of the chain."""

    trial = question(MQM, "The boats came back at dawn.", "The boats came back at dusk.")

    def questions(self, grade: Grade, response: str, reference: Reference) -> Sequence[Question]:
        """Errors by MQM, and a single score.

        None for a chain that broke off: there is nothing to compare.
        """
        answer = grade.answer or {}
        if answer.get("status") != "ok":
            return []
        original, final = str(reference["original"]), answer["hops"][-1]["output"]
        return [question(kind, original, final) for kind in (MQM, DIRECT)]

    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """The grade with the judgements in its details.

        It is ``correct`` where raw MQM is 80 or more and every hop is a translation, and
        ``needs_judge`` still where the errors could not be read.
        """
        errors, score = read_mqm(replies[0]), read_direct(replies[1])
        mqm = {"status": _status(replies[0], errors), "errors": [*(errors or ())]}
        direct = {"status": _status(replies[1], score), "score": score}
        details = grade.details | {"judge": judge, "judgement": mqm, "direct": direct}
        if errors is None:
            return replace(grade, status="needs_judge", details=details)
        fit = mqm80(raw_mqm(errors)) > 0
        fit = fit and not any(grade.details.get(name) for name in SHUT)
        status: Status = "correct" if fit else "wrong"
        return replace(grade, correct=fit, status=status, details=details)

    def check(self, records: Sequence[Record]) -> JudgeCheck:
        """See ``checks``."""
        from .checks import check_of

        return check_of(records)

    def simulated_judge_reply(self, request: str) -> str | None:
        """The reply by rule to one of the questions, in the form that it asks for.

        A direct score is 100 minus the penalty at 1/5/25, not below 0. To any other text the reply
        is empty.
        """
        parts = read_request(request)
        if parts is None:
            return ""
        kind, original, output = parts
        errors = rule_errors(original, output)
        if kind == DIRECT:
            return json.dumps({"score": max(0.0, raw_mqm(errors))})
        return json.dumps({"errors": errors}, ensure_ascii=False)


def _status(reply: str | None, value: object) -> str:
    """Of a reply and what was read of it; an unreadable one never counts as one without errors."""
    if value is not None:
        return "ok"
    return "none" if reply is None else "unparsed" if reply.strip() else "error"
