"""The checks of wording find what a reader found: strings as they stood before they were mended."""

from __future__ import annotations

from dataclasses import replace

import xlgo_dataset as xd
from tests.languages.rules import problems
from tests.looping import looped
from xlgo_dataset.text.languages import String, load_language
from xlgo_metric.reading.words import codes

# Strings of a second reading (all true finds), cut to the words that were wrong.
FOUND = [
    ("fr", "conditions.slt.format", "Fais tout ton raisonnement en anglais.", "register"),
    ("ru", "conditions.slt.format", "Проведи все свои рассуждения на английском.", "register"),
    ("tr", "conditions.slt.format", "Tüm akıl yürütmeni İngilizce yap.", "register"),
    ("it", "t_rank.count", "Ecco tutti i {n} giocatori.", "changes with it"),
    ("ru", "t_rank.count", "Всего здесь ровно {n} игроков.", "would have to agree"),
    ("id", "conditions.slt.format", "kekayaan pedagang setelah setiap transaksi", "merchant"),
    ("ta", "conditions.slt.format", "வணிகரின் செல்வம்", "merchant"),
    ("te", "t_rank.header", "పజిల్ ను పరిష్కరించండి", "parted from its word"),
    ("ta", "t_rank.header", "குழந்தைகள் உடனும் திரும்பி", "parted from its word"),
    ("th", "t_rank.header", "หากคุณใช้Silver Key", "between the scripts"),
    ("km", "t_rank.match", "កីឡាករ{winner} បានឈ្នះកីឡាករ {loser} ។", "between the scripts"),
    ("zh", "conditions.slt.format", "只输出答案, 商人的财富", "not a mark of this language"),
    ("ur", "t_rank.header", "نتائج کیا ہیں?", "not a mark of this language"),
    ("am", "t_rank.header", "ውጤቶች ናቸው.", "not a mark of this language"),
]


@looped(("code", "where", "text", "said"), FOUND)
def test_what_a_reader_found_is_found(code: str, where: str, text: str, said: str) -> None:
    problems = [p for p in _problems(code, where, text) if p.startswith(f"{where}:")]
    assert any(said in problem for problem in problems), problems


def _problems(code: str, where: str, text: str) -> list[str]:
    language = load_language(code)
    *table, key = where.split(".")
    changed = {key: String(text, "machine-written")}
    if table[0] == "conditions":
        strings = {**language.conditions, table[1]: {**language.conditions[table[1]], **changed}}
        return problems(replace(language, conditions=strings))
    tasks = {**language.tasks, table[0]: {**language.tasks[table[0]], **changed}}
    return problems(replace(language, tasks=tasks))


def test_the_reader_has_a_table_for_every_language() -> None:
    assert set(codes()) >= set(xd.available())
