"""Memory of lm-evaluation-harness: questions without prompts against questions that hold them.

    python benchmarks/lm_eval_memory.py [--per-level 20] [--task dsa] [--repeat 3]

Both variants evaluate the same prompts of one puzzle in the paper's seven languages with a model
that always gives the same short answer, each run in a process of its own, and write the samples.
The variants take turns, and the run of median processor time is shown. The
plain-text variant is the usual form of a task: a Parquet file with a column of prompts and a
template as ``doc_to_text``. Memory is that of the process, from /proc (Linux only); ``anonymous``
leaves out memory-mapped files such as that Parquet file's cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from goals import tell

VARIANTS = ("without prompts", "plain text")
MEGA = 1e6
STAGES = ("imports", "questions", "requests", "samples")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="dsa")
    parser.add_argument("--per-level", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--variant", choices=VARIANTS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.variant:
        print(json.dumps(measure(args.variant, args.task, args.per_level, args.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        size = write_prompts(args.task, args.per_level, Path(folder))
        runs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
        for _ in range(args.repeat):
            for variant, done in runs.items():
                done.append(in_own_process(args, variant, folder))
    middle = args.repeat // 2
    show(
        {v: sorted(done, key=lambda run: run["seconds"])[middle] for v, done in runs.items()}, size
    )


def write_prompts(task: str, per_level: int, folder: Path) -> dict[str, float]:
    """Write the Parquet file of the plain-text variant; returns the size of the text."""
    import pyarrow.parquet as pq

    import xlgo_dataset as xd

    prompts = as_text = as_str = 0
    writer = None
    for table in xd.family("xlgobench").tables(task, xd.LANGUAGES, per_level=per_level):
        writer = writer or pq.ParquetWriter(folder / "prompts.parquet", table.schema)
        writer.write_table(table)
        prompts += len(table)
        for prompt in table["prompt"].to_pylist():
            as_text += len(prompt.encode())
            as_str += sys.getsizeof(prompt)
    assert writer is not None
    writer.close()
    return {"prompts": prompts, "utf8": as_text, "str": as_str}


def in_own_process(args: argparse.Namespace, variant: str, folder: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--task", args.task, "--per-level", str(args.per_level),
               "--variant", variant, "--folder", folder]  # fmt: skip
    environment = os.environ | {"HF_HOME": folder, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(variant: str, task: str, per_level: int, folder: Path) -> dict[str, Any]:
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    from xlgo_cli.harness.make_tasks import FOLDER

    stages: dict[str, Any] = {}

    def note(stage: str) -> None:
        stages[stage] = memory()

    class Constant(LM):
        tokenizer_name = "none"

        def generate_until(self, requests: list[Any]) -> list[str]:
            note("requests")
            return ['{"state": "A1000"}' for _ in requests]

        def loglikelihood(self, requests: list[Any]) -> list[Any]:
            raise ValueError("only answers")

        loglikelihood_rolling = loglikelihood

    note("imports")
    began = time.process_time()
    manager = TaskManager(
        include_path=str(FOLDER), include_defaults=False, metadata={"per_level": per_level}
    )
    name: Any = f"xlgo_{task}"
    if variant == "plain text":
        name = plain_text_task(task, folder)
    tasks = list(manager.load([name])["tasks"].values())
    note("questions")
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    results = simple_evaluate(
        Constant(), tasks=tasks, task_manager=manager, evaluation_tracker=tracker, bootstrap_iters=0
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results, samples)
    for done, rows in samples.items():
        tracker.save_results_samples(done, rows)
    note("samples")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGA
    return {"stages": stages, "peak": peak, "seconds": time.process_time() - began}


def plain_text_task(task: str, folder: Path) -> dict[str, Any]:
    """The same task as most are written."""
    from xlgo_lm_eval.tasks import utils

    return {
        "task": f"plain_{task}",
        "dataset_path": "parquet",
        "dataset_kwargs": {"data_files": {"test": str(folder / "prompts.parquet")}},
        "test_split": "test",
        "output_type": "generate_until",
        "num_fewshot": 0,
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{answer}}",
        "process_results": utils.process_results,
        "generation_kwargs": {"until": ["<|never|>"], "max_gen_toks": 64},
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }


def memory() -> dict[str, float]:
    """Megabytes of this process that are in memory, and those that no file backs."""
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return {
        name: int(fields[key].split()[0]) * 1024 / MEGA
        for name, key in (("resident", "VmRSS"), ("anonymous", "RssAnon"))
    }


def show(found: dict[str, dict[str, Any]], size: dict[str, float]) -> None:
    print(
        f"{size['prompts']} prompts, {size['utf8'] / MEGA:.0f} MB in UTF-8, "
        f"{size['str'] / MEGA:.0f} MB as Python strings"
    )
    print(f"{'MB resident (anonymous)':28}" + "".join(f"{variant:>20}" for variant in found))
    for stage in STAGES:
        cells = [entry["stages"][stage] for entry in found.values()]
        print(
            f"{stage:28}" + "".join(f"{c['resident']:11.0f} ({c['anonymous']:6.0f})" for c in cells)
        )
    for name, unit in (("peak", "MB"), ("seconds", "s")):
        print(f"{name + ', ' + unit:28}" + "".join(f"{e[name]:20.0f}" for e in found.values()))
    ours, plain = (found[variant] for variant in VARIANTS)
    base = ours["stages"]["imports"]["resident"]
    print(f"without the imports {(ours['peak'] - base) / (plain['peak'] - base):.2f}")
    tell("memory of a run / of plain lm-eval", ours["peak"] / plain["peak"], most=0.35)
    tell("time of a run / of plain lm-eval", ours["seconds"] / plain["seconds"], most=0.55)


if __name__ == "__main__":
    main()
