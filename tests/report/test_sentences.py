"""Every sentence that states a result is one of the registry, and says what it asserts."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

import xlgo_cli
from tests.looping import looped
from xlgo_cli.display.sentences import COUNTS, SENTENCES, Statement, joined, say

HERE = Path(next(iter(xlgo_cli.__path__)))
MODULES = (
    "report/findings.py",
    "report/grid.py",
    "leaderboard/page.py",
    "report/compare/comparison.py",
)
PRINTERS = {
    "report/findings.py": None,
    "report/grid.py": {"gap_sentence", "size_of", "about_cell"},
    "leaderboard/page.py": {"findings"},
    "report/compare/comparison.py": {"findings", "_overall", "gaps_apart"},
}
"""Functions that put results into sentences, by file; all of it for ``None``."""


def prose(tree: ast.AST) -> list[str]:
    """Texts of five words or more that are no documentation, in the functions of a file."""
    found = []
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        texts = [part.value for part in parts if isinstance(part, ast.Constant)]
        text = " ".join(text for text in texts if isinstance(text, str))
        if id(node) not in documented and len(re.findall(r"[A-Za-z]{2,}", text)) >= 5:
            found.append(text)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_no_result_is_put_into_words_outside_the_registry(module: str) -> None:
    tree = ast.parse((HERE / module).read_text("utf-8"))
    functions = PRINTERS[module]
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (functions is None or node.name in functions)
    ]
    assert functions is None or {node.name for node in nodes} == functions
    allowed = {", and ahead of it in "}  # a part of pairs.behind
    assert {text for node in nodes for text in prose(node)} <= allowed


def test_a_sentence_outside_the_registry_is_noticed() -> None:
    tree = ast.parse(
        'def findings():\n    """Say it."""\n    return f"The model {x} is really bad"'
    )
    assert prose(tree)
    with pytest.raises(KeyError):
        say("gap.nonsense")


def test_every_kind_of_sentence_is_used_and_says_what_it_asserts() -> None:
    code = "\n".join((HERE / module).read_text("utf-8") for module in MODULES)
    told = set(re.findall(r'"((?:[a-z]+)\.[a-z_]+)"', code))
    told |= {f"board.{kind}" for kind in ("best", "first", "many_first")}
    told = {name for name in told if not name.endswith((".html", ".json"))} | {"unread"}
    assert told == set(SENTENCES)
    for name, one in SENTENCES.items():
        assert len(one.asserts.split()) >= 4, name
        fields = {field for _, field, _, _ in Formatter().parse(one.text) if field}
        assert fields or one.asserts == COUNTS, name


def test_the_audit_finds_a_large_gap_said_and_nothing_false(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The quick form of benchmarks/sentences.py."""
    path = HERE.parent / "benchmarks" / "sentences.py"
    if not path.is_file():
        pytest.skip("benchmarks are of the repository, not of the wheel")
    monkeypatch.syspath_prepend(str(path.parent))
    spec = importlib.util.spec_from_file_location("sentences_audit", path)
    assert spec is not None
    assert spec.loader is not None
    audit = importlib.util.module_from_spec(spec)
    sys.modules["sentences_audit"] = audit
    spec.loader.exec_module(audit)
    printed, false = audit.audit("all behind alike", 3, 50, {})
    assert printed["verdict.behind"] == printed["pairs.behind"] == 3
    assert not false
    # Nothing false in 125 is decided (exact limit 1 - (.025 / 4) ** (1 / 125) = 4.0%), in 62 not.
    assert [audit.decided(Counter(), Counter(a=1), n) for n in (62, 125)] == [False, True]
    # The audit itself can fail: what is said of one behind is false where none is.
    truth, kinds = audit.Truth(audit.SCENARIOS["no gap"]), set()
    for kind, fields in audit.said(audit.SCENARIOS["one behind"], 50, 0):
        if truth.holds(kind, fields) is False:
            kinds.add(kind)
    assert {"verdict.most", "pairs.behind", "gap.difference"} <= kinds


LONG = {
    "ends": "95% interval +14.2 to +39.0", "over": " over 5 tasks",
    "pairs": "11 language-task pairs", "ahead": ", and ahead of it in 2",
    "kinds": "1.8% truncated, 0.9% no answer",
    "right": "5 of 30 (16.7%)", "right_en": "19 of 30 (63.3%)", "sizes": "21 to 37 matches",
    "n": "1,400", "since": "acme/lingua, 2026-03-01", "at": "21 to 37 matches",
}  # fmt: skip
"""Fields of several words, at their longest; names and numbers are one."""

LISTS = {"where", "reasons", "names", "others", "more", "told", "command", "text", "sentence"}
"""Fields that list names of things, or quote what is a sentence of its own."""


@looped("kind", SENTENCES)
def test_a_sentence_has_at_most_twenty_words(kind: str) -> None:
    fields = {field for _, field, _, _ in Formatter().parse(SENTENCES[kind].text) if field}
    values = {field: "" if field in LISTS else LONG.get(field, "x") for field in fields}
    values |= {"pairs": "11"} if kind == "compare.better" else {}
    for sentence in re.split(r"(?<=[.?]) ", SENTENCES[kind].text.format(**values)):
        assert len(sentence.split()) <= 20, sentence


def test_what_was_said_keeps_its_parts() -> None:
    one, two = say("alone.solves", name="Telugu", right="5 of 9"), say("verdict.unaudited")
    both = joined([one, two])
    assert both.startswith("In Telugu the model solves 5 of 9. No language is called")
    assert [kind for kind, _ in both.parts] == ["alone.solves", "verdict.unaudited"]
    assert isinstance(both, Statement)
    assert both.parts[0][1]["name"] == "Telugu"
