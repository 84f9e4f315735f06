"""``xlgo judge`` serves every family whose answers need a judge."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import ChatServer, message
from tests.lit.conftest import write_texts
from xlgo_cli.cli import main
from xlgo_cli.export.publish import model_index
from xlgo_cli.harness.judging.asking import Judging
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.results import read_judgements
from xlgo_lm_eval.answers import Answer
from xlgo_metric.core import Grade
from xlgo_metric.family import FAMILIES, Question

ANSWERS = {"a": "My final answer is: six of them", "b": "My final answer is: a single one"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two free answers to questions without a domain."""
    lines = []
    for name, answer in ANSWERS.items():
        reference = {
            "family": "easy", "task": "unpuzzles", "language": "en", "instance_id": name,
            "answer": {"text": "one"}, "domain": None, "question": f"How many, {name}?",
            "solution": "There is one.", "variant": "unpuzzle",
        }  # fmt: skip
        lines.append(json.dumps({
            "doc": {"reference": json.dumps(reference)}, "resps": [[answer]],
            "filtered_resps": [answer],
        }))  # fmt: skip
    (tmp_path / "samples_unpuzzles_unpuzzle_2026-01-02T03-04-05.000000.jsonl").write_text(
        "\n".join(lines) + "\n"
    )
    return tmp_path


def critic(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    if "supports" in prompt:
        found = "supports" if "a single one" in prompt else "contradicts"
        return 200, message(f"<answer>{found}</answer>")
    return 200, message("Well. <answer>no</answer>")


def judge(
    folder: Path, server: ChatServer, *more: str, model: str = "local-chat-completions"
) -> int:
    return main([
        "judge", str(folder), "--model", model, "--model_args",
        f"model=critic,base_url={server.url}", "--no-report", *more,
    ])  # fmt: skip


@pytest.mark.parametrize("model", ["local-chat-completions", "xlgo-chat-completions"])
def test_free_answers_are_judged(folder: Path, model: str) -> None:
    assert score_folder(folder).waiting == 2
    assert not len(score_folder(folder).table)
    with pytest.raises(ValueError, match="nothing to publish"):
        model_index(score_folder(folder), "me/xlgo")
    with ChatServer(critic) as server:
        for _ in range(2):  # the second time all are kept
            assert judge(folder, server, model=model) == 0
            assert len(server.prompts) == 4  # two for each answer
        assert {body["temperature"] for body in server.bodies} == {0.0}
    scored = score_folder(folder)
    assert scored.waiting == 0
    frame = scored.table.frame
    assert list(zip(frame["question"], frame["correct"])) == [("a", False), ("b", True)]
    assert (scored.judge or "").startswith("critic-")


def test_a_critic_is_compared_with_people(folder: Path, capsys: Any) -> None:
    """It rejects one of two responses that people call correct (table 11's false positives)."""
    labels = folder / "labels.csv"
    labels.write_text("question,label\na,correct\nb,correct\n")
    with ChatServer(critic) as server:
        assert judge(folder, server, "--labels", str(labels)) == 0
        row = next(x for x in capsys.readouterr().out.splitlines() if x.startswith(" correct"))
        assert row.split()[1:4] == ["2", "1", "50.0%"]
        labels.write_text("question,label\nz,correct\n")
        assert judge(folder, server, "--labels", str(labels)) == 2
    assert "no label is of an answer" in capsys.readouterr().err


def test_a_critic_that_cannot_be_understood_decides_nothing(folder: Path) -> None:
    with ChatServer(lambda prompt, body: (200, message("Hm."))) as server:
        assert judge(folder, server) == 1
    assert not len(score_folder(folder).table)


def test_damaged_judgements_are_named(folder: Path) -> None:
    ledger = folder / "judgements" / "j.ndjson"
    ledger.parent.mkdir()
    head = '{"kind": "xlgo-answers", "schema": 1, "run": {}}\n'
    row = '{"key": "1", "chain": "k", "text": "x", "state": "answered", "at": 1.0}\n'
    ledger.write_text(head + row + '{"chain": "to')  # cut by a kill
    samples = list(folder.glob("samples*"))
    assert read_judgements(samples).repeats == {("k", 0): "x"}
    ledger.write_text(head + "{broken}\n" + row)
    with pytest.raises(ValueError, match="line 2 is no line of answers"):
        read_judgements(samples)
    ledger.write_text('{"some": "file"}\n' + row)
    with pytest.raises(ValueError, match="line 1 is no line of answers: move the file away"):
        read_judgements(samples)


@pytest.mark.parametrize("name", [name for name, one in FAMILIES.items() if one.judge])
def test_a_judge_that_was_not_understood_never_decides(name: str) -> None:
    for replies in ([None, None], ["", ""], ["?", "?"]):
        found = FAMILIES[name].judge.decide(Grade(False, "needs_judge"), replies, "j")
        assert (found.status, found.correct) == ("needs_judge", False)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ((200, message("Fine texts.")), "trial question cannot be read: 'Fine texts.'"),
        ((401, {"error": "who are you"}), "cannot judge: HTTP 401: who are you"),
    ],
)
def test_a_judge_that_cannot_judge_is_told_before_the_first_question(
    reply: tuple[int, Any], words: str, tmp_path: Path, capsys: Any
) -> None:
    """A run of LiT costs four translations a text; none is sent for a judge that is of no use."""
    write_texts(tmp_path / "texts.jsonl")
    with ChatServer(lambda *_: (200, message("x"))) as server, ChatServer(lambda *_: reply) as bad:
        command = [
            "run", "--model", "local-chat-completions", "--apply_chat_template", "--model_args",
            f"model=m,base_url={server.url}", "--tasks", "lit_e_asia", "--out", f"{tmp_path}/out",
            "--metadata", json.dumps({"source": f"{tmp_path}/texts.jsonl"}),
            "--judge", "local-chat-completions", "--judge-args",
            f"model=critic,max_retries=1,base_url={bad.url}",
        ]  # fmt: skip
        assert main(command) == 2
        assert words in capsys.readouterr().err.splitlines()[-1]
        assert not server.prompts
        trials = len(bad.prompts)
        assert trials <= 4
        assert main(command) == 2  # such a reply is not kept
    assert len(bad.prompts) == 2 * trials


def test_a_reply_that_is_not_understood_is_repaired_and_then_asked_for_afresh() -> None:
    """A fresh try has its own number: another seed, and not the reply that is kept."""
    step = Judging(Question("kind", "1", "Kind?", lambda reply: reply == "yes", "Not {}".format))
    history: list[Answer] = []
    asked: list[tuple[object, int]] = []
    while (ask := step(history)) is not None:
        asked.append((ask.prompt, ask.fresh))
        history.append(Answer("Hm."))
    assert len(asked) > 2
    assert asked == [
        ("Kind?", 0), ("Not Hm.", 0), *(("Kind?", fresh) for fresh in range(1, len(asked) - 1)),
    ]  # fmt: skip
