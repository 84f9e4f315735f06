import re

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from huggingface_hub.repocard_data import model_index_to_eval_results

from xlgo_cli.report.citations import bibtex

from .logs import LEVELS, PER_LEVEL, RIGHT

PERCENT = {code: round(100 * sum(k) / (LEVELS * PER_LEVEL), 2) for code, k in RIGHT.items()}


def test_the_hub_reads_our_results(report):
    data = yaml.safe_load((report / "hub" / ".eval_results" / "xlgo.yaml").read_text("utf-8"))
    entries = parse_eval_result_entries(data)
    assert {entry.task_id: entry.value for entry in entries} == {
        f"slt_{code}": value for code, value in PERCENT.items()
    }
    assert {entry.dataset_id for entry in entries} == {"acme/xlgo"}
    assert {entry.date for entry in entries} == {"2026-03-01"}
    assert all("version:" in entry.notes for entry in entries)


def test_the_hub_reads_our_model_index(report, scored):
    data = yaml.safe_load((report / "hub" / "model-index.yaml").read_text("utf-8"))
    name, results = model_index_to_eval_results(data["model-index"])
    assert name == "acme/lingua"
    accuracy = {r.dataset_config: r.metric_value for r in results if r.metric_type == "accuracy"}
    assert accuracy == {f"slt_{code}": value for code, value in PERCENT.items()}
    gaps = {r.dataset_config: r.metric_value for r in results if r.metric_type == "smd"}
    cells = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert gaps == {
        f"slt_{code}": pytest.approx(100 * cells[code]["smd"], abs=0.01) for code in ("ar", "te")
    }


def test_bibtex_names_what_was_used_and_nothing_else():
    def keys(text):
        return re.findall(r"@\w+\{(\w+),", text)

    assert "xlgobench" in keys(bibtex(["xlgobench"]))
    assert "polymath" not in keys(bibtex(["xlgobench"]))
    both = keys(bibtex(["polymath", "xlgobench"]))
    assert {"polymath", "xlgobench", "lmeval", "numpy"} <= set(both)
    assert len(both) == len(set(both))


def test_bibtex_entries_are_balanced():
    for entry in bibtex(["xlgobench", "polymath", "easy"]).strip().split("\n\n"):
        assert entry.count("{") == entry.count("}")
        assert re.search(r"^  title\s*= \{.+\},$", entry, re.M)
        assert re.search(r"^  author\s*= \{.+\},$", entry, re.M)
