"""The page of all answers: its data, and what a person can do with it."""

import base64
import gzip
import json
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from tests.report.browser.chromium import PATIENCE, PROGRAM, browser
from tests.report.logs import LANGUAGES, LEVELS, PER_LEVEL, RIGHT, rows, sample, write_run
from xlgo_cli import cli
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.page import samples
from xlgo_cli.page.samples import write_samples
from xlgo_cli.page.write import write_files
from xlgo_metric.table import percent

pytestmark = pytest.mark.usefixtures("graded_once")
HOSTILE = '</script><script>document.title="owned"</script>\u2028\ud800<img src=x onerror=alert(1)>'


def unpack(path: Path) -> Any:
    found = re.fullmatch(r'xlgoData\("(\w+)","([A-Za-z0-9+/=]+)"\);\n', path.read_text("ascii"))
    assert found[1] == path.stem
    return json.loads(gzip.decompress(base64.b64decode(found[2])))


def answers(folder: Path) -> list[dict[str, Any]]:
    """Every row of the index with its texts."""
    index = unpack(folder / "index.js")
    names = list(index["rows"])
    found = []
    for values in zip(*index["rows"].values()):
        row = dict(zip(names, values))
        texts = unpack(folder / f"{row['chunk']:05}.js")[row["place"]]
        named = dict(zip(("prompt", "response", "answer", "details", "where"), texts))
        named["identity"] = index["questions"][row["question"]].split("/")[2]
        found.append(
            {
                "language": index["languages"][row["language"]]["code"],
                "status": index["statuses"][row["status"]][0],
                "question": row["question"],
                "size": row["size"],
                **named,
            }
        )
    return found


def test_every_answer_is_there_with_its_texts(report: Path) -> None:
    found = answers(report / "samples")
    data = {(row["instance_id"], row["language"]): row for row in rows()}
    assert len(found) == len(data) == LEVELS * PER_LEVEL * len(LANGUAGES)
    for one in found:
        row = data.pop((one["identity"], one["language"]))
        assert one["size"] == row["complexity"]
        if len(row["prompt"]) <= 2700:
            assert one["prompt"] == row["prompt"]
        else:
            assert one["prompt"].startswith(row["prompt"][:1500])
            assert one["prompt"].endswith(row["prompt"][-1200:])
        right = row["index"] < RIGHT[row["language"]][row["level"]]
        assert (one["status"] == "correct") == right
        assert (row["answer"] in one["response"]) == right
        place = next(n for n, other in enumerate(rows(), 1) if other is row or other == row)
        assert re.fullmatch(rf"samples_xlgo_slt_.*\.jsonl:{place}", one["where"])
    by_question: dict[int, set[str]] = {}
    for one in found:
        by_question.setdefault(one["question"], set()).add(one["identity"])
    assert all(len(names) == 1 for names in by_question.values())
    assert len(by_question) == LEVELS * PER_LEVEL


def test_several_answers_to_a_question_are_all_there(tmp_path: Path) -> None:
    lines = [sample(rows()[0], None, resps=[["one", "two"]], filtered_resps=[["one", "two"]])]
    lines[0]["answers"] = [{"state": "answered", "reasoning": "why"}, {"state": "answered"}]
    write_run(tmp_path / "run", samples=lines)
    write_samples(score_folder(tmp_path / "run"), tmp_path)
    first, second = (one["response"] for one in answers(tmp_path / "samples"))
    assert ("why" in first, first.endswith("one"), second) == (True, True, "two")


def test_long_texts_are_shortened_and_chunks_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "CHUNK", 30_000)
    lines = [sample(row, "x" * 50_000 + row["answer"]) for row in rows()[:20]]
    write_run(tmp_path / "run", samples=lines)
    write_samples(score_folder(tmp_path / "run"), tmp_path)
    found = answers(tmp_path / "samples")
    assert all(len(one["response"]) < 12_100 for one in found)
    assert all("characters left out" in one["response"] for one in found)
    files = sorted(path.name for path in (tmp_path / "samples").iterdir())
    assert 5 < len(files) < 20
    write_run(tmp_path / "less", samples=lines[:3])
    write_samples(score_folder(tmp_path / "less"), tmp_path)
    files = sorted(path.name for path in (tmp_path / "samples").iterdir())
    assert files == ["00000.js", "index.js"]
    assert len(answers(tmp_path / "samples")) == 3


