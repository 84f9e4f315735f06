"""Every command line and snippet of README and docs runs, on a small scale.

A command keeps its options; only what a page cannot know is replaced: names of models by the
simulated one, names of results by small runs that are made once, and sizes by smaller ones. What
cannot run here stands in ``NOT_RUN`` with its reason.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

import xlgo_dataset as xd
from tests.package.test_documented_commands import BLOCKS, INLINE, SNIPPETS, known_to_run
from tests.parallel import made
from xlgo_cli.cli import main

_HUB = "needs an account on the Hub"
NOT_RUN = {
    "kor": "needs the data of KOR-Bench, which is not part of the package",
    "run --tasks simple_char_count --repeats": "needs WikiText-2 from the Hub",
    "run --tasks simple_reasoning --repeats": "needs WikiText-2 from the Hub",
    "score RESULTS --table --tokenizer": "needs a tokenizer (tests/report/test_lengths.py)",
    "score RESULTS --table --metadata-file": "needs the data of PolyMath (tests/polymath)",
    "judge RESULTS --labels": "needs labels of people (tests/harness/test_judge.py)",
    "judge RESULTS --errors": "needs answers that are wrong (tests/parallel/test_errors.py)",
    "report LOGS --parallel 'mt_aime24_{lang}'": "needs logs of MT-AIME24",
    "run --tasks polymath_": "needs the data of PolyMath, which is not part of the package",
    "leaderboard results/self-correction": "needs the published responses of KOR-Bench",
    "score results/0923_main": "needs the published responses of KOR-Bench",
    "compare before.csv": "needs tables (tests/parallel/test_tables.py)",
    "compare …": "is a form, not a command",
    "run --tasks xlgo_slt_en --text te_slt.toml": "needs a file of strings (tests/harness)",
    "compare RUNS/without": "needs the data of KOR-Bench (tests/korbench)",
    "compare results/0923_main": "needs the published responses of KOR-Bench",
    "publish metric --repo-id": _HUB,
    "publish leaderboard --folder leaderboard --repo-id ORGANISATION/board": _HUB,
    "publish dataset --folder xlgo --repo-id ORGANISATION/xlgo --private": _HUB,
    "audit import": "needs a sheet that a speaker filled in (tests/languages)",
    "run --model xlgo-sim --tasks slt,t_rank --languages en,si": "needs the file that the page has "
    "its reader fill in",
    "language check si": "needs the file that the page has its reader fill in",
    "run --model xlgo-sim --tasks <puzzle>": "needs the puzzle that the page has its reader add",
    "run --plan FILE": "needs a plan: see tests/plan",
    "score LOGS": "is a form, not a command",
    "judge LOGS --errors": "needs answers that are wrong (tests/parallel/test_errors.py)",
    "correlate ratings.csv": "needs LiT results of three models (tests/lit)",
    "publish results": "needs the Hub (tests/hub/test_publish.py)",
    "run --models models.toml --preset lite --output_path results/june": "starts a process a model "
    "(tests/harness/test_several.py)",
    "compare logs/one.eval": "needs inspect",
    "run --model ... --tasks xlgo_slt --languages en,te --conditions": "takes long: the command of "
    "why.md is run, and tests/conditions/ all conditions",
    "leaderboard results/june/*": "is the command of two folders, which is run",
    "report logs": "needs inspect",
}
"""How a line begins that is not run, and why; ``kor`` stands for all its tasks."""

NO_SNIPPET = {
    "long_runs.md-4": "needs a Ray cluster",
    "long_runs.md-5": "needs the ranks of a training job",
    "polymath.md-0": "needs the data of PolyMath",
    "running_models.md-1": "needs the tokenizer of a model",
    "simple_reasoning.md-1": "needs the published UNPUZZLES",
    "training.md-0": "needs trl",
    "adding_a_language.md-3": "needs the language that the page has its reader add",
}

_RESULTS = {
    "one": "outputs/ONE RESULTS RESULTS_A results results/run results/demo /shared/run1 RUN "
    "results/first <output_path> xlgo_results/some-run first A outputs/RUN",
    "two": "RESULTS_B B second outputs/OTHER EARLIER",
    "three": "RESULTS_C",
    "upstream": "FOLDER",
    "20": "DATE",
}
_LOGS = {"sums": "LOGS ONE", "other": "OTHER", "third": "MORE"}
_FILES = {
    "global_mmlu_{lang}_*": ("FOLDER", "global_mmlu"),
    "--read choice": ("answers.jsonl", "choices.jsonl"),
    "--written": ("answers.jsonl", "numbers.jsonl"),
}
"""What a command reads, by its options: a page has one name for several tables."""

_FORMS = {
    old: new for places in (_RESULTS, _LOGS) for new, olds in places.items() for old in olds.split()
}


def reason(line: str) -> str | None:
    """Why a line is not run, if it is not."""
    if re.search(r"--tasks kor", line):
        return NOT_RUN["kor"]
    return next((why for start, why in NOT_RUN.items() if line.startswith(start)), None)


LINES = sorted(
    {" ".join(line.split()) for _, line in BLOCKS}
    | {line for _, line in INLINE if " -" in line or len(line.split()) > 2}
)
RUN = [line for line in LINES if reason(line) is None]
_SEEN: set[tuple[str, str]] = set()


def once(line: str) -> Any:
    """Quick if an option of its command stands in no line before it."""
    command, *words = line.split()
    new = {(command, word) for word in words if word.startswith("-")} - _SEEN
    _SEEN.update(new)
    return line if new or "--" not in line else pytest.param(line, marks=pytest.mark.slow)


NUMBERS = {"en": "The answer is", "sw": "Jibu ni", "te": "సమాధానం"}
LETTERS = {"en": "The correct answer is", "sw": "Jibu sahihi ni", "te": "సరైన సమాధానం"}


def numbered(model: str) -> list[dict[str, str]]:
    """Answers with reasoning, each a number, as a table of answers has them."""
    return [
        {"custom_id": f"{code}-{number}", "model": model, "question_id": f"{number:02}",
         "language": code, "gold": str(number),
         "response": f"<think>{words} {number}?</think>{words} {number + (number % 7 == 1)}."}
        for code, words in NUMBERS.items()
        for number in range(20)
    ]  # fmt: skip


def batch(folder: Path) -> list[dict[str, str]]:
    """Write the output of a batch, one request of which failed, and the table of its questions.

    Returns:
        The answers that are there.
    """
    rows = numbered("s1.1-14B")
    lines: list[dict[str, Any]] = []
    for row in rows:
        message = {"role": "assistant", "content": row["response"]}
        body = {"model": row["model"], "choices": [{"index": 0, "message": message}]}
        response = {"status_code": 200, "body": body}
        lines.append({"custom_id": row["custom_id"], "response": response, "error": None})
    lines[25] |= {"response": None, "error": {"code": "batch_expired", "message": "expired"}}
    (folder / "batch_output.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        names = ["custom_id", "question_id", "language", "gold"]
        table = csv.DictWriter(file, names, extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)
    return [*rows[:25], *rows[26:]]


def lettered() -> list[dict[str, Any]]:
    """Answers of two models in letters, each with the options of its question."""
    return [
        {"model": model, "language": code, "sample_id": f"{number:02}", "gold": "ABCD"[number % 4],
         "options": [f"{number + n}" for n in range(4)],
         "response": f"{words} {'ABCD'[(number + (number % step == 0)) % 4]}."}
        for model, step in (("acme/one", 5), ("acme/two", 9))
        for code, words in LETTERS.items()
        for number in range(20)
    ]  # fmt: skip


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def write_global_mmlu(folder: Path) -> None:
    """Write a log as the harness does, whose exact match finds no letter in a sentence."""
    folder.mkdir()
    for row in lettered():
        if row["model"] == "acme/one":
            subject = ("stem", "other")[int(row["sample_id"]) % 2]
            name = f"samples_global_mmlu_{row['language']}_{subject}_2026-01-01T00-00-00.jsonl"
            doc = {"sample_id": row["sample_id"]}
            doc |= {f"option_{letter}": text for letter, text in zip("abcd", row["options"])}
            line = {
                "doc_id": int(row["sample_id"]) // 2, "doc": doc, "target": row["gold"],
                "arguments": [[f"{row['language']} {row['sample_id']}", {}]], "filter": "none",
                "resps": [[row["response"]]], "filtered_resps": [row["response"]],
                "metrics": ["exact_match"], "exact_match": 0.0,
            }  # fmt: skip
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small results of three models, logs of another benchmark and exported data."""
    folder = tmp_path_factory.mktemp("docs")
    small = ["--preset", "smoke", "--levels", "4", "--per-level", "2", "--languages", "en,te,zh"]
    for name, profile in (("one", "demo"), ("two", "gemini-3-flash"), ("three", "gemma-4-31b-it")):
        model = ["--model", "xlgo-sim", "--model_args", f"profile={profile}", "--quiet"]
        out = ["--tasks", "slt,t_rank", "--out", str(folder / name)]
        assert main(["run", *model, *small, *out]) == 0
    tasks = [made.generation(code, made.sums(code)) for code in ("en", "te")]
    for name in ("sums", "other", "third"):
        made.ask(folder / name, tasks, lambda _, number: number % 5 > 1, model=f"acme/{name}")
    assert main(["run", "--model", "xlgo-sim", "--tasks", "lit", "--limit", "1", "--quiet",
                 "--judge", "none", "--out", str(folder / "lit")]) == 0  # fmt: skip
    assert main(["export", "--preset", "smoke", "--levels", "2", "--per-level", "1", "--tasks",
                 "slt", "--languages", "en,te", "--out", str(folder / "xlgo")]) == 0  # fmt: skip
    (folder / "ratings.csv").write_text(
        "model,score\nxlgo-sim-demo,3\nxlgo-sim-gemini-3-flash,2\nxlgo-sim-gemma-4-31b-it,1\n"
    )
    write_table(folder / "answers.jsonl", batch(folder))
    write_table(folder / "numbers.jsonl", [*numbered("s1.1-14B"), *numbered("s1.1-32B")])
    write_table(folder / "choices.jsonl", lettered())
    write_global_mmlu(folder / "global_mmlu")
    verdicts = [
        "question_id,language,correct",
        *(
            f"{number},{code},{int(number % step > 0)}"
            for code, step in (("en", 9), ("te", 4))
            for number in range(20)
        ),
    ]
    (folder / "answers.csv").write_text("\n".join(verdicts))
    (folder / "prices.toml").write_text("input = 1.0\noutput = 2.0\n")
    (folder / "models.toml").write_text("[[models]]\nname = 'sim'\ntype = 'xlgo-sim'\n")
    design = ["--save", str(folder / "required.json"), "--tasks", "slt,t_rank",
              "--preset", "smoke", "--languages", "en,te,zh", "--metadata", "levels=4",
              "per_level=2"]  # fmt: skip
    assert main(["plan", *design]) == 0
    shutil.copytree(Path(xd.__file__).parent / "text" / "languages", folder / "languages")
    return folder


