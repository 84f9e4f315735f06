"""Questions that answers chose speak of themselves: in no output are they ranked or pooled.

A run has a fixed design of one task, in which Chinese is as good as English, and an adaptive design
of another, in which all Chinese answers are wrong. Whatever pooled the two would show a gap.
"""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from scipy.stats import fisher_exact

from tests.report.logs import (
    LATER,
    LEVELS,
    response,
    rows,
    sample,
    write_answers,
    write_run,
)
from xlgo_cli.cli import main
from xlgo_cli.display import labels
from xlgo_cli.export.publish import model_index
from xlgo_cli.leaderboard.standings import read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder, unequal
from xlgo_cli.logs.lines import differences, fingerprint, fingerprint_line, settings_of
from xlgo_cli.page.comparison import as_json, comparison, measure_table
from xlgo_cli.page.findings import brief, sentences
from xlgo_cli.page.grid import mark, of_section, with_gaps
from xlgo_metric.comparison.compare import UNEQUAL
from xlgo_metric.scoring import score
from xlgo_metric.statistics.adaptive import NAME

pytestmark = pytest.mark.usefixtures("graded_once")
LANGUAGES = ("en", "zh", "ar")
PER_LEVEL = 8
DESIGN = {"design": NAME, "range": [4, 16]}


def asked(task: str, **about: Any) -> list[dict[str, Any]]:
    return [
        {**row, "reference": json.dumps({**json.loads(row["reference"]), **about})}
        for row in rows(task, LANGUAGES, per_level=PER_LEVEL)
    ]


def is_right(row: dict[str, Any]) -> bool:
    """Correct in 8, 6, 4 and 2 of a level; in dsa never in Chinese."""
    is_lost = row["task"] == "dsa" and row["language"] == "zh"
    return not is_lost and row["index"] < PER_LEVEL - 2 * row["level"]


def write(folder: Path, design: dict[str, Any] = DESIGN, **about: Any) -> Path:
    return write_answers(folder, [*asked("slt"), *asked("dsa", **design)], is_right, **about)


def quick(folder: Path, model: str | None = None) -> GradedRun:
    return score_folder(folder, model=model, options={"draws": 10, "permutations": 99})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[GradedRun, GradedRun]:
    """One model twice, and the second time later."""
    top = tmp_path_factory.mktemp("chosen")
    return quick(write(top / "first")), quick(write(top / "second", date=LATER))


def test_the_score_has_no_number_over_both(runs: tuple[GradedRun, GradedRun]) -> None:
    score = runs[0].score
    section = score["families"]["xlgobench"]
    assert section["over_tasks"]["tasks"] == ["slt"]
    assert section["over_tasks"]["left_out"] == {"dsa": "answers chose its questions"}
    # One task counts: its gap is not tested a second time, among fewer.
    over, task = section["over_tasks"]["languages"], section["tasks"]["slt"]["languages"]
    assert {code: {**cell, "where": task[code]["difference"]["where"]} for code, cell in
            over.items()} == {code: task[code]["difference"] for code in over}  # fmt: skip
    gap = section["tasks"]["dsa"]["languages"]["zh"]["difference"]
    assert (gap["where"]["design"], gap["difference"]) == (NAME, pytest.approx(0.625))
    flat = score["headline"]
    assert flat["diff_zh"] == flat["slt_diff_zh"] == 0.0
    assert not {"dsa_diff_zh", "dsa_p_zh", "smd_zh"} & flat.keys()


def test_a_leaderboard_does_not_rank_it_and_no_card_shows_it(
    runs: tuple[GradedRun, GradedRun], capsys: Any
) -> None:
    folder = runs[0].run.files[0].path.parent
    given = ["results", str(folder), "--repo-id", "a/b", "--dataset-id", "a/c", "--dry-run"]
    assert main(["publish", *given]) == 2
    assert "its own answers chose its questions" in capsys.readouterr().err
    entries, ((_, why),) = read_entries([folder], lambda *_: runs[0])
    assert entries == []
    assert "its own answers chose the questions of dsa" in why


