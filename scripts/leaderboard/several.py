"""``xlgo compare`` with more than two folders: the page of a leaderboard, of runs made alike."""

from __future__ import annotations

import argparse
import json

from ..display.tables import show, terminal
from ..folders import explained, write_text
from .command import beyond, make, tell, tell_tables
from .page import page
from .site import as_json, table


def run_several(args: argparse.Namespace) -> int:
    """Print a table and write a page; 0 if all could be read, 1 if something was lost.

    Args:
        args: of ``xlgo compare``.

    Raises:
        ValueError: a folder holds nothing, a model cannot be compared with the others, or the runs
            were not made alike and that is not allowed.
    """
    found, _, entries = make(
        [args.first, args.second, *args.others], args.judge, partial=args.partial
    )
    if found is None:
        tell(found, entries)
        tell_tables(beyond(entries), args.out.with_suffix(""))
        return 1 if any(entry.lost for entry in entries) else 0
    field = found.field
    differing = [f"{name}: {why}" for name, why in field.left_out]
    if differing:
        raise ValueError(f"not all of these can be compared: {'; '.join(differing)}")
    unlike = [f"{name}: {'; '.join(told)}" for name, told in field.unlike.items() if told]
    if unlike and not args.allow_differences:
        raise ValueError(
            "the runs were not made alike, so a gap between them may come from that: "
            f"{' | '.join(unlike)} (--allow-differences compares them all the same)"
        )
    tell(found, entries)
    with explained("write", args.out):
        title = f"{len(entries)} models side by side"
        write_text(args.out, page(found, title, site=False))
    if args.json:
        print(json.dumps(as_json(found) | {"page": str(args.out)}, ensure_ascii=False, indent=1))
    else:
        show(table(found), terminal())
        print(args.out)
    return 1 if any(entry.lost for entry in entries) else 0