def small(line: str, url: str) -> list[str]:
    """The words of a command on a small scale."""
    words = shlex.split(re.sub(r"\[--.*?\]|\.\.\.", "", line))
    words = words[: next((n for n, word in enumerate(words) if word in (">", "|")), None)]
    files = dict(pair for option, pair in _FILES.items() if option in line)
    words = [files.get(word, word) for word in words]
    if "--parallel" in words and "global_mmlu" not in words:
        at = words.index("--parallel") + 1
        words[at : at + ("{lang}" in " ".join(words[at : at + 1]))] = ["sums_{lang}"]
        words = ["sums" if word == "results" else word for word in words]
    if words[0] in ("report", "score") and (len(words) < 2 or words[1].startswith("-")):
        words[1:1] = ["sums" if "--parallel" in words else "one"]
    if words[0] == "run":
        return run_words(words, url)
    words = [_FORMS.get(word, word) for word in words]
    if "--require" in words:
        words[words.index("--require") + 1] = "required.json"
    if words[:2] == ["judge", "one"] or "--metric" in words:
        words[1:2] = ["lit"]
    if words[0] == "compare" and "FOLDER" in line:
        words = ["compare", "one", "two"]
    if words[0] == "compare" and "mqm80_gated" in words:  # of chains; these folders are puzzles
        words[words.index("mqm80_gated")] = "strict"
    if words[0] == "leaderboard" and "*" in line:
        words[1:2] = ["one", "two"]
    if words[0] == "plan" and "lit" not in words:
        words += ["--tasks", "t_rank", "--languages", "en,te", "--preset", "smoke"]
    if words[0] == "judge":
        return ["judge", "lit", "--model", "xlgo-sim", *(w for w in words if w == "--check")]
    if words[0] == "export":
        words += ["--preset", "smoke", "--levels", "2", "--per-level", "1"]
        words += ["--languages", "en,te", "--tasks", "slt"]
        words[words.index("--out") + 1] += "-again"
    if words[0] in ("language", "audit") and words[1] in ("new", "export"):
        words += ["--folder", "languages"]
    return [word.replace("ORG/", "acme/") for word in words]


