import base64
import hashlib
import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev

import pandas as pd
import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.report.logs import (
    DATE,
    KINDS,
    LANGUAGES,
    LEVELS,
    PER_LEVEL,
    RIGHT,
    WRONG,
    response,
    rows,
    sample,
    write_run,
)
from tests.report.sections import gap, section, typed
from xlgo_cli import workers
from xlgo_cli.cli import main
from xlgo_cli.display import labels
from xlgo_cli.display.formats import Statement, sortable
from xlgo_cli.logs.costs import lengths
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.logs.lines import Problems
from xlgo_cli.page.findings import brief
from xlgo_cli.page.grid import Grid, gap_sentence
from xlgo_cli.page.manuscript import NAME, write_manuscript
from xlgo_cli.page.write import Content, _context, all_languages, language_table, write_files
from xlgo_metric.comparison import Cell

pytestmark = pytest.mark.usefixtures("graded_once")
VOID = {"meta", "link", "br", "img", "input", "hr", "col", "path", "circle", "rect"}
HOSTILE = (
    "</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>"
    "{{ 7 * 7 }} \ud800 \x00 \u202e]]> <!-- "
)


class Page(HTMLParser):
    """The elements of a page, checked for balance while they are read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(k.strip("_")) == v for k, v in attributes.items())
        ]


@pytest.fixture(scope="module")
def page(report):
    return Page((report / "report.html").read_text("utf-8"))


def test_everything_is_written(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    assert {
        "report.html", "samples.html", "samples/index.js", "samples/00000.js", "scores.json",
        "tables.md", "tables.tex", "tables/gaps.csv", "tables/languages.csv", "tables/cost.csv",
    } == names  # fmt: skip


def test_scores_are_plain_json(report, scored):
    found = json.loads((report / "scores.json").read_text("utf-8"))
    assert found["signature"] == scored.score["signature"]
    languages = found["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert set(languages) == set(LANGUAGES)
    of_score = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]
    for cell in languages.values():
        assert len(cell) <= 15
        assert len(cell["difference"] or ()) <= 15
    # Nothing is lost, and each number stands once.
    cell = languages["te"]
    flat = [*(cell.keys() - {"curve", "at_levels"}), *cell["curve"], *cell["at_levels"]]
    assert sorted(flat) == sorted(of_score)


def test_nothing_is_fetched(page):
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form"), tag
        for name in ("src", "srcset", "href", "action", "data", "xlink:href"):
            value = attributes.get(name, "#")
            assert value.startswith("#") or (tag == "a" and "/" not in value)
        assert not [name for name in attributes if name.startswith("on")]
    style = "".join(t for t in page.texts if "color-scheme" in t)
    assert "url(" not in style
    assert "@import" not in style


def test_only_our_script_may_run(page):
    assert len(page.all("script")) == 1
    script = re.search(r"<script>(.*?)</script>", page.text, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = [a for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert f"script-src 'sha256-{digest}'" in policy["content"]
    assert "default-src 'none'" in policy["content"]


def test_links_lead_somewhere_and_ids_are_unique(page, report):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        file, _, place = link["href"].partition("#")
        assert (report / file).is_file() if file else place in ids
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            if name in attributes:
                assert attributes[name] in ids


def test_tables_are_tables_to_a_screen_reader(page):
    assert len(page.all("caption")) == len(page.all("table")) - 1  # but for the settings of the run
    assert all("scope" in head for head in page.all("th"))
    for chart in page.all("svg"):
        assert chart.get("aria-hidden") == "true" or chart["aria-label"].startswith("Accuracy")


def test_languages_are_marked(page):
    arabic = [a for tag, a in page.elements if a.get("lang") == "ar"]
    assert arabic
    assert all(a["dir"] == "rtl" for a in arabic)
    assert all(a["dir"] == "ltr" for tag, a in page.elements if a.get("lang") == "te")


def test_hostile_text_stays_text(tmp_path):
    asked = rows(languages=("en",))
    lines = [sample(row | {"prompt": HOSTILE}, HOSTILE, n) for n, row in enumerate(asked)]
    strange = json.loads(asked[0]["reference"])
    strange |= {"language": "<b>x</b>", "instance_id": "../../<i>"}
    lines.append(sample(asked[0] | {"reference": json.dumps(strange)}, HOSTILE))
    write_run(tmp_path, samples=lines, model="../<script>alert(2)</script>")
    out = tmp_path / "report"
    page = Page(write_files(score_folder(tmp_path), out).read_bytes().decode("utf-8"))
    assert len(page.all("script")) == 1
    assert not page.all("img")
    assert all("class" in attributes for attributes in page.all("i"))
    assert "alert(2)" in "".join(page.texts)
    assert [p for p in tmp_path.rglob("*.md") if not p.resolve().is_relative_to(out)] == []


def test_the_same_bytes_each_time(scored, report, tmp_path):
    again = write_files(scored, tmp_path / "again").parent
    for path in sorted(p for p in report.rglob("*") if p.is_file()):
        assert path.read_bytes() == (again / path.relative_to(report)).read_bytes(), path.name


def test_nothing_of_an_earlier_report_stays(results, tmp_path):
    out = tmp_path / "out"
    write_files(score_folder(results), out)
    first = {path.name for path in out.rglob("*.csv")}
    (out / "tables" / "mine.csv").write_text("by hand")
    asked = list(islice(xd.family("simple_reasoning").rows("word_count", ("en",), split="test"), 6))
    lines = [sample(row, row["answer"], n) for n, row in enumerate(asked)]
    write_run(tmp_path / "other", task="word_count", samples=lines)
    write_files(score_folder(tmp_path / "other"), out)
    second = {path.name for path in out.rglob("*.csv")}
    assert "languages.csv" in first
    assert "mine.csv" in second
    assert first & second == {"cost.csv"}  # every run took something


def test_page_files_and_summary_have_the_numbers_of_the_run(scored, report):
    context = _context(Content.of(scored), [("ahead", Statement("It changed.", ()))])
    sizes = [sum(map(len, texts)) for texts in zip(*((r["prompt"], response(r)) for r in rows()))]
    spent = f"{sizes[0]:,} characters in, {sizes[1]:,} out (token counts unavailable)"
    [task] = context["tasks"]
    assert context == context | {
        "title": "acme/lingua: cross-lingual gaps", "subject": "Report: cross-lingual gaps",
        "model": "acme/lingua", "baseline": "English", "cost_line": spent, "families": [],
        "contents": [("gaps", "Gaps"), ("tasks", "Tasks"), ("details", "Method")],
        "facts": [("72", "answers"), ("1", "task"), ("3", "languages"),
                  (DATE[:10], "date of the run")],
        "files": [str(scored.run.files[0].path)], "signature": scored.score["signature"],
        "provenance": [("Model", "acme/lingua"), ("Backend", "hf"),
                       ("lm-evaluation-harness", "0.4.13"),
                       ("Model args", "pretrained=acme/lingua")],
    }  # fmt: skip
    assert context["findings"][-1] == ("ahead", "It changed.")
    assert task["note"] == "behind (●): Telugu (machine-written, not audited)"
    frame = pd.read_csv(report / "tables" / "languages.csv").set_index("Language")
    of_gaps = pd.read_csv(report / "tables" / "gaps.csv").set_index("other")
    for shown, (code, right) in zip(task["outcomes"], RIGHT.items(), strict=True):
        kinds = Counter(KINDS[index % len(WRONG)] for k in right for index in range(k, PER_LEVEL))
        shares = {"correct": sum(right) / N} | {kind: kinds[kind] / N for kind in KINDS}
        row = frame.loc[code]
        assert row[[*shares]].to_dict() == pytest.approx(shares)
        assert [row["Answers"], row["Accuracy"], row["Parsed"], row["Exact form"]] == pytest.approx(
            [N, sum(right) / N, *[(sum(right) + kinds["wrong"]) / N] * 2]
        )
        assert shown["words"].code == code
        assert dict(shown["shares"]) == {k: round(100 * x, 2) for k, x in shares.items()}
        assert shown["told"].startswith(f"correct {100 * shares['correct']:.1f}%, ")
        if code == "en":
            continue
        gap = of_gaps.loc[code]
        lost = (sum(RIGHT["en"]) - sum(right)) / N
        told = [gap["n"], gap["difference"], gap["baseline_accuracy"], gap["accuracy"], row["Gap"]]
        assert told == pytest.approx([N, lost, sum(RIGHT["en"]) / N, sum(right) / N, lost])
        assert gap["mark"] == row["Gap, mark"] == {"ar": "?", "te": "●†"}[code]
    shown = brief(scored.score, width=100).splitlines()
    assert (shown[0], shown[-3:]) == (
        "Summary", [f"Cost: {spent}", "", scored.score["signature"]],
    )  # fmt: skip
    of_languages = [" ".join(line.split()) for line in shown]
    assert "Arabic, edited +12.5 ?" in of_languages
    assert "Telugu, machine-written, not audited +33.3 ●†" in of_languages


def test_what_else_the_page_says(scored):
    lost = Problems()
    lost.add("s.jsonl:3", "broken")
    run = replace(scored.run, problems=lost)
    of_one = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]
    alert = "the answers come from several seeds"
    score = xm.scoring.Score({**scored.score, "warnings": [alert]})
    content = Content.of(replace(scored, run=run, lacking=3, score=score))
    context = _context(content, [("warn", Statement("s.jsonl:3: broken", ()))])
    assert context["facts"][0] == ("72", "answers (of 75 asked)")
    assert context["alerts"] == [alert]
    assert "s.jsonl:3: broken" not in context["warnings"]  # it is a finding
    warnings = _context(content, [])["warnings"]
    [text] = of_one["fit"]["warnings"]
    assert warnings[0] == "s.jsonl:3: broken"
    assert f"SLT (Telugu): {text}" in warnings
    assert context["bibtex"].count("@misc{xlgobench,") == context["bibtex"].count("{scipy,") == 1
    for width, widest in ((200, 100), (60, 60), (5, 40)):
        text = brief(score, width=width)
        assert widest - 15 < max(map(len, text.partition("\n\n")[0].splitlines())) <= widest
        assert f"Summary\n- {alert}\n" in text
        assert "\n● significant" in text


def test_every_number_of_a_language_has_its_column():
    numbers = {
        "n": 150, "accuracy": 0.11, "parsed": 0.12, "strict": 0.13, "avg_acc": 0.14,
        "avg_acc_sd": 0.15, "smd": 0.16, "smd_sd": 0.17, "c_star": 251.0, "rd": 0.18, "rd_sd": 0.19,
    }  # fmt: skip
    difference = typed(0.3, 0.01) | {"ci_low": 0.21, "ci_high": 0.41}
    one = gap(0.3, published=True, p=0.01, **numbers, difference=difference)
    table = all_languages({"xlgobench": section({"te": one})})
    [row] = [dict(zip(table.names, row, strict=True)) for row in table.rows]
    right = one["correct"]
    assert row == dict.fromkeys(KINDS, 0.0) | {
        "Family": "xlgobench", "Task": "slt", "Language": "te", "Answers": 150, "Accuracy": 0.11,
        "Wording": row["Wording"], "Parsed": 0.12, "Exact form": 0.13, "Gap": 0.3, "Gap, mark": "●",
        "95% interval, low": 0.21, "95% interval, high": 0.41, "p": 0.01, "AvgAcc": 0.14,
        "AvgAcc, sd": 0.15, "SMD": 0.16, "SMD, sd": 0.17, "SMD, published rule": "○", "c*": 251.0,
        "RD": 0.18, "RD, sd": 0.19, "correct": right / 150, "wrong": 1 - right / 150,
        "needs_judge": 0.0,
    }  # fmt: skip
    shown = sortable(language_table(section({"te": one})["tasks"]["slt"]))
    texts = [
        " ".join(filter(None, (cell["text"], cell["sd"]))) for cell in shown["rows"][0]["cells"]
    ]
    assert texts[2:] == [
        "150", "11.0%", "12.0%", "13.0%", "+30.0 ●", "+21.0 to +41.0", "0.0100", "14.0% ± 15.0",
        "+16.0 ± 17.0 ○", "251", "+18.0 ± 19.0",
    ]  # fmt: skip


def test_a_terminal_shows_twelve_languages_and_how_many_more():
    codes = [*xd.available()][:15]
    cells = {(code, "slt"): Cell.of_json(typed(n / 100, 0.5, code)) for n, code in enumerate(codes)}
    cells[codes[0], "slt"] = Cell.of_json(typed(0.3, 0.001, codes[0]))
    rows = {code: labels.language(code) for code in codes}
    grid = Grid("T", "C", rows, {"slt": labels.task("slt")}, cells)
    lines = grid.text().splitlines()
    assert [line.split()[-2:] for line in lines[1:3]] == [
        ["+30.0", "●"],
        [codes and rows[codes[1]].name, "+1.0"],
    ]
    assert lines[13:] == ["... and 3 more languages (xlgo score --table shows all)"]
    strong, pale = (row["cells"][0] for row in grid.view()[:2])
    assert (strong["kind"], strong["mark_words"]) == (
        "behind",
        "significant (5%, all cells together)",
    )
    assert strong["strength"] > 22 >= pale["strength"]
    assert gap_sentence(replace(cells[codes[0], "slt"], where={})) == (
        "English is 30.0 points behind English in the mean over tasks "
        "(95% interval +20.0 to +40.0)."
    )


def test_same_numbers_and_signature_as_the_metric(scored):
    asked = rows()
    direct = xm.score([response(row) for row in asked], [row["reference"] for row in asked])
    told = json.loads(json.dumps(scored.score))
    assert told.pop("schema") == 2
    assert told.pop("cost")["tasks"].keys() == {"xlgobench"}
    assert told.pop("generation").startswith("backend:hf|template:none|system:none|")
    assert told == json.loads(json.dumps(direct))


def test_the_number_of_processes_changes_nothing(results, scored, monkeypatch):
    monkeypatch.setattr(workers, "available_processors", lambda: 2)
    monkeypatch.setattr(workers, "PATIENCE", 0)
    monkeypatch.setattr(workers, "WORTHWHILE", 0)
    shared = score_folder(results)
    assert shared.score == scored.score
    assert shared.records == scored.records


def test_a_reference_that_cannot_be_graded_is_named(tmp_path, capsys):
    good, bad = rows(languages=("en",))[:2]
    unknown = json.dumps(json.loads(bad["reference"]) | {"task": "sudoku"})
    lines = [sample(good, good["answer"]), sample(bad | {"reference": unknown}, "x")]
    path = write_run(tmp_path, samples=lines)
    assert main(["score", str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    assert f"{path}:2: column doc.reference" in captured.err
    assert "sudoku" in captured.err
    section = json.loads(captured.out)["families"]["xlgobench"]
    assert section["tasks"]["slt"]["languages"]["en"]["n"] == 1
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "r"), "--no-samples"]) == 1


NAME_OF_A_MODEL = r"a_b$\input{/etc/passwd}% 模型 \end{document} [x] ~^#&|"
LATEX = shutil.which("pdflatex")
N = LEVELS * PER_LEVEL


def test_a_folder_of_others_is_refused_and_ours_replaced(
    results: Path, scored: GradedRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "paper"
    write_manuscript(Content.of(scored), folder)
    (folder / "figures" / "gaps-7.pdf").write_text("of an earlier run")
    (folder / "manuscript.aux").write_text("of LaTeX")
    write_manuscript(Content.of(scored), folder)
    assert not (folder / "figures" / "gaps-7.pdf").exists()
    assert not [path for path in tmp_path.iterdir() if path != folder]
    (folder / "notes.txt").write_text("mine")
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    assert main(["report", str(results), "--manuscript", str(folder), *out]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"xlgo: --manuscript: {folder} holds notes.txt, which is no part of a manuscript: give a "
        "new folder"
    )
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(LATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["acme/lingua", NAME_OF_A_MODEL])
def test_pdflatex_makes_a_document_of_it(scored: GradedRun, tmp_path: Path, name: str) -> None:
    renamed = replace(scored, run=replace(scored.run, model=name))
    folder = write_manuscript(Content.of(renamed), tmp_path / "paper").parent
    for _ in range(2):
        subprocess.run(
            [str(LATEX), "-halt-on-error", "-interaction=nonstopmode", NAME],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=120,
        )
    assert (folder / "manuscript.pdf").read_bytes().startswith(b"%PDF")
    assert "Overfull" not in (folder / "manuscript.log").read_text("latin-1")


def test_lengths_of_prompts_and_answers_with_their_spread(results: Path) -> None:
    """A tokenizer of characters counts what their length is."""
    frame = score_folder(results, counter=len).costs.frame
    missing = frame.assign(is_there=False, characters_out=0)
    (table,) = lengths(pd.concat([frame, missing]), "task", "language")
    for _, code, n, *numbers in table.rows:
        counts = [len(row["prompt"]) for row in rows() if row["language"] == code]
        assert (n, *numbers[:2]) == pytest.approx((len(counts), fmean(counts), stdev(counts)))
        assert numbers[4:6] == numbers[:2]
