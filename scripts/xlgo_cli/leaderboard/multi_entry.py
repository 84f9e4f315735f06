"""``xlgo compare`` with more than two folders: the page of a leaderboard, of runs made alike."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..folders import explained, write_text
from .command import family_tables, make, site_of, tell, tell_numbers

if TYPE_CHECKING:
    from ..parallel.graded import Read
    from .standings import Board


def run_several(args: argparse.Namespace, read: Read) -> int:
    """Print a table and write a page; 0 if all could be read, 1 if something was lost.

    Args:
        args: of ``xlgo compare``.
        read: grades a folder.

    Raises:
        ValueError: a folder holds nothing, a model cannot be compared with the others, or the runs
            differ in their settings and that is not allowed.
    """
    folders = [path for path in (args.first, args.second, *args.others) if path]
    board, _, entries = make(folders, read)
    own = [] if board is not None else family_tables(entries)
    if board is not None:
        _check_alike(board, allow_differences=args.allow_differences)
    tell(board, entries)
    site = site_of(board, own, entries, f"{len(entries)} models side by side", files=False)
    with explained("write", args.out):
        write_text(args.out, site.page)
    folder = args.out.with_name(f"{args.out.stem}_tables")
    tell_numbers(site, board, own, args.out, folder, as_json=args.json)
    return 1 if any(entry.lost for entry in entries) else 0


def _check_alike(board: Board, *, allow_differences: bool) -> None:
    """Refuse runs that are not ranked, or whose answers were made otherwise."""
    if left_out := [f"{name}: {why}" for name, why in board.field.left_out]:
        raise ValueError(f"not all of these can be compared: {'; '.join(left_out)}")
    unlike = [f"{name}: {'; '.join(told)}" for name, told in board.field.unlike.items() if told]
    if unlike and not allow_differences:
        raise ValueError(
            "the runs differ in their settings, so a gap between them may come from that: "
            f"{' | '.join(unlike)} (--allow-differences compares them anyway)"
        )
