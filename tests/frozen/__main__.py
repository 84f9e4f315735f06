"""What must not change, written down by the code that wrote it last.

``python -m tests.frozen --check [KIND …]`` prints what differs and exits 1 if anything does;
``python -m tests.frozen --write KIND …`` freezes anew. A KIND is ``verdicts``, ``scores``,
``statistics``, ``questions``, ``sentences`` or ``commands``, or a part of one, such
as ``verdicts/real_kor``. A line may change only with its reason in CHANGELOG.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from . import parts
from .stored import report


def main(arguments: Sequence[str] | None = None) -> int:
    """Check or freeze; 1 if anything differs or could not be frozen."""
    parser = argparse.ArgumentParser(prog="python -m tests.frozen", description=__doc__)
    does = parser.add_mutually_exclusive_group(required=True)
    does.add_argument("--check", action="store_true", help="print what differs")
    does.add_argument("--write", action="store_true", help="freeze by today's code")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kinds or parts (default: all)")
    parser.add_argument(
        "--one-in", type=int, default=1, metavar="N", help="check one response in N (default: all)"
    )
    given = parser.parse_args(arguments)
    if given.one_in < 1 or (given.write and given.one_in > 1):
        parser.error("--one-in takes 1 or more, and --write freezes all: leave it out")
    try:
        selected = parts(given.kinds)
    except ValueError as error:
        parser.error(str(error))
    differ = []
    for part in selected:
        if part.missing:
            print(f"{part.title}: not done: {part.missing}")
            continue
        began = time.perf_counter()
        values = part.compute(given.one_in)
        lines = report(part, values, partly=given.one_in > 1)
        counted = f"{part.title}: {len(values):,} values, {time.perf_counter() - began:.1f} s"
        print(f"{counted}, {lines[0]}" if lines else f"{counted}, nothing differs", flush=True)
        print(*(f"  {line}" for line in lines[1:]), sep="\n", end="\n" * (len(lines) > 1))
        if lines:
            differ.append(part.title)
            if given.write:
                part.write(values)
    if given.write:
        print("frozen: a change needs its reason in CHANGELOG.md")
        return 0
    print(f"differs: {', '.join(differ)}" if differ else "nothing differs")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
