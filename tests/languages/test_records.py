"""What the language files say about their readers, and the pages that show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.languages.rules import problems
from tests.looping import looped
from xlgo_dataset.text.languages import Attribution, available, load_language

DOCS = Path(__file__).parents[2] / "docs"
KEYS = (
    "slt.intro", "slt.gift", "slt.fee", "prdsa.intro", "prdsa.transition", "prdsa.question",
    "t_rank.match", "t_rank.count",
)  # fmt: skip
"""The strings that hold a number, a count, or say who did what to whom. None holds a negation."""
READ = tuple(code for code in available() if "second_reader" in load_language(code).review)


def test_every_machine_written_language_was_read_twice() -> None:
    assert set(READ) >= set(xd.LANGUAGES[1:])
    for code in available():
        review = load_language(code).review
        if review["status"].startswith("machine-written"):
            assert code in READ
            assert review["first_reader"]
            assert "no native speaker" in review["second_reader"]


def test_unaudited_texts_never_prove_a_gap() -> None:
    for code in available():
        language = load_language(code)
        written = any(
            string.source in ("machine-written", "rebuilt")
            for keys in language.tasks.values()
            for string in keys.values()
        )
        for task, judged in language.attribution.items():
            strings = language.tasks[task].values()
            if language.review["status"] != "audited" and written:
                machine = {string.source for string in strings} & {"machine-written", "rebuilt"}
                assert not machine or judged.paper != "yes", f"{code} {task}"
            if any(string.revised for string in strings):
                assert judged.revised != "yes", f"{code} {task}: no speaker read the revision"
            else:
                assert judged.revised in (judged.paper, "limited")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("second_reader", "fine", "does not begin with"),
        ("second_reader", "", "gave no verdict"),
        ("back_translation", "no {prev}", "other placeholders"),
    ],
)
def test_the_check_finds_broken_records(field: str, value: str, message: str) -> None:
    language = load_language("de")
    strings = language.tasks["slt"] | {
        "gift": replace(language.tasks["slt"]["gift"], **{field: value})
    }
    found = problems(replace(language, tasks=language.tasks | {"slt": strings}))
    assert [problem for problem in found if message in problem]


def test_the_check_finds_broken_attributions() -> None:
    language = load_language("de")
    judged = {"slt": Attribution("maybe", "no", " "), "sudoku": Attribution()}
    found = problems(replace(language, attribution=judged, revised_revision=0))
    assert len(found) == 4


def test_rows_name_the_version_of_their_strings() -> None:
    """Another revision or version of one language's strings shows in its own rows only."""
    import json

    import xlgo_dataset as xd

    told = {}
    for code, text in (("en", "revised"), ("te", "revised"), ("te", "paper"), ("ko", "paper")):
        row = next(xd.family("xlgobench").rows("slt", [code], preset="smoke", text=text))
        reference = json.loads(row["reference"])
        told[code, text] = (reference["text"], reference["data"])
    te, ko = load_language("te"), load_language("ko")
    assert told["en", "revised"] == ("revised", xd.DATA_VERSION)
    assert told["te", "revised"] == (f"revised.{te.revised_revision}", xd.DATA_VERSION)
    assert told["te", "paper"] == ("paper", xd.DATA_VERSION)
    assert told["ko", "paper"] == ("paper", ko.data_version)
    assert ko.data_version > xd.DATA_VERSION


@looped(
    ("task", "language", "text", "status"),
    [
        ("slt", "en", "paper", "native-written"),
        ("slt", "en", "revised", "native-written"),  # it has no revision
        ("prdsa", "en", "revised", "edited"),
        ("slt", "zh", "paper", "audited"),  # by the paper's annotators
        ("slt", "zh", "revised", "edited"),
        ("slt", "te", "paper", "machine-written"),  # two passages are lost in print
        ("prdsa", "ta", "paper", "edited"),  # repaired from print
        ("slt", "yo", "paper", "machine-written"),
        ("travel", "te", "paper", "machine-written"),
        ("proof_tree", "en", "paper", "native-written"),
        ("proof_tree", "en", "parallel", "machine-written"),
        ("polymath", "te", "paper", ""),
    ],
)
def test_every_wording_has_a_status(task: str, language: str, text: str, status: str) -> None:
    assert xd.wording_status(task, language, text) == status


def test_no_wording_outside_the_paper_is_audited_yet() -> None:
    """The day that one is, docs/languages.md no longer says that none is."""
    others = [code for code in available() if code not in xd.LANGUAGES]
    statuses = {xd.wording_status(task, code) for task in xd.TASKS for code in others}
    assert statuses == {"machine-written"}
    assert "**No text of this project has been audited by a native speaker.**" in (
        DOCS / "languages.md"
    ).read_text("utf-8")
