"""Several answers, states, tasks and languages in what the harness calls, one call at a time."""

import hashlib
import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lm_eval.models.api_models import JsonChatStr

import xlgo_dataset as xd
from tests.harness.answering import Words, right, wrong
from xlgo_lm_eval.answers import (
    KIND,
    LENGTH,
    MISSING,
    REFUSED,
    Answer,
    Answers,
    differences,
    digest,
    files_in,
    kept_in,
    own_file,
    read_reply,
    request_key,
    steps_of,
)
from xlgo_lm_eval.arguments import redacted_json
from xlgo_lm_eval.asking import budget_of
from xlgo_lm_eval.chains import with_stops
from xlgo_lm_eval.tasks import utils

KOR = Path(__file__).parents[1] / "korbench" / "fixture"


def docs(**more: Any) -> list[dict[str, Any]]:
    given: dict[str, Any] = {
        "xlgo_family": "xlgobench", "xlgo_task": "slt", "languages": "en,te", "levels": 2,
        "xlgo_options": "levels,per_level,c_min,c_max,text", "per_level": 3, "c_min": 4, "c_max": 8,
        **more,
    }  # fmt: skip
    return list(utils.docs(**given))


def test_the_mean_of_the_answers_that_are_there() -> None:
    """Of six answers to a question one is refused, one missing and one cut off."""
    (doc, *_) = docs()
    reference = json.loads(doc["reference"])
    yes, no = right(reference), wrong(reference)
    cut = Answer("I look at", finish=LENGTH, reasoning="First")
    lost: list[str | None] = [Answer("", MISSING), Answer("", REFUSED)]
    found = utils.process_results(doc, [[yes, lost[0], no, no, lost[1], cut]])
    assert (found["acc"], found["parsed"], found["truncated"]) == (1 / 4, 3 / 4, 1 / 4)
    family, name, *values = found["diff_te"]
    assert (family, name) == ("xlgobench", "diff_te")
    assert [value[3] for value in values] == [True, False, False, False]
    assert {value[5] for value in values} == {xd.isomorphism_hash_of(reference)}
    assert utils.process_results(doc, [lost]) == {}
    assert utils.process_results(doc, [None])["acc"] == 0.0
    alone = utils.process_results({**doc, "languages": "en"}, [yes])
    assert not [name for name in alone if name.startswith(("diff", "smd"))]


def test_metrics_that_are_no_means_are_over_all_answers_of_all_questions() -> None:
    """Telugu gets a third, English two thirds, of the answers to every second question."""
    values = []
    by_question: dict[str, dict[str, float]] = {}
    for number, doc in enumerate(docs()):
        reference = json.loads(doc["reference"])
        yes, no = right(reference), wrong(reference)
        few = [yes, no, no] if doc["language"] == "te" else [yes, yes, no]
        values.append(utils.process_results(doc, [few if number % 2 else [no] * 3])["diff_te"])
        share = {"en": 2 / 3, "te": 1 / 3}[doc["language"]] if number % 2 else 0.0
        by_question.setdefault(reference["instance_id"], {})[doc["language"]] = share
    gaps = [one["en"] - one["te"] for one in by_question.values()]
    assert len(gaps) == 6
    assert utils.aggregate(values) == pytest.approx(sum(gaps) / 6)


def test_wordings_and_languages_as_list_or_text() -> None:
    assert {json.loads(doc["reference"])["complexity"] for doc in docs(c_max=6)} == {4, 6}
    assert [doc["languages"] for doc in docs(languages=["te", "en", "zh"])] == ["te,en,zh"] * 18
    assert "languages" not in docs(languages="te")[0]
    first = docs(xlgo_language="hi")
    assert {doc["language"] for doc in first} == {"hi"}
    assert utils.doc_to_text(first[0]) == xd.family("xlgobench").prompt(
        json.loads(first[0]["reference"]), "paper"
    )
    revised, paper = (docs(languages="te", text=text)[0] for text in ("revised", "paper"))
    assert utils.doc_to_text(revised) == xd.family("xlgobench").prompt(
        json.loads(revised["reference"]), "revised"
    )
    assert utils.doc_to_text(revised) != utils.doc_to_text(paper)
    assert utils.doc_to_text({"prompt": "as it is"}) == "as it is"
    options = {"xlgo_options": "c_max,seed,n", "xlgo_task": "dsa", "c_max": 30, "n": None,
               "seed": 9, "xlgo_seed": 4, "depth": 3}  # fmt: skip
    assert utils.task_options(options) == {"c_max": 30, "seed": 4}


