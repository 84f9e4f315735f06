"""Language consistency: by parts (default) and by the paper's rule."""

import json
from pathlib import Path

import pytest

pytest.importorskip("langdetect")

from tests.looping import looped
from xlgo_metric.language.language_id import language_consistent

TEXTS: dict[str, str] = json.loads(
    (Path(__file__).parent / "texts.json").read_text(encoding="utf-8")
)
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
