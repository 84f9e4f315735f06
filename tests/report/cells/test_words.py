"""Numbers in words: at each border of a unit one says it, just below another does."""

import csv
import io

import pytest

from tests.looping import looped
from xlgo_cli.display import formats
from xlgo_cli.display.formats import comma_separated
from xlgo_cli.display.sentences import leading
from xlgo_metric.table import Column, Table, percent, points


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
        ("percent", (0.4305,), "43.1%"), ("percent", (None,), "–"), ("points", (0.1855,), "+18.6"),
        ("points", (-0.004, 1), "−0.4"), ("right_of", (23, 40), "23 of 40 (57.5%)"),
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
    assert leading(kinds[2:]) == (kinds[2], [kinds[3]])
    assert leading([]) == (None, [])


def test_a_row_of_another_width_is_refused():
    with pytest.raises(ValueError, match="table 't': a row has 2 cells for 1 columns"):
        Table("t", "t", (Column("x"),), ((1, 2),))


def test_csv_disarms_formulas_behind_blanks_and_in_headings():
    values = ("=1", " =1", "\t+x", "\n-x", "\u00a0=1", "\ufeff=1", "\uff1d1", "@a", "\r@x")
    harmless = ("a=1", "'x", "a\r=b")
    table = Table("t", "t", (Column("=cmd"),), tuple((value,) for value in (*values, *harmless)))
    rows = list(csv.reader(io.StringIO(comma_separated(table), newline="")))
    assert rows[0] == ["'=cmd"]
    assert [row[0] for row in rows[1:9]] == [f"'{value}" for value in values[:-1]]
    assert [row[0] for row in rows[9:]] == ["'\n@x", "a=1", "'x", "a\n=b"]


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
