"""The same answers give the same numbers, whatever tool logged them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.doors.logs_of_others import Asked, write_instances, write_traces
from xlgo_cli.cli import main
from xlgo_cli.logs.formats import every_eval_ever, verifiers_traces
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.parallel.comparing import Options, compare_languages
from xlgo_cli.report.write import write_all
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.family import Row

ASKED = {"languages": "en,te", "preset": "smoke", "levels": "3", "per_level": "4", "text": "paper"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``xlgo run`` writes."""
    out = tmp_path_factory.mktemp("own")
    assert main([
        "run", "--model", "xlgo-sim", "--text", "paper", "--tasks", "slt,dsa", "--output_path",
        str(out), "--quiet",
        *(word for name, value in ASKED.items() for word in (f"--{name.replace('_', '-')}", value)),
    ]) == 0  # fmt: skip
    return out


def questions() -> Iterator[tuple[Row, str]]:
    """The same questions and the answers of the same model."""
    simulator = Simulator()
    for task in ("slt", "dsa"):
        rows = xd.family_of(task).rows(task, ["en", "te"], preset="smoke", levels=3, per_level=4)
        for row in rows:
            yield row, simulator.answer(row["prompt"])


def test_traces_of_verifiers_give_the_numbers_of_the_run(own: Path, tmp_path: Path) -> None:
    asked = [
        Asked(row["id"], row["prompt"], said, {"reference": row["reference"]})
        for row, said in questions()
    ]
    write_traces(tmp_path, asked)
    found, wanted = (score_folder(path, quiet=True).score for path in (tmp_path, own))
    assert found["headline"] == wanted["headline"]
    assert found["families"] == wanted["families"]
    score = xm.score(
        [said for _, said in questions()], [row["reference"] for row, _ in questions()]
    )
    assert found["headline"] == score["headline"]
    assert "Telugu" in write_all(score_folder(tmp_path), tmp_path).read_text("utf-8")
    assert (tmp_path / "report" / "samples.html").is_file()


def test_a_failed_episode_is_missing_and_not_wrong(tmp_path: Path) -> None:
    asked = [
        Asked(row["id"], row["prompt"], said if n else None, {"reference": row["reference"]})
        for n, (row, said) in enumerate(questions())
    ]
    write_traces(tmp_path, asked)
    scored = score_folder(tmp_path, quiet=True)
    assert scored.there == (len(asked) - 1, len(asked))
    assert scored.problems.lost


@pytest.mark.parametrize(
    ("finish", "said", "state"),
    [
        ("stop", "7", "answered"),
        ("stop", "", "answered"),
        ("length", "", "answered"),
        ("content_filter", "7", "refused"),
        ("error", "7", "missing"),
        ("", "", "missing"),
    ],
)
def test_a_finish_reason_means_what_it_means_in_a_run(finish: str, said: str, state: str) -> None:
    nodes = [{"message": {"role": "assistant", "content": said}, "sampled": True}]
    trace = {"nodes": nodes, "ok": True, "calls": [{"finish_reason": finish}]}
    episode = verifiers_traces.line({"task": {"key": "q"}, "traces": [trace]})
    assert [one["state"] for one in episode["answers"]] == [state]


def test_every_eval_ever_gives_the_numbers_of_the_run(own: Path, tmp_path: Path) -> None:
    """Our questions there: the reference stands in the metadata of each answer."""
    asked = []
    for row, said in questions():
        data = {"language": row["language"], "xlgo_reference": row["reference"]}
        asked.append(Asked(row["id"], row["prompt"], said, data, {"right": 1.0}))
    path = write_instances(tmp_path, asked)
    again, wanted = (score_folder(folder, quiet=True) for folder in (tmp_path, own))
    assert again.score["headline"] == wanted.score["headline"]
    assert again.score["families"] == wanted.score["families"]
    assert not again.problems.lost
    path.write_text(path.read_text("utf-8").partition("\n")[2], "utf-8")
    assert score_folder(tmp_path, quiet=True).there == (len(asked) - 1, len(asked))


def sums() -> Iterator[Asked]:
    """A benchmark of others in three languages: the model loses 3 of 20 in sw, none in de."""
    for number in range(20):
        for code in ("en", "de", "sw"):
            right = not (code == "sw" and number < 12) and number != 19
            yield Asked(
                f"sums-{number}-{code}",
                f"{code}: {number} + 1?",
                str(number + right),
                {"topic": "sums"},
                {"right": float(right)},
                str(number + 1),
            )


def with_language(asked: Asked) -> Asked:
    code = asked.name.rpartition("-")[2]
    data = asked.data | {"tongue": code, "number": asked.name.split("-")[1]}
    return Asked(asked.name, asked.prompt, asked.response, data, asked.measures, asked.target)


@pytest.mark.parametrize("write", [write_traces, write_instances])
@pytest.mark.parametrize("told", [False, True], ids=["by id", "by a field"])
def test_languages_of_any_benchmark_are_found_and_paired(
    write: object, told: bool, tmp_path: Path
) -> None:
    assert callable(write)
    write(tmp_path, (with_language(one) if told else one for one in sums()))
    found = compare_languages(tmp_path, ["*"])
    assert {gap.other: (gap.discordant[0], gap.discordant[1]) for gap in found.gaps} == {
        "de": (0, 0),
        "sw": (12, 0),
    }
    assert all(gap.n == 20 for gap in found.gaps)
    field = "tongue" if told else "id"
    assert any(f"the language is the field {field!r}" in note for note in found.notes)
    if told:
        given = compare_languages(
            tmp_path, ["*"], Options(language_by="tongue", pair_by=("number",))
        )
        assert given.benchmarks[0].about["paired_by"] == "number"
        assert [gap.p_value for gap in given.gaps] == [gap.p_value for gap in found.gaps]
        with pytest.raises(ValueError, match="names fewer than two languages"):
            compare_languages(tmp_path, ["*"], Options(language_by="topic"))


