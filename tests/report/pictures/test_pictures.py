"""The one maker of pictures: what is drawn, and how a page and files take it."""

import csv
import io
import re
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.looping import looped
from tests.report.sections import cell, gap, section, typed
from xlgo_cli.display import formats
from xlgo_cli.display.formats import COLOURS, VARIABLES, comma_separated, leading
from xlgo_cli.page.grid import STRONGEST, of_section
from xlgo_cli.page.pictures import Curve, curves, gaps, save, svg
from xlgo_metric.table import Column, Table

BAND = {
    "complexity": [1.0, 2.0, 3.0],
    "mean": [1.0, 0.5, 0.0],
    "low": [0.9, 0.4, 0.0],
    "high": [1.0, 0.6, 0.1],
}


def drawn_gaps(grid: Any) -> Any:
    return gaps(grid.rows, grid.columns, grid.cells)


def test_gaps_are_drawn_with_their_intervals_and_filled_where_significant() -> None:
    languages = {"te": gap(0.2, published=True, p=0.001), "hi": gap(-0.1, published=True, p=0.4)}
    [axes] = drawn_gaps(of_section(section({"en": cell()} | languages))).axes
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
def test_texts_numbers_and_curves_stand_out(theme: str) -> None:
    """From every ground, the strongest colour of a heat map, and the card."""
    colours = {
        name: [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        for name, colour in THEMES[theme].items()
    }
    ratios = {p: contrast(colours[p[0]], colours[p[1]]) for p in product(TEXTS, GROUNDS)}
    for name in ("behind", "ahead"):
        share = STRONGEST / 100
        ground = [share * x + (1 - share) * y for x, y in zip(colours[name], colours["card"])]
        ratios[name, "numbers"] = contrast(colours["ink"], ground)
    assert {pair for pair, ratio in ratios.items() if ratio < 4.5} == set()
    for name in ("behind", "ahead", "base", "first", "second"):
        assert contrast(colours[name], colours["card"]) >= 3, name


@looped(
    ("name", "given", "text"),
    [
        ("megabytes", (48_100_000,), "48.1 MB"),
        ("megabytes", (999_900_000,), "999.9 MB"), ("megabytes", (1_000_000_000,), "1.0 GB"),
        ("megabytes", (1_234_500_000_000,), "1,234.5 GB"), ("money", (0.1, "USD"), "0.10 USD"),
        ("money", (0.0999, "EUR"), "0.1 EUR"), ("money", (0.01234, "USD"), "0.012 USD"),
        ("money", (1234.5, "X"), "1,234.50 X"),                 ("several", (0, "task"), "0 tasks"),
        ("several", (1, "task"), "1 task"), ("several", (1204, "task"), "1,204 tasks"),
        ("sizes", ((1,), "transactions"), "1 transaction"),
        ("sizes", ((4.0, 4.0), "rooms"), "4 rooms"),
        ("sizes", ((3, 4), "rooms"), "3 or 4 rooms"), ("sizes", ((3, 9), "rooms"), "3 or 9 rooms"),
        ("sizes", ((10, 20, 40), "rooms"), "10 to 40 rooms"),
        ("sizes", ((1,), "matches"), "1 match"),
        ("sizes", ((1,), "units of complexity"), "1 unit of complexity"),
        ("sizes", ((1.04,), "edges"), "1 edge"), ("sizes", ((2.55, 3), "edges"), "2.5 or 3 edges"),
        ("percent", (0.4305,), "43.1%"), ("percent", (None,), "–"), ("percent", (0.4315,), "43.2%"),
        # Halves are rounded away from zero.
        ("points", (0.1855,), "+18.6"), ("points", (0.275, 0), "+28"),
        ("points", (0.325, 0), "+33"),
        ("points", (-0.325, 0), "−33"), ("points", (0.145, 0), "+15"),
        ("points", (0.1875, 1), "+18.8"), ("points", (-0.0005, 1), "−0.1"),
        ("points", (0.2885, 1), "+28.9"), ("points", (-0.004, 1), "−0.4"),
        ("right_of", (23, 40), "23 of 40 (57.5%)"),
        ("percent", (0.0,), "0.0%"), ("points", (0.0,), "0.0"), ("points", (-0.0004,), "0.0"),
        ("points", (-123.4567,), "−12,345.7"), ("points", (None,), "–"),
        ("p_value", (0.0,), "<0.0001"), ("p_value", (0.0001,), "0.0001"),
        ("p_value", (0.00009,), "<0.0001"),
        ("right_of", (1000, 2000), "1,000 of 2,000 (50.0%)"), ("p_value", (None,), "not tested"),
        ("p_value", (0.031,), "0.0310"), ("ends", (0.02, 0.145), "+2.0 to +14.5"),
        ("clean", ("a\x00b\ud800c\x1b\u202eअ\n\t",), "a\ufffdb\ufffdc\ufffd\u202eअ\n\t"),
        ("fact", (1, "model"), ("1", "model")), ("fact", (2, "model"), ("2", "models")),
    ],
)  # fmt: skip
def test_numbers_in_words(name: str, given: tuple[object, ...], text: object) -> None:
    assert getattr(formats, name)(*given) == text


@pytest.mark.parametrize(
    "text", ["=1", " =1", "'=1", "''+x", "'a", "a", "-x", "\tx", "@", "＝1", "x=1", "'", ""]
)
def test_what_looks_like_a_formula_comes_back_as_it_was(text: str) -> None:
    escaped = formats.escape_formula(text)
    assert formats.unescape_formula(escaped) == text
    assert escaped[:1] not in ("=", "+", "-", "@", "\t", "\n", "\r")
    assert (escaped != text) == (
        text.lstrip("'").lstrip()[:1] in ("=", "+", "-", "@", "＝") or text[:1] == "\t"
    )


def test_markup_of_texts_is_no_markup_of_the_page() -> None:
    table = Table(
        "t", "A *b* | <c>", (Column("x"), Column("y")), (("a|b", "$_[`#"), ("1\n2", "&~!\\")), "c"
    )
    lines = formats.markdown(table).splitlines()
    assert lines[0] == r"## A \*b\* \| \<c\>"
    assert lines[4:6] == [r"| a\|b | \$\_\[\`\# |", r"| 1 2 | \&\~\!\\ |"]
    assert formats.tex(r"a_b\{c}%&#$~^<>|[*") == (
        r"a\_b\textbackslash{}\{c\}\%\&\#\$\textasciitilde{}\textasciicircum{}$<$$>$\textbar{}{[}{*}"
    )


def test_the_main_sentence_is_the_first_that_is_no_warning() -> None:
    kinds = [("warn", "a"), ("", "b"), ("behind", "c"), ("warn", "d")]
    assert leading(kinds) == (kinds[1], [kinds[0], *kinds[2:]])
    assert leading(kinds[::3]) == (kinds[0], [kinds[3]])
    assert (leading(kinds[2:]), leading([])) == ((kinds[2], [kinds[3]]), (None, []))


def test_csv_disarms_formulas_behind_blanks_and_in_headings():
    values = ("=1", " =1", "\t+x", "\n-x", "\u00a0=1", "\ufeff=1", "\uff1d1", "@a", "\r@x")
    harmless = ("a=1", "'x", "a\r=b")
    table = Table("t", "t", (Column("=cmd"),), tuple((value,) for value in (*values, *harmless)))
    rows = list(csv.reader(io.StringIO(comma_separated(table), newline="")))
    assert rows[0] == ["'=cmd"]
    assert [row[0] for row in rows[1:9]] == [f"'{value}" for value in values[:-1]]
    assert [row[0] for row in rows[9:]] == ["'\n@x", "a=1", "'x", "a\n=b"]


def test_a_table_in_latex_and_markdown_aligns_numbers_and_holds_no_command(tmp_path: Path) -> None:
    columns = (Column("A_b"), Column("N", "count"))
    table = Table("x", "50% of it.", columns, (("[1] & *", 12),), "Made by hand.")
    assert formats.latex(table).splitlines() == [
        r"\begin{table}", r"\caption{50\% of it. Made by hand.}", r"\label{tab:x}",
        r"\begin{tabular}{lr}", r"\toprule", r"A\_b & N \\", r"\midrule", r"{[}1] \& {*} & 12 \\",
        r"\bottomrule", r"\end{tabular}", r"\end{table}",
    ]  # fmt: skip
    formats.write_table(table, tmp_path / "a.b")
    assert (tmp_path / "a.b.csv").is_file()
    assert formats.markdown(table).splitlines() == [
        "## 50% of it.", "", r"| A\_b | N |", "| --- | ---: |", r"| \[1\] \& \* | 12 |", "",
        "Made by hand.",
    ]  # fmt: skip
