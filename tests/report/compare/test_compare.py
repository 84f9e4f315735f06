import pytest

from tests.report.logs import LANGUAGES, LATER, LEVELS, PER_LEVEL, RIGHT, rows, sample, write_run
from tests.report.test_report import Page
from xlgo_cli.cli import main
from xlgo_cli.display import labels
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.compare.comparison import comparison, measure_table, page


@pytest.fixture(scope="module")
def better(tmp_path_factory):
    """A model that answers every question rightly."""
    folder = tmp_path_factory.mktemp("better")
    lines = [sample(row, row["answer"], n) for n, row in enumerate(rows())]
    write_run(folder, model="acme/better", samples=lines)
    return folder


def test_pairs_are_compared_question_by_question(scored, better):
    pairs = {pair.language: pair for pair in comparison(scored, score_folder(better)).pairs}
    assert set(pairs) == set(LANGUAGES)
    for code, right in RIGHT.items():
        pair = pairs[code]
        assert pair.n == LEVELS * PER_LEVEL
        assert pair.baseline_accuracy == pytest.approx(sum(right) / pair.n)
        assert pair.accuracy == 1
        assert (pair.discordant[0], pair.discordant[1]) == (0, pair.n - sum(right))
        assert pair.is_significant == (pair.ci_high < 0)


def test_only_shared_questions_count(scored, tmp_path):
    some = [row for row in rows() if row["index"] < 2 and row["language"] == "te"]
    write_run(tmp_path, model="few", samples=[sample(row, "none") for row in some])
    [pair] = comparison(scored, score_folder(tmp_path)).pairs
    assert (pair.language, pair.n, pair.accuracy) == ("te", 2 * LEVELS, 0)


def test_nothing_in_common(scored, tmp_path):
    lines = [sample(row, row["answer"]) for row in rows("t_rank", ("en",))]
    write_run(tmp_path, task="t_rank", samples=lines)
    with pytest.raises(ValueError, match="no question in common"):
        comparison(scored, score_folder(tmp_path))


def test_a_measure_is_compared_by_its_means(scored, better):
    other = score_folder(better)
    found = measure_table((scored, other), ("a", "b"), "acc")
    rows = {row[1]: row[2:] for row in found.rows}
    pairs = comparison(scored, other).pairs
    assert len(rows) == len(pairs)
    for pair in pairs:
        n, a, b, gain, low, high, p = rows[labels.language(pair.language).name]
        assert (n, a, b, gain) == (pair.n, pair.baseline_accuracy, pair.accuracy, -pair.difference)
        assert low <= gain <= high
        assert (p <= 0.05) == (low > 0)
    strict = measure_table((scored, other), ("a", "b"), "strict")
    assert strict.columns[5].written(strict.rows[0][5]).startswith("+")
    with pytest.raises(ValueError, match=r"measure 'mqm80'.*allowed are acc, parsed, strict"):
        measure_table((scored, other), ("a", "b"), "mqm80")


def test_page(scored, better):
    other = score_folder(better)
    text = page(comparison(scored, other))
    found = Page(text)
    assert len(found.all("script")) == 1
    assert "acme/better" in text
    right = sum(map(sum, RIGHT.values()))
    share = f"{100 * right / (3 * LEVELS * PER_LEVEL):.1f}%"
    assert f"acme/lingua is correct in {share} and acme/better in 100.0%" in text
    assert "Overall acme/better is significantly better" in text
    cells = [cell["title"] for cell in found.all("span") if cell.get("class") == "in"]
    assert len([text for text in cells if "against 100.0%" in text]) == 3


def test_two_runs_of_one_model_are_told_apart(scored, tmp_path):
    write_run(tmp_path, date=LATER)
    other = score_folder(tmp_path)
    assert f"acme/lingua ({LATER[:10]})" in page(comparison(scored, other))


def test_command(results, better, tmp_path, capsys):
    out = tmp_path / "both.html"
    assert main(["compare", str(results), str(better), "--out", str(out)]) == 0
    assert out.is_file()
    assert str(out) in capsys.readouterr().out.replace("\n", "")
    assert main(["compare", str(results), str(tmp_path / "none")]) == 2
