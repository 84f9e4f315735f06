"""Faults of meaning, planted in three languages each, are found; texts as they are have none."""

from dataclasses import replace

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.language.meaning import meaning_problems
from xlgo_dataset.text.languages import Language, load_language

# By language and string: words as they stand, and a fault in their place.
PLANTED = {
    "winner and loser swapped": [
        ("de", "t_rank.match", "Spieler {winner} hat gegen Spieler {loser}",
         "Spieler {loser} hat gegen Spieler {winner}"),
        ("te", "t_rank.match", "{winner} ప్లేయర్ {loser}ను", "{winner}ను ప్లేయర్ {loser}"),
        ("sw", "t_rank.match", "alimshinda Mchezaji", "alishindwa na Mchezaji"),
    ],
    "an operation changed": [
        ("fr", "slt.gift", "a multiplié le solde", "a divisé le solde"),
        ("hi", "slt.fee", "से गुणा किया", "घटाया"),
        ("yo", "slt.fee", "ìlọ́po", "ìdínkù"),
    ],
    "a fee that is a gift": [
        ("it", "slt.fee", "pretese un compenso di", "donò"),
        ("ru", "slt.fee", "потребовал плату в размере", "подарил"),
        ("zh", "slt.fee", "索要了 {b} 的费用", "赠予了 {b}"),
    ],
    "exactly dropped": [
        ("es", "t_rank.count", "exactamente ", ""),
        ("ta", "t_rank.count", "சரியாக ", ""),
        ("my", "t_rank.count", "တိတိ", ""),
    ],
    "an ending parted": [
        ("te", "dsa.transition", "మీరు {key}ని", "మీరు {key} ని"),
        ("ko", "t_rank.count", "선수는", "선수 는"),
        ("bn", "t_rank.count", "মোট ঠিক", "খেলোয়াড় কে ঠিক"),
    ],
    "an identifier touches an amount": [
        ("ml", "slt.fee", "{b} പ്രതിഫലമായി {cur}", "{cur} {b} പ്രതിഫലമായി"),
        ("uz", "slt.fee", "{cur} savdogardan {b}", "{cur} {b}"),
        ("ha", "slt.fee", "{cur} ya nemi a biya shi ladan {b}", "ladan {cur} {b}"),
    ],
    "the rooms swapped": [
        ("pl", "dsa.transition", "{room} wybierzesz {key}, trafisz do pokoju {next}",
         "{next} wybierzesz {key}, trafisz do pokoju {room}"),
        ("en", "prdsa.transition", "{next1}", "{next3}"),
        ("vi", "graph_sp.question", "{source}", "{target}"),
    ],
}  # fmt: skip
SWAPPED = {"{next3}": ("{next1}", "{next2}"), "{target}": ("{source}", "{target}")}


def planted(code: str, where: str, before: str, after: str) -> Language:
    language = load_language(code)
    task, key = where.split(".")
    string = language.tasks[task][key]
    text = string.wording("revised")
    assert before in text
    if after in SWAPPED:
        one, other = SWAPPED[after]
        text = text.replace(one, "\0").replace(other, one).replace("\0", other)
    else:
        text = text.replace(before, after)
    changed = {key: replace(string, text=text, revised=None)}
    tasks = {**language.tasks, task: {**language.tasks[task], **changed}}
    return replace(language, tasks=tasks)


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_found_in_three_languages(kind: str) -> None:
    assert len({code for code, *_ in PLANTED[kind]}) == 3
    for code, where, before, after in PLANTED[kind]:
        problems = list(meaning_problems(planted(code, where, before, after)))
        assert any(problem.startswith(f"{where}: ") for problem in problems), (code, problems)


@looped("code", xd.available())
def test_texts_as_they_are_have_none(code: str) -> None:
    language = load_language(code)
    assert list(meaning_problems(language)) == []
    if code != "en":
        words = language.rules["words"]
        assert set(words) == {"multiplied", "defeated", "exactly", "gifted", "fee"}
