"""The page in a real browser, at the widths of a phone and of a desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.browser.chromium import PROGRAM, Browser, browser
from xlgo_cli.parallel.command import write_parallel
from xlgo_cli.parallel.comparing import Options, compare_languages

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium here")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_fits_and_asks_for_nothing(
    sums: Path, tmp_path: Path, tab: Browser, width: int, dark: bool
) -> None:
    found = compare_languages(sums, ["sums_{lang}"], Options(filter="last-number"))
    path = write_parallel(found, tmp_path)
    tab.open(path, width, dark=dark)
    assert tab.requests == [path.as_uri()]
    tab.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.run("document.querySelector('#sums tbody').rows.length") == 4
    assert tab.run("document.querySelector('#gaps th[scope=row]').textContent").startswith(
        "Swahili"
    )
    assert "20 Äpfel" not in tab.run("document.body.textContent")  # right everywhere
    assert tab.run("document.querySelectorAll('#sums .passages pre[lang=sw]').length") == 12
