"""The section of a score and its tables: cells, floors, pass@k and the paper's numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.simple_reasoning.summary import published
from xlgo_metric.families.simple_reasoning.tasks import of_itineraries

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


def part(section, task, language="en"):
    return section["tasks"][task]["languages"][language]


def test_one_response_has_no_pass_at_5():
    rows = list(simple_reasoning.rows("char_count", ["en"], n=2))
    section = xm.score([oracle(r) for r in rows], [r["reference"] for r in rows])["families"][  # type: ignore[misc]
        "simple_reasoning"
    ]
    assert part(section, "char_count")["pass_at"] == {}
    with pytest.raises(ValueError, match="k=0 must be an integer from 1"):
        xm.score([oracle(rows[0])], [rows[0]["reference"]], k=0)  # type: ignore[list-item]


def test_floors_stand_beside_the_results():
    _, section = score("travel", lambda i: 5, n=3, cities=10)
    found = part(section, "travel")
    assert found["floors"] == {"greedy": 1.0}
    (row,) = simple_reasoning.rows("travel", ["en"], n=1, cities=10, visit=5)
    reference = json.loads(row["reference"])
    assert of_itineraries(reference) == {"greedy": 1.0}  # its cost is the budget
    assert of_itineraries({**reference, "budget": reference["budget"] - 1}) == {"greedy": 0.0}
    _, section = score("logic_negation", lambda i: 5, n=10, depth=4, vocabulary="letters")
    floors = part(section, "logic_negation")["floors"]
    assert set(floors) == {"always_a", "longest", "medoid", "outlier"}
    assert floors["medoid"] > 0.8


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
