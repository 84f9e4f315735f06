"""Confirm an instance by the independent checkers, whatever its task."""

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import logic, questions
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import (
    INTERPRETATIONS,
    models,
    negate,
)
from xlgo_dataset.sources import read_toml

from . import parallel
from .logic import check_evaluation, check_negation
from .proof import answers, parse
from .texts import check_travel, valid_itinerary

simple_reasoning: Any = xd.family("simple_reasoning")


@cache
def table(language, folder="languages"):
    """The strings of a language for its prompts, or in ``parallel`` for those that are alike."""
    return read_toml(Path(questions.__file__).parent / folder / f"{language}.toml")


def colons(part, colon):
    """Strings with the plain colon, where a language has another (French has a space before it)."""
    if isinstance(part, dict):
        return {name: colons(inner, colon) for name, inner in part.items()}
    if isinstance(part, list):
        return [colons(inner, colon) for inner in part]
    return part.replace(colon, ":") if isinstance(part, str) else part


def names_of(structure, strings):
    """What the symbols are called: letters by the alphabet, movies by the language's file."""
    if structure["vocabulary"] == "rand20":
        return structure["names"]
    if structure["vocabulary"] == "movies":
        return strings.get("logic", strings)["movies"]
    return {
        "propositions": "abcdefghijklmnop",
        "predicates": "ABCDEFGHIJKLMNOP",
        "domains": [f"X_{i}" for i in range(1, 9)],
    }


def witnesses_of(structure: Any) -> list[dict[str, Any] | None]:
    """For each option an interpretation in which it differs from the negation; none for the key.

    They are sought among the package's own interpretations, as the propositions and facts that are
    true, and confirmed by ``logic.check_negation``, which evaluates formulas by itself.
    """
    value, key = logic.Evaluator(models(), INTERPRETATIONS), negate(structure["formula"])
    options = structure["options"]
    used = logic.used_in([structure["formula"], *options])
    truth = value(key)
    differences = [0 if option == key else truth ^ value(option) for option in options]
    return [_witness(difference, used) if difference else None for difference in differences]


def _witness(difference: int, used: dict[str, dict[int, int]]) -> dict[str, Any]:
    at = (difference & -difference).bit_length() - 1
    column = [mask >> at & 1 for mask in models()]
    return {
        "propositions": [p for p in used["prop"] if column[p]],
        "facts": [
            [predicate, domain, element]
            for predicate in used["pred"]
            for domain in used["domain"]
            for element in (0, 1)
            if column[logic.row(predicate, domain, element)]
        ],
    }


def confirm(instance, language="en", wording="paper"):
    """Check the prompt of an instance against its answer."""
    task, params, structure = instance.task, instance.params, instance.structure
    answer = simple_reasoning.solve(instance)
    prompt = simple_reasoning.render(instance, language, wording)
    strings = table(language, "languages" if wording == "paper" else wording)
    if task != "logic_negation":  # whose quantifiers have a space before the colon
        prompt, strings = (colons(part, strings.get("colon", ":")) for part in (prompt, strings))
    deep = params["depth"] if params.get("full_depth") else None
    if task == "logic_eval":
        check_evaluation(prompt, answer["choice"], deep, strings.get("true"))
    elif task == "logic_negation":
        names = names_of(structure, strings)
        rounds = max(3, 400 // len(prompt.split()))
        witnesses = witnesses_of(structure)
        check_negation(prompt, answer["choice"], witnesses, names, full_depth=deep, rounds=rounds)
    elif task == "travel":
        named = strings.get("travel", strings)["modes"]
        legs = [(u, v, named[mode]) for u, v, mode in answer["itinerary"]]
        graph = check_travel(prompt, legs)
        assert len(graph["cities"]) == params["cities"]
        assert len(graph["modes"]) == params["modes"]
        assert (graph["budget"], graph["visit"]) == (structure["budget"], structure["visit"])
        assert not valid_itinerary(graph, legs[:-1])[0]
    else:
        statements, asked, remarks = (
            parse(prompt) if wording == "paper" else parallel.parse(prompt, strings)
        )
        assert len(statements) + len(remarks) == len(structure["sentences"])
        assert len(remarks) == params.get("sentences", 0)
        _check_trees(statements, asked, answer["number"], params.get("trees", 0) + 1)
        if task == "proof_tree":
            assert len(statements) == instance.covariates["leaves"] < params["max_leaves"]


def _check_trees(statements, asked, number, count):
    """The key tree's sentences alone give the key; trees are alike and share nobody."""
    # People linked by statements form the trees.
    group: dict[Any, Any] = {}
    for _, groups in statements:
        people = [g for g in groups if g[0].isalpha()]
        merged = set(people).union(*(group.get(p, ()) for p in people))
        group.update(dict.fromkeys(merged, frozenset(merged)))
    assert len(set(group.values())) % count == 0
    mine = statements if count == 1 else [s for s in statements if set(s[1]) & group[asked]]
    assert len(mine) * count == len(statements)
    assert answers(mine, asked) == {number}


def grids():
    """Every setting of the paper's grids, and of what is offered beside them, by task.

    Counting is confirmed by ``test_counting.py``.
    """

    def product(**values):
        return [dict(zip(values, row)) for row in itertools.product(*values.values())]

    formulas = product(
        depth=(4, 8, 12), size=("small", "medium"), vocabulary=("letters", "movies", "rand20")
    )
    return {
        "logic_eval": [*formulas, *product(depth=(12,), size=("small",), full_depth=(False,))],
        "logic_negation": formulas,
        "proof_tree": [
            *product(depth=(3, 6, 9), diverse=(False, True), compeq_style=("explicit", "paper")),
            *product(depth=(9,), diverse=(False, True), max_leaves=(10, 40, 80)),
        ],
        "irrelevant": product(trees=(0, 1, 2, 4, 6), sentences=(0, 60)),
        "travel": product(cities=(10, 20), visit=(5, 8)),
    }
