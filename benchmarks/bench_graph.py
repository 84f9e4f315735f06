"""Drawing a shortest-path puzzle: incremental distances against a full search per candidate.

``python benchmarks/bench_graph.py`` draws the same networks both ways, interleaved, and prints the
median ratio by number of edges.
"""

from __future__ import annotations

import argparse
import statistics
import time

from goals import tell

from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.xlgobench import graph_sp, networks


def draw(edges: int, key: int, *, full_search: bool) -> tuple[float, list[networks.Edge]]:
    """Seconds spent adding noise, and the edges, for the first d that has room for them."""
    d = graph_sp.BACKBONE
    spent = 0.0
    while True:
        stream = Stream("bench", edges, key, d)
        start = time.process_time()
        draw_edges = _full_search if full_search else networks.noisy_edges
        found = draw_edges(stream, d, graph_sp.CHAINS, edges)
        spent += time.process_time() - start
        if found is not None:
            return spent, found
        d += 1


def _full_search(stream: Stream, d: int, chains: int, count: int) -> list[networks.Edge] | None:
    backbone, pairs = networks.without_noise(d, chains)
    edges = backbone.copy()
    neighbours: list[list[int]] = [[] for _ in range(1 + max(map(max, edges)))]
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    for u, v in stream.shuffle(pairs):
        if len(edges) == count:
            return edges
        s, t = networks.distances(neighbours, 0), networks.distances(neighbours, d)
        if s[u] + 1 + t[v] <= d or s[v] + 1 + t[u] <= d:
            continue
        edges.append((u, v))
        neighbours[u].append(v)
        neighbours[v].append(u)
    return edges if len(edges) == count else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print("edges  ratio of times, full search / incremental (median)")
    for edges in (70, 200, 395, 720):
        ratios = []
        for key in range(rounds):
            fast, ours = draw(edges, key, full_search=False)
            slow, theirs = draw(edges, key, full_search=True)
            assert ours == theirs
            ratios.append(slow / fast)
        print(f"{edges:5}  {statistics.median(ratios):5.1f}")
    tell("networks of 720 edges: full search / incremental", statistics.median(ratios), least=14)


if __name__ == "__main__":
    main()
