import re

from huggingface_hub.repocard_data import model_index_to_eval_results

from tests.report.logs import LEVELS, PER_LEVEL, RIGHT, write_run
from xlgo_cli.export.model_index import model_index
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.write import bibtex

PERCENT = {code: round(100 * sum(k) / (LEVELS * PER_LEVEL), 1) for code, k in RIGHT.items()}


def test_the_hub_reads_our_model_index(tmp_path):
    write_run(tmp_path)
    scored = score_folder(tmp_path)
    data = model_index(scored, "acme/xlgo")
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
