"""Sentences and tables of three tasks and four languages: every count and every row."""

import re
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from tests.report.sections import cell, gap, typed
from xlgo_cli.page.findings import findings
from xlgo_cli.page.grid import by_gap, gaps_of, of_section, unequal_cells
from xlgo_cli.page.samples import _index
from xlgo_cli.page.write import task_views
from xlgo_metric.comparison.compare import UNEQUAL, Cell
from xlgo_metric.core import Grade, Record

GAPS: dict[tuple[str, str], dict[str, Any]] = {
    # difference, p, flagged; significant at 5%
    ("slt", "te"): {"size": 0.30, "p": 0.001},
    ("slt", "hi"): {"size": 0.12, "p": 0.01},
    ("slt", "ar"): {"size": 0.02, "p": 0.6},
    ("dsa", "te"): {"size": 0.25, "p": 0.002},
    ("dsa", "hi"): {"size": -0.22, "p": 0.003},
    ("dsa", "ar"): {"size": 0.40, "p": 0.001, "flagged": True},
    ("t_rank", "te"): {"size": 0.05, "p": 0.3},
    ("t_rank", "ar"): {"size": 0.35, "p": 0.001, "refuse": UNEQUAL},
    ("t_rank", "hi"): {"size": 0.45, "p": None, "refused": "no questions in common"},
}
COUNTS = {"en": (150, 10, 4, 0), "te": (140, 30, 0, 5), "hi": (130, 0, 2, 1), "ar": (120, 3, 3, 3)}
"""Answers, and those that were truncated, without an answer and in a bad format."""


def of_cell(code: str, place: int) -> dict[str, Any]:
    n, cut, none, bad = COUNTS[code]
    right = 40 + 10 * place
    statuses = {
        "correct": right, "wrong": n - right - cut - none - bad, "truncated": cut,
        "no_answer": none, "bad_format": bad,
    }  # fmt: skip
    return {
        "n": n, "correct": right, "accuracy": right / n, "statuses": statuses,
        "parsed": (n - cut - none - bad) / n, "strict": (n - 9 - place) / n,
    }  # fmt: skip


@cache
def section() -> Any:
    tasks: dict[str, Any] = {}
    for (task, code), about in GAPS.items():
        place = ["slt", "dsa", "t_rank"].index(task)
        languages = tasks.setdefault(task, {
            "c_min": 100, "c_max": 500, "languages": {"en": cell(**of_cell("en", place))},
        })["languages"]  # fmt: skip
        difference = typed(
            about["size"], about["p"], code, task, flagged=about.get("flagged", False),
            **({"refused": about["refused"]} if "refused" in about else {}),
        )  # fmt: skip
        if reason := about.get("refuse"):
            difference = Cell.of_json(difference).refuse(reason).as_json()
        languages[code] = gap(
            about["size"], published=True, p=about["p"],
            **of_cell(code, place) | {"difference": difference},
        )  # fmt: skip
    return {
        "tasks": tasks, "warnings": [], "dw_acc": {}, "signature": "task:slt|version:1",
        "over_tasks": {"tasks": [], "left_out": {}, "languages": {}, "last": []},
    }  # fmt: skip


def told() -> list[tuple[str, str]]:
    return [(kind, str(text)) for kind, text in findings(section())]


def test_pairs_are_counted_without_those_that_may_not_be_claimed() -> None:
    """Of nine gaps one is flagged, one unequal and one without a test: three of six are behind."""
    (kind, first) = told()[0]
    assert kind == "behind"
    assert first == (
        "The model is significantly behind English in 3 of 6 language-task pairs, and ahead of it "
        "in 1."
    )
    largest = [text for kind, text in told()[1:4]]
    # By size, whatever the sign: Telugu in two tasks, then Hindi, which is ahead.
    assert [re.match(r"\w+", text)[0] for text in largest] == ["Telugu", "Telugu", "Hindi"]  # type: ignore[index]
    assert [kind for kind, _ in told()[1:4]] == ["behind", "behind", "ahead"]
    for text, size in zip(largest, (30, 25, 22), strict=True):
        assert f"{size}" in text
    assert "ahead of" in largest[2]
    warnings = [text for kind, text in told() if kind == "warn"]
    assert any("no questions in common" in text and "Hindi" in text for text in warnings)
    (lacking,) = (text for text in warnings if "missing answers differ" in text)
    assert "Arabic" in lacking
    assert "Telugu" not in lacking
    assert unequal_cells(section()).keys() == {("t_rank", "ar")}
    assert not any("Arabic" in text for kind, text in told() if kind in ("behind", "ahead"))


