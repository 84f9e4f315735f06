"""LiT through the whole house: runs, judging, scores, reports, kills."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from sacrebleu.metrics.chrf import CHRF

from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.families.lit.chains import sequences
from xlgo_dataset.families.lit.translator import LOST, translator

from .conftest import TEXTS, run


def section_of(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = score_folder(out).score["families"]["lit"]
    return found


def means(out: Path) -> dict[tuple[str, str, str], float]:
    """By part, metric and view."""
    return {
        (part, metric, view): cell["mean"]
        for part, content in section_of(out)["splits"].items()
        for metric, cells in content["metrics"].items()
        for view, cell in cells.items()
    }


def penalty(original: str, final: str) -> float:
    """The points of a round trip, by place: a run of lost words is one minor error."""
    pairs = zip(original.split(), final.split(), strict=True)
    total = 0.0
    for lost, group in groupby(pairs, key=lambda pair: pair[1] == LOST):
        if lost:
            assert len(list(group)) < 5  # the judge would call it an omission
            total += 1.0
    return total


@pytest.mark.filterwarnings("ignore")
def test_known_loss_in_exact_scores_out(texts: Path, profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(texts, profile, out, "--tasks", "lit") == 0
    lossy = translator(json.loads(profile.read_text())["translation"])
    raw: dict[tuple[str, str], float] = {}
    chrf: dict[tuple[str, str], float] = {}
    for chain in sequences():
        for name, text in TEXTS.items():
            current = text
            for src, tgt in zip(chain.codes, chain.codes[1:]):
                current = lossy.translate(current, src, tgt)
            raw[name, chain.sequence] = 100 - penalty(text, current)
            chrf[name, chain.sequence] = CHRF(word_order=2).sentence_score(current, [text]).score
    assert len(set(raw.values())) > 4  # the loss shows
    found = means(out)
    for metric, values in (("raw_mqm", raw), ("chrf", chrf), ("direct", raw)):
        own = {name: [values[name, c.sequence] for c in sequences()] for name in TEXTS}
        of_text = {name: sum(row) / 8 for name, row in own.items()}
        macro = (of_text["t1"] + (of_text["t2"] + of_text["t3"]) / 2) / 2
        assert found["main", metric, "macro_category"] == pytest.approx(macro, abs=1e-9)
        whole = sum(of_text.values()) / 3
        assert found["main", metric, "global"] == pytest.approx(whole, abs=1e-9)
        low = [values[name, s] for name in TEXTS for s in ("africa", "s_america")]
        assert found["main", metric, "tier:low"] == pytest.approx(sum(low) / 6, abs=1e-9)
    section = section_of(out)
    assert section["splits"]["main"]["coverage"]["judgements"]["ok"] == 24
    assert section["data_origin"] == "user"
    page = (out / "report" / "report.html").read_text()
    # The first card says what the texts are, beside what was found.
    assert page.index("24 of 24 chains") < page.index('id="families"')
    assert page.index("These texts were supplied by the user") < page.index('id="families"')
    assert not (out / "report" / "hub" / "model-index.yaml").exists()


def judged_by(reply: str | None, out: Path, *more: str) -> int:
    """Judge by a server that always says the same; ``None``: by rule."""
    simulator = Simulator()

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, message(simulator.answer(prompt) if reply is None else reply)

    with ChatServer(respond) as server:
        arguments = f"model=judge,base_url={server.url},num_concurrent=2"
        return main(["judge", str(out), "--model", "local-chat-completions", "--model_args",
                     arguments, "--no-report", *more])  # fmt: skip


def test_an_answer_waits_for_its_judge(unjudged: Path, capsys: Any) -> None:
    scored = score_folder(unjudged)
    assert scored.waiting == 3
    assert "mqm80" not in scored.score["families"]["lit"]["splits"]["main"]["metrics"]
    assert "Nobody judged" in scored.score["families"]["lit"]["warnings"][1]
    assert judged_by("I like it a lot.", unjudged) == 1
    assert "can be read: 'I like it a lot.'" in capsys.readouterr().err
    assert main(["judge", str(unjudged), "--model", "xlgo-sim"]) == 0
    judged = score_folder(unjudged)
    assert judged.waiting == 0
    assert judged.judge is not None
    assert judged.judge.startswith("xlgo-sim-demo-")
    with pytest.raises(ValueError, match="no judgements by 'nobody'"):
        score_folder(unjudged, judge="nobody")


def test_the_judge_is_checked(tmp_path: Path, capsys: Any) -> None:
    unjudged = tmp_path / "sample"
    sample = ["run", "--model", "xlgo-sim", "--tasks", "lit_africa", "--limit", "3"]
    assert main([*sample, "--judge", "none", "--output_path", str(unjudged)]) == 0
    assert judged_by('{"errors": []}', unjudged, "--check") == 0
    assert main(["judge", str(unjudged), "--model", "xlgo-sim", "--check"]) == 0
    found = {
        path.stem.split("-")[2]: json.loads(path.read_text())
        for path in (unjudged / "judgements").glob("judge_check-lit-*.json")
    }
    blind, rule = found["judge"], found["xlgo"]
    assert all(not cell["detected"] for cell in blind["planted"].values())
    assert all(cell["detected"] == 1 for cell in rule["planted"].values() if cell["n"])
    assert rule["identity"]["passed"] is True
    assert "Planted errors" in capsys.readouterr().out


def test_two_models_and_ratings(texts: Path, profile: Path, tmp_path: Path, capsys: Any) -> None:
    ratings = ["model,score,source"]
    for number, rate in enumerate((0.0, 0.05, 0.2)):
        own = tmp_path / f"m{number}.json"
        own.write_text(json.dumps({"tasks": {}, "translation": {"loss": {"default": rate}}}))
        assert run(texts, own, tmp_path / f"r{number}", "--tasks", "lit_africa") == 0
        ratings.append(f"xlgo-sim-m{number},{1300 - 100 * number},arena")
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(ratings) + "\n")
    capsys.readouterr()
    folders = [str(tmp_path / f"r{number}") for number in range(3)]
    page = tmp_path / "page.html"
    assert main(["compare", *folders[:2], "--out", str(page)]) == 2
    assert "a score with --measure" in capsys.readouterr().err
    pair = ["compare", *folders[:2], "--measure", "raw_mqm_gated", "--out", str(page)]
    assert main(pair) == 0
    assert "raw_mqm_gated: A = xlgo-sim-m0, B = xlgo-sim-m1" in capsys.readouterr().out
    assert "raw_mqm_gated" in page.read_text()
    site = tmp_path / "leaderboard"
    assert main(["leaderboard", *folders, "--out", str(site)]) == 0
    told = capsys.readouterr().out
    lines = [line for line in told.splitlines() if line.lstrip().startswith("xlgo-sim-m")]
    assert [line.split()[0] for line in lines[:3]] == [f"xlgo-sim-m{n}" for n in range(3)]
    assert "LiT main, raw MQM, gated: models by sequence" in told
    numbers = json.loads((site / "leaderboard.json").read_text())
    rows = numbers["tables"]["lit_main_raw_mqm_gated_sequence"]["rows"]
    assert [row["model"] for row in rows] == [*(f"xlgo-sim-m{n}" for n in range(3)), "Average"]
    assert "do the metrics rank these models alike?" in told
    assert main(["correlate", str(file), *folders, "--measure", "raw_mqm"]) == 0
    told = capsys.readouterr().out
    row = next(line for line in told.splitlines() if line.lstrip().startswith("models ")).split()
    # Three models in one order: of the six orders, this and its reverse are as extreme.
    assert (row[1], row[3], row[4]) == ("3", "1.000", "0.3333")
    assert main(["correlate", str(file), *folders]) == 2
    assert "choose another with --measure" in capsys.readouterr().err
    assert main(["correlate", str(file), *folders, "--measure", "nosuch"]) == 2
    assert main(["correlate", str(file), folders[0], folders[0]]) == 2
    capsys.readouterr()
