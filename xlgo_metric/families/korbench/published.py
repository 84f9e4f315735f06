r"""The published grading of KOR-Bench, rule by rule; the first rule that applies decides.

Two readings of it exist. In ``paper`` mathematical expressions are compared as SymPy objects, which
gives the figures of the paper. In ``stored`` they are compared as text: that is what the authors'
stored verdicts come from, whose LaTeX parser failed on every call.

Typed arithmetic is worked out exactly, without running it. Only numbers, the four operations, signs
and round brackets are known: what a model may write instead (powers, names, calls, lists, a product
without a sign) has no value.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from ...mathematics.paper.published import check_antlr
from ...mathematics.worker import WORKER
from .extraction import NULL, bracket, inner

MAX_LENGTH = 200
MAX_TOKENS = 40
MAX_DIGITS = 6

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(\*\*|//|[-+*/()]))")
_ZEROS = re.compile(r"^0+(?=[0-9])")
_OPERATIONS: Mapping[type, Callable[..., Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def tokens(text: str) -> list[str]:
    """The numbers and signs of a text, in order.

    None with another character, or beyond 200 characters, 40 tokens or 6 digits in a number.
    """
    text = text.strip()
    matches = list(_TOKEN.finditer(text[: MAX_LENGTH + 1]))
    parts = [match[1] or match[2] for match in matches]
    is_whole = sum(len(match[0]) for match in matches) == len(text) <= MAX_LENGTH
    is_short = all(len(part.replace(".", "")) <= MAX_DIGITS for part in parts)
    return parts if is_whole and is_short and len(parts) <= MAX_TOKENS else []


def evaluate(text: str) -> Fraction | None:
    """The exact value of arithmetic such as ``8/(3-8/3)``.

    ``None`` where it is no arithmetic of ``+ - * / ( )`` within the limits, or divides by zero.
    """
    # Python knows no number with zeros before it.
    plain = " ".join(_ZEROS.sub("", token) for token in tokens(text))
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (KeyError, SyntaxError, ZeroDivisionError):
        return None


def _value(node: ast.expr) -> Fraction:
    """The value of a syntax tree; nothing in it is run."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp):
        return _OPERATIONS[type(node.op)](_value(node.operand))
    if isinstance(node, ast.BinOp):
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    raise SyntaxError(type(node).__name__)


EXPRESSIONS = frozenset(
    str(idx)
    for part in (
        (18, 73, 74, 77, 94, 115, 116, 117, 121, 122, 123, 125, 131, 132, 134, 135, 136),
        (141, 143, 149, 145, 146, 147, *range(151, 157), 160, 161, 162, 164, 165, 166, 170),
        (206, 209, *range(211, 216), 217, 218),
    )
    for idx in part
)
"""The operation questions that are compared as expressions."""

MAX_EXPRESSION = 300
"""Of longer expressions the texts are compared."""

INEQUALITIES = frozenset({"178", "179"})
SETS = "18"
MATRICES = frozenset({"23", "24", "25"})
TRUTH_TABLES = "5"

_INEQUALITY = re.compile(r"([≥≤])\s*(-?\d+(?:\.\d*)?)")
_DIGITS = re.compile(r"\d+")
NO_WORD = re.compile(r"\W+")
_NO_LETTER = re.compile(r"[^A-Za-z]+")
_OPERATOR = re.compile(r"[-+*/]")
_RESULT = re.compile(r"=\s*(-?\d{1,18})")


def published_verdict(
    response: str, gold: str, *, category: str, rule_id: str, idx: str, symbolic: bool
) -> bool:
    """Whether the published grading accepts a response.

    Args:
        response: the model's output without its thinking.
        gold: the reference answer with its brackets, as in the data.
        category: one of the five.
        rule_id: the rule's number in its category.
        idx: the question's number in its category; empty in mixed settings, whose published code
            passes the position and so never meets the rules for single questions.
        symbolic: compare expressions as SymPy objects (``paper``), not as text (``stored``).
    """
    if category == "logic":
        return _logic(response, gold, rule_id)
    if category == "operation":
        verdict = _operation(response, gold, rule_id, idx, symbolic)
        if verdict is not None:
            return verdict
    if category == "puzzle":
        return _puzzle(inner(response), inner(gold), rule_id)
    return bracket(response, "clean") == gold


