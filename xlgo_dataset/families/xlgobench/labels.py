"""How people speak of the puzzles."""

from __future__ import annotations

from ...family import TaskLabels

LABELS: dict[str, TaskLabels] = {
    "slt": TaskLabels(
        "Sequential linear transforms",
        "SLT",
        "A merchant's ledger has been shuffled. The model puts the transactions back into order "
        "and gives the wealth after each of them.",
        "transactions",
    ),
    "dsa": TaskLabels(
        "Discrete state automaton",
        "DSA",
        "Keys lead from room to room. The model follows a sequence of keys and names the last "
        "room.",
        "rooms",
    ),
    "prdsa": TaskLabels(
        "Probabilistic state automaton",
        "PrDSA",
        "Each key leads to one of two rooms by chance. The model names the eight rooms in which "
        "the walk ends most probably.",
        "rooms",
    ),
    "graph_sp": TaskLabels(
        "Graph shortest path",
        "Graph SP",
        "A list says who is friends with whom. The model finds the shortest chain of friends "
        "between two people.",
        "friendships",
    ),
    "t_rank": TaskLabels(
        "Tournament ranking",
        "T-Rank",
        "A list says who beat whom. The model ranks all players.",
        "matches",
    ),
    "dsa_perm": TaskLabels(
        "Discrete state automaton without healing",
        "DSA-perm",
        "The automaton of DSA with keys that permute the rooms: who has lost the place never comes "
        "back to it.",
        "rooms",
    ),
}
