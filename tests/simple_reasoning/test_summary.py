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


def test_shares_and_pass_at_5():
    _, section = score("proof_tree", lambda i: i % 3, n=6)
    found = part(section, "proof_tree")
    assert (found["questions"], found["responses"]) == (36, 180)
    assert found["accuracy"] == pytest.approx((0 + 0.2 + 0.4) / 3)
    assert found["pass_at"]["5"]["accuracy"] == pytest.approx(2 / 3)
    assert found["statuses"]["correct"] == 36
    assert found["statuses"]["wrong"] == 144
    assert found["parsed"] == found["strict"] == 1.0
    assert [c["params"]["depth"] for c in found["cells"]] == [3, 3, 6, 6, 9, 9]
    assert sum(c["questions"] for c in found["cells"]) == 36
    assert json.loads(json.dumps(section)) == section


def test_one_response_has_no_pass_at_5():
    rows = list(simple_reasoning.rows("char_count", ["en"], n=2))
    section = xm.score([oracle(r) for r in rows], [r["reference"] for r in rows])["families"][  # type: ignore[misc]
        "simple_reasoning"
    ]
    assert part(section, "char_count")["pass_at"] == {}
    with pytest.raises(ValueError, match="k=0 must be an integer from 1"):
        xm.score([oracle(rows[0])], [rows[0]["reference"]], k=0)  # type: ignore[list-item]


def test_cells_average_over_what_the_paper_averages_over():
    _, section = score("logic_eval", lambda i: 5, n=1)
    cells = part(section, "logic_eval")["cells"]
    assert len(cells) == 6
    assert all(c["questions"] == 3 for c in cells)
    assert all("vocabulary" not in c["params"] for c in cells)
    _, section = score("logic_negation", lambda i: 5, n=1, depth=[4, 8])
    cells = part(section, "logic_negation")["cells"]
    assert len(cells) == 6
    assert all(c["questions"] == 2 for c in cells)


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


def test_violations_of_itineraries_are_counted():
    rows = list(simple_reasoning.rows("travel", ["en", "ta"], n=2, cities=10))
    section = xm.score(["[]" for _ in rows], [r["reference"] for r in rows])["families"][  # type: ignore[misc]
        "simple_reasoning"
    ]
    assert part(section, "travel", "ta")["violations"] == {"empty": 4}


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


def test_other_languages_have_no_published_column():
    rows = list(simple_reasoning.rows("travel", ["en", "ja"], n=1, cities=10, visit=5))
    found = xm.score([oracle(r) for r in rows], [r["reference"] for r in rows])  # type: ignore[misc]
    tables = {t.name: t for t in xm.tables(found)}
    assert "o1" in tables["travel_en"].names
    assert "o1" not in tables["travel_ja"].names


def test_every_published_cell_is_a_setting_of_the_default_rows():
    for task, table in published()["tasks"].items():
        if task == "unpuzzles":
            continue
        params = [
            json.loads(r["reference"])["params"] for r in simple_reasoning.rows(task, ["en"], n=1)
        ]
        for cell in table["cells"]:
            assert any(cell["params"].items() <= p.items() for p in params), (task, cell["params"])


def test_hand_written_references_and_cut_responses():
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 3}}
    found = xm.score(["\\boxed{3}", "<think>so"], [reference, reference])
    section = found["families"]["simple_reasoning"]
    assert part(section, "proof_tree")["questions"] == 2
    assert any("truncated" in warning for warning in section["warnings"])
    assert found["signature"].startswith("family:simple_reasoning|tasks:proof_tree|n:2")
    assert xm.tables(found)
