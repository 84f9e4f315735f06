import json
from collections import Counter
from typing import Any

import pytest

import xlgo_metric as xm
from xlgo_cli import workers
from xlgo_cli.cli import build_parser, main
from xlgo_cli.logs.graded_run import score_folder, shorten
from xlgo_cli.logs.results import find_run, read_samples

from .logs import DATE, KINDS, LEVELS, PER_LEVEL, RIGHT, WRONG, response, rows, sample, write_run


@pytest.mark.parametrize("there", [False, True])
def test_a_metadata_file_that_does_nothing_is_refused(there, results, tmp_path, capsys):
    path = tmp_path / "about.csv"
    if there:
        path.write_text("id,domain\n")
    assert main(["score", str(results), "--metadata-file", str(path)]) == 2
    words = "only for answers to PolyMath" if there else "no such file"
    assert words in capsys.readouterr().err


def test_counts_are_those_of_the_log(scored):
    languages = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert scored.count == len(rows()) == LEVELS * PER_LEVEL * len(RIGHT)
    for code, right in RIGHT.items():
        cell = languages[code]
        assert [level["correct"] for level in cell["levels"]] == list(right)
        assert [level["n"] for level in cell["levels"]] == [PER_LEVEL] * LEVELS
        kinds = Counter(KINDS[index % len(WRONG)] for k in right for index in range(k, PER_LEVEL))
        told = {kind: n for kind, n in cell["statuses"].items() if kind != "needs_judge"}
        assert told == {"correct": sum(right)} | {kind: kinds[kind] for kind in KINDS}


def test_same_numbers_and_signature_as_the_metric(scored):
    asked = rows()
    direct = xm.score([response(row) for row in asked], [row["reference"] for row in asked])
    told = json.loads(json.dumps(scored.score))
    assert told.pop("schema") == 2
    assert told.pop("cost")["tasks"].keys() == {"xlgobench"}
    assert told.pop("generation").startswith("backend:hf|template:none|system:none|")
    assert told == json.loads(json.dumps(direct))


def test_length_of_thinking_reaches_the_statistics(scored):
    thinking = scored.score["families"]["xlgobench"]["thinking"]["slt"]["mean_characters"]
    assert set(thinking) == set(RIGHT)
    right = {code: sum(counts) for code, counts in RIGHT.items()}
    cut_off = {
        code: sum(1 for k in counts for i in range(k, PER_LEVEL) if i % len(WRONG) == 3)
        for code, counts in RIGHT.items()
    }
    for code, mean in thinking.items():
        total = right[code] * len("\nLet me see.\n") + cut_off[code] * len("and so on and on")
        assert mean == pytest.approx(total / (right[code] + cut_off[code]))


def test_the_number_of_processes_changes_nothing(results, scored, monkeypatch):
    monkeypatch.setattr(workers, "available_processors", lambda: 2)
    monkeypatch.setattr(workers, "PATIENCE", 0)
    monkeypatch.setattr(workers, "WORTHWHILE", 0)
    shared = score_folder(results)
    assert shared.score == scored.score
    assert shared.records == scored.records


def test_prints_tables(results, capsys):
    assert main(["score", str(results), "--table"]) == 0
    out = capsys.readouterr().out
    assert "task:slt" in out
    accuracy = f"{100 * sum(RIGHT['te']) / (LEVELS * PER_LEVEL):.1f}"
    assert accuracy in out


