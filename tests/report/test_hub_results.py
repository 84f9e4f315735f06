import re
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from huggingface_hub.repocard_data import model_index_to_eval_results

from xlgo_cli.report.results_out.hub_results import EVAL_RESULTS, bibtex, write_hub_files

from .logs import LEVELS, PER_LEVEL, RIGHT

PERCENT = {code: round(100 * sum(k) / (LEVELS * PER_LEVEL), 1) for code, k in RIGHT.items()}


@pytest.mark.usefixtures("hub")
def test_the_hub_reads_our_results(scored, tmp_path):
    write_hub_files(scored, tmp_path, "acme/xlgo")
    data = yaml.safe_load((tmp_path / EVAL_RESULTS).read_text("utf-8"))
    entries = parse_eval_result_entries(data)
    assert {entry.task_id: entry.value for entry in entries} == {
        f"slt_{code}": value for code, value in PERCENT.items()
    }
    assert {entry.dataset_id for entry in entries} == {"acme/xlgo"}
    assert {entry.date for entry in entries} == {"2026-03-01"}
    assert all("version:" in entry.notes for entry in entries)
    write_hub_files(scored, tmp_path, "xlgo")
    assert not (tmp_path / EVAL_RESULTS).exists()


def changed(scored, **values):
    """The run with other values in the reference of its first record."""
    (key, record), *others = scored.records
    reference = {**record.reference, **values}
    return replace(scored, records=[(key, replace(record, reference=reference)), *others])


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda run: changed(run, design="adaptive-pooled5"), "asked with design adaptive-pooled5"),
        (lambda run: changed(run, design="plan-of-gpt"), "asked with design plan-of-gpt"),
        (lambda run: changed(run, split="validation"), "asked with split test, validation"),
        (lambda run: changed(run, seed=3), "asked with seed 0, 3, acme/xlgo has 0"),
        (lambda run: changed(run, data=2), "asked with data 1, 2"),
        (lambda run: changed(run, text="revised.3"), "asked with text paper, revised"),
        (lambda run: changed(run, complexity=5), "at other complexities than acme/xlgo has"),
        (lambda run: replace(run, records=run.records[1:]), "has 23 of the 24 questions"),
        (lambda run: changed(run, index=6), "asks others than the first 6 questions of a level"),
        (lambda run: replace(run, there=(9, 10)), "9 of 10 answers are there"),
    ],
)
def test_only_the_questions_of_a_published_dataset_are_results_of_the_hub(
    scored, tmp_path, change, told, capsys
):
    write_hub_files(scored, tmp_path, "acme/xlgo")
    write_hub_files(change(scored), tmp_path, "acme/xlgo")
    assert not (tmp_path / EVAL_RESULTS).exists()
    assert told in capsys.readouterr().err


@pytest.mark.usefixtures("hub")
def test_a_dataset_that_is_not_on_the_hub_has_no_results_there(scored, tmp_path, capsys):
    write_hub_files(scored, tmp_path, "acme/others")
    assert not (tmp_path / EVAL_RESULTS).exists()
    assert "export.json of the dataset acme/others cannot be read" in capsys.readouterr().err


def test_the_hub_reads_our_model_index(scored, tmp_path):
    write_hub_files(scored, tmp_path, "xlgo")
    data = yaml.safe_load((tmp_path / "hub" / "model-index.yaml").read_text("utf-8"))
    name, results = model_index_to_eval_results(data["model-index"])
    assert name == "acme/lingua"
    accuracy = {r.dataset_config: r.metric_value for r in results if r.metric_type == "accuracy"}
    assert accuracy == {f"slt_{code}": value for code, value in PERCENT.items()}
    # Six questions a level are too few for an SMD, which is then nowhere.
    assert not [r for r in results if r.metric_type == "smd"]


def test_bibtex_names_what_was_used_and_nothing_else():
    def keys(text):
        return re.findall(r"@\w+\{(\w+),", text)

    assert "xlgobench" in keys(bibtex(["xlgobench"]))
    assert "polymath" not in keys(bibtex(["xlgobench"]))
    both = keys(bibtex(["polymath", "xlgobench"]))
    assert {"polymath", "xlgobench", "lmeval", "numpy"} <= set(both)
    assert len(both) == len(set(both))


def test_bibtex_entries_are_balanced():
    for entry in bibtex(["xlgobench", "polymath", "simple_reasoning"]).strip().split("\n\n"):
        assert entry.count("{") == entry.count("}")
        assert re.search(r"^  title\s*= \{.+\},$", entry, re.M)
        assert re.search(r"^  author\s*= \{.+\},$", entry, re.M)
