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
from xlgo_cli.parallel.answers import verdict, written_in_table
from xlgo_cli.parallel.comparing import Options, ParallelRun, compare_languages
from xlgo_metric.comparison import AnswerTable, Cell, compare, gap_drafts, settle
from xlgo_metric.comparison.section import mark
from xlgo_metric.table import Column, Table
from xlgo_metric.version import STATISTICS_VERSION

from . import real_answers

ROOT = Path(__file__).parents[1]
PAGE, FIGURE = ROOT / "docs" / "real_logs.md", ROOT / "docs" / "images" / "real_logs.svg"
README = ROOT / "README.md"
BEGINS, ENDS = "<!-- real logs -->", "<!-- end of real logs -->"
QWEN, S1 = "Qwen2.5-32B-Instruct", "s1.1-32B"
HARNESS = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")
"""Of ``flexible-extract`` in the harness's tasks of MGSM; the last match counts."""

INTRODUCTION = """# Findings on published logs of real models

The authors of arXiv 2505.05408 published the answers
([crosslingual-test-time-scaling](https://github.com/BatsResearch/crosslingual-test-time-scaling)).
Global-MMLU: 400 questions in seven languages, Qwen2.5-32B-Instruct and s1.1-32B (1,000 thinking
tokens), {mmlu:,} answers. MGSM: 250 questions in up to eleven languages, s1.1 in three sizes,
{mgsm:,} answers; s1.1-3B has answers in English only.

A [gap](statistics.md#the-gap) is in percentage points; ● is significant at 5%. Intervals (95%) and
marks hold for all languages of a model together. Responses are read by `--read`. Statistics version
{version}.

![Gaps to English with 95% intervals](images/real_logs.svg)"""

AGREEMENT = """Reading again gives the verdict of the [labels](../tests/real_answers/README.md)
for {} of MGSM and
{} of Global-MMLU."""

GLOBAL_MMLU = """## Global-MMLU

The harness's `exact_match` is 0 for every answer of Qwen2.5-32B-Instruct: "The correct answer is
C." is not "C". `xlgo report` says so and prints the command that reads again. Seven Chinese
questions, whose correct answer differs from the English one, are left out."""

READING = """## How much is reading

`flexible-extract` of lm-evaluation-harness takes the last number in the digits 0 to 9, anywhere in
the response. Its part of a gap on MGSM is the gap under it minus the gap read again."""

THINKING = """## The language of reasoning

s1.1-14B on MGSM in two settings: `system`, where a system prompt names the language to think in,
and `wait`. The share of reasoning traces in the language (most others are in English), and
accuracy on the same 250 questions (`system` minus `wait`):"""

REPEAT = """## Repeat it

The Global-MMLU answers of Qwen2.5-32B-Instruct are logs of lm-evaluation-harness
(`experiments/crossdomain` of the authors' repository):

```
xlgo report FOLDER --parallel 'global_mmlu_{lang}_*' --cluster-by none
xlgo report FOLDER --parallel 'global_mmlu_{lang}_*' --cluster-by none --read choice
```

For the others, write JSON Lines with `model, language, gold, response` and `doc_id` (MGSM) or
`sample_id` and `options` (Global-MMLU), one file per setting:

```
xlgo report answers.jsonl --read number --model s1.1-14B --written
xlgo compare answers.jsonl --read choice
```

`benchmarks/real_logs.py` computes every number of this page from the same answers."""


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
    spoken = {
        name: written_in_table(one.frames.values(), one.title)
        for name, compared in of_settings.items()
        for one in compared.benchmarks[:1]
    }
    agreement = AGREEMENT.format(*(agreeing(folder, name) for name in real_answers.KINDS))
    PAGE.write_text(page(of_mmlu, of_mgsm, of_settings, spoken, agreement), "utf-8")
    before, _, rest = README.read_text("utf-8").partition(BEGINS)
    README.write_text(
        before + BEGINS + summary(of_mmlu, of_mgsm) + rest[rest.index(ENDS) :], "utf-8"
    )
    draw({**of_mmlu, **{f"{name}, MGSM": one for name, one in of_mgsm.items()}})


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a packed file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def agreeing(folder: Path, benchmark: str) -> str:
    """How often reading again gives the verdict of the labels, in words."""
    found = pd.DataFrame(
        (
            verdict(
                {"target": row.gold, "doc": {"options": row.options}},
                row.response,
                real_answers.KINDS[benchmark],
                row.language,
            )
            == real_answers.same(row.gold, row.label),
            row.language,
        )
        for row in real_answers.rows(folder, benchmark)
    )
    lowest = found.groupby(1)[0].mean().min()
    return (
        f"{found[0].mean():.2%} of {len(found):,} answers ({lowest:.2%} or more in each language)"
    )


