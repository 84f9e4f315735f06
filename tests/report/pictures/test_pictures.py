"""The one maker of pictures: what is drawn, and how a page and files take it."""

import re
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.report.sections import cell, gap, section, typed
from xlgo_cli.display.formats import COLOURS, VARIABLES
from xlgo_cli.report.grid import STRONGEST, of_section
from xlgo_cli.report.pictures import Curve, curves, gaps, save, svg

BAND = {
    "complexity": [1.0, 2.0, 3.0],
    "mean": [1.0, 0.5, 0.0],
    "low": [0.9, 0.4, 0.0],
    "high": [1.0, 0.6, 0.1],
}


def drawn_gaps(grid: Any) -> Any:
    return gaps(grid.rows, grid.columns, grid.cells)


def whole() -> Any:
    found = {"en": cell(), "te": gap(0.2, published=True, p=0.001)}
    return section(found | {"hi": gap(-0.1, published=True, p=0.4)})


def test_gaps_are_drawn_with_their_intervals_and_filled_where_significant() -> None:
    figure = drawn_gaps(of_section(whole()))
    [axes] = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Telugu", "Hindi"]
    points = {
        float(line.get_xdata()[0]): line.get_markerfacecolor()
        for line in axes.lines
        if line.get_marker() == "o"
    }
    assert points == {20.0: COLOURS["behind"][0], -10.0: COLOURS["card"][0]}
    limits = [tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2]
    assert pytest.approx((10.0, 30.0)) in limits


def test_a_page_takes_the_colours_of_its_theme_and_no_address() -> None:
    curve = Curve("English $x$", "base", ((1.0, 5, 10), (2.0, 2, 5)), BAND)
    drawn = svg(curves([[curve, curve]], "rooms"), "one", 'a "label"')
    assert "http" not in drawn
    assert "<style" not in drawn
    assert "English $x$" in drawn
    assert 'aria-label="a &#34;label&#34;"' in drawn
    assert not [hue for hue, _ in COLOURS.values() if hue in drawn]
    assert {"var(--base)", "var(--muted)", "var(--line)"} <= set(re.findall(r"var\([^)]+\)", drawn))
    ids = re.findall(r' id="([^"]+)"', drawn)
    other = svg(curves([[curve, curve]], "rooms"), "two", "label")
    assert len(ids) == len(set(ids))
    assert not set(ids) & set(re.findall(r' id="([^"]+)"', other))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', drawn)) <= set(ids)


def test_files_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    forms = (".svg", ".png", ".pdf")
    grid = of_section(
        section({"en": cell(), "te": gap(0.2, published=True, p=0.2, difference=typed(0.2, 0.2))})
    )
    first, second = (save(drawn_gaps(grid), tmp_path / name / "gaps", forms) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert [path.suffix for path in first] == list(forms)
    ElementTree.parse(first[0])
    assert first[2].read_bytes().startswith(b"%PDF")


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
