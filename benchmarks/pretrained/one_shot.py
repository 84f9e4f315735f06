"""Ask a completions interface with one solved example, as a base model has to be asked.

    python benchmarks/pretrained/one_shot.py http://127.0.0.1:8000/v1/completions out.jsonl

One JSON line for each question: ``reference``, ``response`` (with whatever the model went on to
write), ``finish`` and ``status``. The example is from the train split, in the language of the
question.
"""

from __future__ import annotations

import argparse
import json
import urllib.request
from pathlib import Path

import xlgo_dataset as xd
import xlgo_metric as xm

TASK = "t_rank"


def solved(language: str, complexity: int) -> str:
    """A question of the train split with its answer."""
    instance = xd.generate(TASK, complexity=complexity, seed=0, index=0, split="train")
    answer = json.dumps({"ranking": xd.solve(instance)["ranking"]})
    return f"{xd.render(instance, language)}\n\nAnswer: {answer}"


def ask(address: str, prompt: str, most: int) -> tuple[str, str]:
    """What the model writes, and why it ended."""
    body = {"prompt": prompt, "max_tokens": most, "temperature": 0}
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=600) as reply:
        choice = json.load(reply)["choices"][0]
    return choice["text"], choice["finish_reason"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("out", type=Path)
    parser.add_argument("--languages", default="en,es,zh,hi,te")
    parser.add_argument("--per-level", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=100)
    given = parser.parse_args()
    with given.out.open("w", encoding="utf-8") as file:
        for index in range(given.per_level):
            for complexity in (1, 2):
                for language in given.languages.split(","):
                    instance = xd.generate(TASK, complexity=complexity, seed=0, index=index)
                    prompt = f"{solved(language, complexity)}\n\n{xd.render(instance, language)}"
                    text, finish = ask(given.address, f"{prompt}\n\nAnswer:", given.tokens)
                    reference = {
                        "family": "xlgobench", "task": TASK, "language": language,
                        "complexity": complexity, "seed": 0, "index": index, "split": "test",
                        "answer": xd.solve(instance),
                    }  # fmt: skip
                    status = xm.grade(text, reference).status
                    row = {
                        "reference": reference,
                        "response": text,
                        "finish": finish,
                        "status": status,
                    }
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    file.flush()


if __name__ == "__main__":
    main()