def test_prints_json(results, scored, capsys):
    assert main(["score", str(results), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(scored.score))


def test_a_reference_that_cannot_be_graded_is_named(tmp_path, capsys):
    good, bad = rows(languages=("en",))[:2]
    unknown = json.dumps(json.loads(bad["reference"]) | {"task": "sudoku"})
    lines = [sample(good, good["answer"]), sample(bad | {"reference": unknown}, "x")]
    path = write_run(tmp_path, samples=lines)
    assert main(["score", str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    assert f"{path}:2: column doc.reference" in captured.err
    assert "sudoku" in captured.err
    section = json.loads(captured.out)["families"]["xlgobench"]
    assert section["tasks"]["slt"]["languages"]["en"]["n"] == 1


def test_nothing_to_grade_is_one_clear_line(tmp_path, capsys):
    path = write_run(tmp_path, samples=[b"{"])
    assert main(["score", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("xlgo: no sample of acme/lingua could be graded")
    assert f"{path}:1" in err


@pytest.mark.parametrize(
    ("mode", "processes"),
    [
        ("default", 1),
        ("paper", 2),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in (("default", 2), ("paper", 1))),
    ],
)
def test_outputs_of_polymath(tmp_path, capsys, monkeypatch, mode, processes):
    monkeypatch.setattr(workers, "available_processors", lambda: processes)
    monkeypatch.setattr(workers, "PATIENCE", 0)
    monkeypatch.setattr(workers, "WORTHWHILE", 0)
    path = tmp_path / "output" / "model" / "low" / "te.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {"idx": i, "answer": str(i), "answer_pred": rf"\boxed{{{i if i < 3 else -1}}}"}
        for i in range(8)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    command = ["score", str(tmp_path / "output"), "--mode", mode, "--json"]
    assert main(command) == 0
    section = json.loads(capsys.readouterr().out)["families"]["polymath"]
    [cell] = section["measured"]
    assert (cell["level"], cell["language"]) == ("low", "te")
    assert cell["score"] == pytest.approx(3 / 8)
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{")
    assert main(command) == 1
    assert f"{path}:9: not valid JSON" in capsys.readouterr().err


def test_options_are_those_of_the_report():
    args = build_parser("score").parse_args(["score", "x", "--model", "m", "--run", DATE])
    assert (args.model, args.date, args.mode) == ("m", DATE, "default")


@pytest.mark.parametrize(("length", "cut"), [(7, 0), (8, 1), (1000, 993)])
def test_long_texts_keep_both_ends(length, cut):
    text = "".join(chr(97 + i % 26) for i in range(length))
    short = shorten(text, 4, 3)
    assert short.startswith(text[:4])
    assert short.endswith(text[-3:])
    assert (f"{cut} characters left out" in short) == (cut > 0)


@pytest.mark.parametrize("prompt", ["Question?", "[{not JSON", '[{"role": "user"}]'])
def test_prompts_are_shown_as_they_are(tmp_path, prompt):
    assert shown_prompt(tmp_path, prompt) == prompt


def test_prompts_of_chats_are_shown_as_text(tmp_path):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Q\n?"}]
    assert shown_prompt(tmp_path, json.dumps(messages)) == "Be brief.\n\nQ\n?"


def shown_prompt(folder, prompt: str) -> str:
    row = rows(languages=("en",))[0]
    write_run(folder, samples=[sample(row | {"prompt": prompt}, "none")])
    [shown] = read_samples(find_run(folder))
    return shown.prompt


def test_folder_with_two_models_scores_the_chosen_one(tmp_path):
    write_run(tmp_path, model="one", languages=("en",))
    write_run(tmp_path, model="two", languages=("te",))
    chosen = score_folder(tmp_path, model="two")
    assert set(chosen.table.frame["language"]) == {"te"}


def test_one_instance_in_two_wordings_counts_twice(tmp_path):
    import xlgo_dataset as xd

    options: dict[str, Any] = {
        "n": 2,
        "depth": 3,
        "diverse": False,
        "compeq_style": ["explicit", "paper"],
    }
    asked = list(xd.family("simple_reasoning").rows("proof_tree", ["en"], split="test", **options))
    assert len({row["id"] for row in asked}) == 4
    assert len({row["instance_id"] for row in asked}) == 2
    texts = [f"\\boxed{{{json.loads(row['answer'])['number']}}}" for row in asked[:3]] + ["none"]
    write_run(
        tmp_path,
        task="proof_tree",
        samples=[sample(row, text, n) for n, (row, text) in enumerate(zip(asked, texts))],
    )
    found = score_folder(tmp_path)
    assert found.count == 4
    assert not any("more than once" in str(problem) for problem in found.problems.items)
    part = found.score["families"]["simple_reasoning"]["tasks"]["proof_tree"]["languages"]["en"]
    assert (part["questions"], part["accuracy"]) == (4, 3 / 4)
    assert sorted(found.table.frame["correct"]) == [False, True, True, True]
