"""LiT through the whole house: runs, judging, scores, costs, and requests that fail."""

import hashlib
import json
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics.chrf import CHRF

from tests.chat_server import ChatServer, answering, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.families.lit.questions import SEQUENCES
from xlgo_dataset.families.lit.translator import LOST, translator

from .conftest import TEXTS, run

pytestmark = pytest.mark.filterwarnings("ignore")


def penalty(original: str, final: str) -> int:
    """The points of a round trip, by place: a run of lost words is one minor error."""
    pairs = zip(original.split(), final.split(), strict=True)
    runs = [
        len(list(group)) for lost, group in groupby(pairs, lambda pair: pair[1] == LOST) if lost
    ]
    assert all(n < 5 for n in runs)  # the judge would call it an omission
    return len(runs)


def test_known_loss_in_exact_scores_out(texts: Path, profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(texts, profile, out, "--tasks", "lit") == 0
    lossy = translator(json.loads(profile.read_text())["translation"])
    raw: dict[tuple[str, str], float] = {}
    chrf: dict[tuple[str, str], float] = {}
    for chain in SEQUENCES:
        for name, text in TEXTS.items():
            final = text
            for src, tgt in pairwise(chain.codes):
                final = lossy.translate(final, src, tgt)
            raw[name, chain.sequence] = 100 - penalty(text, final)
            chrf[name, chain.sequence] = CHRF(word_order=2).sentence_score(final, [text]).score
    assert len(set(raw.values())) > 4  # the loss shows
    section = score_folder(out).score["families"]["lit"]
    main_part = section["splits"]["main"]
    for metric, values in (("raw_mqm", raw), ("chrf", chrf), ("direct", raw)):
        of_text = {
            name: sum(values[name, chain.sequence] for chain in SEQUENCES) / 8 for name in TEXTS
        }
        expected = {
            "macro_category": (of_text["t1"] + (of_text["t2"] + of_text["t3"]) / 2) / 2,
            "global": sum(of_text.values()) / 3,
            "tier:low": sum(values[n, s] for n in TEXTS for s in ("africa", "s_america")) / 6,
        }
        means = {view: main_part["metrics"][metric][view]["mean"] for view in expected}
        assert means == pytest.approx(expected, abs=1e-9)
    assert (main_part["coverage"]["judgements"]["ok"], section["data_origin"]) == (24, "user")
    page = (out / "report" / "report.html").read_text()
    # The first card says what the texts are, beside what was found.
    for words in ("24 of 24 chains", "These texts were supplied by the user"):
        assert page.index(words) < page.index('id="families"')
    assert not (out / "report" / "hub" / "model-index.yaml").exists()


def test_an_answer_waits_for_its_judge(
    texts: Path, profile: Path, tmp_path: Path, capsys: Any
) -> None:
    unjudged = tmp_path / "out"
    assert run(texts, profile, unjudged, "--tasks", "lit_africa", "--judge", "none") == 0
    scored = score_folder(unjudged)
    assert scored.waiting == 3
    section = scored.score["families"]["lit"]
    assert "mqm80" not in section["splits"]["main"]["metrics"]
    assert "Nobody judged" in section["warnings"][1]
    judge = ["judge", str(unjudged), "--no-report", "--model"]
    with ChatServer(lambda prompt, body: (200, message("I like it a lot."))) as server:
        critic = f"model=judge,base_url={server.url},num_concurrent=2"
        assert main([*judge, "local-chat-completions", "--model_args", critic]) == 1
    assert "can be read: 'I like it a lot.'" in capsys.readouterr().err
    assert main([*judge, "xlgo-sim"]) == 0
    judged = score_folder(unjudged)
    assert judged.waiting == 0
    assert str(judged.judge).startswith("xlgo-sim-demo-")
    with pytest.raises(ValueError, match="no judgements by 'nobody'"):
        score_folder(unjudged, judge="nobody")


def asked(server: ChatServer, out: Path, tasks: str, limit: int) -> int:
    """Run a model and its judge, both on a server."""
    where = f"base_url={server.url},num_concurrent=4,max_length=65536,max_retries=1"
    return main([
        "run", "--model", "xlgo-chat-completions", "--model_args", f"model=toy,{where}",
        "--apply_chat_template", "--tasks", tasks, "--limit", str(limit), "--judge",
        "local-chat-completions", "--judge-args", f"model=judge,{where}",
        "--output_path", str(out),
    ])  # fmt: skip


def test_tokens_are_those_of_all_requests_but_the_judges(
    profile: Path, tmp_path: Path, capsys: Any
) -> None:
    simulator = Simulator(str(profile))
    usages: dict[str, list[dict[str, int]]] = {"toy": [], "judge": []}

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        text = simulator.answer(prompt)
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(str(text)) // 4}
        if prompt.startswith(("Translate", "You compare")):
            usages[body["model"]].append(usage)
        return 200, message(text) | {"usage": usage}

    with ChatServer(respond) as server:
        assert asked(server, tmp_path / "out", "lit_africa", 3) == 0
    assert len(usages["toy"]) == 3 * 5
    assert len(usages["judge"]) == 1 + 3 * 2  # a trial, and two questions on each answer
    ins, outs = (
        sum(usage[f"{name}_tokens"] for usage in usages["toy"]) for name in ("prompt", "completion")
    )
    cost = score_folder(tmp_path / "out").score["cost"]["tasks"]["lit"]["lit_africa"]["en"]
    assert (cost["answers"], cost["requests"]) == (3, 15)
    assert (cost["tokens_in"], cost["tokens_out"]) == (ins, outs)
    line = " ".join(capsys.readouterr().out.split())
    assert f"15 requests, {ins:,} tokens in, {outs:,} out" in line


def test_failed_requests_leave_the_rest_unchanged(
    profile: Path, tmp_path: Path, capsys: Any
) -> None:
    simulator = Simulator(str(profile))

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        fails = hashlib.sha256(prompt.encode()).digest()[0] % 12 == 0
        if prompt.startswith("Translate") and fails:
            return 500, message("late")
        return 200, message(simulator.answer(prompt))

    tasks = "lit_africa,lit_se_asia"
    whole, lame = tmp_path / "whole", tmp_path / "lame"
    with ChatServer(answering(simulator)) as server:
        assert asked(server, whole, tasks, 5) == 0
        server.respond = respond
        assert asked(server, lame, tasks, 5) == 1
        scored = score_folder(lame)
        lost = scored.absent.total()
        assert 1 <= lost <= 9
        assert f"- {lost} answers are in no rate: " in capsys.readouterr().out
        coverage = scored.score["families"]["lit"]["splits"]["main"]["coverage"]
        assert (coverage["missing"], coverage["failed"]) == (lost, {})
        # The score of the rest is that of the same chains in the whole run.
        grades = {key: record.grade for key, record in score_folder(whole).records}
        rest = [(key, one.grade) for key, one in scored.records if not one.grade.is_missing]
        assert len(rest) == len(scored.records) - lost
        for key, grade in rest:
            assert (grade.answer, grade.status) == (grades[key].answer, grades[key].status)
        assert len(list(scored.answers(measures=["raw_mqm"]))) == len(rest)
        # The same command asks for what is missing, and for nothing else.
        server.respond = answering(simulator)
        before = len(server.prompts)
        assert asked(server, lame, tasks, 5) == 0
        assert len(server.prompts) - before <= lost * (5 + 2) + 3
    metrics, expected = (
        score_folder(out).score["families"]["lit"]["splits"]["main"]["metrics"]
        for out in (lame, whole)
    )
    assert metrics == expected
