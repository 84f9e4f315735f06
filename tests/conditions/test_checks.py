"""What language files hold for conditions: the rules, and a language that brings its own."""

from __future__ import annotations

from dataclasses import replace

import xlgo_dataset as xd
from tests.languages.rules import problems
from tests.looping import looped
from xlgo_dataset.text.languages import String, format_blocks


@looped("code", xd.available())
def test_every_file_keeps_the_rules_and_says_who_wrote_it(code: str) -> None:
    language = xd.load_language(code)
    assert [text for text in problems(language) if text.startswith("conditions")] == []
    assert language.conditions_status == "machine-written, not audited"
    tables = set(language.conditions)
    if code == "en":
        assert tables == {"filler"}
    else:
        inflected = {"english_rules", "english_names"}
        assert tables - inflected == {*format_blocks()}


@looped(
    ("table", "key", "text", "said"),
    [
        ("slt", "format", "  ", "it is empty"),
        ("slt", "more", "x", "no such string"),
        ("dsa", "rules", "{n} {gold}", "{silver} is missing"),
        ("slt", "format", 'x {"chains": [v0, v1, v2, ...]}', "its JSON must be"),
        ("t_rank", "format", "x", "its identifiers must be"),
        ("t_rank", "puzzle_note", "a  b", "doubled spaces"),
        ("filler", "slt", "It rained.", "no such table"),
        ("slt_more", "format", "x", "no such table"),
    ],
)
def test_damage_is_found(table: str, key: str, text: str, said: str) -> None:
    language = xd.load_language("te")
    changed = dict(language.conditions.get(table, {})) | {key: String(text, "machine-written")}
    damaged = replace(language, conditions={**language.conditions, table: changed})
    found = [problem for problem in problems(damaged) if problem.startswith("conditions")]
    assert len(found) >= 1
    assert any(said in problem for problem in found), found
