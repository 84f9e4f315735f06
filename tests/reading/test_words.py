"""Every phrase of every table does what its meaning says, and its harmless neighbor does not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric.reading.values import CLAUSES, FOLDER, PLACES, RETRACTIONS, codes, spellings, table

MOST_PHRASES = 60
BOX, OTHER = "$\\boxed{20}$", "$\\boxed{28}$"


def status(text: str, language: str) -> tuple[str | None, str]:
    found = xm.extract_answer(text, "number", language)
    return found.answer, found.status


def phrases(place: str) -> Iterator[tuple[str, str]]:
    return ((code, text) for code, _, text in numbered(place))


def numbered(place: str) -> Iterator[tuple[str, int, str]]:
    """Every spelling of every phrase of a place, with its number in the place."""
    for code in codes():
        for number, phrase in enumerate(table(code)[place]):
            yield from ((code, number, text) for text in spellings(phrase))


def test_tables_are_of_equal_depth() -> None:
    sizes = {}
    for code in codes():
        loaded = json.loads((FOLDER / f"{code}.json").read_text("utf-8"))
        assert loaded.pop("code") == code
        assert loaded.pop("name")
        assert list(loaded) == list(PLACES)
        assert len(loaded["retractions"]) == len(RETRACTIONS) == 12
        assert [p[-1] == ":" for p in loaded["retractions"]] == [p[-1] == ":" for p in RETRACTIONS]
        assert all(len({*words}) == len(words) for words in loaded.values()), code
        sizes[code] = sum(map(len, loaded.values()))
    assert len(sizes) == 40
    assert len(PLACES) <= 14
    assert max(sizes.values()) <= min(MOST_PHRASES, 2 * min(sizes.values()))


@looped(("language", "number", "phrase"), numbered("retractions"))
def test_a_retraction_takes_back_what_stands_before_it(
    language: str, number: int, phrase: str
) -> None:
    said = phrase.removesuffix("*")
    whole = f"{said} x 9" if said.endswith(":") else said  # a correction says something
    for text in (f"{BOX}\n{whole}.", f"{BOX}. {whole.capitalize()}!", f"Answer: 20.\n\n{whole}"):
        assert status(text, language) == (None, "bad_format"), text
    assert status(f"{BOX}\n{whole}. {OTHER}", language) == ("28", "answered")
    # Its neighbors: the beginning of a longer sentence, its end, before the answer, far behind it,
    # in thinking.
    far = "The steps are repeated once more, one after the other. " * 5
    gap = "" if language in ("th", "km") else " "
    for text in (
        *([f"{BOX}\n{said}{gap}xyzxyzxyzx xyz."] if number in (1, *CLAUSES) else []),
        f"{BOX} xyz{gap}{whole}",
        f"{whole}. {BOX}",
        f"{BOX}. {far}{whole}",
        f"<think>{OTHER} {whole}.</think>{BOX}",
    ):
        assert status(text, language) == ("20", "answered"), text


@looped(
    ("language", "sentence"),
    [
        ("en", "Wait, no need to say more."), ("en", "Correction: none needed."),
        ("ar", "هذا خطأ شائع."), ("es", "Espera, no hace falta más."),
        ("de", "Das ist falsch nur bei längeren Wegen."), ("fr", "Correction: aucune."),
        ("ru", "Это не так сложно."), ("tr", "Bu yanlış yolu seçmedim."),
        ("zh", "更正：无。"), ("hi", "सुधार: कोई नहीं।"),
        ("id", "Itu salah satu cara."), ("vi", "Khoan, không phải nói thêm."),
        ("en", "I made a mistake in step 2 and fixed it."), ("es", "Cometí un error en el paso 2."),
        ("de", "Ich habe einen Fehler gemacht und ihn in Schritt 3 behoben."),
        ("en", "I was wrong about step 2."),
    ],
)  # fmt: skip
def test_a_longer_sentence_that_begins_so_takes_nothing_back(language: str, sentence: str) -> None:
    assert status(f"{BOX}\n{sentence}", language) == ("20", "answered")


# "That is not wrong", "I made no mistake": in many languages a retraction and a negation beside it.
NOT_TAKEN_BACK = {
    "en": "That is not wrong.", "bn": "এটা ভুল নয়।", "es": "No cometí un error.",
    "he": "לא טעיתי.", "ja": "この答えは間違っていません。", "kn": "ಇದು ತಪ್ಪು ಅಲ್ಲ.",
    "pl": "Nie popełniłem błędu.", "pt": "Não cometi um erro.", "ta": "இது தவறு அல்ல.",
    "te": "ఇది తప్పు కాదు.", "tr": "Bu yanlış değil.", "uz": "Bu xato emas.",
}  # fmt: skip


@looped("language", NOT_TAKEN_BACK)
def test_a_retraction_that_a_negation_touches_takes_nothing_back(language: str) -> None:
    sentence = NOT_TAKEN_BACK[language]
    assert status(f"{BOX}\n\n{sentence}", language) == ("20", "answered")
    assert status(f"Answer: 20\n\n{sentence}", language) == ("20", "answered")


RULES = [
    ("not_before", "x {} {box}", None), ("not_before", "{box}, {} {other}", "20"),
    ("not_before", "{other} {}: x {box}", "20"),
    ("not_behind", "x {box} {}.", None), ("not_behind", "{box}. x {other} {}.", "20"),
    ("answer", "x 7 y.\n{}: 20", "20"), ("answer", "x 7 y.\n**{}:** 20.", "20"),
    ("answer", "x 7\n### {}\n\n20", "20"),
    ("answer", "x 7 y {}.", None),  # never a value before it
    ("so", "Albert 12, {} Cedric 20.", "20"), ("so", "Albert 12. Cedric 20 {}", None),
    ("join", "{box} {} {other}", None), ("join", "{box} {} {box}", "20"),
    ("join", "{other} {} x. {box}", "20"),
    ("placeholder", "{box}\n\\boxed{{{}}}", "20"),
    ("question", "{box}\n\n{}: x\n{other}", "20"), ("question", "{}: x\n{box}", "20"),
    ("question", "{other}\nx {}: y\n{box}", "20"),
    ("bound_before", "Answer: {} 20", None), ("bound_before", "Answer: 20\n\n{} 28", "20"),
    ("bound_behind", "Answer: 20 {}", None), ("bound_behind", "Answer: 20\n\n28 {}", "20"),
]  # fmt: skip
"""Of each place of the tables what a text with a phrase of it answers."""


@looped(("place", "text", "answer"), RULES)
def test_every_phrase_does_what_its_place_says(place: str, text: str, answer: str | None) -> None:
    for language, phrase in phrases(place):
        written = text.format(phrase.removesuffix("*"), box=BOX, other=OTHER)
        expected = answer, "answered" if answer else "bad_format"
        assert status(written, language) == expected, (language, written)


@looped("language", codes())
def test_the_letters_of_a_language_name_options(language: str) -> None:
    for mark, letter in zip(table(language)["letters"], "ABCD"):
        options = "".join(f"{each}. x\n" for each in table(language)["letters"])
        found = xm.extract_answer(f"{options}\nAnswer: {mark}.", "choice", language)
        assert found.answer == letter, mark
    assert xm.extract_answer("Answer: B.", "choice", language).answer == "B"


@looped("language", codes())
def test_phrases_stand_as_people_write_them(language: str) -> None:
    for place, words in table(language).items():
        for phrase in words:
            assert phrase == phrase.strip()
            assert not re.search(r"[()\[\]{}|\\?+]|\s\s|\.\.\.", phrase), (place, phrase)
