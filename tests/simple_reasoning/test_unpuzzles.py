"""UNPUZZLES and the fixed questions: loaders, grading, the critic and the paired tests.

All items are the project's own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.simple_reasoning.critic import Critic

simple_reasoning: Any = xd.family("simple_reasoning")


ITEMS = [
    {
        "puzzle_name": "Three buckets",
        "original_puzzle": "With buckets of 8, 5 and 3 litres, how many pourings give 4 litres?",
        "original_solution": "Six pourings do it.",
        "original_answer": "6",
        "original_domain": "int",
        "unpuzzle": "With buckets of 8, 5 and 4 litres, how many pourings give 4 litres?",
        "unpuzzle_solution": "Fill the bucket of four litres from that of eight.",
        "unpuzzle_answer": "1",
        "unpuzzle_domain": "int",
        "shifted_unpuzzle": "A cook has spoons of 8, 5 and 4 grams. How many fillings give 4?",
        "shifted_unpuzzle_answer": "1",
        "shifted_unpuzzle_domain": "int",
        "source": "the project",
    },
    {
        "puzzle_name": "Two doors",
        "original_puzzle": "One guard lies. Which door do you take?",
        "original_solution": "Ask either guard what the other would say.",
        "original_answer": "left",
        "original_domain": "left, right, either",
        "unpuzzle": "No guard lies. Both doors are open and safe. Which door do you take?",
        "unpuzzle_solution": "Both are safe.",
        "unpuzzle_answer": "either",
        "unpuzzle_domain": "left, right, either",
        "shifted_unpuzzle": "Two paths, both safe, both signed so. Which one do you take?",
        "shifted_unpuzzle_answer": "either",
        "shifted_unpuzzle_domain": "left, right, either",
        "source": "the project",
    },
]
PLAIN = ("puzzle_name", "original_puzzle", "original_solution", "original_answer", "unpuzzle",
         "unpuzzle_solution", "unpuzzle_answer", "source")  # fmt: skip


@pytest.fixture
def release(tmp_path):
    """A folder in the layout of the authors' release."""
    folder = tmp_path / "datasets"
    folder.mkdir()
    (folder / "shifted_unpuzzles.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    plain = [{key: item[key] for key in PLAIN} for item in ITEMS]
    (folder / "unpuzzles.json").write_text(json.dumps(plain), encoding="utf-8")
    return str(tmp_path)


def rows(release, **options):
    return list(simple_reasoning.rows("unpuzzles", ["en"], source=release, **options))


def scored(texts, references):
    """The section of UNPUZZLES, of answers with these texts."""
    said = [f"My final answer is: {text}" if text else "I do not know." for text in texts]
    return xm.score(said, references)


def unpuzzles(score):
    return score["families"]["simple_reasoning"]["tasks"]["unpuzzles"]["languages"]["en"]


def test_rows_of_all_variants(release):
    found = rows(release)
    assert ([r["level"] for r in found], len({r["id"] for r in found})) == ([0, 1, 2, 0, 1, 2], 6)
    assert "where N is an integer" in found[0]["prompt"]
    assert found[3]["prompt"].endswith(
        '"My final answer is: X", where X is one of: left, right, either.'
    )
    for row, item in zip(found[::3], ITEMS):
        assert row["prompt"].startswith(item["original_puzzle"])
        assert json.loads(row["answer"]) == {"text": item["original_answer"]}
    assert len(rows(release, variant="unpuzzle")) == 2
    assert len(rows(release, variant=["original", "unpuzzle"], items="all")) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda items: items[0].pop("source"), "source"),
        (lambda items: items[0].pop("unpuzzle_answer"), "unpuzzle_answer"),
        (lambda items: items[0].update(unpuzzle_solution=" "), "unpuzzle_solution"),
        (lambda items: items[1].update(puzzle_name="Three buckets"), "twice"),
        (lambda items: items[1].pop("puzzle_name"), "puzzle_name"),
        (lambda items: items.append(3), "row 2 is no object"),
    ],
)
def test_incomplete_releases_are_refused(tmp_path, change, words):
    items = json.loads(json.dumps(ITEMS))
    change(items)
    path = tmp_path / "shifted_unpuzzles.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        rows(str(path), variant="unpuzzle")


