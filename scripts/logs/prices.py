"""Prices of tokens, from a file of the user's."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PER = 1_000_000
_FORM = (
    'give `input` and `output` (prices of a million tokens), or a table [models."NAME"] with both'
    ", and `currency` if you like"
)
_KEYS = {"currency", "input", "output", "models"}


@dataclass(frozen=True)
class Price:
    """What tokens cost.

    Attributes:
        input, output: price of a million tokens of prompts and of answers (thinking counts as
            answer).
        currency: what the prices are in, as the file says.
    """

    input: float
    output: float
    currency: str

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """The price of some tokens."""
        return (tokens_in * self.input + tokens_out * self.output) / _PER


@dataclass(frozen=True)
class Prices:
    """A price list: for some models by name, and for any other."""

    path: Path
    models: Mapping[str, Price]
    other: Price | None

    def of(self, model: str) -> Price:
        """The price of a model.

        Raises:
            ValueError: the file has none for it.
        """
        found = self.models.get(model, self.other)
        if found is None:
            raise ValueError(
                f"{self.path}: no price of {model!r}: there are {', '.join(self.models)}"
            )
        return found


def read_prices(path: Path) -> Prices:
    """Read a price list, TOML or (with the suffix ``.json``) JSON.

    Raises:
        ValueError: the file cannot be read or has another form.
    """
    try:
        text = path.read_text("utf-8")
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise ValueError(f"--prices {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--prices {path}: cannot be read ({error})") from error
    if not isinstance(data, dict) or not data.keys() <= _KEYS:
        raise ValueError(f"--prices {path}: {_FORM}")
    currency = data.get("currency", "USD")
    models = data.get("models", {})
    if not isinstance(currency, str) or not isinstance(models, dict):
        raise ValueError(f"--prices {path}: {_FORM}")
    prices = {name: _price(path, entry, currency) for name, entry in models.items()}
    other = None
    if "input" in data or "output" in data:
        other = _price(path, data, currency)
    if other is None and not prices:
        raise ValueError(f"--prices {path}: no prices in it: {_FORM}")
    return Prices(path, prices, other)


def _price(path: Path, entry: Any, currency: str) -> Price:
    if not isinstance(entry, dict) or not {"input", "output"} <= entry.keys():
        raise ValueError(f"--prices {path}: {_FORM}")
    return Price(_amount(path, entry["input"]), _amount(path, entry["output"]), currency)


def _amount(path: Path, number: Any) -> float:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not 0 <= number < math.inf:
        raise ValueError(f"--prices {path}: a price must be 0 or more, got {number!r}: {_FORM}")
    return float(number)
