"""Digests of a sample of every configuration. Run it: ``python tests/dataset/digests.py``.

``--write`` records them; that is allowed only for a new puzzle or with a new DATA_VERSION.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import xlgo_dataset as xd

data: Any = xd.family("xlgobench")


FILE = Path(__file__).with_name("digests.json")


def compute() -> dict[str, str]:
    """SHA-256 over prompts, answers and references, by configuration and split."""
    found = {}
    puzzles = xd.family("xlgobench")
    for task in puzzles.TASKS:
        for language in puzzles.languages(task)[: len(xd.LANGUAGES)]:  # the default ones come first
            for preset, split, seed in (("paper", "test", 0), ("lite", "train", 7)):
                digest = hashlib.sha256()
                for row in data.rows(
                    task, [language], split=split, seed=seed, preset=preset, levels=4, per_level=2
                ):
                    for name in ("id", "prompt", "answer", "reference"):
                        digest.update(row[name].encode() + b"\0")
                found[f"{task}_{language}/{preset}/{split}/{seed}"] = digest.hexdigest()
    return found


def main() -> int:
    found: dict[str, Any] = {"data_version": xd.DATA_VERSION, "digests": compute()}
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    changed = [
        name for name, value in found["digests"].items() if recorded["digests"].get(name) != value
    ]
    print(
        f"python {sys.version.split()[0]}: {len(found['digests'])} digests, {len(changed)} differ"
    )
    for name in changed:
        print(f"  {name}")
    if changed:
        print("a new puzzle, or a new DATA_VERSION: run python tests/dataset/digests.py --write")
    return bool(changed) or recorded["data_version"] != xd.DATA_VERSION


if __name__ == "__main__":
    sys.exit(main())
