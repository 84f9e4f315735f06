"""Findings on published answers of real models: writes ``docs/real_logs.md`` and its figure.

    XLGO_REAL_DATA=FOLDER python -m benchmarks.real_logs

``FOLDER/real_answers`` holds ``global_mmlu.jsonl.xz`` and ``mgsm.jsonl.xz``, the answers that
github.com/BatsResearch/crosslingual-test-time-scaling published, a JSON object a line: ``model,
setting, language, gold, response`` and ``sample_id, options`` or ``doc_id``. Every number of the
page is computed here.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from xlgo_cli.display import labels
from xlgo_cli.display.formats import ends, markdown, points
from xlgo_cli.parallel import written
from xlgo_cli.parallel.comparing import Compared, Options, compare_languages
from xlgo_cli.parallel.table import answer_table
from xlgo_metric.comparison import AnswerTable, Cell, compare, gap_drafts, settle
from xlgo_metric.comparison.section import mark
from xlgo_metric.table import Column, Table
from xlgo_metric.version import STATISTICS_VERSION

ROOT = Path(__file__).parents[1]
PAGE, FIGURE = ROOT / "docs" / "real_logs.md", ROOT / "docs" / "images" / "real_logs.svg"
QWEN, S1 = "Qwen2.5-32B-Instruct", "s1.1-32B"
HARNESS = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")
"""The pattern of ``flexible-extract`` in lm-evaluation-harness's tasks of MGSM; the last counts."""


def main() -> None:
    """Read the answers, compute, write."""
    folder = Path(os.environ["XLGO_REAL_DATA"], "real_answers")
    mmlu, mgsm = (read(folder / f"{name}.jsonl.xz") for name in ("global_mmlu", "mgsm"))
    system = [row for row in mgsm if row["setting"] == "system"]
    settings = {
        name: [row for row in mgsm if (row["model"], row["setting"]) == ("s1.1-14B", name)]
        for name in ("system", "wait")
    }
    sizes = ("s1.1-7B", "s1.1-14B", "s1.1-32B")
    of_mmlu = {name: run(of(mmlu, name), "choice") for name in (QWEN, S1)}
    of_mgsm = {name: run(of(system, name), "number", logged=True) for name in sizes}
    of_settings = {name: run(rows, "number") for name, rows in settings.items()}
    spoken = {name: written.table(one) for name, one in of_settings.items()}
    PAGE.write_text(page(of_mmlu, of_mgsm, of_settings, spoken), "utf-8")
    draw({**of_mmlu, **{f"{name}, MGSM": one for name, one in of_mgsm.items()}})


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a packed file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def of(rows: Iterable[dict[str, Any]], model: str) -> list[dict[str, Any]]:
    """The answers of a model."""
    return [row for row in rows if row["model"] == model]


def run(rows: Sequence[dict[str, Any]], kind: str, *, logged: bool = False) -> Compared:
    """What ``xlgo report answers.jsonl --read KIND --cluster-by none`` finds.

    Args:
        logged: with the verdict of the harness's ``flexible-extract`` beside.
    """
    folder = tempfile.mkdtemp(prefix="xlgo-")
    path = Path(folder, "answers.jsonl")
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            kept = {name: value for name, value in row.items() if name != "setting"}
            verdict = {"correct": flexible(row)} if logged else {}
            file.write(json.dumps({**kept, **verdict}, ensure_ascii=False) + "\n")
    return compare_languages(path, ["*"], Options(read=kind, cluster_by="none")).benchmarks[0]


def flexible(row: Mapping[str, Any]) -> int:
    """Whether the harness's filter finds the gold in a response: exact match without punctuation."""
    found = HARNESS.findall(row["response"])
    last = next((group for group in found[-1] if group), "") if found else ""
    plain = re.sub(r"[^\w\s]|_", "", last)
    return int(plain == re.sub(r"[^\w\s]|_", "", str(row["gold"])))


def both(runs: Mapping[str, Compared]) -> AnswerTable:
    """The answers of several models in one table."""
    frames = [answer_table(one.rows, "x").frame.assign(model=name) for name, one in runs.items()]
    return AnswerTable(pd.concat(frames, ignore_index=True).astype({"correct": float}))


def language(code: str) -> str:
    return labels.language(code).name


def gap(cell: Cell) -> tuple[Any, ...]:
    return cell.difference, mark(cell) or None, cell.ci_low, cell.ci_high


def gap_columns(name: str) -> tuple[Column, ...]:
    return (Column(name, "difference"), Column(f"{name}, mark", after=" "),
            Column(f"{name}, low", "difference", heading="95% interval"),
            Column(f"{name}, high", "difference", after=" to "))  # fmt: skip


