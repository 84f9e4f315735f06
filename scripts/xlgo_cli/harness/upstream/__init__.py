"""``xlgo tasks --upstream FOLDER``: files of a pull request to lm-evaluation-harness.

The folder stands on its own: a README in the harness's form, a static sample of the puzzles, and
task files that ask it. Grading needs ``pip install xlgo``, as other tasks of the harness need their
packages. Whoever has a dataset on the Hub puts its name in place of the sample.
"""

import json
import shutil
from pathlib import Path

import xlgo_dataset as xd

from ...display import labels
from ...folders import explained, write_text

NAME = "xlgo"
SAMPLE = "sample.jsonl"
_LEVELS = 2
_COLUMNS = ("id", "task", "language", "prompt", "answer", "reference")

_SHARED = """\
custom_dataset: !function utils.load
test_split: test
output_type: generate_until
num_fewshot: 0
doc_to_text: prompt
doc_to_target: answer
process_results: !function utils.process_results
generation_kwargs:
  until: ["<|end of the answer|>"]
  max_gen_toks: 16384
  do_sample: false
  temperature: 0.0
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""

_UTILS = '''\
"""The puzzles of xlgo: a static sample, and exact grading by the package xlgo."""

import json
from pathlib import Path

import datasets


def load(xlgo_task, xlgo_language, **_):
    """The rows of one task and language, as the split ``test``."""
    with (Path(__file__).parent / "sample.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = [
        row for row in rows if (row["task"], row["language"]) == (xlgo_task, xlgo_language)
    ]
    return {"test": datasets.Dataset.from_list(found)}


def process_results(doc, results):
    """1 for a correct answer, else 0."""
    try:
        from xlgo_metric import grade
    except ImportError as error:
        raise ImportError("the tasks xlgo_* need the package xlgo: pip install xlgo") from error
    return {"acc": float(grade(results[0], doc["reference"]).correct)}
'''

_README = """\
# xlgo

### Paper

Title: `XLGoBench`

Abstract: https://arxiv.org/abs/2605.30788

Five algorithmic puzzles of adjustable complexity. Each instance is the same in every language, and
answers are graded by rule, so that a difference between languages is one of the model. The files
ask a static sample of {rows} prompts, {levels} complexities with one puzzle each; the
package generates any number of them, and its report tests the gaps.

Homepage: https://arxiv.org/abs/2605.30788

### Citation

```
{citation}
```

### Groups, Tags, and Tasks

#### Groups

* `xlgo`: all tasks below.

#### Tasks

{tasks}

### Checklist

For adding novel benchmarks/datasets to the library:

* [x] Is the task an existing benchmark in the literature?
  * [x] Have you referenced the original paper that introduced the task?
  * [ ] If yes, does the original paper provide a reference implementation?

If other tasks on this dataset are already supported:

* [ ] Is the "Main" variant of this task clearly denoted?
* [ ] Have you provided a short sentence in a README on what each new variant adds / evaluates?
* [ ] Have you noted which, if any, published evaluation setups are matched by this variant?

### Changelog

* 1.0: first version
"""


def write_upstream(folder: Path) -> list[Path]:
    """Write the folder ``xlgo`` of a pull request below ``folder``; it is replaced as a whole.

    Returns:
        The paths of what was written.

    Raises:
        ValueError: the folder holds other files, or cannot be written.
    """
    out = folder / NAME
    if out.exists() and not (out / SAMPLE).is_file():
        raise ValueError(f"{out} exists and was not written by xlgo tasks: give another folder")
    with explained("write", out):
        if out.exists():
            shutil.rmtree(out)
        written = _files()
        for name, text in written.items():
            write_text(out / name, text)
    return [out / name for name in written]


def _files() -> dict[str, str]:
    from xlgo_cli.page.write import bibtex

    languages = {task: xd.family_of(task).default_languages(task) for task in xd.TASKS}
    names = {f"{NAME}_{task}_{c}": (task, c) for task, own in languages.items() for c in own}
    rows = [
        {name: row[name] for name in _COLUMNS}
        for task, own in languages.items()
        for row in xd.family_of(task).rows(task, own, preset="quick", levels=_LEVELS, per_level=1)
    ]
    files = {"_xlgo_yaml": _SHARED, "utils.py": _UTILS}
    for name, (task, code) in names.items():
        files[f"{name}.yaml"] = (
            f"include: _xlgo_yaml\ntask: {name}\n"
            f"dataset_kwargs:\n  xlgo_task: {task}\n  xlgo_language: {code}\n"
        )
    lines = [
        f"* `{name}`: {labels.task(task).title}, {labels.language(code).name}"
        for name, (task, code) in names.items()
    ]
    listed = "".join(f"  - {name}\n" for name in names)
    files["xlgo.yaml"] = (
        f"group: {NAME}\ntask:\n{listed}aggregate_metric_list:\n  - metric: acc\n"
        "    weight_by_size: true\nmetadata:\n  version: 1.0\n"
    )
    files[SAMPLE] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    files["README.md"] = _README.format(
        rows=f"{len(rows):,}",
        levels=_LEVELS,
        citation=bibtex([xd.family_of(xd.TASKS[0]).name]).strip().split("\n\n")[0],
        tasks="\n".join(lines),
    )
    return files