def of(rows: Iterable[dict[str, Any]], model: str) -> list[dict[str, Any]]:
    """The answers of a model."""
    return [row for row in rows if row["model"] == model]


def run(rows: Sequence[dict[str, Any]], kind: str, *, logged: bool = False) -> ParallelRun:
    """What ``xlgo report answers.jsonl --read KIND --cluster-by none`` finds.

    Args:
        logged: with the verdict of the harness's ``flexible-extract`` beside.
    """
    folder = tempfile.mkdtemp(prefix="xlgo-")
    path = Path(folder, "answers.jsonl")
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            kept = {name: value for name, value in row.items() if name != "setting"}
            graded = {"correct": flexible(row)} if logged else {}
            file.write(json.dumps({**kept, **graded}, ensure_ascii=False) + "\n")
    return compare_languages(path, ["*"], Options(read=kind, cluster_by="none"))


def flexible(row: Mapping[str, Any]) -> int:
    """Whether the harness's filter finds the gold: exact match without punctuation."""
    found = HARNESS.findall(row["response"])
    last = next((group for group in found[-1] if group), "") if found else ""
    plain = re.sub(r"[^\w\s]|_", "", last)
    return int(plain == re.sub(r"[^\w\s]|_", "", str(row["gold"])))


def frames_of(one: ParallelRun) -> Mapping[str, pd.DataFrame]:
    """All answers by language."""
    return one.benchmarks[0].frames


def both(runs: Mapping[str, ParallelRun]) -> AnswerTable:
    """The answers of several models in one table."""
    frames = [one.table.frame.assign(model=name, task="x") for name, one in runs.items()]
    return AnswerTable(pd.concat(frames, ignore_index=True).astype({"correct": float}))


def language(code: str) -> str:
    return labels.language(code).name


def gap(cell: Cell) -> tuple[Any, ...]:
    return cell.difference, mark(cell) or None, cell.ci_low, cell.ci_high


def gap_columns(name: str) -> tuple[Column, ...]:
    return (
        Column(name, "difference"),
        Column(f"{name}, mark", after=" "),
        Column(f"{name}, low", "difference", after=", "),
        Column(f"{name}, high", "difference", after=" to "),
    )


def gap_table(
    runs: Mapping[str, ParallelRun], change: Sequence[Cell] = (), of_change: str = ""
) -> str:
    """Gaps by language, and how that of the second model differs."""
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
        row += gap(changes[code]) if change else []
        rows.append(tuple(row))
    columns = (
        Column("Language"),
        *(one for name in runs for one in gap_columns(name)),
        *(gap_columns(of_change) if change else ()),
    )
    return table(columns, rows)


