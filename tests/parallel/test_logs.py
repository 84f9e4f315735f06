"""Logs that the harness itself wrote: what is counted is what the simulated model did."""

import json
from pathlib import Path

import pytest
from scipy.stats import binomtest

from xlgo_cli import cli
from xlgo_cli.parallel.comparing import Options, compare_languages

from .conftest import BAD
from .made import N

FILTER = Options(filter="last-number")


def test_generation_counts_what_the_model_did(sums: Path) -> None:
    found = compare_languages(sums, ["sums_{lang}"], FILTER)
    (one,) = found.benchmarks
    assert one.about["paired_by"] == "doc_id"
    assert {gap.other for gap in found.gaps} == {"de", "sw", "te"}
    for gap in found.gaps:
        bad = BAD[gap.other]
        assert gap.n == N
        assert round(gap.accuracy * gap.n) == N - len(bad)
        assert round(gap.baseline_accuracy * gap.n) == N - len(BAD["en"])
        assert gap.discordant[0] == len(bad - BAD["en"])
        assert gap.discordant[1] == len(BAD["en"] - bad)
        alone = binomtest(gap.discordant[0], sum(gap.discordant), 0.5).pvalue
        assert alone - 0.02 <= gap.p_value  # corrected for all three
        assert (gap.ci_low > 0 or gap.ci_high < 0) == gap.is_significant
    assert [gap.other for gap in found.gaps if gap.is_significant] == ["sw"]


def test_multiple_choice_in_any_order_is_paired_by_fields(larger: Path) -> None:
    by = Options(pair_by=("text", "part"))
    found = compare_languages(larger, ["larger_{lang}"], by)
    assert found.benchmarks[0].choice.metric == "acc"
    assert {gap.other: gap.discordant[0] for gap in found.gaps} == {"de": 2, "sw": 15}
    normed = compare_languages(
        larger, ["larger_{lang}"], Options(metric="acc_norm", pair_by=by.pair_by)
    )
    assert normed.benchmarks[0].choice.metric == "acc_norm"
    assert any(
        "acc_norm" in note for note in compare_languages(larger, ["larger_{lang}"], by).notes
    )


def test_a_field_may_pair_questions_and_name_their_clusters(larger: Path) -> None:
    options = Options(pair_by=("text", "part"), cluster_by="text")
    apart = compare_languages(larger, ["larger_{lang}"], Options(pair_by=("text", "part"))).gaps
    for gap, alone in zip(compare_languages(larger, ["larger_{lang}"], options).gaps, apart):
        assert (gap.n, gap.discordant[0], gap.discordant[1]) == (
            N,
            alone.discordant[0],
            alone.discordant[1],
        )
        assert gap.clusters == N / 2 < alone.clusters
        assert bool(gap.refused) == (gap.other == "de")  # two of its texts differ


def test_the_score_of_a_log_has_the_same_gap_as_its_report(
    sums: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 40 sums Swahili misses 15 more than English does, and none alone (``conftest.BAD``)."""
    arguments = ["score", str(sums), "--parallel", "sums_{lang}", "--filter", "last-number"]
    assert cli.main([*arguments, "--json"]) == 0
    section = json.loads(capsys.readouterr().out)["families"]["parallel"]
    (row,) = (row for row in section["measured"] if row["language"] == "sw")
    assert (row["task"], row["questions"], row["acc"]) == ("sums", N, (N - len(BAD["sw"])) / N)
    (cell,) = (one for one in section["by_language"]["cells"] if one["other"] == "sw")
    assert cell["discordant"] == [15, 0]
    assert "readings" not in section
    assert cli.main(arguments) == 0
    assert "Swahili" in capsys.readouterr().out


def test_wrong_options_are_one_line(sums: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        ("--languages", "en"): "needs --parallel PATTERN",
        ("--parallel", "sums"): "no task of the run fits",
        ("--parallel", "sums_{lang}{lang}"): "has {lang} once",
        ("--parallel", "xwinograd_{lang}"): "cannot be paired",
        ("--parallel", "mgsm_direct_{lang}"): "no task of the run fits",
        (
            "--parallel",
            "sums_{lang}",
            "--baseline",
            "fr",
        ): "not among the languages: de, en, sw, te",
        ("--parallel", "sums_{lang}", "--languages", "de,sw"): "give --baseline",
        ("--parallel", "sums_{lang}", "--languages", "de"): "only one language",
        ("--parallel", "sums_{lang}", "--metric", "acc"): "logs exact_match",
        ("--parallel", "sums_{lang}", "--filter", "none"): "has whole, last-number",
        ("--parallel", "sums_{lang}", "--pair-by", "uid"): "no field 'uid'",
        ("--parallel", "sums_{lang}", "--same", "uid"): "no such field",
    }
    for options, message in cases.items():
        assert cli.main(["report", str(sums), *options]) == 2, options
        error = capsys.readouterr().err
        assert message in error, (options, error)
        assert error.count("\n") == 1


def test_subjects_count_together(subjects: Path, sums: Path, tmp_path: Path) -> None:
    options = Options(filter="last-number")
    (gap,) = compare_languages(subjects, ["sums_{lang}_*"], options).gaps
    whole = compare_languages(sums, ["sums_{lang}"], options).gaps
    same = next(other for other in whole if other.other == "sw")
    assert (gap.n, gap.discordant[0], gap.discordant[1]) == (
        N,
        same.discordant[0],
        same.discordant[1],
    )
    for path in subjects.rglob("*.json*"):
        if "sw_second" not in path.name:
            target = tmp_path / path.relative_to(subjects)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    with pytest.raises(ValueError, match="20 of the 40 questions of sums_en_first"):
        compare_languages(tmp_path, ["sums_{lang}_*"], options)


@pytest.mark.parametrize("command", ["report", "score"])
def test_without_the_option_logs_of_other_tasks_name_it(
    sums: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, str(sums)]) == 2
    told = capsys.readouterr().err
    assert "are of tasks outside xlgo, such as sums_" in told
    assert "add --parallel" in told
