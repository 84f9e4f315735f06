"""Itineraries: reading the last one of a response, and checking it against the conditions."""

import re
from collections.abc import Mapping
from typing import Any

from ...core import Reference
from ...reading.answers import Answer, Kind, read_response
from ...reading.forms import Form
from ...reading.values import fold

Leg = tuple[str, str, str]

_OPENING = re.compile(r"\[\s*(?:#[^\n]{0,300}\n\s*)?(?=[(\[{\]])")
_PART = (
    r"""\s*(?:"[^"\n]{1,40}"\s{0,3}:\s{0,3})?"""
    r"""(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|([^,()\[\]'"\n]{1,80}))\s*"""
)
_LEG = re.compile(rf"[(\[{{]{_PART},{_PART},{_PART},?\s*[)\]}}]")
_GAP = re.compile(r"[\s*`]{0,40},?(?:\s{0,40}#[^\n]{0,300}(?:\n|$))*[\s*`]{0,40}")
# A leg in a line of its own: "1. Oslo → Bergen: bus".
_LINE = re.compile(
    r"^[ \t>*_`]{0,6}(?:\d{1,3}[.)]|[-•])?[ \t*_`]{0,6}([^\n:→>]{1,80}?)[ \t]{0,3}(?:→|->|=>)"
    r"[ \t]{0,3}([^\n:→>(]{1,80}?)[ \t]{0,3}[:(][ \t]{0,3}([^\n()]{1,60}?)[)*_` \t.,;]{0,6}$",
    re.MULTILINE,
)
_ROUTE = 3_000  # characters at the end in which such lines are sought
_TEMPLATE: Leg = ("city1", "city2", "transportation_method")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})


def find(response: str, reference: Reference) -> Answer:
    """The last list of triples in a response, as legs; quotes and comments are optional."""
    cities = "|".join(re.escape(str(reference.get(end))) for end in ("start", "end"))
    kind = Kind(_lists, _legs_of, unasked=_lines, sign=re.compile(cities))
    return read_response(response, kind, str(reference.get("language") or "en"))


def _lists(text: str) -> tuple[list[Form], int]:
    """The lists of legs in a text, and where one begins that the text breaks off in."""
    text = text.translate(_QUOTES)
    forms, cut, done = [], -1, 0
    for opening in _OPENING.finditer(text):
        if opening.start() < done:
            continue
        legs, done = _legs(text, opening.end())
        if done > len(text):
            cut = opening.start()
        elif legs is not None:
            forms.append(Form(opening.start(), done, text[opening.start() : done]))
            cut = -1
    return forms, cut


def _legs_of(content: str) -> list[Leg] | None:
    """The legs of a list, or of lines; ``None`` for the prompt's own words."""
    opening = _OPENING.match(content)
    if opening:
        legs = _legs(content, opening.end())[0] or []
    else:
        legs = [(_plain(m[1]), _plain(m[2]), _plain(m[3])) for m in _LINE.finditer(content)]
    return None if _TEMPLATE in legs else legs


def _lines(text: str) -> list[Form]:
    """The last lines that hold a leg each, without a blank line between them."""
    first = end = max(0, len(text) - _ROUTE)
    for line in _LINE.finditer(text, first):
        first = first if text[end : line.start()].strip(" \t") == "\n" else line.start()
        end = line.end()
    return [Form(first, end, text[first:end])] if end > first else []


def _legs(text: str, offset: int) -> tuple[list[Leg] | None, int]:
    """The legs from an offset on and where their list ends; beyond the text if it is cut.

    ``None`` where something else stands in the list.
    """
    legs: list[Leg] = []
    while offset < len(text) and text[offset] != "]":
        match = _LEG.match(text, offset)
        if match is None:
            return None, len(text) + 1 if _is_cut(text, offset) else offset
        parts = match.groups()
        first, second, third = (
            next(part for part in parts[i : i + 3] if part is not None) for i in (0, 3, 6)
        )
        legs.append((_plain(first), _plain(second), _plain(third)))
        gap = _GAP.match(text, match.end())
        offset = gap.end() if gap else match.end()
    return legs, offset + 1


def _is_cut(text: str, offset: int) -> bool:
    """Whether the text ends inside a leg that begins here."""
    return (
        text[offset] in "(["
        and len(text) - offset < 300
        and not re.search(r"[)\]\n]", text[offset + 1 :])
    )


def _plain(text: str) -> str:
    return " ".join(text.strip(" \t*`").split())


def check(legs: list[Leg], reference: Mapping[str, Any]) -> dict[str, object]:
    """The first violated condition of an itinerary (``violation``, ``None`` if it is valid).

    The first in the order of the code counts. Cities may be visited again.

    Returns:
        ``violation``; ``leg``, the number of the offending leg, from 1; ``cost``, the true one,
        if all legs exist; ``cities``, how many different ones are visited.
    """
    prices = {
        (_key(u), _key(v)): {_key(mode): price for mode, price in modes.items()}
        for u, v, modes in reference["edges"]
    }
    route = [(_key(u), _key(v), _key(mode)) for u, v, mode in legs]
    costs = [prices.get((u, v), {}).get(mode) for u, v, mode in route]
    prices_of_legs = [cost for cost in costs if cost is not None]
    cost = sum(prices_of_legs) if len(prices_of_legs) == len(costs) else None
    cities = len({city for u, v, _ in route for city in (u, v)})
    broken = next((i for i in range(1, len(route)) if route[i][0] != route[i - 1][1]), None)
    unknown = next((i for i, price in enumerate(costs) if price is None), None)
    conditions = (
        ("empty", None, not route),
        ("wrong_start", 1, [leg[0] for leg in route[:1]] != [_key(reference["start"])]),
        ("wrong_end", len(route), [leg[1] for leg in route[-1:]] != [_key(reference["end"])]),
        ("broken_chain", (broken or 0) + 1, broken is not None),
        ("unknown_connection", (unknown or 0) + 1, unknown is not None),
        ("over_budget", None, cost is not None and cost > reference["budget"]),
        ("too_few_cities", None, cities < reference["visit"]),
    )
    violated = ((name, leg_number) for name, leg_number, holds in conditions if holds)
    violation, leg = next(violated, (None, None))
    return {"violation": violation, "leg": leg, "cost": cost, "cities": cities}


def _key(text: str) -> str:
    return " ".join(fold(text).casefold().split())


def greedy(reference: Mapping[str, Any]) -> list[Leg]:
    """The itinerary of a solver that always takes the cheapest leg to a new city."""
    current, seen, legs = reference["start"], {reference["start"]}, []
    while len(seen) < reference["visit"]:
        onward = [
            (price, position, v, mode)
            for position, (u, v, modes) in enumerate(reference["edges"])
            if u == current and v not in seen
            for mode, price in modes.items()
        ]
        if not onward:
            break
        _, _, city, mode = min(onward)
        legs.append((current, city, mode))
        current = city
        seen.add(city)
    return legs
