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
from xlgo_dataset.families.xlgobench import graph_sp


def draw(edges: int, key: int, *, full_search: bool) -> tuple[float, list[list[int]]]:
    """Seconds spent adding noise, and the edges, for the first d that has room for them."""
    d = graph_sp.BACKBONE
    spent = 0.0
    while True:
        graph = graph_sp._Graph(d, graph_sp.CHAINS)
        stream = Stream("bench", edges, key, d)
        start = time.process_time()
        full = _full_search(graph, stream, edges) if full_search else graph.add_noise(stream, edges)
        spent += time.process_time() - start
        if full:
            return spent, graph.all_edges().tolist()
        d += 1


def _full_search(graph: graph_sp._Graph, stream: Stream, count: int) -> bool:
    for u, v in stream.shuffle(graph.candidates()):
        if len(graph.edges) == count:
            return True
        s = graph_sp.distances(graph.neighbours, 0)
        t = graph_sp.distances(graph.neighbours, graph.d)
        if s[u] + 1 + t[v] <= graph.d or s[v] + 1 + t[u] <= graph.d:
            continue
        graph.edges.append((u, v))
        graph.neighbours[u].append(v)
        graph.neighbours[v].append(u)
    return len(graph.edges) == count


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
