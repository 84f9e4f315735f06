"""The rules of the language files: each kind of damage is found, and sound text is not."""

import re

import pytest

from tests.looping import looped
from xlgo_dataset.text.languages import load_language
from xlgo_dataset.text.languages.checks import check_string

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