def test_of_a_base_model_that_goes_on_the_first_answer_counts_and_of_a_chat_the_last() -> None:
    (row, *_) = xd.family("korbench").rows("kor_logic", ["en"], source=str(KOR))
    doc: dict[str, Any] = {"id": "x", "language": "en", "reference": row["reference"]}
    said = [f"{json.loads(str(row['reference']))['answer']}\nNext: [[Z]]"]
    assert [
        utils.process_results(one, said)["acc"] for one in (doc, {**doc, "asked": "completion"})
    ] == [0.0, 1.0]


def test_stops_are_added_once_and_only_without_a_chat() -> None:
    metadata = {"stop_without_chat": ["\n\n", "Q:"]}
    for until, wanted in (
        ([], ["\n\n", "Q:"]), ("</s>", ["</s>", "\n\n", "Q:"]), (["Q:", "x"], ["Q:", "x", "\n\n"]),
        (None, ["\n\n", "Q:"]),
    ):  # fmt: skip
        given = {"temperature": 0.5, "until": until}
        assert with_stops(given, metadata, chat=False) == {"temperature": 0.5, "until": wanted}
        assert with_stops(given, metadata, chat=True) == given
        assert with_stops(given, {}, chat=False) == given


@pytest.mark.parametrize(
    ("settings", "limit"),
    [({}, 8), ({"max_tokens": 5}, 5), ({"max_gen_toks": 4, "max_tokens": 5}, 4),
     ({"max_new_tokens": 12}, 12), ({"max_completion_tokens": 3, "max_tokens": 0}, 3)],
)  # fmt: skip
def test_tokens_are_held_against_the_limit_of_the_request(
    settings: dict[str, int], limit: int
) -> None:
    budget = budget_of(Words())
    for sent, received in product((20 - limit, 21 - limit), (limit - 1, limit)):
        answer = Answer("b " * received)
        budget.measure("a " * sent, settings, answer)
        assert answer.usage == {"prompt_tokens": sent, "completion_tokens": received}
        assert (answer.counted_by, bool(answer.prompt_cut), answer.finish == LENGTH) == (
            "tokenizer", sent > 20 - limit, received == limit,
        )  # fmt: skip
    assert budget_of(SimpleNamespace(max_length=5)) is None


RUN = {"model": "m", "type": "T", "arguments": {"a": 1, "b": {"c": 2}}}


def test_files_of_several_processes_and_parts_are_counted_together(tmp_path: Path) -> None:
    """Three files, two commands, three plans: the last plan and the last writing of each count."""
    for rank in range(3):
        with Answers(own_file(tmp_path, rank, 3), RUN, siblings=files_in(tmp_path)) as answers:
            answers.note("planned", parts={"slt": ["a"] * rank, "dsa": ["b"]})
            answers.note("wrote", command="slt", files=[f"{rank}.json"])
            for number in range(rank + 1):
                answers.add(f"{rank}-{number}", Answer(f'"state": "missing" {number}'))
            answers.add(f"{rank}-lost", Answer("", MISSING, error="HTTP 500"))
            answers.add(f"{rank}-refused", Answer("", REFUSED))
            if rank == 1:
                answers.note("wrote", command="dsa", files=["dsa.json"])
    assert kept_in(tmp_path) == (1 + 2 + 3) + 3
    parts, wrote = steps_of(tmp_path)
    assert parts == {"slt": ["a", "a"], "dsa": ["b"]}
    assert {name: event["files"] for name, event in wrote.items()} == {
        "slt": ["2.json"], "dsa": ["dsa.json"],
    }  # fmt: skip
    with Answers(own_file(tmp_path), RUN, siblings=files_in(tmp_path)) as answers:
        assert len(answers) == 9
        for rank in range(3):
            for number in range(rank + 1):
                assert answers.get(f"{rank}-{number}") == f'"state": "missing" {number}'
            assert answers.get(f"{rank}-lost") is None


def test_every_entry_in_which_two_runs_differ_is_named() -> None:
    assert len({own_file(Path("x"), rank, 4) for rank in range(4)}) == 4
    assert Answer("x", seconds=1.5, counted_by="server").about() == {
        "state": "answered", "counted_by": "server", "seconds": 1.5,
    }  # fmt: skip
    assert differences(RUN, {"type": "U", "arguments": {"a": 1, "b": {"c": 3}}, "new": [1]}) == (
        'model was "m" and is null; type was "T" and is "U"; '
        "arguments.b.c was 2 and is 3; new was null and is [1]"
    )