def test_a_blank_answer_goes_to_the_judge(tmp_path):
    items = [ITEMS[0] | {"puzzle_name": "Buckets?", "original_answer": "", "source": ""}]
    (tmp_path / "shifted_unpuzzles.json").write_text(json.dumps(items), encoding="utf-8")
    row = rows(str(tmp_path), variant="original")[0]
    found = (xm.grade("My final answer is: 6", row["reference"]).status, row["instance_id"][-8:])
    assert found == ("needs_judge", "-buckets")
    with pytest.raises(ValueError, match="have no context-shifted variant"):
        rows(str(tmp_path), items="all")


def test_one_answer_of_both_in_another_spelling_is_warned_of(tmp_path):
    items = [ITEMS[0] | {"original_answer": "Six  pourings", "unpuzzle_answer": "six pourings"}]
    (tmp_path / "unpuzzles.json").write_text(json.dumps(items), encoding="utf-8")
    with pytest.warns(UserWarning, match="the same answer"):
        rows(str(tmp_path), variant=["unpuzzle"], items="all")


@pytest.mark.parametrize(
    ("number", "text", "status"),
    [
        (0, "My final answer is: 6", "correct"),
        (0, "**My final answer is: 6.**", "correct"),
        (0, "My final answer is: $\\boxed{6}$", "correct"),
        (0, "My final answer is: 6 pourings", "correct"),
        (0, "My final answer is: 5. No. My final answer is: 6", "correct"),
        (0, "The answer is 6", "correct"),
        (0, "\\boxed{6}", "correct"),
        (0, "My final answer is: 16", "wrong"),
        (0, "My final answer is: six or seven", "bad_format"),
        (0, "There are many ways.", "no_answer"),
        (0, "<think>My final answer is: 6", "correct"),
        (3, "My final answer is: left", "correct"),
        (3, "My final answer is: **Left**.", "correct"),
        (3, "My final answer is: left, of course", "correct"),
        (3, "My final answer is: either", "wrong"),
        (3, "My final answer is: not left", "bad_format"),
        (3, "My final answer is: leftover", "bad_format"),
    ],
)
def test_answers_with_a_domain(release, number, text, status):
    assert xm.grade(text, rows(release)[number]["reference"]).status == status


@pytest.mark.parametrize(
    ("different", "relation", "correct"),
    [
        ("<answer>no</answer>", "<answer>supports</answer>", True),
        ("<answer>No.</answer>", "<answer>‘supports’</answer>", True),
        ("<think>yes</think><answer>no</answer>", "so <answer>supports", True),
        ("<answer>yes</answer>", "<answer>supports</answer>", False),
        ("<answer>yes</answer>? Rather <answer>no</answer>", "<answer>supports</answer>", True),
        ("<answer>no</answer>", "<answer>contradicts</answer>", False),
        ("<answer>no</answer>", "<answer>is not directly related to</answer>", False),
        ("<answer>yes or no</answer>", "<answer>supports</answer>", None),
        ("no", "supports", None),
    ],
)
def test_the_rule_of_the_critic(different, relation, correct):
    grade = Critic().decide(xm.Grade(False, "needs_judge"), [different, relation])
    assert (None if grade.status == "needs_judge" else grade.correct) is correct


def test_what_a_critic_is_asked():
    """What is put in is not looked at for placeholders again, and thinking is not shown."""
    asked = {"question": "Why {response}?", "solution": "Because."}
    waiting, said = xm.Grade(False, "needs_judge"), "<think>hidden</think>I say {unpuzzle}."
    first, second = (question.prompt for question in Critic().questions(waiting, said, asked))
    assert "Why {response}?" in first
    assert "Because." in first
    assert "I say {unpuzzle}." in second
    assert "hidden" not in first + second
    (long, _) = Critic().questions(waiting, "x" * 30_000 + " so it is.", asked)
    assert "xx so it is.\n" in long.prompt
    assert long.prompt.count("x") < 20_100
    with pytest.raises(ValueError, match="solution"):
        Critic().questions(waiting, "I say it.", {"question": "Why?"})


