"""Causes of a gap in the simulated model: what each takes from prompts of the dataset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.simulate.identify import identify
from xlgo_cli.simulate.simulator import Simulator

INSTANCE = xd.generate("slt", complexity=12)
BASE = Simulator("demo").accuracy("slt", "en", 12)


def chance(folder: Path, causes: Any, condition: str, language: str = "hi") -> float:
    path = folder / "profile.json"
    curve = {"q": 10, "r": 0.0020661}  # that of English in the profile "demo"
    path.write_text(json.dumps({"tasks": {"slt": {"en": curve}}, "causes": causes}))
    prompt = xd.render(INSTANCE, language, "paper", condition)
    found = identify(prompt)
    assert found is not None
    assert found.instance == INSTANCE
    return Simulator(str(path)).chance(found, prompt)


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("plain", 0.7 * 0.8 * 0.9),
        ("english_rules", 0.7),
        ("english_lines", 0.8 * 0.9),
        ("native_format", 0.7 * 0.8),
        ("english_format", 0.504),
    ],
)
def test_every_block_takes_its_share(tmp_path, condition, left) -> None:
    causes = {"hi": {"lines": 0.3, "rules": 0.2, "format": 0.1}}
    assert chance(tmp_path, causes, condition) == pytest.approx(BASE * left)
    assert chance(tmp_path, {"te": causes["hi"]}, condition) == pytest.approx(BASE)


def test_length_counts_bytes_above_english(tmp_path) -> None:
    english, hindi = (xd.render(INSTANCE, code) for code in ("en", "hi"))
    more = (len(hindi.encode()) - len(english.encode())) / 1000
    assert more > 1
    long = {"all": {"length": 0.05}}
    assert chance(tmp_path, long, "plain") == pytest.approx(BASE * 0.95**more)
    assert chance(tmp_path, long, "plain", "en") == pytest.approx(BASE)


@pytest.mark.parametrize(
    ("causes", "message"),
    [
        ({"hi": {"words": 0.1}}, "unknown cause 'words': allowed are lines, rules"),
        ({"hi": {"lines": 1.0}}, "lines must be at least 0 and below 1, got 1.0"),
        ({"hi": 0.5}, "causes of hi must be an object"),
        ([], "causes must be an object by language"),
    ],
)
def test_mistakes_in_a_profile_are_told(tmp_path, causes, message) -> None:
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"tasks": {}, "causes": causes}))
    with pytest.raises(ValueError, match=message):
        Simulator(str(path))
