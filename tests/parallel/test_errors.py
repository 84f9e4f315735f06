"""Types of error in answers by a taxonomy, and how far a judge agrees with people."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.harness.judging.errors import agreement, labels_of, read_taxonomy
from xlgo_cli.logs.results import read_judgements

from .conftest import BAD
from .made import N


def _judge(folder: Path, url: str, *more: str) -> int:
    return main([
        "judge", str(folder), "--model", "local-chat-completions", "--model_args",
        f"model=critic,base_url={url},num_concurrent=2,max_length=65536,max_retries=1",
        *more,
    ])  # fmt: skip


def _respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Errors in Swahili are of language, the others of reasoning; one reply needs a repair."""
    if "Anna hat 29" in prompt and "could not be read" not in prompt:
        return 200, message("It went wrong.")
    error = "Semantic" if "Ana ana" in prompt else "logical"
    return 200, message(f'The model is wrong. {{"error": "{error}"}}')


def stored(folder: Path, name: str) -> dict[str, Any]:
    (file,) = (folder / "judgements").glob(f"errors-{name}-critic-*.json")
    return json.loads(file.read_text())


def test_wrong_answers_are_classified_by_language(sums: Path, tmp_path: Path, capsys: Any) -> None:
    folder = Path(shutil.copytree(sums, tmp_path / "sums"))
    for path in folder.rglob("samples_*.jsonl"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(one for one in lines if '"last-number"' in one) + '{"torn', "utf-8")
    asked = "--errors", "mathematics", "--parallel", "sums_{lang}"
    with ChatServer(_respond) as server:
        assert _judge(folder, server.url, *asked) == 1  # a line is lost
        prompts = [prompt for prompt in server.prompts if "<wrong_answer>" in prompt]
    # A repair quotes the question again.
    first = {prompt for prompt in prompts if "could not be read" not in prompt}
    assert len(first) == sum(map(len, BAD.values()))
    rows = stored(folder, "mathematics")["rows"]
    answered = {row["language"]: (row["answers"], row["judged"]) for row in rows}
    assert answered == {code: (N, len(bad)) for code, bad in BAD.items()}
    shares = {(row["language"], row["error"]): row for row in rows}
    for language, error, n in (("sw", "semantic", len(BAD["sw"])), ("de", "logical", 4)):
        limits = binomtest(n, n).proportion_ci(method="exact")
        row = shares[language, error]
        assert (row["n"], row["share"]) == (n, 1)
        assert (row["low"], row["high"]) == pytest.approx((limits.low, limits.high))
    assert shares["sw", "logical"]["share"] == 0
    assert "Error types in mathematics" in capsys.readouterr().out
    with ChatServer(_respond) as server:  # all replies are recorded
        assert _judge(folder, server.url, *asked) == 1
        assert server.prompts == []


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ('{"error": "factual"} or rather {"error": "regional"}', ("regional",)),
        ('{"error": "2"}', ("regional",)),
        ("Final answer: 4", ("semantic",)),
        ("**Final Answer:** 4", ("semantic",)),
        ('{"error": "logical"}', None),
        ('{"error": 9}', None),
        ('{"error": ["factual", "regional"]}', None),
        ('{"error": []}', None),
        ("factual", None),
        ("{" * 100_000, None),
    ],
)
def test_replies(reply: str, error: tuple[str, ...] | None) -> None:
    assert read_taxonomy("knowledge").read("", reply) == error


