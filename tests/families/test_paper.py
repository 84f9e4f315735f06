"""The paper of docs/adding_a_paper.md, made from the page itself."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_dataset.declared import HarnessTask

PAGE = Path(__file__).parents[2] / "docs" / "adding_a_paper.md"
QUESTIONS = [
    {"en": "Capital of France? A Lyon B Paris C Nice D Metz",
     "de": "Hauptstadt Frankreichs? A Lyon B Paris C Nizza D Metz", "answer": "B"},
    {"en": "Capital of Peru? A Lima B Cusco C Ica D Puno",
     "de": "Hauptstadt Perus? A Lima B Cusco C Ica D Puno", "answer": "A"},
]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder with the data; the package of the page is registered."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len("".join(code).splitlines()) <= 120
    monkeypatch.syspath_prepend(str(tmp_path))
    for side, text in zip(("dataset", "metric"), code, strict=True):
        folder = tmp_path / "xlgo_capitals" / side
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(text, encoding="utf-8")
        (folder / "citation.bib").write_text("@misc{capitals,\n  title = {Capitals}\n}\n")
    (tmp_path / "xlgo_capitals" / "__init__.py").touch()
    lines = [json.dumps(question) for question in QUESTIONS]
    (tmp_path / "capitals.jsonl").write_text("\n".join(lines), encoding="utf-8")
    xd.register(importlib.import_module("xlgo_capitals.dataset").FAMILY)
    xm.register(importlib.import_module("xlgo_capitals.metric").FAMILY)
    yield str(tmp_path)
    for registry in (xd.FAMILIES, xm.FAMILIES):
        registry.remove("capitals")
    for name in [name for name in sys.modules if name.startswith("xlgo_capitals")]:
        del sys.modules[name]


def test_the_page_makes_a_paper(source: str, tmp_path: Path) -> None:
    rows = list(xd.family("capitals").rows("capitals", ["en", "de"], source=source))
    assert [row["prompt"] for row in rows[:2]] == [QUESTIONS[0]["en"], QUESTIONS[0]["de"]]
    answers = ["The answer is B.", "B", "Antwort: C", None]
    score = xm.score(answers, [row["reference"] for row in rows])
    found = {table.name: table for table in xm.tables(score)}
    assert [row[:2] for row in found["capitals"].rows] == [("en", 2), ("de", 2)]
    assert [row[2] for row in found["capitals"].rows] == [0.5, 0.5]
    assert {"by_language", "readings"} <= found.keys()
    assert xm.grade("Antwort: C", rows[3]["reference"]).status == "wrong"
    with pytest.raises(ValueError, match="a folder with capitals"):
        list(xd.family("capitals").rows("capitals", ["en"]))
    assert main(["tasks", "--out", str(tmp_path / "tasks")]) == 0
    assert (tmp_path / "tasks" / "capitals" / "xlgo_capitals.yaml").is_file()
    with pytest.raises(ValueError, match="is called as its group"):
        HarnessTask("capitals", "capitals", ("en",), "capitals", "capitals")
    loaded = xd.load_dataset("capitals_de", split="test", source=source, streaming=True)
    assert [row["id"] for row in loaded] == ["capitals-0-de", "capitals-1-de"]
