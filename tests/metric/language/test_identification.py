"""Language identification on passages in 33 languages: verdicts by piece, by whole text, limits.

The passages were written for these tests: twenty to a language, on the same twenty subjects.
"""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("py3langid")

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.language import language_id, scripts

PASSAGES = json.loads((Path(__file__).parent / "passages.json").read_text("utf-8"))
ADDED = ("de", "fr", "pt", "it", "id", "ms", "vi", "mr", "ur", "tr")
ENGLISH = (
    "Therefore, the final answer is 60.",
    "So the answer is 42.",
    "Let me check this again step by step.",
    "In total she has twelve apples and five oranges left.",
)


def test_every_language_of_the_families_is_supported():
    assert {*PASSAGES, *ADDED, "en", "te", *xd.available()} == set(scripts.LANGUAGES)


@looped("language", PASSAGES)
def test_whole_text_at_100_characters(language):
    """At least 97% right, own ones and foreign ones, for each language by itself."""
    own = [xm.written_in(text[:100], language) for text in PASSAGES[language]]
    assert sum(verdict is True for verdict in own) >= 0.97 * len(own)
    foreign = [
        xm.written_in(text[:100], language)
        for number, (other, texts) in enumerate(PASSAGES.items())
        if other != language
        for text in texts[number % 3 :: 3]
    ]
    assert sum(verdict is False for verdict in foreign) >= 0.97 * len(foreign)
    found = [xm.identify_language(text[:100]).language for text in PASSAGES[language]]
    assert found.count(language) >= 0.97 * len(found)


@looped("language", PASSAGES)
def test_every_part_counts(language):
    """A text is consistent with its own language only, and not with one sentence of another."""
    texts = PASSAGES[language]
    for place, text in enumerate(texts):
        whole = f"{text} {texts[place - 1]} $x^2 = 3$ {texts[place - 2]}"
        assert xm.language_consistent(whole, language) is True
        assert xm.language_consistent(f"{whole} {ENGLISH[place % 4]}", language) is False
    for other, foreign in PASSAGES.items():
        if other != language:
            assert xm.language_consistent(f"{texts[7]} {texts[8]} {foreign[9]}", language) is False


@looped(
    ("text", "language"),
    [
        # the detector sees Portuguese in few words of Italian, Galician in Portuguese and Spanish
        ("Qual era il peso totale del pacco?", "it"),
        ("O castelo foi erguido no século catorze e resistiu a muitos.", "pt"),
        ("Encuentra el valor máximo de la suma.", "es"),
        ("Encuentre el máximo de la cardinalidad de $A$ como conjunto finito", "es"),
        (
            "Una retta parallela interseca l'ellisse nei punti dati e il centro è sopra la retta.",
            "it",
        ),
        # frequent words speak for Spanish, the detector for Portuguese
        ("Um barco pode navegar 12 milhas por hora durante 5 horas.", "pt"),
        (
            "Um barco pode navegar 12 milhas por hora durante 5 horas. Quantas milhas em 7 horas?",
            "pt",
        ),
        # formulas and names leave little
        ("Una sfera $S$ con raggio pari a $r$ interseca il piano nei punti $A$ e $B$.", "it"),
        ("Si Lyon a 30 bus, combien de bus Lyon, Paris et Lille ont-ils au total ?", "fr"),
        ("Una chaqueta cuesta $31,50. Un par de guantes cuesta $12,50 y otro $9.", "es"),
        ("Ali mempunyai mobil daripada bapanya supaya boleh membeli kue.", "ms"),
        ("답은 42입니다. [asy] // the picture of what we have to draw here [/asy]", "ko"),
    ],
)
def test_detector_does_not_overrule(text, language):
    assert xm.language_consistent(text, language) is True


NAMES = (
    "['Oslo', 'Bergen', 'Trondheim', 'Baton Rouge', 'Anchorage', 'Bakersfield']",
    "[('Oslo', 'Bergen', 'tren'), ('Bergen', 'Trondheim', 'bus')]",
    '["Las Vegas", "Scottsdale", "Philadelphia", "Arlington", "Lubbock", "Santa Clarita"]',
)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("language", ["de", "es", "pl", "pt", "sw", "tl", "tr", "vi"])
def test_a_list_of_names_has_no_language(language: str, names: str) -> None:
    own = PASSAGES[language][0]
    assert xm.language_consistent(f"{own}\nA (3): {names}\n{own}", language) is True
    assert xm.language_consistent(f"{own}\n{names} {ENGLISH[3]}", language) is False


# What is good Malay and good Indonesian has no verdict.
MALAY = "Harga setiap satu adalah dua kali lebih murah dari yang lain setelah diskaun."
INDONESIAN = "Dia harus bayar lebih banyak daripada temannya supaya boleh masuk."
UKRAINIAN = "Кількість яблук дорівнює п’ятдесяти, і це є відповідь, яку їм дали"
GERMAN = "Die Antwort ist 42. So the answer of all these is 42."


@looped(
    ("text", "language", "consistent"),
    [
        ("所以 the answer is 42.", "zh", False),
        (UKRAINIAN, "ru", False),
        (GERMAN, "de", False),
        (PASSAGES["mr"][0], "hi", False),
        ("Oleh kerana itu, jawapan ialah 42.", "id", False),
        (MALAY, "ms", None),
        (INDONESIAN, "id", None),
        ("hvad", "da", None),
        ("答案是 21", "te", True),  # too few letters to be a phrase
        ("$x = 3$ \\boxed{42}", "te", True),
    ],
)
def test_scripts_words_and_the_detector_each_make_a_text_foreign(
    text: str, language: str, consistent: bool | None
) -> None:
    assert xm.language_consistent(text, language) is consistent


