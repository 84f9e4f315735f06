"""A real small model whose gap opens with the data and closes with it.

``python benchmarks/small_model.py [--out DIR] [--seeds 0,1,2] [--picture FILE]``

A transformer learns slt with 1 to 3 transactions from the train split, in seven languages of very
different shares. lm-evaluation-harness asks it the test split (backend ``hf``); then it learns on
from rows in equal shares and is asked again, and the same first model learns on, for as many steps,
from the same puzzles in the skewed shares, as a control. The first model is also asked with rules
or lines in English, to see where its gap comes from. One picture shows the gaps, one table whether
the languages rank as their examples do. What is done is kept in ``--out``: the same command goes on
where it was stopped. Needs torch and transformers (``pip install xlgo[eval,hf]``).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import small_figures
import torch
from small_training import (
    BALANCED,
    SIZES,
    SKEWED,
    Recipe,
    examples,
    halves,
    new_model,
    phrase_tokenizer,
    rows_of,
    train,
)
from transformers import LlamaForCausalLM

import xlgo_dataset as xd

STAGES = {"skewed": SKEWED, "balanced": BALANCED, "control": SKEWED}
FIRST_ROWS, FURTHER_ROWS = 40_000, 24_000
# The other conditions have words that the tokenizer does not know.


def recipe(stage: str, args: argparse.Namespace) -> Recipe:
    later = (1.0, (2, 3, 1))
    if stage == "skewed":
        return Recipe(args.steps, args.rate, 200, args.batch, [(0.15, (2, 1, 0)), later])
    return Recipe(args.further_steps, args.rate, 50, args.batch, [later])


def processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def learn(stage: str, seed: int, args: argparse.Namespace) -> None:
    """Train one stage, unless its model is there already."""
    folder = args.out / f"seed-{seed}" / stage
    if (folder / "training.json").exists():
        return
    began, used = time.perf_counter(), processor_seconds()
    # The adaptive design may spend its whole budget on one size.
    held = xd.isomorphism_hashes(
        "slt", complexities=list(SIZES), per_level=max(args.per_level, args.budget)
    )
    tokenizer = phrase_tokenizer()
    first = stage == "skewed"
    # Balanced and control ask the same puzzles: one seed, only the languages differ. The name of
    # the file keeps rows from a run that held out other structures.
    count = args.first_rows if first else args.further_rows
    rows = rows_of(
        args.out / f"rows-{stage}-{count}-{len(held)}.pt",
        tokenizer,
        STAGES[stage],
        count=count,
        seed=2 if first else 3,
        held=held,
    )
    if first:
        model = new_model(len(tokenizer), seed)
    else:
        model = LlamaForCausalLM.from_pretrained(folder.parent / "skewed" / "model")
    plan = recipe(stage, args)
    losses = train(model, rows, plan, seed=10 * seed + list(STAGES).index(stage),
                   name=f"seed {seed}, {stage}", pools=halves(tokenizer))  # fmt: skip
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    told = {
        "seed": seed, "stage": stage, "weights": sum(p.numel() for p in model.parameters()),
        "tokens": len(tokenizer), "held_out_structures": len(held), "steps": plan.steps,
        "rows": sum(map(len, rows.values())), "losses": losses,
        "mean_length": sum(len(t) for part in rows.values() for t, _ in part)
        / sum(map(len, rows.values())),
        "examples": examples(STAGES[stage], plan.steps, plan.batch),
        "seconds": time.perf_counter() - began, "processor_seconds": processor_seconds() - used,
    }  # fmt: skip
    (folder / "training.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def ask(folder: Path, design: list[str], args: argparse.Namespace) -> dict[str, Any]:
    """XLGoBench's part of the score of one run of ``xlgo run``, asked only once."""
    if not list(folder.rglob("scores.json")):
        command = [
            sys.executable, "-m", "xlgo_cli", "run", "--tasks", "xlgo_slt", "--model", "hf",
            "--model_args", f"pretrained={folder.parent / 'model'},dtype=float32,max_length=256",
            "--device", "cpu", "--batch_size", "100", "--gen_kwargs", "max_gen_toks=20",
            "--output_path", str(folder), *design,
        ]  # fmt: skip
        began, used = time.perf_counter(), processor_seconds()
        folder.mkdir(parents=True, exist_ok=True)
        with (folder.parent / f"{folder.name}.log").open("w") as log:
            subprocess.run(
                command,
                check=True,
                stdout=log,
                stderr=log,
                env=os.environ | {"OMP_NUM_THREADS": str(args.threads), "HF_HUB_OFFLINE": "1"},
            )
        told = {
            "seconds": time.perf_counter() - began,
            "processor_seconds": processor_seconds() - used,
        }
        (folder.parent / f"{folder.name}.json").write_text(json.dumps(told) + "\n", "utf-8")
    (found,) = folder.rglob("scores.json")
    family: dict[str, Any] = json.loads(found.read_text("utf-8"))["families"]["xlgobench"]
    for task in family["tasks"].values():
        for cell in task["languages"].values():
            cell.update(cell["curve"])
    return family


def run_seed(seed: int, args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Scores of each stage, by design: ``skewed``, …, and ``skewed/adaptive``."""
    fixed = ["--complexities", ",".join(map(str, SIZES)), "--per-level", str(args.per_level)]
    adaptive = ["--design", "adaptive", "--budget", str(args.budget),
                "--c-min", str(SIZES[0]), "--c-max", str(SIZES[-1])]  # fmt: skip
    scores = {}
    for design, options in {"fixed": fixed, "adaptive": adaptive}.items():
        if design == "adaptive" and not args.budget:
            continue
        for stage in STAGES:
            learn(stage, seed, args)
            name = stage if design == "fixed" else stage + small_figures.ADAPTIVE
            family = ask(args.out / f"seed-{seed}" / stage / design, options, args)
            scores[name] = family["tasks"]["slt"]
            small_figures.print_gaps(f"seed {seed}, {name}", scores[name])
    return scores


def told_seconds(out: Path) -> tuple[float, float]:
    """Seconds and processor seconds of all that was trained and asked."""
    notes = [json.loads(path.read_text("utf-8")) for path in out.glob("seed-*/*/*.json")]
    return sum(n["seconds"] for n in notes), sum(n["processor_seconds"] for n in notes)


def compact(scores: Mapping[str, Any]) -> dict[str, Any]:
    """What the picture and the tables need."""
    names = ("smd", "smd_sd", "levels", "paired")
    return {
        stage: {
            code: {name: cell[name] for name in names} for code, cell in task["languages"].items()
        }
        for stage, task in scores.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("small_model"))
    parser.add_argument("--seeds", default="0", help="seeds of weights and batches: 0,1,2")
    parser.add_argument("--steps", type=int, default=5_000)
    parser.add_argument("--further-steps", type=int, default=2_500)
    parser.add_argument("--first-rows", type=int, default=FIRST_ROWS)
    parser.add_argument("--further-rows", type=int, default=FURTHER_ROWS)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--per-level", type=int, default=100)
    parser.add_argument("--budget", type=int, default=200, help="of the adaptive design; 0: none")
    # The matrices are small: two threads mostly wait for each other where other programs run.
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="default: small_model.svg in --out")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.out = args.out.resolve()
    found = {seed: compact(run_seed(seed, args)) for seed in map(int, args.seeds.split(","))}
    small_figures.print_summary(found)
    (args.out / "scores.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    small_figures.draw(found, args.picture or args.out / "small_model.svg")
    print("{:.0f} s, of processors {:.0f} s, all seeds together".format(*told_seconds(args.out)))


if __name__ == "__main__":
    main()
