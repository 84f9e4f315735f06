r"""The published scoring of PolyMath, step by step, without its hazards.

Wang et al. 2025, "PolyMath: Evaluating Mathematical Reasoning in Multilingual Contexts", section
3.1 and the evaluation code that the paper links to. What differs from that code, and why:

* Answers are never run as Python: where the code lets SymPy evaluate a string, a reader of
  arithmetic that knows numbers, names and a few functions takes its place.
* The search for boxes takes one pass, and work on one pair is limited by a count of function calls
  instead of a second of a forked child. What exceeds it is not equal, as a time-out was.
* Answers of more than 300 characters, 15 levels of nesting or numbers of 5000 bits and more go no
  further than the comparison as text and as numbers.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from ..core import Grade, Status
from .limits import WorkLimitError, bounded
from .paper_expression import parse_python

MAX_LENGTH = 300
MAX_NESTING = 15
MAX_CALLS = 100_000
MAX_POWER_BITS = 5_000
MAX_DEPTH = 12  # of lists in lists
RELATIVE_TOLERANCE = 1e-4
ANTLR = "4.11"
_OPTION = re.compile(r"\b([A-E])\b")
_BRACKETED = re.compile(r"[(\[].+[)\]]")
_MATRIX_OPEN = (r"\begin{pmatrix}", r"\begin{bmatrix}")
_MATRIX_CLOSE = (r"\end{pmatrix}", r"\end{bmatrix}")


def grade_paper(prediction: str | None, gold: str, *, bare: bool = False) -> Grade:
    """Grade by the published rules: the first box, compared with ``math_equal``.

    Raises:
        ImportError: SymPy's LaTeX parser lacks the version of antlr4 that it works with.
    """
    _check_antlr()
    text = "" if prediction is None else str(prediction)
    boxes = boxed_contents(text)
    details = {"boxes": len(boxes)}
    if boxes:
        answer = boxes[0]
    elif bare and text.strip() and "boxed" not in text:
        answer = text
    else:
        return Grade(False, "no_answer", details=details)
    correct = math_equal(answer, gold)
    status: Status = "correct" if correct else "wrong"
    return Grade(correct, status, len(boxes) == 1, answer[:MAX_LENGTH], details)


@lru_cache(maxsize=1)
def _check_antlr() -> None:
    found = version("antlr4-python3-runtime")
    if not found.startswith(ANTLR):
        raise ImportError(
            f"mode 'paper' needs antlr4-python3-runtime {ANTLR} and found {found}, with which "
            "SymPy reads no LaTeX: pip install 'xlgo[math]'"
        )


def boxed_contents(text: str) -> list[str]:
    r"""What stands in each ``boxed{…}``, in the order in which the boxes open, without spaces."""
    text = text.replace(" ", "")
    found: dict[int, str] = {}
    opened: list[tuple[int, int]] = []  # depth, start of the content
    depth = 0
    for match in re.finditer(r"boxed\{|\\[{}]|[{}]", text):
        token = match.group()
        if token == "}":
            depth -= 1
            if opened and opened[-1][0] == depth:
                start = opened.pop()[1]
                found[start] = text[start : match.start()]
        elif token in ("{", "boxed{"):
            if token != "{":
                opened.append((depth, match.end()))
            depth += 1
    return [found[start] for start in sorted(found)]


def math_equal(prediction: str, gold: str, depth: int = 0) -> bool:  # noqa: PLR0911
    """The published comparison of two answers; the first rule that applies decides."""
    if depth > MAX_DEPTH:
        return False
    if prediction.strip().lower() == gold.strip().lower():
        return True
    if gold in "ABCDE" and len(gold) == 1 and _last_option(prediction) == gold:
        return True
    first, second = _number(prediction), _number(gold)
    if first is not None and second is not None:
        return any(_close(first, value) for value in (second / 100, second, second * 100))
    if not prediction or max(len(prediction), len(gold)) > MAX_LENGTH:
        return False
    prediction, gold = prediction.strip(), gold.strip()
    if "pmatrix" in prediction and "pmatrix" not in gold:
        gold = _as_pmatrix(gold)
    if _without_brackets(prediction, gold):
        return True
    if _BRACKETED.match(prediction) and _BRACKETED.match(gold):
        parts, others = prediction[1:-1].split(","), gold[1:-1].split(",")
        same_length = len(parts) == len(others)
        if same_length and all(math_equal(a, b, depth + 1) for a, b in zip(parts, others)):
            return True
    if _same_matrix(prediction, gold, depth):
        return True
    return _same_formula(prediction, gold, depth)


def _last_option(text: str) -> str | None:
    found = _OPTION.findall(text.upper())
    return found[-1] if found else None


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


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=RELATIVE_TOLERANCE)


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


def _same_matrix(prediction: str, gold: str, depth: int) -> bool:
    both = (prediction, gold)
    if not all(one.startswith(_MATRIX_OPEN) and one.endswith(_MATRIX_CLOSE) for one in both):
        return False
    size = len(_MATRIX_OPEN[0])
    rows, others = (
        [row.split("&") for row in one[size : -size + 2].split(r"\\") if row.strip()]
        for one in both
    )
    return len(rows) == len(others) and all(
        len(row) == len(other)
        and all(math_equal(a, b, depth + 1) for a, b in zip(row, other, strict=True))
        for row, other in zip(rows, others, strict=True)
    )


def _same_formula(prediction: str, gold: str, depth: int) -> bool:
    """Equations by the difference of their sides, all else by SymPy."""
    equations = prediction.count("="), gold.count("=")
    if equations == (1, 1):
        left = " - (".join(part.strip() for part in prediction.split("=")) + ")"
        right = " - (".join(part.strip() for part in gold.split("=")) + ")"
        if _symbolic(left, right) or _symbolic(f"-({left})", right):
            return True
    elif equations == (1, 0) and len(prediction.split("=", maxsplit=1)[0].strip()) <= 2:
        if math_equal(prediction.split("=")[1], gold, depth + 1):
            return True
    elif equations == (0, 1) and len(gold.split("=", maxsplit=1)[0].strip()) <= 2:  # noqa: SIM102
        if math_equal(prediction, gold.split("=")[1], depth + 1):
            return True
    return _symbolic(prediction, gold)


def _symbolic(prediction: str, gold: str) -> bool:
    if not (_is_shallow(prediction) and _is_shallow(gold)):
        return False
    a, b = _parsed(prediction), _parsed(gold)
    try:
        return bounded(lambda: _compare(a, b), MAX_CALLS)
    except WorkLimitError:
        return False


def _is_shallow(text: str) -> bool:
    depth = deepest = 0
    for character in text:
        depth += (character in "{([") - (character in "])}")
        deepest = max(deepest, depth)
    return deepest <= MAX_NESTING and text.count("^") + text.count("**") <= MAX_NESTING


def _compare(a: Any, b: Any) -> bool:
    if str(a) == str(b) or _safely(lambda: a == b):
        return True
    if not (_is_moderate(a) and _is_moderate(b)):
        return False
    from sympy import N, simplify

    sampled = _sampled(a, b)
    if sampled or (sampled is None and _safely(lambda: a.equals(b) or simplify(a - b) == 0)):
        return True
    if _safely(lambda: abs(a.lhs - a.rhs).equals(abs(b.lhs - b.rhs))):
        return True
    if _safely(lambda: _close(float(N(a)), float(N(b)))):
        return True
    return _safely(lambda: a.shape == b.shape and _rounded(a).equals(_rounded(b)))


def _sampled(a: Any, b: Any) -> bool | None:
    """Whether two expressions agree at sample points, which spares their simplification.

    ``None`` if they are no expressions or have no values there.
    """
    from sympy import Expr, Float

    if not (isinstance(a, Expr) and isinstance(b, Expr)):
        return None
    names = sorted((a.free_symbols | b.free_symbols), key=str)
    for point in range(3):
        values = {
            name: Float(f"{1.1 + place * 0.37 + point * 0.59}", 30)
            for place, name in enumerate(names)
        }
        try:
            difference = complex((a - b).subs(values).evalf(30))
            scale = max(1.0, abs(complex(a.subs(values).evalf(30))))
        except Exception:
            return None
        if not (math.isfinite(abs(difference)) and math.isfinite(scale)):
            return None
        if abs(difference) > scale * 1e-20:
            return False
        if not names:
            return True
    return True


def _safely(test: Any) -> bool:
    """The outcome of a test that is False where SymPy cannot carry it out."""
    try:
        return bool(test())
    except Exception:
        return False


def _rounded(matrix: Any) -> Any:
    return matrix.applyfunc(lambda entry: round(entry, 3))


def _is_moderate(value: Any) -> bool:  # noqa: PLR0911
    """Whether a parsed answer has no number, power or factorial that takes long to compute."""
    from sympy import Basic, Integer, Pow, binomial, factorial

    if not isinstance(value, Basic):
        return not isinstance(value, str)
    if any(
        not arg.is_Integer or abs(int(arg)) > 500
        for one in value.atoms(binomial)
        for arg in one.args
        if arg.is_number
    ):
        return False
    for part in value.atoms(Integer, Pow, factorial):
        if isinstance(part, Pow):
            base, exponent = part.args
            if (
                not exponent.is_Rational
                and not exponent.free_symbols
                and exponent.has(Pow, factorial)
            ):
                return False
            if exponent.is_Integer and base.is_number:
                size = abs(int(base.p)).bit_length() if base.is_Rational else 64
                if size * abs(int(exponent)) > MAX_POWER_BITS:
                    return False
        elif isinstance(part, Integer):
            if int(part).bit_length() > MAX_POWER_BITS:
                return False
        elif part.args[0].has(factorial, Pow) or (
            part.args[0].is_Integer and int(part.args[0]) > 500
        ):
            return False
    return True


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Any:
    """By SymPy's LaTeX parser, else as arithmetic, else by latex2sympy, else the text itself."""
    from sympy.parsing.latex import parse_latex

    for parser in (parse_latex, parse_python, _latex2sympy):
        for form in dict.fromkeys((text.replace("\\\\", "\\"), text)):
            try:
                return parser(form)
            except Exception:
                continue
    return text


def _latex2sympy(text: str) -> Any:
    """By the successor of the parser that the published code bundles, which knows no sets."""
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy
    from sympy import Set, Tuple

    if re.search(r"\\operatorname|\\det|matrix|\\xrightarrow", text):
        raise ValueError("not for this parser")
    config = ConversionConfig(lowercase_symbols=False)
    found = latex2sympy(text, normalization_config=None, conversion_config=config)
    if isinstance(found, Set | Tuple):
        raise ValueError("sets and tuples stay text")
    return found
