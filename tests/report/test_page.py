from typing import Any, cast

import pytest

from xlgo_cli.display import labels
from xlgo_cli.display.formats import clean, count, percent, points, sortable, spread
from xlgo_cli.report.findings import findings, gap_sentence
from xlgo_cli.report.gap_marks import mark
from xlgo_cli.report.heat import family_heats, heatmap, strength
from xlgo_cli.report.sections import language_table
from xlgo_metric.comparison.gaps import ByLanguage, LanguageCell

from .sections import cell, gap, pooled, section


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


@pytest.mark.parametrize(
    ("significant", "p_holm", "expected"),
    [(True, 0.049, "●"), (False, 0.049, "●"), (True, 0.05, "○"), (True, None, "○"), (False, 1, "")],
)
def test_marks(significant, p_holm, expected):
    assert mark(gap(0.2, significant=significant, p_holm=p_holm)) == expected


def test_findings_say_what_the_numbers_say():
    found = findings(
        section(
            {
                "en": cell(),
                "te": gap(0.18, significant=True, p_holm=0.002),
                "ta": gap(0.10, significant=True, p_holm=0.3),
                "zh": gap(-0.05, significant=False, p_holm=1.0),
            }
        )
    )
    assert found == [
        (
            "behind",
            "The model is significantly behind English in 1 of 3 language-task pairs "
            "(paired test, corrected, 5%); 1 more is flagged only by the published rule, without "
            "correction.",
        ),
        (
            "behind",
            "Telugu, Sequential linear transforms (SLT): The gap (English minus Telugu) is "
            "+18 points over 150 questions (95% intervals, all pairs together: +8 to +28). At "
            "300 transactions the model solves "
            "21 of 50 (42%) in Telugu and 30 of 50 (60%) in English (+18 points, +6 "
            "to +30). "
            "The fitted gap is largest at 251 transactions, 62% in Telugu and 80% in "
            "English (SMD +18.0 ± 4.4 points; the largest gap lies between +8 and +27).",
        ),
    ]


def test_a_language_that_is_ahead():
    found = findings(section({"en": cell(), "zh": gap(-0.2, significant=True, p_holm=0.001)}))
    assert kinds(found) == ["", "ahead"]
    assert "behind English in 0 of 1 language-task pair, and ahead of it in 1" in found[0][1]


def test_no_gap_is_said_plainly():
    found = findings(section({"en": cell(), "te": gap(0.03, significant=False, p_holm=1.0)}))
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
    lost = gap(0.3, significant=True, p_holm=0.001, identified=False)
    told = gap_sentence("slt", "te", lost)
    assert "in Telugu or English do not identify a curve, so the gap cannot be sized" in told
    assert "SMD" not in told
    assert told.endswith(". The gap is significant (paired test).")
    chance = gap(0.3, significant=True, p_holm=0.2, identified=False)
    assert gap_sentence("slt", "te", chance).endswith("so the gap cannot be sized.")
    [row] = heatmap(section({"en": cell(), "te": lost})).rows
    assert (row.cells[0].kind, row.cells[0].value) == ("behind", "+30.0")
    assert row.cells[0].mark == "●"


def test_curves_that_cross_are_neither_behind_nor_ahead():
    changes: dict[str, Any] = {"significant": True, "p_holm": 0.001, "rd": -0.25}
    other_side = pooled(5, 25, (100, 200)) | {"p_holm": 0.049, "low": -0.6, "high": -0.2}
    crossing = gap(0.3, crossing=other_side, direction="crosses", **changes)
    [whole, one] = findings(section({"en": cell(), "te": crossing}))
    assert whole == (
        "",
        "The model is significantly behind English in 0 of 1 language-task pair, and behind "
        "at some sizes and ahead at others in 1 (paired test, corrected, 5%).",
    )
    assert one[0] == ""
    assert one[1].endswith(
        ". The gap reverses at other levels: at 100 or 200 transactions the model solves 25 of "
        "50 (50%) in Telugu and 5 of 50 (10%) in English (−40 points)."
    )
    chance = gap(0.3, crossing=None, direction="behind", **changes)
    [whole, one] = findings(section({"en": cell(), "te": chance}))
    assert (whole[0], one[0]) == ("behind", "behind")
    assert "reverses" not in one[1]