def test_somebodys_own_taxonomy_with_several_labels(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'title = "Own"\nprompt = "{response}: {labels} of {count}"\nseveral = true\n'
        '[[label]]\nname = "a"\nexamples = ["x", "y"]\n[[label]]\nname = "b"\ntasks = ["slt"]\n'
    )
    own = read_taxonomy(str(path))
    assert own.read("dsa", '{"error": ["A", "b"]}') is None  # b is of another task
    assert own.read("slt", '{"error": ["A", "b"]}') == ("a", "b")
    assert own.read("slt", '{"error": []}') == ()
    for unread in ("Hard to say.", '{"errors": ["A"]}'):
        assert own.read("slt", unread) is None
    prompt = own.question("slt", {"response": "R", "question": "Q", "answer": "A"}).prompt
    assert prompt == "R: 1. a Examples: x; y.\n2. b of 2"
    with pytest.raises(ValueError, match=r"unknown: allowed are .*mathematics"):
        read_taxonomy("arithmetics")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('context = "x"\n[[label]]\nname = "a"', "context must be a table"),
        ('name = 3\n[[label]]\nname = "a"', "unknown 'name': allowed are context, every"),
        ("[[label]]\nname = 3", "label 1: name must be a text"),
        ('[[label]]\nname = "a"\ntasks = [1]', "label 1: tasks must be a list of texts"),
        ('context = { variant = "x", of = "y" }\n[[label]]\nname = "a"', "same is missing"),
        ('source = "{x}"\n[[label]]\nname = "a"',
         "prompt: unknown 'reply': allowed are answer, count"),
        ("", "label"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_taxonomy_is_told_in_a_line(
    content: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'title = "Own"\nprompt = "{{reply}}"\n{content}\n')
    with pytest.raises(ValueError, match="not a taxonomy of errors") as caught:
        read_taxonomy(str(path))
    assert words in str(caught.value)


def test_types_of_simple_reasoning_are_those_of_figure_6() -> None:
    """Every error of appendix C belongs to one of the section's types; counts as in its lists."""
    own = read_taxonomy("simple_reasoning")
    assert set(own.groups) <= {
        "procedure", "omission", "copying", "parsing", "hallucination", "shortcut", "abandonment",
        "tokenization",
    }  # fmt: skip
    sizes = {task: len(own.labels(task)) for task in ("word_count", "logic_eval", "logic_negation")}
    assert sizes == {"word_count": 10, "logic_eval": 20, "logic_negation": 20}
    assert own.labels("char_count") == []  # the paper leaves it out
    assert own.read("word_count", "So.\nFinal answer: 3") == ("omission",)


def _unpuzzles(folder: Path, answers: Mapping[str, Mapping[str, str]]) -> Path:
    """Logs of two variants of items whose right answer is ``one``, for the puzzle ``two``."""
    lines = []
    for variant, responses in answers.items():
        for item, answer in responses.items():
            reference = {
                "family": "easy", "task": "unpuzzles", "language": "en", "item": item,
                "instance_id": f"{variant}-{item}", "domain": ["one", "two", "three"],
                "answer": {"text": "two" if variant == "original" else "one"},
                "params": {"variant": variant}, "question": f"{variant} {item}?",
                "solution": f"solution of the {variant} {item}",
            }  # fmt: skip
            line = {
                "doc": {"reference": json.dumps(reference)},
                "arguments": [[reference["question"]]],
                "resps": [[f"My final answer is: {answer}"]],
            }
            lines.append(json.dumps(line) + "\n")
    folder.mkdir(exist_ok=True)
    (folder / "samples_unpuzzles_2026-01-02T03-04-05.000000.jsonl").write_text("".join(lines))
    return folder


def test_context_corruption_is_judged_beside_the_puzzle(tmp_path: Path, capsys: Any) -> None:
    """Right and wrong answers alike; the judge sees the puzzle. People disagree on one of three."""
    items = {"a": "one", "b": "two", "c": "three"}
    folder = _unpuzzles(tmp_path, {"original": dict.fromkeys(items, "two"), "unpuzzle": items})
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "question,label\nunpuzzle-a,none\nunpuzzle-b,Delirium\nunpuzzle-c,delirium\nother,none\n"
    )

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        item = next(one for one in items if f"unpuzzle {one}?" in prompt)
        assert f"solution of the original {item}" in prompt
        error = {"a": "none", "b": "delirium", "c": "incorrect"}[item]
        return 200, message(json.dumps({"error": error}))

    with ChatServer(respond) as server:
        more = "--errors", "context_corruption", "--labels", str(labels)
        assert _judge(folder, server.url, *more) == 0
        assert len(server.prompts) == 3
    assert read_judgements(folder.glob("samples_*")) is None  # it decided no answer
    rows = {row["error"]: row for row in stored(folder, "context_corruption")["rows"]}
    assert {name: row["n"] for name, row in rows.items()} == {
        "none": 1, "correct": 0, "delirium": 1, "incorrect": 1,
    }  # fmt: skip
    assert rows["delirium"]["answers"] == 3
    assert "Cohen's kappa 0.50" in capsys.readouterr().out
    alone = _unpuzzles(tmp_path / "alone", {"unpuzzle": items})
    assert _judge(alone, "http://127.0.0.1:9/v1", "--errors", "context_corruption") == 2
    assert "needs the question's variant 'original'" in capsys.readouterr().err


