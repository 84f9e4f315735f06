import csv
import io
from typing import Any, cast

import pytest
from rich.console import Console

from xlgo_cli.display.formats import comma_separated, latex, markdown, show
from xlgo_metric.table import Column, Table, interval, percent, points, spread, written

TABLE = Table(
    "t",
    "A title",
    (Column("name"), Column("value", "share", unit="%"), *spread("gap", "difference")),
    (("plain", 0.123456789, 0.01, 0.02), ("a|b <i>", None, -0.03, None), ("=1+1", 12, None, None)),
    "A caption.",
)


def test_csv_keeps_full_precision_and_disarms_formulas():
    rows = list(csv.reader(io.StringIO(comma_separated(TABLE))))
    assert rows[0] == ["name", "value", "gap", "gap, sd"]
    assert rows[1] == ["plain", "0.123456789", "0.01", "0.02"]
    assert rows[2] == ["a|b <i>", "", "-0.03", ""]
    assert rows[3][:2] == ["'=1+1", "12"]


def test_csv_leaves_negative_numbers_alone():
    values = (-1.5, -2, -1e-05, "-x", "-1.5", "-10.1 ± 9.7**", "+1+A1")
    table = Table("t", "t", (Column("x"),), tuple((value,) for value in values))
    assert comma_separated(table).split("\n")[1:-1] == [
        "-1.5", "-2", "-1e-05", "'-x", "'-1.5", "'-10.1 ± 9.7**", "'+1+A1",
    ]  # fmt: skip


def test_people_read_numbers_in_percent_and_what_belongs_together_in_one_cell():
    assert TABLE.headings() == ["name", "value", "gap"]
    assert TABLE.shown()[0] == ["plain", "12.3%", "+1.0 ± 2.0"]
    assert TABLE.shown()[1] == ["a|b <i>", "–", "−3.0"]
    ends = Table("t", "t", interval("95%", unit="points"), ((-0.1, 0.25), (None, None)))
    assert ends.headings() == ["95% (points)"]
    assert ends.shown() == [["−10.0 to +25.0"], ["–"]]


def test_numbers_are_written_for_people():
    assert written(-0.04, 1) == "0.0"  # no minus sign before zero
    assert written(0.04, 1, signed=True) == "0.0"
    assert written(12345.6, 0) == "12,346"
    assert written(1234.56, 0) == "1235"
    assert written(1.23456) == "1.235"
    assert written(-2.5e-7) == "−2.5e−07"
    assert written(2, 0, signed=True) == "+2"
    assert Column("p", "p").written(0.03) == "0.0300"
    assert Column("yes").written(True) == "yes"
    assert Column("", "count").written(None) == ""


def test_a_table_of_another_family_may_have_texts_for_columns():
    """As families of other packages wrote them for version 0.2."""
    table = Table("t", "t", cast("Any", ("task", "right")), (("a", 0.51234), ("b", 12)))
    assert table.names == ("task", "right")
    assert table.shown() == [["a", "0.5123"], ["b", "12"]]


def test_a_row_of_another_width_is_refused():
    with pytest.raises(ValueError, match="table 't': a row has 2 cells for 1 columns"):
        Table("t", "t", (Column("x"),), ((1, 2),))


def test_markdown_rows_have_as_many_cells_as_headings():
    lines = [line for line in markdown(TABLE).splitlines() if line.startswith("|")]
    assert lines[1] == "| --- | ---: | ---: |"
    for line in lines:
        assert line.replace(r"\|", "").count("|") == len(TABLE.headings()) + 1
    assert r"a\|b \<i\>" in lines[3]


def test_markdown_rows_stay_on_their_line():
    table = Table("t", "t", (Column("a"), Column("b")), (("one\ntwo", 1),))
    assert markdown(table).splitlines()[-1] == "| one two | 1 |"


def test_terminal_shows_markup_as_it_is():
    console = Console(width=80, record=True, file=io.StringIO())
    show(Table("t", "[red]title", (Column("[b]x"),), (("[bold]cell",),)), console=console)
    text = console.export_text()
    assert "[red]title" in text
    assert "[b]x" in text
    assert "[bold]cell" in text


def test_a_small_table_does_not_break_its_title_and_caption():
    console = Console(width=80, record=True, file=io.StringIO())
    show(
        Table("t", "A title of four words", (Column("x"),), ((1,),), "A caption of some words."),
        console=console,
    )
    lines = [line.strip() for line in console.export_text().splitlines()]
    assert "A title of four words" in lines
    assert "A caption of some words." in lines


def test_csv_disarms_formulas_behind_blanks_and_in_headings():
    values = ("=1", " =1", "\t+x", "\n-x", "\u00a0=1", "\ufeff=1", "\uff1d1", "@a", "\r@x")
    harmless = ("a=1", "'x", "a\r=b")
    table = Table("t", "t", (Column("=cmd"),), tuple((value,) for value in (*values, *harmless)))
    rows = list(csv.reader(io.StringIO(comma_separated(table), newline="")))
    assert rows[0] == ["'=cmd"]
    assert [row[0] for row in rows[1:9]] == [f"'{value}" for value in values[:-1]]
    assert [row[0] for row in rows[9:]] == ["'\n@x", "a=1", "'x", "a\n=b"]


def test_a_title_of_markdown_cannot_hold_markup():
    table = Table("t", "a *b*\n# <script> [x](http://y) ![z](w)", (Column("x"),), ((1,),))
    title, *rest = markdown(table).splitlines()
    assert title == r"## a \*b\* \# \<script\> \[x\](http://y) \!\[z\](w)"
    assert not any("script" in line for line in rest)


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [(0.275, 0, "+28"), (0.325, 0, "+33"), (-0.325, 0, "−33"), (0.145, 0, "+15"),
     (0.1875, 1, "+18.8"), (-0.0005, 1, "−0.1"), (0.2885, 1, "+28.9")],
)  # fmt: skip
def test_halves_are_rounded_away_from_zero(value, digits, expected):
    assert points(value, digits) == expected


def test_one_number_has_one_rounding_and_no_p_is_zero():
    assert Column("", "share", unit="%").written(0.4315) == percent(0.4315) == "43.2%"
    assert Column("", "p").written(0.00004) == "<0.0001"
    assert Column("", "p").written(0.0) == "<0.0001"


def test_latex_has_the_numbers_of_the_markdown_and_no_commands_of_a_name():
    table = Table("t_1", "50% of $x_1$", (Column("a"), *spread("gap", "difference")),
                  (("\\input{x} & ●", -0.01, 0.02),), "–")  # fmt: skip
    text = latex(table)
    assert r"\caption{50\% of \$x\_1\$. --}" in text
    assert r"\textbackslash{}input\{x\} \& $\bullet$ & $-$1.0 $\pm$ 2.0 \\" in text
    assert r"\begin{tabular}{lr}" in text
    assert text.count("midrule") == 1
