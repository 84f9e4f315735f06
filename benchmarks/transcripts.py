"""How many transcripts in the styles of real models are graded as a fair judge would.

Run: python benchmarks/transcripts.py [NUMBER OF STYLES TO SHOW]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.metric.transcripts.labelled_puzzles import judged, puzzle_transcripts
from tests.simple_reasoning import transcripts
from xlgo_metric.scoring import grade


def measure(name: str, made: Iterable[Any], judge: Callable[[Any, Any], str], shown: int) -> int:
    """Print the figures of one kind of transcripts; returns how many are graded otherwise."""
    faults: Counter[tuple[str, str]] = Counter()
    total = 0
    for transcript in made:
        total += 1
        fault = judge(grade(transcript.text, transcript.reference), transcript)
        if fault:
            faults[transcript.style, fault] += 1
    wrong = sum(faults.values())
    false = sum(n for (_, fault), n in faults.items() if fault == "false correct")
    print(
        f"{name}: {total:,} transcripts, {100 * (1 - wrong / total):.2f}% as a judge would,", end=""
    )
    print(f" {false} false correct")
    for (style, fault), number in faults.most_common(shown):
        print(f"  {number} {style}: {fault}")
    return wrong


def main() -> int:
    shown = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    wrong = measure("puzzles", puzzle_transcripts(), judged, shown)
    wrong += measure(
        "simple reasoning", transcripts.simple_transcripts(), transcripts.judged, shown
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