@pytest.mark.parametrize(
    ("text", "replies", "status"),
    [
        ("a single one", ["<answer>no</answer>", "<answer>supports</answer>"], "correct"),
        ("six", ["<answer>no</answer>", "<answer>contradicts</answer>"], "wrong"),
        ("six", ["Hm.", "Hm."], "needs_judge"),
        ("1", [], "correct"),
        ("", [], "no_answer"),
    ],
)
def test_grading_with_a_critic(release, text, replies, status):
    reference = json.loads(rows(release, variant="unpuzzle", items="all")[0]["reference"])
    said = f"My final answer is: {text}" if text else ""
    found = xm.grade(said, reference)
    assert (found.status == "needs_judge") is bool(replies)
    if replies:
        assert len(Critic().questions(found, said, reference)) == len(replies)
        found = Critic().decide(found, replies)
    assert (found.status, found.correct) == (status, status == "correct")


def test_an_unanswered_puzzle_is_not_answered_as_the_original(release):
    found = rows(release, variant=["original", "unpuzzle"])
    section = scored(["6", "6", "left", None], [row["reference"] for row in found])
    (row,) = unpuzzles(section)["memorized"]
    assert (row["items"], row["answered"], row["share"]) == (2, 1, 0.5)


def test_variants_are_compared_in_pairs(release):
    texts = ["6", "6", "1", "either", "left", "either"]
    section = scored(texts, [row["reference"] for row in rows(release)])
    part = unpuzzles(section)
    pairs = {
        (cell["baseline"], cell["other"]): (cell["n"], cell["discordant"], cell["p_value"])
        for cell in part["variants"]
    }
    assert pairs["unpuzzle", "context_shifted"] == (2, [0, 2], 0.5)
    assert pairs["original", "unpuzzle"] == (2, [1, 0], 1.0)
    cells = {c["params"]["variant"]: c["accuracy"] for c in part["cells"]}
    assert cells == {"original": 0.5, "unpuzzle": 0.0, "context_shifted": 1.0}
    tables = {t.name: t for t in xm.tables(section)}
    assert len(tables["unpuzzles_mcnemar"].rows) == 3
    paper = tables["unpuzzles_en"]
    row = next(r for r in paper.rows if r[0] == "context_shifted")
    assert dict(zip(paper.names, row))["o3"] == 0.8


RELEASED: list[dict[str, Any]] = [
    {"task": "word_count", "question": "Q1", "answer": {"a": 3, "b": 2}, "custom_id": "a"},
    {"task": "character_count", "input": "Q2", "answer": 7, "m": 50},
    {"task": "logic_evaluation", "question": "Q3", "answer": "b ", "custom_id": "c", "depth": "4"},
    {"task": "logic_negation", "question": "Q4", "answer": "D", "custom_id": "d", "options": ["A"]},
    {"task": "mathgap_diverse", "question": "Q5", "answer": "13", "custom_id": "e", "depth": 3},
    {"task": "mathgap_irrelevant", "question": "Q6", "answer": 25, "custom_id": "f"},
    {
        "task": "travel", "question": "Q7", "custom_id": "g",
        "answer": {
            "city_start": "Oslo", "city_end": "Moss", "total_budget": 20, "steps": 2,
            "graph": {"Oslo": {"Moss": ["bus", "car"]}, "Moss": {}},
            "costs": {"OsloMossbus": 20, "OsloMosscar": 21},
        },
    },
]  # fmt: skip


