"""The section of a score and its tables: cells, floors, pass@k and the paper's numbers."""

import json
from typing import Any

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.simple_reasoning.summary import published

from .test_grading import mutated, oracle

simple_reasoning: Any = xd.family("simple_reasoning")


def score(task, right, n=2, languages=("en",), **options):
    """Score a task: ``right`` says how many of 5 responses to each question are right."""
    predictions, references = [], []
    for i, row in enumerate(simple_reasoning.rows(task, list(languages), n=n, **options)):
        for j in range(5):
            predictions.append(oracle(row) if j < right(i) else mutated(row))
            references.append(row["reference"])
    found = xm.score(predictions, references)
    return found, found["families"]["simple_reasoning"]


def test_the_paper_stands_beside_the_measured_cells():
    found, _ = score("irrelevant", lambda i: 5, n=1)
    tables = {t.name: t for t in xm.tables(found)}
    table = tables["irrelevant_en"]
    assert len(table.rows) == 8
    rows = [dict(zip(table.headings(), row)) for row in table.shown()]
    row = next(r for r in rows if (r["trees"], r["sentences"]) == ("4", "60"))
    # Paper 002, Figure 4: P = 4, S = 60.
    assert row["o1"].startswith("0.25 ±")
    assert row["G3"].startswith("0.80 ±")
    assert row["measure"] == "pass@5"
    assert row["value"] == "1.00"
    assert "o1-2024-12-17" in table.caption


def test_every_published_cell_is_a_setting_of_the_default_rows():
    for task, table in published()["tasks"].items():
        if task == "unpuzzles":
            continue
        params = [
            json.loads(r["reference"])["params"] for r in simple_reasoning.rows(task, ["en"], n=1)
        ]
        for cell in table["cells"]:
            assert any(cell["params"].items() <= p.items() for p in params), (task, cell["params"])
