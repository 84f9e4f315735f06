from typing import Any, cast

import pytest

from xlgo_cli.display import labels
from xlgo_cli.display.formats import clean, count, percent, points, sortable, spread
from xlgo_cli.report.findings import findings, gap_sentence
from xlgo_cli.report.gap_marks import mark, smd_mark
from xlgo_cli.report.heat import family_heats, heatmap, strength
from xlgo_cli.report.sections import language_table
from xlgo_metric.comparison.gaps import ByLanguage

from .sections import cell, gap, pooled, section, typed


def kinds(found) -> list[str]:
    return [kind for kind, _ in found]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (percent(0.431), "43%"), (percent(0.431, 1), "43.1%"), (percent(None), "–"),
        (points(0.186), "+18.6"), (points(-0.0179), "−1.8"), (points(0.0001), "0.0"),
        (points(-0.0001), "0.0"), (points(None), "–"), (spread(0.0436), "± 4.4"),
        (spread(None), ""), (count(10500), "10,500"),
    ],
)  # fmt: skip
def test_numbers(shown, expected):
    assert shown == expected


def test_marks():
    assert mark(gap(0.2, published=True, p=0.049)) == "●"
    assert mark(gap(0.2, published=True, p=0.051)) == mark(gap(0.2, published=True, p=None)) == ""
    assert [smd_mark(gap(0.2, published=one, p=0.01)) for one in (True, False)] == ["○", ""]
    assert mark(gap(0.2, published=True, p=0.2, difference=typed(0.2, 0.2, flagged=True))) == "†"


def test_findings_say_what_the_numbers_say():
    found = findings(
        section(
            {
                "en": cell(),
                "te": gap(0.18, published=True, p=0.002),
                "ta": gap(0.10, published=True, p=0.3),
                "zh": gap(-0.05, published=False, p=1.0),
            }
        )
    )
    assert found == [
        (
            "behind",
            "The model is significantly behind English in 1 of 3 language-task pairs "
            "(paired test, all together, 5%).",
        ),
        (
            "behind",
            "Telugu, Sequential linear transforms (SLT): The gap (English minus Telugu) is "
            "+18 points over 150 questions (95% interval, all together: +8 to +28). At "
            "300 transactions the model solves "
            "21 of 50 (42%) in Telugu and 30 of 50 (60%) in English. "
            "The fitted gap is largest at 251 transactions, 62% in Telugu and 80% in "
            "English (SMD +18.0 ± 4.4 points; the largest gap lies between +8 and +27).",
        ),
    ]


def test_a_language_that_is_ahead():
    found = findings(section({"en": cell(), "zh": gap(-0.2, published=True, p=0.001)}))
    assert kinds(found) == ["", "ahead"]
    assert "behind English in 0 of 1 language-task pair, and ahead of it in 1" in found[0][1]


def test_no_gap_is_said_plainly():
    found = findings(section({"en": cell(), "te": gap(0.03, published=False, p=1.0)}))
    assert kinds(found) == [""]
    start = "None of 1 language-task pair shows a significant gap to English"
    assert found[0][1].startswith(start)


def test_unreadable_answers_are_named_when_they_are_many():
    statuses = {"correct": 75, "wrong": 60, "truncated": 12, "no_answer": 3, "bad_format": 0}
    [*_, (kind, text)] = findings(section({"en": cell(statuses=statuses)}))
    assert kind == "warn"
    assert "10.0% of responses were unparsable or truncated" in text
    assert "(8.0% truncated, 2.0% no answer)" in text


def test_one_language_that_is_cut_off_is_named_among_many_that_are_not():
    languages = {code: cell() for code in ("en", "ta", "hi", "zh", "ja", "ar")}
    languages["te"] = cell(statuses={"correct": 75, "wrong": 59, "truncated": 16})
    # 16 of 7 x 150 responses are 1.5%, but 16 of the 150 in Telugu are 10.7%.
    [*_, (kind, text)] = findings(section(languages))
    assert kind == "warn"
    assert "1.5% of responses were unparsable or truncated" in text
    assert "The highest rate is 10.7%, for Telugu in Sequential linear transforms" in text
    languages["te"] = cell(statuses={"correct": 75, "wrong": 68, "truncated": 7})
    assert "warn" not in kinds(findings(section(languages)))
    languages["te"] = cell(n=8, statuses={"correct": 3, "wrong": 4, "truncated": 1})
    assert "warn" not in kinds(findings(section(languages)))  # one response is no pattern


def test_a_curve_that_is_not_identified_is_not_trusted():
    lost = gap(0.3, published=True, p=0.001, identified=False)
    told = gap_sentence("slt", "te", lost)
    assert "in Telugu or English do not identify a curve, so the gap cannot be sized" in told
    assert "SMD" not in told
    chance = gap(0.3, published=True, p=0.2, identified=False)
    assert gap_sentence("slt", "te", chance).endswith("so the gap cannot be sized.")
    [row] = heatmap(section({"en": cell(), "te": lost})).rows
    assert (row.cells[0].kind, row.cells[0].value) == ("behind", "+30.0")
    assert row.cells[0].mark == "●"


