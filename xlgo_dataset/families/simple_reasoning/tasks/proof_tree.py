"""Word problems from proof trees: how many items does a person have at the end?

Paper 002, appendix I. A tree of inference rules is grown from the answer to its leaves, and the
leaves are told level by level from the deepest, left to right, as both complete examples of the
paper are. Sentences are read in order: an assertion holds at the moment it is made, an event
changes the state, and the question is about the end. Told in another order, most problems with
events have another answer or none.

Two defects of the printed pseudocode are avoided. Agents leave the pool when a rule is chosen,
not after a child is built, so no subtree uses an agent of another. And the comparison of
ContComp stays a leaf: expanding it would state the amounts of both agents again.

``compeq_style="explicit"`` (the default) states signed differences as subtractions and factors as
factors. ``"paper"`` keeps the paper's sentences, which call a signed difference "the difference"
and a multiplication "increases by ... times"; read with absolute values, its own printed example
has 22 possible answers.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from ..base import FOLDER, Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill
from ..proof_rules import EVENTS, RULES, Draw, Impossible, Statement, cont, premises_of_comp

STYLES = ("explicit", "paper")
ROOT_LOW, ROOT_HIGH = 10, 30
ITEMS = 10

Levels = list[list[tuple[Statement, bool]]]
"""By level: the statements, left to right, and whether each is a leaf."""


@lru_cache(maxsize=1)
def people() -> tuple[str, ...]:
    """The names of the agents, no two of them alike."""
    return tuple((FOLDER / "data" / "names.txt").read_text(encoding="utf-8").split())


def grow(draw: Draw, depth: int, diverse: bool, max_leaves: int) -> Levels:
    """A tree with leaves on levels below ``depth`` (algorithms 4 and 5).

    The limit is applied as printed, so that a tree has at most ``max_leaves - 1`` leaves.
    """
    levels: Levels = [[] for _ in range(depth)]

    def place(statement: Statement, level: int, leaves: int, fixed: bool) -> int:
        """Put a statement and what proves it into the levels; the number of its leaves."""
        expansion = None
        if not fixed and level < depth - 1:
            expansion = _instantiate(draw, statement, diverse, max_leaves - leaves)
        levels[level].append((statement, expansion is None))
        if expansion is None:
            return 1
        name, premises = expansion
        leaves += len(premises) - 1
        total = 0
        for premise in premises:
            keep = premise[0] != "cont" and (premise[0] != "comp" or name == "ContComp")
            below = place(premise, level + 1, leaves, keep)
            leaves += below - 1
            total += below
        return total

    root = draw.agent()
    place(cont(root, draw.between(ROOT_LOW, ROOT_HIGH)), 0, 1, False)
    return levels


def _instantiate(
    draw: Draw, statement: Statement, diverse: bool, room: int
) -> tuple[str, list[Statement]] | None:
    """A rule that proves the statement with at most ``room`` premises, and its premises."""
    if statement[0] == "comp":
        return ("ContCont", premises_of_comp(draw, statement)) if room >= 2 else None
    (x,), (q,) = statement[1], statement[2]
    weights = {rule: rule.diverse if diverse else rule.basic for rule in RULES}
    weights = {rule: n for rule, n in weights.items() if n and rule.needs <= room}
    while weights:
        ticket = draw.between(1, sum(weights.values()))
        rule = next(
            rule for rule, end in zip(weights, accumulate(weights.values())) if ticket <= end
        )
        try:
            return rule.name, rule.premises(draw, x, q)
        except Impossible:
            del weights[rule]
    return None


def story(levels: Levels) -> list[Statement]:
    """The leaves in the order of the story: from the deepest level, left to right."""
    return [_positive(statement) for level in reversed(levels) for statement, leaf in level if leaf]


def _positive(statement: Statement) -> Statement:
    """A comparison in the direction in which its difference is positive."""
    if statement[0] == "comp" and statement[2][0] < 0:
        return ["comp", statement[1][::-1], [-statement[2][0]]]
    return statement


def renamed(statement: Statement, names: list[int]) -> Statement:
    """A statement about other agents."""
    return [statement[0], [names[x] for x in statement[1]], statement[2]]


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a tree and give its agents names."""
    names = stream.permutation(len(people())).tolist()
    item = stream.integer(ITEMS)
    draw = Draw(stream, len(names))
    levels = grow(draw, params["depth"], params["diverse"], params["max_leaves"])
    sentences = [renamed(statement, names) for statement in story(levels)]
    structure = {"item": item, "asked": names[0], "sentences": sentences}
    return Drawn(structure, answer_of(levels), measure(levels))


def answer_of(levels: Levels) -> Json:
    """What the person at the root of a tree has at the end."""
    (_, _, (amount,)), _ = levels[0][0]
    return {"number": amount}


def measure(levels: Levels) -> dict[str, object]:
    """The sizes of a tree."""
    leaves = story(levels)
    return {
        "leaves": len(leaves),
        "levels": sum(1 for level in levels if level),
        "events": sum(s[0] in EVENTS for s in leaves),
        "rules": sum(not leaf for level in levels for _, leaf in level),
        "agents": len({x for s in leaves for x in s[1]}),
    }


# Sentences


def sentence(statement: Statement, item: int, style: str, words: Words) -> str:
    """A statement in words."""
    form, agents, numbers = statement
    table = words["proof_tree"]
    singular, many = table["items"][item]
    values: dict[str, object] = {"items": many}
    if "counted" in table:
        values["counted"] = table["counted"][item]
    slots = "xywz" if form == "comp-eq" else "xyz"
    values.update(zip(slots, (people()[x] for x in agents)))
    if form == "increase":
        values["q"] = Fraction(*numbers)
    for slot, number in zip("qr", numbers):
        values.setdefault(slot, number)
        values[f"{slot}_items"] = singular if number == 1 else many
    text = table["forms"][form]
    return fill(text if isinstance(text, str) else text[style], **values)


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    style = params.get("compeq_style", "explicit")
    item = structure["item"]
    return prompt_of(
        [sentence(s, item, style, words) for s in structure["sentences"]], structure, words
    )


def prompt_of(sentences: list[str], structure: Json, words: Words) -> str:
    """The prompt with these sentences and the question."""
    table = words["proof_tree"]
    return fill(
        table["prompt"],
        sentences=table["separator"].join(sentences),
        items=table["items"][structure["item"]][1],
        agent=people()[structure["asked"]],
    )


def response(answer: Json) -> str:
    """A number in a box."""
    return f"$\\boxed{{{answer['number']}}}$"


TASK = Task(
    "proof_tree",
    TaskLabels("Proof trees", "Proofs", "A word problem made from a proof tree.", "depth"),
    complexity="depth",
    options=(
        Param("depth", "integer", "depth of the tree", (3, 6, 9), range(1, 21)),
        Param("diverse", "choice", "several kinds of statements", (False, True), (False, True)),
        Param("max_leaves", "integer", "limit of the leaves of a tree", (20,), range(2, 101)),
        Param("compeq_style", "choice", "wording of comparisons", ("explicit",), STYLES),
    ),
    unnamed=("compeq_style",),
    make=make,
    render=render,
    response=response,
    grid={"depth": [3, 6, 9], "diverse": [False, True], "compeq_style": "explicit"},
    parallel_grid={"depth": [3, 6, 9], "diverse": [False, True]},
    small={"depth": 5, "diverse": True},
    half_right=2,
)
