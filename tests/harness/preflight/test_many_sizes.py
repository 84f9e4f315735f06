"""Sizes, prices, states and judgements of several tasks, models and kinds of question."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.stats import binomtest

from xlgo_cli.harness import several
from xlgo_cli.harness.judging.asking import Outcome, tell
from xlgo_cli.harness.judging.errors import Group, Judged, counts
from xlgo_cli.harness.judging.taxonomy import read_taxonomy
from xlgo_cli.harness.preflight.size import Size
from xlgo_lm_eval.answers import Answers, own_file
from xlgo_lm_eval.replies import Answer


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Size(1200, 9_000), "1,200 prompts, about 3,000 tokens (estimated from their size)"),
        (Size(1200, 9_000, is_limit=True),
         "up to 1,200 prompts, up to 3,000 tokens (estimated from their size)"),
        (Size(1200, 9_000, ("a", "b", "c")),
         "1,200 prompts, about 3,000 tokens (estimated); the rest is not known before the data of "
         "a and 2 more is loaded"),
        (Size(5, 30, ("a",), is_limit=True),
         "up to 5 prompts, up to 10 tokens (estimated); the rest is not known before the data of a "
         "is loaded"),
        (Size(0, 0, ("a",)), "not known before the data of a is loaded"),
    ],
)  # fmt: skip
def test_a_size_in_words(found: Size, words: str) -> None:
    assert str(found) == words


def test_what_remains_is_as_long_as_the_rest() -> None:
    whole = Size(30, 9_000, ("x",), is_limit=True)
    for answered, tokens in ((0, 3000), (10, 2000), (29, 100), (30, 0)):
        found = replace(whole, answered=answered).remaining
        assert (found.prompts, found.tokens) == (30 - answered, tokens)
        assert (found.unknown, found.is_limit) == (("x",), True)
    assert Size(0, 0).remaining.tokens == 0


def test_where_a_model_stands_by_all_parts_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "check_folder", lambda run: None)
    run: Any = SimpleNamespace(request=SimpleNamespace(folder=tmp_path))
    assert several.standing(run) == (several.WAITING, "")
    for name in ("a.json", "b.json", "c.json"):
        (tmp_path / name).write_text("{}")

    def noted(*wrote: tuple[str, list[str], int]) -> tuple[str, str]:
        for path in tmp_path.glob("*.ndjson*"):
            path.unlink()
        with Answers(own_file(tmp_path), {}) as answers:
            answers.add("k", Answer("x"))
            answers.note("planned", parts={"first": ["t"], "second": ["u"]})
            for command, files, missing in wrote:
                answers.note("wrote", command=command, files=files, missing=missing)
        return several.standing(run)

    whole = ("first", ["a.json", "b.json"], 0)
    assert noted(whole) == (several.STOPPED, "")
    assert noted(whole, ("second", ["c.json"], 0)) == (several.DONE, "")
    assert noted(whole, ("second", ["c.json"], 2))[0] == several.STOPPED
    assert noted(whole, ("second", ["c.json"], 2), ("second", ["c.json"], 0))[0] == several.DONE
    assert noted(whole, ("second", ["c.json", "d.json"], 0))[0] == several.STOPPED
    (tmp_path / several.LOG).write_text("xlgo: first: why\nerror: second\nother: line\n")
    assert noted(whole) == (several.STOPPED, "second")


def test_types_of_error_are_shares_of_the_classified_ones_of_each_language() -> None:
    taxonomy = read_taxonomy("mathematics")
    types = taxonomy.groups
    one, two, three = ((name,) for name in types[:3])
    errors: dict[str, list[tuple[str, ...] | None]] = {
        "en": [one, one, one, three, None],
        "te": [two, two, *[None] * 7],
        "sw": [],
    }
    groups = {code: Group("m", "sums", code) for code in errors}
    answers = [
        Judged(groups[code], str(number), {}, kind)
        for code, kinds in errors.items()
        for number, kind in enumerate(kinds)
    ]
    rows = counts(taxonomy, answers, dict(zip(groups.values(), (20, 30, 7), strict=True)))
    found = {code: [row for row in rows if row["language"] == code and row["n"]] for code in errors}
    assert {(row["answers"], row["judged"], row["classified"]) for row in rows} == {
        (20, 5, 4), (30, 9, 2), (7, 0, 0),
    }  # fmt: skip
    assert [(row["error"], row["n"], row["share"]) for row in found["en"]] == [
        (types[0], 3, 0.75), (types[2], 1, 0.25),
    ]  # fmt: skip
    assert [(row["error"], row["share"]) for row in found["te"]] == [(types[1], 1.0)]
    assert all(row["share"] is None for row in rows if row["language"] == "sw")
    for row in found["en"]:
        exact = binomtest(row["n"], 4).proportion_ci(method="exact")
        assert (row["low"], row["high"]) == pytest.approx((exact.low, exact.high))


def test_judgements_of_several_kinds_of_question_are_added_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = Outcome("critic")
    outcome.counts = {
        "mqm": Counter({"ok": 10, "unparsed": 3, "error": 2}),
        "direct": Counter({"ok": 5, "error": 4}),
    }
    assert (outcome.read, outcome.failed) == (15, 6)
    tell(outcome)
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "direct: 5 ok, 0 unparsed, 4 error",
        "mqm: 10 ok, 3 unparsed, 2 error",
    ]
    assert said.err == "6 requests failed: the same command asks for them again\n"
    outcome.counts = {"mqm": Counter({"ok": 40})}
    assert outcome.failed == 0
