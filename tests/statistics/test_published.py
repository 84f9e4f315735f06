"""The published tables: what they imply about the method, and curves derived from them."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import chdtr

from benchmarks.derive_profiles import LANGUAGES, PROFILES, derive, published
from xlgo_metric.statistics.gamma import gamma_accuracy
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


def test_every_printed_accuracy_of_english_lies_on_one_curve() -> None:
    """So the printed values are those of the fitted curve, not means over 300 draws."""
    for model in MODELS:
        for task, table in TABLES["models"][model]["tasks"].items():
            c, f = (
                np.array([table[key][name][0] for name in LANGUAGES]) for key in ("c_star", "f_en")
            )

            def misfit(theta: np.ndarray, c=c, f=f) -> np.ndarray:
                q, r = np.exp(theta)
                value, ahead = (100 * chdtr(q, q / (r * x * x)) for x in (c, c + 0.5))
                return (value - f) / (0.05 + np.abs(ahead - value))

            starts = [np.log([q, np.median(c) ** -2.0]) for q in (3, 10, 30)]
            best = min((least_squares(misfit, s) for s in starts), key=lambda fit: fit.cost)
            assert np.abs(best.fun).max() < 1.2, (model, task)


def test_equal_c_star_prints_equal_accuracy_whatever_its_spread() -> None:
    row = TABLES["models"]["gemini-3.1-flash-lite"]["tasks"]["dsa"]
    assert row["c_star"]["te"] == [242, 11]
    assert row["c_star"]["zh"] == [242, 24]
    assert row["f_en"]["te"][0] == row["f_en"]["zh"][0] == 79.4


def test_the_transcription_is_consistent_with_itself() -> None:
    """SMD is f_EN - f_l, and the marks of the paper's section 4.1 follow."""
    for model in MODELS:
        for table in TABLES["models"][model]["tasks"].values():
            for name in LANGUAGES:
                gap = table["f_en"][name][0] - table["f_l"][name][0]
                assert gap == pytest.approx(table["smd"][name][0], abs=0.11)
    shapes = Counter(
        (key, len(found))
        for model in MODELS
        for table in TABLES["models"][model]["tasks"].values()
        for key, found in table.items()
        if isinstance(found, dict)
    )
    assert shapes == {
        ("smd", 6): 20,
        ("avg_acc", 7): 20,
        ("rd", 6): 20,
        ("c_star", 6): 20,
        ("f_en", 6): 20,
        ("f_l", 6): 20,
    }


@pytest.mark.parametrize("model", MODELS)
def test_the_shipped_profiles_are_current(profiles, model: str) -> None:
    shipped = json.loads((PROFILES / f"{model}.json").read_text("utf-8"))
    derived = profiles[model]
    assert shipped["ranges"] == derived["ranges"]
    assert shipped["notes"] == derived["notes"]
    for task, curves in derived["tasks"].items():
        for language, curve in curves.items():
            assert shipped["tasks"][task][language] == pytest.approx(curve, rel=1e-3)


def test_two_models_were_run_on_other_ranges_than_stated(profiles) -> None:
    stated = TABLES["ranges"]
    for model, profile in profiles.items():
        differ = {
            task
            for task, ends in profile["ranges"].items()
            if ends != stated[TABLES["models"][model]["preset"]][task]
        }
        assert differ == ({"slt", "dsa"} if model in ("gemma-4-31b-it", "glm-5-1") else set())
        if differ:
            assert profile["ranges"]["slt"] == stated["lite"]["slt"]


def test_the_demonstration_profile_falls_from_near_1_to_near_0() -> None:
    demo = json.loads((PROFILES / "demo.json").read_text("utf-8"))
    assert "nvented" in demo["source"]
    gaps = []
    for task, (low, high) in demo["ranges"].items():
        curves = demo["tasks"][task]
        assert set(curves) == {"en", *LANGUAGES}
        assert gamma_accuracy(low, **curves["en"]) > 0.97
        assert gamma_accuracy(high, **curves["en"]) < 0.1
        english = tuple(curves["en"].values())
        gaps += [
            float(divergence(english, tuple(curves[x].values()), low, high).smd) for x in LANGUAGES
        ]
    assert min(gaps) < -0.1
    assert sum(gap == 0 for gap in gaps) >= 2
    assert sum(gap > 0.1 for gap in gaps) > 20


def test_an_unknown_model_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'gpt'.*gemini-3-flash"):
        derive("gpt")