def table(columns: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    lines = markdown(Table("x", "x", tuple(columns), tuple(map(tuple, rows)))).splitlines()
    return "\n".join(line for line in lines if line.startswith("|"))


def changes(runs: Mapping[str, ParallelRun]) -> tuple[Cell, ...]:
    """Gap of the first model minus gap of the second, by language."""
    return settle(gap_drafts(both(runs), "model", "en"))


def listed(names: Iterable[str]) -> str:
    every = list(names)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def significant(cells: Iterable[Any]) -> list[Any]:
    """The significant ones of cells, or of pairs of something and a cell."""
    found = list(cells)
    return [one for one in found if (one if isinstance(one, Cell) else one[1]).is_significant]


def sized(cell: Cell) -> str:
    """A language with its difference in points and interval."""
    limits = ends(cell.ci_low, cell.ci_high)
    return f"{language(cell.other)} {points(cell.difference)} ({limits})"


def page(
    mmlu: Mapping[str, ParallelRun],
    mgsm: Mapping[str, ParallelRun],
    settings: Mapping[str, ParallelRun],
    spoken: Mapping[str, Table],
    agreement: str,
) -> str:
    """The page."""
    small = mgsm["s1.1-7B"].gaps
    counts = [
        sum(len(frame) for one in some.values() for frame in frames_of(one).values())
        for some in (mmlu, mgsm)
    ]
    of_models = changes(mmlu)
    of_sizes = changes({name: mgsm[name] for name in ("s1.1-14B", "s1.1-32B")})
    parts = [(name, cell) for name, one in mgsm.items() for cell in one.benchmarks[0].parts]
    filtered = [f"{language(cell.language)} ({name})" for name, cell in significant(parts)]
    spans = [limit for _, cell in parts for limit in cell.interval or ()]
    paired = compare(both(settings), "model", "system").cells
    own = {
        name: {row[0]: row[3] for row in one.rows if row[1] == "reasoning"}
        for name, one in spoken.items()
    }
    moved = [
        cell for cell in paired if own["system"][cell.language] - own["wait"][cell.language] > 0.3
    ]
    differs = [cell.language for cell in significant(moved)]
    sections = [
        INTRODUCTION.format(mmlu=counts[0], mgsm=counts[1], version=STATISTICS_VERSION),
        agreement,
        GLOBAL_MMLU,
        gap_table(mmlu, of_models, "Difference of the gaps"),
        differing(of_models, *mmlu),
        "## MGSM",
        gap_table({name: mgsm[name] for name in ("s1.1-14B", "s1.1-32B")}, of_sizes,
                  "Difference of the gaps"),
        differing(of_sizes, "s1.1-14B", "s1.1-32B"),
        f"The gaps of s1.1-7B are significant in {len(significant(small))} of {len(small)} "
        f"languages, most in {sized(max(small, key=lambda gap: gap.difference))}.",
        READING,
        f"The filter changes {f'the gap in {listed(filtered)}' if filtered else 'no gap'} "
        f"significantly. All intervals lie within {ends(min(spans), max(spans))} points.",
        THINKING,
        table((Column("Language"),
               *(Column(f"reasons in it, {name}", "share", unit="%") for name in own),
               *(Column(f"accuracy, {name}", "share", unit="%") for name in own),
               *gap_columns("Difference")),
              ([language(cell.language), *(shares[cell.language] for shares in own.values()),
                cell.baseline_accuracy, cell.accuracy, *gap(cell)]
               for cell in paired)),
        "The system prompt moves much of the reasoning into "
        f"{listed(language(cell.language) for cell in moved)}. There, "
        + (f"accuracy changes significantly in {listed(map(language, differs))}."
           if differs else "no change of accuracy is significant."),
        REPEAT,
    ]  # fmt: skip
    return "\n\n".join(sections) + "\n"


def summary(mmlu: Mapping[str, ParallelRun], mgsm: Mapping[str, ParallelRun]) -> str:
    """Three sentences for the first page."""
    told = []
    for on, name, one in (("Global-MMLU", QWEN, mmlu[QWEN]), ("MGSM", S1, mgsm[S1])):
        worst = max(one.gaps, key=lambda cell: cell.difference)
        told.append(
            f"On {on}, {name} is significantly behind English in {len(significant(one.gaps))} of "
            f"{len(one.gaps)} languages,\nmost in {language(worst.other)}: "
            f"{points(worst.difference, signed=False)} points (95% interval "
            f"{ends(worst.ci_low, worst.ci_high)})."
        )
    smaller = listed(language(cell.language) for cell in significant(changes(mmlu)))
    change = f"significantly smaller in {smaller}" if smaller else "not significantly smaller"
    told.append(
        f"With {S1}, trained to reason, the gaps on Global-MMLU are {change} "
        "([findings](docs/real_logs.md))."
    )
    return "\n" + "\n".join(told) + "\n"


def differing(cells: Sequence[Cell], first: str, second: str) -> str:
    """Which gaps differ between two models, in a sentence."""
    names = listed(language(cell.language) for cell in significant(cells))
    what = f"significant in {names}" if names else "nowhere significant"
    return f"The last column is the gap of {first} minus that of {second}: {what}."


def draw(runs: Mapping[str, ParallelRun]) -> None:
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
