"""Checkers that read a rendered prompt and share no code with the generators.

Each function takes the text of a prompt and what the generator says about it, and fails by
``AssertionError`` if the text says otherwise.
"""

import itertools
import re

_EDGE = re.compile(r"(?:From )?(.+?)(?: to | → )(.+?): (.+?) \([^:()]+: (.+)\)")


def parse_travel(prompt):
    """The graph and the conditions of a travel prompt in any language."""
    lines = re.sub("[\u2068\u2069]", "", prompt).split("\n")
    last = max(i for i, line in enumerate(lines) if line.startswith("1. "))
    edges = {}
    for line in reversed(lines[: last - 1]):
        match = _EDGE.fullmatch(line)
        if match is None:
            break
        u, v, modes, prices = match.groups()
        table = dict(price.split("=$") for price in prices.split(", "))
        assert list(table) == modes.split(", "), line
        assert (u, v) not in edges
        assert u != v
        edges[u, v] = {mode: int(price) for mode, price in table.items()}
    start, end = re.findall(r"'([^']*)'", lines[last])
    budget = int(re.search(r"\$(\d+)", lines[last + 1])[1])
    visit = int(re.findall(r"\d+", lines[last + 2])[-1])
    header = [line for line in lines[:last] if "['" in line][-2:]
    cities = re.findall(r"'([^']*)'", header[0])
    modes = re.findall(r"'([^']*)'", header[1])
    return {
        "edges": edges, "start": start, "end": end, "budget": budget, "visit": visit,
        "cities": cities, "modes": modes,
    }  # fmt: skip


def valid_itinerary(graph, legs):
    """Whether an itinerary meets every condition, and what it costs."""
    cost, here, met = 0, graph["start"], {graph["start"]}
    for u, v, mode in legs:
        if u != here or mode not in graph["edges"].get((u, v), {}):
            return False, None
        cost += graph["edges"][u, v][mode]
        here = v
        met.add(v)
    fits = cost <= graph["budget"] and len(met) >= graph["visit"]
    return bool(legs) and here == graph["end"] and fits, cost


def check_travel(prompt, legs):
    graph = parse_travel(prompt)
    named = set(itertools.chain.from_iterable(graph["edges"]))
    assert named <= set(graph["cities"])
    assert len(set(graph["cities"])) == len(graph["cities"])
    for prices in graph["edges"].values():
        assert set(prices) <= set(graph["modes"])
        assert all(10 <= price <= 100 for price in prices.values())
    right, cost = valid_itinerary(graph, legs)
    assert right, (legs, cost)
    return graph
