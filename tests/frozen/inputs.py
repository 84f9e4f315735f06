"""The answers that the frozen numbers are made of: runs of the simulated model at seed 0.

They are stored in ``inputs.tar.xz``, so that a change of a prompt does not change them. Only a new
kind of run makes them again: ``python -m tests.frozen.inputs`` (two minutes), then
``python -m tests.frozen --write scores sentences``.
"""

import io
import json
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.polymath.fixture import FIXTURE

HERE = Path(__file__).parent
STORED = HERE / "inputs.tar.xz"
_TESTS = HERE.parent
_SOLVED = {"polymath": r"So it is $\boxed{{{}}}$.", "korbench": "So it is {}."}
_PUZZLES = ["--complexities", "5,9,14,20,28,40", "--per-level", "6"]
_CURVES = {
    "en": {"q": 20, "r": 0.0017},
    "hi": {"q": 20, "r": 0.0016},
    "bn": {"q": 20, "r": 0.0018},
    "ta": {"q": 20, "r": 0.0017},
    "te": {"q": 20, "r": 0.03},
}


def _runs(made: Path) -> dict[str, list[str]]:
    """The arguments of ``xlgo run`` for each run, by the name of its folder."""
    (made / "far.json").write_text(json.dumps({"tasks": {"slt": _CURVES}}))
    texts = made / "texts.jsonl"
    words = "river stone light garden window paper silver morning kettle basket meadow lantern"
    texts.write_text(
        "".join(
            json.dumps(
                {"text_id": f"t{n}", "text": " ".join(words.split()[n:]), "subcategory": kind}
            )
            + "\n"
            for n, kind in enumerate(("stem", "informal", "inference"))
        )
    )
    lossy = made / "lossy.json"
    loss = {"default": 0.02, "ha": 0.1, "am": 0.05, "qu": 0.2, "en": 0.0}
    lossy.write_text(json.dumps({"tasks": {}, "translation": {"loss": loss}}))
    several = ["--tasks", "xlgo_slt,xlgo_t_rank", "--languages", "en,ar,te,zh", *_PUZZLES]
    simple = "logic_eval,proof_tree,travel"
    return {
        "puzzles": several,
        "strong": ["--model_args", "seed=1,model=strong", *several],
        "weak": ["--model_args", "seed=2,model=weak,coupling=0.5", *several],
        "conditions": [
            "--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "5,9,14,20",
            "--per-level", "8", "--conditions", "plain,english_rules,english_lines",
        ],
        "adaptive": [
            "--model_args", f"profile={made / 'far.json'}", "--design", "adaptive", "--tasks",
            "xlgo_slt", "--languages", ",".join(_CURVES), "--budget", "60", "--c-min", "2",
            "--c-max", "60",
        ],
        "polymath": [
            "--tasks", "polymath_en,polymath_te,polymath_zh", "--metadata",
            f"polymath_path={FIXTURE}",
        ],
        "simple": [
            "--tasks", ",".join(f"simple_{name}" for name in simple.split(",")), "--languages",
            "en,te,hi", "--text", "parallel", "--limit", "24",
        ],
        "korbench": [
            "--tasks", "kor,kor_self_correction", "--metadata",
            f"source={_TESTS / 'korbench' / 'fixture'}",
        ],
        "lit": [
            "--model_args", f"profile={lossy}", "--tasks", "lit_africa,lit_e_asia", "--metadata",
            f"source={texts}", "--judge", "xlgo-sim",
        ],
    }  # fmt: skip


def make() -> None:
    """Run the simulated model and store its answers."""
    from xlgo_cli.cli import main

    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        os.chdir(made)
        for folder, arguments in _runs(made).items():
            done = main(["run", "--model", "xlgo-sim", *arguments, "-q", "-o", str(made / folder)])
            if done != 0:
                raise SystemExit(f"{folder}: the run failed")
        with tarfile.open(STORED, "w:xz", preset=9) as tar:
            for folder in _runs(made):
                for path in sorted((made / folder).rglob("*")):
                    inside = path.relative_to(made)
                    if path.suffix in (".json", ".jsonl") and "report" not in inside.parts:
                        _add(tar, path, str(inside))


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    data = path.read_bytes()
    if path.name.startswith("samples_"):
        lines = (_changed(json.loads(line), name) for line in data.splitlines())
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    info = tarfile.TarInfo(name)
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


def _changed(line: dict[str, Any], name: str) -> dict[str, Any]:
    """A logged answer: two thirds of some families made right, prompts only where they count.

    The simulated model solves nothing of those families, and numbers of nothing right say little.
    """
    if not name.startswith(("puzzles", "conditions", "korbench", "lit")):
        line["arguments"]["gen_args_0"]["arg_0"] = ""
    family, target = name.partition("/")[0], str(line["target"])
    is_one = family in _SOLVED and "self_correction" not in name
    if is_one and (line["doc_id"] + len(line["doc"].get("language", "") + target)) % 3:
        line["resps"] = [[_SOLVED[family].format(target)]]
        line["filtered_resps"] = line["resps"][0]
    return line


def unpack(folder: Path) -> Path:
    """Write the stored answers into a folder."""
    with tarfile.open(STORED) as tar:
        tar.extractall(folder, filter="data")
    return folder


if __name__ == "__main__":
    make()