def test_two_runs_are_compared_on_the_fixed_questions(runs: tuple[GradedRun, GradedRun]) -> None:
    found = comparison(*runs)
    assert {pair.task for pair in found.pairs} == {"slt"}
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any(note.startswith("dsa: acme/lingua chose questions") for note in found.notes)


def test_a_plan_of_another_model_is_not_pooled_either(tmp_path: Path) -> None:
    """Two models were asked the questions that the answers of a third chose."""
    plan = {**DESIGN, "design": "plan-of-third"}
    folders = [write(tmp_path / name, design=plan, model=name) for name in ("one", "two")]
    found = comparison(quick(folders[0]), quick(folders[1]))
    assert {(pair.task, pair.is_chosen) for pair in found.pairs} == {("slt", False), ("dsa", True)}
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any("they count in no number over all" in note for note in found.notes)


RIGHT = {"en": 24, "zh": 6, "ar": 24}
"""Correct answers of each level, of 30."""


def write_lacking(folder: Path, lacking: int, **about: Any) -> Path:
    """A run in which the first ``lacking`` Chinese answers of each level are missing."""
    absent = {"zh": lacking}
    return write_answers(
        folder,
        rows("slt", ("en", "zh", "ar"), per_level=30),
        lambda row: (
            None
            if row["index"] < absent.get(row["language"], 0)
            else row["index"] < RIGHT[row["language"]]
        ),
        **about,
    )


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("lacking")
    return [write_lacking(top / "lost", 3), write_lacking(top / "whole", 0, date=LATER)]


def test_the_score_and_the_report(lacking: list[Path]) -> None:
    score = score_folder(lacking[0], partial=True).score
    section = score["families"]["xlgobench"]
    cells = [section["tasks"]["slt"]["languages"]["zh"]["difference"]]
    cells.append(section["over_tasks"]["languages"]["zh"])
    for cell in cells:
        assert cell["refused"] == UNEQUAL
        assert not cell["is_significant"]
        assert cell["p_value"] is cell["ci_low"] is cell["ci_high"] is None
    names = {f"{stem}zh" for stem in ("slt_diff_", "slt_p_", "diff_", "p_", "smd_")}
    assert not names & score["headline"].keys()
    assert "diff_ar" in score["headline"]
    told = [text for text in sentences(score) if "Chinese" in text and "Wordings" not in text]
    assert len(told) == 1
    assert told[0].startswith("No claim where missing answers differ between the languages by more")
    found = of_section(with_gaps(score)["xlgobench"])
    cells = [cell for (code, _), cell in found.cells.items() if code == "zh"]
    assert cells
    assert {mark(cell) for cell in cells} == {"?"}
    whole = score_folder(lacking[1]).score["families"]["xlgobench"]
    assert whole["tasks"]["slt"]["languages"]["zh"]["difference"]["is_significant"]


def test_a_comparison_refuses_the_gap_whichever_model_lacks_answers(lacking: list[Path]) -> None:
    lost, whole = score_folder(lacking[0], partial=True), score_folder(lacking[1])
    for first, second in ((lost, whole), (whole, lost)):
        gaps = {gap.language: gap for gap in comparison(first, second).gaps}
        assert gaps["zh"].refused == UNEQUAL
        assert gaps["zh"].p_value is None
        assert gaps["ar"].refused != UNEQUAL


def test_lines_that_a_run_lost_are_missing_answers(tmp_path: Path) -> None:
    """As if the end of a log had been cut, in one language more than in the others."""
    asked = [
        row for row in rows("slt", ("en", "zh", "ar"), per_level=30)
        if row["language"] != "zh" or row["index"] < 24
    ]  # fmt: skip
    write_answers(tmp_path, asked, lambda row: row["index"] < RIGHT[row["language"]])
    (path,) = tmp_path.rglob("results_*.json")
    sizes = {"levels": LEVELS, "per_level": 30, "c_min": 4, "c_max": 16}
    metadata = {"xlgo_family": "xlgobench", "xlgo_task": "slt", "languages": "en,zh,ar", **sizes}
    configs = {"xlgo_slt": {"metadata": metadata | {"xlgo_options": ",".join(sizes)}}}
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"configs": configs}), "utf-8")
    score = score_folder(tmp_path, partial=True).score
    cells = score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert cells["zh"]["difference"]["refused"] == UNEQUAL != cells["ar"]["difference"]["refused"]
    assert "24 of 120 answers are missing in Chinese, 0 of 120 in English" in score["warnings"][0]


