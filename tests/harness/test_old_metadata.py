"""Metadata reach tasks with a class of their own in releases of lm-eval that do not give them."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("lm_eval")

from xlgo_lm_eval import repeat_task


@pytest.mark.parametrize(
    ("release", "found"),
    [
        ("0.4.9", {"seed": 3, "levels": 2, "model": "m", "source": "x"}),
        ("0.4.9.2", {"seed": 3, "levels": 2, "model": "m", "source": "x"}),
        ("0.4.11", {"seed": 3, "levels": 2, "model": "m", "source": "x"}),
        ("0.4.12", {"seed": 0, "levels": 2}),
        ("0.5.0", {"seed": 0, "levels": 2}),
    ],
)
def test_the_command_line_counts_in_old_releases_only(
    monkeypatch: pytest.MonkeyPatch, release: str, found: dict[str, object]
) -> None:
    line = ["lm-eval", "--model_args", "model=m", "--metadata", '{"seed": 3, "source": "x"}', "-q"]
    monkeypatch.setattr(sys, "argv", line)
    monkeypatch.setattr(repeat_task, "version", lambda name: release)
    settings = repeat_task.settings({"class": object, "metadata": {"seed": 0, "levels": 2}})
    assert settings == {"metadata": found}
