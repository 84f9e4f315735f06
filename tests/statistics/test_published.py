"""The published tables: what they imply about the method, and curves derived from them."""

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


def test_curves_of_some_tables_give_the_others(profiles) -> None:
    """Tables 6 to 9 are used up to their rounding; Tables 2 and 5 and the averages are not."""
    near = 0
    for table, language, found in cells(profiles):
        value, sd = table["smd"][language]
        near += abs(100 * found.smd - value) <= sd
        assert 100 * found.smd == pytest.approx(value, abs=0.2)
        assert found.c_star == pytest.approx(table["c_star"][language][0], abs=1.0)
        assert 100 * found.rd == pytest.approx(table["rd"][language][0], abs=0.3)
        slope = 100 * abs(float(found.f_en) - float(found.f_l)) / 20 + 2.5
        assert 100 * found.f_en == pytest.approx(table["f_en"][language][0], abs=slope)
    assert near >= 100  # of 120 cells
    for model, profile in profiles.items():
        for task, curves in profile["tasks"].items():
            printed = TABLES["models"][model]["tasks"][task]["avg_acc"]
            for language, curve in curves.items():
                mean = average_accuracy(curve["q"], curve["r"], *profile["ranges"][task])
                assert 100 * mean == pytest.approx(printed[language][0], abs=0.3)


@pytest.mark.parametrize("model", MODELS)
def test_the_shipped_profiles_are_current(profiles, model: str) -> None:
    shipped = json.loads((PROFILES / f"{model}.json").read_text("utf-8"))
    derived = profiles[model]
    assert shipped["ranges"] == derived["ranges"]
    assert shipped["notes"] == derived["notes"]
    for task, curves in derived["tasks"].items():
        for language, curve in curves.items():
            assert shipped["tasks"][task][language] == pytest.approx(curve, rel=1e-3)
