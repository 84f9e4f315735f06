"""Every edit of a results folder that moves a number is reported, but those that are named."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.results import find_run
from xlgo_cli.verification.command import verified
from xlgo_cli.verification.questions import Remade
from xlgo_lm_eval.manifest import FILE

from .edits import UNSEEN, all_edits, results, rewrite_json, samples

EDITS = dict(all_edits())
ENDS = ", manifest taken away"


def numbers(folder: Path) -> Any:
    """All numbers that a reader may take out of a folder."""
    try:
        scored = score_folder(folder, quiet=True)
    except ValueError as error:
        return str(error)
    found = [scored.score["families"], scored.run.model]
    found += [json.loads(p.read_text()).get("results") for p in folder.glob("*/results_*.json")]
    return json.loads(json.dumps(found))


def test_the_runs_themselves_are_reproduced(
    runs: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two", "other"):
        assert main(["verify", str(runs / name)]) == 0
        assert f"{name}: reproduced" in capsys.readouterr().out
    (copy / FILE).unlink()
    assert main(["verify", str(copy), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["answers"], found["manifest"]) == ("reproduced", 16, False)


def test_there_are_enough_edits() -> None:
    assert len(EDITS) >= 250


QUICK = [name for number, name in enumerate(EDITS) if number % 26 == 0]


@pytest.mark.parametrize(
    "chosen", [QUICK, pytest.param(list(EDITS), marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_edits_that_move_a_number_are_reported(
    chosen: list[str], runs: Path, tmp_path: Path
) -> None:
    before, remade = numbers(runs / "one"), Remade()
    reported, passed = 0, []
    for name in chosen:
        folder = Path(shutil.copytree(runs / "one", tmp_path / "edited"))
        EDITS[name](folder, runs)
        if status(folder, remade) != "reproduced":
            reported += 1
        elif numbers(folder) != before:
            passed.append(name)
        shutil.rmtree(folder)
    print(f"{reported} of {len(chosen)} edits are reported; numbers moved unseen: {passed}")
    assert {name.removesuffix(ENDS) for name in passed} <= UNSEEN
    assert all(name.endswith(ENDS) for name in passed)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("scores: acc,none", "acc,none is 0.123 and 0"),
        ("scores: acc_stderr,none", "acc_stderr,none is 0.123 and 0"),
        ("scores: smd", "smd_te,none is '+99' and '"),
        ("scores: acc of a line", "acc is "),
    ],
)
def test_a_number_that_was_changed_is_named_with_the_one_made_again(
    edit: str, said: str, runs: Path, copy: Path
) -> None:
    EDITS[edit](copy, runs)
    told = [problem.message for problem in verified(copy, Remade()).differs.items]
    assert [one for one in told if said in one and one.endswith("again")] != []


@pytest.mark.parametrize("edit", ["hint after, one", "a word, all", "another, one"])
def test_a_prompt_that_was_changed_is_reported_without_a_manifest(
    edit: str, runs: Path, copy: Path
) -> None:
    EDITS[f"prompts: {edit}{ENDS}"](copy, runs)
    assert status(copy, Remade()) == "differs"


def test_a_repeated_question_is_named(runs: Path, copy: Path) -> None:
    EDITS[f"duplicates: first{ENDS}"](copy, runs)
    told = [problem.message for problem in verified(copy, Remade()).differs.items]
    assert "the question is repeated" in told


def status(folder: Path, remade: Remade) -> str:
    try:
        return verified(folder, remade).status
    except ValueError:  # nothing is left to be read, which is told
        return "refused"


def test_a_board_ranks_no_edited_run(
    runs: Path, copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third = Path(shutil.copytree(runs / "two", tmp_path / "third"))
    rewrite_json(results(third), lambda data: data.update(model_name="third"))
    for name in ("golds: another, all", "ids: complexity negative, one"):
        edited = Path(shutil.copytree(copy, tmp_path / "edited"))
        EDITS[name](edited, runs)
        (edited / FILE).unlink()
        (third / FILE).unlink(missing_ok=True)
        out = ["--out", str(tmp_path / "board"), "--json"]
        assert main(["leaderboard", str(edited), str(runs / "two"), str(third), *out]) == 1, name
        said = capsys.readouterr()
        assert "not ranked:" in said.err
        assert "not reproduced" in said.err
        models = json.loads(said.out)["models"]
        assert [model["questions"] for model in models] == ["reproduced"] * 2
        shutil.rmtree(edited)


def test_data_of_another_version_is_unproved(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from .edits import each, reference

    (copy / FILE).unlink()
    each(reference(data=99))(copy, copy)
    shutil.rmtree(copy / "report")
    assert main(["verify", str(copy)]) == 3
    assert "made with version 99 of the data" in capsys.readouterr().out


def test_wordings_of_one_name_in_two_folders_have_prompts_of_their_own() -> None:
    """Their references are alike, for these have the name alone."""
    remade, texts = Remade(), {"one/wording.toml": "A room.", "two/wording.toml": "A hall."}
    shas = [remade.prompt_sha({"text": name}, "0", {"prompt": texts[name]}) for name in texts]
    assert shas == [hashlib.sha256(text.encode()).hexdigest() for text in texts.values()]


def test_what_the_page_says_is_in_the_way(copy: Path) -> None:
    """A file of samples alone is checked as well as its results allow."""
    assert verified(samples(copy), Remade()).status == "reproduced"
    assert find_run(samples(copy)).whole is False


def test_the_seed_of_a_challenge_is_no_other() -> None:
    from xlgo_cli.verification.challenge import challenge_problem, seed_of

    nonce = "7 13 22"
    asked = {"xlgo_challenge": nonce, "xlgo_seed": seed_of(nonce)}
    assert challenge_problem(asked) is None
    assert challenge_problem({}) is None
    for seed in (seed_of(nonce) + 1, 0, None):
        said = challenge_problem(asked | {"xlgo_seed": seed})
        assert said == f"the seed is {seed!r}; the challenge gives {seed_of(nonce)}"
    assert challenge_problem(asked | {"xlgo_challenge": " "}) == "the challenge is ' '"


def test_a_challenge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from xlgo_cli.verification.challenge import seed_of
    from xlgo_dataset.core.rng import Stream

    from .conftest import ASKED, SIZE

    nonce = "drawn on 1 May: 7 13 22 40 41 49"
    assert seed_of(nonce) == int(Stream("challenge", nonce).words(1)[0]) >> 15
    assert seed_of(nonce) != seed_of(nonce + " ")
    folder = tmp_path / "run"
    given = ["run", "--model", "xlgo-sim", *ASKED, *SIZE, "--quiet", "--output_path", str(folder)]
    assert main([*given, "--challenge", nonce]) == 0
    reference = json.loads(
        json.loads(samples(folder).read_text().splitlines()[0])["doc"]["reference"]
    )
    assert reference["seed"] == seed_of(nonce)
    capsys.readouterr()
    assert main(["verify", str(folder), "--challenge", nonce]) == 0
    assert f"the challenge '{nonce}'" in capsys.readouterr().out
    assert main(["verify", str(folder), "--challenge", "another"]) == 1
    for wrong, said in (
        (["--challenge", " "], "give the text"),
        (["--challenge", "a", "--xlgo-seed", "1"], "leave out --xlgo-seed"),
        (["--challenge", "a"], "loaded, not generated"),
    ):
        about = given if "--challenge" not in said and "loaded" not in said else [
            "run", "--model", "xlgo-sim", "--tasks", "polymath_en"
        ]  # fmt: skip
        assert main([*about, *wrong]) == 2
        assert said in capsys.readouterr().err
