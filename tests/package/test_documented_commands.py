"""Every command line of README and docs is read by the real parsers, every snippet by Python.

Commands are then carried out on small results, and snippets run. A run is prepared, up to its first
question. Of another command only what a page cannot know is replaced: names of results by folders
that the frozen commands read, and sizes by smaller ones. What cannot run here stands in ``NOT_RUN``
with its reason.
"""

import argparse
import ast
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from lm_eval._cli.run import Run

import xlgo_cli
import xlgo_dataset as xd
from tests.frozen.folders import make
from tests.looping import looped
from xlgo_cli.cli import COMMANDS, build_parser, main
from xlgo_cli.harness.options import _parser as run_parser
from xlgo_cli.harness.prepared import prepared

pytestmark = pytest.mark.usefixtures("graded_once")
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.S | re.M)
_INLINE = re.compile(r"`(xlgo [^`]+)`")


def _lines(page: Path) -> Iterator[str]:
    """The command lines of the code blocks of a page, continued lines joined."""
    for _, body in _BLOCK.findall(page.read_text("utf-8")):
        for line in body.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|\|\||\| ", line):
                words = re.sub(r"^\s*(\$ )?(\w+=\S+ )*", "", part)
                if re.match(r"(\S*/)?xlgo ", words):
                    yield words.partition("xlgo ")[2].partition(" #")[0].rstrip(" &")


BLOCKS = [(page.name, line) for page in PAGES for line in _lines(page)]
INLINE = [
    (page.name, " ".join(words.split()).partition("xlgo ")[2])
    for page in PAGES
    for words in _INLINE.findall(page.read_text("utf-8"))
]
SNIPPETS = [
    pytest.param(body, id=f"{page.name}-{number}")
    for page in PAGES
    for number, (kind, body) in enumerate(_BLOCK.findall(page.read_text("utf-8")))
    if kind == "python"
]