def _braces(word: str) -> str:
    """What a shell makes of braces, joined by commas."""
    before, _, rest = word.partition("{")
    inside, _, after = rest.partition("}")
    return ",".join(f"{before}{one}{after}" for one in inside.split(",")) if rest else word


def run_words(words: list[str], url: str) -> list[str]:
    """A run with the simulated model, or the server that serves it, of a few questions."""
    served = "chat-completions" in " ".join(words)
    options: dict[str, list[str]] = {}
    for word in words[1:]:
        if word.startswith("--"):
            options[word] = []
        else:
            options[list(options)[-1]].append(word)
    adaptive = "adaptive" in options.get("--design", [])
    for name in ("--preset", "--levels", "--per-level", "--budget", "--limit", "--repeats"):
        options.pop(name, None)
    if not served:
        for name in ("--model_args", "--apply_chat_template"):
            options.pop(name, None)
        options["--model"] = ["xlgo-sim"]
    options |= {name: ["prices.toml"] for name in ("--prices",) if name in options}
    for name in {"--model_args", "--judge-args"} & set(options):
        options[name] = [f"model=sim,base_url={url}/v1/chat/completions"]
    tasks = " ".join(map(_braces, options.get("--tasks", ["t_rank"])))
    options["--tasks"] = ["t_rank" if adaptive else tasks]
    if "--fresh" not in options:  # a page's commands are of one run, but not of the same one
        options.pop("--output_path", None)
        options["--out"] = [f"run-{sum(map(ord, ' '.join(words)))}"]
    options["--quiet"] = []
    if adaptive:
        options |= {"--budget": ["40"], "--c-min": ["4"], "--c-max": ["9"]}
        options["--languages"] = ["en,te"]
    else:
        options["--limit"] = ["1"]
    if not adaptive and "--complexities" not in options and re.search("xlgo|t_rank", tasks):
        options |= {"--preset": ["smoke"], "--levels": ["2"], "--per-level": ["1"]}
        if not re.search("_(te|en)( |$)", tasks):
            options.setdefault("--languages", ["en,te"])
    return ["run", *(word for name, values in options.items() for word in (name, *values))]