def test_answers_that_are_classified_by_rule_need_no_judge(tmp_path: Path) -> None:
    folder = _unpuzzles(tmp_path, {"unpuzzle": {"a": "", "b": ""}})
    with ChatServer(_respond) as server:
        assert _judge(folder, server.url, "--errors", "knowledge") == 0
        assert server.prompts == []
    assert [row["n"] for row in stored(folder, "knowledge")["rows"] if row["n"]] == [2]


def test_agreement_with_people(tmp_path: Path) -> None:
    """Against scikit-learn's kappa, and counts by hand."""
    people = ["x", "x", "y", "y", "y", "z"]
    judge = ["x", "y", "y", "y", "x", "z"]
    path = tmp_path / "labels.csv"
    path.write_text("question,label\n" + "".join(f"{n},{one}\n" for n, one in enumerate(people)))
    judged = [(("m", "t", "en", str(n)), (one,)) for n, one in enumerate(judge)]
    found = agreement(labels_of(path), judged, "critic")
    assert [row[:3] for row in found.rows] == [("x", 2, 1), ("y", 3, 2), ("z", 1, 1), ("all", 6, 4)]
    low, high = binomtest(1, 3).proportion_ci(method="exact")
    assert found.rows[1][3:] == pytest.approx((1 / 3, low, high))
    assert f"kappa {cohen_kappa_score(people, judge):.2f};" in found.caption
    unread = agreement(labels_of(path), [(name, None) for name, _ in judged], "critic")
    assert unread.rows == ()
    assert "6 replies could not be read" in unread.caption
    path.write_text('question,label\n1,"X; y"\n')
    both = agreement(labels_of(path), [(("m", "t", "en", "1"), ("x", "y"))], "critic")
    assert [row[:3] for row in both.rows] == [("x", 1, 1), ("y", 1, 1), ("all", 1, 1)]
    with pytest.raises(ValueError, match="no label is of an answer"):
        agreement(labels_of(path), [(("m", "t", "en", "9"), ("x",))], "critic")
    for content, words in (
        ("label\n1,x\n1,y", "1 has two rows"),
        ("verdict\n1,x", "no column label"),
    ):
        path.write_text(f"question,{content}\n")
        with pytest.raises(ValueError, match=words):
            labels_of(path)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--parallel", "x_{lang}"], "--parallel needs --errors TAXONOMY"),
        (["--errors", "knowledge", "--parallel", "x_{lang}"], "no task fits"),
        (["--errors", "knowledge", "--check"], "not allowed with argument --errors"),
        (["--labels", "nowhere.csv"], "not a readable CSV file"),
        (["--errors", "knowledge", "--labels", "nowhere.csv"], "not a readable CSV file"),
    ],
)
def test_mistakes(more: list[str], words: str, sums: Path, capsys: Any) -> None:
    assert _judge(sums, "http://127.0.0.1:9/v1/chat/completions", *more) == 2
    assert words in capsys.readouterr().err