def test_more_than_chance_is_said_of_all_languages_together() -> None:
    """6 of 50 missing against none: Fisher's p is .027, above a half of 5%, below 5%."""
    assert fisher_exact([[6, 44], [0, 50]])[1] == pytest.approx(0.0267, abs=1e-4)
    for languages, marked in ((("te",), 1), (("te", "hi"), 0)):
        places = [("xlgobench", "slt", code) for code in ("en", *languages)]
        absent = Counter(dict.fromkeys(places[1:], 6))
        assert len(unequal(absent, dict.fromkeys(places, 50), [], "en")) == marked


STATUS = "machine-written"
RIGHT_OF_20 = {"en": 18, "te": 12, "yo": 2}
"""Correct answers of the 20 questions of a level."""
TASKS = ("dsa", "t_rank")
GAP = re.compile(r"[+−-]\d+\.\d")
NAMES = re.compile(r"\bYoruba\b|\byo\b")


def write_status(folder: Path, model: str, more: int) -> Path:
    options = {"levels": 2, "per_level": 20, "c_min": 10, "text": "revised"}
    asked = [row for task in TASKS for row in rows(task, tuple(RIGHT_OF_20), **options)]
    return write_answers(
        folder, asked, lambda row: row["index"] < RIGHT_OF_20[row["language"]] + more, model=model
    )


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("statuses")
    return [write_status(top / "one", "acme/one", 0), write_status(top / "two", "acme/two", 2)]


