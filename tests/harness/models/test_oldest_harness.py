"""The oldest release of lm-eval that is allowed, in an environment laid over this one."""

from __future__ import annotations

import json
import os
import re
import site
import subprocess
import venv
from pathlib import Path

import pytest

from xlgo_cli.harness.make_tasks import FOLDER
from xlgo_cli.simulate.server import SimulatedServer

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
METADATA = {"preset": "smoke", "levels": 2, "per_level": 2, "languages": ["en", "te"]}


def allowed() -> str:
    """The release that ``pyproject.toml`` gives as the oldest."""
    found = re.search(r'"lm-eval\[api\]>=([0-9.]+)"', PROJECT.read_text("utf-8"))
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has the oldest release, and from this environment what goes with it."""
    release = allowed()
    folder = tmp_path_factory.mktemp("oldest")
    venv.create(folder, symlinks=os.name != "nt")
    program = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    own = Path(asked(program, "import sysconfig; print(sysconfig.get_path('purelib'))"))
    lines = [f"import site; site.addsitedir({path!r})" for path in site.getsitepackages()]
    (own / "here.pth").write_text("\n".join(lines) + "\n", "utf-8")
    wanted = f"lm-eval=={release}"
    install = [str(program), "-m", "pip", "install", "-q", wanted]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"pip cannot install {wanted}: {done.stderr.strip()[-300:]}")
    assert asked(program, "import lm_eval; print(lm_eval.__version__)") == release
    return program


def asked(program: Path, code: str) -> str:
    done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def run(python: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [python, "-m", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def logged(folder: Path) -> list[dict]:
    files = sorted(folder.rglob("samples_*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def test_a_run_of_ours(python: Path, tmp_path: Path) -> None:
    run(
        python, tmp_path, "xlgo_cli.cli", "run", "--model", "xlgo-sim", "--tasks", "xlgo_slt",
        "--preset", "smoke", "--levels", "2", "--per-level", "2", "--languages", "en,te",
        "--output_path", "out",
    )  # fmt: skip
    answers = logged(tmp_path / "out")
    assert len(answers) == 2 * 2 * 2
    assert {json.loads(a["doc"]["reference"])["language"] for a in answers} == {"en", "te"}
    assert list((tmp_path / "out").rglob("report.html"))


def test_the_task_files_alone(python: Path, sim_server: SimulatedServer, tmp_path: Path) -> None:
    run(
        python, tmp_path, "lm_eval", "run", "--model", "local-chat-completions",
        "--model_args", f"base_url={sim_server.url}/v1/chat/completions,model=xlgo-sim",
        "--apply_chat_template", "--include_path", str(FOLDER), "--tasks", "xlgo_slt",
        "--metadata", json.dumps(METADATA), "--log_samples", "--output_path", "out",
    )  # fmt: skip
    assert len(logged(tmp_path / "out")) == 2 * 2 * 2
