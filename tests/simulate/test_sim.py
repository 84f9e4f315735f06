"""The simulated model: it understands prompts, and is right as often as its profile says."""

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scipy.special import gammainc
from scipy.stats import binom

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_cli.simulate import server, simulator as simulator_
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_cli.simulate.server import CHAT, HOST, MODELS
from xlgo_cli.simulate.simulator import Simulator, from_reference, identify, load_profile
from xlgo_dataset.core.rng import Stream

solve: Any = xd.solve  # the value of its one key is what the puzzle asks for

SIZES = {"slt": 12, "dsa": 20, "prdsa": 12, "graph_sp": 40, "t_rank": 20}
HALF = {"q": 6, "r": 1 / 20**2}


@pytest.fixture
def profile(tmp_path) -> str:
    path = tmp_path / "mine.json"
    tasks = {task: {"en": HALF, "te": {"q": 3, "r": 1 / 12**2}} for task in xd.TASKS}
    path.write_text(json.dumps({"tasks": tasks}))
    return str(path)


def questions(task: str, count: int) -> list[Any]:
    return [xd.generate(task, complexity=SIZES[task], seed=8, index=i) for i in range(count)]


def reference(instance: Any) -> dict[str, Any]:
    return {"task": instance.task, "answer": solve(instance)}


@pytest.mark.parametrize("task", xd.TASKS)
@pytest.mark.parametrize("text", xd.TEXTS)
def test_every_prompt_is_recognised_from_its_text(task: str, text: str) -> None:
    (instance,) = questions(task, 1)
    for language in xd.available():
        found = identify(xd.render(instance, language, text))
        assert (found.task, found.language, found.complexity, found.answer) == (
            task, language, instance.complexity, solve(instance),
        )  # fmt: skip


@pytest.mark.parametrize(
    "prompt", ["", "What is 2 + 2?", "Match results:\n1. nonsense", "{" * 9999]
)
def test_other_prompts_get_a_plain_answer(profile: str, prompt: str) -> None:
    assert Simulator(profile).answer(prompt) == simulator_.UNKNOWN_PROMPT


@pytest.mark.parametrize("language", ["en", "te"])
def test_right_as_often_as_the_curve_says(profile: str, language: str) -> None:
    """Every puzzle; the curve is computed here, the binomial interval misses once in 10,000."""
    simulator = Simulator(profile, seed=1)
    curve = json.loads(Path(profile).read_text())["tasks"]["slt"][language]
    count = 40
    for task in xd.TASKS:
        c = SIZES[task]
        p = gammainc(curve["q"] / 2, curve["q"] / (2 * curve["r"] * c * c))
        right = sum(
            xm.grade(simulator.answer(xd.render(i, language)), reference(i)).correct
            for i in questions(task, count)
        )
        low, high = binom.interval(0.9999, count, p)
        assert low <= right <= high, (task, right, p * count)


def test_answers_do_not_depend_on_order_or_process(profile: str) -> None:
    prompts = [xd.render(i, "ta") for task in xd.TASKS for i in questions(task, 4)]
    here = [Simulator(profile, seed=3).answer(prompt) for prompt in prompts]
    backwards = Simulator(profile, seed=3)
    assert [backwards.answer(prompt) for prompt in prompts[::-1]][::-1] == here
    assert [Simulator(profile, seed=4).answer(prompt) for prompt in prompts] != here
    code = (
        "import json, sys; from xlgo_cli.simulate.simulator import Simulator; "
        "s = Simulator(sys.argv[1], seed=3); "
        "print(json.dumps([s.answer(p) for p in json.load(sys.stdin)]))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, profile],
        input=json.dumps(prompts),
        text=True,
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "77"},
    )
    assert json.loads(other.stdout) == here


def test_responses_have_every_form_that_a_grader_must_bear(profile: str) -> None:
    simulator = Simulator(profile, seed=5)
    statuses: Counter[tuple[str, bool]] = Counter()
    forms: Counter[str] = Counter()
    for instance in questions("dsa", 250):
        response = simulator.answer(xd.render(instance, "ja"))
        grade = xm.grade(response, reference(instance))
        statuses[grade.status, grade.strict] += 1
        forms[response[:3] if not response.startswith("{") else "{"] += 1
    assert {"{", "```", "<th", "Fol"} <= forms.keys()
    assert forms["{"] > 125
    for found in (("correct", True), ("correct", False), ("wrong", True), ("wrong", False)):
        assert statuses[found] > 5
    assert statuses["no_answer", False] + statuses["truncated", False] > 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a profile"),
        ('{"tasks": {"slt": {"en": {"q": 1}}}}', "not a profile"),
        ('{"tasks": {"slt": {"en": {"q": 1, "r": 0}}}}', "must be above 0"),
        ('{"tasks": {"slt": {"en": {"q": NaN, "r": 1}}}}', "must be above 0"),
        ('{"tasks": {"slt": {"en": {"q": Infinity, "r": 1}}}}', "must be above 0"),
    ],
)
def test_broken_profiles_are_refused(tmp_path, content: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        load_profile(str(path))


ASKED = {"messages": [{"role": "user", "content": "Hello"}]}


def post(server: Any, path: str, body: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, data)) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_a_streamed_answer_is_the_whole_answer(sim_server: Any) -> None:
    prompt = xd.render(xd.generate("slt", complexity=4), "hi")
    body = json.dumps({"messages": [{"role": "user", "content": prompt}], "stream": True}).encode()
    with urllib.request.urlopen(urllib.request.Request(sim_server.url + CHAT, body)) as reply:
        assert reply.headers["Content-Type"].startswith("text/event-stream")
        events = reply.read().decode().split("\n\n")
    assert events[1:] == ["data: [DONE]", ""]
    chunk = json.loads(events[0].removeprefix("data: "))
    assert chunk["object"] == "chat.completion.chunk"
    assert chunk["choices"][0]["delta"] == {
        "role": "assistant", "content": Simulator("demo").answer(prompt),
    }  # fmt: skip


