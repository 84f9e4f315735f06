"""The page of the papers' tables and figures: complete, made of its list, and recomputed."""

import importlib
import json
import lzma
import os
import re
import shlex
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from benchmarks import hops
from benchmarks.papers import PAGE, ROOT, entries, page
from tests.report.logs import write_run
from xlgo_cli import workers
from xlgo_cli.cli import build_parser

REAL = Path(os.environ.get("XLGO_REAL_DATA", ""))
needs_data = pytest.mark.skipif(not os.environ.get("XLGO_REAL_DATA"), reason="no real data")
PAPERS = entries()["paper"]
LINES = [line for paper in PAPERS for line in paper["line"]]


def test_the_page_is_made_of_the_list() -> None:
    assert PAGE.read_text("utf-8") == page()
    assert "papers.md" in (ROOT / "mkdocs.yml").read_text("utf-8")


@pytest.mark.parametrize("paper", PAPERS, ids=[paper["name"] for paper in PAPERS])
def test_every_table_and_figure_is_listed_once(paper: dict[str, Any]) -> None:
    listed = [name for line in paper["line"] for name in line.get("numbers", line["of"])]
    wanted = [f"Figure {n}" for n in range(1, paper["figures"] + 1)]
    wanted += [f"Table {n}" for n in range(1, paper["tables"] + 1)]
    assert sorted(listed) == sorted([*wanted, *paper.get("aside", [])])


@pytest.mark.parametrize("line", LINES, ids=[line["of"][0] for line in LINES])
def test_a_line_has_a_command_that_exists_and_a_test_or_a_reason(line: dict[str, Any]) -> None:
    assert ("compared" in line) != ("why_not" in line)
    assert ("compared" in line) == ("test" in line)
    if "compared" in line:
        assert line["command"].startswith("xlgo ")
    if "command" in line:
        words = shlex.split(line["command"])[1:]
        build_parser(words[0]).parse_args(words)
    if "test" in line:
        file, _, name = line["test"].partition("::")
        assert not name or f"def {name}(" in (ROOT / file).read_text("utf-8")
        assert (ROOT / file).is_file()


def test_lit_is_sampled_as_in_tables_10_and_11() -> None:
    template = ROOT / "lm_eval_tasks" / "xlgo_lm_eval" / "tasks" / "_lit_yaml"
    lines = {line.strip() for line in template.read_text("utf-8").splitlines()}
    assert {"do_sample: true", "temperature: 1.0", "top_p: 0.95"} <= lines


# From the data that their authors published


@needs_data
def test_polymath_has_the_problems_of_table_4() -> None:
    files = sorted((REAL / "polymath").glob("*/*.jsonl"))
    assert len(files) == 18 * 4
    assert {len(file.read_text("utf-8").splitlines()) for file in files} == {125}


@needs_data
def test_korbench_has_the_lengths_of_table_1() -> None:
    """Rules, mean and longest rule, questions, mean question; as printed."""
    printed = {
        "operation": (25, 51.32, 208, 250, 170.81), "logic": (25, 1549.12, 3338, 250, 411.54),
        "cipher": (25, 2436.64, 6454, 250, 157.2), "puzzle": (25, 473.16, 767, 250, 394.9),
        "counterfactual": (25, 4572.56, 9472, 250, 388.66),
    }  # fmt: skip
    import xlgo_dataset as xd

    data: Any = xd.family("korbench")
    for category, numbers in printed.items():
        lines = (REAL / "kor" / category / "rule.jsonl").read_text("utf-8").splitlines()
        rules = [len(json.loads(line)["rule_content"]) for line in lines]
        asked = list(data.rows(f"kor_{category}", ["en"], source=str(REAL / "kor"), rules=False))
        questions = [
            len(re.fullmatch(r"### Question:\n(.*?)\n*### Answer:\n?", row["prompt"], re.S)[1])  # type: ignore[index]
            for row in asked
        ]
        found = len(rules), fmean(rules), max(rules), len(questions), fmean(questions)
        assert found == pytest.approx(numbers, abs=0.006), category


@needs_data
def test_korbench_has_the_rates_of_table_2(tmp_path: Path) -> None:
    """Counterfactual accuracy and real-life rate of nine models, from nine tenths of the answers.

    The published rate of all 250 lies where the left-out tenth could still bring it.
    """
    from xlgo_cli.logs.graded_run import score_folder

    printed = {
        "gpt-4o-2024-08-06": None, "gpt-4-turbo": (87.20, 9.60),
        "Mistral-Large-Instruct-2407": (89.20, 6.80), "Qwen2.5-72B-Instruct": (87.20, 8.40),
        "Qwen2.5-32B-Instruct": (88.80, 7.60), "Meta-Llama-3.1-8B-Instruct": (86.40, 8.00),
        "c4ai-command-r-plus-08-2024": (90.40, 5.60), "Yi-1.5-34B-Chat": (83.60, 6.80),
        "Qwen2-1.5B-Instruct": (56.80, 14.40), "Qwen2.5-0.5B-Instruct": (36.80, 14.00),
    }  # fmt: skip
    files = defaultdict(list)
    with lzma.open(REAL / "real_answers" / "kor.jsonl.xz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if (row["setting"], row["category"]) == ("zero-shot", "counterfactual"):
                files[row["model"]].append(row)
    for model, numbers in printed.items():
        if numbers is None:
            continue
        path = tmp_path / f"{model}_counterfactual_zero-shot.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in files[model]), "utf-8")
        section: Any = score_folder(path, quiet=True).score["families"]["korbench"]
        (row,) = (one for one in section["measured"] if one["by"] == "task")
        n = row["questions"]
        assert n > 210
        for published, rate in zip(numbers, (row["score_paper"], row["real_life"])):
            right = rate * n
            assert right <= published * 2.5 + 0.01 <= right + 250 - n + 0.02, (model, published)


def test_a_right_answer_passes_few_files_before_it_is_a_grade() -> None:
    _, functions = hops.answer()
    assert len({path for path, _ in functions}) <= hops.MOST_FILES_OF_AN_ANSWER


def test_a_report_of_one_puzzle_passes_few_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "available_processors", lambda: 1)
    write_run(tmp_path, languages=("en", "te"))

    def report() -> None:
        from xlgo_cli.logs.graded_run import score_folder
        from xlgo_cli.page.write import write_files

        write_files(score_folder(tmp_path), tmp_path / "report")

    _, functions = hops.counted(report)
    files = {path for path, _ in functions}
    assert len(files) <= hops.MOST_FILES_OF_A_REPORT, sorted(files)
    families = {path.split("/")[2] for path in files if "/families/" in path}
    assert families == {"xlgobench"}  # those that were not asked stay closed


def test_the_page_has_the_rows_that_the_command_writes() -> None:
    if not (ROOT / "benchmarks" / "statistics_tables.py").is_file():
        pytest.skip("benchmarks are of the repository, not of the wheel")
    tables = importlib.import_module("benchmarks.statistics_tables")
    page = (ROOT / "benchmarks" / "statistics.md").read_text("utf-8")
    shown = [line.split(" | ") for line in page.splitlines() if line.endswith(".py` |")]
    rows = [(row[0].removeprefix("| "), row[2].removesuffix(".py` |").strip("`")) for row in shown]
    assert rows == [(claim, study) for claim, study, *_ in tables.ROWS]
    assert {study for _, study in rows} <= tables.STUDIES.keys()
