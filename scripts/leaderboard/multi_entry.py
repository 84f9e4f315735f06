"""``xlgo compare`` with more than two folders: the page of a leaderboard, of runs made alike."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..display.formats import show, terminal
from ..folders import explained, write_text
from .command import beyond, make, tell, tell_tables
from .page import page
from .site import as_json, table
from .tables_site import as_json as tables_json
from .tables_site import page as tables_page

if TYPE_CHECKING:
    from ..parallel.graded import Read
    from .entries import Entry


def run_several(args: argparse.Namespace, read: Read) -> int:
    """Print a table and write a page; 0 if all could be read, 1 if something was lost.

    Args:
        args: of ``xlgo compare``.
        read: grades a folder.

    Raises:
        ValueError: a folder holds nothing, a model cannot be compared with the others, or the runs
            differ in their settings and that is not allowed.
    """
    folders = [args.first, args.second, *args.others]
    board, _, entries = make(folders, read, proves=not args.parallel)
    if board is None:
        tell(board, entries)
        tables = beyond(entries)
        with explained("write", args.out):
            write_text(
                args.out, tables_page(tables, entries, f"{len(entries)} models side by side")
            )
        if args.json:
            print(
                json.dumps(
                    tables_json(tables, entries) | {"page": str(args.out)}, ensure_ascii=False
                )
            )
        tell_tables(tables, args.out.with_name(f"{args.out.stem}_tables"), shows=not args.json)
        return 1 if any(entry.lost for entry in entries) else 0
    field = board.field
    differing = [f"{name}: {why}" for name, why in field.left_out]
    if differing:
        raise ValueError(f"not all of these can be compared: {'; '.join(differing)}")
    unlike = [f"{name}: {'; '.join(told)}" for name, told in field.unlike.items() if told]
    if unlike and not args.allow_differences:
        raise ValueError(
            "the runs differ in their settings, so a gap between them may come from that: "
            f"{' | '.join(unlike)} (--allow-differences compares them anyway)"
        )
    tell(board, entries)
    with explained("write", args.out):
        write_text(args.out, page(board, _title(entries), site=False))
    if args.json:
        print(json.dumps(as_json(board) | {"page": str(args.out)}, ensure_ascii=False, indent=1))
    else:
        show(table(board), terminal())
        print(args.out)
    return 1 if any(entry.lost for entry in entries) else 0


def _title(entries: Sequence[Entry]) -> str:
    return f"{len(entries)} models side by side"
