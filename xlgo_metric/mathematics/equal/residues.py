"""Classes of integers: n ≡ 1 (mod 3), n = 3k + 1, 3 | n, n odd."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from ..read.answers import (
    Answer,
    Congruence,
    Items,
    Qualified,
    Quantity,
    Relation,
    Special,
    names_in,
)
from .evaluate import evaluate
from .numeric_equality import constant, value_at
from .renaming import parameters
from .values import Budget, UndefinedError, agree, context, inexact

MAX_MODULUS = 10_000


def same_residues(
    gold: Answer, answer: Answer, equal: Callable[[Answer, Answer], bool], budget: Budget
) -> bool | None:
    """Whether two answers, one of them a congruence, allow the same integers.

    ``None`` if the modulus is no number below ``MAX_MODULUS``.
    """
    one = gold if isinstance(gold, Congruence) else answer
    assert isinstance(one, Congruence)
    modulus = abs(whole(one.modulus, budget) or 0)
    if not 0 < modulus <= MAX_MODULUS:
        return None

    def residues(part: Answer) -> frozenset[int]:
        """The residues that an answer allows; none if it does not say which."""
        if isinstance(part, Items) and not part.opening:
            of_items = [residues(item) for item in part.items]
            return frozenset[int]().union(*of_items) if all(of_items) else frozenset()
        classes = residue_classes(part, budget)
        # The part's modulus must divide this one: 1 mod 3 is {1, 4} mod 6, but 1 mod 4 is no set of
        # residues mod 6.
        if classes is None or modulus % classes[2] or not equal(one.left, classes[0]):
            return frozenset()
        _, starts, step = classes
        return frozenset((n + turn) % modulus for n in starts for turn in range(0, modulus, step))

    first = residues(gold)
    return bool(first) and first == residues(answer)


def same_progression(gold: Qualified, answer: Qualified, budget: Budget) -> bool:
    """Whether two answers such as ``x = 3π/4 + kπ, k ∈ ℤ`` name the same numbers."""
    progressions = []
    for one in (gold, answer):
        main, letters = one.main, parameters(one.main, one.condition)
        name = None
        if isinstance(main, Relation) and main.signs == ("=",):
            name, main = main.sides
        member = isinstance(one.condition, Relation) and one.condition.signs == ("in",)
        if not member or not isinstance(main, Quantity) or main.unit is not None:
            return False
        if one.condition.sides[1] != Special("setZ") or names_in(main) != letters:  # type: ignore[union-attr]
            return False
        if len(letters) != 1:
            return False
        (letter,) = letters
        try:
            points = [evaluate([main.node], {letter: Fraction(k)}, budget)[0] for k in range(3)]
        except UndefinedError:
            return False
        start, second, third = map(inexact, points)
        # Three points tell a straight line from a curve such as k^2.
        if not agree(third - second, second - start) or agree(second, start):
            return False
        progressions.append((name, start, second - start))
    (name, start, step), (other, begin, stride) = progressions
    turns = (start - begin) / step
    same_names = name == other or name is None or other is None
    return (
        same_names
        and agree(abs(step), abs(stride))
        # One is added to both: agreement is relative, and nothing but 0 is near 0.
        and agree(turns + 1, context().nint(turns.real) + 1)
    )


def whole(answer: Answer, budget: Budget) -> int | None:
    """The integer that an answer is, if it is one."""
    value = constant(answer.node, budget) if isinstance(answer, Quantity) else None
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else None


def residue_classes(answer: Answer, budget: Budget) -> tuple[Answer, tuple[int, ...], int] | None:
    """What ``n ≡ 1 (mod 3)`` or ``n = 3k + 1, k ∈ ℤ`` says: n, the residues and the modulus."""
    if isinstance(answer, Congruence):
        integers = [whole(residue, budget) for residue in answer.residues]
        known = tuple(residue for residue in integers if residue is not None)
        modulus = whole(answer.modulus, budget)
        return (
            (answer.left, known, abs(modulus)) if modulus and len(known) == len(integers) else None
        )
    main = answer.main if isinstance(answer, Qualified) else answer
    if not isinstance(main, Relation) or main.signs != ("=",):
        return None
    left, value = main.sides
    letters = names_in(value)
    if len(letters) != 1 or not isinstance(value, Quantity) or letters & names_in(left):
        return None
    (letter,) = letters
    values = [value_at(value.node, letter, k, budget) for k in range(4)]
    if any(one is None or one.denominator > 1 for one in values):
        return None
    # A set: one difference means a progression, and more mean none.
    step, *others = {int(after - before) for before, after in pairwise(values)}
    return (left, (int(values[0]),), abs(step)) if step and not others else None