def test_the_authors_questions_load_and_are_graded(tmp_path):
    path = tmp_path / "simple_reasoning.json"
    path.write_text(json.dumps(RELEASED), encoding="utf-8")
    found = list(simple_reasoning.rows("released", ["en"], source=str(tmp_path)))
    assert [r["prompt"] for r in found] == [f"Q{i}" for i in range(1, 8)]
    assert [r["complexity"] for r in found] == [2, 50, 4, 0, 3, 0, 2]  # the last: cities to visit
    assert [r["instance_id"] for r in found] == [f"released-test-{name}" for name in "a1cdefg"]
    assert json.loads(found[3]["reference"])["params"] == {"released": True}
    right = [
        "The words appear [3, 2] times.", "The character appears #7# times.", "<answer>B</answer>",
        "<answer>D</answer>", "\\boxed{13}", "\\boxed{25}", "[('Oslo', 'Moss', 'bus')]",
    ]  # fmt: skip
    for text, row in zip(right, found):
        assert xm.grade(text, row["reference"]).correct, row
    over = xm.grade("[('Oslo', 'Moss', 'car')]", found[-1]["reference"])
    assert over.details["violation"] == "over_budget"
    xm.tables(xm.score(right, [r["reference"] for r in found]))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task": "chess"}, "chess"),
        ({"question": ""}, "no question"),
        ({"answer": "many"}, "answer"),
        *(
            (
                RELEASED[6]
                | {"answer": {k: v for k, v in RELEASED[6]["answer"].items() if k != name}},
                f"question g: cannot understand its answer .'{name}'",
            )
            for name in ("city_start", "steps", "costs", "graph", "total_budget")
        ),
    ],
)
def test_released_questions_out_of_form_are_named(tmp_path, change, words):
    path = tmp_path / "simple_reasoning.json"
    path.write_text(json.dumps([RELEASED[4] | change]), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        list(simple_reasoning.rows("released", ["en"], source=str(path)))


def test_wrong_answers_of_the_release_are_corrected_by_default(tmp_path):
    lights, bar = "Circle of Lights", "Cutting a chocolate bar"
    shifted = {"shifted_unpuzzle_answer": "N", "shifted_unpuzzle_domain": "symbols"}
    original = {"original_answer": "m * (n-1) steps", "original_domain": "int"}
    items = [
        ITEMS[0] | {"puzzle_name": lights} | shifted, ITEMS[1] | {"puzzle_name": bar} | original,
    ]  # fmt: skip
    path = tmp_path / "shifted_unpuzzles.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    references = [json.loads(row["reference"]) for row in rows(str(path))]
    found = {(r["item"], r["params"]["variant"]): r for r in references}
    corrected = found[lights, "context_shifted"]
    assert (corrected["answer"]["text"], corrected["domain"]) == ("50", "integer")
    assert found[lights, "original"]["answer"]["text"] == "6"  # as the release has it
    length = found[bar, "original"]
    assert (length["answer"]["text"], length["domain"]) == ("m * n - 1", None)
    section = scored(["50"], [json.dumps(corrected)])
    assert "|corrections:1|" in section["signature"]
    assert unpuzzles(section)["accuracy"] == 1
    with pytest.warns(UserWarning, match="not in its domain 'symbols'"):
        plain = [json.loads(r["reference"]) for r in rows(str(path), corrections="none")]
    assert {r["corrections"] for r in plain} == {"none"}
    assert [r["answer"]["text"] for r in plain if r["item"] == lights][2] == "N"
    with pytest.raises(ValueError, match="corrections='some' must be one of project, none"):
        rows(str(path), corrections="some")


@pytest.mark.parametrize(
    ("corrections", "answer"), [("project", "m * n - 1"), ("none", "m * (n-1) steps")]
)
def test_answers_are_corrected_where_the_release_has_no_domains(
    tmp_path: Path, corrections: str, answer: str
) -> None:
    item = {**ITEMS[0], "puzzle_name": "Cutting a chocolate bar"}
    plain = {key: item[key] for key in PLAIN} | {"original_answer": "m * (n-1) steps"}
    (tmp_path / "unpuzzles.json").write_text(json.dumps([plain]), encoding="utf-8")
    (row,) = rows(str(tmp_path), variant="original", items="all", corrections=corrections)
    assert json.loads(row["reference"])["answer"] == {"text": answer}
