"""The rules of the language files: each kind of damage is found, and sound text is not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.languages import rules
from tests.looping import looped
from xlgo_dataset.text.languages import load_language
from xlgo_dataset.text.languages.checks import check_language, check_string

MATCH = "ప్లేయర్ {winner} ప్లేయర్ {loser}ను ఓడించారు."
EXAMPLE = 'ఉదాహరణ: {"state": "గది D6881"}'


def problems(code: str, name: str, text: str) -> list[str]:
    task, _, key = name.partition(".")
    return check_string(load_language(code), task, key, text)


@pytest.mark.parametrize(
    ("code", "name", "text"),
    [
        ("te", "t_rank.match", MATCH),
        ("te", "dsa.example", EXAMPLE),
        ("te", "graph_sp.header", "సామాజిక నెట్\u200cవర్క్ సంబంధాలు:"),  # a joiner after a virama
        ("ar", "prdsa.key_separator", "، "),
        ("ja", "graph_sp.header", "ソーシャルネットワークのつながり："),
        ("en", "prdsa.rules", 'Of {n} take {k}: "{gold}, {silver}".'),
    ],
)
def test_sound_text_passes(code: str, name: str, text: str) -> None:
    assert problems(code, name, text) == []


@looped(
    ("name", "text", "message"),
    [
        ("t_rank.match", "", "empty"),
        ("t_rank.match", "  ", "empty"),
        ("t_rank.match", "ప్లేయర్ {winner} ఓడించారు.", "{loser} is missing"),
        ("t_rank.match", MATCH + " {n}", "{n} is not a placeholder"),
        ("t_rank.match", MATCH.replace("{loser}", "{{loser}}"), "a brace"),
        ("t_rank.match", MATCH.replace("{loser}", "{Loser}"), "{loser} is missing"),
        ("dsa.room", "గది {id} {id}", "{id} occurs more than once"),
        ("prdsa.question", "{keys} {keys} {k} గదులు ఏవి?", "{keys} occurs more than once"),
        ("prdsa.question", "{k} గదులు ఏవి? {keys}", "{k} comes before {keys}"),
        ("t_rank.match", " " + MATCH, "begins or ends with a space"),
        ("t_rank.match", MATCH.replace(" {winner}", "  {winner}"), "doubled spaces"),
        ("t_rank.match", MATCH + "\n", "a line break"),
        ("t_rank.match", "- " + MATCH, "a list mark"),
        ("t_rank.match", "1. " + MATCH, "a list mark"),
        ("t_rank.match", "=" + MATCH, "a formula"),
        ("t_rank.match", MATCH + " IMPORTANT", "format blocks"),
        ("t_rank.match", MATCH.replace("ను", "ఐ தமிழ்"), "not of this language's script"),
        ("t_rank.match", MATCH + " player", "not of this language's script"),
        ("t_rank.match", MATCH.replace(" {loser}", "\u200b{loser}"), "invisible"),
        ("t_rank.match", MATCH.replace(" {loser}", "\u00a0{loser}"), "not the ordinary space"),
        ("t_rank.match", MATCH.replace("ఓ", "\u200cఓ"), "a joiner"),
        ("t_rank.match", MATCH.replace(" ఓ", " \u0c3eఓ"), "a sign without a letter"),
        ("t_rank.match", "“" + MATCH + "”", "typesetting"),
        ("t_rank.match", MATCH + " **", "typesetting"),
        ("t_rank.match", MATCH + " \ufffd", "typesetting"),
        ("t_rank.match", MATCH + " \ue000", "invisible or unassigned"),
        ("t_rank.match", MATCH + " ౩", "digits must be ASCII"),
        ("dsa.example", "ఉదాహరణ: గది D6881", "not a JSON object"),
        ("dsa.example", 'ఉదాహరణ: {“state”: "గది D6881"}', "not a JSON object"),
        ("dsa.example", 'ఉదాహరణ: {"states": "గది D6881"}', "the sample answer must be like"),
        ("dsa.example", 'ఉదాహరణ: {"state": "గది D6882"}', "the sample answer must be like"),
        ("prdsa.key_separator", " లేదా ", "a separator"),
    ],
)
def test_damage_is_found(name: str, text: str, message: str) -> None:
    assert any(message in problem for problem in problems("te", name, text))


def test_a_brace_without_its_other_is_found_wherever_it_stands() -> None:
    for key, text in (("t_rank.match", MATCH), ("prdsa.rules", 'Of {n} take {k}: "{gold}"')):
        inside = {
            i for part in re.finditer(r"\{\w+\}", text) for i in range(part.start() + 1, part.end())
        }
        for place in set(range(len(text) + 1)) - inside:
            for brace in "{}":
                damaged = text[:place] + brace + text[place:]
                found = problems("te", key, damaged)
                assert any("a brace outside" in problem for problem in found), damaged


def test_decomposed_text_is_found() -> None:
    decomposed = "Cha\u0302teau {id}"  # a with a separate circumflex
    assert "it is not in Unicode normal form C" in problems("es", "dsa.room", decomposed)


def test_unknown_string() -> None:
    with pytest.raises(ValueError, match=r"no string t_rank\.nonsense"):
        problems("te", "t_rank.nonsense", "x")


def changed(name: str, **values: Any) -> list[str]:
    """Problems of the Telugu file after one string was changed."""
    language = load_language("te")
    task, _, key = name.partition(".")
    tasks = {name: dict(strings) for name, strings in language.tasks.items()}
    tasks[task][key] = replace(tasks[task][key], **values)
    return check_language(replace(language, tasks=tasks))


def test_damage_of_the_file_as_a_whole() -> None:
    english = load_language("en").tasks["t_rank"]["header"].text
    silver = load_language("te").tasks["dsa"]["silver"].text
    friends = load_language("te").tasks["graph_sp"]["friends"].text
    assert "t_rank.header: it is still the English text" in changed("t_rank.header", text=english)
    assert "dsa.gold: it is the same as silver" in changed("dsa.gold", text=silver)
    assert any("are the same" in p for p in changed("graph_sp.relatives", text=friends))
    assert any("(revised): the placeholder" in p for p in changed("t_rank.count", revised="పది"))
    same = changed("t_rank.match", revised=MATCH, revised_note="none")
    assert "t_rank.match (revised): it is the same as the text" in same
    assert any("no revised_note" in p for p in changed("t_rank.count", revised_note=""))
    assert any(
        "source 'guessed' is not one" in p for p in changed("t_rank.count", source="guessed")
    )


def test_missing_and_additional_strings() -> None:
    language = load_language("te")
    tasks = {name: dict(strings) for name, strings in language.tasks.items()}
    tasks["dsa"]["bronze"] = tasks["dsa"].pop("silver")
    del tasks["slt"]
    found = check_language(replace(language, tasks=tasks))
    assert "dsa.silver: it is missing" in found
    assert "dsa.bronze: there is no such string" in found
    assert "slt.intro: it is missing" in found


def test_head_of_the_file() -> None:
    language = load_language("te")
    review = {**language.review, "status": "fine"}
    found = rules.problems(replace(language, review=review, direction="up"))
    assert any(problem.startswith("review.status") for problem in found)
    assert "direction: it is not one of ltr, rtl" in found
