"""The page in a real browser, at the widths of a phone and of a desk."""

import time

import pytest

from .chromium import PROGRAM, browser

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium here")

PHONE, DESK = 390, 1280
ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
VISIBLE = "(e => e.getClientRects().length > 0)"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def path(report):
    return report / "report.html"


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("dark", [False, True])
def test_fits_and_asks_for_nothing(tab, path, width, dark):
    tab.open(path, width, dark=dark)
    assert tab.requests == [path.as_uri()]
    assert tab.run("document.documentElement.scrollHeight") <= (4000 if width == PHONE else 2200)
    assert tab.run("document.documentElement.scrollWidth") <= width
    tab.run(ALL)
    assert tab.run("document.documentElement.scrollWidth") <= width
    bright = tab.run(
        "getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number)"
        ".slice(0, 3).reduce((a, b) => a + b) / 3"
    )
    assert (bright < 60) == dark


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(tab, path, dark):
    """WCAG 2 asks for a contrast of 4.5 to 1."""
    tab.open(path, DESK, dark=dark)
    tab.run(ALL)
    worst = tab.run(
        """(() => {
            const parse = (text) => {
                const canvas = document.createElement("canvas").getContext("2d");
                canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
                return [...canvas.getImageData(0, 0, 1, 1).data];
            };
            const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
                .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const over = (top, below) => top.slice(0, 3)
                .map((v, i) => (v * top[3] + below[i] * (255 - top[3])) / 255);
            const ground = (element) => {
                if (!element) return [255, 255, 255];
                const own = getComputedStyle(element).backgroundColor;
                const match = own.match(/[0-9.]+/g);
                if (own === "rgba(0, 0, 0, 0)") return ground(element.parentElement);
                const alpha = /\\/ ([0-9.]+)/.exec(own);
                const solid = parse(own.replace(/ \\/ [0-9.]+/, ""));
                const last = match.length === 4 ? Number(match[3]) : 1;
                solid[3] = 255 * (alpha ? Number(alpha[1]) : last);
                return over(solid, ground(element.parentElement));
            };
            let worst = [99, ""];
            const texts = "p, li, td, th, b, a, dt, dd, h1, h2, h3, h4, .note, .sd, .native";
            for (const element of document.querySelectorAll(texts)) {
                if (!element.textContent.trim() || !element.getClientRects().length) continue;
                if (element.classList.contains("hide")) continue;
                const style = getComputedStyle(element);
                const text = parse(style.color);
                text[3] = 255 * Number(style.opacity);
                const below = ground(element);
                const [a, b] = [luminance(over(text, below)), luminance(below)];
                const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (contrast < worst[0]) worst = [contrast, element.outerHTML.slice(0, 200)];
            }
            return worst;
        })()"""
    )
    assert worst[0] >= 4.5, worst


def test_theme_button_switches_and_stays(tab, path):
    tab.open(path, DESK)
    background = "getComputedStyle(document.body).backgroundColor"
    before = tab.run(background)
    assert tab.run("document.getElementById('theme').textContent") == "Dark"
    tab.run("document.getElementById('theme').click()")
    after = tab.run(background)
    assert after != before
    assert tab.run("document.getElementById('theme').textContent") == "Light"
    for _ in range(100):  # the browser stores the choice beside the page, perhaps a little later
        tab.open(path, DESK)
        if tab.run(background) == after:
            break
        time.sleep(0.1)
    assert tab.run(background) == after
    tab.run("document.getElementById('theme').click()")
    assert tab.run(background) == before


def test_table_sorts_both_ways(tab, path):
    tab.open(path, DESK)
    tab.run(ALL)
    column = (
        "[...document.querySelectorAll('table.sortable')[0].tBodies[0].rows]"
        ".map(row => row.cells[2].textContent)"
    )
    press = (
        "document.querySelectorAll('table.sortable')[0].tHead.rows[0].cells[2]"
        ".querySelector('button').click()"
    )
    head = "document.querySelectorAll('table.sortable')[0].tHead.rows[0].cells[2].ariaSort"
    tab.run(press)
    up = tab.run(column)
    assert up == sorted(up, key=lambda text: float(text.split("%")[0]))
    assert tab.run(head) == "ascending"
    tab.run(press)
    assert tab.run(column) == up[::-1]
    assert tab.run(head) == "descending"


def test_a_link_opens_what_it_leads_to_and_printing_opens_everything(tab, path):
    tab.open(path, DESK)
    task = "document.getElementById('xlgobench-slt')"
    assert not tab.run(f"{task}.open")
    tab.run("document.querySelector('table.heat a').click()")
    for _ in range(50):
        if tab.run(f"{task}.open"):
            break
        time.sleep(0.1)
    assert tab.run(f"{task}.open")
    # The answers of examples stay folded: they would take most of the pages.
    folded = "document.querySelectorAll('details:not([open], .example, .example details)').length"
    before = tab.run(folded)
    assert before
    tab.run("dispatchEvent(new Event('beforeprint'))")
    assert tab.run(folded) == 0
    tab.run("dispatchEvent(new Event('afterprint'))")
    assert tab.run(folded) == before
