r"""The published scoring of PolyMath, step by step, without its hazards.

Wang et al. 2025, "PolyMath: Evaluating Mathematical Reasoning in Multilingual Contexts", section
3.1 and the evaluation code that the paper links to. What differs from that code, and why:

* Answers are never run as Python: where the code lets SymPy evaluate a string, a reader of
  arithmetic that knows numbers, names and a few functions takes its place.
* The search for boxes takes one pass and keeps the first box alone.
* SymPy runs in a process that lives on, instead of one forked for every pair: two seconds of its
  processor time, without the start, take the place of one second with it. What exceeds them is not
  equal, as a time-out was, and ``details["library"]`` says so.
* Answers of more than 300 characters, 15 levels of nesting or numbers of 5000 bits and more go no
  further than the comparison as text and as numbers.
"""

import math
import re
from functools import lru_cache
from importlib.metadata import version

from ...core import Grade, Status
from ..text import is_shallow
from ..worker import WORKER

MAX_LENGTH = 300
MAX_DEPTH = 12  # of lists in lists
MAX_QUESTIONS = 40  # to SymPy, about one pair
RELATIVE_TOLERANCE = 1e-4
ANTLR = "4.11"
_OPTION = re.compile(r"\b([A-E])\b")
_BRACKETED = re.compile(r"[(\[].+[)\]]")
_MATRIX_OPEN = (r"\begin{pmatrix}", r"\begin{bmatrix}")
_MATRIX_CLOSE = (r"\end{pmatrix}", r"\end{bmatrix}")


def grade_paper(prediction: str | None, gold: str, *, bare: bool = False) -> Grade:
    """Grade by the published rules: the first box, compared as its ``math_equal`` does."""
    text = "" if prediction is None else str(prediction)
    boxes, first = first_box(text)
    details: dict[str, object] = {"boxes": boxes}
    if first is not None:
        answer = first
    elif bare and text.strip() and "boxed" not in text:
        answer = text
    else:
        return Grade(False, "no_answer", details=details)
    comparison = _Comparison()
    correct = comparison.equal(answer, gold)
    if comparison.stopped and not correct:
        details["library"] = "stopped"
    status: Status = "correct" if correct else "wrong"
    return Grade(correct, status, boxes == 1, answer[:MAX_LENGTH], details)


@lru_cache(maxsize=1)
def check_antlr() -> None:
    """Refuse to grade where SymPy would silently read no LaTeX.

    Raises:
        ImportError: its parser lacks the version of antlr4 that it works with.
    """
    installed = version("antlr4-python3-runtime")
    if not installed.startswith(ANTLR):
        raise ImportError(
            f"mode 'paper' needs antlr4-python3-runtime {ANTLR} and found {installed}, with which "
            f"SymPy reads no LaTeX: pip install 'antlr4-python3-runtime=={ANTLR}.*'"
        )


def first_box(text: str) -> tuple[int, str | None]:
    r"""How many ``boxed{…}`` are closed, and what stands in the one that opens first, spaceless.

    Linear in the length of the text, in time and in memory.
    """
    text = text.replace(" ", "")
    count, first = 0, None
    opened: list[tuple[int, int]] = []  # depth, start of the content
    depth = 0
    for match in re.finditer(r"boxed\{|\\[{}]|[{}]", text):
        token = match.group()
        if token == "}":
            depth -= 1
            if opened and opened[-1][0] == depth:
                start = opened.pop()[1]
                count += 1
                if first is None or start < first[0]:
                    first = (start, match.start())
        elif token in ("{", "boxed{"):
            if token != "{":
                opened.append((depth, match.end()))
            depth += 1
    return count, None if first is None else text[first[0] : first[1]]


