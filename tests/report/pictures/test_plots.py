import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from xlgo_cli.report.pictures.plots import curves, heatmap, write_plots

from ..sections import cell, gap, section, typed

LANGUAGES = {
    "en": cell(),
    "te": gap(0.186, published=True, p=0.001),
    "zh": gap(-0.02, published=False, p=1.0),
}


def test_files_are_what_they_say(tmp_path):
    paths = write_plots(section(LANGUAGES), tmp_path / "plots")
    assert {p.name for p in paths} == {
        "curves-slt.svg", "curves-slt.png", "smd.svg", "smd.png",
    }  # fmt: skip
    for path in paths:
        if path.suffix == ".png":
            data = path.read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            assert min(struct.unpack(">II", data[16:24])) > 200
        else:
            assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_same_bytes_each_time(tmp_path):
    first = write_plots(section(LANGUAGES), tmp_path / "a")
    second = write_plots(section(LANGUAGES), tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_curves_show_every_language():
    [axes] = curves("slt", section(LANGUAGES)["tasks"]["slt"]).axes
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["English", "Chinese", "Telugu"]
    points = np.asarray(axes.lines[0].get_xydata()).tolist()
    assert points == [[100, 1.0], [300, 0.4], [500, 0.1]]


def test_heatmap_shows_points_and_marks():
    [axes] = heatmap(section(LANGUAGES)).axes
    assert sorted(text.get_text() for text in axes.texts) == ["+18.6●", "−2.0"]
    assert heatmap(section({"te": cell()})) is None


def test_no_window_system_is_touched():
    import matplotlib

    before = matplotlib.get_backend(auto_select=False)
    curves("slt", section(LANGUAGES)["tasks"]["slt"])
    assert matplotlib.get_backend(auto_select=False) == before


def test_heatmap_shows_differences_that_need_no_curve():
    sure = gap(0.2, published=True, p=0.01)
    found = heatmap(section({"en": cell(), "te": sure | {"identified": False}}))
    assert [text.get_text() for text in found.axes[0].texts] == ["+20.0●"]
    assert "significant" in found.axes[0].get_xlabel()
    assert found.axes[0].images[0].get_array()[0, 0] == pytest.approx((0.2 / 0.6) ** 0.7, abs=0.01)
    flagged = sure | {"difference": typed(0.2, 0.01, flagged=True)}
    doubted = heatmap(section({"en": cell(), "te": flagged}))
    assert [text.get_text() for text in doubted.axes[0].texts] == ["+20.0●†"]
