"""Networks with one shortest path: a backbone, bypasses and noise (XLGoBench, appendix C.1)."""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from ...core.rng import Stream

Edge = tuple[int, int]

EXCESS = 2
"""By how many steps a bypass is longer than the backbone."""


@lru_cache(maxsize=16)
def without_noise(d: int, chains: int) -> tuple[list[Edge], list[Edge]]:
    """The edges of a backbone 0..d and its bypasses, and the pairs that noise may join.

    The pairs follow from the depth of nodes (appendix C.1, step 3.1).
    """
    depth, chain = list(range(d + 1)), [-1] * (d + 1)
    edges = list(pairwise(range(d + 1)))
    at_depth: list[list[int]] = [[] for _ in range(d + EXCESS)]
    for j in range(chains):
        nodes = range(len(depth), len(depth) + d + EXCESS - 1)
        edges += pairwise([0, *nodes, d])
        for node, of_depth in zip(nodes, at_depth[1:]):
            of_depth.append(node)
        depth += range(1, d + EXCESS)
        chain += [j] * len(nodes)
    taken, pairs = set(edges), list[Edge]()
    for level, nodes_here in enumerate(at_depth):
        behind = range(max(level - EXCESS, 0), min(level, d) + 1)
        pairs += [(i, u) for u in nodes_here for i in behind if not {(i, u), (u, i)} & taken]
        pairs += combinations(nodes_here, 2)  # of different chains: a chain has one of each depth
        for further in at_depth[level + 1 : level + EXCESS + 1]:
            pairs += [
                (u, v)
                for u in nodes_here
                for v in further
                if chain[u] != chain[v] or depth[v] - level > 1
            ]
    return edges, pairs


def noisy_edges(stream: Stream, d: int, chains: int, count: int) -> list[Edge] | None:
    """The edges of a network, safe ones added in random order until there are ``count``.

    ``None`` if too few fit.
    """
    backbone, pairs = without_noise(d, chains)
    edges = backbone.copy()
    neighbours = neighbours_of(edges, 1 + max(map(max, edges)))
    to_source, to_target = distances(neighbours, 0), distances(neighbours, d)
    for number in stream.permutation(len(pairs)).tolist():
        if len(edges) == count:
            break
        u, v = pairs[number]
        # Through this edge, in one direction or the other, a path would be as short as the
        # backbone: at d it would be a second shortest path, below d a shorter one.
        if to_source[u] + 1 + to_target[v] <= d or to_source[v] + 1 + to_target[u] <= d:
            continue
        edges.append((u, v))
        neighbours[u].append(v)
        neighbours[v].append(u)
        # Nodes at most one step apart are no nearer to any end by an edge between them.
        for distance in (to_source, to_target):
            if not -2 < distance[u] - distance[v] < 2:
                _spread(neighbours, distance, u if distance[u] < distance[v] else v)
    return edges if len(edges) == count else None


def distances(neighbours: list[list[int]], origin: int) -> list[int]:
    """Breadth-first distances from ``origin``, shape (nodes,)."""
    result = [len(neighbours)] * len(neighbours)
    result[origin] = 0
    _spread(neighbours, result, origin)
    return result


def _spread(neighbours: list[list[int]], distance: list[int], origin: int) -> None:
    """Lower the distances that a way over ``origin`` shortens; only these are visited."""
    queue = deque([origin])
    while queue:
        u = queue.popleft()
        for v in neighbours[u]:
            if distance[v] > distance[u] + 1:
                distance[v] = distance[u] + 1
                queue.append(v)


def neighbours_of(edges: Iterable[Sequence[int]], nodes: int) -> list[list[int]]:
    """With whom each node is joined."""
    result: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        result[u].append(v)
        result[v].append(u)
    return result
