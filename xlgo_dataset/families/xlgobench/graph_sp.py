"""Shortest path in a social network (XLGoBench, section 2.2 and appendix C.1).

A backbone of length d is the one shortest path from source to target; n_c bypass chains of length
d + c_e run beside it, and noise edges join chains with each other and with the backbone wherever
they open no path of length d or less. Complexity is the number of edges, hit exactly.

The paper keeps d, n_c and c_e fixed while the noise grows, and raises d by one when no further
edge fits. It prints no values; d = 5 and c_e = 2 are those of its example. Eight chains hold
61 edges before any noise; an instance of fewer edges has as many chains as fit.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .base import (
    Document,
    Instance,
    Ints,
    Items,
    Json,
    Lines,
    Origin,
    Streams,
    TaskLabels,
    Template,
    Text,
    Values,
    ids,
)
from .networks import EXCESS, distances, neighbours_of, noisy_edges

NAME = "graph_sp"
LABELS = TaskLabels(
    "Graph shortest path",
    "Graph SP",
    "A list says who is friends with whom. The model finds the shortest chain of friends "
    "between two people.",
    "friendships",
)
ANSWER_KEY = "path"
RANGES = {"paper": (70, 720), "lite": (70, 200), "smoke": (12, 110), "quick": (18, 150)}
DISTINCT = 68
RELATIONS = ("friends", "neighbors", "classmates", "coworkers", "relatives")
LINES = RELATIONS
BACKBONE = 5
CHAINS = 8
_MOST, _MORE = 720, 110
"""Never seen: more than 720 edges at d = 5, nor more than 110 further ones for each step of d (400
trials up to d = 8, 60 up to d = 40; half of all networks with d = 5 hold 704). A d that could hold
an instance only beyond that is not tried."""
_ROUNDS = 16
"""Of colour refinement: more than the longest shortest path of a usual network."""
POSSIBLE = (BACKBONE + BACKBONE + EXCESS, 5_000, "edges")


@dataclass(frozen=True, eq=False)
class Network(Instance):
    """Edges in printed order, arrays of shape (edges,), and the two ends of the path.

    Attributes:
        source: code of the first person.
        target: code of the last person.
        left, right: codes of the two people of each edge, as printed.
        relation: index into ``RELATIONS``; it has no bearing on the answer.
    """

    task: ClassVar[str] = NAME
    source: int
    target: int
    left: ids.Codes
    right: ids.Codes
    relation: Ints

    @property
    def complexity(self) -> int:
        return len(self.left)

    @cached_property
    def answer(self) -> Json:
        """The shortest path; of a drawn network the draw looks for it.

        Raises:
            ValueError: there is no path, or more than one is shortest.
        """
        ends = np.stack([self.left, self.right])
        people, positions = np.unique(
            [self.source, self.target, *ends.ravel()], return_inverse=True
        )
        (source, target), edges = positions[:2].tolist(), positions[2:].reshape(2, -1).T.tolist()
        path = _only_path(edges, len(people), source, target)
        return {ANSWER_KEY: ids.names(people[path])}

    def edges(self) -> list[list[str]]:
        """The edges as pairs of identifiers."""
        names = ids.names(np.stack([self.left, self.right], axis=1).ravel())
        return [names[begin : begin + 2] for begin in range(0, len(names), 2)]

    def content(self) -> dict[str, object]:
        relations = (RELATIONS[r] for r in self.relation.tolist())
        return {
            "edges": [[a, b, r] for (a, b), r in zip(self.edges(), relations)],
            "source": ids.name(self.source),
            "target": ids.name(self.target),
        }


def generate(complexity: int, streams: Streams, origin: Origin) -> Network:
    # The least d at which so many edges may fit, rounded up: -(-a // b) is the ceiling of a / b.
    d = BACKBONE + max(0, -(-(complexity - _MOST) // _MORE))
    while True:
        stream = streams(d - BACKBONE)  # another d is another attempt, with draws of its own
        chains = min(CHAINS, (complexity - d) // (d + EXCESS))
        if (network_edges := noisy_edges(stream, d, chains, complexity)) is not None:
            break
        d += 1
    edges = np.array(network_edges)
    people = ids.draw(stream, int(edges.max()) + 1)
    edges = edges.take(stream.permutation(complexity), axis=0)
    flip = stream.integers(2, complexity).astype(bool)
    edges[flip] = edges[flip, ::-1]
    network = Network(
        source=int(people[0]),
        target=int(people[d]),
        left=people[edges[:, 0]],
        right=people[edges[:, 1]],
        relation=stream.integers(len(RELATIONS), complexity).astype(np.int32),
        origin=origin,
    )
    path = _only_path(network_edges, len(people), 0, d)
    network.__dict__.update(answer={ANSWER_KEY: ids.names(people[path])})
    return network


def _only_path(edges: list[tuple[int, int]], size: int, at: int, target: int) -> list[int]:
    """The one shortest path between two of so many nodes, a step nearer to the target each time."""
    neighbours = neighbours_of(edges, size)
    distance, path = distances(neighbours, target), [at]
    while at != target:
        nearer = [node for node in neighbours[at] if distance[node] < distance[at]]
        if len(nearer) != 1:
            raise ValueError(f"graph_sp: {len(nearer)} ways to go on to the target instead of one")
        at = nearer[0]
        path.append(at)
    return path


def template(strings: Mapping[str, str]) -> Template:
    return Template(
        texts={
            "header": f"{strings['header']}\n",
            "question": f"\n{strings['question']}\n\n{strings['format']}",
        },
        lines=[f". {strings[relation]}\n" for relation in RELATIONS],
    )


def document(network: Network) -> Document:
    return (
        Text("header"),
        Lines({"a": network.left, "b": network.right}, network.relation, numbered=True),
        Text("question", ids={"source": network.source, "target": network.target}),
    )


def read(_: Values, edges: Items, ends: Values) -> Json:
    return {**ends, "edges": [[of["a"], of["b"], RELATIONS[row]] for row, of in edges]}


def from_json(data: Json) -> Network:
    edges = data["edges"]
    for edge in edges:
        if len(edge) != 3 or edge[2] not in RELATIONS:
            raise ValueError(
                f"graph_sp: edge {edge!r} must be [person, person, relation], the relation one of "
                f"{', '.join(RELATIONS)}"
            )
    return Network(
        source=ids.code(data["source"]),
        target=ids.code(data["target"]),
        left=ids.codes(edge[0] for edge in edges),
        right=ids.codes(edge[1] for edge in edges),
        relation=np.array([RELATIONS.index(edge[2]) for edge in edges], dtype=np.int32),
    )


def reference(network: Network) -> dict[str, object]:
    return {"edges": network.edges()}


def structure(network: Network) -> Any:
    """The colours of the people after refinement, sorted.

    Networks that colour refinement (the Weisfeiler-Lehman test with source and target marked)
    cannot tell apart count as one, which is on the safe side for keeping splits apart.
    """
    data = network.to_json()
    friends: dict[str, list[str]] = {}
    for a, b, *_ in data["edges"]:
        friends.setdefault(a, []).append(b)
        friends.setdefault(b, []).append(a)
    colour = dict.fromkeys(friends, "")
    colour |= {data["source"]: "source", data["target"]: "target"}
    for _ in range(_ROUNDS):
        colour = {
            name: hashlib.sha256(
                repr((colour[name], sorted(colour[friend] for friend in around))).encode()
            ).hexdigest()
            for name, around in friends.items()
        }
    return sorted(colour.values())
