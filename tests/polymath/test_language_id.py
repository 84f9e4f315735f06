"""Language consistency: by parts (default) and by the paper's rule."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langdetect")

from tests.looping import looped
from xlgo_metric.language.language_id import language_consistent

TEXTS: dict[str, str] = json.loads(
    (Path(__file__).parent / "texts.json").read_text(encoding="utf-8")
)


@looped(
    ("text", "language", "mode", "verdict"),
    [
        # Formulas, code, names and fragments are neutral.
        (r'కాబట్టి జవాబు {"state": "Room E2679"}.', "te", "default", True),
        ("设 ABC 为三角形，则 sin A = 1/2，因此 AB = CD。", "zh", "default", True),
        ("अतः उत्तर 42 cm है (Room A1234)।", "hi", "default", True),
        ("إذن $x = 5 \\text{ meters per second}$ وهو الجواب.", "ar", "default", True),
        ("最終解答\n\n答えは `the final answer is 42` です。", "ja", "default", True),
        ("Ответ: \\boxed{42}. Q.E.D.", "ru", "default", True),
        ("Die Antwort lautet 42, wie bei Smith und 李 gezeigt.", "de", "default", True),
        ("Jibu ni 42.", "sw", "default", True),
        ("42", "en", "default", True),
        ("", "th", "default", True),
        (
            "```python\nprint('this is the answer to all of it')\n```\n답은 42입니다.",
            "ko",
            "default",
            True,
        ),
        ("El libro cuesta $5 y la pluma cuesta $10 en total.", "es", "default", True),
        ("", "ms", "paper", None),
        (TEXTS["ms"], "ms", "paper", None),
        ("x", "xx", "paper", None),
        # The published rule.
        (TEXTS["zh"], "zh", "paper", True),  # zh is zh-cn there
        (TEXTS["en"], "zh", "paper", False),
        ("", "te", "paper", True),
        ("short english", "te", "paper", True),  # 13 characters
        ("a short english text", "te", "paper", False),
        ("1234567890 1234567890", "en", "paper", False),  # nothing to detect
    ],
)
def test_verdicts_of_both_modes(text: str, language: str, mode: Any, verdict: bool | None) -> None:
    assert language_consistent(text, language, mode) is verdict
