"""Digests of the rows of every generated task.

Run it: ``python -m tests.simple_reasoning.digests``.

``--write`` records them; that is allowed only together with a new DATA_VERSION.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.version import DATA_VERSION
from xlgo_dataset.families.simple_reasoning import questions

simple_reasoning: Any = xd.family("simple_reasoning")

FILE = Path(__file__).with_name("digests.json")


def compute() -> dict[str, str]:
    """SHA-256 over ids, prompts, answers and references, by task and language."""
    found: dict[Any, Any] = {}
    for task in questions.GENERATED:
        known = simple_reasoning.languages(task)
        own = [code for code in known if questions.wording(task, code, "paper") == "paper"]
        found |= _digests(task, own, "", n=2)
        if questions.has_parallel_text(task):
            found |= _digests(task, known, "_parallel", n=1, text="parallel")
    return found


def _digests(task: str, languages: Sequence[str], suffix: str, **options: Any) -> dict[str, str]:
    digests = {language: hashlib.sha256() for language in languages}
    for row in simple_reasoning.rows(task, languages, seed=3, **options):
        for name in ("id", "prompt", "answer", "reference"):
            digests[row["language"]].update(row[name].encode() + b"\0")
    return {f"{task}_{code}{suffix}": digest.hexdigest() for code, digest in digests.items()}


def main() -> int:
    found: dict[str, Any] = {"data_version": DATA_VERSION, "digests": compute()}
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
