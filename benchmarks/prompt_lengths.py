"""Length of the prompts of each language against English: ``python benchmarks/prompt_lengths.py``.

The same puzzles are rendered in every language, and their characters, words (by white space) and
tokens are added up and divided by those of English. The tokenizers are public ones that come with
Python packages: Tekken (``mistral-common``) and Qwen's (``dashscope`` and ``tiktoken``); they are
wanted here only, so they are imported when the measurement runs. ``--write PAGE`` puts the table of
means into a page between the markers ``lengths``; those by task are printed. ``--simple`` measures
the parallel simple-reasoning tasks instead of the puzzles.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xlgo_dataset as xd

Counter = Callable[[str], int]
Lengths = dict[str, dict[str, dict[str, float]]]

COMPLEXITIES = {"slt": 100, "dsa": 40, "prdsa": 40, "graph_sp": 120, "t_rank": 120}
"""One size a puzzle, in the middle of what is usually asked."""

SIMPLE = {
    "logic_eval": {"depth": 8, "vocabulary": "movies"},
    "logic_negation": {"depth": 8, "vocabulary": "movies"},
    "proof_tree": {"depth": 6, "diverse": True},
    "irrelevant": {"trees": 2, "sentences": 60},
    "travel": {"cities": 10, "visit": 5, "modes": 4},
}

BEGIN, END = "<!-- lengths: begin -->", "<!-- lengths: end -->"


def tekken() -> Counter:
    """Tokens of Tekken, the tokenizer of Mistral's models."""
    package = importlib.import_module("mistral_common.tokens.tokenizers.tekken")
    folder = Path(importlib.import_module("mistral_common").__file__ or "").parent / "data"
    tokenizer = package.Tekkenizer.from_file(sorted(folder.glob("tekken_*.json"))[-1])
    return lambda text: len(tokenizer.encode(text, bos=False, eos=False))


def qwen() -> Counter:
    """Tokens of Qwen's tokenizer; its ranks come with ``dashscope``."""
    package = importlib.import_module("dashscope.tokenizers.qwen_tokenizer")
    folder = Path(importlib.import_module("dashscope").__file__ or "").parent
    tokenizer = package.QwenTokenizer(str(folder / "resources" / "qwen.tiktoken"))
    return lambda text: len(tokenizer.encode(text))


def measure(counters: dict[str, Counter], instances: int, text: str = "paper") -> Lengths:
    """Mean length of a prompt by puzzle, language and unit."""
    found: Lengths = {}
    for task, complexity in COMPLEXITIES.items():
        drawn = [xd.generate(task, complexity=complexity, index=i) for i in range(instances)]
        found[task] = {
            code: {
                unit: statistics.fmean(count(xd.render(one, code, text)) for one in drawn)
                for unit, count in counters.items()
            }
            for code in xd.available()
        }
    return found


def measure_simple(counters: dict[str, Counter], instances: int) -> Lengths:
    """The same of the parallel simple-reasoning tasks."""
    family = xd.family("simple_reasoning")
    found: Lengths = {}
    for task, options in SIMPLE.items():
        drawn = [family.generate(task, index=i, **options) for i in range(instances)]
        found[task] = {
            code: {
                unit: statistics.fmean(count(family.render(one, code, "parallel")) for one in drawn)
                for unit, count in counters.items()
            }
            for code in family.languages(task)
        }
    return found


def tables(found: Lengths, units: list[str]) -> list[str]:
    """Markdown: the ratio to English over all tasks, then by task in the last two units."""
    rows = [["language", *units], ["---", *["---:"] * len(units)]]
    for code in xd.available():
        ratios = (
            statistics.fmean(found[task][code][unit] / found[task]["en"][unit] for task in found)
            for unit in units
        )
        rows.append([f"`{code}`", *(f"{ratio:.2f}" for ratio in ratios)])
    parts = [f"Mean over the tasks of the ratio to English:\n\n{_markdown(rows)}"]
    for unit in units[-2:]:
        rows = [["language", *(f"`{task}`" for task in found)], ["---", *["---:"] * len(found)]]
        rows += [
            [f"`{code}`"]
            + [f"{found[task][code][unit] / found[task]['en'][unit]:.2f}" for task in found]
            for code in xd.available()
        ]
        english = ", ".join(f"`{task}` {found[task]['en'][unit]:.0f}" for task in found)
        parts.append(f"By task, {unit} (English: {english}):\n\n{_markdown(rows)}")
    return parts


def _markdown(rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=5, help="puzzles of each kind")
    parser.add_argument("--write", type=Path, help="a page with the markers of the tables")
    parser.add_argument("--simple", action="store_true", help="the simple-reasoning tasks")
    chosen = parser.parse_args()
    counters: dict[str, Counter] = {
        "characters": len,
        "words": lambda text: len(text.split()),
        "tokens (Tekken)": tekken(),
        "tokens (Qwen)": qwen(),
    }
    work = measure_simple if chosen.simple else measure
    found = tables(work(counters, chosen.instances), list(counters))
    print("\n\n".join(found))
    if chosen.write:
        page = chosen.write.read_text("utf-8")
        before, begin, rest = page.partition(BEGIN)
        _, end, after = rest.partition(END)
        if not begin or not end:
            raise SystemExit(f"{chosen.write} has no markers {BEGIN} and {END}")
        chosen.write.write_text(f"{before}{begin}\n{found[0]}\n{end}{after}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
