"""Responses read again: a filter's part of a gap is found, with its size."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from xlgo_cli import cli
from xlgo_cli.parallel.again import kind_of, verdict
from xlgo_cli.parallel.comparing import Options, compare_languages

BENGALI = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
N, MISSED = 250, 0.3


def answers(seed: int = 0) -> list[dict[str, Any]]:
    """A log whose filter looks for the digits 0 to 9; a third of Bengali answers has others."""
    draw = np.random.default_rng(seed)
    rows = []
    for number in range(N):
        gold = int(draw.integers(10, 99))
        for code, accuracy in (("en", 0.9), ("bn", 0.8), ("de", 0.85)):
            said = str(gold + (draw.random() > accuracy))
            is_missed = code == "bn" and draw.random() < MISSED
            rows.append({
                "id": number, "language": code, "gold": gold,
                "response": f"\\boxed{{{said.translate(BENGALI) if is_missed else said}}}",
                "correct": int(said == str(gold) and not is_missed),
            })  # fmt: skip
    return rows


def test_the_part_of_a_filter_is_told_at_the_gap(tmp_path: Path, capsys: Any) -> None:
    rows = answers()
    path = tmp_path / "answers.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    missed = sum(
        f"\\boxed{{{str(row['gold']).translate(BENGALI)}}}" == row["response"] for row in rows
    )
    compared = compare_languages(path, ["*"], Options(read="number"))
    bengali, german = sorted(compared.benchmarks[0].parts, key=lambda cell: cell.language)
    assert bengali.difference == pytest.approx(missed / N, abs=1e-12)
    assert (german.difference, german.is_significant) == (0, False)
    gaps = {cell.other: cell.difference for cell in compared.gaps}
    assert gaps["bn"] == pytest.approx(bengali.accuracy)
    assert cli.main(["report", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    wrong = sum(not row["correct"] for row in rows if row["language"] == "bn")
    assert f"it calls correct {missed} of {wrong} in Bengali" in said
    assert f"xlgo report {path} --read number" in said
    assert said.index("misses") < said.index("behind English")
    assert cli.main(["report", str(path), "--read", "number"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "misses" not in said
    part = f"+{100 * missed / N:.1f} of it is the log's filter"
    assert part in said
    assert part in (tmp_path / "report" / "report.html").read_text("utf-8").replace("&#39;", "'")
    table = (tmp_path / "report" / "tables.md").read_text("utf-8")
    assert "how much of each gap is the log's filter" in table


@pytest.mark.parametrize(
    ("doc", "target", "response", "kind", "right"),
    [
        ({}, "18", "The answer is 18.", "number", True),
        ({}, "#### 1,800", "\\boxed{1800}", "number", True),
        ({}, "B", "The answer is (B).", "choice", True),
        ({"choices": ["cat", "dog"]}, "1", "The answer is (B).", "choice", True),
        ({"choices": ["cat", "dog"]}, "dog", "The answer is (B).", "choice", True),
        ({"option_a": "cat", "option_b": "dog"}, "A", "The answer is (B).", "choice", False),
        ({"choices": '{"A": "cat", "B": "dog"}'}, "A", "**A**", "choice", True),
        ({}, "blue", "The answer is blue.", "choice", None),
        ({"choices": ["cat", "dog"]}, "7", "The answer is (B).", "choice", None),
    ],
)
def test_what_gold_and_options_say(
    doc: dict[str, Any], target: str, response: str, kind: str, right: bool | None
) -> None:
    line = {"doc": doc, "target": target}
    assert verdict(line, response, kind, "en") is right
    assert right is None or kind_of(line) == kind or target.startswith("####")


def test_the_language_of_answers_and_reasoning(tmp_path: Path, capsys: Any) -> None:
    own = "Pedro va todos los domingos en bicicleta por el canal a casa de su vieja tía y toman té."
    english = "Every Sunday Piet cycles along the canal to his old aunt, and they drink some tea."
    said = {"en": ("", english), "es": (english, own), "de": (english, own)}
    rows = [
        {"id": n, "language": code, "correct": int(n % 4 > 0),
         "response": f"<think>{thought}</think>{answer if n else '7'}"}
        for code, (thought, answer) in said.items() for n in range(20)
    ]  # fmt: skip
    table = tmp_path / "answers.jsonl"
    pd.DataFrame(rows).to_json(table, orient="records", lines=True)
    assert cli.main(["report", str(table), "--written", "--quiet"]) == 0
    capsys.readouterr()
    (found,) = (tmp_path / "report" / "tables").glob("*written_in.csv")
    rows = pd.read_csv(found).set_index(["Language", "Text"])
    shares = rows[["in the language", "in English", "in another", "too short"]]
    assert shares.loc["en", "answer"].tolist() == [0.95, 0, 0, 0.05]
    assert shares.loc["es", "answer"].tolist() == [0.95, 0, 0, 0.05]
    assert shares.loc["de", "answer"].tolist() == [0, 0, 0.95, 0.05]
    assert shares.loc["es", "reasoning"].tolist() == [0, 1, 0, 0]
    assert ("en", "reasoning") not in shares.index
    assert rows.loc[("es", "reasoning"), "Accuracy in English"] == pytest.approx(0.75)


def test_scores_of_tables_are_correlated(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"id": n, "language": code, "model": model, "correct": int(n < right)}
        for model, of in {"a": (9, 5), "b": (7, 6), "c": (4, 2)}.items()
        for code, right in zip(("en", "te"), of)
        for n in range(10)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "answers.csv", index=False)
    (tmp_path / "ratings.csv").write_text("model,score\na,1210\nb,1190\nc,1000\n", "utf-8")
    out = tmp_path / "table.csv"
    files = [str(tmp_path / name) for name in ("ratings.csv", "answers.csv")]
    assert cli.main(["correlate", *files, "--out", str(out)]) == 0
    capsys.readouterr()
    found = pd.read_csv(out).set_index("Over").loc["models"]
    expected = np.corrcoef([1210, 1190, 1000], [0.7, 0.65, 0.3])[0, 1]
    assert found["Pearson"] == pytest.approx(expected)
    assert found["Spearman"] == pytest.approx(1)
    assert cli.main(["correlate", files[1], files[1], "--out", str(out)]) == 0
    assert pd.read_csv(out).set_index("Over").loc["models and languages", "Pairs"] == 6
    for ratings, words in (
        ("a,1\nb,abc\n", "ratings.csv: row 3: column score: 'abc': no number"),
        ("x,1\ny,2\n", "no model is in both: there are x, y and a"),
    ):
        (tmp_path / "ratings.csv").write_text(f"model,score\n{ratings}", "utf-8")
        assert cli.main(["correlate", *files]) == 2
        assert words in capsys.readouterr().err
