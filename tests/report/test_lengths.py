"""The lengths of prompts in the report, against a count of the rows themselves."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from xlgo_cli import cli
from xlgo_cli.logs.graded_run import score_folder

from .logs import rows, write_run


def test_characters_and_words_are_compared_with_english(results: Path, tmp_path: Path) -> None:
    data = rows()
    mean = {
        (code, unit): sum(count(row["prompt"]) for row in data if row["language"] == code)
        for code in ("en", "ar", "te")
        for unit, count in (("characters", len), ("words", lambda text: len(text.split())))
    }
    table = score_folder(results, quiet=True).lengths.table()
    assert table is not None
    assert [row[0] for row in table.rows] == ["en", "ar", "te"]
    for code, tasks, characters, words, longest in table.rows:
        assert tasks == 1
        assert characters == pytest.approx(
            mean[code, "characters"] / mean["en", "characters"], abs=0.005
        )
        assert words == pytest.approx(mean[code, "words"] / mean["en", "words"], abs=0.005)
        assert longest == max(len(r["prompt"]) for r in data if r["language"] == code)
    assert cli.main(["report", str(results), "--out", str(tmp_path / "r")]) == 0
    tables = (tmp_path / "r/tables.md").read_text("utf-8")
    _, _, lengths = tables.partition("## Length of the prompts against English")
    told = [line for line in lengths.partition("\n## ")[0].splitlines() if line.startswith("|")]
    assert len(told) == 2 + 3  # names of columns and a rule, then the languages


def test_lengths_of_prompts_and_answers_with_their_spread(results: Path, capsys: Any) -> None:
    """Against the rows; a tokenizer of characters counts what their length is."""
    (table,) = score_folder(results, quiet=True, tokenizer="characters").lengths.spreads()
    found = {row[1]: row[2:] for row in table.rows}
    for code in ("en", "ar", "te"):
        lengths = [len(row["prompt"]) for row in rows() if row["language"] == code]
        n, mean, sd, *_, tokens, tokens_sd, _, _ = found[code]
        assert n == len(lengths)
        assert (mean, sd) == pytest.approx((fmean(lengths), stdev(lengths)))
        assert (tokens, tokens_sd) == (mean, sd)
    (plain,) = score_folder(results, quiet=True).lengths.spreads()
    assert plain.rows[0][-4:] == (None,) * 4  # the log has no tokens
    assert cli.main(["score", str(results), "--table", "--tokenizer", "characters"]) == 0
    assert "Lengths of prompts and answers" in capsys.readouterr().out


def test_without_english_or_another_language_there_is_no_table(tmp_path: Path) -> None:
    for languages in (("en",), ("ar", "te")):
        write_run(tmp_path / "-".join(languages), languages=languages)
        scored = score_folder(tmp_path / "-".join(languages), quiet=True)
        assert scored.lengths.table() is None
