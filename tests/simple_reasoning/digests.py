"""Digests of the rows of every generated task.

Run it: ``python -m tests.simple_reasoning.digests``.

``--write`` records them; that is allowed only together with a new DATA_VERSION.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from xlgo_dataset.core.version import DATA_VERSION
from xlgo_dataset.families import simple_reasoning

FILE = Path(__file__).with_name("digests.json")


def compute() -> dict[str, str]:
    """SHA-256 over ids, prompts, answers and references, by task and language."""
    found = {}
    for task in simple_reasoning.GENERATED:
        for language in simple_reasoning.languages(task):
            digest = hashlib.sha256()
            for row in simple_reasoning.rows(task, [language], seed=3, n=2):
                for name in ("id", "prompt", "answer", "reference"):
                    digest.update(row[name].encode() + b"\0")
            found[f"{task}_{language}"] = digest.hexdigest()
    return found


def main() -> int:
    found = {"data_version": DATA_VERSION, "digests": compute()}
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    for name, value in found["digests"].items():
        if recorded["digests"].get(name) != value:
            print(f"{name} differs")
    return int(recorded != found)


if __name__ == "__main__":
    sys.exit(main())