def reply(**more: Any) -> dict[str, Any]:
    choice = {"message": {"content": more.pop("text", "4")}, **more.pop("choice", {})}
    return {"choices": [choice], **more}


@pytest.mark.parametrize(
    ("body", "state", "text", "about"),
    [
        *((reply(choice={"finish_reason": reason}, text=""), "answered", "", {"finish": "length"})
          for reason in ("length", "max_tokens", "max_output_tokens", "model_length", "LENGTH")),
        *((reply(choice={"finish_reason": reason}, text=""), "answered", "", {"finish": reason})
          for reason in ("stop", "eos", "eos_token", "end_turn", "stop_sequence", "completed")),
        *((reply(choice={"finish_reason": reason}), "refused", "4", {"error": reason})
          for reason in ("content_filter", "refusal", "sensitive", "SAFETY", "recitation",
                         "prohibited_content", "blocklist", "spii")),
        *((reply(choice={"finish_reason": reason}), "missing", "", {})
          for reason in ("error", "tool_calls", "tool_use", "function_call", "abort", "cancelled",
                         "malformed_function_call", "insufficient_system_resource",
                         "network_error", "other")),
        (reply(choice={"message": {"content": "4", "function_call": {"name": "f"}}}), "missing",
         "", {}),
        (reply(error="x" * 400), "missing", "",
         {"error": f"the server sent an error: {'x' * 400}"[:300]}),
        (reply(stop_reason="end_turn"), "answered", "4", {"finish": "end_turn"}),
        (reply(choice={"finish_reason": "stop"}, stop_reason="length"), "answered", "4",
         {"finish": "stop"}),
        (reply(usage={
            "prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12, "cost": 3,
            "completion_tokens_details": {"reasoning_tokens": 6, "other": 1},
        }), "answered", "4", {"usage": {
            "prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12, "reasoning_tokens": 6,
        }}),
        (reply(usage={"prompt_tokens": "5", "completion_tokens": 7}), "answered", "4",
         {"usage": {"completion_tokens": 7}}),
        (reply(choice={"message": {"content": "4", "reasoning": "why"}}), "answered", "4",
         {"reasoning": "why"}),
        (reply(choice={"message": {"content": "4", "reasoning": "b", "reasoning_content": "a"}}),
         "answered", "4", {"reasoning": "a"}),
        (reply(text=[{"type": "thinking"}, {"text": "4"}, "x", {"text": "2"}]), "answered", "42",
         {}),
    ],
)  # fmt: skip
def test_what_a_reply_says(
    body: dict[str, Any], state: str, text: str, about: dict[str, Any]
) -> None:
    found = read_reply(body, lambda: [body["choices"][0]["message"]["content"]])
    assert (found.state, str(found)) == (state, text)
    assert found.about().items() >= about.items()
    again = Answer.from_row(json.loads(json.dumps({**found.about(), "text": found.text})))
    assert (again, again.about()) == (found, found.about())


def test_keys_at_every_depth_are_removed_and_options_of_tasks_stay() -> None:
    secret = "0123456789abc"
    found = redacted_json({
        "configs": {
            task: {"metadata": {
                "xlgo_options": "depth,sort_key", "depth": 3, "sort_key": secret, "languages": "en",
                "api_key": secret, "xlgo_seed": 7,
            }}
            for task in ("a", "b")
        },
        "runs": [{"inner": [{"x-api-key": secret}, {"token": [secret, "short"]}]}],
        "model_args": {"pretrained": "m", "hf_token": secret},
        "note": f"api_key={secret} and again token={secret}",
    })  # fmt: skip
    for task in ("a", "b"):
        metadata = found["configs"][task]["metadata"]
        assert (metadata["depth"], metadata["sort_key"], metadata["xlgo_seed"]) == (3, secret, 7)
        assert secret not in str(metadata["api_key"])
    assert found["runs"] == [{"inner": [
        {"x-api-key": "[removed]"}, {"token": ["[removed]", "short"]},
    ]}]  # fmt: skip
    assert found["model_args"]["pretrained"] == "m"
    assert secret not in str(found["model_args"])
    assert found["note"] == "api_key=[removed] and again token=[removed]"


OWN = {"model": "m", "type": "T"}


