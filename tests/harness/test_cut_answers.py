"""Answers that reached the limit of tokens, thinking kept apart, and prompts that were cut."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lm_eval.api.model import TemplateLM
from lm_eval.api.registry import MODEL_REGISTRY, register_model

import xlgo_dataset as xd
from tests.chat_server import TRIAL, ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.harness.response_log import noted, saved
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.logs.lines import Problems
from xlgo_cli.logs.results import find_run, read_replies
from xlgo_lm_eval.replies import FILE, Reply, replies, text_sha, write_lines

ASK = ["--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "3", "--per_level", "6"]
LIMIT = 5

KINDS: list[tuple[str, str | None, str, str]] = [
    # what is said, thinking kept apart, finish reason: status
    ("RIGHT", None, "stop", "correct"),
    ("RIGHT", None, "length", "correct"),
    ("I begin by looking at", None, "length", "truncated"),
    ("I begin by looking at", None, "stop", "no_answer"),
    ("", "First I look RIGHT", "length", "truncated"),
    ("RIGHT", "First I look", "stop", "correct"),
]


def right(prompt: str) -> str:
    for language in ("en", "te"):
        try:
            return json.dumps(xd.solve(xd.read("slt", prompt, language)))
        except ValueError:
            continue
    raise AssertionError(prompt)


def index_of(prompt: str) -> int:
    """Which of the questions it is: the answers tell them apart."""
    return ORDER.index(right(prompt))


ORDER = [json.dumps(xd.solve(xd.generate("slt", complexity=3, index=i))) for i in range(6)]


def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    if prompt == TRIAL:
        return 200, message("OK")
    (text, thinking, finish, _), answer = KINDS[index_of(prompt)], right(prompt)
    apart = {"reasoning_content": thinking.replace("RIGHT", answer)} if thinking else {}
    return 200, message(text.replace("RIGHT", answer), finish, **apart)


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with ChatServer(respond) as server:
        yield server.url


def statuses(scored: GradedRun) -> dict[str, dict[str, int]]:
    languages = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    return {
        code: {status: n for status, n in cell["statuses"].items() if n}
        for code, cell in languages.items()
    }


@pytest.mark.parametrize("concurrent", [1, 4])
def test_finish_reasons_decide_what_is_cut_off(folder: Path, url: str, concurrent: int) -> None:
    arguments = f"model=m,base_url={url},num_concurrent={concurrent}"
    command = ["run", *ASK, "--model", "local-chat-completions", "--apply_chat_template"]
    assert main([*command, "--model_args", arguments, "--output_path", "out"]) == 0
    scored = score_folder(Path("out"))
    expected: dict[str, int] = {}
    for *_, status in KINDS:
        expected[status] = expected.get(status, 0) + 1
    assert statuses(scored) == {"en": expected, "te": expected}
    # The harness's own table says the same, and its log holds the plain texts.
    [results] = Path("out").rglob("results_*.json")
    table = json.loads(results.read_text("utf-8"))["results"]["xlgo_slt"]
    assert table["truncated,none"] == pytest.approx(2 / 6)
    [path] = Path("out").rglob("samples_*.jsonl")
    texts = {json.loads(line)["resps"][0][0] for line in path.read_text("utf-8").splitlines()}
    assert "" in texts
    assert not any("think" in text for text in texts)
    # Thinking that the server keeps apart counts as thinking; prompts are shown as text.
    lengths = scored.score["families"]["xlgobench"]["thinking"]["slt"]["mean_characters"]
    assert lengths["te"] == (len("First I look") + len(f"First I look {ORDER[4]}")) / 2
    page = (Path("out") / "report" / "report.html").read_text("utf-8")
    assert "A merchant departed from" in page
    assert "&#34;role&#34;" not in page
    assert '[{"role"' not in page
    assert "backend:local-chat-completions|template:of the server" in page


def test_without_the_file_of_replies_the_texts_alone_decide(folder: Path, url: str) -> None:
    command = ["run", *ASK, "--model", "local-chat-completions", "--apply_chat_template"]
    assert main([*command, "--model_args", f"model=m,base_url={url}", "-o", "out"]) == 0
    (Path("out") / FILE).unlink()
    assert statuses(score_folder(Path("out")))["en"] == {"correct": 3, "no_answer": 3}


class Words(TemplateLM):
    """A model whose tokens are words: it knows how many it takes and gives."""

    tokenizer_name = "words"
    max_length = 243
    max_gen_toks = 256

    @property
    def eot_token_id(self) -> int:
        return 0

    @classmethod
    def create_from_arg_obj(cls, *given: Any, **options: Any) -> Words:
        return cls()

    create_from_arg_string = create_from_arg_obj

    def tok_encode(self, string: str, *given: Any, **options: Any) -> list[int]:
        return [len(word) for word in string.split()]

    def generate_until(self, requests: list[Any], *given: Any) -> list[str]:
        logging.getLogger("lm_eval.models.words").warning("Left truncation applied to 17 tokens")
        logging.getLogger("lm_eval.models.words").warning("Left truncation applied to 18 tokens")
        logging.getLogger("lm_eval.models.words").warning("of no interest")
        return ["so it goes on" + " and on" * (LIMIT if n % 2 else 0) for n in range(len(requests))]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        raise AssertionError

    loglikelihood_rolling = _loglikelihood_tokens = loglikelihood


@pytest.fixture
def words() -> str:
    if "xlgo-words" not in MODEL_REGISTRY:
        register_model("xlgo-words")(Words)
    return "xlgo-words"


def test_where_the_tokenizer_is_known_tokens_are_counted(
    folder: Path, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    prompts = {
        code: [len(xd.render(xd.generate("slt", complexity=3, index=i), code).split())
               for i in range(6)]
        for code in ("en", "te")
    }  # fmt: skip
    room = Words.max_length - LIMIT - 4
    long = {code: sum(n > room for n in found) for code, found in prompts.items()}
    own = vars(Words)["generate_until"]
    with caplog.at_level(logging.WARNING, "xlgo"):
        assert main(["run", *ASK, "--model", words, "--gen_kwargs", f"max_gen_toks={LIMIT + 4}",
                     "--output_path", "out"]) == 0  # fmt: skip
    assert vars(Words)["generate_until"] is own
    assert long["en"] != long["te"]
    scored = score_folder(Path("out"))
    told = {problem.where: problem.message for problem in scored.problems.items}
    for code, name in (("en", "English"), ("te", "Telugu")):
        words_said = f"{long[code]} of 6 prompts have more tokens"
        place = f"Sequential Ledger Tracing, {name}"
        place = next((p for p in told if p.endswith(name)), place)
        assert (words_said in told.get(place, "")) == (long[code] > 0)
        assert (f"{code}: {words_said}" in caplog.text) == (long[code] > 0)
    assert told["the harness warned"] == "Left truncation applied to 17 tokens (2 times)"
    page = (Path("out") / "report" / "report.html").read_text("utf-8")
    assert page.index(">Warnings (") < page.index("Left truncation applied")
    # Every second answer has as many tokens as were allowed; questions go by turns.
    assert sum(found.get("truncated", 0) for found in statuses(scored).values()) == 6
    assert sum(found.get("no_answer", 0) for found in statuses(scored).values()) == 6


def test_a_full_disk_does_not_cost_the_answers(
    folder: Path, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    Path("out", FILE).mkdir(parents=True)
    with caplog.at_level(logging.WARNING, "xlgo"):
        assert main(["run", *ASK, "--model", words, "--output_path", "out"]) == 0
    assert f"{FILE}: cannot be written (Is a directory)" in caplog.text
    assert score_folder(Path("out")).count == 12


def test_warnings_belong_to_the_run_before_them(folder: Path, words: str) -> None:
    command = ["run", *ASK, "--model", words, "--output_path", "out"]
    assert main([*command, "--gen_kwargs", "max_gen_toks=9"]) == 0
    assert main([*command, "--gen_kwargs", "max_gen_toks=10"]) == 0
    assert len((Path("out") / FILE).read_text("utf-8").splitlines()) == 2 * (12 + 1)
    scored = score_folder(Path("out"))
    told = [p.message for p in scored.problems.items if p.where == "the harness warned"]
    assert told == ["Left truncation applied to 17 tokens (2 times)"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Expecting"),
        ("[]", "not a JSON object"),
        ('{"schema": 2, "request": "00", "answer": "00"}', "schema 2"),
        ('{"request": "00"}', "missing 'answer'"),
        ('{"request": "zz", "answer": "00"}', "non-hexadecimal"),
        ('{"warning": "x", "ended": "2026"}', "missing 'count'"),
    ],
)
def test_a_bad_line_of_replies_costs_that_line(tmp_path: Path, line: str, words: str) -> None:
    sample = {"doc": {"reference": {"task": "slt", "answer": {"chain": [1]}}}, "resps": [["so"]],
              "arguments": [["What?", {}]]}  # fmt: skip
    (tmp_path / "samples_x_2026-01-01T00-00-00.jsonl").write_text(json.dumps(sample))
    (tmp_path / FILE).write_text(f"{line}\n", "utf-8")
    key = {"request": text_sha("What?"), "answer": text_sha("so")}
    write_lines(tmp_path / FILE, [{**key, "finish": "length"}])
    problems = Problems()
    replies = read_replies(find_run(tmp_path).files, problems)
    [problem] = problems.items
    assert problem.where == f"{tmp_path / FILE}:1"
    assert words in problem.message
    scored = score_folder(tmp_path)
    assert scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    [(_, record)] = scored.records
    assert record.grade.status == "truncated"
    assert replies.warnings == []


def test_lines_without_a_schema_are_read(tmp_path: Path) -> None:
    """The first lines that were written had none."""
    sample = {"doc": {"reference": {"task": "slt", "answer": {"chain": [1]}}}, "resps": [["so"]],
              "arguments": [["What?", {}]]}  # fmt: skip
    (tmp_path / "samples_x_2026-01-01T00-00-00.jsonl").write_text(json.dumps(sample))
    line = {"request": text_sha("What?"), "answer": text_sha("so"), "finish": "length"}
    (tmp_path / FILE).write_text(json.dumps(line), "utf-8")
    [(_, record)] = score_folder(tmp_path).records
    assert record.grade.status == "truncated"


@pytest.mark.parametrize("level", [logging.INFO, logging.CRITICAL])
def test_what_could_not_be_saved_is_collected_however_quiet(level: int) -> None:
    logger = logging.getLogger("lm_eval.loggers.evaluation_tracker")
    before, handlers = logger.level, list(logger.handlers)
    logging.getLogger("lm_eval").setLevel(level)
    try:
        with saved() as lost:
            logger.warning("Could not save %s", "results")
            logger.warning("something else")
        assert lost == ["Could not save results"]
        assert (logger.level, logger.handlers) == (before, handlers)
    finally:
        logging.getLogger("lm_eval").setLevel(logging.NOTSET)


def test_a_model_without_a_tokenizer_is_asked_as_before(folder: Path) -> None:
    from xlgo_cli.simulate.model import NAME, register

    register()
    with noted(NAME, folder):
        assert SimpleNamespace(folder=folder).folder.is_dir()
    assert list(folder.iterdir()) == []


def test_what_a_server_says_of_several_answers_goes_by_their_numbers() -> None:
    """The harness puts the texts in order; a server may send its choices in any."""
    choices = [
        {"index": number, "finish_reason": reason, "message": {"reasoning": f"thought {number}"}}
        for number, reason in ((2, "length"), (0, "stop"), (1, "content_filter"))
    ]
    found = replies({"choices": choices, "usage": {"total_tokens": 9}}, ["a", "b", "c"])
    assert found == ["a", "b", "c"]
    told = [(r.finish, r.reasoning, r.usage, r.refused) for r in found if isinstance(r, Reply)]
    assert told == [
        ("stop", "thought 0", None, False),
        ("content_filter", "thought 1", None, True),
        ("length", "thought 2", None, False),
    ]
