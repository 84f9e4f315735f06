"""Shortcuts to the puzzles: each gives an answer without doing what the puzzle asks for.

A heuristic takes the JSON form of an instance and a stream of random draws, and returns the value
that the answer object would hold. Names are what a reader of a report sees.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from heuristics_orders import LEDGER, TOURNAMENT, Data, Heuristic

from xlgo_dataset.core.rng import Stream

# ---- dsa


def _table(data: Data) -> dict[tuple[str, str], str]:
    return {(m["room"], m["key"]): m["next"] for m in data["transitions"]}


def _rooms(data: Data) -> list[str]:
    return sorted({m["room"] for m in data["transitions"]})


def _follow(data: Data, room: str, keys: Iterable[str]) -> str:
    table = _table(data)
    for key in keys:
        room = table[room, key]
    return room


def _any(items: list[Any], stream: Stream) -> Any:
    return items[stream.integer(len(items))]


def _wrong_room(data: Data, stream: Stream) -> str:
    return _any([room for room in _rooms(data) if room != data["start"]], stream)


def wrong_start(data: Data, stream: Stream) -> str:
    return _follow(data, _wrong_room(data, stream), data["keys"])


def last_part(share: float) -> Heuristic:
    def guess(data: Data, stream: Stream) -> str:
        keys = data["keys"]
        first = len(keys) - max(1, round(len(keys) * share))
        return _follow(data, _any(_rooms(data), stream), keys[first:])

    return guess


def wrong_key(data: Data, stream: Stream) -> str:
    keys = list(data["keys"])
    at = stream.integer(len(keys))
    keys[at] = "gold" if keys[at] == "silver" else "silver"
    return _follow(data, data["start"], keys)


def lost_once(data: Data, stream: Stream) -> str:
    """The walk jumps to any room at one place and goes on from there."""
    at = stream.integer(len(data["keys"]))
    return _follow(data, _any(_rooms(data), stream), data["keys"][at + 1 :])


def most_entered(data: Data, stream: Stream) -> str:
    entered = Counter(m["next"] for m in data["transitions"])
    return max(_rooms(data), key=lambda room: entered[room])


def most_entered_by_last_key(data: Data, stream: Stream) -> str:
    moves = [m for m in data["transitions"] if m["key"] == data["keys"][-1]]
    entered = Counter(m["next"] for m in moves)
    return max(_rooms(data), key=lambda room: entered[room])


def any_room(data: Data, stream: Stream) -> str:
    return _any(_rooms(data), stream)


AUTOMATON: dict[str, Heuristic] = {
    "all keys from a wrong room": wrong_start,
    "last half of the keys alone": last_part(1 / 2),
    "last quarter of the keys alone": last_part(1 / 4),
    "one key taken for the other": wrong_key,
    "lost once, then on from any room": lost_once,
    "the room with most ways in": most_entered,
    "most ways in by the last key": most_entered_by_last_key,
    "any room": any_room,
}

# ---- prdsa


def _spread(
    data: Data, weight: dict[str, float], keys: Iterable[str], odds: float | None = None
) -> dict[str, float]:
    """Where the weight goes; ``odds`` replaces the probability that is printed first."""
    moves = {(m["room"], m["key"]): m for m in data["transitions"]}
    for key in keys:
        after: dict[str, float] = defaultdict(float)
        for room, amount in weight.items():
            move = moves[room, key]
            first = float(move["p1"]) if odds is None else odds
            after[move["next1"]] += amount * first
            after[move["next2"]] += amount * (1 - first)
        weight = after
    return weight


def _heaviest(data: Data, weight: dict[str, float]) -> list[str]:
    rooms = _rooms(data)
    return sorted(rooms, key=lambda room: -weight.get(room, 0.0))[:8]


def _everywhere(data: Data) -> dict[str, float]:
    rooms = _rooms(data)
    return dict.fromkeys(rooms, 1 / len(rooms))


def last_keys(count: int) -> Heuristic:
    def guess(data: Data, stream: Stream) -> list[str]:
        return _heaviest(data, _spread(data, _everywhere(data), data["keys"][-count:]))

    return guess


def even_odds(data: Data, stream: Stream) -> list[str]:
    return _heaviest(data, _spread(data, {data["start"]: 1.0}, data["keys"], odds=0.5))


def rounded_odds(data: Data, stream: Stream) -> list[str]:
    return _heaviest(data, _spread(data, {data["start"]: 1.0}, data["keys"], odds=0.2))


def wrong_start_spread(data: Data, stream: Stream) -> list[str]:
    return _heaviest(data, _spread(data, {_wrong_room(data, stream): 1.0}, data["keys"]))


def likely_way(data: Data, stream: Stream) -> list[str]:
    """The more probable room at each key, and the rooms where the last steps might have led."""
    weight = _spread(data, {data["start"]: 1.0}, data["keys"][:-3], odds=0.0)
    return _heaviest(data, _spread(data, weight, data["keys"][-3:]))


def any_eight(data: Data, stream: Stream) -> list[str]:
    return stream.shuffle(_rooms(data))[:8]


CHAIN: dict[str, Heuristic] = {
    "last 8 keys alone": last_keys(8),
    "last 5 keys alone": last_keys(5),
    "last 3 keys alone": last_keys(3),
    "the last key alone": last_keys(1),
    "all probabilities taken for a half": even_odds,
    "all probabilities taken for 0.2": rounded_odds,
    "all keys from a wrong room": wrong_start_spread,
    "the likelier way, spread at the end": likely_way,
    "any eight rooms": any_eight,
}

# ---- graph_sp


def _friends(edges: Iterable[list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for a, b, *_ in edges:
        found.setdefault(a, []).append(b)
        found.setdefault(b, []).append(a)
    return found


def _shortest(data: Data, edges: Iterable[list[str]]) -> list[str]:
    """A shortest path over some edges; the two ends where there is none."""
    friends = _friends(edges)
    before = {data["source"]: ""}
    queue = deque([data["source"]])
    while queue and data["target"] not in before:
        person = queue.popleft()
        for friend in friends.get(person, ()):
            if friend not in before:
                before[friend] = person
                queue.append(friend)
    if data["target"] not in before:
        return [data["source"], data["target"]]
    path = [data["target"]]
    while before[path[-1]]:
        path.append(before[path[-1]])
    return path[::-1]


def few_friends(share: float) -> Heuristic:
    def guess(data: Data, stream: Stream) -> list[str]:
        friends = _friends(data["edges"])
        ranked = sorted(friends, key=lambda person: len(friends[person]))
        kept = {*ranked[: round(len(ranked) * share)], data["source"], data["target"]}
        return _shortest(data, [e for e in data["edges"] if e[0] in kept and e[1] in kept])

    return guess


def below_the_median(data: Data, stream: Stream) -> list[str]:
    friends = _friends(data["edges"])
    middle = median(len(found) for found in friends.values())
    kept = {person for person, found in friends.items() if len(found) < middle}
    kept |= {data["source"], data["target"]}
    return _shortest(data, [e for e in data["edges"] if e[0] in kept and e[1] in kept])


def some_lines(share: float) -> Heuristic:
    def guess(data: Data, stream: Stream) -> list[str]:
        return _shortest(data, data["edges"][: max(1, round(len(data["edges"]) * share))])

    return guess


def first_friend(data: Data, stream: Stream) -> list[str]:
    return _greedy(data, lambda friends, person: 0.0)


def fewest_friends(data: Data, stream: Stream) -> list[str]:
    return _greedy(data, lambda friends, person: len(friends[person]))


def common_friends(data: Data, stream: Stream) -> list[str]:
    near = set(_friends(data["edges"])[data["target"]])
    return _greedy(data, lambda friends, person: -len(near.intersection(friends[person])))


def _greedy(data: Data, cost: Callable[[dict[str, list[str]], str], float]) -> list[str]:
    """From friend to friend, each time the cheapest that was not met; straight to the target."""
    friends = _friends(data["edges"])
    path = [data["source"]]
    while path[-1] != data["target"]:
        ahead = [friend for friend in friends[path[-1]] if friend not in path]
        if not ahead:
            break
        path.append(
            data["target"]
            if data["target"] in ahead
            else min(ahead, key=lambda person: cost(friends, person))
        )
    return path


def any_short_path(data: Data, stream: Stream) -> list[str]:
    """The shortest of a hundred walks at random."""
    friends = _friends(data["edges"])
    best: list[str] = []
    for _ in range(100):
        path = [data["source"]]
        while path[-1] != data["target"] and len(path) < 8:
            path.append(_any(friends[path[-1]], stream))
        if path[-1] == data["target"] and (not best or len(path) < len(best)):
            best = path
    return best


NETWORK: dict[str, Heuristic] = {
    "search among the half with few friends": few_friends(1 / 2),
    "search below the median of friends": below_the_median,
    "search among the third with few friends": few_friends(1 / 3),
    "three quarters of the lines": some_lines(3 / 4),
    "half of the lines": some_lines(1 / 2),
    "always the friend with fewest friends": fewest_friends,
    "always the friend nearest the target": common_friends,
    "always the friend that is named first": first_friend,
    "shortest of a hundred walks": any_short_path,
}

HEURISTICS: dict[str, dict[str, Heuristic]] = {
    "slt": LEDGER,
    "dsa": AUTOMATON,
    "prdsa": CHAIN,
    "graph_sp": NETWORK,
    "t_rank": TOURNAMENT,
}
