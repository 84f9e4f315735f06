"""Text of the pages can be read by people with weak sight: WCAG 2.2, success criterion 1.4.3."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product

import pytest

from xlgo_cli.display.formats import VARIABLES
from xlgo_cli.report.grid import STRONGEST

Channels = list[float]

CSS = files("xlgo_cli.display").joinpath("html/style.css").read_text("utf-8") + VARIABLES
PAIRS = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", CSS)
THEMES = {
    theme: {name: colours[place] for name, *colours in PAIRS}
    for place, theme in enumerate(("light", "dark"))
}
TEXTS = ("ink", "muted", "faint", "accent", "warn")
GROUNDS = ("bg", "card", "soft", "warnbg")


def channels(colour: str) -> Channels:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def contrast(first: Channels, second: Channels) -> float:
    """The ratio of relative luminances, as WCAG defines it."""
    low, high = sorted(
        sum(
            weight * (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4)
            for weight, x in zip((0.2126, 0.7152, 0.0722), colour)
        )
        for colour in (first, second)
    )
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_is_that_of_the_standard() -> None:
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#767676"), channels("#ffffff")) == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_stands_out_from_every_ground(theme: str) -> None:
    colours = {name: channels(colour) for name, colour in THEMES[theme].items()}
    pairs = list(product(TEXTS, GROUNDS))
    low = {p: r for p in pairs if (r := contrast(colours[p[0]], colours[p[1]])) < 4.5}
    assert not low


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_stand_out_from_the_strongest_colour_of_a_heat_map(theme: str) -> None:
    colours = {name: channels(colour) for name, colour in THEMES[theme].items()}
    for name in ("behind", "ahead"):
        share = STRONGEST / 100
        ground = [share * x + (1 - share) * y for x, y in zip(colours[name], colours["card"])]
        assert contrast(colours["ink"], ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_curves_and_outcomes_stand_out_from_the_card(theme: str) -> None:
    card = channels(THEMES[theme]["card"])
    drawn = [
        name for name in THEMES[theme] if name in ("behind", "ahead", "base", "first", "second")
    ]
    low = {n: r for n in drawn if (r := contrast(channels(THEMES[theme][n]), card)) < 3}
    assert len(drawn) == 5
    assert not low
