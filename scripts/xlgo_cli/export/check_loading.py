"""Load an exported folder with several releases of ``datasets``, none of our code installed.

Run by hand or every night, as it installs each release into an environment of its own:

    python -m xlgo_cli.export.check_loading xlgo
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

RELEASES = ("datasets==3.6.*", "datasets==4.*", "datasets==5.*")

_PROGRAM = """
import hashlib, json, os, sys
from datasets import __version__, get_dataset_config_names, load_dataset

report = {"datasets": __version__, "rows": {}}
configs = get_dataset_config_names("./xlgo")
for config in configs:
    data = load_dataset("./xlgo", config)
    for split, rows in data.items():
        digest = hashlib.sha256()
        for row in rows:
            digest.update(json.dumps(row, sort_keys=True).encode())
        report["rows"][f"{config}/{split}"] = [len(rows), digest.hexdigest()]
config = configs[-1]
split = next(iter(load_dataset("./xlgo", config)))
first = load_dataset("./xlgo", config, split=split)[0]
assert load_dataset("xlgo", config, split=split)[0] == first, "load_dataset('xlgo') differs"
assert load_dataset("./xlgo")[split][0]["task"], "there is no default configuration"
stream = load_dataset("xlgo", config, split=split, streaming=True)
assert next(iter(stream)) == first, "the stream differs"
assert not [name for name in sys.modules if name.startswith("xlgo")], "our code was imported"
print(json.dumps(report), flush=True)
os._exit(0)  # threads of a stream that was not read to its end can crash older releases at the end
"""


def load(folder: Path, python: str) -> dict[str, object]:
    """Load every configuration with another Python; its report: version, rows and hashes.

    Args:
        folder: as written by ``xlgo export``.
        python: the interpreter of an environment that has ``datasets``.

    Raises:
        ValueError: loading failed; the last lines of the error.
    """
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        shutil.copytree(folder, top / "work" / "xlgo")
        environment = os.environ | {
            "HF_HOME": str(top / "home"), "HF_HUB_OFFLINE": "1", "PYTHONPATH": "",
        }  # fmt: skip
        done = subprocess.run(
            [python, "-I", "-c", _PROGRAM], cwd=top / "work", env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise ValueError("\n".join(done.stderr.strip().splitlines()[-5:]))
    report: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Check all releases; 0 if every one of them reads the same rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="as written by xlgo export")
    parser.add_argument("--releases", nargs="+", default=RELEASES, help="requirements for pip")
    args = parser.parse_args(argv)
    reports = []
    for release in args.releases:
        with tempfile.TemporaryDirectory() as name:
            venv.create(name, with_pip=True)
            python = str(Path(name) / ("Scripts" if os.name == "nt" else "bin") / "python")
            subprocess.run([python, "-m", "pip", "install", "--quiet", release], check=True)
            report = load(args.folder, python)
        reports.append(report["rows"])
        same = report["rows"] == reports[0]
        print(f"datasets {report['datasets']}: {len(reports[-1])} splits of configurations, "  # type: ignore[arg-type]
              f"{'the same rows' if same else 'OTHER ROWS than the first release'}")  # fmt: skip
    return 0 if all(report == reports[0] for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
