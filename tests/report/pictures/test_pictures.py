"""The one maker of pictures: what is drawn, and how a page and files take it."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import LineCollection

from xlgo_cli.display.formats import COLOURS
from xlgo_cli.report.grid import of_section
from xlgo_cli.report.pictures import Curve, curves, gaps, save, svg, task_panels

from ..sections import cell, gap, section, typed

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


def test_each_language_stands_beside_the_baseline() -> None:
    panels = task_panels(whole()["tasks"]["slt"], "en")
    assert [[curve.name for curve in panel] for panel in panels] == [
        ["English", "Hindi"],
        ["English", "Telugu"],
    ]
    figure = curves(panels, "transactions")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Hindi", "Telugu"]
    dots = np.asarray(figure.axes[0].lines[0].get_data())[:, ::3]
    assert dots.tolist() == [[100, 300, 500], pytest.approx([1.0, 0.4, 0.1])]
    assert panels[0][0].words == "English: 100.0% at 100, 10.0% at 500."


def test_bars_show_how_many_questions_were_asked() -> None:
    curve = Curve("English", "base", ((1.0, 5, 10), (2.0, 2, 5)), BAND)
    figure = curves([[curve]], "rooms", asked=True)
    (bars,), (band,) = figure.axes[0].collections, figure.axes[0].patches
    assert isinstance(bars, LineCollection)
    ends = [segment[1][1] for segment in bars.get_segments()]
    assert ends == pytest.approx([0.2, 0.1])
    assert np.shape(band.get_path().vertices) == (2 * 3 + 1, 2)


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