class _Comparison:
    """One pair of answers, with what SymPy may still be asked about its parts."""

    def __init__(self) -> None:
        self.questions = MAX_QUESTIONS
        self.stopped = False

    def equal(  # noqa: PLR0911
        self, prediction: str, gold: str, depth: int = 0
    ) -> bool:
        """The rules in their order; the first that applies decides."""
        if depth > MAX_DEPTH:
            return False
        if prediction.strip().lower() == gold.strip().lower():
            return True
        if (
            gold in "ABCDE"
            and len(gold) == 1
            and _OPTION.findall(prediction.upper())[-1:] == [gold]
        ):
            return True
        first, second = _number(prediction), _number(gold)
        if first is not None and second is not None:
            values = (second / 100, second, second * 100)
            return any(math.isclose(first, x, rel_tol=RELATIVE_TOLERANCE) for x in values)
        if not prediction or max(len(prediction), len(gold)) > MAX_LENGTH:
            return False
        prediction, gold = prediction.strip(), gold.strip()
        if "pmatrix" in prediction and "pmatrix" not in gold:
            gold = _as_pmatrix(gold)
        if _without_brackets(prediction, gold):
            return True
        if _BRACKETED.match(prediction) and _BRACKETED.match(gold):
            parts, gold_parts = prediction[1:-1].split(","), gold[1:-1].split(",")
            same_length = len(parts) == len(gold_parts)
            if same_length and all(self.equal(a, b, depth + 1) for a, b in zip(parts, gold_parts)):
                return True
        if self.same_matrix(prediction, gold, depth):
            return True
        return self.same_formula(prediction, gold, depth)

    def same_matrix(self, prediction: str, gold: str, depth: int) -> bool:
        matrices = (prediction, gold)
        if not all(
            matrix.startswith(_MATRIX_OPEN) and matrix.endswith(_MATRIX_CLOSE)
            for matrix in matrices
        ):
            return False
        size = len(_MATRIX_OPEN[0])
        rows, gold_rows = (
            [row.split("&") for row in matrix[size : -size + 2].split(r"\\") if row.strip()]
            for matrix in matrices
        )
        return len(rows) == len(gold_rows) and all(
            len(row) == len(gold_row)
            and all(self.equal(a, b, depth + 1) for a, b in zip(row, gold_row, strict=True))
            for row, gold_row in zip(rows, gold_rows, strict=True)
        )

    def same_formula(self, prediction: str, gold: str, depth: int) -> bool:
        """Equations by the difference of their sides, all else by SymPy."""
        equations = prediction.count("="), gold.count("=")
        if equations == (1, 1):
            left = " - (".join(part.strip() for part in prediction.split("=")) + ")"
            right = " - (".join(part.strip() for part in gold.split("=")) + ")"
            if self.symbolic(left, right) or self.symbolic(f"-({left})", right):
                return True
        elif equations == (1, 0) and len(prediction.split("=", maxsplit=1)[0].strip()) <= 2:
            if self.equal(prediction.split("=")[1], gold, depth + 1):
                return True
        elif equations == (0, 1) and len(gold.split("=", maxsplit=1)[0].strip()) <= 2:  # noqa: SIM102
            if self.equal(prediction, gold.split("=")[1], depth + 1):
                return True
        return self.symbolic(prediction, gold)

    def symbolic(self, prediction: str, gold: str) -> bool:
        """SymPy's verdict; False once it has exceeded its limits."""
        if not (is_shallow(prediction) and is_shallow(gold)) or self.stopped:
            return False
        self.questions -= 1
        verdict = _library_verdict(prediction, gold) if self.questions >= 0 else None
        self.stopped = verdict is None
        return bool(verdict)


@lru_cache(maxsize=4096)
def _library_verdict(prediction: str, gold: str) -> bool | None:
    return WORKER.ask("paper", prediction, gold)


def _number(text: str) -> float | None:
    """The number that a string is once its commas are gone; a percentage is divided by 100."""
    plain = text.replace(",", "")
    try:
        return float(plain)
    except ValueError:
        if not plain.endswith("%"):
            return None
    try:
        return float(plain[:-1].removesuffix("\\")) / 100
    except ValueError:
        return None


def _as_pmatrix(text: str) -> str:
    rows = re.findall(r"\{.*,.*\}", text.strip())
    return ", ".join(
        r"\begin{pmatrix}" + row.strip("{}").replace(",", r"\\") + r"\end{pmatrix}" for row in rows
    )


def _without_brackets(prediction: str, gold: str) -> bool:
    first, second = prediction, gold
    square = prediction.startswith("[") and prediction.endswith("]") and not gold.startswith("(")
    round_ = prediction.startswith("(") and prediction.endswith(")") and not gold.startswith("[")
    if square or round_:
        first, second = first.strip("[]()"), second.strip("[]()")
    table = str.maketrans("", "", "{}()")
    return first.translate(table).lower() == second.translate(table).lower()
