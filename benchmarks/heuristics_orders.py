"""Shortcuts to the puzzles whose answer is an order, t_rank and slt; see ``heuristics.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any

from xlgo_dataset.core.rng import Stream

Data = dict[str, Any]
Heuristic = Callable[[Data, Stream], Any]

# ---- t_rank


def _records(data: Data) -> tuple[Counter[str], Counter[str], list[str]]:
    """Wins, losses, and the players in the order of the lines."""
    wins = Counter(a for a, _ in data["matches"])
    losses = Counter(b for _, b in data["matches"])
    return wins, losses, list(dict.fromkeys(p for match in data["matches"] for p in match))


def net_wins(data: Data, stream: Stream) -> list[str]:
    wins, losses, players = _records(data)
    return sorted(players, key=lambda p: losses[p] - wins[p])


def net_wins_then_match(data: Data, stream: Stream) -> list[str]:
    """Net wins; of two with as many, the one that beat the other comes first."""
    wins, losses, players = _records(data)
    beat = {(a, b) for a, b in data["matches"]}

    def compare(a: str, b: str) -> int:
        behind = (losses[a] - wins[a]) - (losses[b] - wins[b])
        return behind or ((b, a) in beat) - ((a, b) in beat)

    return sorted(players, key=cmp_to_key(compare))


def most_wins(data: Data, stream: Stream) -> list[str]:
    wins, _, players = _records(data)
    return sorted(players, key=lambda p: -wins[p])


def fewest_losses(data: Data, stream: Stream) -> list[str]:
    _, losses, players = _records(data)
    return sorted(players, key=lambda p: losses[p])


def share_of_wins(data: Data, stream: Stream) -> list[str]:
    wins, losses, players = _records(data)
    return sorted(players, key=lambda p: -wins[p] / (wins[p] + losses[p]))


def repaired_net_wins(data: Data, stream: Stream) -> list[str]:
    """Net wins; then once down the list, neighbours in the wrong order change places."""
    ranking = net_wins(data, stream)
    beat = {(a, b) for a, b in data["matches"]}
    for i in range(len(ranking) - 1):
        if (ranking[i + 1], ranking[i]) in beat:
            ranking[i], ranking[i + 1] = ranking[i + 1], ranking[i]
    return ranking


def one_reading(data: Data, stream: Stream) -> list[str]:
    """Each line once: the winner moves to just before the loser if it stands behind."""
    ranking = _records(data)[2]
    for winner, loser in data["matches"]:
        if ranking.index(winner) > ranking.index(loser):
            ranking.remove(winner)
            ranking.insert(ranking.index(loser), winner)
    return ranking


def as_printed(data: Data, stream: Stream) -> list[str]:
    return _records(data)[2]


TOURNAMENT: dict[str, Heuristic] = {
    "net wins": net_wins,
    "net wins, ties by their match": net_wins_then_match,
    "net wins, neighbours repaired once": repaired_net_wins,
    "share of wins": share_of_wins,
    "most wins": most_wins,
    "fewest losses": fewest_losses,
    "each line read once": one_reading,
    "players as they are named": as_printed,
}

# ---- slt


def _apply(data: Data, lines: Iterable[Data]) -> list[int]:
    wealth, chain = data["capital"], []
    for line in lines:
        wealth = line["a"] * wealth + line["b"]
        chain.append(wealth)
    return chain


def printed_order(data: Data, stream: Stream) -> list[int]:
    return _apply(data, data["transactions"])


def reverse_order(data: Data, stream: Stream) -> list[int]:
    return _apply(data, data["transactions"][::-1])


def first_known(data: Data, stream: Stream) -> list[int]:
    """The first transaction is found; the others follow as printed."""
    lines = sorted(data["transactions"], key=lambda line: line["prev"] != data["start"])
    return _apply(data, lines)


def sorted_names(data: Data, stream: Stream) -> list[int]:
    return _apply(data, sorted(data["transactions"], key=lambda line: line["prev"]))


def within_nine(data: Data, stream: Stream) -> list[int]:
    """Always the first line that keeps the wealth within -9 … 9, as every chain stays there."""
    left, wealth, order = list(data["transactions"]), data["capital"], []
    while left:
        fits = [line for line in left if abs(line["a"] * wealth + line["b"]) <= 9]
        line = (fits or left)[0]
        left.remove(line)
        order.append(line)
        wealth = max(-9, min(9, line["a"] * wealth + line["b"]))
    return _apply(data, order)


def first_and_within_nine(data: Data, stream: Stream) -> list[int]:
    """The first transaction is found; then as ``within_nine``."""
    first = next(line for line in data["transactions"] if line["prev"] == data["start"])
    rest = [line for line in data["transactions"] if line is not first]
    wealth = first["a"] * data["capital"] + first["b"]
    return [wealth, *within_nine({"capital": wealth, "transactions": rest}, stream)]


LEDGER: dict[str, Heuristic] = {
    "lines as printed": printed_order,
    "lines in reverse": reverse_order,
    "the first line found, the rest as printed": first_known,
    "lines sorted by name": sorted_names,
    "any line that keeps within 9": within_nine,
    "the first line, then within 9": first_and_within_nine,
}
