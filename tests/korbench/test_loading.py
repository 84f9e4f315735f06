"""The loader and the rows of the loaded tasks, on a small set of our own."""

import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.korbench import ciphers, loading

from .test_kor_grading import FIXTURE, REAL, lines_of as jsonl

korbench: Any = xd.family("korbench")


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(FIXTURE, tmp_path / "copy"))


def rewrite(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


GONE = "no such column"


def rows(task, source=FIXTURE, **options):
    return list(korbench.rows(task, ["en"], source=str(source), **options))


def prompts(source, task="kor_logic", **options):
    return [row["prompt"] for row in rows(task, source, **options)]


def test_of_a_part_in_two_formats_the_lines_are_asked(copy: Path) -> None:
    items = jsonl(copy / "logic" / "sample.jsonl")
    other = pyarrow.Table.from_pylist([{**item, "question": "Another one?"} for item in items])
    pyarrow.parquet.write_table(other, copy / "logic" / "sample.parquet")
    assert prompts(copy) == prompts(FIXTURE)


def test_a_missing_file_is_named_with_what_is_there(copy):
    (copy / "logic" / "rule.jsonl").unlink()
    with pytest.raises(ValueError, match=r"has no file logic-rule \(jsonl, .* cipher-rule"):
        prompts(copy)
    (copy.parent / "empty").mkdir()
    with pytest.raises(ValueError, match="found none of the data files"):
        prompts(copy.parent / "empty")


@pytest.mark.parametrize(
    ("name", "last", "task", "message"),
    [
        ("logic/sample.jsonl", None, "kor_logic", "has no rows: copy it again"),
        *(
            (name, {column: value}, task, f"has no '{column}': its columns are idx, ")
            for value in (None, GONE)
            for name, column, task in (
                ("logic/rule.jsonl", "rule_content", "kor_logic"),
                ("logic/sample.jsonl", "question", "kor_logic"),
                ("logic/sample.jsonl", "answer", "kor_logic"),
                ("logic/sample.jsonl", "rule_id", "kor_logic"),
                ("counterfactual/sample.jsonl", "real_life_answer", "kor_counterfactual"),
                ("mixed/Multi-R.jsonl", "rule_list", "kor_multi_r"),
            )
        ),
        ("logic/sample.jsonl", {"rule_id": "99"}, "kor_logic", "logic has no rule '99'"),
        ("logic/sample.jsonl", {"needle": []}, "kor_self_correction", "has no list 'needle'"),
        ("logic/three-shot.jsonl", {"rule_id": "x"}, "kor_logic", "has 2 solved examples, shots=3"),
        ("puzzle/sample.jsonl", {"trick": ""}, "kor_puzzle_trick", "has no 'trick'"),
        (
            "mixed/Multi-Q.jsonl",
            {"question_list": ["logic_x"]},
            "kor_multi_q",
            "no question 'logic_x'",
        ),
        (
            "mixed/Multi-R.jsonl",
            {"rule_list": ["art_1"]},
            "kor_multi_r",
            "'art_1' is not written as",
        ),
        (
            "cipher/subquestions.json",
            {"steps_details": [{"description": "Do it."}]},
            "kor_cipher_steps",
            "step 1 has no 'answer'",
        ),
    ],
)
def test_what_the_last_row_lacks_is_named(copy, name, last, task, message):
    items = jsonl(copy / name) if name.endswith("l") else json.loads((copy / name).read_text())
    row = {name: x for name, x in {**items[-1], **(last or {})}.items() if x != GONE}
    items = [] if last is None else [*items[:-1], row]
    (copy / name).write_text(json.dumps(items)) if name.endswith("n") else rewrite(
        copy / name, items
    )
    options: Any = {"kor_logic": {"shots": 3}, "kor_self_correction": {"needle": True}}
    with pytest.raises(ValueError, match=message):
        prompts(copy, task, **options.get(task, {}))


def test_shards_and_names_in_another_spelling_are_the_same_data(copy):
    items = jsonl(copy / "logic" / "sample.jsonl")
    (copy / "logic" / "sample.jsonl").unlink()
    for number, part in enumerate((items[:5], items[5:])):
        other = [{name.replace("_", "-").upper(): row[name] for name in row} for row in part]
        rewrite(copy / f"Logic_Sample-0000{number}-of-00002.jsonl", other)
    assert prompts(copy) == prompts(FIXTURE)


def test_every_step_of_a_cipher_is_a_question_of_its_own():
    steps = {
        f"kor_cipher_steps-{item['idx']}-{number}": (item, number, step)
        for item in json.loads((FIXTURE / "cipher" / "subquestions.json").read_text("utf-8"))
        for number, step in enumerate(item["steps_details"], 1)
    }
    found = {row["instance_id"]: row for row in rows("kor_cipher_steps", mode="paper")}
    assert found.keys() == steps.keys()
    for name, (item, number, step) in steps.items():
        row, asked = found[name], f"{item['input']}\n\n{step['description']}"
        said = (json.loads(row["answer"]), row["complexity"], row["level"], asked in row["prompt"])
        assert said == (step["answer"], number, int(item["rule_id"]), True)
        assert json.loads(row["reference"])["mode"] == "paper"


def test_self_correction_of_two_categories_with_the_sentences_that_matter_and_without():
    task, categories = "kor_self_correction", "puzzle,logic"
    found = [rows(task, categories=categories, needle=shown) for shown in (False, True)]
    assert {row["instance_id"].split("-")[1] for row in found[0]} == {"puzzle", "logic"}
    assert len({row["id"] for row in (*found[0], *found[1])}) == 2 * (24 + 12)
    shown = [{len(json.loads(row["reference"])["needle"]) > 0 for row in asked} for asked in found]
    assert shown == [{False}, {True}]


def test_the_revision_of_a_folder_is_its_content_and_can_be_pinned(copy):
    before = loading.load(str(copy)).revision
    assert before == loading.load(str(FIXTURE)).revision
    assert prompts(copy, revision=before) == prompts(FIXTURE)
    (copy / "notes.md").write_text("not data")
    assert loading.load(str(copy)).revision == before
    items = jsonl(copy / "logic" / "sample.jsonl")
    rewrite(copy / "logic" / "sample.jsonl", [{**items[0], "answer": "[[p9]]"}, *items[1:]])
    assert loading.load(str(copy)).revision != before
    with pytest.raises(ValueError, match=f"has the revision sha256-.*, not {before}"):
        prompts(copy, revision=before)


def by_idx(name):
    return {row["idx"]: row for row in jsonl(FIXTURE / f"{name}.jsonl")}


@pytest.mark.parametrize("setting", ["Multi-Q", "Multi-R", "Multi-RQ"])
def test_a_mixed_row_holds_its_rules_questions_and_a_template(setting):
    entries = by_idx(f"mixed/{setting}")
    for row in rows("kor_" + setting.lower().replace("-", "_")):
        reference, prompt = json.loads(row["reference"]), row["prompt"]
        entry, asked = entries[reference["idx"]], reference["questions"]
        assert [f"{q['category']}_{q['idx']}" for q in asked] == entry["question_list"]
        assert reference["rules"] == entry["rule_list"]
        items = [by_idx(f"{q['category']}/sample")[q["idx"]] for q in asked]
        stored = [(item["answer"], item["rule_id"]) for item in items]
        assert [(q["answer"], q["rule_id"]) for q in asked] == stored
        assert reference["answer"] == [answer for answer, _ in stored]
        assert (row["complexity"], row["level"]) == (len(asked), len(entry["rule_list"]))
        named = [name.split("_") for name in entry["rule_list"]]
        texts = [by_idx(f"{name}/rule")[idx]["rule_content"].strip() for name, idx in named]
        texts += [f"\n{n}. {item['question'].strip()}" for n, item in enumerate(items, 1)]
        places = [prompt.index(text) for text in texts]
        assert places == sorted(places)
        assert list(json.loads(prompt[prompt.index("{") : prompt.index("}") + 1])) == [
            f"question{n}" for n in range(1, len(asked) + 1)
        ]


@pytest.mark.parametrize("category", loading.CATEGORIES)
@pytest.mark.parametrize("shots", [0, 3])
def test_a_question_comes_with_its_rule_or_without_any_and_with_its_stored_answer(category, shots):
    tags = {idx: row.get("tag") for idx, row in by_idx(f"{category}/rule").items()}
    rules = {idx: row["rule_content"] for idx, row in by_idx(f"{category}/rule").items()}
    items = by_idx(f"{category}/sample")
    plain = rows(f"kor_{category}", shots=shots)
    bare = rows(f"kor_{category}", shots=shots, rules=False)
    assert len(plain) == len(items)
    assert [row["instance_id"] for row in bare] == [row["instance_id"] for row in plain]
    assert not {row["id"] for row in bare} & {row["id"] for row in plain}
    for with_rule, without in zip(plain, bare):
        reference, prompt = json.loads(with_rule["reference"]), with_rule["prompt"]
        item = items[reference["idx"]]
        expected = {
            "category": category, "rule_id": item["rule_id"], "answer": item["answer"],
            "tag": tags[item["rule_id"]],
        }  # fmt: skip
        assert {name: reference.get(name) for name in expected} == expected
        assert (with_rule["level"], with_rule["instance_id"]) == (
            int(item["rule_id"]), f"kor_{category}-{item['idx']}",
        )  # fmt: skip
        rule = rules[item["rule_id"]].strip()
        assert -1 < prompt.find(rule) < prompt.rindex(item["question"].strip())
        assert [own for own in rules.values() if own.strip() in prompt] == [rules[item["rule_id"]]]
        assert prompt.endswith(without["prompt"])
        assert rule not in without["prompt"]
        assert without["prompt"].startswith("### Question:\n")
        for each in (prompt, without["prompt"]):
            assert each.count("### Question:") == 1 + shots
        assert json.loads(without["reference"])["rule_shown"] is False


# The cipher programs and fresh questions: second programs, round trips, the published answers.


@pytest.mark.parametrize("rule_id", list(ciphers.CIPHERS))
def test_the_examples_in_a_rule_text_are_right(rule_id):
    cipher = ciphers.CIPHERS[rule_id]
    text = cipher.text().split("To decrypt")[0].split("To encrypt")[1]
    shown = {
        "3": ("AF", "2^13^3"), "13": ("AC", "BX"), "14": ("TH", "415"), "15": ("H", "BH"),
        "16": ("HELLOWORLD", "HL#*ERD*LO*LW*O#*"),
        "17": ("LIDAHELLOWORLD", "LWO#IOR#DLL#ALD#HE#"),
        "18": ("LOVEHELLOWORLD", "LHEOWLLOORDVE##L"), "19": ("AE", "AXFV"),
        "20": ("ABCDEFG", "BEAGFCD"), "21": ("A", "11011101"), "24": ("A", "780"),
    }  # fmt: skip
    if rule_id in shown:
        plain, code = shown[rule_id]
        assert plain in text
        assert code in text
        assert cipher.encode(plain)[: len(code)] == code
    else:
        assert "becomes " not in text or rule_id in ("1", "6", "22")


@pytest.mark.skipif(not REAL, reason="XLGO_REAL_DATA names no folder with the published data")
def test_all_published_answers_are_reproduced():
    folder, count = Path(str(REAL)) / "kor" / "cipher", 0
    for name in ("sample", "three-shot"):
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            item, count = json.loads(line), count + 1
            cipher, question = ciphers.CIPHERS[item["rule_id"]], item["question"]
            text = re.search(r'text: "([^"]*)"', question)[1]
            key = re.search(r"Key: *([A-Z]+)", question)
            disc = re.search(r"period: *(\d+)\s+increment: *(\d+)", question)
            parameters = {"key": key[1]} if key else {}
            if disc:
                parameters = {"period": int(disc[1]), "increment": int(disc[2])}
            answer = item["answer"].removeprefix("[[").removesuffix("]]")
            plain, secret = (text, answer) if item["category"] == "Encryption" else (answer, text)
            assert cipher.encode(plain, **parameters) == secret, item
    assert count == 325


TASK = "kor_cipher_fresh"
COLUMNS = {
    "id", "instance_id", "task", "language", "complexity", "level", "index", "seed", "prompt",
    "answer", "reference",
}  # fmt: skip
SCHEDULES = {
    **dict.fromkeys(map(str, range(1, 26)), (1, 1, 1, 2, 11)),
    **dict.fromkeys(("11", "12", "13", "14"), (2, 2, 2, 2, 11)),
    **dict.fromkeys(("16", "17"), (5, 8, 11, 20, 35)),
    "18": (4, 8, 12, 20, 35),
    "20": (7, 7, 7, 8, 16),
}
"""As the released questions have them (measured)."""


@pytest.fixture(scope="module")
def fresh():
    return list(korbench.rows(TASK, ["en"]))


def test_ten_distinct_questions_for_each_of_25_rules(fresh):
    assert [(row["index"], row["level"]) for row in fresh] == [
        (index, rule) for index in range(10) for rule in range(1, 26)
    ]
    assert (
        pyarrow.concat_tables(korbench.tables(TASK, ["en"], indexes=[3])).to_pylist()
        == fresh[75:100]
    )
    for column in ("id", "instance_id", "prompt"):
        assert len({row[column] for row in fresh}) == 250
    assert all(set(row) == COLUMNS for row in fresh)


def test_lengths_and_directions_follow_the_released_questions(fresh):
    for row in fresh:
        reference = json.loads(row["reference"])
        index, rule_id = row["index"], reference["rule_id"]
        length = SCHEDULES[rule_id][index // 2]
        assert reference["direction"] == ("Encryption", "Decryption")[index % 2]
        assert row["complexity"] == length + (rule_id == "11") * (length % 2)


def test_a_fresh_question_is_told_by_all_that_names_it():
    one = korbench.generate(TASK, rule_id="16", index=13, shots=3, seed=4)
    assert one.complexity == SCHEDULES["16"][1]  # the fourth of the second ten
    again = korbench.instance_from_json(TASK, json.loads(json.dumps(one.to_json())))
    prompts = [korbench.render(each, "en") for each in (one, again)]
    assert (again.to_json(), prompts[1]) == (one.to_json(), prompts[0])
    assert one.examples != korbench.generate(TASK, rule_id="16", shots=3, seed=5).examples
    long = korbench.generate(TASK, rule_id="9", complexity=40)
    assert (long.complexity, "J" in long.ciphertext) == (40, False)  # J has two readings


def test_fresh_questions_with_the_rules_of_the_release(copy):
    texts = [json.dumps({"idx": str(n), "rule_content": f"The rule {n}."}) for n in range(1, 26)]
    (copy / "cipher" / "rule.jsonl").write_text("\n".join(texts))
    revision = loading.load(str(copy)).revision
    for n, row in enumerate(rows(TASK, copy, per_rule=1, revision=revision), 1):
        about = (row["id"][-12:], json.loads(row["reference"])["revision"][-19:])
        assert (f"The rule {n}.\n" in row["prompt"], *about) == (True, "-en-released", revision)
    with pytest.raises(ValueError, match="not another"):
        rows(TASK, copy, revision="another")


def test_the_three_examples_are_of_the_same_rule_and_never_the_question():
    for row in korbench.rows(TASK, ["en"], shots=3):
        reference = json.loads(row["reference"])
        *solved, last = row["prompt"].split("### Question:\n")[1:]
        assert (len(solved), len(set(solved))) == (3, 3)
        shown = {part.split('"')[1] for part in solved}
        answers = {part.split("### Answer:\n[[")[1].split("]]")[0] for part in solved}
        assert last.split('"')[1] == reference["text"]
        assert reference["text"] not in shown | answers
        assert row["id"].endswith("-en-3shot")


ENCODED: list[tuple[str, str, dict[str, Any], str]] = [
    ("1", "", {}, "must be one or more letters"),
    ("1", "abc", {}, "must be one or more letters"),
    ("8", "A", {}, "has the parameters key; got none"),
    ("8", "A", {"key": "a"}, "must be letters A to Z"),
    ("9", "A", {"period": 0, "increment": 1}, "must be an integer from 1"),
    ("9", "A", {"period": True, "increment": 1}, "must be an integer from 1"),
    ("8", "A", {"key": "A", "period": 1}, "has the parameters key; got key, period"),
    ("1", "A", {"key": "A"}, "has the parameters none; got key"),
]
GENERATED: list[tuple[dict[str, Any], str]] = [
    ({"rule_id": "26"}, "unknown rule_id '26'"),
    ({"complexity": 0}, "complexity=0 must be an integer from 1"),
    ({"complexity": 1001}, "must be an integer from 1 to 1000"),
    ({"shots": 2}, "shots=2 must be one of 0, 3"),
    ({"split": "dev"}, "unknown split 'dev'"),
    ({"seed": -1}, "seed=-1 must be an integer from 0"),
    ({"index": True}, "index=True must be an integer from 0"),
    ({"depth": 1}, "unknown parameter 'depth'"),
]
WHOLE = korbench.generate(TASK).to_json()
FORMS: list[tuple[dict[str, Any], str]] = [
    (WHOLE | {"plaintext": None}, "plaintext a text"),
    (WHOLE | {"category": "Both"}, "category must be"),
    (WHOLE | {"rule_id": "0"}, "unknown rule_id '0'"),
    (WHOLE | {"parameters": {"key": "A"}}, "has the parameters none"),
    (WHOLE | {"plaintext": "a"}, "must be one or more letters"),
    ({}, "has no 'rule_id'"),
]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *((partial(ciphers.CIPHERS[rule].encode, text, **given), said)
          for rule, text, given, said in ENCODED),
        *((partial(korbench.generate, TASK, **given), said) for given, said in GENERATED),
        *((partial(korbench.instance_from_json, TASK, form), said) for form, said in FORMS),
        (partial(korbench.render, korbench.generate(TASK), "en", "revised"), "allowed are en"),
        (partial(korbench.options, "kor_logic", source="./no"), "there is no such folder"),
    ],
)  # fmt: skip
def test_wrong_texts_parameters_and_forms_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