def test_gaps_that_were_not_tested_are_not_said_to_fail_the_test():
    alone = gap(0.3, significant=True, p_holm=None)
    [(_, text)] = findings(section({"en": cell(), "te": alone}))
    assert text == (
        "No gap to English could be tested: no questions were asked in both languages; "
        "1 more is flagged only by the published rule, without correction."
    )
    tested = gap(0.03, significant=False, p_holm=1.0)
    [(_, text), *_] = findings(section({"en": cell(), "te": alone, "ta": tested}))
    assert text.startswith("None of 1 language-task pair")
    assert "; 1 more could not be tested" in text


def test_heatmap_colours_by_size_and_sign_and_pales_chance():
    languages = {
        "en": cell(),
        "te": gap(0.35, significant=True, p_holm=0.001),
        "ta": gap(0.35, significant=False, p_holm=1.0),
        "zh": gap(-0.07, significant=True, p_holm=0.001),
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
    languages = {"en": cell(), "te": gap(0.18, significant=True, p_holm=0.01)}
    table = sortable(language_table({"languages": languages}), languages=True)
    heads = [head for head, _ in table["heads"]]
    english, telugu = table["rows"]
    assert english["words"].code == "en"
    assert len(telugu["cells"]) == len(heads) - 1
    smd = telugu["cells"][heads.index("SMD") - 1]
    assert (smd["sort"], smd["text"], smd["sd"]) == (0.18, "+18.0", "± 4.4 ●")
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
    def compared(
        language: str, task: str, difference: float, p_holm: float, asked_as: str = ""
    ) -> LanguageCell:
        return {
            "task": task, "asked_as": asked_as, "language": language, "n": 40,
            "accuracy_base": 0.6, "accuracy": 0.6 - difference, "only_base": 9, "only_language": 1,
            "difference": difference, "low": difference - 0.1, "high": difference + 0.1,
            "low_all": -1.0, "high_all": 1.0, "p": p_holm, "p_holm": p_holm, "smd": None,
            "smd_sd": None, "c_star": None,
        }  # fmt: skip

    cells = [
        compared("zh", "low", 0.05, 0.4), compared("te", "low", 0.2, 0.01),
        compared("te", "top", -0.1, 0.9), compared("te", "low", 0.3, 0.2, "english_rules"),
    ]  # fmt: skip
    compared_all = cast("ByLanguage", {"baseline": "en", "cells": cells})
    plain, other = family_heats(compared_all, "#family")
    assert [row.language.code for row in plain.rows] == ["te", "zh"]  # the largest gap first
    assert [[(c.value, c.mark) for c in row.cells] for row in plain.rows] == [
        [("+20.0", "●"), ("−10.0", "")], [("+5.0", ""), ("–", "")],
    ]  # fmt: skip
    assert [c.kind for c in plain.rows[0].cells] == ["behind", "ahead"]
    assert (plain.title, other.title) == ("Gaps to English", "Gaps to English (english_rules)")
    assert plain.marks == ("● significant (paired test, Holm, 5%)",)
    assert not other.marks
    # Five discordant questions cannot reach 5% (2 / 2**5 = 6.2%), six can.
    for only, sign in ((5, "?"), (6, "")):
        one = compared("te", "low", 0.1, 0.5) | {"only_base": only, "only_language": 0}
        (heat,) = family_heats({"baseline": "en", "cells": [cast("LanguageCell", one)]})
        assert heat.rows[0].cells[0].mark == sign
        assert heat.rows[0].cells[0].href == "#low"
        assert len(heat.marks) == bool(sign)