def test_the_model_is_listed(sim_server: Any) -> None:
    with urllib.request.urlopen(sim_server.url + MODELS) as reply:
        assert json.load(reply)["data"][0]["id"] == "xlgo-sim-demo"


@pytest.mark.parametrize(
    ("path", "body", "code", "message"),
    [
        (CHAT, b"{", 400, "must be JSON"),
        (CHAT, b"[" * 100_000, 400, "must be JSON"),
        (CHAT, {"prompt": "x"}, 400, "with messages"),
        (CHAT, {"messages": [{"role": "user", "content": 3}]}, 400, "message of text"),
        (CHAT, {"messages": [{"role": "user", "content": [{}]}]}, 400, "message of text"),
        (CHAT, [], 400, "with messages"),
        ("/v1/completions", {"prompt": "x"}, 404, "Not Found: use /v1/models or"),
        (CHAT, {**ASKED, "n": 2}, 400, "n is not supported"),
        (CHAT, {**ASKED, "max_tokens": 0}, 400, "max_tokens must be"),
        (CHAT, {**ASKED, "max_tokens": "5"}, 400, "max_tokens must be"),
        (CHAT, {**ASKED, "max_completion_tokens": True}, 400, "max_tokens must be"),
    ],
)
def test_what_it_cannot_read_is_refused(
    sim_server: Any, path: str, body: Any, code: int, message: str
) -> None:
    found, reply = post(sim_server, path, body)
    assert found == code
    assert message in reply["error"]["message"]


def test_a_body_above_the_limit_is_refused_at_once(sim_server: Any) -> None:
    port = int(sim_server.url.rpartition(":")[2])
    head = f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nContent-Length: {10**12}\r\n\r\n"
    with socket.create_connection((HOST, port), timeout=5) as client:
        client.sendall(head.encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_parts_of_a_message_are_one_prompt_and_tokens_add_up(sim_server: Any) -> None:
    prompt = xd.render(xd.generate("slt", complexity=4), "te")
    cut = [{"type": "text", "text": text} for text in (prompt[:50], prompt[50:90], prompt[90:])]
    first = [{"role": role, "content": "no"} for role in ("system", "user", "assistant")]
    said = [
        post(sim_server, CHAT, {"messages": [*first, {"role": "user", "content": content}]})[1]
        for content in (prompt, cut)
    ]
    assert said[0]["choices"] == said[1]["choices"]
    assert said[0]["choices"][0]["message"] == {
        "role": "assistant", "content": Simulator("demo").answer(prompt),
    }  # fmt: skip
    for one in said:
        usage = one["usage"]
        assert usage["prompt_tokens"] == len(prompt) // 4
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
        assert one["choices"][0]["finish_reason"] == "stop"
    for name in ("max_tokens", "max_completion_tokens"):
        limited = post(
            sim_server, CHAT, {"messages": [{"role": "user", "content": prompt}], name: 1}
        )[1]
        assert (limited["choices"][0]["finish_reason"], limited["usage"]["completion_tokens"]) == (
            "length",
            1,
        )


def test_a_simulated_error_is_another_answer_of_the_same_form(profile: str) -> None:
    for answer in ({"chain": [3, 4]}, {"state": "A1234"}, {"path": ["B1", "C2"]}, 7, "[x]"):
        for draw in range(40):
            wrong = simulator_.slip(answer, Stream("test", draw))
            assert wrong != answer
            assert type(wrong) is type(answer)
            assert len(json.dumps(wrong)) <= len(json.dumps(answer)) + 1
    assert Simulator(profile).name == f"xlgo-sim-{Path(profile).stem}"
    names = [SimulatedModel(profile, model=name).tokenizer_name for name in (None, "mine")]
    assert names == [Simulator(profile).name, "mine"]


def test_what_is_served(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Only on this machine, with the profile and the seed that were given."""
    served: list[Any] = []
    monkeypatch.setattr(server.web, "run_app", lambda app, sock, **_: served.append(sock))
    monkeypatch.setattr(server, "application", served.append)
    monkeypatch.setattr(Simulator, "answer", lambda self, prompt: "OK")
    assert main(["serve", "--port", "0", "--profile", "glm-5-1", "--seed", "7"]) == 0
    simulator, listening = served
    host, port = listening.getsockname()
    assert (simulator.name, simulator._seed, host) == ("xlgo-sim-glm-5-1", 7, "127.0.0.1")
    said = f"xlgo-sim-glm-5-1 answers at http://127.0.0.1:{port}/v1/chat/completions; stop it with"
    assert capsys.readouterr().out.startswith(said)
    assert main(["serve", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err
    listening.close()


@pytest.mark.parametrize("condition", ["plain", "length_matched", "english_rules", "romanised"])
def test_a_prompt_in_english_is_answered_as_english(condition: str) -> None:
    reference = {"task": "slt", "language": "te", "complexity": 9, "answer": {"chain": [1]},
                 "instance_id": "i", "condition": condition}  # fmt: skip
    found = from_reference(reference)
    assert (found.task, found.complexity, found.language) == (
        "slt", 9, "en" if condition == "length_matched" else "te",
    )  # fmt: skip
    assert from_reference({**reference, "task": "unpuzzles"}) is None
