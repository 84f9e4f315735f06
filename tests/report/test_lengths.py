"""The lengths of prompts and answers, against a count of the rows themselves."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from xlgo_cli import cli
from xlgo_cli.logs.costs import Lengths
from xlgo_cli.logs.graded_run import score_folder

from .logs import rows


def test_lengths_of_prompts_and_answers_with_their_spread(results: Path, capsys: Any) -> None:
    """A tokenizer of characters counts what their length is."""
    lengths = Lengths(len)
    score_folder(results, quiet=True, lengths=lengths)
    (table,) = lengths.spreads()
    found = {row[1]: row[2:] for row in table.rows}
    for code in ("en", "ar", "te"):
        counts = [len(row["prompt"]) for row in rows() if row["language"] == code]
        n, mean, sd, *_, tokens, tokens_sd, _, _ = found[code]
        assert n == len(counts)
        assert (mean, sd) == pytest.approx((fmean(counts), stdev(counts)))
        assert (tokens, tokens_sd) == (mean, sd)
    plain = Lengths()
    score_folder(results, quiet=True, lengths=plain)
    assert plain.spreads()[0].rows[0][-4:] == (None,) * 4  # the log has no tokens
    assert cli.main(["score", str(results), "--table", "--tokenizer", "characters"]) == 0
    assert "Lengths of prompts and answers" in capsys.readouterr().out
