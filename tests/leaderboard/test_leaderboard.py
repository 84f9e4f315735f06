"""``xlgo leaderboard`` from folders of logs to the site and the Hub."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import xlgo_dataset as xd
from tests.report.logs import LATER, rows, sample, write_answers, write_run
from xlgo_cli.leaderboard.page import (
    _warnings,
    by_language,
    differences,
    findings as findings_of_board,
    matrix,
    mean_difference,
    of_model,
    possible_ranks,
    ranking,
    site_of,
    standings,
)
from xlgo_cli.leaderboard.standings import Board, _runs, board, choose, make, read_entries, tell
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.logs.lines import Problem, Problems
from xlgo_cli.page.comparison import comparison, findings, gains_of, gap_table
from xlgo_metric.comparison import Rank
from xlgo_metric.comparison.compare import MACHINE_WRITTEN
from xlgo_metric.statistics.differences import MARGIN

RIGHT = {
    "acme/best": {"en": (6, 6, 6, 5), "ar": (6, 6, 5, 5), "te": (6, 6, 5, 4)},
    "acme/uneven": {"en": (6, 6, 5, 5), "ar": (6, 5, 4, 2), "te": (3, 0, 0, 0)},
    "acme/<b>worst</b>": {"en": (3, 1, 0, 0), "ar": (3, 1, 0, 0), "te": (2, 1, 0, 0)},
}
"""Correct answers of each level, of ``PER_LEVEL``, by model and language."""


def quick(folder: Path, model: str | None) -> GradedRun:
    return score_folder(folder, model=model, options={"draws": 10, "permutations": 99})


def test_gaps_are_tested_over_all_models_together(tmp_path: Path) -> None:
    """Beside the gaps of other models, one is less sure than in the report of its own model."""
    folders = [
        write_answers(
            tmp_path / str(number),
            rows(),
            partial(lambda right, row: row["index"] < right[row["language"]][row["level"]], right),
            model=model,
        )
        for number, (model, right) in enumerate(RIGHT.items())
    ]
    entries, failed = read_entries(folders, quick)
    assert failed == []
    made = board(choose(entries))
    assert len(made.gaps) == 3 * 2
    places = {entry.name: place for place, entry in enumerate(made.entries)}
    together, alone = {}, {}
    for name in ("acme/best", "acme/uneven"):
        together[name] = made.gaps[places[name], "xlgobench", "slt", "te"]
        section = made.entries[places[name]].scored.score["families"]["xlgobench"]
        alone[name] = section["tasks"]["slt"]["languages"]["te"]["difference"]
        assert alone[name]["difference"] == together[name].difference
    assert alone["acme/best"]["p_value"] < together["acme/best"].p_value
    assert together["acme/uneven"].is_significant


PUZZLE, TEXT = "xlgobench", "polymath"
Key = tuple[str, str, str, str, int]


def keys(family: str, *numbers: int) -> list[Key]:
    return [(family, "task", "en", f"q{n:03}", 0) for n in numbers]


def entry(name: str, answered: list[Key], seed: str = "0", **settings: str) -> Any:
    return SimpleNamespace(
        name=name,
        answers=pd.DataFrame(
            {"family": [key[0] for key in answered]},
            index=pd.MultiIndex.from_tuples(answered),
        ),
        questions=[key[:4] for key in answered],
        conditions=dict.fromkeys({key[0] for key in answered}, (("data", "1"), ("seed", seed))),
        settings={"sampling": "greedy", "template": "none"} | settings,
    )


def test_runs_are_ranked_on_what_at_least_half_were_asked_alike() -> None:
    entries = [
        entry("other seed", keys(PUZZLE, *range(100)), "7"),
        entry("whole", keys(PUZZLE, *range(100)) + keys(TEXT, *range(9)), template="aa"),
        entry("nine tenths", keys(PUZZLE, *range(10, 100)), template="bb"),
        entry("fewer", keys(PUZZLE, *range(11, 100))),
        entry("more", keys(PUZZLE, *range(120)), sampling="temperature=1", template="cc"),
        entry("texts", keys(TEXT, *range(9))),
        entry("the same seed", keys(PUZZLE, *range(100)), "7"),
        entry("third seed", keys(PUZZLE, *range(100)), "9"),
    ]
    found = choose(entries, [("folder", "cannot be read")])
    assert [one.name for one in found.ranked] == ["whole", "nine tenths", "more"]
    assert found.common == tuple(key[:4] for key in keys(PUZZLE, *range(10, 100)))
    told = "other questions: seed of xlgobench"
    assert found.left_out == (
        ("folder", "cannot be read"),
        ("texts", "it has no answers that are right or wrong, as others do"),
        ("other seed", f"{told} (7, others 0) (as 2 models: rank these apart)"),
        ("the same seed", f"{told} (7, others 0) (as 2 models: rank these apart)"),
        ("third seed", f"{told} (9, others 0)"),
        ("fewer", "it answered 89 of the 100 questions of the others"),
    )
    assert found.conditions == {PUZZLE: (("data", "1"), ("seed", "0"))}
    # A template is each model's own, so that three of them are alike.
    assert found.unlike == {
        "whole": (),
        "nine tenths": (),
        "more": ("sampling: temperature=1 (most: greedy)",),
    }


def test_a_family_counts_where_half_of_the_runs_have_it() -> None:
    both = [
        entry("one", keys(PUZZLE, 1, 2) + keys(TEXT, 1)),
        entry("two", keys(PUZZLE, 1, 2) + keys(TEXT, 1)),
        entry("three", keys(PUZZLE, 1, 2)),
        entry("four", keys(PUZZLE, 1, 2)),
    ]
    found = choose(both[:2])
    assert found.common == tuple(sorted(k[:4] for k in keys(PUZZLE, 1, 2) + keys(TEXT, 1)))
    found = choose([*both, entry("five", keys(PUZZLE, 1, 2))])
    assert (found.common, len(found.ranked)) == (tuple(k[:4] for k in keys(PUZZLE, 1, 2)), 5)
    assert [one.name for one in choose(both).ranked] == ["one", "two"]  # half is enough
    apart = [entry("one", keys(PUZZLE, 1)), entry("two", keys(PUZZLE, 1), "7")]
    with pytest.raises(ValueError, match=r"two models .* \(two: other questions: seed"):
        choose(apart)


def test_a_model_without_a_template_is_asked_otherwise_than_those_with_their_own() -> None:
    asked = keys(PUZZLE, *range(10))
    templates = {"a": "aa", "b": "bb", "none": "none"}
    found = choose([entry(name, asked, template=of) for name, of in templates.items()])
    assert found.unlike == {"a": (), "b": (), "none": ("template: none (most: its own)",)}
    found = choose([entry("a", asked), entry("b", asked), entry("one", asked, context="4096")])
    assert found.unlike == {"a": (), "b": (), "one": ("context: 4096 (most: default)",)}


TASKS, CODES, SIZES, N = ("dsa", "prdsa"), ("en", "hi", "te", "zh"), 3, 12
CORRECT = {
    "m/middle": {"en": (12, 10, 6), "hi": (12, 9, 6), "te": (9, 5, 1), "zh": (12, 10, 6)},
    "m/uneven": {"en": (12, 12, 11), "hi": (5, 2, 0), "te": (4, 1, 0), "zh": (12, 9, 7)},
    "m/best": {"en": (12, 12, 12), "hi": (12, 12, 11), "te": (12, 11, 11), "zh": (12, 12, 12)},
}
"""Right answers by level; the second task has one less of each."""
RUNS: dict[str, GradedRun] = {}
LOST = {"m/middle": 5, "m/uneven": 7}
"""A question of the first level of the first task that a model has not answered in Hindi."""


def is_right(model: str, task: str, code: str, level: int, index: int) -> bool:
    return index < CORRECT[model][code][level] - (task == "prdsa")


def is_there(model: str, task: str, code: str, level: int, index: int) -> bool:
    return (task, code, level, index) != ("dsa", "hi", 0, LOST.get(model))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Board:
    top = tmp_path_factory.mktemp("models")
    options: Any = {"levels": SIZES, "per_level": N, "c_min": 12, "c_max": 20}
    asked = {
        task: list(xd.family_of(task).rows(task, CODES, split="test", **options)) for task in TASKS
    }
    for model in CORRECT:
        for task, of_task in asked.items():
            samples = []
            for number, row in enumerate(of_task):
                place = model, task, row["language"], row["level"], row["index"]
                if is_there(*place):
                    text = row["answer"] if is_right(*place) else '{"answer": "no"}'
                    samples.append(sample(row, text, number))
            write_run(top / model[2:], model=model, task=task, languages=CODES, samples=samples)

    def kept(folder: Path, model: str | None) -> GradedRun:
        found = quick(folder, model)
        return RUNS.setdefault(found.run.model, found)

    entries, failed = read_entries([top / model[2:] for model in CORRECT], kept)
    assert failed == []
    return board(choose(entries))


def common(task: str, code: str, level: int) -> list[int]:
    """The questions that all models answered."""
    return [i for i in range(N) if all(is_there(model, task, code, level, i) for model in CORRECT)]


def gap(model: str, code: str, tasks: Iterable[str] = TASKS) -> Fraction:
    """The mean over tasks and sizes of English minus the language on common questions."""
    return mean(
        mean(
            Fraction(
                sum(
                    is_right(model, task, "en", level, i) - is_right(model, task, code, level, i)
                    for i in common(task, code, level)
                ),
                len(common(task, code, level)),
            )
            for level in range(SIZES)
        )
        for task in tasks
    )


def test_models_are_ranked_on_the_questions_of_all_tasks_and_languages(built: Board) -> None:
    def share(model: str, codes: Iterable[str] = CODES) -> Fraction:
        """The mean over tasks and languages of the mean over sizes."""
        return mean(
            mean(
                mean(Fraction(is_right(model, *at, level, i)) for i in common(*at, level))
                for level in range(SIZES)
            )
            for at in product(TASKS, codes)
        )

    sizes = [len(common(*key)) for key in product(TASKS, CODES, range(SIZES))]
    assert len(built.field.common) == sum(sizes) == 2 * 4 * SIZES * N - 2
    assert built.puzzles == 2 * SIZES * N
    shares = {model: share(model) for model in CORRECT}
    order = sorted(CORRECT, key=lambda model: -shares[model])
    assert [entry.name for entry in built.entries] == order == ["m/best", "m/middle", "m/uneven"]
    assert list(built.accuracy) == pytest.approx([float(shares[model]) for model in order])
    for code in CODES:
        exact = [float(share(model, [code])) for model in order]
        assert list(built.languages[code][0]) == pytest.approx(exact)
        assert [shares[code][2] for shares in built.readings] == pytest.approx(exact)
    assert [one["accuracy"] for one in _numbers(built)["models"]] == list(built.accuracy)


def _numbers(built: Board) -> dict[str, Any]:
    return json.loads(json.dumps(site_of(built, "T").numbers))


def test_questions_of_one_model_alone_change_no_place(built: Board) -> None:
    """The last one answers as many further questions, all of them right."""
    *others, last = built.entries
    more = last.answers.rename(lambda name: f"{name}, another", level=3).assign(correct=True)
    extended = replace(last, answers=pd.concat([last.answers, more]))
    found = board(choose([*others, extended]))
    assert [one.name for one in found.entries] == [one.name for one in built.entries]
    assert list(found.accuracy) == list(built.accuracy)


def test_equal_models_stand_by_name_and_a_task_that_a_language_lacks_does_not_count(
    built: Board,
) -> None:
    own = built.entries[2].answers
    left = own[(own["task"] != "dsa") | (own["language"] != "hi")]
    twins = [replace(built.entries[2], name=name, answers=left) for name in ("b", "a")]
    found = board(choose(twins))
    assert [one.name for one in found.entries] == ["a", "b"]
    assert found.uncounted.keys() == {"dsa"}
    exact = mean(
        is_right("m/uneven", "prdsa", "en", *which) - is_right("m/uneven", "prdsa", "te", *which)
        for which in product(range(SIZES), range(N))
    )
    assert found.differences[0, "te"].difference == pytest.approx(float(exact))


def test_gaps_of_every_model_task_and_language(built: Board) -> None:
    assert built.uncounted == {}
    names = [entry.name for entry in built.entries]
    assert built.gaps.keys() == {
        (place, "xlgobench", task, code)
        for place in range(3) for task in TASKS for code in CODES[1:]
    }  # fmt: skip
    for (place, _, task, code), cell in built.gaps.items():
        assert cell.difference == pytest.approx(float(gap(names[place], code, [task])))
        assert (cell.baseline, cell.other, cell.task, cell.n) == (
            "en", code, task, sum(len(common(task, code, level)) for level in range(SIZES)),
        )  # fmt: skip
    assert built.differences.keys() == {(place, code) for place in range(3) for code in CODES[1:]}
    for (place, code), cell in built.differences.items():
        assert cell.difference == pytest.approx(float(gap(names[place], code)))
        assert cell.is_significant == (not cell.ci_low <= 0 <= cell.ci_high)  # type: ignore[operator]
    for place, name in enumerate(names):
        exact = float(mean(gap(name, code) for code in CODES[1:]))
        assert mean_difference(built, place) == pytest.approx(exact)
        assert _numbers(built)["models"][place]["mean_gap"] == pytest.approx(exact)


def test_a_run_is_there_once_and_each_has_a_name_of_its_own(built: Board, tmp_path: Path) -> None:
    folders = [entry.folder for entry in built.entries]
    runs = {entry.folder: RUNS[entry.name] for entry in built.entries}
    with pytest.raises(ValueError, match=f"{folders[0]} and {folders[0]} are the same run: give"):
        read_entries([folders[0]] * 2, lambda folder, _: runs[folder])
    run = runs[folders[1]].run
    files = [replace(file, date=LATER) for file in run.files]
    runs[folders[1]] = replace(runs[folders[1]], run=replace(run, model="m/best", files=files))
    (tmp_path / "notes.md").touch()
    _, lost, named = make([*folders, tmp_path / "notes.md"], lambda folder, _: runs[folder])
    assert [one.name for one in named] == ["m/best (best)", "m/best (middle)", "m/uneven"]
    assert lost == 0
    [(name, why)] = read_entries([tmp_path / "none"], quick)[1]
    assert (name, name in why) == (str(tmp_path / "none"), False)
    for model in ("b", "a"):
        write_answers(tmp_path, rows(), lambda row: True, model=model)
    assert list(_runs([tmp_path, folders[0]])) == [
        (tmp_path, "a"), (tmp_path, "b"), (folders[0], None),
    ]  # fmt: skip


def test_a_board_without_a_best_model_names_the_first_and_no_equal_is_behind(
    built: Board,
) -> None:
    shared = (Rank(1, 1, 2), Rank(1, 1, 2), Rank(3, 3, 3))
    key, cell = next(iter(built.differences.items()))
    equal = replace(
        cell, difference=0.02, ci_low=0.01, ci_high=0.03, is_significant=True, refused=""
    )
    changed = replace(built, ranks=shared, differences={**built.differences, key: equal})
    told = [str(text) for _, text in findings_of_board(changed)]
    assert "m/best, m/middle" in told[0]
    assert "m/uneven" not in told[0]
    assert standings(changed)[key] == "equal"
    assert [row[2] for row in ranking(changed).rows] == ["1 to 2", "1 to 2", "3"]
    unlike = {**built.field.unlike, "m/middle": ("sampling: greedy (most: default)",)}
    other = replace(built, field=replace(built.field, unlike=unlike))
    assert [label.name for label in differences(other).rows.values()] == [
        "m/best", "m/middle (other settings)", "m/uneven",
    ]  # fmt: skip
    assert _warnings(other)[0].startswith("1 of the models were run with other settings")
    assert not any("other settings" in text for text in _warnings(built))


def test_the_table_of_ranks_has_the_numbers_of_every_model(built: Board) -> None:
    table = ranking(built)
    fixed = ["Model", "Rank", "Possible ranks", "Correct", "Questions", "Mean gap"]
    assert [name.partition(" (")[0] for name in table.names] == [
        *fixed, "Gap Chinese", "Gap Hindi", "Gap Telugu",
    ]  # fmt: skip
    for n, (row, entry) in enumerate(zip(table.rows, built.entries, strict=True)):
        gaps = [float(gap(entry.name, code)) for code in ("zh", "hi", "te")]
        wanted = (entry.name, n + 1, f"{n + 1}", built.accuracy[n], "regenerated", sum(gaps) / 3)
        assert row == (*wanted[:5], *map(pytest.approx, (wanted[5], *gaps)))


def test_page_and_numbers_say_what_each_model_did(built: Board, tmp_path: Path) -> None:
    names = [entry.name for entry in built.entries]
    site = site_of(built, "T <b>")
    numbers = json.loads(json.dumps(site.numbers))
    assert {key: numbers[key] for key in ("schema", "baseline", "questions", "puzzles")} == {
        "schema": 2, "baseline": "en", "questions": 286, "puzzles": built.puzzles,
    }  # fmt: skip
    assert [(pair["baseline"], pair["other"]) for pair in numbers["pairs"]] == [
        *combinations(names, 2)
    ]
    for place, model in enumerate(numbers["models"]):
        score = built.entries[place].scored.score
        wanted = {
            "name": names[place], "questions": "regenerated", "unlike": [],
            "rank": place + 1, "low": place + 1, "high": place + 1,
            "signature": score["signature"], "generation": score["generation"],
        }  # fmt: skip
        assert {key: model[key] for key in wanted} == wanted
        for code, language in model["languages"].items():
            accuracy, ranks = built.languages[code]
            assert language["accuracy"] == accuracy[place]
            assert model["readings"][code]["lenient"] == pytest.approx(accuracy[place])
            assert [language["rank"], language["low"], language["high"]] == [
                ranks[place].rank, ranks[place].low, ranks[place].high,
            ]  # fmt: skip
        assert {code: one["difference"] for code, one in model["differences"].items()} == {
            code: pytest.approx(float(gap(names[place], code))) for code in CODES[1:]
        }
        assert {(one["where"]["task"], one["other"]) for one in model["gaps"]} == {
            (task, code) for task in TASKS for code in CODES[1:]
        }
    stands = Counter(standings(built).values())
    told = [str(text) for _, text in findings_of_board(built)]
    assert "m/best" in told[0]
    assert f"{100 * built.accuracy[0] + 1e-9:.1f}%" in told[0]  # halves away from zero
    assert "286" in told[0]
    assert all(f"{n}" in told[1] for n in stands.values())
    # Of the gaps by task that are significant, Telugu has those of most models.
    assert told[2] == (
        "2 of 3 models are significantly behind English in at least one task. Languages: Telugu."
    )
    grid = matrix(built)
    for row, column in permutations(names, 2):
        places = names.index(row), names.index(column)
        gain = built.accuracy[places[1]] - built.accuracy[places[0]]
        cell = grid.cells[row, column]
        assert (cell.difference > 0) == (gain > 0)
        assert cell.is_significant
        assert grid.sentences[row, column] == f"{column} minus {row}"
    assert [label.name for label in grid.rows.values()] == [
        f"{n}. {name}" for n, name in enumerate(names, 1)
    ]
    for place in range(3):
        own = of_model(built, place)
        assert (own.title, own.cells) == (names[place], {
            (code, task): built.gaps[place, "xlgobench", task, code]
            for code in CODES[1:] for task in TASKS
        })  # fmt: skip
    assert "<title>T &lt;b&gt;</title>" in site.write(tmp_path).read_text("utf-8")
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "README.md", "gaps.csv", "index.html", "leaderboard.csv", "leaderboard.json", "pairs.csv",
        "readings.csv",
    ]  # fmt: skip
    (tmp_path / "mine.csv").touch()
    replace(site, tables=site.tables[:1]).write(tmp_path)  # no table of an earlier board stays
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == [
        "leaderboard.csv", "mine.csv", "pairs.csv",
    ]  # fmt: skip
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "# T \\<b\\>\n" in card
    assert "sdk: static\napp_file: index.html" in card


def test_what_stands_beside_the_numbers_of_a_board(
    built: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = dict(zip(by_language(built).names, zip(*by_language(built).rows)))
    for code, name in zip(CODES, ("English", "Hindi", "Telugu", "Chinese")):
        ranks = tuple(f"({possible_ranks(rank)})" for rank in built.languages[code][1])
        assert (columns[name], columns[f"{name}, ranks"]) == (built.languages[code][0], ranks)
    for key, text in differences(built).sentences.items():
        shares = built.differences[key].accuracy, built.differences[key].baseline_accuracy
        assert ": {:.1%}, in the baseline {:.1%}, ".format(*shares) in text
    assert (matrix(built).behind, matrix(built).ahead) == ("the row is worse", "the row is better")
    page = site_of(built, "T").page
    assert ("data 1, seed 0" in page, "2026-03-01T" in page) == (True, False)
    entry = built.entries[0]
    first = replace(entry, scored=replace(
        entry.scored, proof=replace(entry.scored.proof, logged=Counter(loaded=1)),
        run=replace(entry.scored.run, problems=Problems([Problem("samples.jsonl", "cut off")])),
    ))  # fmt: skip
    changed = replace(
        built, entries=(first, *built.entries[1:]), uncounted={"dsa": "Hindi lacks it"},
        field=replace(built.field, left_out=(("folder", "cannot be read"),)), gaps={},
    )  # fmt: skip
    assert [row[4] for row in ranking(changed).rows] == ["as logged", *["regenerated"] * 2]
    assert "m/best: samples.jsonl: cut off" in _warnings(changed)
    assert "Not in the mean over tasks: dsa" in " ".join(_warnings(changed)).replace("DSA", "dsa")
    assert "No claim over all tasks: " in " ".join(_warnings(replace(changed, differences={})))
    sentences = [str(text) for _, text in findings_of_board(changed)]
    assert sentences[-1].startswith("1 of the results given is not ranked")
    assert not any("none is significant" in text for text in sentences)
    tell(changed, changed.entries)
    assert capsys.readouterr().err.splitlines() == [
        "error: m/best: samples.jsonl: cut off", "note: not ranked: folder: cannot be read",
    ]  # fmt: skip


def test_a_language_whose_wording_nobody_read_is_named_on_demand(built: Board) -> None:
    """Telugu is behind for most models; if nobody read it, Hindi and Chinese are, of one each."""
    gaps = {
        key: replace(cell, is_significant=cell.difference > 0.15, where={
            **cell.where, "wording_status": MACHINE_WRITTEN if key[3] == "te" else "",
        })
        for key, cell in built.gaps.items()
    }  # fmt: skip
    behind = [
        next(str(text) for kind, text in findings_of_board(one) if kind == "behind")
        for one in (replace(built, gaps=gaps, unaudited=of) for of in (True, False))
    ]
    assert [text.partition("task. ")[2] for text in behind] == [
        "Languages: Telugu.", "Languages: Chinese, Hindi.",
    ]  # fmt: skip


def test_the_file_of_gaps_has_those_of_tasks_and_over_all_tasks(
    built: Board, tmp_path: Path
) -> None:
    site_of(built, "T").write(tmp_path)
    rows = pd.read_csv(tmp_path / "gaps.csv", keep_default_na=False)
    assert len(rows) == len(built.gaps) + len(built.differences) == 27
    for model, task, code, difference in rows[["model", "task", "other", "difference"]].to_numpy():
        assert difference == pytest.approx(float(gap(model, code, [task] if task else TASKS)))


def test_a_language_stands_by_the_limits_of_its_gap(built: Board) -> None:
    stands = standings(built)
    for key, cell in built.differences.items():
        if cell.ci_low > -MARGIN and cell.ci_high < MARGIN:
            assert stands[key] == "equal"
        else:
            kinds = {"behind": cell.ci_low > 0, "ahead": cell.ci_high < 0}
            assert stands[key] == next((kind for kind in kinds if kinds[kind]), "not known")
    assert {*stands.values()} >= {"behind", "not known"}


@pytest.mark.usefixtures("built")
def test_two_models_side_by_side_on_what_these_two_answered() -> None:
    first, second = "m/middle", "m/best"
    both = [
        (task, code, level, i)
        for task in TASKS for code in CODES for level in range(SIZES) for i in range(N)
        if is_there(first, task, code, level, i)
    ]  # fmt: skip
    found = comparison(RUNS[first], RUNS[second])
    assert found.notes == ["1 answers of m/best to other questions are left out."]

    def share(model: str, task: str, code: str) -> Fraction:
        return mean(
            mean(Fraction(is_right(model, *key)) for key in both if key[:3] == (task, code, level))
            for level in range(SIZES)
        )

    pairs = {(pair.task, pair.language): pair for pair in found.pairs}
    assert list(pairs) == [(task, code) for task in TASKS for code in sorted(CODES)]
    for (task, code), pair in pairs.items():
        shares = share(first, task, code), share(second, task, code)
        assert (pair.baseline_accuracy, pair.accuracy) == pytest.approx(tuple(map(float, shares)))
        assert pair.n == sum(key[:2] == (task, code) for key in both)
        gain = gains_of(found).cells[code, task].difference
        assert gain == pytest.approx(float(shares[1] - shares[0]))
    overall = [
        mean(share(model, task, code) for task in TASKS for code in CODES)
        for model in (first, second)
    ]
    assert (found.overall.baseline_accuracy, found.overall.accuracy) == pytest.approx(
        tuple(map(float, overall))
    )
    assert found.overall.n == len(both)

    def lost(model: str, code: str) -> Fraction:
        """The gap on the questions that both models answered in both languages."""
        return mean(
            mean(
                mean(
                    Fraction(is_right(model, task, "en", level, i))
                    - is_right(model, task, code, level, i)
                    for i in range(N)
                    if (task, code, level, i) in both
                )
                for level in range(SIZES)
            )
            for task in TASKS
        )

    gaps = {cell.language: cell for cell in found.gaps}
    assert gaps.keys() == set(CODES[1:])
    for (code, cell), row in zip(gaps.items(), gap_table(found).rows):
        assert row[2:4] == (cell.baseline_accuracy, cell.accuracy)
        assert row[2:4] == pytest.approx((float(lost(first, code)), float(lost(second, code))))
    for one, other, colour, more, of_pairs in [
        (first, second, "ahead", "smaller", "behind"),
        (second, first, "behind", "larger", "ahead"),
    ]:
        sentences = [
            (kind, str(text)) for kind, text in findings(comparison(RUNS[one], RUNS[other]))
        ]
        kind, text = sentences[2]
        assert (kind, text.partition(" points")[0]) == (
            colour,
            f"Telugu: the gap to English is {more} in {other} than in {one}. It is "
            f"+{100 * float(lost(other, 'te')):.1f} against +{100 * float(lost(one, 'te')):.1f}",
        )
        assert sentences[4][0] == of_pairs
        rates = [100 * float(share(model, "dsa", "te")) for model in (one, other)]
        change = f"{abs(rates[1] - rates[0]):.1f} points"
        assert sentences[4][1].startswith(f"Telugu, DSA: {rates[0]:.1f}% against {rates[1]:.1f}%")
        assert sentences[4][1].endswith(f"({'−' if one == second else '+'}{change}).")