def test_it_can_be_left_out(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    page = write_files(score_folder(results), out)
    assert 'href="samples.html"' in page.read_text("utf-8")
    (out / "samples" / "mine.txt").write_text("not ours")
    assert cli.main(["report", str(results), "--out", str(out), "--no-samples"]) == 0
    assert "samples.html" not in page.read_text("utf-8")
    assert not (out / "samples.html").exists()
    assert [path.name for path in (out / "samples").iterdir()] == ["mine.txt"]
    shutil.rmtree(out)


class Answers:
    """The page in a browser."""

    def __init__(self, tab: Any, path: Path) -> None:
        self.tab, self.path = tab, path

    def open(self, width: int = 1280, *, dark: bool = False) -> None:
        self.tab.call("Page.navigate", url="about:blank")
        self.tab.open(self.path, width, dark=dark)
        self.wait("!document.getElementById('found').textContent.startsWith('Reading')")

    def wait(self, expression: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.tab.run(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.02)

    def choose(self, **values: str) -> None:
        for name, value in values.items():
            self.tab.run(
                f"(e => {{ e.value = {json.dumps(value)}; "
                "e.dispatchEvent(new Event('change', {bubbles: true})); })"
                f"(document.getElementById('filters').{name})"
            )

    @property
    def found(self) -> str:
        return str(self.tab.run("document.getElementById('found').textContent"))

    def read(self, number: int) -> str:
        """Open the answer at a place of the list and wait for its texts."""
        self.tab.run(f"document.querySelectorAll('details.example')[{number}].open = true")
        place = f"document.querySelectorAll('details.example')[{number}]"
        self.wait(f"{place}.querySelectorAll('pre').length > 0")
        return str(self.tab.run(f"{place}.textContent"))


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if PROGRAM is None:
        pytest.skip("no chromium here")
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def page(tab: Any, report: Path) -> Answers:
    found = Answers(tab, report / "samples.html")
    found.open()
    return found


def test_filters_count_what_the_log_holds(page: Answers) -> None:
    total = LEVELS * PER_LEVEL
    right = sum(map(sum, RIGHT.values()))
    assert page.found == f"72 of 72 answers, {percent(right / 72)} of them correct"
    page.choose(language="te")
    assert page.found.startswith(f"{total} of 72 answers")
    page.choose(status="correct")
    assert page.found == f"{sum(RIGHT['te'])} of 72 answers"
    page.choose(status="-")
    assert page.found == f"{total - sum(RIGHT['te'])} of 72 answers"
    lost = sum(e - t for e, t in zip(RIGHT["en"], RIGHT["te"]))
    page.choose(status="", base="lost")
    assert page.found == f"{lost} of 72 answers"
    page.choose(base="won")
    assert page.found == "0 of 72 answers"
    page.tab.run("document.querySelector('#filters button').click()")
    page.wait("document.getElementById('found').textContent.startsWith('72 of')")


def test_search_finds_texts_and_names(page: Answers) -> None:
    (row,) = (one for one in rows("slt", ("te",)) if one["level"] == 2 and one["index"] == 0)
    given = sum(right[2] > 0 for right in RIGHT.values())
    page.choose(text=row["instance_id"].upper())
    page.wait("document.getElementById('found').textContent === '3 of 72 answers'")
    page.choose(language="te")
    page.wait("document.getElementById('found').textContent === '1 of 72 answers'")
    assert "text=" in page.tab.run("location.hash")
    page.choose(language="", text=row["answer"])
    page.wait(f"document.getElementById('found').textContent === '{given} of 72 answers'")
    page.choose(text="no such words anywhere")
    page.wait("document.getElementById('found').textContent === '0 of 72 answers'")
    page.choose(text="")
    page.wait("document.getElementById('found').textContent.startsWith('72 of 72')")


def test_hostile_answers_do_nothing(tab: Any, tmp_path: Path) -> None:
    lines = [sample(row, HOSTILE, n) for n, row in enumerate(rows())]
    write_run(tmp_path / "run", samples=lines, model="</h1><script>alert(1)</script>")
    page = Answers(tab, write_samples(score_folder(tmp_path / "run"), tmp_path))
    page.open()
    assert "</script><script>document.title" in page.read(0)
    assert "owned" not in tab.run("document.title")
    assert tab.run("document.querySelectorAll('img').length") == 0
    assert tab.run("document.querySelectorAll('script').length") == 1


PHONE, DESK = 390, 1280
ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"


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
    answers = Answers(tab, path.with_name("samples.html"))
    answers.open(width, dark=dark)
    answers.read(0)
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert all(url.startswith((path.parent / "samples").as_uri()) for url in tab.requests)


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
