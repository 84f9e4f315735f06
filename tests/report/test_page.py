from typing import Any, cast

import pytest

from xlgo_cli.display import labels
from xlgo_cli.display.formats import clean, count, percent, points, sortable
from xlgo_cli.report.findings import findings
from xlgo_cli.report.grid import of_languages, of_section, strength
from xlgo_cli.report.write import language_table
from xlgo_metric.comparison.gaps import ByLanguage

from .sections import cell, gap, pooled, section, typed


def kinds(found) -> list[str]:
    return [kind for kind, _ in found]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (percent(0.431), "43.1%"), (percent(0.431, 0), "43%"), (percent(None), "–"),
        (points(0.186), "+18.6"), (points(-0.0179), "−1.8"), (points(0.0001), "0.0"),
        (points(-0.0001), "0.0"), (points(None), "–"), (count(10500), "10,500"),
    ],
)  # fmt: skip
def test_numbers(shown, expected):
    assert shown == expected


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
        ("behind", "The model is significantly behind English in 1 of 3 language-task pairs."),
        ("behind", "Telugu is 18.0 points behind English in SLT (95% interval +8.0 to +28.0)."),
    ]


def test_a_language_that_is_ahead():
    ahead = gap(-0.2, published=True, p=0.001)
    found = findings(section({"en": cell(), "zh": ahead}))
    assert kinds(found) == ["", "ahead"]
    assert "behind English in 0 of 1 language-task pair, and ahead of it in 1" in found[0][1]
    assert "20.0 points ahead of English in SLT (95% interval +10.0 to +30.0)" in found[1][1]


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
    assert "The highest rate is 10.7%, for Telugu in SLT" in text
    languages["te"] = cell(statuses={"correct": 75, "wrong": 68, "truncated": 7})
    assert "warn" not in kinds(findings(section(languages)))
    languages["te"] = cell(n=8, statuses={"correct": 3, "wrong": 4, "truncated": 1})
    assert "warn" not in kinds(findings(section(languages)))  # one response is no pattern


def test_curves_that_cross_are_told_beside_their_cell():
    changes: dict[str, Any] = {"published": True, "p": 0.001, "rd": -0.25}
    crossing = gap(0.3, crossing=pooled(5, 25, (100, 200)), **changes)
    grid = of_section(section({"en": cell(), "te": crossing}))
    assert grid.view()[0]["cells"][0]["sentence"].endswith(
        " At 100 or 200 transactions the gap reverses: 25 of 50 (50.0%) in Telugu, 5 of 50 (10.0%) "
        "in English."
    )


def test_gaps_that_were_not_tested_are_not_said_to_fail_the_test():
    alone = gap(0.3, published=True, p=None)
    [(_, text)] = findings(section({"en": cell(), "te": alone}))
    assert text == "No significance test: Telugu, SLT (no questions)."
    tested = gap(0.03, published=False, p=1.0)
    [(_, text), *_] = findings(section({"en": cell(), "te": alone, "ta": tested}))
    assert text.startswith("None of 1 language-task pair")


def test_heatmap_colours_by_size_and_sign_and_pales_chance():
    languages = {
        "en": cell(),
        "te": gap(0.35, published=True, p=0.001),
        "ta": gap(0.35, published=False, p=1.0),
        "zh": gap(-0.07, published=True, p=0.001),
    }
    grid = of_section(section(languages))
    rows = {row["words"].code: row["cells"][0] for row in grid.view()}
    assert (rows["te"]["kind"], rows["zh"]["kind"]) == ("behind", "ahead")
    assert list(rows) == ["ta", "te", "zh"]  # the one that is furthest behind first
    assert rows["te"]["strength"] > 2 * rows["zh"]["strength"]
    assert strength(0.6, pale=False) > 1.4 * strength(0.35, pale=False)
    assert rows["ta"]["strength"] < rows["te"]["strength"] / 2
    assert rows["te"]["value"] == "+35.0"


def test_no_heatmap_without_english():
    assert of_section(section({"te": cell()})) is None
    assert findings(section({"te": cell()})) == [
        ("", "In Telugu the model solves 75 of 150 (50.0%)."),
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
        typed(0.05, 0.4, "zh", "low"),
        typed(0.2, 0.01, "te", "low"),
        typed(-0.1, 0.9, "te", "top"),
        typed(0.3, 0.2, "te", where={"task": "low", "model": "english_rules"}),
    ]
    compared_all = cast("ByLanguage", {"baseline": "en", "cells": cells})
    plain, other = of_languages(compared_all, "#family")
    assert [row["words"].code for row in plain.view()] == ["te", "zh"]  # the largest gap first
    assert [[(c["value"], c.get("mark")) for c in row["cells"]] for row in plain.view()] == [
        [("+20.0", "●"), ("−10.0", "")],
        [("+5.0", ""), ("–", None)],
    ]
    assert [c["kind"] for c in plain.view()[0]["cells"]] == ["behind", "ahead"]
    assert (plain.title, other.title) == ("Gaps to English", "Gaps to English (english_rules)")
    assert plain.legend == ["● significant (5%, all cells together)"]
    assert not other.legend
    silent = typed(0.1, None, "te", "low", refused="only 5 informative questions")
    (grid,) = of_languages({"baseline": "en", "cells": [silent]})
    assert grid.view()[0]["cells"][0]["mark"] == "?"
    assert grid.legend == ["? no test could be significant"]
