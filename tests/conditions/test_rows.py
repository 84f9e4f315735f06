"""Rows under conditions: ids, references, which rows there are, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_lm_eval.tasks import utils

FAMILY = xd.family("xlgobench")
SMALL: dict[str, Any] = {"complexities": [5], "per_level": 2}


def rows(task: str, languages: list[str], **options: Any) -> list[dict[str, Any]]:
    return list(FAMILY.rows(task, languages, **SMALL, **options))


def test_plain_rows_are_what_they_were() -> None:
    plain = rows("dsa", ["en", "te"])
    assert rows("dsa", ["en", "te"], conditions=("plain",)) == plain
    mixed = rows("dsa", ["en", "te"], conditions="english_names,plain,native_format")
    assert [row for row in mixed if ":" not in row["id"]] == plain
    assert all("condition" not in json.loads(row["reference"]) for row in plain)


def test_ids_and_references() -> None:
    names = ("plain", "english_rules", "native_format")
    found = rows("dsa", ["en", "te"], conditions=names)
    assert [row["id"].removeprefix(row["instance_id"]) for row in found[:4]] == [
        "-en", "-te", "-te:english_rules", "-te:native_format",
    ]  # fmt: skip
    for row in found:
        reference = json.loads(row["reference"])
        name = reference.get("condition", "plain")
        assert row["id"].endswith("" if name == "plain" else f":{name}")
        assert reference["language"] == row["language"]
        assert reference["instance_id"] == row["instance_id"]
        assert FAMILY.prompt(reference, "paper") == row["prompt"]
        assert xm.grade(row["answer"], reference).correct
        assert reference["answer"] == xd.solve(
            xd.generate("dsa", complexity=5, index=row["index"])
        )  # plain under every condition
    assert len({row["id"] for row in found}) == len(found)
    assert len({row["instance_id"] for row in found}) == 2


def test_the_harness_makes_the_same_prompts() -> None:
    names = "plain,english_lines,native_format,length_matched"
    docs = utils.load(
        xlgo_family="xlgobench",
        xlgo_task="dsa",
        xlgo_options=",".join(FAMILY.options("dsa")),
        languages="en,te",
        conditions=names,
        **SMALL,
    )["test"]
    wanted = rows("dsa", ["en", "te"], conditions=names)
    assert [doc["id"] for doc in docs] == [row["id"] for row in wanted]
    assert [utils.doc_to_text(doc) for doc in docs] == [row["prompt"] for row in wanted]
    values = [utils.process_results(doc, [row["answer"]]) for doc, row in zip(docs, wanted)]
    plain = [value for value in values if value]  # the harness's table is that of plain questions
    assert len(plain) == sum("condition" not in json.loads(row["reference"]) for row in wanted)
    assert all(value["acc"] == 1.0 for value in plain)
    assert {value["smd_te"][2][1] for value in plain} == {"en", "te"}


@pytest.mark.parametrize(
    ("task", "languages", "options", "said"),
    [
        ("slt", "en,te", {"conditions": "english_names"}, "slt: the condition english_names"),
        ("dsa", "te", {"conditions": "plain,english"}, "'plain,english' must be names of plain,"),
        ("dsa", "te", {"conditions": ""}, "conditions='' must be names of plain,"),
        ("dsa", "te", {"conditions": 3}, "=3 must be names of .*, joined by commas or in a list"),
        ("dsa", "ur", {"conditions": "romanised"}, "dsa ur: the condition romanised is for hi"),
        ("slt", "zh", {"conditions": "length_matched"}, "slt zh: length_matched: a prompt of 5"),
        (
            "dsa",
            "te",
            {"conditions": "length_matched", "condition_tokenizer": "no/such"},
            "tokenizer 'no/such' cannot be loaded",
        ),
    ],
)
def test_what_is_refused(task: str, languages: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rows(task, languages.split(","), **options)