@pytest.fixture(scope="module")
def outputs(two_runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with everything that is written of the two two_runs."""
    out = tmp_path_factory.mktemp("outputs")
    assert main(["report", str(two_runs[0]), "--out", str(out)]) == 0
    scored = score_folder(two_runs[0])
    (out / "model-index.yaml").write_text(yaml.safe_dump(model_index(scored, "acme/xlgo")))
    board = ["leaderboard", *map(str, two_runs), "--out", str(out / "board"), "--title", "A & B"]
    assert main(board) == 0
    assert "<h1>A &amp; B</h1>" in (out / "board" / "index.html").read_text("utf-8")
    assert main(["compare", *map(str, two_runs), "--out", str(out / "compare.html")]) == 0
    return out


def lines_of(path: Path) -> Iterator[str]:
    """What is read together: rows, sentences, and tables that name the status below."""
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        for part in re.split(r"</(?:tr|li|p|summary|svg|dd)>", text):
            yield " ".join(re.sub(r"<(?!/?svg|title)[^>]*>", " ", part).split())
    elif path.suffix in (".md", ".tex"):
        for table in re.split(r"^## |\\begin\{table\}", text, flags=re.MULTILINE):
            named = re.search(r"Wordings: .*\byo\b[^;]* machine-written", table)
            yield from () if named else table.splitlines()
    else:
        yield from text.splitlines()


def test_no_row_and_no_sentence_names_a_gap_without_its_status(outputs: Path) -> None:
    seen = set()
    for path in outputs.rglob("*"):
        if path.suffix not in (".html", ".md", ".tex", ".csv") or "samples" in str(path):
            continue
        for line in lines_of(path):
            is_gap = GAP.search(line) or path.name in ("gaps.csv", "languages.csv")
            if NAMES.search(line) and is_gap and path.name not in ("cost.csv", "pairs.csv"):
                assert STATUS in line, (path.name, line)
                seen.add(path.name)
    assert seen >= {"report.html", "tables.md", "tables.tex", "gaps.csv", "languages.csv"}
    assert {"index.html", "compare.html"} <= seen


def test_a_language_without_audit_is_never_called_the_most_affected(
    two_runs: list[Path], outputs: Path, capsys: Any
) -> None:
    lead, *rest = brief(score_folder(two_runs[0]).score, width=200).splitlines()[1:]
    assert lead.startswith("- Telugu is significantly behind English over 2 tasks")
    assert any(
        line.startswith(f"- Yoruba ({STATUS}, not audited) is significantly") for line in rest
    )
    page = (outputs / "report.html").read_text("utf-8")
    assert re.search(r'class="lead[^>]*>Telugu is significantly behind', page)
    assert main(["score", str(two_runs[0]), "--unaudited"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"- Yoruba ({STATUS}, not audited) is behind English" in told
    assert "significantly more than any other." in told
    assert "Languages: Telugu." in (outputs / "board" / "README.md").read_text("utf-8")


def described(folder: Path, **changes: Any) -> Path:
    """Change what the harness says of the only run in a folder."""
    [path] = folder.rglob("results_*.json")
    info = json.loads(path.read_text("utf-8"))
    config = info["config"] | changes.pop("config", {})
    path.write_text(json.dumps(info | changes | {"config": config}), "utf-8")
    return folder


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The same model on the same questions, a day later."""
    write_run(tmp_path / "other", date=LATER)
    return tmp_path / "other"


def compare(first: Path, second: Path, *more: str) -> int:
    return main(["compare", str(first), str(second), "--out", str(second / "c.html"), *more])


SAMPLED = {"gen_kwargs": {"temperature": 0.7, "do_sample": True}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"config": SAMPLED}, "sampling (default and temperature=0.7)"),
        ({"chat_template_sha": "f" * 64}, "template (none and ffffffff)"),
        # That each setting is one of a run's is shown where runs are put together (tests/logs).
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (
            ({"system_instruction_sha": "e" * 64}, "system (none and eeeeeeee)"),
            ({"config": {"model_args": {"pretrained": "x", "enable_thinking": False}}},
             "thinking (default and off)"),
            ({"config": {"model_args": "pretrained=x,dtype=float16"}},
             "precision (default and float16)"),
            ({"config": {"gen_kwargs": {"max_gen_toks": 100}}}, "max_tokens (default and 100)"),
        )),
    ],
)  # fmt: skip
def test_differences_are_refused_and_allowed(
    results: Path, other: Path, changes: dict[str, Any], words: str, capsys: Any
) -> None:
    described(other, **changes)
    assert compare(results, other) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "--allow-differences" in told.err
    assert not (other / "c.html").exists()
    sentence = f"the two runs differ in their settings: {words}"
    if changes.get("config") is not SAMPLED:  # it is enough to write one page
        return
    assert compare(results, other, "--allow-differences") == 0
    assert capsys.readouterr().out.splitlines()[0] == f"warning: {sentence}"
    page = (other / "c.html").read_text("utf-8")
    assert page.index("<h1>") < page.index(sentence) < page.index('id="gains"')


def test_two_models_may_have_two_templates(results: Path, tmp_path: Path) -> None:
    a, b = (fingerprint([settings_of({"chat_template_sha": sha}, "t")]) for sha in "12")
    assert differences(a, b, same_model=False) == []
    assert differences(a, b, same_model=True) == ["template (1 and 2)"]
    none = fingerprint([settings_of({"chat_template_sha": None, "x": 1}, "t")])
    assert differences(a, none, same_model=False) == ["template (its own and none)"]


def test_a_lost_description_is_a_difference_of_one_and_a_note_of_both(
    results: Path, other: Path, tmp_path: Path
) -> None:
    write_run(tmp_path / "third", model="acme/lingua", date="2026-03-05T10-00-00.000001")
    for folder in (other, tmp_path / "third"):
        [path] = folder.rglob("results_*.json")
        path.unlink()
    runs = [score_folder(folder) for folder in (results, other, tmp_path / "third")]
    assert comparison(runs[0], runs[1]).differences == ["settings (those of one run are not known)"]
    both = comparison(runs[1], runs[2])
    assert both.differences == []
    assert "not known of either run" in both.notes[0]


def test_a_run_is_not_compared_with_itself(results: Path, tmp_path: Path, capsys: Any) -> None:
    for second in (results, shutil.copytree(results, tmp_path / "copy")):
        assert compare(results, second) == 2
        assert "the same run" in capsys.readouterr().err