def test_any_cut_loses_at_most_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    with Answers(path, OWN) as answers:
        for number in range(2):
            answers.add(f"k{number}", Answer("ж🙂\u2028", reasoning="why"), {"id": number})
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        complete = max(0, whole[:cut].count(b"\n") - 1)
        for _ in range(2):  # the second opening finds what the first one wrote
            with Answers(path, OWN) as answers:
                assert len(answers) >= complete
                answers.add("new", Answer("x"))
        lines = path.read_bytes().split(b"\n")
        assert lines.pop() == b""
        assert [json.loads(line).get("key") for line in lines] == [
            None, *[f"k{n}" for n in range(complete)], "new", "new",
        ]  # fmt: skip


def test_what_is_missing_has_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "a.ndjson", list[int]()
    monkeypatch.setattr("os.fsync", synced.append)
    with Answers(path, OWN) as answers:
        answers.add("a", Answer("", MISSING, error="HTTP 500"))
        answers.add("b", Answer("", MISSING))
        answers.add("b", Answer("there"), {"text": "a note", "state": "missing"})
        answers.add("c", Answer("", REFUSED))
    assert synced  # at the end, for a power cut
    with Answers(path, OWN) as answers:
        assert (len(answers), answers.get("a"), answers.get("b"), answers.get("c").state) == (
            2, None, "there", REFUSED,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b'{"kind": "xlgo-answers", "schema": 1, "run": {"model": "other", "type": "T"}}\n',
            'holds another run (model was "other" and is "m")',
        ),
        (b'{"kind": "xlgo-answers", "schema": 2, "run": {}}\n', "has schema 2, this version reads"),
        (b'{"results": {}}\n', "line 1 is no line of answers: move the file away"),
        (b"[1, 2]\n", "line 1 is no line"),
        (b"plain text\n", "line 1 is no line"),
        (b"HEADER\x00\x00\n{}\n", "line 2 is no line of answers: remove that line"),
        (b"HEADER[]\n", "line 2 is no line"),
    ],
)
def test_what_is_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.ndjson"
    header = {"kind": KIND, "schema": 1, "run": OWN}
    content = content.replace(b"HEADER", json.dumps(header).encode() + b"\n")
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        Answers(path, OWN)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content
    path.unlink()
    Answers(path, OWN).__exit__()  # a refusal does not keep it locked


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    program = (
        "import sys; from pathlib import Path; from xlgo_lm_eval.answers import Answers\n"
        "try: Answers(Path(sys.argv[1]), {'model': 'm', 'type': 'T'})\n"
        "except ValueError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(path)]
    with Answers(path, OWN):
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "another run is writing to" in said
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def test_the_key_depends_on_all_that_an_answer_depends_on() -> None:
    given: dict[str, Any] = {
        "model": "a",
        "context": "What?",
        "settings": {"temperature": 1.0, "until": []},
        "draw": 0,
    }
    changed = {
        "model": "b",
        "context": "What? ",
        "settings": {"temperature": 0.9, "until": []},
        "draw": ["c", 1],
    }
    keys = {request_key(**{**given, name: value}) for name, value in changed.items()}
    keys |= {request_key(**{**given, "context": f"What?{half}"}) for half in ("", "\ud800")}
    assert len(keys) == 6
    swapped = {"until": [], "temperature": 1.0}
    assert request_key(**{**given, "settings": swapped}) == request_key(**given)
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})


@pytest.mark.parametrize("event", ['{"kind": "wrote"}', '{"kind": "planned"}'])
def test_a_spoiled_event_is_one_message(tmp_path: Path, event: str) -> None:
    own_file(tmp_path).write_text(f"{event}\n", "utf-8")
    with pytest.raises(ValueError, match="an event of its answers cannot be read"):
        steps_of(tmp_path)


@pytest.mark.parametrize("text", ['a "b" \\c\n\t', "తెలుగు \u2028\x7f\x00", "x" * 20_000])
def test_the_key_of_a_chat_is_that_of_its_json(text: str) -> None:
    """Folders of earlier runs have keys of ``json.dumps``, which takes long for long prompts."""
    chat = JsonChatStr(json.dumps([{"role": "user", "content": text}], ensure_ascii=False))
    terms = json.dumps(["m", {"until": []}, 0], sort_keys=True)
    sent = json.dumps([chat.prompt], ensure_ascii=False)
    assert request_key("m", chat, {"until": []}, 0) == (
        hashlib.sha256((terms + sent).encode()).hexdigest()
    )
