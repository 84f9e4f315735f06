"""Texts and a translator whose losses are known."""

import json
from pathlib import Path

import pytest

from xlgo_cli.cli import main

WORDS = [
    "river", "stone", "light", "garden", "window", "paper", "silver", "morning", "kettle",
    "basket", "meadow", "lantern", "copper", "violin", "harbor", "pepper", "saddle", "mirror",
    "candle", "ribbon", "thunder", "orchard", "blanket", "feather", "granite", "hammer", "island",
    "jacket", "ladder", "marble", "needle", "oyster", "pillow", "quarry", "rocket", "spider",
    "timber", "velvet", "walnut", "yogurt",
]  # fmt: skip
TEXTS = {"t1": " ".join(WORDS), "t2": " ".join(WORDS[5:30]), "t3": " ".join(WORDS[20:])}
"""No name, number or negation and no word twice: each run of lost words is one minor error."""
LOSS = {"default": 0.02, "ha": 0.1, "am": 0.05, "qu": 0.2, "en": 0.0}


def write_texts(path: Path) -> Path:
    """Write ``TEXTS`` as a source of texts."""
    rows = [
        {"text_id": name, "text": text, "subcategory": "stem" if name == "t1" else "informal"}
        for name, text in TEXTS.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_profile(path: Path) -> Path:
    """Write a profile of a translator that loses ``LOSS``."""
    path.write_text(json.dumps({"tasks": {}, "translation": {"loss": LOSS}}))
    return path


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "texts.jsonl")


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return write_profile(tmp_path / "lossy.json")


def run(texts: Path, profile: Path, out: Path, *more: str) -> int:
    """Run the simulated model as that translator."""
    return main([
        "run", "--model", "xlgo-sim", "--model_args", f"profile={profile}", "--metadata",
        f"source={texts}", "--output_path", str(out), *more,
    ])  # fmt: skip
