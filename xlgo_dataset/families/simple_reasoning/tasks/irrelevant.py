"""Proof trees among irrelevant people and sentences.

Paper 002, appendix I.6. The key is a basic tree of depth 5 with at most 20 leaves. Each of
``trees`` further trees is a copy with other names and the same quantities; ``sentences`` sentences
about people's character, age and marriage are put in at random places. The paper counts
"irrelevant people", but its excerpts pair every statement with its copies: the number is read as
that of the trees.

The paper says that the statements are shuffled. A free shuffle leaves hardly a problem with its
answer, and the printed excerpts keep each tree's own order. Trees share no people, so any merge
that keeps their orders is safe: the i-th statements of all trees stand side by side in random
order (``merge="lockstep"``), as in the excerpts.
"""

from itertools import pairwise
from typing import Any

from ..base import Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill
from ..proof_rules import Draw
from . import proof_tree

REMARKS = ((1, None), (1, None), (1, None), (1, None), (2, None), (2, (2, 30)), (1, (18, 60)))
"""Of each kind of irrelevant sentence: the number of people and the range of its number.

The paper prints the sentences and says that the numbers are random; the ranges cover its examples.
"""


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a key tree, its copies and the remarks; ``None`` if there are not names enough."""
    names = stream.permutation(len(proof_tree.people())).tolist()
    item = stream.integer(proof_tree.ITEMS)
    draw = Draw(stream, len(names))
    levels = proof_tree.grow(draw, params["depth"], False, params["max_leaves"])
    key = proof_tree.story(levels)
    agents = 1 + max(x for statement in key for x in statement[1])
    copies = params["trees"] + 1
    if agents * copies >= len(names):
        return None
    trees = [[proof_tree.renamed(s, names[tree * agents :]) for s in key] for tree in range(copies)]
    sentences, relevant = _merged(stream, trees)
    for _ in range(params["sentences"]):
        position = stream.integer(len(sentences) + 1)
        sentences.insert(position, _remark(stream, names))
        relevant.insert(position, False)
    structure = {"item": item, "asked": names[0], "sentences": sentences}
    positions = [i for i, mine in enumerate(relevant) if mine]
    gaps = [b - a for a, b in pairwise(positions)]
    covariates = {
        **proof_tree.measure(levels),
        "sentences": len(sentences),
        "relevant_share": round(len(positions) / len(sentences), 4),
        "mean_gap": round(sum(gaps) / len(gaps), 4) if gaps else 0.0,
    }
    return Drawn(structure, proof_tree.answer_of(levels), covariates)


def _merged(stream: Stream, trees: list[list[Any]]) -> tuple[list[Any], list[bool]]:
    """The statements of all trees in one order, and which of them are the key's."""
    order = [tree for _ in trees[0] for tree in stream.permutation(len(trees)).tolist()]
    waiting = [iter(tree) for tree in trees]
    return [next(waiting[tree]) for tree in order], [tree == 0 for tree in order]


def _remark(stream: Stream, names: list[int]) -> list[Any]:
    kind = stream.integer(len(REMARKS))
    people, bounds = REMARKS[kind]
    first = stream.integer(len(names))
    who = [names[first]]
    if people == 2:
        who.append(names[(first + 1 + stream.integer(len(names) - 1)) % len(names)])
    number = [bounds[0] + stream.integer(bounds[1] - bounds[0] + 1)] if bounds else []
    return ["remark", who, [kind, *number]]


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    style = params.get("compeq_style", "explicit")
    item = structure["item"]
    sentences = [
        _remark_text(s, words) if s[0] == "remark" else proof_tree.sentence(s, item, style, words)
        for s in structure["sentences"]
    ]
    return proof_tree.prompt_of(sentences, structure, words)


def _remark_text(remark: list[Any], words: Words) -> str:
    _, who, (kind, *number) = remark
    values: dict[str, object] = dict(zip("xy", (proof_tree.people()[x] for x in who)))
    values.update(zip("q", number))
    return fill(words["irrelevant"]["sentences"][kind]["text"], **values)


TASK = Task(
    "irrelevant",
    TaskLabels(
        "Irrelevant facts",
        "Irrelevant",
        "A word problem among irrelevant people and sentences.",
        "trees",
    ),
    complexity="trees",
    options=(
        Param(
            "trees",
            "integer",
            "irrelevant trees beside the one that is asked about",
            (1, 2, 4, 6),
            range(0, 7),
        ),
        Param("sentences", "integer", "irrelevant sentences", (0, 60), range(0, 201)),
        Param("depth", "integer", "depth of the tree", (5,), range(1, 10)),
        Param("max_leaves", "integer", "limit of the leaves of a tree", (20,), range(2, 41)),
        Param(
            "merge",
            "choice",
            "how the statements of the trees are mixed",
            ("lockstep",),
            ("lockstep",),
        ),
        proof_tree.TASK.options[-1],
    ),
    unnamed=proof_tree.TASK.unnamed,
    make=make,
    render=render,
    response=proof_tree.response,
    grid={"trees": [1, 2, 4, 6], "sentences": [0, 60], "compeq_style": "explicit"},
    parallel_grid={"trees": [1, 2, 4, 6], "sentences": [0, 60]},
    small={"trees": 1, "sentences": 12, "depth": 2},
    half_right=2,
)