def test_a_broken_line_of_a_log_of_several_languages_is_told_once(tmp_path: Path) -> None:
    path = write_traces(tmp_path, sums())
    path.write_text(path.read_text("utf-8") + "[]\n", "utf-8")
    found = compare_languages(tmp_path, ["*"])
    assert [str(one) for one in found.problems.items if one.lost] == [
        f"{path}:61: not a JSON object; left out"
    ]
    assert {gap.n for gap in found.gaps} == {20}


def test_a_field_that_names_each_question_names_no_languages(tmp_path: Path) -> None:
    asked = (Asked(str(n), "?", "1", {"topic": f"x{n}"}, {"r": 1.0}) for n in range(201))
    write_traces(tmp_path, asked)
    with pytest.raises(ValueError, match="'topic' names more than 200 languages"):
        compare_languages(tmp_path, ["*"], Options(language_by="topic"))


def test_a_log_without_languages_is_one_line(tmp_path: Path) -> None:
    write_traces(tmp_path, (Asked(str(n), "?", "1", {"topic": "x"}, {"r": 1.0}) for n in range(3)))
    with pytest.raises(ValueError, match="no field of the questions names their language"):
        compare_languages(tmp_path, ["*"])
    with pytest.raises(ValueError, match=r"tasks outside xlgo.*add --parallel"):
        score_folder(tmp_path, quiet=True)


@pytest.mark.parametrize(
    "spoil",
    [
        b"{",
        b'{"task": 3, "traces": [3]}\n',
        *(pytest.param(line, marks=pytest.mark.slow) for line in (b"[]\n", b"\xff\n")),
    ],
)
def test_spoiled_traces_cost_their_line(tmp_path: Path, spoil: bytes) -> None:
    asked = [
        Asked(row["id"], row["prompt"], said, {"reference": row["reference"]})
        for row, said in questions()
    ]
    path = write_traces(tmp_path, asked)
    path.write_bytes(path.read_bytes() + spoil)
    assert score_folder(tmp_path, quiet=True).count == len(asked)


LOSES = {"strong": {"sw": 1}, "middle": {"sw": 9}, "weak": {"sw": 15, "de": 4}}
"""Of 20 questions, how many each model loses in a language."""


def sums_of(model: str) -> Iterator[Asked]:
    for number in range(20):
        for code in ("en", "de", "sw"):
            right = number >= LOSES[model].get(code, 0)
            yield with_language(
                Asked(
                    f"sums-{number}-{code}",
                    f"{code}: {number} + 1?",
                    str(number + right),
                    {},
                    {"right": float(right)},
                    str(number + 1),
                )
            )


@pytest.mark.parametrize(
    "write", [write_traces, pytest.param(write_instances, marks=pytest.mark.slow)]
)
def test_models_are_compared_and_ranked_on_any_benchmark(
    write: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(write(tmp_path / name, sums_of(name), model=name).parent) for name in LOSES]
    out = str(tmp_path / "out.html")
    given = ["--parallel", "--language-by", "tongue", "--pair-by", "number"]
    assert main(["compare", *folders[:2], "--out", out, "--json", *given]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {
        pair["where"]["language"]: (pair["n"], *pair["discordant"], pair["p_value"])
        for pair in found["pairs"]
    } == {"en": (20, 0, 0, 1.0), "de": (20, 0, 0, 1.0), "sw": (20, 8, 0, 2 / 2**8)}
    assert "middle" in Path(out).read_text("utf-8")
    assert "three readings" not in Path(out).read_text("utf-8")  # the tool has read them
    assert main(["compare", *folders[:2], "--out", out, "--json", "--parallel"]) == 0
    itself = capsys.readouterr()
    assert [pair["p_value"] for pair in json.loads(itself.out)["pairs"]] == [
        pair["p_value"] for pair in found["pairs"]
    ]
    assert "the language is the field 'tongue' (--language-by)" in itself.err
    site = str(tmp_path / "site")
    assert main(["leaderboard", *folders, "--out", site, "--json", *given]) == 0
    board = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in board["models"]] == ["strong", "middle", "weak"]
    assert [one["accuracy"] for one in board["models"]] == [59 / 60, 51 / 60, 41 / 60]
    assert "Three readings" not in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert main(["compare", *folders[:2], "--language-by", "tongue"]) == 2
    assert "needs --parallel PATTERN" in capsys.readouterr().err


def test_an_answer_that_is_missing_in_a_foreign_log_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = [
        replace(one, response=None) if one.name == "sums-3-sw" else one for one in sums_of("weak")
    ]
    folders = [
        write_traces(tmp_path / name, asked, model=name).parent
        for name, asked in {"weak": some, "strong": sums_of("strong")}.items()
    ]
    command = ["compare", *map(str, folders), "--out", str(tmp_path / "out.html"), "--parallel"]
    assert main(command) == 2
    assert "are missing in" in capsys.readouterr().err
    assert main([*command, "--common"]) == 1
    told = capsys.readouterr().err
    assert "59 of 60 answers" in told
    missing = "1 of the 20 questions of xlgo in en are missing in xlgo in sw (document sums-3-en)"
    assert missing in told
    assert main([*command, "--common", "--partial"]) == 0


@pytest.mark.parametrize(("finish", "kept"), [("length", "length"), ("", "stop")])
def test_an_instance_that_was_cut_off_stays_so(finish: str, kept: str) -> None:
    row = {"output": {"raw": ["4"]}, "metadata": {"finish": finish}}
    assert every_eval_ever.line(row)["answers"][0]["finish"] == kept