def _logic(response: str, gold: str, rule_id: str) -> bool:
    result = bracket(response, "logic")
    if rule_id == TRUTH_TABLES:
        return sorted(result.split(";")) == sorted(gold.split(";"))
    return result == bracket(gold, "logic")


def _operation(response: str, gold: str, rule_id: str, idx: str, symbolic: bool) -> bool | None:
    """The verdict of the rules for operations; ``None`` if none of them applies."""
    if idx in INEQUALITIES:
        result, expected = bracket(response, "clean"), gold
        return sorted(_INEQUALITY.findall(result)) == sorted(_INEQUALITY.findall(expected))
    if rule_id == SETS:
        return _letters(bracket(response, "clean")) == _letters(gold)
    if rule_id in MATRICES:
        return _whole_numbers(bracket(response, "clean")) == _whole_numbers(gold)
    if idx in EXPRESSIONS:
        return _expressions(response, gold, symbolic)
    if "or" in gold:
        result = bracket(response, "clean").replace(r"\text{or}", "or")
        return _alternatives(result) == _alternatives(bracket(gold, "clean"))
    return None


def _letters(text: str) -> list[str]:
    return sorted(NO_WORD.sub("", text))


def _whole_numbers(text: str) -> list[str]:
    return [digits.lstrip("0") for digits in _DIGITS.findall(text)]


def _alternatives(text: str) -> list[str]:
    return sorted(part.strip() for part in text.strip("[]").split("or"))


def _expressions(response: str, gold: str, symbolic: bool) -> bool:
    result, expected = bracket(response, "math"), bracket(gold, "math")
    if result == NULL:
        return False
    if result == expected or not symbolic:
        return result == expected
    if "or" in expected:
        return same_published(
            tuple(part.strip() for part in result.split("or")),
            tuple(part.strip() for part in expected.split("or")),
        )
    return same_published((result,), (expected,))


@lru_cache(maxsize=8192)
def same_published(answer: tuple[str, ...], expected: tuple[str, ...]) -> bool:
    """Whether two sets of expressions are the same after simplification.

    Where an expression cannot be read, the texts are compared, as the published code does. What
    takes longer than the worker's limits is not the same.

    Raises:
        ImportError: SymPy finds no antlr4 that it reads LaTeX with.
        WorkerError: the process that runs SymPy could not be started.
    """
    check_antlr()
    if max(map(len, (*answer, *expected))) > MAX_EXPRESSION:
        return answer == expected
    return bool(WORKER.ask("expressions", "\n".join(answer), "\n".join(expected)))


# Puzzles


def _puzzle(answer: str, gold: str, rule_id: str) -> bool:
    method = _PUZZLES.get(rule_id)
    if method is None:
        return NO_WORD.sub("", answer) == NO_WORD.sub("", gold)
    return method(answer, gold)


def small_letters(text: str) -> str:
    """The Latin letters of a text, small and without anything between."""
    return _NO_LETTER.sub("", text).lower()


def _same_words(answer: str, gold: str) -> bool:
    words = [word for word in NO_WORD.split(answer.lower()) if word]
    return sorted(words) == sorted(gold.split(" "))


def _signs(text: str) -> str:
    return text.replace("×", "*").replace("\u2212", "-")


def _same_path(answer: str, gold: str) -> bool:
    expression, target = _signs(answer).partition("=")[0], _signs(gold)
    if _OPERATOR.findall(expression) != _OPERATOR.findall(target.partition("=")[0]):
        return False
    result = _RESULT.search(target)
    return result is not None and evaluate(expression) == int(result[1])


def _makes_24(answer: str, gold: str) -> bool:
    expression = _signs(answer).partition("=")[0]
    first = _signs(gold).partition("\n")[0].partition("=")[0]
    return _letters(expression) == _letters(first) and evaluate(expression) == 24


_NO_ARROW = re.compile(r"[,\s\[\]]+")
_PUZZLES: dict[str, Callable[[str, str], bool]] = {
    "1": lambda found, gold: small_letters(found) == small_letters(gold),
    "2": lambda found, gold: small_letters(found) in gold.split(","),
    "3": _same_words,
    "4": lambda found, gold: small_letters(found) in gold,
    "5": lambda found, gold: sorted("".join(found.split()).split(",")) == sorted(gold.split(",")),
    "9": _same_path,
    "10": _makes_24,
    "18": lambda found, gold: _NO_ARROW.sub("", found) == _NO_ARROW.sub("", gold),
}
