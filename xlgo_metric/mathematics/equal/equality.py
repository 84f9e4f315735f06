"""Decide whether two answers are the same, kind by kind."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..read.answers import (
    Answer,
    Builder,
    Cases,
    Combination,
    Congruence,
    Items,
    Matrix,
    Qualified,
    Quantity,
    Ratio,
    Raw,
    Relation,
    Special,
    Text,
)
from ..read.nodes import Node, num, symbols
from ..read.quantities import DEGREE_UNIT
from .finite_sets import computed, matched
from .intervals import as_intervals, same_intervals
from .normal_forms import (
    all_quantities,
    are_products,
    as_items,
    assignments,
    is_asked_for,
    is_explicit,
    is_name,
    is_zero,
    parts,
    plain,
    radians,
    several_values,
    simple,
    spelled,
    stem,
    unbraced,
    without_indices,
)  # fmt: skip
from .numeric_equality import constant, ratio, same
from .renaming import builder_like, function_name, with_constants_of, with_letters_of
from .residues import same_progression, same_residues
from .values import Budget, compare_real
from .vectors import same_vectors


def equal(gold: Answer, answer: Answer, budget: Budget) -> bool:
    """Whether ``answer`` says the same as ``gold``.

    Sets have no order and tuples have; the ends of intervals, units, variables and directions
    count. ``x = 5`` and ``5`` are the same, a bare list is a set or a tuple as the other side is.
    """
    comparison = _Comparison(budget)
    if gold == answer or comparison.equal(gold, answer):
        return True
    return any(comparison.equal(gold, other) for other in with_constants_of(answer, gold))


class _Comparison:
    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def equal(self, gold: Answer, answer: Answer) -> bool:  # noqa: PLR0911
        self.budget.spend(1)
        if gold == answer:
            return True
        if isinstance(gold, Congruence) or isinstance(answer, Congruence):
            return self.congruences(gold, answer)
        if isinstance(gold, Qualified) or isinstance(answer, Qualified):
            return self.qualified(gold, answer)
        if isinstance(gold, Quantity) and isinstance(answer, Quantity):
            return self.quantities(gold, answer)
        both = isinstance(gold, Relation) and isinstance(answer, Relation)
        if both and self.relations(gold, answer):  # type: ignore[arg-type]
            return True
        if self.as_sets(gold, answer):
            return True
        first, second = assignments(gold), assignments(answer)
        if first and second and len(first) > 1 and first.keys() == second.keys():
            return all(self.equal(value, second[name]) for name, value in first.items())
        gold, answer = several_values(gold, first, answer), several_values(answer, second, gold)
        if isinstance(gold, Quantity) and isinstance(answer, Relation) and self.first(gold, answer):
            return True
        shorter_gold, shorter = self.unwrapped(gold, answer)
        if shorter_gold is not gold or shorter is not answer:
            return self.equal(shorter_gold, shorter)
        gold, answer = computed(gold, self.equal), computed(answer, self.equal)
        if isinstance(gold, Items) or isinstance(answer, Items):
            return self.items(gold, answer)
        if isinstance(gold, Matrix) != isinstance(answer, Matrix):
            return self.vectors(gold, answer)
        return self.alike(gold, answer)

    def alike(self, gold: Answer, answer: Answer) -> bool:  # noqa: PLR0911
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
        if isinstance(gold, Combination) and isinstance(answer, Combination):
            same_order = self.in_order((gold.left, gold.right), (answer.left, answer.right))
            swapped = gold.sign != "setminus" and self.in_order(
                (gold.left, gold.right), (answer.right, answer.left)
            )
            return gold.sign == answer.sign and (same_order or swapped)
        if isinstance(gold, Builder) and isinstance(answer, Builder):
            other = builder_like(answer, gold)
            return self.in_order((gold.element, gold.condition), (other.element, other.condition))
        if isinstance(gold, Cases) and isinstance(answer, Cases):
            return self.cases(gold, answer)
        if isinstance(gold, Special) and isinstance(answer, Special):  # whether 0 is in N
            return gold == answer or {gold.name, answer.name} in (
                {"setN", "setN+"},
                {"setN", "setN0"},
            )
        return self.as_text(gold, answer)

    def cases(self, gold: Cases, answer: Cases) -> bool:
        """Definitions by cases, in any order; "otherwise" stands for the case that is left."""
        left, loose = list(answer.rows), []
        for value, condition in gold.rows:
            place = next((n for n, row in enumerate(left) if self.equal(condition, row[1])), None)
            if place is None:
                loose.append((value, condition))
            elif not self.equal(value, left.pop(place)[0]):
                return False
        if len(loose) != 1 or len(left) != 1:
            return not loose and not left
        otherwise = Special("otherwise")
        return otherwise in (loose[0][1], left[0][1]) and self.equal(loose[0][0], left[0][0])

    def as_text(self, gold: Answer, answer: Answer) -> bool:
        """Words against words, or against a run of letters that may be a word."""
        first, second = spelled(gold), spelled(answer)
        if first and second and plain(first) == plain(second):
            return True
        if not (isinstance(gold, Raw) and isinstance(answer, Raw)):
            return False
        return unbraced(gold.text) == unbraced(answer.text) != ""

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
        """50 % is 0.5; a number above 1 may be meant in percent if the other side has the sign."""
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
            if same_progression(gold, answer, self.budget):
                return True
            main, condition = with_letters_of(
                answer.main, answer.condition, gold.main, gold.condition
            )
            return self.equal(gold.main, main) and (
                self.equal(gold.condition, condition)
                or isinstance(gold.condition, Raw | Text)
                or isinstance(condition, Raw | Text)
            )
        if isinstance(gold, Qualified):
            main, _ = with_letters_of(gold.main, gold.condition, answer, None)
            return self.equal(main, answer)
        assert isinstance(answer, Qualified)
        main, _ = with_letters_of(answer.main, answer.condition, gold, None)
        return self.equal(gold, main)

    def unwrapped(self, gold: Answer, answer: Answer) -> tuple[Answer, Answer]:
        """Without "x =" or "x ∈" where the other side has none; chains of "=" cut to their ends."""
        if isinstance(gold, Relation) and isinstance(answer, Relation):
            if ("=" in gold.signs) == ("=" in answer.signs):
                return self.cut(gold), self.cut(answer)
            named = "=" in gold.signs  # A ∩ B = (-1, 2) against -1 < x < 2
            return (self.value(gold), answer) if named else (gold, self.value(answer))
        if isinstance(answer, Relation):
            return gold, self.value(answer, result=True)
        return (self.value(gold) if isinstance(gold, Relation) else gold), answer

    def value(self, relation: Relation, result: bool = False) -> Answer:
        """What a relation assigns, or else the relation."""
        value = self.assigned(relation, result)
        return relation if value is None else value

    def first(self, gold: Quantity, answer: Relation) -> bool:
        """Whether an answer begins with ``gold`` and only says it again: 20 min = 1/3 h."""
        if set(answer.signs) != {"="} or not all_quantities(answer.sides):
            return False
        one, *others = (side for side in answer.sides if isinstance(side, Quantity))
        if symbols(one.node) or not self.quantities(gold, one):
            return False
        return all(not symbols(other.node) and self.quantities(one, other) for other in others)

    def cut(self, relation: Relation) -> Relation:
        """``x = 2 · 3 = 6`` as ``x = 6``."""
        if len(relation.sides) <= 2 or self.assigned(relation) is None:
            return relation
        return Relation((relation.sides[0], relation.sides[-1]), ("=",))

    def assigned(  # noqa: PLR0911
        self, relation: Relation, result: bool = False
    ) -> Answer | None:
        """What a relation says that something is: ``5`` of ``x = 5``, the set of ``x ∈ S``.

        The left side must be a name; in an answer (``result``) it may be any expression with a
        letter if the right side has none: ``m + n = 29``.
        """
        if relation.signs == ("in",):
            return relation.sides[1]
        if set(relation.signs) != {"="}:
            return None
        first, last = relation.sides[0], relation.sides[-1]
        named = isinstance(first, Text | Raw) or (isinstance(first, Matrix) and first.kind == "det")
        if is_name(first) or named:
            return last
        if not (result and isinstance(first, Quantity) and isinstance(last, Quantity)):
            return None
        if symbols(last.node):
            return None
        letters = symbols(first.node)
        if letters:
            return last if is_asked_for(first.node, last.node) else None
        told = first.node.op in ("sum", "prod")
        return last if told or self.quantities(first, last) else None

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
        if gold.signs == answer.signs == ("=",):
            if self.in_order(gold.sides, answer.sides):
                return True
            answer = self.of_function(gold, answer)
        if set(gold.signs) | set(answer.signs) == {"="} and len(gold.signs) + len(answer.signs) > 2:
            return False
        return matched(simple(gold), simple(answer), self.proportional)

    def of_function(self, gold: Relation, answer: Relation) -> Relation:
        """``y = x + 1`` as ``f(x) = x + 1`` where the reference has that, and the other way."""
        for one, other in ((gold, answer), (answer, gold)):
            name = function_name(one.sides[0])
            if name and spelled(other.sides[0]) in ("y", name):
                return Relation((gold.sides[0], answer.sides[1]), ("=",))
        return answer

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
        if {type(gold), type(answer)} & {Matrix, Quantity} and self.vectors(gold, answer):
            return True
        if isinstance(gold, Matrix) or isinstance(answer, Matrix):
            return False
        golds, answers = without_indices(as_items(gold), as_items(answer))
        if golds.opening == "{" or answers.opening == "{":
            for one, other in ((golds, answers), (answers, golds)):
                if one.opening == "{" and other.opening not in ("{", ""):
                    return len(one.items) == 1 and self.equal(one.items[0], other)
            loose = {golds.opening, answers.opening} <= {"{", ""}
            return loose and self.unordered(
                self.distinct(golds.items), self.distinct(answers.items)
            )
        if not golds.opening and not answers.opening:
            if "or" in (golds.joint, answers.joint):  # 3/4 or 0.75
                return self.unordered(self.distinct(golds.items), self.distinct(answers.items))
            return self.unordered(golds.items, answers.items)
        if golds.opening and answers.opening:
            ends = (golds.opening, golds.closing) == (answers.opening, answers.closing)
            if not ends and (
                len(golds.items) == 2 or {golds.opening, answers.opening} - {"(", "["}
            ):
                return False
            return self.in_order(golds.items, answers.items)
        if isinstance(gold, Items) and isinstance(answer, Items):
            return self.in_order(self.plain_values(golds.items), self.plain_values(answers.items))
        return False

    def plain_values(self, items: Sequence[Answer]) -> tuple[Answer, ...]:
        """The values of ``x = 1, y = 2``; other items as they are."""
        values = []
        for item in items:
            value = self.assigned(item) if isinstance(item, Relation) else None
            values.append(item if value is None else value)
        return tuple(values)

    def vectors(self, gold: Answer, answer: Answer) -> bool:
        return same_vectors(gold, answer, self.in_order, self.budget)

    def ratios(self, gold: Answer, answer: Answer) -> bool:
        """Ratios up to a common factor; one of two parts may be written as a fraction."""
        first, second = parts(gold), parts(answer)
        if first is None or second is None or len(first) != len(second):
            return False
        head = (first[0], second[0])
        zeros = [[is_zero(part) for part in side] for side in (first, second)]
        if any(map(any, zeros)):  # all multiples of 1 : 0 are the same
            return zeros[0] == zeros[1] and all(
                same(a, b, self.budget) for a, b in zip(first, second, strict=True)
            )
        return all(
            same(Node("mul", (a, head[1])), Node("mul", (b, head[0])), self.budget)
            for a, b in zip(first[1:], second[1:], strict=True)
        )

    def congruences(self, gold: Answer, answer: Answer) -> bool:
        """The same classes of integers: n ≡ 0, 1 (mod 4), n = 4k or n = 4k + 1."""
        found = same_residues(gold, answer, self.equal, self.budget)
        if found is None and isinstance(gold, Congruence) and isinstance(answer, Congruence):
            alike = self.in_order((gold.left, gold.modulus), (answer.left, answer.modulus))
            return alike and self.unordered(gold.residues, answer.residues)
        return bool(found)

    def in_order(self, gold: Sequence[Answer], answer: Sequence[Answer]) -> bool:
        return len(gold) == len(answer) and all(map(self.equal, gold, answer))

    def unordered(self, gold: Sequence[Answer], answer: Sequence[Answer]) -> bool:
        return matched(gold, answer, self.equal)

    def distinct(self, items: Sequence[Answer]) -> list[Answer]:
        kept: list[Answer] = []
        for item in items:
            if not any(self.equal(one, item) for one in kept):
                kept.append(item)
        return kept
