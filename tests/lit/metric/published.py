"""The published tables of LiT (arXiv 2604.12911, Tables 2 to 9) as plain mappings."""

import json
from pathlib import Path
from typing import Any

DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("published.json").read_text(encoding="utf-8")
)
SUBCATEGORY_N: dict[str, int] = DATA["subcategory_n"]
MODELS = list(DATA["table2"]["rows"])


def category(number: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Tables 2, 4, 6, 7: by model and column, mean and standard error."""
    table = DATA[f"table{number}"]
    return {
        model: {name: (cell[0], cell[1]) for name, cell in zip(table["columns"], row, strict=True)}
        for model, row in table["rows"].items()
    }


def sequence(number: int) -> dict[str, dict[str, float]]:
    """Tables 3, 8, 9: by model and column, mean."""
    table = DATA[f"table{number}"]
    return {
        model: dict(zip(table["columns"], row, strict=True)) for model, row in table["rows"].items()
    }
