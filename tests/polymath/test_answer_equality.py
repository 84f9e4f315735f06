"""What makes two answers equal, whichever of them is the reference."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

pytest.importorskip("mpmath")

import xlgo_metric as xm
from xlgo_metric.mathematics import grading
from xlgo_metric.mathematics.equal.modular import same_residues
from xlgo_metric.mathematics.read.nodes import Node, num

PAIRS = [
    line.split("\t")[2:4]
    for line in (Path(__file__).parent / "pairs.tsv").read_text(encoding="utf-8").splitlines()
]
EQUAL = [
    (r"10,\!080", "10080"), (r"10,\,080", "10080"), (r"\$32,\!348", "32348"), ("1e3", "1000"),
    (r"11,\! 111,\! 111,\! 100", "11111111100"), ("5e-1", r"\frac12"), ("5e-1", "-1+5e"),
    (r"a \medspace b", "ab"), (r"a\negthickspace b", "ab"), (r"185\ ", "185"),
    (r"f{\left(x\right)}", "f(x)"), (r"f_1'{\left(x \right)}", "f'_1(x)"),
    (r"x^{2}_{23}", "x_{23}^{2}"), (r"90^\circ+x", r"x+90^\circ"),
    (r"2(90^\circ - x)", r"180^\circ - 2x"), (r"30^\circ + \frac{\pi}{6}", r"\frac{\pi}{3}"),
    (r"\begin{pmatrix}1&2\\[4pt]3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
    ("x=1或x=2", "1,2"), ("x=1和x=2", "1,2"), ("x=1又はx=2", "1,2"), ("x=1 または x=2", "1,2"),
    (r"(-\infty,1)或(3,+\infty)", "x<1或x>3"), ("(7,11)or(11,7)", "(11,7),(7,11)"),
    ("1.22", "1,22"), ("0.111", "0,111"), ("(-7.13)(1.5)", r"\left(-7.13\right) 1.5"),
    (r"\{1,2\} \setminus \{2\}", r"\{1\}"), (r"\{1,2\} \cap \{3\}", r"\emptyset"),
    (r"\binom{n}{k}", r"\frac{n!}{k!(n-k)!}"), (r"2.314814814815 \times 10^{-3}", r"\frac{1}{432}"),
    (r"\ln\frac{x+1}{1-x}", r"-\ln\frac{1-x}{x+1}"), ("(4a-x)^{6000}", "(x-4a)^{6000}"),
    (r"2^{2^{100}}", r"4^{2^{99}}"), ("11:21", "V_1:V_2=11:21"), ("|AB|=1", "1"), ("1:00", "1:0"),
    (r"\lim_{x \Rightarrow 3} a", r"\lim_{x \to 3} a"), (r"\sqrt[y]{\sin x}", r"\sin^{1/y} x"),
]  # fmt: skip
DIFFERENT = [
    ("1:00", "12:00"), ("10:00", "22:00"), ("1:20", "2:40"), ("1:0:2", "3:0:5"), ("(-1)!", "1"),
    ("(a^b)^c", "a^{bc}"), ("5或y", "5"), ("5或y", "y"), ("1e3", "100"), ("x=1或x=2", "1,3"),
    (r"2^{2^{100}}", r"2^{2^{101}}"), ("(4a-x)^{5999}", "(x-4a)^{5999}"), ("1", "2x+z=1"),
    ("0", "a^2+b=0"), ("6", "x+y=6"), ("E", r"\mathrm{E}*2"), (r"90^\circ+x", r"x-90^\circ"),
    (r"\{1,2\} \setminus \{2\}", r"\{2\}"), (r"\ln(-x)", r"\ln x"),
    (r"\sqrt{-x}", r"\sqrt{x}"), ("f(x)", "f(y)"), ("x_1^2", "x_2^1"), ("5%", "5%%"),
]  # fmt: skip
MALFORMED = r"$\frac{1}{2\sqrt{2} \ln\frac{\sqrt{2}+2}{2-\sqrt{2}}$"


def verdict(answer, gold, **options):
    grade = xm.grade_math(answer, gold, **options)
    assert "error" not in grade.details, (answer, gold, grade.details)
    return grade.correct


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_either_way(one, other):
    assert verdict(one, other)
    assert verdict(other, one)
    assert verdict(rf"\boxed{{{one}}}", other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_either_way(one, other):
    assert not verdict(one, other)
    assert not verdict(other, one)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_equality_is_symmetric_on_all_pairs(step):
    bare = [pair for pair in PAIRS if "boxed" not in "".join(pair) and "fbox" not in "".join(pair)]
    assert len(bare) > 1_500
    compare = grading.compare
    assert not [(a, b) for a, b in bare[::step] if compare(a, b).equal != compare(b, a).equal]


@pytest.mark.parametrize(
    "sign", [r"7\%", r"700\%", "7!", r"7\text{ dozen}", "7 percent", "7 or more"]
)
def test_a_sign_that_the_gold_lacks_makes_another_number(sign):
    assert not verdict(rf"\boxed{{{sign}}}", "7")
    assert verdict(rf"\boxed{{{sign}}}", sign)
    assert verdict(r"\boxed{7}", "7")
    assert verdict(r"\boxed{50\%}", r"\frac{1}{2}")


def test_identical_texts_are_equal():
    texts = {text for pair in PAIRS for text in pair if text.strip() and "box" not in text}
    odd = {"}{", "((", "|", r"\frac", r"\begin{pmatrix}", "x" * 5_000, "⟦", "$", MALFORMED}
    assert not [text for text in texts | odd if not verdict(text, text)]


def test_a_reference_that_lacks_a_brace_is_found_in_a_box():
    assert verdict(rf"\boxed{{{MALFORMED}}}", MALFORMED)
    assert verdict(rf"so \boxed{{{MALFORMED.strip('$')}}}.", MALFORMED)
    assert verdict(r"\frac{1}{2\sqrt{2}} \ln\frac{\sqrt{2}+2}{2-\sqrt{2}}", MALFORMED)
    assert not verdict(rf"\boxed{{{MALFORMED.replace('2', '3')}}}", MALFORMED)
    assert xm.grade_math(r"\boxed{\frac{1}{2}", r"\frac{1}{2}").status == "truncated"


def test_dotted_groups_are_read_in_answers_alone():
    assert verdict("70.000", "70000", language="de")
    assert not verdict("70.000", "70000", language="en")
    assert not verdict("3142", "3.142", language="de")  # references are written in English style


@pytest.mark.parametrize("mode", ["default", "paper"])
def test_an_exception_is_bad_format_and_named(monkeypatch, mode):
    def broken(*arguments, **options):
        raise ArithmeticError("no rule foresaw this")

    monkeypatch.setattr(grading, "compare", broken)
    monkeypatch.setattr(grading, "grade_paper", broken)
    grade = xm.grade_math("1", "2", mode)
    assert (grade.correct, grade.status) == (False, "bad_format")
    assert grade.details["error"] == "ArithmeticError"


def _power(base: Node, exponent: int) -> Node:
    return Node("pow", (base, num(exponent)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((2, 30), (4, 15)), ((2, 30), (4, 16)), ((Fraction(2, 3), 4), (Fraction(4, 9), 2)),
        ((3, -2), (9, -1)), ((-2, 3), (2, 3)), ((-2, 4), (2, 4)),
    ],
)  # fmt: skip
def test_remainders_agree_with_exact_fractions(first, second):
    nodes = [_power(num(base), exponent) for base, exponent in (first, second)]
    values = [Fraction(base) ** exponent for base, exponent in (first, second)]
    assert same_residues(*nodes) == (values[0] == values[1])


def test_remainders_of_polynomials():
    x, y = Node("sym", value="x"), Node("sym", value="y")
    squared = Node("pow", (Node("add", (x, y)), num(2)))
    terms = (_power(x, 2), Node("mul", (num(math.comb(2, 1)), x, y)), _power(y, 2))
    assert same_residues(squared, Node("add", terms))
    assert not same_residues(squared, Node("add", (terms[0], terms[2])))
    assert not same_residues(Node("call", (x,), "sin"), Node("call", (x,), "sin"))  # has none
