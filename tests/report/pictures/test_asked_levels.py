"""The picture of where questions were asked."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from xlgo_cli.report.pictures.asked_levels import picture, rows
from xlgo_cli.report.pictures.charts import Series

BAND = {
    "complexity": [5.0, 10.0, 40.0, 200.0], "mean": [1.0, 0.9, 0.2, 0.0],
    "low": [1.0] * 4, "high": [1.0] * 4,
}  # fmt: skip
CURVES = {
    "en": Series("English", 0, ((5, 5, 5), (10, 9, 10), (40, 4, 20), (200, 0, 5)), BAND),
    "te": Series("Telugu <b>", 1, ((5, 3, 5), (10, 4, 16)), None),
}


def drawn() -> ET.Element:
    second = {"te": {10.0: 6}}
    return ET.fromstring(str(picture(rows(CURVES, second), "rooms", (5, 200))))


def bars(root: ET.Element) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Of each title, by kind: the middle, the top and the height of its bars."""
    found: dict[str, dict[str, tuple[float, float, float]]] = {}
    for group in root.iter("g"):
        (title,) = group.iter("title")
        found[title.text or ""] = {
            bar.get("class", ""): (
                float(bar.get("x", 0)) + float(bar.get("width", 0)) / 2,
                float(bar.get("y", 0)),
                float(bar.get("height", 0)),
            )
            for bar in group.iter("rect")
        }
    return found


def test_every_level_has_a_bar_as_high_as_its_questions() -> None:
    found = bars(drawn())
    assert len(found) == 6
    five, ten, forty = (
        found[f"English, {size} rooms: {n} questions, {right} right"]["asked"]
        for size, n, right in ((5, 5, 5), (10, 10, 9), (40, 20, 4))
    )
    assert forty[2] == pytest.approx(2 * ten[2], abs=0.11) == pytest.approx(4 * five[2], abs=0.21)
    # The scale is one of logs: from 10 to 40 it is twice as far as from 5 to 10.
    assert forty[0] - ten[0] == pytest.approx(2 * (ten[0] - five[0]), abs=0.3)
    # All stand on one line.
    assert five[1] + five[2] == pytest.approx(forty[1] + forty[2])


def test_a_second_stage_stands_on_top_in_a_colour_of_its_own() -> None:
    found = bars(drawn())
    both = found["Telugu <b>, 10 rooms: 16 questions, 4 right; 6 of them in a second stage"]
    first, second = both["asked"], both["asked second"]
    assert second[1] + second[2] == pytest.approx(first[1], abs=0.11)
    assert second[2] / first[2] == pytest.approx(6 / 10, abs=0.02)
    assert sum("asked second" in kinds for kinds in found.values()) == 1


def test_the_curve_and_the_words_are_there() -> None:
    root = drawn()
    (line,) = [path for path in root.iter("path") if "line" in path.get("class", "")]
    points = [tuple(map(float, x.split())) for x in re.split("[ML]", line.get("d", "")) if x]
    xs, ys = zip(*points)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys)  # the curve falls
    low, high = xs[0], xs[-1]
    share = math.log(40 / 5) / math.log(200 / 5)
    assert xs[2] == pytest.approx(low + share * (high - low), abs=0.2)
    assert "Telugu <b>: 21, 6 of them in a second stage." in root.get("aria-label", "")
    ticks = {text.text for text in root.iter("text")}
    assert {"5", "10", "20", "50", "100", "200", "rooms →"} <= ticks