def test_unread_answers_are_counted_over_all_tasks_and_the_worst_is_named() -> None:
    total = 3 * sum(n for n, *_ in COUNTS.values())
    lost = [3 * sum(of[k] for of in COUNTS.values()) for k in (1, 2, 3)]
    (text,) = (text for kind, text in told() if "unparsable or truncated" in text)

    def percent(share: Fraction) -> str:
        return f"{float(100 * share):.1f}%"

    shares = [percent(Fraction(n, total)) for n in lost]
    assert text.startswith(f"{percent(Fraction(sum(lost), total))} of responses")
    assert f"({shares[0]} truncated, {shares[1]} no answer, {shares[2]} bad format)" in text
    assert f"The highest rate is {percent(Fraction(35, 140))}, for Telugu" in text


@pytest.mark.parametrize(
    ("kind", "statuses", "words"),
    [
        ("nothing", (0, 0, 0), "The model solves almost nothing: {right} of {total} answers"),
        ("nothing", (500, 0, 0), "{cut} of {total} answers were truncated by the token limit"),
        ("nothing", (150, 150, 60), "{lost} of {total} answers are truncated or unparsable"),
        ("everything", (500, 0, 0), "The model solves almost everything: {right} of {total}"),
    ],
)
def test_extremes_count_the_languages_and_their_baseline_once(
    kind: str, statuses: tuple[int, int, int], words: str
) -> None:
    """Two languages of one task and one of another, of which a third is compared."""
    cut, none, bad = statuses
    of = {
        "correct": 6, "truncated": cut, "no_answer": none, "bad_format": bad,
        "wrong": 600 - 6 - cut - none - bad,
    }  # fmt: skip
    flat = {"n": 600, "correct": 6, "statuses": of}
    tasks: dict[str, Any] = {
        name: {"c_min": 1, "c_max": 2, "languages": {
            "en": cell(**flat), **{code: cell(**flat, extreme=kind) for code in codes},
        }}
        for name, codes in {"slt": ["te", "hi"], "dsa": ["te"]}.items()
    }  # fmt: skip
    tasks["dsa"]["languages"]["hi"] = gap(0.3, published=True, p=0.001)
    whole = {**section(), "tasks": tasks}
    first = str(findings(whole)[0][1])
    numbers = {
        "right": 5 * 6, "total": f"{5 * 600:,}", "cut": f"{5 * cut:,}",
        "lost": f"{5 * sum(statuses):,}",
    }  # fmt: skip
    assert words.format(**numbers) in first
    assert "Telugu, SLT; Hindi, SLT; Telugu, DSA" in first or "Hindi, SLT; Telugu, SLT" in first
    assert gaps_of(whole).keys() == {("dsa", "hi")}


def test_a_run_without_anything_to_compare_tells_each_language_over_its_tasks() -> None:
    tasks = {
        task: {"c_min": 1, "c_max": 2, "languages": {
            code: cell(**of_cell(code, place)) for code in codes
        }}
        for place, (task, codes) in enumerate({"slt": ["te", "hi"], "dsa": ["te"]}.items())
    }  # fmt: skip
    found = [str(text) for _, text in findings({**section(), "tasks": tasks})]
    assert found[0].startswith("In Hindi the model solves")
    assert "40" in found[0]
    assert "130" in found[0]
    assert found[1].startswith("In Telugu the model solves")
    assert "90" in found[1]
    assert "280" in found[1]
    assert found[2] == "This run has no English answers to compare with; add English."


def test_the_heading_of_a_task_names_its_own_languages() -> None:
    views = {one["name"]: one for one in task_views("xlgobench", section())}
    notes = {name: one["note"] for name, one in views.items()}
    assert notes["slt"] == "behind (●): Telugu, Hindi"
    assert notes["dsa"] == "behind (●): Arabic, Telugu"
    assert notes["t_rank"] == "no language significantly behind"
    for place, task in enumerate(("slt", "dsa", "t_rank")):
        outcomes = views[task]["outcomes"]
        assert [one["words"].name for one in outcomes] == ["English", "Arabic", "Hindi", "Telugu"]
        for code, one in zip(("en", "ar", "hi", "te"), outcomes, strict=True):
            shares = dict(one["shares"])
            assert shares["correct"] == round(100 * (40 + 10 * place) / COUNTS[code][0], 2)
            assert ("truncated" in shares) == (COUNTS[code][1] > 0)
    assert by_gap(section()) == ["ar", "hi", "te"]


