"""Folders that the frozen commands read, and the server that they ask: all made by rule.

The runs of the simulated model are those of ``inputs.tar.xz``.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.chat_server import ChatServer, message
from tests.doors.logs_of_others import Asked, write_instances, write_traces
from tests.lit.conftest import write_profile, write_texts
from tests.polymath.fixture import FIXTURE

from .inputs import unpack

EXPRESSIONS = {"xd": xd, "xm": xm, "np": np, "pd": pd, "json": json, "Path": Path}
"""What the expressions may use."""
DATE = "2026-03-01T10-00-00.000001"
_SHARES = {"en": 76, "de": 72, "sw": 60, "te": 46}
"""Below which mean of two drawn numbers a question is answered right."""
_NATIVE = {"te": str.maketrans("0123456789", "౦౧౨౩౪౫౬౭౮౯")}
_TRIED: set[str] = set()
"""Prompts that the server refused once."""
_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def drawn(*key: object) -> int:
    """A number below 100 that depends on the key alone."""
    return int(sha256(repr(key).encode()).hexdigest()[:8], 16) % 100


def _right(language: str, number: int, model: str = "") -> bool:
    shared, own = drawn("question", number), drawn(language, number, model)
    return (shared + own) / 2 < _SHARES[language] + 9 * model.startswith("beta")


def _rows(task: str, model: str = "", n: int = 120) -> list[dict[str, Any]]:
    """Answers to sums: a row each, with verdict, response and passage."""
    rows = []
    for number, code in product(range(n), _SHARES):
        gold = 10 + (7 * number) % 89
        is_right = _right(code, number, model + task)
        said = str(gold + (not is_right)).translate(_NATIVE.get(code, {}) if number % 3 else {})
        forms = (f"So \\boxed{{{said}}}", f"The answer is {said}.", f"**Answer:** {said}", said)
        rows.append(
            {
                "question_id": f"q{number}",
                "language": code,
                "correct": int(is_right),
                "task": task,
                "model": model,
                "passage_id": f"p{number // 4}",
                "response": forms[drawn("form", number, code) % 4],
                "gold": str(gold),
            }
        )
    return rows


def _write_tables(folder: Path) -> None:
    folder.mkdir()
    plain = pd.DataFrame(_rows("sums")).drop(columns=["task", "model", "response", "gold"])
    plain.to_csv(folder / "answers.csv", index=False)
    plain.to_csv(folder / "answers.tsv", index=False, sep="\t", encoding="utf-8-sig")
    plain.to_parquet(folder / "answers.parquet")
    names = {"question_id": "qid", "language": "tongue", "correct": "ok"}
    plain.rename(columns=names).to_csv(folder / "named.csv", index=False, sep=";")
    two = pd.DataFrame(
        [row for m in ("alpha", "beta") for t in ("sums", "more") for row in _rows(t, m)]
    )
    two.drop(columns=["response", "gold"]).to_csv(folder / "two.csv", index=False)
    for model in ("alpha", "beta"):
        two[two["model"] == model].to_json(
            folder / f"{model}.jsonl", orient="records", lines=True, force_ascii=False
        )
    options = [
        {
            "id": n,
            "lang": code,
            "gold": "ABCD"[n % 4],
            "choices": ["red", "blue", "green", "black"],
            "response": f"Answer: {'ABCD'[(n + (not _right(code, n))) % 4]}",
            "correct": _right(code, n),
            "subject": ("law", "art")[n % 2],
            "epoch": epoch,
        }
        for n, code, epoch in product(range(30), ("en", "te", "sw"), range(2))
    ]
    pd.DataFrame(options).to_json(folder / "choices.jsonl", orient="records", lines=True)
    ratings = [
        f"{m},{c},{s}" for m, c, s in zip("abcabc", ["en"] * 3 + ["te"] * 3, (9, 7, 4, 8, 3, 1))
    ]
    (folder / "ratings.csv").write_text("\n".join(["model,language,score", *ratings]) + "\n")


def _write_log(folder: Path, name: str, docs: dict[str, list[dict[str, Any]]], **more: Any) -> None:
    """A folder as lm-evaluation-harness leaves it, of tasks that are not ours."""
    folder = folder / name
    folder.mkdir(parents=True)
    for task, lines in docs.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"samples_{task}_{DATE}.jsonl").write_text(text)
    (folder / f"results_{DATE}.json").write_text(
        json.dumps(
            {
                "results": {},
                "config": {
                    "model": "hf",
                    "model_args": f"pretrained={name}",
                    "gen_kwargs": None,
                    **more,
                },
                "model_name": name.replace("__", "/"),
                "model_source": "hf",
                "lm_eval_version": "0.4.13",
                "versions": dict.fromkeys(docs, 2.0),
                "n-shot": dict.fromkeys(docs, 0),
            }
        )
    )


def _generated(code: str, model: str) -> Iterator[dict[str, Any]]:
    """Lines of a log of answers with two filters, of which one knows only the digits 0 to 9."""
    for row in (row for row in _rows("mgsm", model) if row["language"] == code):
        number, said = int(row["question_id"][1:]), row["response"]
        for name in ("strict-match", "flexible-extract"):
            is_right = row["correct"] and said.isascii() and (name[0] == "f" or "answer" in said)
            yield {
                "doc_id": number,
                "doc": {"question": f"{code} {number}", "answer_number": row["gold"]},
                "target": row["gold"],
                "arguments": {
                    "gen_args_0": {"arg_0": f"Q {code} {number}", "arg_1": {"until": ["\n\n"]}}
                },
                "resps": [[said]],
                "filtered_resps": [said],
                "filter": name,
                "metrics": ["exact_match"],
                "exact_match": float(is_right),
            }


def _chosen(code: str, subject: str) -> Iterator[dict[str, Any]]:
    """Lines of a log of choices, in another order in each language."""
    for doc_id, number in enumerate(range(24) if code == "en" else reversed(range(24))):
        is_right = _right(code, number, subject)
        yield {
            "doc_id": doc_id,
            "doc": {
                "sample_id": f"{subject}/{number}",
                "link": f"l{number // 3}",
                "question_number": number % 3,
                "option_a": "x",
            },
            "target": str(number % 4),
            "arguments": {"gen_args_0": {"arg_0": f"{subject} {code} {number}", "arg_1": " A"}},
            "resps": [["-1.0", "True"]],
            "filtered_resps": [["-1.0", "True"]],
            "filter": "none",
            "metrics": ["acc", "acc_norm"],
            "acc": float(is_right),
            "acc_norm": float(is_right or number % 5 == 0),
        }


def _write_harness(folder: Path) -> None:
    for model in ("acme__alpha", "acme__beta"):
        docs = {f"mgsm_direct_{code}": [*_generated(code, model)] for code in _SHARES}
        docs |= {
            f"global_mmlu_{c}_{s}": [*_chosen(c, s)]
            for c in ("en", "sw", "te")
            for s in ("law", "art")
        }
        _write_log(folder, model, docs)


def _write_tools(folder: Path) -> None:
    """Logs of verifiers and every_eval_ever, of sums and of our own questions."""
    asked = [
        Asked(
            f"{row['question_id']}-{row['language']}",
            f"What is {row['gold']}?",
            None if drawn("failed", n) < 3 else row["response"],
            {"language": row["language"]},
            {"correct": float(row["correct"])},
            row["gold"],
        )
        for n, row in enumerate(_rows("sums"))
    ]
    write_traces(folder / "verifiers", asked)
    answered = [one for one in asked if one.response is not None]
    again = [replace(one, data={**one.data, "repeat": "1"}) for one in answered[::5]]
    write_instances(folder / "every_eval_ever", answered + again)
    rows = xd.family("xlgobench").rows("slt", ["en", "te"], complexities=[4, 9, 16], per_level=4)
    write_traces(
        folder / "own",
        [
            Asked(
                row["id"],
                row["prompt"],
                row["answer"] if drawn(row["id"]) < 70 else "{}",
                {name: row[name] for name in ("reference", "language", "task")},
            )
            for row in rows
        ],
    )


def _write_files(folder: Path) -> None:
    """Small inputs of runs: texts, problems, profiles, models."""
    folder.mkdir()
    write_texts(folder / "texts.jsonl")
    write_profile(folder / "lossy.json")
    (folder / "polymath").symlink_to(FIXTURE)
    (folder / "kor").symlink_to(Path(__file__).parents[1] / "korbench" / "fixture")


def _write_run(folder: Path) -> None:
    """A small run of a simulated model."""
    (entry,) = entry_points(group="console_scripts", name="xlgo")
    model = f"seed={int(folder.name == 'second')},model={folder.name}"
    asked = "--tasks slt,t_rank --languages en,te --complexities 5,14,24 --per-level 5"
    words = ["run", "-q", "--model", "xlgo-sim", "--model_args", model, *asked.split()]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert entry.load()([*words, "-o", str(folder)]) == 0
    for path in folder.rglob("[rsx]*.*json*"):
        path.write_text(re.sub(r'seconds": [\d.e-]+', 'seconds": 0.1', path.read_text()))


_WRITE = {
    "tables": _write_tables,
    "harness": _write_harness,
    "tools": _write_tools,
    "files": _write_files,
    "small": _write_run,
    "second": _write_run,
}


@cache
def _stored() -> Path:
    """The stored folders, until the process ends."""
    _KEPT.append(tempfile.TemporaryDirectory())
    return unpack(Path(_KEPT[-1].name))


@cache
def _made(name: str) -> Path:
    """A folder, written once."""
    folder = _stored() / name
    if name in _WRITE:
        _WRITE[name](folder)
    return folder


def make(names: Sequence[str]) -> None:
    """Copy folders into this one."""
    for name in names:
        shutil.copytree(_made(name), name, symlinks=True)


@cache
def _ciphers() -> dict[str, str]:
    """Answers to the ciphers by their questions."""
    text = (Path(__file__).parents[1] / "korbench/fixture/cipher/sample.jsonl").read_text("utf-8")
    return {row["question"]: row["answer"] for row in map(json.loads, text.splitlines())}


def _solved(prompt: str) -> str:
    """The right answer to a puzzle, or a text with one word less."""
    if prompt.startswith("Translate"):
        words = prompt.partition("<text>")[2].partition("</text>")[0].split()
        return " ".join(words[: -1 - drawn(prompt) % 2])
    for question, answer in _ciphers().items():
        if question in prompt and drawn(prompt) % 3:
            return answer
    for task, code, text in product(("slt", "t_rank"), ("en", "te"), xd.TEXTS):
        with suppress(ValueError):
            return json.dumps(xd.solve(xd.read(task, prompt, code, text)))
    return f"\\boxed{{{drawn(prompt) % 5}}}"


def _reply(prompt: str, body: dict[str, Any]) -> tuple[int, Any]:
    """What the server says: mostly right, sometimes of every other kind."""
    number = drawn(prompt)
    if body.get("model") == "judge":
        return 200, message(_judgement(prompt, number))
    answer = _solved(prompt)
    if number % 13 == 5 and prompt not in _TRIED:
        _TRIED.add(prompt)
        return 429, {"error": {"message": "slow down"}}
    if prompt == "Say OK." or number < (90 if prompt.startswith("Translate") else 55):
        return 200, message(answer)
    special = {
        0: (400, {"error": {"message": "context length exceeded", "code": 400}}),
        1: (200, message(answer[: len(answer) // 2], ("length", "max_tokens")[number % 2])),
        2: (200, message("", "content_filter")),
        3: (200, message("")),
        4: (200, message(answer, reasoning_content="Let me think.") | {"usage": {
            "prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8,
            "completion_tokens_details": {"reasoning_tokens": 4},
        }}),
        5: (200, message("<think>Hm.</think>" + answer)),
        6: (200, message(None, "tool_calls")),
        7: (200, {"error": {"message": "overloaded"}}),
        8: (200, message("", "length", reasoning="and so on")),
    }  # fmt: skip
    return special.get(number % 9, (200, message(answer)))


def _judgement(prompt: str, number: int) -> str:
    """A judge's reply, which sometimes cannot be read."""
    if number % 7 == 0:
        return "Hm."
    if '"score"' in prompt:
        return json.dumps({"score": 100 - number // 2})
    if "supports" in prompt:
        return f"Final answer: {('supports', 'contradicts', 'unrelated')[number % 3]}"
    if "different" in prompt:
        return f"Final answer: {('yes', 'no', 'no')[number % 3]}"
    error = {
        "category": "accuracy/omission",
        "severity": ("minor", "major")[number % 2],
        "span": "x",
    }
    return json.dumps({"errors": [error] * (number % 3)})


def requests(server: ChatServer) -> list[dict[str, Any]]:
    """Path, whether the key is the environment's, and body of each request, by their texts."""
    keys = {None: "none", "Bearer sk-secret": "the key"}
    asked = [
        {"path": path, "key": keys.get(key, "another"), **body}
        for (path, key), body in zip(server.sent, server.bodies)
    ]
    return sorted(asked, key=str)


def forget(server: ChatServer) -> None:
    """Forget the requests."""
    for seen in (server.prompts, server.bodies, server.sent, _TRIED):
        seen.clear()


def server() -> ChatServer:
    """The scripted server, to be used as a context."""
    return ChatServer(_reply)
