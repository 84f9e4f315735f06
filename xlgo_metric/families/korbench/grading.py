"""Grade responses to KOR-Bench questions in three ways.

``default`` mends the defects of the published grading; ``paper`` is that grading with a working
reader of LaTeX; ``stored`` is the same without one, which gave the authors' stored verdicts.
Source: "KOR-Bench: Benchmarking Language Models on Knowledge-Orthogonal Reasoning Tasks"
(arXiv 2410.06526).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from ...core import MISSING, Grade, Status, allowed_name
from ...reading.thinking import split_thinking
from . import CATEGORIES, MODES
from .extraction import NULL, bracket, inner, responses_of
from .verdict import answer_format, by_key, by_position, content_of, found_answer, mended, verdict

SHOWN = 500
"""How many characters of an answer a grade keeps."""


def grade(prediction: str | None, reference: Mapping[str, object]) -> Grade:
    """Grade one response, or with ``rounds`` in the reference those of a self-correction.

    See ``grade_single``. The prediction of a self-correction is what became of its chain: a JSON
    object with ``rounds``, each with ``text`` and ``state`` (see ``grade_rounds``). Any other text
    is the response of the first round.
    """
    if reference.get("rounds"):
        return grade_rounds(responses_of(prediction), reference)
    return grade_single(prediction, reference)


def grade_single(prediction: str | None, reference: Mapping[str, object]) -> Grade:
    """Grade one response; thinking is taken off first.

    Args:
        prediction: the model's whole output. Anything is safe; what is no text is no answer.
        reference: ``category``, ``rule_id``, ``idx`` and ``answer`` (as in the data, with its
            brackets), or for a mixed question ``questions``, a list of mappings with these four.
            Optional: ``mode`` (``default``, ``paper`` or ``stored``), ``asked`` (``chat`` or
            ``completion``: whether mode ``default`` reads the last answer or the first),
            ``real_life_answer``, ``type`` of a cipher step, ``question`` of a puzzle, whose
            examples are then known.

    Returns:
        The grade in the reference's mode. ``details`` hold ``mode``, ``score_default`` and
        ``score_paper`` (and ``score_stored`` in that mode) between 0 and 1, ``format_failure``,
        ``extracted``, ``format`` of the reference answer; ``real_life`` for counterfactual
        questions, ``type`` for steps; ``pass_rate`` and ``questions`` (verdicts in order, in all
        modes) for mixed questions.

    Raises:
        ValueError: the reference lacks what grading needs, or names an unknown mode or category.
    """
    mode = str(reference.get("mode") or "default")
    allowed_name(mode, "mode", MODES)
    output = prediction if isinstance(prediction, str) else ""
    response = split_thinking(output)
    modes = [*dict.fromkeys(("default", "paper", mode))]
    if not reference.get("questions"):
        return _grade_one(output, response.answer, reference, mode, modes)
    grade = _grade_mixed(response.answer, reference, mode, modes)
    if not response.closed and not grade.correct and grade.status != "wrong":
        return Grade(False, "truncated", False, grade.answer, grade.details)
    return grade


def grade_rounds(responses: Sequence[str | None], reference: Mapping[str, object]) -> Grade:
    """Grade the responses of all rounds to one question; the first right one ends them.

    Args:
        responses: in the order in which they were given, at least one; ``None`` for a request that
            failed, which is no answer.
        reference: as for ``grade``.

    Returns:
        The grade of the last round that counts. Its ``details`` have ``rounds`` (a verdict per
        round) and ``ending`` (``correct``, ``max_rounds``, or ``failed`` if the last request did;
        then ``missing`` is there too, and no score counts the question).

    Raises:
        ValueError: the reference lacks what grading needs.
    """
    verdicts: list[bool] = []
    for response in responses:
        last = grade_single(response, reference)
        verdicts.append(last.correct)
        if last.correct:
            break
    ending = "failed" if response is None else "correct" if last.correct else "max_rounds"
    details = last.details | {"rounds": verdicts, "ending": ending}
    return replace(last, details=details | ({MISSING: True} if response is None else {}))


_NEEDED = ("category", "rule_id", "idx", "answer")
_Question = tuple[str, str, str, str]
"""Category, number of the rule, number of the question, and reference answer."""


def _needed(reference: Mapping[str, object]) -> _Question:
    """What grading needs of a question."""
    missing = [name for name in _NEEDED if reference.get(name) is None]
    if missing:
        raise ValueError(
            f"the reference of a KOR-Bench question lacks {', '.join(missing)}: it needs "
            f"{', '.join(_NEEDED)}"
        )
    category, rule_id, idx, gold = (str(reference[name]) for name in _NEEDED)
    allowed_name(category, "category", CATEGORIES)
    return category, rule_id, idx, gold


# One question


def _grade_one(
    output: str, response: str, reference: Mapping[str, object], mode: str, modes: Sequence[str]
) -> Grade:
    """The grade of a response: ``output``, and without its thinking."""
    category, rule_id, idx, gold = _needed(reference)
    question, asked_as = str(reference.get("question") or ""), str(reference.get("asked") or "chat")
    language = str(reference.get("language") or "en")
    result = found_answer(output, gold, asked_as, question, language)

    def score(gold: str, name: str, question: str = "") -> bool:
        text = output if name == "default" else response
        return verdict(
            text, gold, category=category, rule_id=rule_id, idx=idx, mode=name, asked=asked_as,
            question=question, language=language,
        )  # fmt: skip

    scores = {name: score(gold, name, question) for name in modes}
    content = content_of(result, gold)
    extract = content[:SHOWN] if content else None
    if mode != "default":
        extract = _published(response, category)
    details: dict[str, object] = {
        "mode": mode,
        **{f"score_{name}": float(right) for name, right in scores.items()},
        "extracted": extract,
        "format_failure": extract is None,
        "format": answer_format(reference),
    }
    real_life_answer = reference.get("real_life_answer")
    if real_life_answer is not None:
        details["real_life"] = score(str(real_life_answer), mode)
    if reference.get("type") is not None:
        details["type"] = str(reference["type"])
    correct = scores[mode]
    status: Status = "correct" if correct else "no_answer" if extract is None else "wrong"
    if mode == "default" and content is None:
        status = "bad_format" if result.status == "answered" else result.status
    strict = result.in_form and response.count("[[") == 1 and f"[[{result.answer}]]" in response
    return Grade(correct, status, strict, extract, details, result.in_form)


def _published(response: str, category: str) -> str | None:
    """The answer that the published program takes, cut to a length for people."""
    text = inner(response) if category == "puzzle" else bracket(response, "clean")
    return None if text == NULL else text.removeprefix("[[").removesuffix("]]")[:SHOWN]


# Several questions at once


def _grade_mixed(
    response: str, reference: Mapping[str, object], mode: str, modes: Sequence[str]
) -> Grade:
    questions = cast("Sequence[Mapping[str, object]]", reference["questions"])
    needed = [_needed(question) for question in questions]
    positions = by_position(response)
    keys = by_key(response, len(questions))
    verdicts = {
        name: [
            _value_verdict(keys.get(number), about, str(question.get("question") or ""))
            for number, (question, about) in enumerate(zip(questions, needed), 1)
        ]
        if name == "default"
        else _mixed_published(positions, needed, name)
        for name in modes
    }
    rates = {name: sum(verdict_list) / len(verdict_list) for name, verdict_list in verdicts.items()}
    read = bool(keys) if mode == "default" else positions is not None
    extracts = keys if mode == "default" else dict(enumerate(positions or [], 1))
    extracted = {str(number): value[:SHOWN] for number, value in extracts.items()}
    details: dict[str, object] = {
        "mode": mode,
        **{f"score_{name}": float(rate == 1) for name, rate in rates.items()},
        "pass_rate": rates[mode],
        **{f"pass_rate_{name}": rate for name, rate in rates.items()},
        "questions": {name: list(verdict_list) for name, verdict_list in verdicts.items()},
        "extracted": extracted,
        "format_failure": not read,
    }
    correct = rates[mode] == 1
    status: Status = "correct" if correct else "wrong" if read else "bad_format"
    if not read and "{" not in response and "[[" not in response:
        status = "no_answer"
    strict = positions is not None and len(positions) == len(questions)
    in_form = positions is not None
    return Grade(correct, status, strict, extracted or None, details, in_form)


def _mixed_published(
    values: Sequence[str] | None, questions: Sequence[_Question], mode: str
) -> list[bool]:
    """Values by position. The published code passes the position for ``idx``, so none is passed."""
    answers = list(values or [])[: len(questions)]
    verdicts = [
        verdict(value, gold, category=category, rule_id=rule_id, idx="", mode=mode)
        for value, (category, rule_id, _, gold) in zip(answers, questions)
    ]
    return verdicts + [False] * (len(questions) - len(verdicts))


def _value_verdict(value: str | None, question: _Question, text: str) -> bool:
    """The verdict of mode ``default`` on a value; one without brackets is the answer itself."""
    if not value:
        return False
    category, rule_id, idx, gold = question
    result = found_answer(value, gold, "chat", text)
    if result.answer is not None and mended(result.answer, gold, category, rule_id, idx):
        return True
    return not result.in_form and mended(value.strip(), gold, category, rule_id, idx)
