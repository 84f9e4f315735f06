"""Travel planning: an itinerary within a budget that visits enough cities.

Paper 002, appendix J. Each ordered pair of cities is connected with probability one half, by one
to ``modes`` means of transport. The reference path takes the cheapest leg to a new city until
``visit`` cities are visited; its last city is the destination. With ``budget="path"`` its cost is
the budget, as in the paper, so the greedy walk from the given start always solves the task.
``budget="optimum"`` takes the cheapest valid itinerary between the same ends, plus ``slack``.

The answer is any valid itinerary: most instances have several. The reference path is the one that
is given where it is within the budget, else a cheapest one.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.rng import Stream
from ....declared import TaskLabels
from ....text.document import fill
from ..base import Json, Made, Param, Task
from ..prompts import FOLDER, Words, marked, toml

MODES = 10
LOWEST, HIGHEST = (10, 50), (60, 100)

Legs = list[dict[int, tuple[int, int]]]
"""By origin: the cheapest (price, mode) to each destination, by number of the city."""


def make(stream: Stream, params: Json) -> Made | None:
    """Draw a graph and a reference path in it; ``None`` if there is no such path."""
    size, most = params["cities"], params["modes"]
    if params["visit"] > size:
        raise ValueError(f"travel: cannot visit {params['visit']} of {size} cities")
    names = stream.shuffle(toml(FOLDER / "data" / "cities.toml")["cities"])[:size]
    modes = stream.permutation(MODES)[:most].tolist()
    edges = _edges(stream, size, most)
    structure: dict[str, Any] = {"cities": names, "modes": modes, "edges": edges}
    legs = cheapest_legs(structure)
    path = _greedy_path(legs, params["visit"], stream.permutation(size).tolist())
    if path is None:
        return None
    structure |= {"start": path[0], "end": path[-1], "budget": _cost(legs, path)}
    structure["visit"] = params["visit"]
    if params["budget"] == "optimum":
        best = cheapest_itinerary(structure)
        structure["budget"] = _cost(legs, best) + params["slack"]
        if _cost(legs, path) > structure["budget"]:
            path = best
    answer = [[names[u], names[v], modes[legs[u][v][1]]] for u, v in pairwise(path)]
    covariates: dict[str, object] = {
        "edges": len(edges),
        "prices": sum(len(prices) for _, _, prices in edges),
        "budget": structure["budget"],
    }
    if params["measured"]:
        covariates.update(measure(structure))
    return Made(structure, {"itinerary": answer}, covariates)


def _edges(stream: Stream, size: int, most: int) -> list[list[Any]]:
    """``[origin, destination, [[mode, price], ...]]`` in the order of the cities.

    A mode is a position in the list of the instance's modes.
    """
    pairs = [(u, v) for u in range(size) for v in range(size) if u != v]
    pairs = [pair for pair, coin in zip(pairs, stream.integers(2, len(pairs)).tolist()) if coin]
    n = len(pairs)
    counts = (1 + stream.integers(most, n)).tolist()
    ranks = stream.words(n * most).reshape(n, most).argsort(axis=1, kind="stable")
    low = LOWEST[0] + stream.integers(LOWEST[1] - LOWEST[0] + 1, n * most)
    high = HIGHEST[0] + stream.integers(HIGHEST[1] - HIGHEST[0] + 1, n * most)
    prices = _between(stream, low, high).reshape(n, most).tolist()
    edges = []
    for (u, v), count, rank, row in zip(pairs, counts, ranks.tolist(), prices):
        edges.append([u, v, [[mode, row[mode]] for mode in sorted(rank[:count])]])
    return edges


def _between(
    stream: Stream, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Integers, each uniform between its own bounds."""
    # A draw of 24 bits times a range below 2**39 fits 64 bits; no number is likelier than another
    # by more than the range over 2**24.
    share = stream.integers(1 << 24, len(low))
    return low + (share * (high - low + 1) >> 24)


def cheapest_legs(structure: Json) -> Legs:
    """The cheapest way to go from each city to each city that it is connected to."""
    legs: Legs = [{} for _ in structure["cities"]]
    for u, v, prices in structure["edges"]:
        legs[u][v] = min((price, mode) for mode, price in prices)
    return legs


def _cost(legs: Legs, path: list[int]) -> int:
    return sum(legs[u][v][0] for u, v in pairwise(path))


def _greedy_path(legs: Legs, visit: int, starts: list[int]) -> list[int] | None:
    """The cheapest leg to a new city again and again, from the first start that leads on."""
    for start in starts:
        path = [start]
        while len(path) < visit:
            onward = [(leg[0], v) for v, leg in legs[path[-1]].items() if v not in path]
            if not onward:
                break
            path.append(min(onward)[1])
        if len(path) == visit:
            return path
    return None