@looped(
    ("text", "language"),
    [
        ("دادی جی ہر سویر سبھ توں پہلاں اٹھدے، چلھا بالدے تے ہولی ہولی اک گیت گاؤندے سن۔", "pa"),
        ("Ўзбек тили жуда чиройли тил ва мен уни ҳар куни ўрганаман", "uz"),
    ],
)
def test_a_language_in_another_script_than_the_prompts_is_foreign(text: str, language: str) -> None:
    assert xm.written_in(text, language) is False


@pytest.mark.parametrize("unit", ["a", "und ", ", ", "the and of, ", "我", "ş. ", "\x00", "Ab c. "])
def test_long_texts_take_little_time(unit):
    text = unit * (200_000 // len(unit))
    with processor_seconds(2):
        xm.written_in(text, "qu")
        xm.language_consistent(text, "qu")
    assert len(text) > language_id.READS


@pytest.mark.parametrize("length", [5, 25, 60])
def test_the_beginning_of_a_text_is_never_called_foreign(length: int) -> None:
    """The detector alone takes 2 to 13 of these for another language, and calls itself sure."""
    for code, texts in PASSAGES.items():
        assert not any(xm.written_in(text[:length], code) is False for text in texts), code
        verdicts = [xm.language_consistent(text[:length], code) for text in texts]
        undecided = 2 if 25 <= length <= 50 and code in ("bg", "mr", "pt", "ru", "sv", "sw") else 0
        assert verdicts.count(None) <= undecided, code
        assert False not in verdicts, code


RIGHTS = {
    "id": (
        "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka "
        "dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat "
        "persaudaraan.",
        "Tidak seorang pun boleh diperbudak atau diperhambakan, perbudakan dan perdagangan budak "
        "dalam bentuk apapun mesti dilarang.",
        "Setiap orang berhak atas pengakuan di depan hukum sebagai manusia pribadi di mana saja ia "
        "berada.",
    ),
    "ms": (
        "Semua manusia dilahirkan bebas dan samarata dari segi kemuliaan dan hak-hak. Mereka "
        "mempunyai pemikiran dan perasaan hati dan hendaklah bertindak di antara satu sama lain "
        "dengan semangat persaudaraan.",
        "Tiada sesiapa pun boleh diperhamba atau diperabdikan; perhambaan dan perdagangan hamba "
        "hendaklah dilarang dalam segala bentuknya.",
        "Setiap orang adalah berhak kepada pengiktirafan sebagai seorang insan di sisi "
        "undang-undang di mana jua.",
    ),
}
"""Articles 1, 4 and 6 of the Universal Declaration of Human Rights; no word list was made of it."""


@pytest.mark.parametrize(("own", "other"), [("id", "ms"), ("ms", "id")])
def test_malay_and_indonesian_of_another_source_are_never_taken_for_each_other(
    own: str, other: str
) -> None:
    whole = " ".join(RIGHTS[own])
    for text in (*RIGHTS[own], whole):
        for judge in (xm.language_consistent, xm.written_in):
            assert judge(text, own) is not False
            assert judge(text, other) is not True
        assert xm.language_consistent(text, "de") is False
    # Indonesian of this register has none of the words that separate the two.
    verdicts = (xm.written_in(whole, own), xm.written_in(whole, other))
    assert own == "id" or verdicts == (True, False)


def _sentences(code: str) -> list[str]:
    """Sentences of the puzzles' stories; none shorter than 30 characters."""
    strings = xd.load_language(code).tasks
    texts = [strings["slt"]["intro"], strings["slt"]["fee"], strings["prdsa"]["intro"]]
    whole = " ".join(string.wording("revised") for string in texts)
    parts = re.split(r"(?<=[.!?。！।۔።။])\s*", re.sub(r"\{\w+\}", "7", whole))
    return [part for part in parts if len(part) >= 30]


@looped("language", xd.available())
def test_sentences_of_all_forty_languages_have_a_verdict(language: str) -> None:
    """Their own are never foreign; one in Thai or English is, and both functions agree."""
    for text in _sentences(language):
        assert xm.language_consistent(text, language) is not False
        if xm.written_in(text, language):
            found = xm.identify_language(text).language
            assert {"fil": "tl"}.get(language, language) == found
    assert any(xm.language_consistent(text, language) for text in _sentences(language))
    other = "en" if language == "th" else "th"
    assert xm.language_consistent(" ".join(_sentences(other)), language) is False


@looped(
    ("own", "related"),
    [
        ("id", "ms"), ("ms", "id"), ("id", "jv"), ("jv", "id"), ("hi", "mr"), ("mr", "hi"),
        ("ru", "uk"), ("uk", "ru"), ("tr", "uz"), ("es", "pt"), ("fa", "ur"), ("ar", "fa"),
    ],
)  # fmt: skip
def test_a_sentence_in_a_related_language_is_not_consistent(own: str, related: str) -> None:
    assert True not in [xm.language_consistent(text, related) for text in _sentences(own)]