def test_all_numbers_are_on_the_common_questions(results: Path, tmp_path: Path) -> None:
    """SMD, accuracies and signatures: as if only those had been asked."""
    some = [row for row in rows() if row["level"] < 3]
    lines = [sample(row, response(row), n) for n, row in enumerate(some)]
    write_run(tmp_path, model="some", samples=lines)
    found = comparison(score_folder(results), score_folder(tmp_path))
    direct = score([response(row) for row in some], [row["reference"] for row in some])
    whole = json.loads(json.dumps(found.scores[0]))
    assert whole["families"] == json.loads(json.dumps(direct["families"]))
    assert whole["signature"] == direct["signature"]
    smd = direct["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]["smd"]
    [pair] = [pair for pair in as_json(found)["pairs"] if pair["where"]["language"] == "te"]
    assert (pair["smd"], pair["n"]) == ([smd, smd], len(some) / 3)
    assert found.notes == [
        f"{len(rows()) - len(some)} answers of acme/lingua to other questions are left out."
    ]


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"config": {"model_args": "a=b,enable_thinking=True"}}, "thinking:on"),
        ({"config": {"gen_kwargs": {"reasoning_effort": "low"}}}, "thinking:reasoning_effort=low"),
        ({"config": {"gen_kwargs": {"chat_template_kwargs": {"enable_thinking": False}}}},
         "thinking:off"),
        ({"config": {"gen_kwargs": {"extra_body": {"enable_thinking": False}}}}, "thinking:off"),
        ({"config": {"gen_kwargs": "temperature=0"}}, "sampling:greedy"),
        ({"config": {"gen_kwargs": {"do_sample": False, "num_beams": 4}}}, "sampling:beams=4"),
        ({"config": {"gen_kwargs": {"max_gen_toks": 9}},
          "configs": {"t": {"generation_kwargs": {"max_gen_toks": 7}}}}, "max_tokens:9"),
        ({"config": {"gen_kwargs": {"max_new_tokens": 5}}}, "max_tokens:5"),
        ({"model_source": f"a|b:c {'x' * 90}"}, f"backend:a/b=c {'x' * 73}…|template:none"),
        ({"config": {"gen_kwargs": {"temperature": 0.6, "top_p": 0.95, "do_sample": True}}},
         "sampling:temperature=0.6,top_p=0.95"),
        ({"config": {"model_dtype": "torch.bfloat16", "model_args": {"quantization": "awq"}}},
         "precision:bfloat16,quantization=awq"),
        ({"config": {"model_args": {"max_model_len": 4096}}}, "context:4096"),
        ({"model_source": "xlgo-chat-completions"},
         "backend:local-chat-completions|template:of the server"),
        ({"n-shot": {"t": 3}, "config": {}}, "shots:3"),
        ({"configs": {"t": {"generation_kwargs": {"max_gen_toks": 7}}}}, "max_tokens:7"),
        ({"config": {"model_args": [], "gen_kwargs": 5}, "configs": 3, "n-shot": None},
         "precision:default"),
    ],
)  # fmt: skip
def test_the_fingerprint_of_what_the_harness_says(info: dict[str, Any], expected: str) -> None:
    assert expected in fingerprint_line(fingerprint([settings_of(info, "t")]))


@pytest.fixture(scope="module")
def better(tmp_path_factory):
    """A model that answers every question rightly."""
    folder = tmp_path_factory.mktemp("better")
    return write_answers(folder, rows(), lambda row: True, model="acme/better")


def test_a_measure_is_compared_by_its_means(scored, better):
    other = score_folder(better)
    rows = {row[1]: row[2:] for row in measure_table((scored, other), ("a", "b"), "acc").rows}
    pairs = comparison(scored, other).pairs
    assert len(rows) == len(pairs)
    for pair in pairs:
        n, a, b, gain, low, high, p = rows[labels.language(pair.language).name]
        assert (n, a, b, gain) == (pair.n, pair.baseline_accuracy, pair.accuracy, -pair.difference)
        assert low <= gain <= high
        assert (p <= 0.05) == (low > 0)
    strict = measure_table((scored, other), ("a", "b"), "strict")
    assert strict.columns[5].written(strict.rows[0][5]).startswith("+")
    with pytest.raises(ValueError, match=r"measure 'mqm80'.*allowed are acc, parsed, strict"):
        measure_table((scored, other), ("a", "b"), "mqm80")
