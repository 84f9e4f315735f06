"""Every edit of a results folder that moves a number is reported, but pasted answers."""

import json
import re
import shutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.export.verify import verified
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.questions import read_design, seed_of
from xlgo_dataset.core.rng import Stream

from .edits import EDITS, PASTED, answer, each, reference, results, rewrite_json, right, samples

ASKED = ["--tasks", "xlgo_dsa,xlgo_slt", "--languages", "en,te", "--preset", "smoke"]
SIZE = ["--levels", "2", "--per-level", "2"]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders ``one``, ``two`` (another model) and ``other`` (another seed of the puzzles)."""
    top = tmp_path_factory.mktemp("runs")
    for name, more in (
        ("one", []),
        ("two", ["--model_args", "profile=demo,seed=5,model=second"]),
        ("other", ["--xlgo-seed", "7"]),
    ):
        given = ["--model", "xlgo-sim", *ASKED, *SIZE, *more, "--output_path", str(top / name)]
        assert main(["run", *given, "--quiet"]) == 0
    return top


@pytest.fixture
def copy(runs: Path, tmp_path: Path) -> Path:
    """A copy of ``one`` to be edited."""
    return Path(shutil.copytree(runs / "one", tmp_path / "copy"))


@pytest.fixture(scope="session")
def design(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``runs`` asks, in a file of the host."""
    path = tmp_path_factory.mktemp("design") / "design.json"
    words = ["--tasks", "dsa,slt", "--languages", "en,te", "--preset", "smoke"]
    assert main(["plan", "--save", str(path), *words, "--metadata", "levels=2", "per_level=2"]) == 0
    return path


def numbers(folder: Path, design: Path) -> Any:
    """The numbers that a host reads out of a folder."""
    try:
        scored = score_folder(folder, quiet=True, partial=True, required=read_design(design))
    except ValueError as error:
        return str(error)
    return json.loads(json.dumps([scored.score["families"], scored.run.model]))


