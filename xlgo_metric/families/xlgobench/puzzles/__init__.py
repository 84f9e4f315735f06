"""How each puzzle is graded: a module each, and a line here."""

from . import dsa, graph_sp, prdsa, slt, t_rank
from .base import Puzzle

PUZZLES: dict[str, Puzzle] = {
    "slt": slt.PUZZLE,
    "dsa": dsa.PUZZLE,
    "prdsa": prdsa.PUZZLE,
    "graph_sp": graph_sp.PUZZLE,
    "t_rank": t_rank.PUZZLE,
}
