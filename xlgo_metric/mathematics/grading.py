r"""Grade an answer to a mathematical question against the reference answer.

Mode ``default`` compares what the two answers mean; ``docs/polymath.md`` says what is equal to
what. Mode ``paper`` follows the published scoring of PolyMath (Wang et al. 2025), described in
``paper``.
"""

import re
from dataclasses import replace

from ..core import Grade, Status
from ..reading.answers import Kind, number_kind, read_response
from ..reading.forms import find_boxes, find_unasked
from .compare import MAX_LENGTH, compare, quantity
from .paper.published import check_antlr, grade_paper
from .text import clean, is_unbalanced
from .words import MAGNITUDES
from .worker import WorkerError

MODES: tuple[str, ...] = ("default", "paper")
_KIND = Kind(
    find_boxes, lambda content: content or None, unasked=find_unasked, sign=re.compile(r"\d")
)
_WORD = re.compile(r"[^\W\d_]+")


def grade_math(
    prediction: str | None, gold: str, mode: str = "default", language: str = "en"
) -> Grade:
    r"""Grade one answer.

    Args:
        prediction: a response with a ``\boxed{…}``, or an answer alone. ``None`` is no answer.
        gold: the reference answer, in LaTeX with or without dollar signs.
        mode: ``default``, or ``paper`` for the published rules.
        language: of the question; in German, say, ``70.000`` is 70000.

    Returns:
        The grade; ``answer`` is the text that was compared, ``details["boxes"]`` their number.
        ``details["library"]`` is ``stopped`` where math-verify or SymPy was asked and exceeded its
        limits.

    What no rule foresaw, an exception in here, is ``bad_format`` with the exception's name as
    ``details["error"]``.

    Raises:
        ValueError: an unknown mode.
        ImportError: SymPy finds no antlr4 that it reads LaTeX with (mode ``paper``).
        WorkerError: the process that runs math-verify and SymPy could not be started.
    """
    return grade_boxed(prediction, gold, mode, bare=True, language=language)


def grade_boxed(
    prediction: str | None,
    gold: str,
    mode: str = "default",
    *,
    bare: bool = False,
    language: str = "en",
    question: str = "",
) -> Grade:
    """Like ``grade_math``; with ``bare`` False, a response without a box holds no answer.

    Where the text of the question has a word that multiplies a number (``dozen``), an answer may
    have it and the reference not.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    if mode == "paper":
        check_antlr()
    try:
        if mode == "paper":
            return grade_paper(prediction, str(gold), bare=bare)
        text = "" if prediction is None else str(prediction)
        grade = _grade_default(text, str(gold), bare, language)
        if grade.status == "wrong" and grade.answer and question:
            counted = _counted(grade.answer, question)
            if counted != grade.answer and compare(counted, gold, language).equal:
                return replace(grade, correct=True, status="correct")
        return grade
    except WorkerError:
        raise  # of the machine, not of the answer
    except Exception as error:
        # The one guard: no answer, however odd, may end the scoring of the others.
        return Grade(False, "bad_format", details={"boxes": 0, "error": type(error).__name__})


def _grade_default(text: str, gold: str, bare: bool, language: str) -> Grade:
    if bare and text.strip() == gold.strip() != "":
        return _outcome("correct", text, text.strip())
    if "boxed" in gold:
        gold = ", ".join(box.content for box in find_boxes(gold)[0]) or gold
    reading = read_response(text, _KIND, language)
    answer, several = reading.answer, bool(reading.parts)
    if several:
        answer = ", ".join(dict.fromkeys(reading.parts))
    elif answer is None and reading.rule == "none" and bare:
        answer = _bare(text, gold, language)
    if answer is None:
        answer = _broken_box(text, gold)
    if not answer:
        status: Status = "bad_format" if reading.status == "answered" else reading.status
        return _outcome(status, text)
    comparison = compare(answer, gold, language)
    readable = comparison.readable and not several
    status = "correct" if comparison.equal else "wrong" if readable else "bad_format"
    return _outcome(status, text, answer, comparison.stopped)


def _bare(text: str, gold: str, language: str) -> str | None:
    """The answer of a text without a box: all of it, or the number that its words give."""
    stripped = text.strip()
    brief = len(stripped) <= MAX_LENGTH and "\n" not in stripped
    if brief and (quantity(clean(stripped), language) or compare(stripped, gold, language).equal):
        return stripped
    number = read_response(text, number_kind(language), language).answer
    return str(number) if number is not None else stripped if brief else None


def _counted(answer: str, question: str) -> str:
    """An answer without the words that multiply numbers and that stand in the question."""
    words = {word for word in _WORD.findall(question.casefold()) if word in MAGNITUDES}
    singular = words | {word.rstrip("s") for word in words}
    return _WORD.sub(
        lambda word: "" if word[0].casefold().rstrip("s") in singular else word[0], answer
    )


def _broken_box(text: str, gold: str) -> str:
    """The answer in a box that never closes because the reference itself lacks a brace."""
    core = gold.strip().strip("$")
    content = text.rpartition("boxed{")[2].lstrip(" $")
    return core if is_unbalanced(core) and content.startswith(core) else ""


def _outcome(status: Status, text: str, answer: str | None = None, stopped: bool = False) -> Grade:
    boxes = len(find_boxes(text)[0])
    strict = boxes == 1 and text.count("\\boxed{") == 1
    excerpt = None if answer is None else answer[:MAX_LENGTH]
    details: dict[str, object] = {"boxes": boxes}
    if stopped and status != "correct":
        details["library"] = "stopped"
    return Grade(status == "correct", status, strict, excerpt, details, in_form=boxes > 0)