def test_the_grid_has_each_gap_in_its_row_and_column_and_the_mean_of_all_tasks() -> None:
    verdicts = {code: typed(size, 0.001, code) for code, size in {"te": 0.21, "hi": 0.03}.items()}
    over = {"tasks": ["slt", "dsa"], "left_out": {}, "languages": verdicts, "last": ["te"]}
    grid = of_section({**section(), "over_tasks": over}, "xlgobench")
    assert "All tasks: the mean over SLT, DSA, whose " in grid.caption
    rows = {row[0]: dict(zip(grid.table.names, row, strict=True)) for row in grid.table.rows}
    assert list(rows) == ["Telugu", "Hindi", "Arabic"]  # by the mean, then those without one
    names = {"te": "Telugu", "hi": "Hindi", "ar": "Arabic"}
    shorts = {task: grid.columns[task].short for task in ("slt", "dsa", "t_rank")}
    for (task, code), about in GAPS.items():
        row, short = rows[names[code]], shorts[task]
        assert row[short] == about["size"]
        tested = about["p"] is not None and "refuse" not in about
        assert (row[f"{short}, low"] is not None) == tested
        expected = "●" if tested and about["p"] <= 0.05 else "" if tested else "?"
        assert (row[f"{short}, mark"] or "") == expected + "†" * about.get("flagged", False)
        assert names[code] in str(grid.sentences[code, task])
    for code, verdict in verdicts.items():
        assert rows[names[code]]["All tasks"] == verdict["difference"]
        assert rows[names[code]]["All tasks, low"] == pytest.approx(verdict["ci_low"])
    assert rows["Arabic"]["All tasks"] is None
    assert {sign[0] for sign in grid.legend} == {"●", "?", "†"}
    assert len(grid.view()) == 3
    assert all(len(row["cells"]) == 4 for row in grid.view())


def test_the_index_of_all_answers_keeps_tasks_sizes_conditions_and_repeats_apart() -> None:
    """Rows in another order; a task has levels by name, and the questions of two share a name."""
    rows: list[Any] = []
    for place, (family, task, level) in enumerate((
        ("polymath", "polymath", "top"), ("xlgobench", "dsa", 1), ("xlgobench", "slt", 0),
        ("xlgobench", "slt", 1),
    )):  # fmt: skip
        for code, name, repeat in product(("te", "en", "ar"), ("english_rules", "plain"), range(2)):
            if (task, name) == ("polymath", "english_rules"):
                continue
            reference: dict[str, Any] = {
                "instance_id": f"i{level}", "level": level, "complexity": 10.0 + place,
            }  # fmt: skip
            if name != "plain":
                reference["condition"] = name
            status: Any = ("correct", "truncated", "wrong")[(place + repeat) % 3]
            record = Record(Grade(status == "correct", status), reference)
            key = family, task, code, f"q{level}", repeat
            rows.append((key, record, (place, len(rows))))
    found: Any = _index(SimpleNamespace(baseline="te"), rows)  # type: ignore[arg-type]
    assert [one["name"] for one in found["tasks"]] == ["slt", "dsa", "polymath"]
    assert [one["code"] for one in found["languages"]] == ["en", "ar", "te"]
    assert (found["base"], found["conditions"]) == (2, ["", "english_rules"])
    assert [one[0] for one in found["statuses"]] == ["correct", "wrong", "truncated"]
    assert len(found["questions"]) == len(set(found["questions"])) == 4 * 2
    columns = found["rows"]
    order = list(zip(columns["task"], columns["size"], columns["question"], strict=True))
    assert order == sorted(order)
    assert len(order) == len(rows)
    by_place = {place[1]: (key, record) for key, record, place in rows}
    for number, place in enumerate(columns["place"]):
        key, record = by_place[place]
        assert found["tasks"][columns["task"][number]]["name"] == key[1]
        assert found["languages"][columns["language"][number]]["code"] == key[2]
        told = found["conditions"][columns["condition"][number]]
        assert told == record.reference.get("condition", "")
        assert found["statuses"][columns["status"][number]][0] == record.grade.status
        question = found["questions"][columns["question"][number]]
        name = f"{key[0]}/{key[1]}/{record.reference['instance_id']}"
        assert question == (f"{name}/1" if key[4] else name)
        assert columns["size"][number] == record.reference["complexity"]
