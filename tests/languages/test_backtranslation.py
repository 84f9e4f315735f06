"""The back-translation check of XLGoBench, appendix A.3."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import build_parser
from xlgo_cli.language.backtranslation import delta, overlaps, scaffold
from xlgo_dataset.text.languages import load_language
from xlgo_metric.families.xlgobench.comparison import FEWEST_OF_A_LEVEL

FILLED = """
[t_rank]
header = "Tournament results:"
match = "Player {winner} defeated Player {loser}."
question = "Question: Based on the results given above, rank all players from strong to weak."
count = "There are {n} players in total. Your final ranking must include all of them."
"""


def run(*words: str) -> int:
    args = build_parser("audit").parse_args(["audit", *words])
    return int(args.func(args))


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "te_t_rank.toml"
    path.write_text(FILLED, "utf-8")
    return path


def test_the_file_shows_the_language_and_hides_the_english(tmp_path: Path) -> None:
    path = tmp_path / "te_slt.toml"
    assert run("backtranslation", "te", "--task", "slt", "--out", str(path)) == 0
    text = path.read_text("utf-8")
    for key, string in load_language("te").tasks["slt"].items():
        assert f'# {string.text}\n{key} = ""\n' in text
        assert load_language("en").tasks["slt"][key].text not in text
    with pytest.raises(ValueError, match="exists"):
        run("backtranslation", "te", "--task", "slt", "--out", str(path))
    with pytest.raises(ValueError, match=r"slt\.intro: it is empty"):
        run("overlap", str(path))


def test_scaffold_refuses_english_and_unknown_tasks() -> None:
    with pytest.raises(ValueError, match="give another language"):
        scaffold(load_language("en"), "slt")
    with pytest.raises(ValueError, match="unknown task 'sudoku': allowed are slt"):
        scaffold(load_language("te"), "sudoku")


def test_english_is_rendered_with_the_back_translation(filled: Path) -> None:
    instance = xd.generate("t_rank", complexity=12)
    prompt = xd.render(instance, "en", str(filled))
    assert prompt.startswith("Tournament results:\n1. Player ")
    assert "There are 5 players in total" not in prompt
    assert xd.read("t_rank", prompt, "en", str(filled)) == instance
    assert prompt != xd.render(instance, "en")


def test_overlap_by_hand(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shares = {share.name: share.share for share in overlaps(filled)}
    assert shares["t_rank.header"] == 1 / 2  # "results" of two words
    assert shares["t_rank.match"] == 1
    # 12 of 14 words: strongest and weakest are strong and weak here.
    assert shares["t_rank.question"] == pytest.approx(12 / 14)
    assert shares["t_rank.count"] == pytest.approx(14 / 15)  # without "exactly"
    assert shares["all"] == pytest.approx((1 + 5 + 12 + 14) / (2 + 5 + 14 + 15))
    assert run("overlap", str(filled)) == 0
    assert capsys.readouterr().out.split()[-2:] == ["all", "88.9%"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{loser}", "the loser", r"t_rank\.match: the placeholder \{loser\} is missing"),
        ("header =", "heading =", r"t_rank\.heading: there is no such string"),
        ("header =", "heading =", r"t_rank\.header: it is missing"),
        ("[t_rank]", "[rank]", r"\[rank\]: there is no such task"),
        ("[t_rank]", "[t_rank", "not valid TOML"),
    ],
)
def test_a_wrong_back_translation_is_refused(
    filled: Path, old: str, new: str, message: str
) -> None:
    filled.write_text(FILLED.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=message):
        overlaps(filled)


def score(c_star: float | None, **counts: list[tuple[int, int, int]]) -> dict[str, Any]:
    """A score with (complexity, correct, n) of each language."""
    languages = {
        code: {
            "c_star": c_star,
            "levels": [{"complexity": c, "correct": k, "n": n} for c, k, n in levels],
        }
        for code, levels in counts.items()
    }
    return {"families": {"xlgobench": {"tasks": {"slt": {"languages": languages}}}}}


ENGLISH = [(100, 50, 50), (200, 40, 50), (300, 10, 50), (400, 0, 50)]
ORIGINAL = score(225.0, en=ENGLISH, te=ENGLISH)


def test_delta_by_hand() -> None:
    back = score(None, en=[(200, 36, 50), (300, 11, 50)])

    def term(k: int, n: int, k_back: int) -> Fraction:
        variance = Fraction((k + 1) * (n - k + 1), (n + 2) ** 2 * (n + 3))
        return (Fraction(k_back, n) - Fraction(k, n)) ** 2 / variance

    # c* = 225 lies a quarter of the way from 200 to 300.
    expected = Fraction(75, 100) * term(40, 50, 36) + Fraction(25, 100) * term(10, 50, 11)
    assert delta(ORIGINAL, back, "slt", "te") == pytest.approx(float(expected))


def test_delta_at_the_ends_of_the_levels() -> None:
    first = score(100.0, en=ENGLISH, te=ENGLISH)
    last = score(400.0, en=ENGLISH, te=ENGLISH)
    back = score(None, en=[(100, 49, 50), (200, 40, 50), (300, 10, 50), (400, 1, 50)])
    variance = Fraction(51 * 1, 52**2 * 53)
    expected = float(Fraction(1, 50) ** 2 / variance)
    assert delta(first, back, "slt", "te") == pytest.approx(expected)
    assert delta(last, back, "slt", "te") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("original", "back", "message"),
    [
        (score(225.0, te=ENGLISH), ORIGINAL, "the original score has no results of slt in en"),
        (score(None, en=ENGLISH, te=ENGLISH), ORIGINAL, r"no c\*"),
        (ORIGINAL, score(None, en=[(200, 1, 2), (400, 1, 2)]), "lacks complexity 300"),
        (ORIGINAL, score(None, en=[(200, 1, 2)]), "1 levels of slt in en, two are needed"),
        (ORIGINAL, {"families": {}}, "the new score has no results of slt in en"),
    ],
)
def test_delta_says_what_is_lacking(
    original: dict[str, Any], back: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        delta(original, back, "slt", "te")


def test_delta_from_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Responses as the harness logs them: half as many are right in Telugu as in English."""
    lines = []
    for code, counts in (("en", (30, 24, 8, 0)), ("te", (30, 12, 4, 0))):
        for level, right in enumerate(counts):
            for index in range(FEWEST_OF_A_LEVEL):
                reference = {
                    "family": "xlgobench", "task": "dsa", "language": code, "level": level,
                    "instance_id": f"dsa-{level}-{index}", "complexity": 10 * (level + 1),
                    "index": index, "answer": {"state": "E2679"},
                }  # fmt: skip
                answer = "Room E2679" if index < right else "Room A5506"
                doc = {"reference": json.dumps(reference)}
                lines.append({"doc": doc, "resps": [[json.dumps({"state": answer})]]})
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "samples_xlgo_dsa_2026-03-31T00-00-00.000000.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines))
    words = ("delta", "te", "--task", "dsa", "--original", str(tmp_path / "one"))
    assert run(*words, "--back", str(tmp_path / "two")) == 0
    assert "delta = 0.000 for dsa in te" in capsys.readouterr().out
    with pytest.raises(ValueError, match="no such file"):
        run(*words, "--back", str(tmp_path / "three"))
