"""Itineraries: reading the last one of a response, and checking it against the conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from xlgo_metric.reading.grammar import Stated, words_for
from xlgo_metric.reading.settling import Form, settle

from ...core import Reference, Status
from ...reading.normalise import fold
from .responses import Reply, language_of, places

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
_CANDIDATES = 6  # so many are looked at
_NEVER = re.compile(r"(?!)")
_TEMPLATE: Leg = ("city1", "city2", "transportation_method")


class Found(NamedTuple):
    """An itinerary of a response: its legs, or why there are none, and where it ends."""

    legs: list[Leg] | None
    status: Status = "no_answer"
    end: int = 0


def find(reply: Reply, reference: Reference) -> Found:
    """The last valid list of triples in a response; quotes and comments are optional."""
    text = reply.text
    language = language_of(reference)
    itineraries: list[Found] = []
    forms: list[Form] = []
    for start in places(text, "["):
        opening = _OPENING.match(text, start)
        itinerary = _legs(text, opening.end()) if opening else Found(None)
        if itinerary.legs is None and itinerary.status == "no_answer":
            continue
        if itinerary.legs is None and not forms:
            return itinerary
        if itinerary.legs is None or len(forms) == _CANDIDATES:
            break
        itineraries.insert(0, itinerary)
        forms.insert(0, Form(start, itinerary.end, text[start : itinerary.end]))
    settled = settle(text, forms, language, _NEVER, _unlike)
    if settled.kind == "form" and settled.form:
        return itineraries[forms.index(settled.form)]
    if settled.kind in ("hedged", "withdrawn"):
        return Found(None, "bad_format")
    lines = _lines(text[-_ROUTE:])
    if lines.legs and not words_for(language, text).aftermath(text[lines.end :]).withdrawn:
        return lines
    named = all(str(reference.get(end)) in text for end in ("start", "end"))
    outside = named and not words_for(language, text).declines(text)
    return Found(None, "bad_format" if reply.cut or outside else "no_answer")


def _unlike(content: str, stated: Stated) -> bool:
    """No sentence is read as an itinerary, so none gives the same one."""
    return False


def _lines(text: str) -> Found:
    """The legs of the last lines that hold one each, without a blank line between them."""
    legs: list[Leg] = []
    end = 0
    for line in _LINE.finditer(text):
        legs = [] if text[end : line.start()].strip(" \t") != "\n" else legs
        legs.append((_plain(line[1]), _plain(line[2]), _plain(line[3])))
        end = line.end()
    return Found(legs or None, end=end)


def _legs(text: str, at: int) -> Found:
    legs: list[Leg] = []
    while at < len(text) and text[at] != "]":
        match = _LEG.match(text, at)
        if match is None:
            if _is_cut(text, at):
                return Found(None, "truncated")
            return Found(None, "bad_format" if legs else "no_answer")
        parts = match.groups()
        first, second, third = (
            next(part for part in parts[i : i + 3] if part is not None) for i in (0, 3, 6)
        )
        legs.append((_plain(first), _plain(second), _plain(third)))
        if legs[0] == _TEMPLATE:  # the prompt's own words, repeated
            return Found(None)
        gap = _GAP.match(text, match.end())
        at = gap.end() if gap else match.end()
    return Found(legs, end=at + 1) if at < len(text) else Found(None, "truncated")


def _is_cut(text: str, at: int) -> bool:
    """Whether the text ends inside a leg that begins here."""
    return text[at] in "([" and len(text) - at < 300 and not re.search(r"[)\]\n]", text[at + 1 :])


def _plain(text: str) -> str:
    return " ".join(text.strip(" \t*`").split())


def check(legs: list[Leg], reference: Mapping[str, Any]) -> dict[str, Any]:
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
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    cities = len({city for u, v, _ in route for city in (u, v)})
    broken = next((i for i in range(1, len(route)) if route[i][0] != route[i - 1][1]), None)
    unknown = next((i for i, price in enumerate(costs) if price is None), None)
    violation, leg = None, None
    if not route:
        violation = "empty"
    elif route[0][0] != _key(reference["start"]):
        violation, leg = "wrong_start", 1
    elif route[-1][1] != _key(reference["end"]):
        violation, leg = "wrong_end", len(route)
    elif broken is not None:
        violation, leg = "broken_chain", broken + 1
    elif unknown is not None:
        violation, leg = "unknown_connection", unknown + 1
    elif cost is not None and cost > reference["budget"]:
        violation = "over_budget"
    elif cities < reference["visit"]:
        violation = "too_few_cities"
    return {"violation": violation, "leg": leg, "cost": cost, "cities": cities}


def _key(text: str) -> str:
    return " ".join(fold(text).casefold().split())


def greedy(reference: Mapping[str, Any]) -> list[Leg]:
    """The itinerary of a solver that always takes the cheapest leg to a new city."""
    here, seen, legs = reference["start"], {reference["start"]}, []
    while len(seen) < reference["visit"]:
        onward = [
            (price, position, v, mode)
            for position, (u, v, modes) in enumerate(reference["edges"])
            if u == here and v not in seen
            for mode, price in modes.items()
        ]
        if not onward:
            break
        _, _, there, mode = min(onward)
        legs.append((here, there, mode))
        seen.add(there)
        here = there
    return legs
