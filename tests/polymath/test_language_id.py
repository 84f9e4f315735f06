"""Language consistency: by parts (default) and by the paper's rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("langdetect")

from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.language import parts
from xlgo_metric.language.detector import Detected, detect
from xlgo_metric.language.language_id import language_consistent
from xlgo_metric.language.language_text import prose, without_formulas

TEXTS: dict[str, str] = json.loads(
    (Path(__file__).parent / "texts.json").read_text(encoding="utf-8")
)
CHINESE = "\n\n我们再检查一遍计算过程，确认结果没有错误。\n\n"
ALIKE = {("ms", "id"), ("id", "ms")}


@looped("language", TEXTS)
def test_own_language_is_consistent(language):
    assert language_consistent(TEXTS[language], language) is True


@looped("language", TEXTS)
def test_other_languages_are_not(language):
    accepted = {
        (language, other)
        for other in TEXTS
        if other != language and language_consistent(TEXTS[other], language)
    }
    assert accepted <= ALIKE


@looped("language", sorted(set(TEXTS) - {"en"}))
def test_last_sentence_in_english_is_caught(language):
    text = TEXTS[language] * 3 + "\nTherefore, the final answer is 60."
    assert language_consistent(text, language) is False


@looped("language", sorted(set(TEXTS) - {"zh"}))
def test_paragraph_in_chinese_is_caught(language):
    text = TEXTS[language] + CHINESE + TEXTS[language]
    assert language_consistent(text, language) is False


def test_switch_inside_a_sentence_is_caught():
    assert language_consistent("所以 the answer is 42。", "zh") is False
    assert language_consistent("Also ist 所以答案是四十二 die Antwort.", "de") is False


@looped(
    ("language", "text"),
    [
        ("te", r'కాబట్టి జవాబు {"state": "Room E2679"}.'),
        ("zh", "设 ABC 为三角形，则 sin A = 1/2，因此 AB = CD。"),
        ("hi", "अतः उत्तर 42 cm है (Room A1234)।"),
        ("ar", "إذن $x = 5 \\text{ meters per second}$ وهو الجواب."),
        ("ja", "最終解答\n\n答えは `the final answer is 42` です。"),
        ("ru", "Ответ: \\boxed{42}. Q.E.D."),
        ("de", "Die Antwort lautet 42, wie bei Smith und 李 gezeigt."),
        ("sw", "Jibu ni 42."),
        ("en", "42"),
        ("th", ""),
        ("ko", "```python\nprint('this is the answer to all of it')\n```\n답은 42입니다."),
        ("es", "El libro cuesta $5 y la pluma cuesta $10 en total."),
    ],
)
def test_formulas_code_names_and_fragments_are_neutral(language, text):
    assert language_consistent(text, language) is True


def test_money_is_not_a_formula():
    text = "It costs $5 and the rest of the money is $10 in total."
    assert prose(text) == text
    assert without_formulas(text) == "It costs  10 in total."  # as the published code has it


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"a $$x$$ b", "a   b"),
        (r"a \(x\) b", "a   b"),
        (r"a \[x\] b", "a   b"),
        ("a $x$ b", "a   b"),
        (r"a \begin{align} x \end{align} b", "a \\begin{align} x \\end{align} b"),
        ("a $ b", "a $ b"),
    ],
)
def test_paper_takes_out_four_kinds_of_formulas(text, left):
    assert without_formulas(text) == left


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The boy came home late. I beg your pardon, he said, I really beg your pardon.", "en"),
        ("Wir sind heute sehr mobil, denn wer mobil ist, kommt überall leicht ans Ziel.", "de"),
        ("Ana telung apel ing meja lan limang jeruk ing kranjang, dadi ana wolung woh.", "jv"),
        ("Acest telefon mobil este foarte bun, dar celălalt mobil nu merge deloc astăzi.", "ro"),
    ],
)
def test_words_of_malay_and_indonesian_are_no_evidence_in_other_languages(text, language):
    assert language_consistent(text, language) is True


def test_unsupported_languages_have_no_verdict():
    assert language_consistent("hvad som helst", "da") is None
    assert language_consistent(TEXTS["ms"], "ms", "paper") is None
    assert language_consistent("", "ms", "paper") is None
    assert language_consistent("x", "xx", "paper") is None


def test_paper_mode_is_the_published_rule():
    assert language_consistent(TEXTS["zh"], "zh", "paper") is True  # zh is zh-cn there
    assert language_consistent(TEXTS["en"], "zh", "paper") is False
    assert language_consistent("", "te", "paper") is True
    assert language_consistent("short english", "te", "paper") is True  # 13 characters
    assert language_consistent("a short english text", "te", "paper") is False
    assert language_consistent("1234567890 1234567890", "en", "paper") is False  # nothing to detect


def test_paper_mode_gives_the_same_verdict_every_time():
    text = "因此答案是四十二，计算过程如上所示，请检查结果是否正确。"
    assert len({language_consistent(text, "zh", "paper") for _ in range(20)}) == 1


@looped("unit", ["$", r"\(", r"\begin{a}", "{'", "`", "a", "我", "<a ", "a_", "$$", ". ", "the "])
def test_time_is_linear(unit):
    text = unit * (200_000 // len(unit))
    with processor_seconds(2):  # quadratic work takes minutes
        language_consistent(text, "te")
        language_consistent(text, "de")


def test_a_million_letters_are_few_pieces_in_which_a_foreign_page_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def counted(piece: str) -> Detected:
        nonlocal asked
        asked += 1
        return detect(piece)

    monkeypatch.setattr(parts, "detect", counted)
    page = "Der Zug fährt am Morgen ab und kommt am Abend wieder zurück nach Hause. " * 20
    own = "".join(
        f"The train number {n} leaves in the morning and comes back at night. " * 3
        for n in range(6_000)
    )
    assert parts.find_foreign(own, "en").consistent
    assert 1_000 < asked <= 4_000
    assert not parts.find_foreign(own + page, "en").consistent
