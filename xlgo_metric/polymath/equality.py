"""Decide whether two answers are the same, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from .answers import (
    Answer,
    Builder,
    Combination,
    Congruence,
    Items,
    Matrix,
    Qualified,
    Quantity,
    Ratio,
    Raw,
    Relation,
    Text,
)
from .intervals import as_intervals, same_intervals
from .meanings import (
    all_quantities,
    are_products,
    as_items,
    is_explicit,
    is_name,
    parts,
    plain,
    radians,
    simple,
    spelled,
    stem,
)  # fmt: skip
from .nodes import Node, num
from .quantities import DEGREE_UNIT
from .same import constant, ratio, same, symbols
from .values import Budget, compare_real


def equal(gold: Answer, answer: Answer, budget: Budget) -> bool:
    """Whether ``answer`` says the same as ``gold``.

    Sets have no order and tuples have; the ends of intervals, units, variables and directions
    count. ``x = 5`` and ``5`` are the same, a bare list is a set or a tuple as the other side is.
    """
    return gold == answer or _Comparison(budget).equal(gold, answer)


class _Comparison:
    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def equal(self, gold: Answer, answer: Answer) -> bool:  # noqa: PLR0911
        self.budget.spend(1)
        if gold == answer:
            return True
        if isinstance(gold, Qualified) or isinstance(answer, Qualified):
            return self.qualified(gold, answer)
        if isinstance(gold, Quantity) and isinstance(answer, Quantity):
            return self.quantities(gold, answer)
        if (
            isinstance(gold, Relation)
            and isinstance(answer, Relation)
            and self.relations(gold, answer)
        ):
            return True
        if self.as_sets(gold, answer):
            return True
        shorter_gold, shorter = self.unwrapped(gold, answer)
        if shorter_gold is not gold or shorter is not answer:
            return self.equal(shorter_gold, shorter)
        if isinstance(gold, Items) or isinstance(answer, Items):
            return self.items(gold, answer)
        return self.alike(gold, answer)

    def alike(self, gold: Answer, answer: Answer) -> bool:
        """Answers of one kind that has no rules of its own but "part by part"."""
        if isinstance(gold, Matrix) and isinstance(answer, Matrix):
            shape = [len(row) for row in gold.rows]
            return (
                gold.kind == answer.kind
                and shape == [len(row) for row in answer.rows]
                and all(self.in_order(a, b) for a, b in zip(gold.rows, answer.rows, strict=True))
            )
        if isinstance(gold, Ratio) or isinstance(answer, Ratio):
            return self.ratios(gold, answer)
        if isinstance(gold, Congruence) and isinstance(answer, Congruence):
            return self.congruences(gold, answer)
        if isinstance(gold, Combination) and isinstance(answer, Combination):
            same_order = self.in_order((gold.left, gold.right), (answer.left, answer.right))
            swapped = gold.sign != "setminus" and self.in_order(
                (gold.left, gold.right), (answer.right, answer.left)
            )
            return gold.sign == answer.sign and (same_order or swapped)
        if isinstance(gold, Builder) and isinstance(answer, Builder):
            return self.in_order((gold.element, gold.condition), (answer.element, answer.condition))
        return self.as_text(gold, answer)

    def as_text(self, gold: Answer, answer: Answer) -> bool:
        """Words against words, or against a run of letters that may be a word."""
        first, second = spelled(gold), spelled(answer)
        if first and second and plain(first) == plain(second):
            return True
        return isinstance(gold, Raw) and isinstance(answer, Raw) and gold.text == answer.text != ""

    def quantities(self, gold: Quantity, answer: Quantity) -> bool:  # noqa: PLR0911
        if gold.letters and answer.letters and not are_products(gold.letters + answer.letters):
            return gold.letters.casefold() == answer.letters.casefold()
        if gold.percent or answer.percent:
            return self.percentages(gold, answer)
        if gold.unit is None and answer.unit is None:
            nouns_fit = not gold.noun or not answer.noun or stem(gold.noun) == stem(answer.noun)
            return nouns_fit and same(gold.node, answer.node, self.budget)
        if gold.unit is None or answer.unit is None:
            return self.one_unit(gold, answer)
        if gold.unit.powers != answer.unit.powers:
            return False
        if gold.unit.factor == answer.unit.factor:
            return same(gold.node, answer.node, self.budget)
        scale = num(answer.unit.factor / gold.unit.factor)
        if gold.unit.powers == (("angle", 1),):
            return same(radians(gold), radians(answer), self.budget)
        return same(gold.node, Node("mul", (answer.node, scale)), self.budget)

    def one_unit(self, gold: Quantity, answer: Quantity) -> bool:
        """A quantity with a unit against one without, which may leave it to the question."""
        with_unit, bare = (gold, answer) if gold.unit is not None else (answer, gold)
        if bare.as_unit is not None:
            other = bare.as_unit
            return self.quantities(*((gold, other) if bare is answer else (other, answer)))
        if bare.noun:
            return False
        if same(with_unit.node, bare.node, self.budget):
            return True
        return with_unit.unit == DEGREE_UNIT and same(radians(with_unit), bare.node, self.budget)

    def percentages(self, gold: Quantity, answer: Quantity) -> bool:
        """50 % is 0.5; a number above 1 may be meant in per cent if the other side has the sign."""
        if gold.unit or answer.unit:
            return False
        if gold.percent == answer.percent:
            return same(gold.node, answer.node, self.budget)
        shown, bare = (gold, answer) if gold.percent else (answer, gold)
        hundredth = Node("mul", (shown.node, num(Fraction(1, 100))))
        if same(hundredth, bare.node, self.budget):
            return True
        value = constant(bare.node, self.budget)
        above = value is None or compare_real(value, Fraction(1)) > 0
        return above and same(shown.node, bare.node, self.budget)

    def qualified(self, gold: Answer, answer: Answer) -> bool:
        """The conditions count only where both sides give one."""
        if isinstance(gold, Qualified) and isinstance(answer, Qualified):
            return self.equal(gold.main, answer.main) and (
                self.equal(gold.condition, answer.condition)
                or isinstance(gold.condition, Raw | Text)
                or isinstance(answer.condition, Raw | Text)
            )
        if isinstance(gold, Qualified):
            return self.equal(gold.main, answer)
        assert isinstance(answer, Qualified)
        return self.equal(gold, answer.main)

    def unwrapped(self, gold: Answer, answer: Answer) -> tuple[Answer, Answer]:
        """Without "x =" or "x ∈" where the other side has none; chains of "=" cut to their ends."""
        if isinstance(gold, Relation) and isinstance(answer, Relation):
            return self.cut(gold), self.cut(answer)
        if isinstance(answer, Relation):
            value = self.assigned(answer, result=True)
            return gold, answer if value is None else value
        if isinstance(gold, Relation):
            value = self.assigned(gold)
            return gold if value is None else value, answer
        return gold, answer

    def cut(self, relation: Relation) -> Relation:
        """``x = 2 · 3 = 6`` as ``x = 6``."""
        if len(relation.sides) <= 2 or self.assigned(relation) is None:
            return relation
        return Relation((relation.sides[0], relation.sides[-1]), ("=",))

    def assigned(self, relation: Relation, result: bool = False) -> Answer | None:
        """What a relation says that something is: ``5`` of ``x = 5``, the set of ``x ∈ S``.

        The left side must be a name; in an answer (``result``) it may be any expression with a
        letter if the right side has none: ``m + n = 29``.
        """
        if relation.signs == ("in",):
            return relation.sides[1]
        if set(relation.signs) != {"="}:
            return None
        first, last = relation.sides[0], relation.sides[-1]
        if is_name(first) or isinstance(first, Text | Raw):
            return last
        if not (result and isinstance(first, Quantity) and isinstance(last, Quantity)):
            return None
        told = symbols(first.node) or same(first.node, last.node, self.budget)
        return last if told and not symbols(last.node) else None

    def as_sets(self, gold: Answer, answer: Answer) -> bool:
        """Unions of intervals, however written: ``(1, 2)``, ``1 < x < 2``, ``x > 1 and x < 2``."""
        if is_explicit(gold) and is_explicit(answer):
            return False
        first, second = as_intervals(gold, self.budget), as_intervals(answer, self.budget)
        if first is None or second is None:
            return False
        if first.variable and second.variable and first.variable != second.variable:
            return False
        return same_intervals(first, second, self.budget)

    def relations(self, gold: Relation, answer: Relation) -> bool:
        names = gold.signs[0] in ("in", "notin", "subset", "subseteq")
        if names or not (all_quantities(gold.sides) and all_quantities(answer.sides)):
            return gold.signs == answer.signs and self.in_order(gold.sides, answer.sides)
        if gold.signs == answer.signs == ("=",) and self.in_order(gold.sides, answer.sides):
            return True
        if set(gold.signs) | set(answer.signs) == {"="} and len(gold.signs) + len(answer.signs) > 2:
            return False
        return self.matched(simple(gold), simple(answer), self.proportional)

    def proportional(self, gold: tuple[str, Node], answer: tuple[str, Node]) -> bool:
        """Whether two relations with zero differ by a factor (a positive one for inequalities)."""
        if gold[0] != answer[0]:
            return False
        factor = ratio(gold[1], answer[1], self.budget)
        if factor is None:
            return same(gold[1], answer[1], self.budget)
        return gold[0] in ("=", "!=") or compare_real(factor, Fraction(0)) > 0

    def items(self, gold: Answer, answer: Answer) -> bool:  # noqa: PLR0911
        """Lists, sets and tuples."""
        if isinstance(gold, Matrix) or isinstance(answer, Matrix):
            return self.vectors(gold, answer)
        first, second = as_items(gold), as_items(answer)
        if first.opening == "{" or second.opening == "{":
            for one, other in ((first, second), (second, first)):
                if one.opening == "{" and other.opening not in ("{", ""):
                    return len(one.items) == 1 and self.equal(one.items[0], other)
            loose = {first.opening, second.opening} <= {"{", ""}
            return loose and self.unordered(self.distinct(first.items), self.distinct(second.items))
        if not first.opening and not second.opening:
            return self.unordered(first.items, second.items)
        if first.opening and second.opening:
            ends = (first.opening, first.closing) == (second.opening, second.closing)
            if not ends and (len(first.items) == 2 or {first.opening, second.opening} - {"(", "["}):
                return False
            return self.in_order(first.items, second.items)
        if isinstance(gold, Items) and isinstance(answer, Items):
            return self.in_order(self.plain_values(first.items), self.plain_values(second.items))
        return False

    def plain_values(self, items: Sequence[Answer]) -> tuple[Answer, ...]:
        """The values of ``x = 1, y = 2``; other items as they are."""
        values = []
        for item in items:
            value = self.assigned(item) if isinstance(item, Relation) else None
            values.append(item if value is None else value)
        return tuple(values)

    def vectors(self, gold: Answer, answer: Answer) -> bool:
        """A row or column against a tuple."""
        flat = []
        for one in (gold, answer):
            if isinstance(one, Matrix) and one.rows and min(len(one.rows), len(one.rows[0])) == 1:
                flat.append(tuple(cell for row in one.rows for cell in row))
            elif isinstance(one, Items) and one.opening != "{":
                flat.append(one.items)
        return len(flat) == 2 and self.in_order(flat[0], flat[1])

    def ratios(self, gold: Answer, answer: Answer) -> bool:
        """Ratios up to a common factor; one of two parts may be written as a fraction."""
        first, second = parts(gold), parts(answer)
        if first is None or second is None or len(first) != len(second):
            return False
        head = (first[0], second[0])
        return all(
            same(Node("mul", (a, head[1])), Node("mul", (b, head[0])), self.budget)
            for a, b in zip(first[1:], second[1:], strict=True)
        )

    def congruences(self, gold: Congruence, answer: Congruence) -> bool:
        if not (self.equal(gold.left, answer.left) and self.equal(gold.modulus, answer.modulus)):
            return False
        residues = []
        for one in (gold, answer):
            modulus = self.whole(one.modulus)
            values = [self.whole(residue) for residue in one.residues]
            if modulus is None or not modulus or None in values:
                return self.unordered(gold.residues, answer.residues)
            residues.append({value % modulus for value in values if value is not None})
        return residues[0] == residues[1]

    def whole(self, answer: Answer) -> int | None:
        value = constant(answer.node, self.budget) if isinstance(answer, Quantity) else None
        return int(value) if isinstance(value, Fraction) and value.denominator == 1 else None

    def in_order(self, gold: Sequence[Answer], answer: Sequence[Answer]) -> bool:
        return len(gold) == len(answer) and all(map(self.equal, gold, answer))

    def unordered(self, gold: Sequence[Answer], answer: Sequence[Answer]) -> bool:
        return self.matched(gold, answer, self.equal)

    def matched(self, gold: Sequence, answer: Sequence, test: Callable[..., bool]) -> bool:  # type: ignore[type-arg]
        """Whether each of ``gold`` has a partner of its own in ``answer`` that passes the test."""
        if len(gold) != len(answer):
            return False
        left = list(answer)
        for one in gold:
            place = next((n for n, other in enumerate(left) if test(one, other)), None)
            if place is None:
                return False
            del left[place]
        return True

    def distinct(self, items: Sequence[Answer]) -> list[Answer]:
        kept: list[Answer] = []
        for item in items:
            if not any(self.equal(one, item) for one in kept):
                kept.append(item)
        return kept
