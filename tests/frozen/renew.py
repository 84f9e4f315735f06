"""Freeze the numbers anew: ``python -m tests.frozen.renew "why they changed"``.

Without a reason it only prints what differs, to the last digit. With one, the differences go into
``DEPARTURES.md`` in short, under the versions of reader and statistics.
"""

from __future__ import annotations

import json
import lzma
import sys

from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from .numbers import DEPARTURES, STORED, computed, differences, stored

_SHOWN = 12


def main() -> int:
    quick, full = computed(), computed(full=True)["verdicts"]
    new = {
        "versions": {"reader": READER_VERSION, "statistics": STATISTICS_VERSION},
        "quick": quick,
        "full": full,
    }
    changed = list(differences(stored(), new, exact=True)) if STORED.is_file() else []
    print("\n".join(changed) or "nothing differs")
    if len(sys.argv) < 2:
        return 1 if changed else 0
    text = json.dumps(new, separators=(",", ":"), ensure_ascii=False)
    STORED.write_bytes(lzma.compress(text.encode(), preset=9))
    with DEPARTURES.open("a", encoding="utf-8") as file:
        file.write(
            f"\n## Reader {READER_VERSION}, statistics {STATISTICS_VERSION}\n\n{sys.argv[1]}\n"
        )
        file.writelines(f"\n- `{line}`" for line in changed[:_SHOWN])
        more = len(changed) - _SHOWN
        file.write(f"\n- and {more} more\n" if more > 0 else "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