def test_the_runs_themselves_are_proved(
    runs: Path, design: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        assert main(["verify", str(runs / name), "--require", str(design)]) == 0
        assert f"{name}: proved" in capsys.readouterr().out
    assert main(["verify", str(runs / "other"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["answers"], said["asked"]) == ("regenerated", 16, 16)


QUICK = [name for number, name in enumerate(EDITS) if number % 60 == 0]


@pytest.mark.parametrize(
    "chosen", [QUICK, pytest.param(list(EDITS), marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_edits_that_move_a_number_are_reported(
    chosen: list[str], runs: Path, design: Path, tmp_path: Path
) -> None:
    assert len(EDITS) >= 200
    before, passed = numbers(runs / "one", design), []
    for name in chosen:
        folder = Path(shutil.copytree(runs / "one", tmp_path / "edited"))
        EDITS[name](folder, runs)
        if status(folder, design) == "proved" and numbers(folder, design) != before:
            passed.append(name)
        shutil.rmtree(folder)
    assert [name for name in passed if not name.startswith(PASTED)] == []


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("duplicates: first", "the question is repeated"),
        ("duplicates: renamed instance", "the question is none of the design"),
        ("prompts: another, one", "the request does not hold the prompt of the question"),
        ("golds: another, one", "answer of the reference: not the question's"),
    ],
)
def test_what_was_edited_is_named(edit: str, message: str, runs: Path, copy: Path) -> None:
    EDITS[f"{edit}, no report"](copy, runs)
    messages = [problem.message for problem in verified(copy).differs.items]
    assert [told for told in messages if re.match(message, told)], messages


def test_a_file_that_was_removed_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The harness's own description of the run may be gone with it."""
    gone = [samples(copy), results(copy)]
    for path in gone:
        path.unlink()
    assert main(["score", str(copy)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert [f"{path.relative_to(copy)} is missing" in told for path in gone] == [True, True]
    assert "did not end" not in told


def test_parts_of_a_run_that_did_not_end_are_named(copy: Path) -> None:
    (path,) = copy.glob("*.ndjson")
    parts = '{"kind": "planned", "parts": {"x": ["xlgo_t_rank", "xlgo_prdsa"], "y": ["xlgo_slt"], '
    path.write_text(path.read_text("utf-8").replace('{"kind": "planned", "parts": {', parts))
    [told] = [str(problem) for problem in score_folder(copy, quiet=True).problems.items]
    words = "2 of 3 parts of the run did not end: xlgo_t_rank, xlgo_prdsa; xlgo_slt (the command"
    assert f"{copy}: {words}" in told


def test_a_failed_request_is_an_answer_that_the_required_design_lacks(
    copy: Path, design: Path
) -> None:
    each(lambda line: line.update(answers=[{"state": "missing", "error": "HTTP 500"}]), 3)(
        copy, copy
    )
    shutil.rmtree(copy / "report")
    proof = verified(copy, read_design(design))
    assert (proof.expected, proof.missing.total()) == (16, 3)


def status(folder: Path, design: Path) -> str:
    try:
        return verified(folder, read_design(design)).status
    except ValueError:  # nothing is left to be read, which is told
        return "refused"


OTHER_DATA = each(partial(reference, data=99, answer={"state": "A1111"}))
FORGED = {
    "swapped golds": EDITS["golds: another, all"],
    "trivial golds": EDITS["golds: as answered, all"],
    "dropped wrong rows": EDITS["counts: wrong ones gone"],
    "doubled right rows": EDITS["duplicates: better before"],
    "edited prompts": EDITS["prompts: hint after, one"],
    "other complexities": EDITS["ids: complexity, one"],
    "another seed": EDITS["seeds: another, all"],
    "fewer levels in the design": EDITS["options: fewer levels"],
    "another version of the data": OTHER_DATA,
    "answers to another seed": EDITS["mixture: half of dsa of other"],
    "a second answer": each(lambda line: answer(line, line["resps"][0][0], right(line))),
}


def renamed(folder: Path, runs: Path, name: str, of: str = "one") -> str:
    """A copy of a run under another model's name."""
    shutil.copytree(runs / of, folder)
    rewrite_json(results(folder), lambda data: data.update(model_name=name))
    return str(folder)


def test_a_board_ranks_no_forged_run(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its own design, as with the host's: see the next test."""
    forged = [tmp_path / name.replace(" ", "_") for name in FORGED]
    for (name, edit), folder in zip(FORGED.items(), forged):
        renamed(folder, runs, name)
        edit(folder, runs)
        shutil.rmtree(folder / "report", ignore_errors=True)
    honest = [str(runs / "two"), renamed(tmp_path / "third", runs, "third", "two")]
    out = ["--out", str(tmp_path / "board"), "--json"]
    assert main(["leaderboard", *map(str, forged), *honest, *out]) == 1
    said = capsys.readouterr()
    refused = str([line for line in said.err.splitlines() if "not ranked:" in line])
    assert [folder for folder in forged if str(folder) not in refused] == []
    models = [(model["name"], model["questions"]) for model in json.loads(said.out)["models"]]
    assert models == [("second", "regenerated"), ("third", "regenerated")]


def test_a_whole_other_design_is_ranked_by_no_host_who_requires_his(
    runs: Path, design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that agrees with itself: only the host's design tells."""
    third = renamed(tmp_path / "third", runs, "third", "two")
    out = ["--out", str(tmp_path / "board"), "--json", "--require", str(design)]
    assert main(["leaderboard", str(runs / "other"), str(runs / "two"), third, *out]) == 1
    said = capsys.readouterr()
    assert "other" in said.err
    assert [model["questions"] for model in json.loads(said.out)["models"]] == ["proved"] * 2


def test_golds_come_from_the_question_and_not_from_the_folder(copy: Path) -> None:
    """The score of a folder with forged golds is that of its answers, and the exit code 1."""
    honest = score_folder(copy, quiet=True).score["families"]
    EDITS["golds: as answered, all"](copy, copy)
    assert score_folder(copy, quiet=True).score["families"] == honest
    assert main(["score", str(copy)]) == 1


def test_a_file_of_samples_alone_is_graded_against_generated_golds(
    copy: Path, tmp_path: Path
) -> None:
    """Nothing says which design it is: each puzzle follows from its own size, seed and index."""
    alone = Path(shutil.copy(samples(copy), tmp_path / "answers.jsonl"))
    proof = score_folder(alone, quiet=True).proof
    assert (proof.status, proof.answers) == ("regenerated", 8)
    EDITS["golds: another, one"](copy, copy)
    alone = Path(shutil.copy(samples(copy), tmp_path / "forged.jsonl"))
    assert score_folder(alone, quiet=True).proof.status == "differs"


def test_data_of_another_version_is_graded_as_logged(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    OTHER_DATA(copy, copy)
    shutil.rmtree(copy / "report")
    assert main(["verify", str(copy)]) == 3
    assert "made with version 99 of the data" in capsys.readouterr().out


@pytest.mark.parametrize(
    "new",
    [
        {"per_level": 1_000_000},
        {"c_max": 100_000, "levels": 1000, "per_level": 500},
        {"complexities": 100_000, "per_level": 100_000},
    ],
)
def test_an_absurd_design_is_refused_at_once(
    new: dict[str, int], copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, words = tmp_path / "d.json", [f"{name}={value}" for name, value in new.items()]

    def absurd(data: dict[str, Any]) -> None:
        metadata = data["configs"]["xlgo_dsa"]["metadata"]
        del metadata["levels"], metadata["preset"]
        metadata.update(new)

    rewrite_json(results(copy), absurd)
    start = time.process_time()
    for command in (["plan", "--save", str(path), "--tasks", "dsa", "--metadata", *words],
                    ["verify", str(copy)]):  # fmt: skip
        assert main(command) == 2
        assert "too large to be generated again" in capsys.readouterr().err
    assert not path.exists()
    assert time.process_time() - start < 1


def test_a_design_of_another_kind_is_refused(
    design: Path, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.loads(design.read_text("utf-8"))
    for change, said in (
        ({"kind": "export"}, "not a design"),
        ({"tasks": {}}, "it has no task"),
        ({"tasks": []}, "not a design"),
        ({"tasks": {"nothing": {}}}, "unknown task"),
        ({"versions": {"xlgo": "9", "data": {"dsa": 9, "slt": 9}}}, "use xlgo 9"),
    ):
        path = tmp_path / "bad.json"
        path.write_text(json.dumps(good | change), "utf-8")
        assert main(["verify", str(runs / "one"), "--require", str(path)]) == 2
        assert said in capsys.readouterr().err


def test_a_challenge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nonce = "drawn on 1 May: 7 13 22 40 41 49"
    assert seed_of(nonce) == int(Stream("challenge", nonce).words(1)[0]) >> 15
    assert seed_of(nonce) != seed_of(nonce + " ")
    folder, design = tmp_path / "run", str(tmp_path / "d.json")
    given = ["run", "--model", "xlgo-sim", *ASKED, *SIZE, "--quiet", "--output_path", str(folder)]
    assert main([*given, "--challenge", nonce]) == 0
    first = json.loads(samples(folder).read_text().splitlines()[0])
    assert json.loads(first["doc"]["reference"])["seed"] == seed_of(nonce)
    capsys.readouterr()
    assert main(["verify", str(folder)]) == 0
    assert f"the challenge '{nonce}'" in capsys.readouterr().out
    plan = ["plan", "--save", design, "--tasks", "slt,dsa", "--languages", "en,te"]
    options = ["--metadata", "preset=smoke", "levels=2", "per_level=2"]
    for text, code in ((nonce, 0), ("another", 2)):  # what a host requires
        assert main([*plan, "--challenge", text, *options]) == 0
        assert main(["verify", str(folder), "--require", design]) == code
    loaded = ["run", "--model", "xlgo-sim", "--tasks", "polymath_en"]
    for command, said in (
        ([*given, "--challenge", " "], "give the text"),
        ([*given, "--challenge", "a", "--xlgo-seed", "1"], "leave out --xlgo-seed"),
        ([*loaded, "--challenge", "a"], "loaded, not generated"),
    ):
        assert main(command) == 2
        assert said in capsys.readouterr().err


def test_a_number_or_signature_changed_in_the_scores_alone_is_told(copy: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        (family,) = data["families"].values()
        next(iter(family["tasks"].values()))["languages"]["te"]["accuracy"] = 0.123

    assert main(["verify", str(copy)]) == 0
    path = copy / "report" / "scores.json"
    true = path.read_text("utf-8")
    for edit in (change, lambda data: data.update(signature=data["signature"] + "0")):
        path.write_text(true, "utf-8")
        rewrite_json(path, edit)
        assert [problem.where for problem in verified(copy).differs.items] == [str(path)]
        assert main(["verify", str(copy)]) == 1