def gap_table(runs: Mapping[str, Compared], change: Sequence[Cell], of_change: str) -> str:
    """Accuracy and gaps by language, and how the gap of the second model differs."""
    changes = {cell.language: cell for cell in change}
    cells = {name: {cell.other: cell for cell in one.gaps} for name, one in runs.items()}
    codes = sorted(
        {code for found in cells.values() for code in found},
        key=lambda code: -max(of[code].difference for of in cells.values() if code in of),
    )
    rows = []
    for code in codes:
        row: list[Any] = [language(code)]
        for found in cells.values():
            row += gap(found[code]) if code in found else [None] * 4
        row += gap(changes[code]) if code in changes else [None] * 4
        rows.append(tuple(row))
    columns = (Column("Language"), *(one for name in runs for one in gap_columns(name)),
               *gap_columns(of_change))  # fmt: skip
    return table(columns, rows)


def table(columns: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    lines = markdown(Table("x", "x", tuple(columns), tuple(map(tuple, rows)))).splitlines()
    return "\n".join(line for line in lines if line.startswith("|"))


def changes(runs: Mapping[str, Compared]) -> tuple[Cell, ...]:
    """Gap of the first model minus gap of the second, by language."""
    return settle(gap_drafts(both(runs), "model", "en"))


def listed(names: Iterable[str]) -> str:
    every = list(names)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def significant(cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.is_significant]


def sized(cell: Cell, code: str) -> str:
    return f"{language(code)} {points(cell.difference)} ({ends(cell.ci_low, cell.ci_high)})"


def page(
    mmlu: Mapping[str, Compared],
    mgsm: Mapping[str, Compared],
    settings: Mapping[str, Compared],
    spoken: Mapping[str, Table],
) -> str:
    """The page."""
    accuracy = {
        name: {code: float(one.answers[code].frame["correct"].mean()) for code in one.answers}
        for name, one in {**mmlu, **mgsm}.items()
    }
    of_models = changes(mmlu)
    of_sizes = changes({name: mgsm[name] for name in ("s1.1-14B", "s1.1-32B")})
    parts = {name: {cell.language: cell for cell in one.parts} for name, one in mgsm.items()}
    worst = {name: max(one.gaps, key=lambda cell: cell.difference)
             for name, one in {**mmlu, **mgsm}.items()}  # fmt: skip
    read = [
        [name, language(code), cell.baseline_accuracy, cell.accuracy, *gap(cell)]
        for name, found in parts.items() for code, cell in found.items()
    ]  # fmt: skip
    filtered = [f"{language(code)} ({name}: {points(cell.difference)} of "
                f"{points(cell.baseline_accuracy)} points)"
                for name, found in parts.items() for code, cell in found.items()
                if cell.is_significant]  # fmt: skip
    paired = compare(both(settings), "model", "system").cells
    told = [[language(row[0]), name, *row[2:7]] for name, one in spoken.items()
            for row in one.rows if row[1] == "reasoning"]  # fmt: skip
    gained = [cell.language for cell in significant(of_models) if cell.difference > 0]
    smaller = [cell.language for cell in significant(of_sizes)]
    texts = {
        "n": sum(len(side.frame) for one in mmlu.values() for side in one.answers.values()),
        "m": sum(len(side.frame) for one in mgsm.values() for side in one.answers.values()),
        "worst_qwen": sized(worst[QWEN], worst[QWEN].other),
        "worst_s1": sized(worst[S1], worst[S1].other),
        "worst_14": sized(worst["s1.1-14B"], worst["s1.1-14B"].other),
        "worst_32": sized(worst["s1.1-32B"], worst["s1.1-32B"].other),
    }
    accuracies = [
        [language(code), *(accuracy[name].get(code) for name in (QWEN, S1, *mgsm))]
        for code in sorted({code for found in accuracy.values() for code in found}, key=language)
    ]
    wait = [
        [language(cell.language), cell.n, cell.baseline_accuracy, cell.accuracy, *gap(cell)]
        for cell in paired
    ]
    behind = {name: len(significant(one.gaps)) for name, one in {**mmlu, **mgsm}.items()}
    counted = "; ".join(f"{name} {behind[name]} of {len({**mmlu, **mgsm}[name].gaps)}"
                        for name in behind)  # fmt: skip
    return f"""# Findings on published logs of real models

These numbers are xlgo's, on answers that other people published
([crosslingual-test-time-scaling](https://github.com/BatsResearch/crosslingual-test-time-scaling),
arXiv 2505.05408): Global-MMLU (400 questions, seven languages) with Qwen2.5-32B-Instruct and s1.1-32B (1,000
thinking tokens), {
        texts[
            "n"
        ]:,} answers; and MGSM (250 questions, up to eleven languages) with s1.1 in three sizes,
{
        texts[
            "m"
        ]:,} answers. A gap is accuracy in English minus accuracy in the language on the same questions, in percentage
points. ● is significant at 5%; intervals and marks hold for all languages of a model together. Statistics version
{STATISTICS_VERSION}.

![Gaps to English with 95% intervals](images/real_logs.svg)

- Global-MMLU: the largest gaps are {texts["worst_qwen"]} for Qwen2.5-32B-Instruct and {
        texts["worst_s1"]
    } for s1.1-32B.
- MGSM: {texts["worst_14"]} for s1.1-14B and {texts["worst_32"]} for s1.1-32B.
- Languages with a significant gap: {counted}.

## Accuracy

{
        table(
            (
                Column("Language"),
                *(
                    Column(name, "share", unit="%")
                    for name in (
                        "Qwen2.5-32B, Global-MMLU",
                        "s1.1-32B, Global-MMLU",
                        *(f"{name}, MGSM" for name in mgsm),
                    )
                ),
            ),
            accuracies,
        )
    }

## Global-MMLU

The harness's `exact_match` is 0 for all answers of Qwen2.5-32B-Instruct: "The correct answer is C." is not "C". Without
`--read`, `xlgo report` says so first. The table reads the responses again. Seven Chinese questions have another correct
answer than in English and are left out.

{gap_table(mmlu, of_models, f"{QWEN} minus {S1}")}

The last columns are the paired difference of the two gaps. {
        f"The gap of s1.1-32B is significantly smaller in {listed(map(language, gained))}."
        if gained
        else "No gap differs significantly between the two models."
    }

## MGSM

{gap_table({name: mgsm[name] for name in ("s1.1-14B", "s1.1-32B")}, of_sizes, "14B minus 32B")}

{
        "The larger model changes the gap significantly in " + listed(map(language, smaller)) + "."
        if smaller
        else "No gap differs significantly between 14B and 32B."
    } s1.1-7B was asked in seven languages:

{gap_table({"s1.1-7B": mgsm["s1.1-7B"]}, (), "")}

## How much is reading

The same MGSM answers under the harness's `flexible-extract` (the last number in the digits 0 to 9, anywhere in the
response), and read again. *The filter* is the gap under `flexible-extract` minus the gap read again, question by
question.

{
        table(
            (
                Column("Model"),
                Column("Language"),
                Column("flexible-extract", "difference"),
                Column("Read again", "difference"),
                *gap_columns("The filter"),
            ),
            read,
        )
    }

{
        f"The filter changes the gap significantly in {listed(filtered)}."
        if filtered
        else "The filter changes no gap significantly."
    }

## The language of reasoning

s1.1-14B on MGSM in two settings of its authors: `system` (a system prompt names the language to think in) and `wait`.
Shares of the reasoning texts by language:

{
        table(
            (
                Column("Language"),
                Column("Setting"),
                Column("Texts", "count"),
                *(
                    Column(f"in {kind}", "share", unit="%")
                    for kind in ("the language", "English", "another")
                ),
                Column("too short", "share", unit="%"),
            ),
            told,
        )
    }

Accuracy in the two settings, on the same questions (`system` minus `wait`; all languages together):

{
        table(
            (
                Column("Language"),
                Column("Questions", "count"),
                Column("system", "share", unit="%"),
                Column("wait", "share", unit="%"),
                *gap_columns("Difference"),
            ),
            wait,
        )
    }

## Repeat it

The Global-MMLU answers of Qwen2.5-32B-Instruct are logs of lm-evaluation-harness (`experiments/crossdomain` of the
authors' repository):

```
xlgo report FOLDER --parallel 'global_mmlu_{{lang}}_*'
xlgo report FOLDER --parallel 'global_mmlu_{{lang}}_*' --read choice
```

For the others, write a JSON object a line with `model, language, gold, response` and `doc_id` (MGSM) or `sample_id` and
`options` (Global-MMLU):

```
xlgo report answers.jsonl --read number --model s1.1-14B --written
xlgo compare answers.jsonl --read choice
```

`benchmarks/real_logs.py` computes every number of this page from such files.
"""


def draw(runs: Mapping[str, Compared]) -> None:
    """Gaps with their intervals, a panel a benchmark."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "xlgo"
    from matplotlib import pyplot as plt

    panels = {
        "Global-MMLU": {name: runs[name] for name in (QWEN, S1)},
        "MGSM": {name: runs[f"{name}, MGSM"] for name in ("s1.1-14B", "s1.1-32B")},
    }
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    for axis, (title, models) in zip(axes, panels.items()):
        cells = {name: {cell.other: cell for cell in one.gaps} for name, one in models.items()}
        first = next(iter(cells.values()))
        codes = sorted(first, key=lambda code: first[code].difference)
        for shift, (name, found) in zip((0.15, -0.15), cells.items()):
            at = [place + shift for place in range(len(codes))]
            size = [100 * found[code].difference for code in codes]
            sides = [
                [100 * (found[c].difference - (found[c].ci_low or 0.0)) for c in codes],
                [100 * ((found[c].ci_high or 0.0) - found[c].difference) for c in codes],
            ]
            axis.errorbar(size, at, xerr=sides, fmt="o", markersize=4, capsize=2, label=name)
        axis.axvline(0, color="gray", linewidth=0.8)
        axis.set_yticks(range(len(codes)), [language(code) for code in codes])
        axis.set_title(title)
        axis.set_xlabel("points behind English (95% interval)")
        axis.legend(fontsize=8, loc="lower right")
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
