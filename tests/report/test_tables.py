import csv
import io

from rich.console import Console

from xlgo_cli.display.tables import comma_separated, is_numeric, markdown, show
from xlgo_metric.core import Table

TABLE = Table(
    "t",
    "A title",
    ("name", "value", "with sd"),
    (("plain", 0.123456789, "+1.0 ± 2.0"), ("a|b <i>", None, "−3.0"), ("=1+1", 12, "–")),
    "A caption.",
)


def test_csv_keeps_full_precision_and_disarms_formulas():
    rows = list(csv.reader(io.StringIO(comma_separated(TABLE))))
    assert rows[0] == list(TABLE.columns)
    assert rows[1] == ["plain", "0.123456789", "+1.0 ± 2.0"]
    assert rows[2] == ["a|b <i>", "", "−3.0"]
    assert rows[3][:2] == ["'=1+1", "12"]


def test_csv_leaves_negative_numbers_alone():
    values = ("-1.5", -2, "-x", "-10.1 ± 9.7**", "-21.7 to 0.0", "+1+A1", "-1e-05")
    table = Table("t", "t", ("x",), tuple((value,) for value in values))
    assert comma_separated(table).split("\n")[1:-1] == [
        "-1.5", "-2", "'-x", "-10.1 ± 9.7**", "-21.7 to 0.0", "'+1+A1", "-1e-05",
    ]  # fmt: skip


def test_markdown_rows_have_as_many_cells_as_columns():
    lines = [line for line in markdown(TABLE).splitlines() if line.startswith("|")]
    assert lines[1] == "| --- | ---: | ---: |"
    for line in lines:
        assert line.replace(r"\|", "").count("|") == len(TABLE.columns) + 1
    assert r"a\|b \<i\>" in lines[3]


def test_markdown_rows_stay_on_their_line():
    table = Table("t", "t", ("a", "b"), (("one\ntwo", 1),))
    assert markdown(table).splitlines()[-1] == "| one two | 1 |"


def test_columns_of_numbers_are_found():
    assert is_numeric(TABLE) == [False, True, True]
    assert is_numeric(Table("t", "t", ("x", "y"), ())) == [True, True]


def test_terminal_shows_markup_as_it_is():
    console = Console(width=80, record=True, file=io.StringIO())
    show(Table("t", "[red]title", ("[b]x",), (("[bold]cell",),)), console)
    text = console.export_text()
    assert "[red]title" in text
    assert "[b]x" in text
    assert "[bold]cell" in text


def test_a_small_table_does_not_break_its_title_and_caption():
    console = Console(width=80, record=True, file=io.StringIO())
    show(Table("t", "A title of four words", ("x",), ((1,),), "A caption of some words."), console)
    lines = [line.strip() for line in console.export_text().splitlines()]
    assert "A title of four words" in lines
    assert "A caption of some words." in lines


def test_csv_disarms_formulas_behind_blanks_and_in_headings():
    values = ("=1", " =1", "\t+x", "\n-x", "\u00a0=1", "\ufeff=1", "\uff1d1", "@a", "\r@x")
    harmless = ("a=1", "'x", "a\r=b")
    table = Table("t", "t", ("=cmd",), tuple((value,) for value in (*values, *harmless)))
    rows = list(csv.reader(io.StringIO(comma_separated(table), newline="")))
    assert rows[0] == ["'=cmd"]
    assert [row[0] for row in rows[1:9]] == [f"'{value}" for value in values[:-1]]
    assert [row[0] for row in rows[9:]] == ["'\n@x", "a=1", "'x", "a\n=b"]


def test_a_title_of_markdown_cannot_hold_markup():
    table = Table("t", "a *b*\n# <script> [x](http://y) ![z](w)", ("x",), ((1,),))
    title, *rest = markdown(table).splitlines()
    assert title == r"## a \*b\* \# \<script\> \[x\](http://y) \!\[z\](w)"
    assert not any("script" in line for line in rest)
