"""The published tables: what they imply about the method, and curves derived from them."""

from __future__ import annotations

import json

import pytest

from benchmarks.derive_profiles import LANGUAGES, PROFILES, derive, published
from xlgo_metric.statistics.gaps import average_accuracy, divergence

TABLES = published()
MODELS = tuple(TABLES["models"])


@pytest.fixture(scope="module")
def profiles() -> dict[str, dict]:
    return {model: derive(model) for model in MODELS}


def cells(profiles: dict[str, dict]):
    for model, profile in profiles.items():
        for task, curves in profile["tasks"].items():
            table = TABLES["models"][model]["tasks"][task]
            english = tuple(curves["en"].values())
            for language in LANGUAGES:
                found = divergence(
                    english, tuple(curves[language].values()), *profile["ranges"][task]
                )
                yield table, language, found


def test_at_least_100_of_120_cells_lie_within_one_published_sd(profiles) -> None:
    """Table 2 is not used to derive the curves."""
    near = 0
    for table, language, found in cells(profiles):
        value, sd = table["smd"][language]
        near += abs(100 * found.smd - value) <= sd
        assert 100 * found.smd == pytest.approx(value, abs=0.2)
    assert near >= 100


def test_the_other_tables_agree(profiles) -> None:
    """Tables 6-9, which are used up to their rounding, and Table 5, which is not used."""
    for table, language, found in cells(profiles):
        assert found.c_star == pytest.approx(table["c_star"][language][0], abs=1.0)
        assert 100 * found.rd == pytest.approx(table["rd"][language][0], abs=0.3)
        slope = 100 * abs(float(found.f_en) - float(found.f_l)) / 20 + 2.5
        assert 100 * found.f_en == pytest.approx(table["f_en"][language][0], abs=slope)


def test_averages_agree_on_the_implied_range(profiles) -> None:
    for model, profile in profiles.items():
        for task, curves in profile["tasks"].items():
            printed = TABLES["models"][model]["tasks"][task]["avg_acc"]
            for language, curve in curves.items():
                found = average_accuracy(curve["q"], curve["r"], *profile["ranges"][task])
                assert 100 * found == pytest.approx(printed[language][0], abs=0.3)


@pytest.mark.parametrize("model", MODELS)
def test_the_shipped_profiles_are_current(profiles, model: str) -> None:
    shipped = json.loads((PROFILES / f"{model}.json").read_text("utf-8"))
    derived = profiles[model]
    assert shipped["ranges"] == derived["ranges"]
    assert shipped["notes"] == derived["notes"]
    for task, curves in derived["tasks"].items():
        for language, curve in curves.items():
            assert shipped["tasks"][task][language] == pytest.approx(curve, rel=1e-3)
