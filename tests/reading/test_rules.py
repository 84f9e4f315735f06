"""Rules of the grammar, each made into a text from the words of every table: one status each.

The words stand side by side, without inflection, so a rule is shown to work on a table alone: no
phrase of a corpus is needed, and a language that joins later is checked as well.
"""

from __future__ import annotations

import pytest

from xlgo_metric import grade
from xlgo_metric.reading.tables import codes, table

REFERENCE = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
F, W = "$\\boxed{20}$", "$\\boxed{28}$"
# A rule: the text, with places of the table in it, and whether it answers 20. A number behind a
# place is that of its word.
RULES = {
    "an intermediate value is no answer": ("{interim}:\n{F}\n\n3 + 4", False),
    "nor is it in a fence": ("**{interim}:**\n\n```\n{F}\n```", False),
    "and takes nothing else back": ("{F}\n\n{interim}: {W}", True),
    "one of two in a list": ("{maybe}:\n\n1. {W}\n2. {F}", False),
    "two of which none is chosen": ("{W}\n\n{F}\n\n{two}: {decline}.", False),
    "the same with one answer": ("{F}\n\n{two}: {decline}.", False),
    "cut off behind a correction": ("{F}\n\n{wait}, {no}. {label}:", False),
    "no": ("{F}\n\n{wait}, {no}.", False),
    "questions that are answered": ("28? {no}. 20? {yes}.", True),
    "a first try, and what replaces it": ("{draft} 28; {so} 20.", True),
    "not the answer": ("{not} {label}:\n{F}", False),
    "a question of its own": ("{F}\n\n{question}: 3 + 4 = ?\n{label}: $\\boxed{{7}}$", True),
    "also behind a sentence": ("{label}: 20\n\n**{question} 2:** 3 + 4 = ?\n{label}: 7", True),
    "a question before the answer": ("{question}: 3 + 4 = ?\n\n{F}", True),
    "a mistake above the answer": ("{fault}:\n{F}", False),
    "a cross belongs to the answer before it": ("{W} ❌ {F} ✅", True),
    "verdicts in a table": ("| {F} | {right} |\n| {W} | {wrong} |", True),
    "a mistake with a remark in brackets": ("{right}: {F}\n{wrong} (abc): {W}", True),
    "taken back, and right after all": ("{F}\n\n{this}: {wrong}.\n{this}: {right}.", True),
    "two answers, both possible": ("{noun} 1 {W}; {noun} 2 {F}. {two}: {maybe}.", False),
    "asked for both": ("{F}, {or} {W}? {decline}.", False),
    "the number of a step": ("{label}\nabc 20: x", False),
    "verdicts in a list": ("1. {W} – {no}\n2. {F} – {yes}\n3. {W} – {wrong}", True),
    "right and wrong": ("{right}: {F}\n{wrong}: {W}", True),
    "one of two, behind the answer": ("{F}\n\n{maybe} 20 {or} 28.", False),
    "another two, behind the answer": ("{F}\n\n{maybe} 24 {or} 28.", True),
    "a first guess in brackets": ("{F} ({draft} {W})", True),
    "a first guess called wrong": ("{F} ({draft} {W} {wrong}.)", True),
    "a doubt about a mistake": ('{F}\n\n{doubt} "{this}" {wrong}.', True),
    "struck out": ("~~{F}~~", False),
    "that is the answer": ("28 + 3 = 31\n20. {this} {copula} {label}.", True),
}


def words(code: str) -> dict[str, str]:
    """The first word of every place of a table, as people write it."""
    first = {place: (found or ("",))[0].strip("*") for place, found in table(code).words.items()}
    return first | {"not": first["not_before"] or first["not_behind"], "F": F, "W": W}


def written(text: str, code: str) -> str:
    """A rule's text; where words stand without spaces, so do those of a denied label."""
    spaced = text if table(code).spaced else text.replace("{not} {label}", "{not}{label}")
    return spaced.format(**words(code))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_rule_holds_in_every_language(rule: str, whole: bool) -> None:
    """By default two languages, others for each rule: compiling their words is slow."""
    text, right = RULES[rule]
    turn = [*RULES].index(rule)
    differ = {
        code
        for place, code in enumerate(codes())
        if whole or (place + turn) % 20 == 0
        if grade(written(text, code), REFERENCE | {"language": code}).correct is not right
    }
    assert differ == set()
