"""What answers are read as, against numbers and sets that are worked out here."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

pytest.importorskip("mpmath")

import xlgo_metric as xm
from xlgo_metric.mathematics.read.numerals import spelled_value


def correct(answer, gold, language="en"):
    return xm.grade_math(rf"\boxed{{{answer}}}", gold, language=language).correct


@pytest.mark.parametrize("language", ["de", "es", "fr", "id", "it", "pt", "ru", "vi"])
def test_separators_of_the_language(language):
    for answer, gold in (("70.000", "70000"), (r"1.450 \text{ m}", "1450"), ("3,142", "3.142")):
        assert correct(answer, gold, language)
        assert not correct(answer, gold, "en")
    assert correct("70.000", "70", language)  # the decimal point stays possible
    assert not correct("70.000", "7000", language)
    assert not correct("0.375", "375", language)


@pytest.mark.parametrize("answer", ["1.234(5)", "1.234.1(6)", "&", ",", ";;", r"2_{(1.(6))}"])
def test_odd_answers_are_only_wrong(answer):
    assert not correct(answer, "17", "de")


def test_the_language_is_that_of_the_reference():
    reference = {"family": "polymath", "task": "polymath", "level": "low", "answer": "70000"}
    answer = r"\boxed{70.000}"
    assert xm.grade(answer, reference | {"language": "de"}).correct
    assert not xm.grade(answer, reference | {"language": "en"}).correct


MACHINE = ("#### {}", '{{"answer": "{}"}}', "<answer>{}</answer>")


@pytest.mark.parametrize("order", list(itertools.permutations(MACHINE, 2)))
def test_of_two_forms_that_nobody_asked_for_the_last_in_the_text_decides(order):
    text = "\n\n".join(form.format(number) for number, form in zip((11, 12), order))
    reference = {"family": "polymath", "task": "polymath", "level": "low", "language": "en"}
    assert xm.grade(text, reference | {"answer": "12"}).correct
    assert not xm.grade(text, reference | {"answer": "11"}).correct


def in_chinese(number):
    """An integer below 10^8 in Chinese characters, by the schoolbook rule."""

    def below_a_myriad(rest):
        text, gap = "", False
        for power, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit, rest = divmod(rest, power)
            if digit:
                text += ("零" if gap and text else "") + "零一二三四五六七八九"[digit] + name
            gap = not digit
        return text

    high, low = divmod(number, 10_000)
    text = below_a_myriad(high) + "万" if high else ""
    text += "零" if high and 0 < low < 1000 else ""
    return text + below_a_myriad(low) or "零"


def test_numbers_in_chinese_characters():
    stream = random.Random(1)
    numbers = [*range(130), *(stream.randrange(10 ** stream.randint(2, 8)) for _ in range(300))]
    for number in numbers:
        assert spelled_value(in_chinese(number)) == number, in_chinese(number)
    assert correct(r"\text{六十四元}", "64")
    assert not correct(r"\text{四十六元}", "64")


@pytest.mark.parametrize("base", range(2, 11))
def test_numbers_in_other_bases(base):
    for number in (base, 25, 301, 4096):
        digits, rest = "", number
        while rest:
            rest, digit = divmod(rest, base)
            digits = str(digit) + digits
        for shown in (f"{digits}_{{{base}}}", f"({digits})_{base}"):
            assert correct(shown, str(number))
            assert not correct(shown, str(number + 1))


@pytest.mark.parametrize("step", [3, 4, 7])
def test_residues_are_those_of_the_numbers(step):
    """``n = ak + b`` is ``n ≡ r (mod m)`` exactly if both have the same members."""
    for start in range(-5, 6):
        family = {step * k + start for k in range(-50, 50)}
        for residue in range(step):
            congruent = {n for n in range(-20, 20) if n % step == residue}
            same = congruent == {n for n in family if -20 <= n < 20}
            answer = rf"n = {step}k {start:+d}, k \in \mathbb{{Z}}"
            assert correct(answer, rf"$n \equiv {residue} \pmod {step}$") == same


GRID = [Fraction(n, 2) for n in range(-1, 16)]


def an_interval(stream, notation):
    low = stream.randrange(4)
    high = low + stream.randint(1, 5 - low)
    opening, closing = stream.choice("[("), stream.choice("])")
    above = {x for x in GRID if low < x or (low == x and opening == "[")}
    below = {x for x in GRID if x < high or (x == high and closing == "]")}
    left = r"\le" if opening == "[" else "<"
    right = r"\le" if closing == "]" else "<"
    shown = (
        f"{opening}{low}, {high}{closing}",
        rf"\{{x \mid {low} {left} x {right} {high}\}}",
        f"{']' if opening == '(' else '['}{low} ; {high}{'[' if closing == ')' else ']'}",
    )
    return shown[notation], above & below


@pytest.mark.parametrize("pairs", [40, pytest.param(80, marks=pytest.mark.slow)])
def test_sets_are_equal_if_their_members_are(pairs):
    stream = random.Random(7)
    operations = {r"\cup": set.union, r"\cap": set.intersection, r"\setminus": set.difference}
    sets = []
    for _ in range(pairs):
        notation = stream.randrange(3)
        first, left = an_interval(stream, notation)
        second, right = an_interval(stream, notation)
        sign = stream.choice(list(operations))
        members = operations[sign](left, right)
        if members:
            sets.append((f"{first} {sign} {second}", members))
    verdicts = []
    for gold, wanted in sets:
        for answer, found in sets:
            verdicts.append(wanted == found)
            assert correct(answer, f"${gold}$") == verdicts[-1], (gold, answer)
    assert sum(verdicts) > len(sets) + pairs // 4
