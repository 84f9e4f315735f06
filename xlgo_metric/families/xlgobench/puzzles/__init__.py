"""How each puzzle is graded: a line here, with a module where exact match is not all."""

from . import graph_sp, prdsa, slt, t_rank
from .base import Puzzle, read_room

PUZZLES: dict[str, Puzzle] = {
    "slt": slt.PUZZLE,
    "dsa": Puzzle("state", read_room, example="D6881"),
    "prdsa": prdsa.PUZZLE,
    "graph_sp": graph_sp.PUZZLE,
    "t_rank": t_rank.PUZZLE,
}