def parsers(command: str) -> dict[str, argparse.ArgumentParser]:
    """The parsers of a command and of those below it, by name; its own is ``""``."""
    (commands,) = [
        action
        for action in build_parser(command)._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    own = commands.choices[command]
    below = [a for a in own._actions if isinstance(a, argparse._SubParsersAction)]
    return {"": own, **(below[0].choices if below else {})}


@looped(("page", "line"), BLOCKS)
def test_a_command_line_is_read(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    words = words[: next((n for n, word in enumerate(words) if word in (">", "|")), None)]
    if words[0] == "run":
        _, others = run_parser().parse_known_args(words[1:])
        assert {o.split("=")[0] for o in others if o.startswith("--")} <= known_to_run()
    else:
        build_parser(words[0]).parse_args(words)


@cache
def known_to_run() -> set[str]:
    """Options that ``xlgo run`` takes: its own and those of the harness."""
    harness = Run(argparse.ArgumentParser().add_subparsers())._parser
    return {*harness._option_string_actions, *run_parser()._option_string_actions}


@looped(("page", "line"), INLINE)
def test_a_command_within_a_sentence_exists_with_its_options(page: str, line: str) -> None:
    command, *rest = line.split()
    if command.startswith(("-", "0", "COMMAND")):
        return
    assert command in COMMANDS
    given = {o.strip("[](),").split("=")[0] for o in rest if o.startswith(("--", "[--"))}
    if command == "run":
        assert given <= known_to_run()
        return
    found = parsers(command)
    assert given <= set(found.get(rest[0] if rest else "", found[""])._option_string_actions)


@looped("body", [one.values[0] for one in SNIPPETS])
def test_a_snippet_is_python_and_what_it_imports_is_there(body: str) -> None:
    for node in ast.walk(ast.parse(body)):
        if isinstance(node, ast.Import):
            for name in node.names:
                pytest.importorskip(name.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = pytest.importorskip(node.module)
            for name in node.names:
                if not hasattr(module, name.name):
                    import_module(f"{node.module}.{name.name}")


def test_the_server_command_of_the_readme_runs(
    sim_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """As printed, but for the port and a limit of three questions a task."""
    (line,) = [line for page, line in BLOCKS if page == "README.md" and "base_url" in line]
    monkeypatch.chdir(tmp_path)
    line = line.replace("http://127.0.0.1:8000", sim_server.url)
    assert main([*shlex.split(line), "--limit", "3", "--quiet"]) == 0
    assert (tmp_path / capsys.readouterr().out.split()[-1]).is_file()
    assert (tmp_path / "results/server/xlgo_answers.ndjson").is_file()


_NAMED = re.compile(
    r"\b((?:benchmarks|tests|scripts|xlgo_dataset|xlgo_metric|lm_eval_tasks)/[\w./-]+\.\w+)"
)
_LEFT_OPEN = re.compile(r"^[A-Z][A-Z_0-9]{5,}$|\| *[A-Z]{4,}\d+ *\|", re.M)


@looped("page", [*PAGES, ROOT / "CONTRIBUTING.md"])
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    missing = [name for name in _NAMED.findall(text) if not (ROOT / name).exists()]
    # A page on adding something names files that its reader is to make.
    assert [name for name in missing if not page.name.startswith("adding_")] == []


@looped("page", [*PAGES, ROOT / "CONTRIBUTING.md"])
def test_no_figure_is_left_open(page: Path) -> None:
    assert _LEFT_OPEN.findall(page.read_text("utf-8")) == []


def test_the_snippet_of_the_readme_runs_as_printed() -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert (names["scores"]["accuracy"], names["scores"]["slt_diff_te"]) == (1, 0)


NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial" / "gap.ipynb"


def test_the_notebook_runs_and_its_finding_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert (names["right"].status, names["empty"].status) == ("correct", "no_answer")
    assert names["telugu"] != names["english"]
    found = names["cell"]
    # Simulated: its profile makes Telugu worse than English.
    assert found.n == 80
    assert found.difference > 0.1
    assert found.p_value < 0.05
    assert "English minus Telugu: +" in capsys.readouterr().out
    assert names["scores"].page.is_file()


_HUB = "needs an account on the Hub"
NOT_RUN = {
    "score RESULTS --table --tokenizer": "needs a tokenizer (tests/report/test_lengths.py)",
    "score RESULTS --table --metadata-file": "needs the data of PolyMath (tests/polymath)",
    "judge RESULTS --labels": "needs labels of people (tests/harness/test_judge.py)",
    "judge RESULTS --errors": "needs answers that are wrong (tests/parallel/test_errors.py)",
    "report LOGS --parallel 'mt_aime24_{lang}'": "needs logs of MT-AIME24",
    "leaderboard results/self-correction": "needs the published responses of KOR-Bench",
    "score results/0923_main": "needs the published responses of KOR-Bench",
    "compare before.csv": "needs tables (tests/parallel/test_tables.py)",
    "compare answers.jsonl --read choice": "needs options of two models (the same)",
    "report FOLDER --parallel 'global_mmlu_{lang}_*' --cluster-by none --read choice": "the same",
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
    "(tests/harness/test_run.py)",
    "compare logs/one.eval": "needs inspect",
    "leaderboard results/june/*": "is the command of two folders, which is run",
    "report logs": "needs inspect",
}
"""How a line begins that is not run, and why."""

NO_SNIPPET = {
    "long_runs.md-4": "needs a Ray cluster",
    "long_runs.md-5": "needs the ranks of a training job",
    "other_tools.md-3": "is run on a batch of its own",
    "polymath.md-0": "needs the data of PolyMath",
    "running_models.md-1": "needs the tokenizer of a model",
    "simple_reasoning.md-1": "needs the published UNPUZZLES",
    "training.md-0": "needs trl",
    "adding_a_language.md-3": "needs the language that the page has its reader add",
}

_NAMES = {
    "small": "outputs/ONE RESULTS RESULTS_A results results/run results/demo /shared/run1 RUN "
    "results/first <output_path> xlgo_results/some-run first A outputs/RUN",
    "second": "RESULTS_B B second outputs/OTHER EARLIER",
    "upstream": "FOLDER",
    "harness/acme__alpha": "LOGS ONE",
    "harness/acme__beta": "OTHER",
    "tables/answers.csv": "answers.csv",
    "tables/alpha.jsonl": "answers.jsonl",
    "alpha": "s1.1-14B",
    "": "RESULTS_C MORE ...",
}
_FORMS = {old: new for new, olds in _NAMES.items() for old in olds.split()}
_SIZE = ["--preset", "smoke", "--levels", "2", "--per-level", "1", "--languages", "en,te"]
_MORE = {
    "export": [*_SIZE, "--tasks", "slt"],
    "plan": ["--tasks", "t_rank", "--languages", "en,te", "--preset", "smoke"],
    "language new": ["--folder", "languages"],
    "audit export": ["--folder", "languages"],
}
"""What makes a command small, or leaves the package as it is."""


LINES = sorted(
    {" ".join(line.split()) for _, line in BLOCKS}
    | {line for _, line in INLINE if " -" in line or len(line.split()) > 2}
)
RUN = [line for line in LINES if not line.startswith(tuple(NOT_RUN))]
_SEEN: set[tuple[str, str]] = set()


def once(line: str) -> Any:
    """Quick if it is a run, or its command or one of its options stands in no line before it."""
    command, *words = line.split()
    new = {(command, word) for word in ["", *words] if not word or word[0] == "-"} - _SEEN
    _SEEN.update(new)
    return line if new or command == "run" else pytest.param(line, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small results, logs of another benchmark, tables and exported data."""
    folder = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make(["small", "second", "lit", "harness", "tables"])
        assert main(["export", *_SIZE, "--tasks", "slt", "--out", "xlgo"]) == 0
        design = ["--tasks", "slt,t_rank", "--languages", "en,te", "--metadata", "text=revised",
                  "complexities=5,14,24", "per_level=5"]  # fmt: skip
        assert main(["plan", "--save", "design.json", *design]) == 0
    (folder / "prices.toml").write_text("input = 1.0\noutput = 2.0\n")
    shutil.copytree(Path(xd.__file__).parent / "text" / "languages", folder / "languages")
    return folder


def small(line: str) -> list[str]:
    """The words of a command on a small scale."""
    for old, new in (
        ("results --parallel", "LOGS --parallel"), ("FOLDER --parallel", "LOGS --parallel"),
        ("results/*", "A B"), ("ORG/", "acme/"), ("mqm80_gated", "strict"),
    ):  # fmt: skip
        line = line.replace(old, new)
    words = [new for word in shlex.split(line) if (new := _FORMS.get(word, word))]
    if words[-1] == "--parallel":
        words.append("mgsm_direct_{lang}")
    if "global_mmlu_{lang}_*" in words:
        words += ["--pair-by", "sample_id"]
    if words[0] == "judge":
        return ["judge", "lit", "--model", "xlgo-sim", *(w for w in words if w == "--check")]
    if "--save" in words or words[0] == "export":  # beside what other commands read
        at = words.index("--save" if "--save" in words else "--out") + 1
        words[at] += "-again"
    return words + _MORE.get(words[0], _MORE.get(" ".join(words[:2]), []))


@pytest.mark.parametrize("line", map(once, RUN), ids=lambda line: line[:70])
def test_a_command_runs(line: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    if not line.startswith("run"):
        assert main(small(line)) == 0, shlex.join(small(line))
        return
    line = re.sub(r"--model (hf|vllm|MODEL|\.\.\.)", "--model xlgo-sim", line)
    line = re.sub(r"--model_args (pretrained\S+|\.\.\.)", "", line).replace("FILE", "prices.toml")
    words = shlex.split(line.replace("...", ""))[1:]
    assert {word for word in words if word.startswith("--")} <= known_to_run()
    run = prepared(["--model", "xlgo-sim", *words])
    assert run.tasks or run.designs


@pytest.mark.parametrize(
    "body", [one for one in SNIPPETS if one.id not in NO_SNIPPET and "README" not in str(one.id)]
)
def test_a_snippet_runs(body: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    for old, new in (
        *((f'"{old}"', f'"{new}"') for old, new in _FORMS.items()),
        ('baseline="zh"', 'baseline="te"'),
        ('["xlgo_slt"], preset="smoke"', '["xlgo_slt"], preset="smoke", levels=2'),
        ('languages="en,te", cond', 'languages="en,te", levels=1, per_level=1, cond'),
    ):
        body = body.replace(old, new)
    exec(body, {"instance": xd.generate("dsa", complexity=9), "xlgo_cli": xlgo_cli})


def test_the_recipe_for_batches_writes_the_answers_that_are_there(folder: Path) -> None:
    lines = [
        {"custom_id": f"{number}", "error": None, "response": {"body": {
            "model": "m", "choices": [{"message": {"content": f"It is {number}."}}],
        }}}
        for number in range(3)
    ]  # fmt: skip
    lines[1] |= {"response": None, "error": {"code": "batch_expired", "message": "expired"}}
    (folder / "batch_output.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (folder / "questions.csv").write_text("custom_id,language\n0,en\n1,en\n2,te\n", "utf-8")
    (recipe,) = [str(one.values[0]) for one in SNIPPETS if "batch_output" in str(one.values[0])]
    exec(recipe, {})
    found = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    assert [list(row.values()) for row in found] == [
        ["0", "m", "It is 0.", "en"],
        ["2", "m", "It is 2.", "te"],
    ]


def test_what_is_not_run_is_in_the_docs_and_little() -> None:
    for start in NOT_RUN:
        assert any(line.startswith(start) for line in LINES), start
    assert set(NO_SNIPPET) <= {str(one.id) for one in SNIPPETS}
    assert len(RUN) > 0.55 * len(LINES)