@pytest.mark.parametrize("line", map(once, RUN), ids=lambda line: line[:70])
def test_a_command_runs(
    line: str, place: Path, sim_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    words = small(line, sim_server.url)
    if words[0] == "run":
        assert {w for w in words if w.startswith("--")} <= known_to_run()
    assert main(words) == 0, shlex.join(words)


@pytest.mark.parametrize(
    "body", [one for one in SNIPPETS if one.id not in NO_SNIPPET and "README" not in str(one.id)]
)
def test_a_snippet_runs(body: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    body = body.replace('Path("results"), ["mgsm_direct_{lang}"]', 'Path("sums"), ["sums_{lang}"]')
    for old, new in _FORMS.items():
        body = body.replace(f'"{old}"', f'"{new}"')
    body = body.replace('["xlgo_slt"], preset="smoke"', '["xlgo_slt"], preset="smoke", levels=2')
    body = body.replace('languages="en,te", cond', 'languages="en,te", levels=1, per_level=1, cond')
    names: dict[str, Any] = {"instance": xd.generate("dsa", complexity=9)}
    if "xlgo_cli." in body and "import xlgo_cli" not in body:
        import xlgo_cli

        names["xlgo_cli"] = xlgo_cli
    exec(body, names)


def test_the_recipe_for_batches_writes_the_answers_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = batch(tmp_path)
    monkeypatch.chdir(tmp_path)
    (recipe,) = [str(one.values[0]) for one in SNIPPETS if "batch_output" in str(one.values[0])]
    exec(recipe, {})
    lines = (tmp_path / "answers.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_what_is_not_run_is_in_the_docs_and_little() -> None:
    for start in NOT_RUN:
        assert start == "kor" or any(line.startswith(start) for line in LINES), start
    assert set(NO_SNIPPET) <= {str(one.id) for one in SNIPPETS}
    assert len(RUN) > 0.55 * len(LINES)
