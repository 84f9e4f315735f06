"""Confirm an instance by the independent checkers, whatever its task."""

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.toml import read_toml
from xlgo_dataset.families.simple_reasoning import questions

from . import parallel
from .logic import check_evaluation, check_negation
from .proof import answers, check_proof, parse
from .texts import check_char_count, check_travel, check_word_count, valid_itinerary
from .witnesses import witnesses_of

simple_reasoning: Any = xd.family("simple_reasoning")


@cache
def table(language, folder="languages"):
    """The strings of a language for its prompts, or in ``parallel`` for those that are alike."""
    return read_toml(Path(questions.__file__).parent / folder / f"{language}.toml")


def confirm_parallel(instance, language):
    """``confirm`` for the parallel prompts of the tasks that have them."""
    strings = table(language, "parallel")
    colon = strings.get("colon", ":")
    strings = colons(strings, colon)
    prompt = asked = simple_reasoning.render(instance, language, "parallel")
    if instance.task != "logic_negation":  # whose quantifiers have a space there
        prompt = colons(asked, colon)
    answer = simple_reasoning.solve(instance)
    task, structure = instance.task, instance.structure
    if task == "logic_eval":
        check_evaluation(prompt, answer["choice"], instance.params["depth"], strings["true"])
    elif task == "logic_negation":
        movies = structure["vocabulary"] == "movies"
        names = strings["movies"] if movies else names_of(structure, language)
        witnesses = witnesses_of(structure)
        check_negation(prompt, answer["choice"], witnesses, names, rounds=5)
    elif task == "travel":
        legs = [(u, v, strings["modes"][mode]) for u, v, mode in answer["itinerary"]]
        graph = check_travel(prompt, legs)
        assert len(graph["cities"]) == instance.params["cities"]
        assert len(graph["modes"]) == instance.params["modes"]
        assert (graph["budget"], graph["visit"]) == (structure["budget"], structure["visit"])
        assert not valid_itinerary(graph, legs[:-1])[0]
    else:
        statements, asked, remarks = parallel.parse(prompt, strings)
        assert answers(statements, asked) == {answer["number"]}
        assert len(statements) + len(remarks) == len(structure["sentences"])
        assert len(remarks) == instance.params.get("sentences", 0)
    return asked


def colons(part, colon):
    """Strings with the plain colon, where a language has another (French has a space before it)."""
    if isinstance(part, dict):
        return {name: colons(inner, colon) for name, inner in part.items()}
    if isinstance(part, list):
        return [colons(inner, colon) for inner in part]
    return part.replace(colon, ":") if isinstance(part, str) else part


def names_of(structure, language):
    """What the symbols are called: letters by the alphabet, movies by the language's file."""
    if structure["vocabulary"] == "rand20":
        return structure["names"]
    if structure["vocabulary"] == "movies":
        return table(language)["logic"]["movies"]
    return {
        "propositions": "abcdefghijklmnop",
        "predicates": "ABCDEFGHIJKLMNOP",
        "domains": [f"X_{i}" for i in range(1, 9)],
    }


def confirm(instance, language="en"):
    """Check the prompt of an instance against its answer."""
    prompt, answer = simple_reasoning.render(instance, language), simple_reasoning.solve(instance)
    task, params = instance.task, instance.params
    if task == "word_count":
        tokens = check_word_count(prompt, answer["counts"], params["min_length"])
        assert params["m"] <= tokens
        assert len(answer["counts"]) == params["k"]
    elif task == "char_count":
        assert params["m"] <= check_char_count(prompt, answer["counts"][0])
    elif task == "logic_eval":
        deep = params["depth"] if params["full_depth"] else None
        check_evaluation(prompt, answer["choice"], deep)
    elif task == "logic_negation":
        deep = params["depth"] if params["full_depth"] else None
        witnesses = witnesses_of(instance.structure)
        names = names_of(instance.structure, language)
        rounds = max(3, 400 // len(prompt.split()))
        check_negation(prompt, answer["choice"], witnesses, names, full_depth=deep, rounds=rounds)
    elif task == "proof_tree":
        statements = check_proof(prompt, answer["number"])
        assert len(statements) == instance.covariates["leaves"] < params["max_leaves"]
    elif task == "irrelevant":
        _confirm_irrelevant(instance, prompt, answer["number"])
    else:
        named = table(language)["travel"]["modes"]
        legs = [(u, v, named[mode]) for u, v, mode in answer["itinerary"]]
        graph = check_travel(prompt, legs)
        assert len(graph["cities"]) == params["cities"]
        assert graph["visit"] == params["visit"]
    return prompt, answer


def _confirm_irrelevant(instance, prompt, number):
    """All sentences give the key, so do the key tree's alone, and trees share nobody."""
    statements, asked = parse(prompt)
    # People linked by statements form the trees.
    group: dict[Any, Any] = {}
    for _, groups in statements:
        people = [g for g in groups if g[0].isalpha()]
        merged = set(people).union(*(group.get(p, ()) for p in people))
        group.update(dict.fromkeys(merged, frozenset(merged)))
    trees = set(group.values())
    copies = instance.params["trees"] + 1
    assert len(trees) % copies == 0
    mine = [s for s in statements if set(s[1]) & group[asked]]
    assert answers(mine, asked) == {number}
    sentences = instance.structure["sentences"]
    assert len(mine) * copies == len(statements)
    remarks = sum(s[0] == "remark" for s in sentences)
    assert remarks == instance.params["sentences"]


def grids():
    """Every setting of the paper's grids, and of what is offered beside them, by task."""

    def product(**values):
        return [dict(zip(values, row)) for row in itertools.product(*values.values())]

    formulas = product(
        depth=(4, 8, 12), size=("small", "medium"), vocabulary=("letters", "movies", "rand20")
    )
    return {
        "word_count": product(k=(1, 3, 6), m=(50, 150)),
        "char_count": product(m=(50, 150)),
        "logic_eval": [*formulas, *product(depth=(12,), size=("small",), full_depth=(False,))],
        "logic_negation": formulas,
        "proof_tree": [
            *product(depth=(3, 6, 9), diverse=(False, True), compeq_style=("explicit", "paper")),
            *product(depth=(9,), diverse=(False, True), max_leaves=(10, 40, 80)),
        ],
        "irrelevant": product(trees=(0, 1, 2, 4, 6), sentences=(0, 60)),
        "travel": product(cities=(10, 20), visit=(5, 8)),
    }
