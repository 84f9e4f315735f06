"""Travel planning: an itinerary within a budget that visits enough cities.

Paper 002, appendix J. Each ordered pair of cities is connected with probability one half, by one
to ``modes`` means of transport. The reference path takes the cheapest leg to a new city until
``visit`` cities are visited; its last city is the destination and its cost the budget, so the
greedy walk from the given start always solves the task.

The answer is any valid itinerary: most instances have several. The reference path is the one that
is given.
"""

from itertools import pairwise
from typing import Any

from ....core import Row
from ..base import FOLDER, Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill, isolated, toml

MODES = 10
LOWEST, HIGHEST = (10, 50), (60, 100)

Legs = list[dict[int, tuple[int, int]]]
"""By origin: the cheapest (price, mode) to each destination, by number of the city."""


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a graph and a reference path in it; ``None`` if there is no such path."""
    size, most = params["cities"], params["modes"]
    if params["visit"] > size:
        raise ValueError(f"travel: cannot visit {params['visit']} of {size} cities")
    names = stream.shuffle(toml(FOLDER / "data" / "cities.toml")["cities"])[:size]
    modes = stream.permutation(MODES)[:most].tolist()
    edges = _edges(stream, size, most)
    structure: Row = {"cities": names, "modes": modes, "edges": edges}
    legs = cheapest_legs(structure)
    path = _greedy_path(legs, params["visit"], stream.permutation(size).tolist())
    if path is None:
        return None
    structure |= {
        "start": path[0],
        "end": path[-1],
        "budget": sum(legs[u][v][0] for u, v in pairwise(path)),
    }
    structure["visit"] = params["visit"]
    answer = [[names[u], names[v], modes[legs[u][v][1]]] for u, v in pairwise(path)]
    covariates = {
        "edges": len(edges),
        "prices": sum(len(prices) for _, _, prices in edges),
        "budget": structure["budget"],
    }
    return Drawn(structure, {"itinerary": answer}, covariates)


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
    # Each uniform between its own bounds: a draw of 24 bits times a range below 2**39 fits 64 bits;
    # no number is likelier than another by more than the range over 2**24.
    share = stream.integers(1 << 24, len(low))
    prices = (low + (share * (high - low + 1) >> 24)).reshape(n, most).tolist()
    edges = []
    for (u, v), count, rank, row in zip(pairs, counts, ranks.tolist(), prices):
        edges.append([u, v, [[mode, row[mode]] for mode in sorted(rank[:count])]])
    return edges


def cheapest_legs(structure: Json) -> Legs:
    """The cheapest way to go from each city to each city that it is connected to."""
    legs: Legs = [{} for _ in structure["cities"]]
    for u, v, prices in structure["edges"]:
        legs[u][v] = min((price, mode) for mode, price in prices)
    return legs


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


def answer(solution: Json, words: Words) -> Json:
    """An answer with the modes named in a language."""
    modes = words["travel"]["modes"]
    return {"itinerary": [[u, v, modes[mode]] for u, v, mode in solution["itinerary"]]}


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    table, names = words["travel"], structure["cities"]
    modes = [isolated(table["modes"][mode], words) for mode in structure["modes"]]
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
    options=(
        Param("cities", "integer", "cities of the network", (10, 20), range(3, 41)),
        Param("visit", "integer", "cities to visit", (5, 8), range(2, 13)),
        Param("modes", "integer", "ways to travel between two cities", (4,), range(1, 11)),
        # Ids and references have named these since there was a choice.
        Param("budget", "choice", "cost of the reference path", ("path",), ("path",)),
        Param("slack", "integer", "none is added to it", (0,), range(1)),
        Param("measured", "choice", "no further sizes", (False,), (False,)),
    ),
    unnamed=("measured",),
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
