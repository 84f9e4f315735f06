"""Run chains of requests with a model of the harness; see ``chains`` for what a chain is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .chains import BLOCK, Beside, Board, Chain, Finished, Item, Waiting
from .ledger import Ledger

PART = 4
"""Chains for each connection that are under way together, at least: enough that no connection waits
where one part goes over into the next, few enough that judging begins early
(``benchmarks/chains_throughput.py --judge``)."""


def run_chains(
    lm: Any,
    items: Sequence[Item],
    ledger: Ledger,
    *,
    block: int = BLOCK,
    finished: Finished | None = None,
    beside: Beside | None = None,
) -> list[Chain]:
    """Run chains to their ends.

    Args:
        lm: a model of the harness, or anything with its ``generate_until`` and cache hook. It must
            not be called from a running event loop.
        items: the chains. Two that ask the same under the same name share the answer.
        ledger: answers in it are not asked for again; new ones are added.
        block: requests that a model of this machine is given together. A model behind an interface
            always has as many as it takes at the same time.
        finished: is told of each chain at its end.
        beside: is asked about each chain at its end while others go on, if both models are behind
            interfaces; else it is not asked.

    Returns:
        The chains, in the order of ``items``.

    Raises:
        ConnectionError: no answer comes any more; what is recorded is kept.
        OSError: the ledger cannot be written.
        Exception: whatever ``finished`` raises.
    """
    from .sending import Request, is_api, send  # they load the harness

    parts = max(1, len(items) // (PART * lm._concurrent)) if is_api(lm) else 1
    chains = [
        Chain(item, part=place * parts // len(items), place=place)
        for place, item in enumerate(items)
    ]

    def ended(chain: Chain) -> None:
        if finished is not None:
            finished(chain)
        if beside_board is not None:
            beside_board[1].add([Chain(item) for item in beside_board[0].items(chain)])

    board = Board(ledger, ended)
    beside_board = None
    if beside is not None and is_api(lm) and is_api(beside.lm):
        beside_board = (beside, Board(beside.ledger, beside.finished, after=board))
    try:
        board.add(chains)
        if is_api(lm):
            from .serving import serve

            serve(lm, board, beside_board)
        else:
            while waiting := board.take(block):
                requests = [
                    Request(w.turns, w.gen_kwargs(False), w.item.chat, w.item.doc) for w in waiting
                ]
                send(lm, requests, partial(_arrived, board, waiting))
    finally:
        ledger.sync()
        if beside_board is not None:
            beside_board[0].ledger.sync()
    return chains


def _arrived(board: Board, sent: Sequence[Waiting], number: int, reply: str) -> None:
    board.arrived(sent[number], reply)
