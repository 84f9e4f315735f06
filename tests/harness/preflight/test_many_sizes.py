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
from xlgo_cli.harness.preflight import size
from xlgo_cli.harness.preflight.size import RequestCount, Size
from xlgo_cli.logs.costs import read_prices
from xlgo_lm_eval.answers import Answers, own_file
from xlgo_lm_eval.replies import Answer

ASKED = [
    RequestCount("lit_africa", "model", 7, 35, 4_000_000, 1_000_000),
    RequestCount("lit_africa", "judge", 7, 14, 2_000_000, 500_000),
    RequestCount("kor_logic", "model", 250, 250, 1_000_000, None),
    RequestCount("kor_self_correction", "model", 50, 150, 3_000_000, 2_000_000),
]


def test_requests_are_priced_by_who_is_asked_and_summed_over_tasks(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(
        "[models.small]\ninput = 1.0\noutput = 3.0\n[models.critic]\ninput = 10.0\noutput = 7.0\n"
    )
    prices, names = read_prices(path), {"model": "small", "judge": "critic"}
    exact = [4 * 1 + 1 * 3, 2 * 10 + 0.5 * 7, None, 3 * 1 + 2 * 3]
    assert [one.price(prices, names) for one in ASKED] == exact
    assert [size.as_json(one, prices, names)["price"] for one in ASKED] == exact
    rows = size.table(ASKED, prices, names).rows
    assert rows[-1] == ("all", None, None, 35 + 14 + 250 + 150, 10_000_000, None, None)
    known = [one for one in ASKED if one.tokens_out is not None]
    assert size.table(known, prices, names).rows[-1] == (
        "all", None, None, 35 + 14 + 150, 9_000_000, 3_500_000, 7 + 23.5 + 9,
    )  # fmt: skip
    plain = size.table(ASKED)
    assert [len(row) for row in plain.rows] == [6] * 5
    assert [row[:2] for row in plain.rows[:-1]] == [(one.task, one.who) for one in ASKED]
    assert len(size.table(ASKED[:1]).rows) == 1
    with pytest.raises(ValueError, match="no price of 'judge'"):
        ASKED[1].price(prices, {"model": "small"})


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
    assert (outcome.read, outcome.failed, outcome.code) == (15, 6, 1)
    tell(outcome)
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "direct: 5 ok, 0 unparsed, 4 error",
        "mqm: 10 ok, 3 unparsed, 2 error",
    ]
    assert said.err == "6 requests failed: the same command asks for them again\n"
    outcome.counts = {"mqm": Counter({"ok": 40})}
    assert outcome.code == 0