def test_curves_that_cross_and_sizes_that_differ_have_words_of_their_own():
    changes: dict[str, Any] = {"published": True, "p": 0.001, "rd": -0.25}
    crossing = gap(0.3, crossing=pooled(5, 25, (100, 200)), **changes)
    [whole, one] = findings(section({"en": cell(), "te": crossing}))
    assert (whole[0], one[0]) == ("behind", "behind")
    assert one[1].endswith(
        ". The gap reverses at other levels: at 100 or 200 transactions the model solves 25 of "
        "50 (50%) in Telugu and 5 of 50 (10%) in English."
    )
    somewhere = gap(0.03, published=True, p=0.3, paired={"p": 0.001, "p_holm": 0.01})
    assert gap_sentence("slt", "te", somewhere).endswith(
        ". The two differ at some sizes (test over sizes, Holm-corrected, 5%)."
    )


def test_gaps_that_were_not_tested_are_not_said_to_fail_the_test():
    alone = gap(0.3, published=True, p=None)
    [(_, text)] = findings(section({"en": cell(), "te": alone}))
    assert text == "No gap to English could be tested: no questions were asked in both languages."
    tested = gap(0.03, published=False, p=1.0)
    [(_, text), *_] = findings(section({"en": cell(), "te": alone, "ta": tested}))
    assert text.startswith("None of 1 language-task pair")
    assert "; 1 more could not be tested" in text


def test_heatmap_colours_by_size_and_sign_and_pales_chance():
    languages = {
        "en": cell(),
        "te": gap(0.35, published=True, p=0.001),
        "ta": gap(0.35, published=False, p=1.0),
        "zh": gap(-0.07, published=True, p=0.001),
    }
    rows = {row.language.code: row.cells[0] for row in heatmap(section(languages)).rows}
    assert (rows["te"].kind, rows["zh"].kind) == ("behind", "ahead")
    assert list(rows) == ["ta", "te", "zh"]  # the one that is furthest behind first
    assert rows["te"].strength > 2 * rows["zh"].strength
    assert strength(0.6, pale=False) > 1.4 * strength(0.35, pale=False)
    assert rows["ta"].strength < rows["te"].strength / 2
    assert rows["te"].value == "+35.0"


def test_no_heatmap_without_english():
    assert heatmap(section({"te": cell()})) is None
    assert findings(section({"te": cell()})) == [
        ("", "In Telugu the model solves 75 of 150 (50%)."),
        ("", "This run has no English answers to compare with; add English."),
    ]


def test_table_sorts_by_numbers_not_by_text():
    languages = {"en": cell(), "te": gap(0.18, published=True, p=0.01)}
    table = sortable(
        language_table({"languages": languages, "c_min": 5, "c_max": 200}), languages=True
    )
    heads = [head for head, _ in table["heads"]]
    english, telugu = table["rows"]
    assert english["words"].code == "en"
    assert len(telugu["cells"]) == len(heads) - 1
    smd = telugu["cells"][heads.index("SMD") - 1]
    assert (smd["sort"], smd["text"], smd["sd"]) == (0.18, "+18.0", "± 4.4 ○")
    assert english["cells"][heads.index("SMD") - 1]["sort"] == ""


def test_languages_have_names_and_directions():
    assert labels.language("te").native_name == "తెలుగు"
    assert labels.language("ar").direction == "rtl"
    assert labels.language("fa").direction == "rtl"
    assert labels.language("de").name == "German"
    unknown = labels.language("xx")
    assert (unknown.name, unknown.direction) == ("xx", "ltr")


def test_every_status_has_words():
    from xlgo_metric.core import STATUSES

    assert tuple(labels.STATUSES) == STATUSES


def test_clean_keeps_text_and_drops_what_no_page_may_hold():
    assert clean("a\x00b\ud800c\x1b\u202eअ\n\t") == "a\ufffdb\ufffdc\ufffd\u202eअ\n\t"


def test_a_family_without_curves_has_a_heat_map_for_each_way_of_asking() -> None:
    cells = [
        typed(0.05, 0.4, "zh", "low"), typed(0.2, 0.01, "te", "low"),
        typed(-0.1, 0.9, "te", "top"),
        typed(0.3, 0.2, "te", where={"task": "low", "model": "english_rules"}),
    ]  # fmt: skip
    compared_all = cast("ByLanguage", {"baseline": "en", "cells": cells})
    plain, other = family_heats(compared_all, "#family")
    assert [row.language.code for row in plain.rows] == ["te", "zh"]  # the largest gap first
    assert [[(c.value, c.mark) for c in row.cells] for row in plain.rows] == [
        [("+20.0", "●"), ("−10.0", "")], [("+5.0", ""), ("–", "")],
    ]  # fmt: skip
    assert [c.kind for c in plain.rows[0].cells] == ["behind", "ahead"]
    assert (plain.title, other.title) == ("Gaps to English", "Gaps to English (english_rules)")
    assert plain.marks == ("● significant (paired test, 5%)",)
    assert not other.marks
    silent = typed(0.1, None, "te", "low", refused="only 5 informative questions")
    (heat,) = family_heats({"baseline": "en", "cells": [silent]})
    assert heat.rows[0].cells[0].mark == "?"
    assert heat.rows[0].cells[0].href == "#low"
    assert heat.marks == ("? too few discordant questions for a test",)
