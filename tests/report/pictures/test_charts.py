import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from xlgo_cli.report.pictures.charts import Gap, Scale, Series, chart, element, scales

BAND: dict[str, list[float]] = {
    "complexity": [100, 300], "mean": [1.0, 0.2], "low": [0.9, 0.1], "high": [1.0, 0.3],
}  # fmt: skip
ENGLISH = Series("English", 0, ((100, 50, 50), (200, 30, 50), (300, 10, 50)), BAND, "en")
TELUGU = Series("Telugu <&>", 1, ((100, 40, 50), (300, 0, 50)), None, "te")


def draw(*series: Series, **options) -> ET.Element:
    return ET.fromstring(chart(series, unit="rooms", width=340, height=230, **options))


def test_points_stand_where_their_numbers_say():
    x, y = scales([ENGLISH], 340, 230)
    dots = draw(ENGLISH).findall(".//g[@class='dots k0']/circle")
    bottom, top = y(0), y(1)
    left, right = x(100), x(300)
    for dot, (complexity, k, n) in zip(dots, ENGLISH.points):
        height = (bottom - float(dot.get("cy"))) / (bottom - top)
        across = (float(dot.get("cx")) - left) / (right - left)
        assert height == pytest.approx(k / n, abs=0.002)
        assert across == pytest.approx((complexity - 100) / 200, abs=0.002)
    assert 0 < top < bottom < 230
    assert 0 < left < right < 340


def test_band_runs_there_and_back():
    path = draw(ENGLISH).find(".//path[@class='band k0']").get("d")
    corners = [tuple(map(float, pair.split())) for pair in path.strip("MZ").split("L")]
    x, y = scales([ENGLISH], 340, 230)
    expected = [(100, 1.0), (300, 0.3), (300, 0.1), (100, 0.9)]
    assert corners == [(x(c), y(accuracy)) for c, accuracy in expected]
    assert path.endswith("Z")


def test_every_level_says_its_numbers_without_a_script():
    titles = [title.text for title in draw(TELUGU, ENGLISH).iter("title")]
    assert titles == [
        "100 rooms\nTelugu <&>: 40 of 50 right (80%)\n"
        "English: 50 of 50 right (100%), curve 100% (90% to 100%)",
        "200 rooms\nEnglish: 30 of 50 right (60%), curve 60% (50% to 65%)",
        "300 rooms\nTelugu <&>: 0 of 50 right (0%)\n"
        "English: 10 of 50 right (20%), curve 20% (10% to 30%)",
    ]


def test_columns_cover_the_chart_without_gaps():
    rects = draw(ENGLISH).findall(".//g[@class='level']/rect")
    edges = [(float(r.get("x")), float(r.get("x")) + float(r.get("width"))) for r in rects]
    for (_, end), (start, _) in pairwise(edges):
        assert end == pytest.approx(start, abs=0.2)


def test_label_tells_the_chart_to_those_who_do_not_see_it():
    label = draw(TELUGU, ENGLISH).get("aria-label")
    assert "English: 100% at 100, 20% at 300." in label
    assert "Telugu <&>: 80% at 100, 0% at 300." in label


def test_gap_is_a_bracket_between_the_two_accuracies():
    _, y = scales([ENGLISH], 340, 230)
    root = draw(ENGLISH, gap=Gap(200, 0.8, 0.4, "40 points"))
    path = root.find(".//path[@class='gap']").get("d")
    assert f"{y(0.8):g}h6" in path
    assert f"V{y(0.4):g}" in path
    assert root.find(".//text[@class='gaplabel']").text == "40 points"


def test_a_chart_of_nothing_is_still_a_chart():
    assert draw(Series("x", 0, (), None)).tag == "svg"
    assert draw(Series("x", 0, ((7, 0, 0),), None)).tag == "svg"


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [(0, 1, 4), (85, 615, 4), (85, 615, 6), (9, 61, 4), (32, 2090, 6), (6, 8, 4)],
)
def test_ticks_are_few_round_and_inside(low, high, most):
    found = Scale(low, high, 0, 100).ticks(most)
    steps = {round(b - a, 6) for a, b in pairwise(found)}
    assert 2 <= len(found) <= most + 1
    assert len(steps) == 1
    assert all(low <= tick <= high for tick in found)
    digits = f"{steps.pop():e}".split("e")[0]
    assert float(digits) in (1, 2, 2.5, 5)


def test_a_scale_of_logs_has_equal_steps_for_equal_factors():
    scale = Scale(10, 1000, 0, 200, log=True)
    assert [scale(x) for x in (10, 100, 1000)] == [0, 100, 200]
    assert scale.ticks(4) == [10, 20, 50, 100, 200, 500, 1000]
    assert (scale.holds(1000), scale.holds(1001)) == (True, False)


def test_what_a_picture_holds_is_escaped():
    found = element("text", "a < b", element("b"), kind="tick", aria_label='"x" & y')
    assert found == '<text class="tick" aria-label="&#34;x&#34; &amp; y">a &lt; b<b/></text>'


def test_no_colour_stands_in_a_picture():
    """They follow the light or dark colours of the page, so the style sheet alone names them."""
    text = chart([ENGLISH, TELUGU], unit="rooms", width=340, height=230)
    assert not re.search("#[0-9a-fA-F]{3}|rgb|style=|(fill|stroke)=", text)
