"""The answer of a word problem from its sentences: exact linear algebra over the present amounts.

Every agent's amount is a linear form in the unknown amounts at the start. Assertions are
equations, events change the forms, and equations are solved as they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .proof_rules import Statement

Number = int | Fraction
Form = dict[int, Number]
"""Coefficients by unknown; the key ``CONSTANT`` holds the constant term. No zeros."""

CONSTANT = -1


def final_amount(sentences: Sequence[Statement], asked: int) -> int:
    """What ``asked`` has after all sentences.

    Raises:
        ValueError: the sentences contradict each other or do not settle a condition or the
            answer, or the answer is not an integer.
    """
    state = _State()
    for form, agents, numbers in _connected(sentences, asked):
        state.tell(form, agents, numbers)
    amount = state.known(state.amount(asked))
    if amount is None or Fraction(amount).denominator != 1:
        raise ValueError(f"the sentences do not settle an integer: {amount}")
    return int(amount)


def _connected(sentences: Sequence[Statement], asked: int) -> list[Statement]:
    """The sentences that people link to ``asked``; the others cannot matter."""
    about: dict[int, list[int]] = {}
    for i, (_, agents, _) in enumerate(sentences):
        for x in agents:
            about.setdefault(x, []).append(i)
    linked: set[int] = set()
    met, open_agents = {asked}, [asked]
    while open_agents:
        for i in about.get(open_agents.pop(), ()):
            if i not in linked:
                linked.add(i)
                new = set(sentences[i][1]) - met
                met |= new
                open_agents.extend(new)
    return [sentences[i] for i in sorted(linked)]


def _sum(*terms: tuple[Number, Form]) -> Form:
    total: Form = {}
    for factor, form in terms:
        for unknown, coefficient in form.items():
            value = total.get(unknown, 0) + factor * coefficient
            if value:
                total[unknown] = value
            else:
                total.pop(unknown, None)
    return total


def _number(q: int) -> Form:
    return {CONSTANT: q} if q else {}


class _State:
    """What everybody has now, as far as it is known."""

    def __init__(self) -> None:
        self._amounts: dict[int, Form] = {}
        self._solved: dict[int, Form] = {}

    def amount(self, x: int) -> Form:
        """The amount of ``x`` as a form in unknowns that are still open."""
        form = self._amounts.setdefault(x, {x: 1})
        # A form put in for an unknown may hold unknowns that were solved since.
        while any(unknown in self._solved for unknown in form):
            form = _sum(*((c, self._solved.get(u, {u: 1})) for u, c in form.items()))
            self._amounts[x] = form
        return form

    def known(self, form: Form) -> Number | None:
        """The value of a form without unknowns; ``None`` if it has some."""
        if set(form) - {CONSTANT}:
            return None
        return form.get(CONSTANT, 0)

    def _equal(self, left: Form, right: Form) -> None:
        difference = _sum((1, left), (-1, right))
        unknown = next((u for u in difference if u != CONSTANT), None)
        if unknown is None:
            if difference:
                raise ValueError("the sentences contradict each other")
            return
        coefficient = difference.pop(unknown)
        # One over one is one, but as a Fraction it would make all that follows slow.
        factor = -coefficient if abs(coefficient) == 1 else Fraction(-1) / coefficient
        self._solved[unknown] = _sum((factor, difference))

    def tell(self, form: str, agents: Sequence[int], numbers: Sequence[int]) -> None:
        """Take in one sentence."""
        have = [self.amount(x) for x in agents]
        if form == "cont":
            self._equal(have[0], _number(numbers[0]))
        elif form == "comp":
            self._equal(have[0], _sum((1, have[1]), (1, _number(numbers[0]))))
        elif form == "comp-eq":
            self._equal(_sum((1, have[0]), (-1, have[1])), _sum((1, have[2]), (-1, have[3])))
        elif form == "cum":
            self._equal(_sum(*((1, part) for part in have)), _number(numbers[0]))
        elif form == "multi-comp":
            more = _number(numbers[0])
            self._equal(have[0], _sum((1, have[1]), (1, have[2]), (1, more)))
        elif form == "seq-comp":
            self._equal(have[0], _sum((1, have[1]), (1, _number(numbers[0]))))
            # The first equation may have solved an unknown that the second one has too.
            later = [self.amount(x) for x in agents]
            self._equal(later[2], _sum((1, later[0]), (1, _number(numbers[1]))))
        else:
            self._amounts.update(zip(agents, self._after(form, have, numbers)))

    def _after(self, form: str, have: list[Form], numbers: Sequence[int]) -> list[Form]:
        """What the agents of an event have after it."""
        if form in ("transfer", "cons"):
            gift = _number(numbers[0])
            return [_sum((1, have[0]), (-1, gift)), *(_sum((1, h), (1, gift)) for h in have[1:])]
        if form == "increase":
            return [_sum((Fraction(*numbers), have[0]))]
        if form == "switch":
            return have[::-1]
        half = Fraction(1, 2)
        if form == "redistribute":
            return [_sum((half, have[0]), (half, have[1]))] * 2
        if form == "split":
            return [{}, *(_sum((1, other), (half, have[0])) for other in have[1:])]
        giver = self.known(have[0])
        if giver is None:
            raise ValueError("a condition cannot be decided when it is stated")
        return [{}, _sum((1, have[1]), (1, have[0]))] if giver > numbers[0] else have