def cheapest_itinerary(structure: Json) -> list[int]:
    """The cities of a cheapest itinerary that meets everything but the budget.

    A* search over (city, visited cities). What is left costs at least the shortest way to the end,
    and at least the cheapest legs into as many further cities as are still missing.

    Raises:
        ValueError: there is none.
    """
    legs, end, visit = cheapest_legs(structure), structure["end"], structure["visit"]
    to_end = _distances_to(legs, end)
    into = [
        min((leg[neighbour][0] for leg in legs if neighbour in leg), default=0)
        for neighbour in range(len(legs))
    ]

    def bound(city: int, seen: int) -> int:
        missing = visit - seen.bit_count()
        if missing <= 0:
            return to_end[city]
        fees = sorted(fee for neighbour, fee in enumerate(into) if not seen >> neighbour & 1)
        return max(to_end[city], sum(fees[:missing]))

    # ``seen`` is a set of cities as bits. Neither bound is ever above the true rest, so the first
    # itinerary that comes off the heap complete is a cheapest one (Hart, Nilsson and Raphael 1968).
    start = structure["start"]
    heap: list[tuple[int, int, int, int, tuple[int, ...]]]
    heap = [(bound(start, 1 << start), 0, start, 1 << start, (start,))]
    settled: set[tuple[int, int]] = set()
    while heap:
        _, cost, city, seen, path = heapq.heappop(heap)
        if city == end and seen.bit_count() >= visit:
            return list(path)
        if (city, seen) in settled:
            continue
        settled.add((city, seen))
        for neighbour, (price, _) in legs[city].items():
            seen_after = seen | 1 << neighbour
            if (neighbour, seen_after) not in settled and to_end[neighbour] < _FAR:
                spent = cost + price
                heapq.heappush(
                    heap,
                    (
                        spent + bound(neighbour, seen_after),
                        spent,
                        neighbour,
                        seen_after,
                        (*path, neighbour),
                    ),
                )
    raise ValueError("no itinerary visits that many cities")


_FAR = 1 << 30


def _distances_to(legs: Legs, end: int) -> list[int]:
    """The price of the cheapest way from each city to ``end``."""
    found = [_FAR] * len(legs)
    found[end] = 0
    # Bellman and Ford: a cheapest way has fewer legs than there are cities, so as many rounds do.
    for _ in legs:
        for u, leg in enumerate(legs):
            found[u] = min(found[u], min((p + found[v] for v, (p, _) in leg.items()), default=_FAR))
    return found


def measure(structure: Json, limit: int = 1000) -> dict[str, int]:
    """How tight an instance is: the slack of its budget over the cheapest valid itinerary, and
    the number of valid itineraries that visit no city twice, up to ``limit``.

    Among the covariates with ``measured=True`` only: it takes far longer than the instance.
    """
    legs = cheapest_legs(structure)
    best = cheapest_itinerary(structure)
    slack = structure["budget"] - _cost(legs, best)
    prices: list[dict[int, list[int]]] = [{} for _ in legs]
    for u, v, row in structure["edges"]:
        prices[u][v] = sorted(price for _, price in row)
    to_end, end, visit = _distances_to(legs, structure["end"]), structure["end"], structure["visit"]
    count = 0
    stack = [(structure["start"], 1 << structure["start"], structure["budget"])]
    while stack and count < limit:
        city, seen, left = stack.pop()
        if city == end:
            count += seen.bit_count() >= visit
            continue
        for v, row in prices[city].items():
            if not seen >> v & 1:
                stack.extend((v, seen | 1 << v, left - p) for p in row if p + to_end[v] <= left)
    return {"slack": slack, "itineraries": count}


def answer(solution: Json, words: Words) -> Json:
    """An answer with the modes named in a language."""
    named = words["travel"]["modes"]
    return {"itinerary": [[u, v, named[mode]] for u, v, mode in solution["itinerary"]]}


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    table, names = words["travel"], structure["cities"]
    modes = [marked(table["modes"][mode], words) for mode in structure["modes"]]
    lines = [
        fill(
            table["edge"],
            origin=names[u],
            destination=names[v],
            methods=", ".join([modes[mode] for mode, _ in prices]),
            prices=", ".join([f"{modes[mode]}=${price}" for mode, price in prices]),
        )
        for u, v, prices in structure["edges"]
    ]
    return fill(
        table["prompt"],
        count=len(names),
        most=len(modes),
        cities=", ".join(f"'{name}'" for name in names),
        methods=", ".join(f"'{mode}'" for mode in modes),
        edges="\n".join(lines),
        start=names[structure["start"]],
        end=names[structure["end"]],
        budget=structure["budget"],
        visit=structure["visit"],
    )


def reference(structure: Json, words: Words) -> Json:
    """The conditions and the connections, with the modes named in the language."""
    names = structure["cities"]
    modes = [words["travel"]["modes"][mode] for mode in structure["modes"]]
    return {
        "start": names[structure["start"]],
        "end": names[structure["end"]],
        "budget": structure["budget"],
        "visit": structure["visit"],
        "edges": [
            [names[u], names[v], {modes[mode]: price for mode, price in prices}]
            for u, v, prices in structure["edges"]
        ],
    }


TASK = Task(
    "travel",
    TaskLabels("Travel plans", "Travel", "An itinerary within a budget.", "cities to visit"),
    complexity="visit",
    params={
        "cities": Param(10, range(3, 41), "cities of the network", (10, 20)),
        "visit": Param(5, range(2, 13), "cities to visit", (5, 8)),
        "modes": Param(4, range(1, 11), "ways to travel between two cities"),
        "budget": Param("path", ("path", "optimum"), "cost of a random path, or least cost"),
        "slack": Param(0, range(0, 201), "added to the least cost"),
        "measured": Param(
            False, (False, True), "measure how hard each instance is, which is slow", in_key=False
        ),
    },
    make=make,
    render=render,
    response=lambda answer: str([tuple(leg) for leg in answer["itinerary"]]),
    grid={"cities": [10, 20], "visit": [5, 8], "modes": 4, "budget": "path"},
    small={"cities": 4, "visit": 3, "modes": 2},
    half_right=7,
    languages=("en", "ar", "hi", "ja", "ta", "te", "zh"),
    template="simple_travel",
    reference=reference,
    answer=answer,
)
