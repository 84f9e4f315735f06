"""Tournament ranking (XLGoBench, section 2.2).

E matches between round(E / 3) players of unknown strength; the stronger always wins. A chain of
matches through all players in order of strength makes the ranking unique; the rest are drawn
uniformly from the other pairs. Complexity is E. Where E / 3 players are too few for E different
matches (small E), there are as few players as have room for them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar

import numpy as np

from .base import (
    Document,
    Instance,
    Items,
    Json,
    Lines,
    Origin,
    Streams,
    TaskLabels,
    Template,
    Text,
    Values,
    ids,
)

NAME = "t_rank"
LABELS = TaskLabels(
    "Tournament ranking",
    "T-Rank",
    "A list says who beat whom. The model ranks all players.",
    "matches",
)
ANSWER_KEY = "ranking"
RANGES = {"paper": (100, 400), "lite": (25, 150), "smoke": (6, 60), "quick": (16, 90)}
POSSIBLE = (1, 6_000, "matches")
DISTINCT = 32
LINES = ("match",)


@dataclass(frozen=True, eq=False)
class Tournament(Instance):
    """Matches in printed order, arrays of shape (matches,).

    Attributes:
        winner, loser: codes of the two players of each match.
    """

    task: ClassVar[str] = NAME
    winner: ids.Codes
    loser: ids.Codes

    @property
    def complexity(self) -> int:
        return len(self.winner)

    @cached_property
    def players(self) -> int:
        """How many players there are."""
        return len(np.unique(np.concatenate([self.winner, self.loser])))

    @cached_property
    def answer(self) -> Json:
        """The players, the strongest first; those of a drawn tournament are known from the draw.

        Raises:
            ValueError: the matches leave no ranking, or more than one.
        """
        sorter = TopologicalSorter[str]()
        for winner, loser in self.matches():
            sorter.add(loser, winner)
        try:
            sorter.prepare()
        except CycleError:
            raise ValueError("t_rank: the matches contain a circle") from None
        ranking: list[str] = []
        while sorter.is_active():
            strongest, *others = sorter.get_ready()
            if others:  # Kahn 1962: the order is the only one if there is never a choice
                raise ValueError("t_rank: the matches leave more than one ranking")
            ranking.append(strongest)
            sorter.done(strongest)
        return {ANSWER_KEY: ranking}

    def content(self) -> dict[str, object]:
        return {"matches": [list(pair) for pair in self.matches()], "n": self.players}

    def matches(self) -> Iterator[tuple[str, str]]:
        """Winner and loser of each match."""
        return zip(ids.names(self.winner), ids.names(self.loser))


def players_for(matches: int) -> int:
    """Number of players: a third of the matches, or the fewest that have room for them."""
    n = (2 * matches + 3) // 6  # round(matches / 3); a tie is impossible
    while n * (n - 1) // 2 < matches:
        n += 1
    return n


def generate(complexity: int, streams: Streams, origin: Origin) -> Tournament:
    stream = streams(0)
    n = players_for(complexity)
    people = ids.draw(stream, n)
    # Pairs that are not neighbours in the ranking, numbered by the stronger: the i-th strongest
    # has n - 2 - i of them, and they begin at number begins[i].
    begins = np.concatenate([[0], np.cumsum(np.arange(n - 2, 0, -1))])
    extra = complexity - (n - 1)
    # The pairs (i, j) with j >= i + 2, all but those of the backbone, are numbered row by row; a
    # number gives its row by the last row that begins at or before it.
    pairs = stream.sample(int(begins[-1]), extra) if extra else np.empty(0, dtype=np.int64)
    first = np.searchsorted(begins, pairs, side="right") - 1
    second = first + 2 + pairs - begins[first]
    winner = np.concatenate([np.arange(n - 1), first])
    loser = np.concatenate([np.arange(1, n), second])
    order = stream.permutation(complexity)
    drawn = Tournament(winner=people[winner[order]], loser=people[loser[order]], origin=origin)
    # The backbone makes the ranking the only one, so it need not be found again: this fills the
    # cached properties.
    drawn.__dict__.update(answer={ANSWER_KEY: ids.names(people)}, players=n)
    return drawn


def template(strings: Mapping[str, str]) -> Template:
    end = (strings[key] for key in ("question", "puzzle_note", "count", "format"))
    return Template(
        texts={"header": f"{strings['header']}\n", "end": "\n" + "\n\n".join(end)},
        lines=[f". {strings['match']}\n"],
        numbers=frozenset({"n"}),
    )


def document(tournament: Tournament) -> Document:
    matches = {"winner": tournament.winner, "loser": tournament.loser}
    return (
        Text("header"),
        Lines(matches, numbered=True),
        Text("end", {"n": tournament.players}),
    )


def read(_: Values, lines: Items, end: Values) -> Json:
    matches = [[values["winner"], values["loser"]] for _, values in lines]
    players = len({player for match in matches for player in match})
    if players != int(end["n"]):
        raise ValueError(f"t_rank: {end['n']} players are announced, {players} play")
    return {"matches": matches}


def from_json(data: Json) -> Tournament:
    matches = data["matches"]
    for match in matches:
        if len(match) != 2:
            raise ValueError(f"t_rank: match {match!r} must be [winner, loser]")
    return Tournament(
        winner=ids.codes(match[0] for match in matches),
        loser=ids.codes(match[1] for match in matches),
    )


def structure(tournament: Tournament) -> Any:
    """Who beat whom by place: the ranking is the only one, so it names the players."""
    rank = {name: i for i, name in enumerate(tournament.answer[ANSWER_KEY])}
    return sorted((rank[a], rank[b]) for a, b in tournament.matches())
