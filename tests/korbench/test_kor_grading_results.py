"""The authors' result files, read as logs."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_cli.logs import formats, graded_run, results
from xlgo_lm_eval import answers
from xlgo_lm_eval.korbench import chains
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.results import logged

ROW = {"idx": "1", "rule_id": "1", "answer": "[[A]]", "response": "[[A]]"}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def references(path: Path) -> list[dict[str, Any]]:
    return [dict(sample.reference) for sample in results.read_samples(results.find_run(path))]


def tasks(path: Path, **options: Any) -> dict[str, Any]:
    families: Any = graded_run.score_folder(path, quiet=True, **options).score["families"]
    return {row["task"]: row for row in families["korbench"]["measured"] if row["by"] == "task"}


def test_files_become_answers_of_a_model(tmp_path: Path) -> None:
    write(
        tmp_path / "run" / "Some-Model-7B_logic_zero-shot.jsonl",
        ROW | {"tag": "Modal Logic"},
        {"idx": 2, "rule_id": 1, "answer": "[[B]]", "response": {"error": "time out"}},
    )
    write(
        tmp_path / "base_cipher_three-shot.jsonl",
        {"idx": "3", "rule_id": "1", "answer": "[[Q]]", "response": "Q"},
    )
    assert results.models_in(tmp_path) == ["Some-Model-7B", "base (three-shot)"]
    formats.MODE.set("paper")
    (first, second), (other,) = (
        list(results.read_samples(results.find_run(tmp_path, model=model)))
        for model in results.models_in(tmp_path)
    )
    formats.MODE.set("default")
    assert (first.response, second.reply.state, other.response) == ("[[A]]", "missing", "Q")
    assert first.reference == {
        "family": "korbench", "task": "kor_logic", "language": "en", "category": "logic",
        "idx": "1", "mode": "paper", "shots": 0, "asked": "chat", "answer": "[[A]]",
        "rule_id": "1", "tag": "Modal Logic", "instance_id": "kor_logic-1",
    }  # fmt: skip
    assert (other.reference["shots"], other.reference["asked"]) == (3, "completion")


def test_lists_of_verdicts_are_logs_too(tmp_path: Path) -> None:
    """``eval/results`` has no rules: they follow from the numbers, ten questions each."""
    rows = [{**ROW, "idx": "24", "is_correct": True, "real_life_answer": "[[B]]"}]
    del rows[0]["rule_id"]
    path = write(tmp_path / "evaluation_m_counterfactual_zero-shot.jsonl.json", json.dumps(rows))
    (reference,) = references(tmp_path)
    assert (reference["rule_id"], reference["real_life_answer"]) == ("3", "[[B]]")
    assert tasks(tmp_path)["kor_counterfactual"]["real_life"] == 0
    (line,) = formats.lines_at(path, [1], formats.tool_of(path))
    assert line["is_correct"] == 1.0
    path.write_text("[", encoding="utf-8")
    ((_, _, wrong, _),) = formats.read(path, formats.tool_of(path))
    assert "not valid JSON" in str(wrong)


def test_rounds_are_replayed_from_the_history(tmp_path: Path) -> None:
    """Two of three are wrong at first; one of these is right after one correction."""

    def chain(idx: int, *texts: str) -> dict[str, Any]:
        turns = {str(n): {"prompt": "?", "response": text} for n, text in enumerate(texts[:-1])}
        return {**ROW, "idx": str(idx), "response": texts[-1], "history": turns}

    write(
        tmp_path / "m_counterfactual_self-correction.jsonl",
        chain(1, "[[A]]"),
        chain(2, "[[B]]", "So it is [[A]]."),
        chain(3, "[[B]]", "NULL", "[[C]]", "[[D]]", "[[B]]", "[[A]]"),
    )
    section: Any = graded_run.score_folder(tmp_path, quiet=True).score["families"]["korbench"]
    rounds = [
        (row["round"], row["acc"], row["corrected"])
        for row in section["measured"]
        if row["by"] == "round" and row["category"] == "counterfactual"
    ]
    assert [row[0] for row in rounds] == [1, 2, 3, 4, 5]
    assert [row[1:] for row in rounds[:3]] == [
        (pytest.approx(1 / 3), pytest.approx(1 / 3)),
        (pytest.approx(2 / 3), pytest.approx(1 / 2)),
        (pytest.approx(2 / 3), 0),
    ]
    assert rounds[-1][2] == 1


def test_models_and_ways_of_asking_are_never_pooled(tmp_path: Path, capsys: Any) -> None:
    for model, text in (("m", "[[A]]"), ("n", "[[B]]")):
        for number, category in enumerate(CATEGORIES):
            write(
                tmp_path / f"{model}_{category}_zero-shot.jsonl",
                ROW | {"idx": str(number + 1), "response": text},
            )
    assert [tasks(tmp_path, model=name)["overall"]["acc"] for name in ("m", "n")] == [1, 0]
    assert tasks(tmp_path, model="m")["overall"]["questions"] == 5
    assert "several models" in results.find_run(tmp_path).problems.items[0].message
    assert main(["score", str(tmp_path), "--model", "m", "--mode", "stored", "--table"]) == 0
    assert "mode:stored" in capsys.readouterr().out


def test_runs_with_and_without_rules_are_paired(tmp_path: Path) -> None:
    """Two folders of the harness in one: the questions are compared, and none counts twice."""
    for rules, right in ((True, 3), (False, 1)):
        lines = []
        for n in range(4):
            reference = {
                "family": "korbench", "task": "kor_logic", "category": "logic", "language": "en",
                "rule_id": "1", "idx": str(n), "answer": "[[A]]", "shots": 0,
                "instance_id": f"kor_logic-{n}", **({} if rules else {"rule_shown": False}),
            }  # fmt: skip
            lines.append({
                "doc": {"reference": json.dumps(reference)},
                "resps": [["[[A]]" if n < right else "[[B]]"]],
            })  # fmt: skip
        stamp = f"2026-01-0{1 + rules}T00-00-00.000000"
        write(tmp_path / str(rules) / f"samples_kor_logic_{stamp}.jsonl", *lines)
        metadata = {"xlgo_options": "source,rules", "rules": rules, "xlgo_task": "kor_logic"}
        about = {"model_name": "m", "configs": {"kor_logic": {"metadata": metadata}}}
        write(tmp_path / str(rules) / f"results_{stamp}.json", about)
    scored = graded_run.score_folder(tmp_path, quiet=True)
    (cell,) = scored.score["families"]["korbench"]["contrasts"]
    assert (cell["n"], cell["discordant"]) == (4, [2, 0])
    assert scored.problems.items[0].message.startswith("8 answers are graded against references")
    assert len(scored.table) == 4


def test_rounds_are_asked_with_what_was_read_and_graded_alike() -> None:
    """A model that knows an answer in some round; in a few it never does."""
    options: dict[str, Any] = {
        "source": str(Path(__file__).parent / "fixture"), "needle": True, "rounds": 3,
    }  # fmt: skip
    for row in xd.family("korbench").rows("kor_self_correction", ["en"], **options):
        question, gold = row["prompt"], json.loads(row["answer"])
        needed = hashlib.sha256(question.encode()).digest()[0] % 7
        _, step = chains.start(row, {})
        history: list[answers.Answer] = []
        while asked := step(history):
            assert not isinstance(asked.prompt, str)
            first, *later = asked.prompt
            assert first == {"role": "user", "content": question}
            for number, (said, retry) in enumerate(zip(later[::2], later[1::2], strict=True)):
                # What was read out of the response, not the response.
                assert said == {"role": "assistant", "content": f"[[wrong {number}]]"}
                assert retry["role"] == "user"
                assert "- " in retry["content"]
                assert gold not in retry["content"]
            knows = len(history) >= needed
            history.append(answers.Answer(
                f"Let me see.\n{gold}" if knows else f"Perhaps [[wrong {len(history)}]]."
            ))  # fmt: skip
        assert len(history) == min(needed + 1, 3)
        outcome: Any = step.outcome(history)
        grade = FAMILY.grade(json.dumps(outcome), json.loads(row["reference"]))
        # What the chain believed is what the grading finds.
        assert grade.details["rounds"] == [each["right"] for each in outcome["rounds"]]
        assert (grade.details["ending"], grade.correct) == (outcome["status"], needed < 3)


@looped(
    ("name", "change", "message"),
    [
        ("m_logic", {"response": ...}, "no 'response'"),
        ("m_logic", {"idx": True}, "'idx' must be text, got True"),
        ("m_logic", {"answer": 3.5}, "'answer' must be text, got 3.5"),
        ("m_logic", {"idx": "0", "rule_id": ...}, "'0' is no number of a question"),
        ("m_mixed_multi-q", {}, "no 'question_list', which the setting 'multi-q' needs"),
        (
            "m_mixed_multi-q",
            {"question_list": ["logic_1"], "answer": ["A", "B"]},
            "of the same leng",
        ),
        (
            "m_mixed_multi-q",
            {"question_list": ["sums_1"], "answer": ["A"]},
            "'sums_1' is not written",
        ),
        ("m_logic_self-correction", {"history": ["x"]}, "'history' must be a list or object"),
    ],
)
def test_a_record_out_of_form_is_named(name: str, change: dict[str, Any], message: str) -> None:
    row = {key: value for key, value in (ROW | change).items() if value is not ...}
    with pytest.raises(ValueError, match=message):
        logged(Path(f"{name}.jsonl"), row, 1, "default")


def test_what_a_name_says_of_its_questions() -> None:
    step = logged(Path("m_cipher_subquestions.jsonl"), ROW | {"step": 2}, 1, "default").reference
    assert (step["task"], step["type"], step["instance_id"]) == (
        "kor_cipher_steps", "untyped", "kor_cipher_steps-1-2",
    )  # fmt: skip
    several = ROW | {"question_list": ["logic_11", "puzzle_20"], "answer": ["[[A]]", "[[B]]"]}
    hard = logged(Path("m_multi-rq_hard.jsonl"), several, 1, "default").reference
    assert (hard["task"], [question["rule_id"] for question in hard["questions"]]) == (
        "kor_multi_rq_hard", ["2", "2"],
    )  # fmt: skip
