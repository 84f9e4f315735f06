"""``xlgo publish``: put data, metric, leaderboard or results on the Hugging Face Hub.

Files are uploaded first and become visible together, in one commit: a reader never sees half an
upload. What has arrived is not sent again, so an interrupted upload goes on where it stopped.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_metric.table import half_up

from ..arguments import JUDGE, MODEL, PROCESSES, RESULTS, Action, Actions, Argument, Part
from ..display import labels
from ..display.formats import megabytes
from ..folders import listing
from .verify import verify

if TYPE_CHECKING:
    from ..logs.graded_run import GradedRun

_CAUSES = {
    401: "the Hub does not accept the token: log in with `hf auth login` or set HF_TOKEN",
    403: "the token may not write there: it needs write access to the repository",
}
_AGAIN = "what has arrived is kept: give the same command again later"

_CARD_FILES = ("README.md", "app.py", "requirements.txt", "xlgo_metric.py")
"""What a metric needs at the root of its Space; the package lies beside it."""


def _action(about: str, *parts: Part) -> Action:
    return Action(
        about,
        run,
        *parts,
        Argument("--repo-id", required=True, help="user-or-organisation/name"),
        Argument(
            "--private", action="store_true", help="only you (or your organisation) can see it"
        ),
        Argument("--revision", help="branch to publish to, created if needed (default: main)"),
        Argument("--dry-run", action="store_true", help="list every file and size, send nothing"),
        PROCESSES,
    )


def run(args: argparse.Namespace) -> int:
    """Publish what the command line names; 0 if it went well.

    Raises:
        ValueError: with the reason, such as what failed verification or the Hub's answer.
    """
    check_target(args.repo_id)
    is_data, is_site = args.action == "dataset", args.action == "leaderboard"
    repo_type, sdk = "dataset" if is_data else "space", "static" if is_site else "gradio"
    if is_data:
        files, message = dataset_files(args.folder, args.processes)
    else:
        files = site_files(args.folder) if is_site else metric_files()
        message = f"xlgo {version('xlgo')}"
    if missing := [str(path) for path in files.values() if not path.is_file()]:
        again = f": xlgo leaderboard RESULTS ... --out {args.folder} writes it" * is_site
        raise ValueError(f"not published: {missing[0]} is missing{again}")
    if args.dry_run:
        print(_dry_run(args, repo_type, files))
        return 0
    url = upload(
        args.repo_id, files, message, repo_type=repo_type, private=args.private,
        revision=args.revision, space_sdk=sdk,
    )  # fmt: skip
    print(f"published {_total(files)}: {url}")
    return 0


def _results(args: argparse.Namespace) -> int:
    """Write the results of a run into the card of its model; 0 if it went well.

    Raises:
        ValueError: with the reason, such as missing answers or the Hub's answer.
    """
    import yaml
    from huggingface_hub import metadata_update

    from xlgo_metric.comparison.compare import ADAPTIVE

    from ..logs.graded_run import score_folder

    check_target(args.repo_id)
    scored = score_folder(args.results, model=args.model, judge=args.judge, partial=args.partial)
    scored.problems.tell()
    if scored.problems.lost:
        raise ValueError(
            f"{args.results}: not published, for the errors above (--partial accepts missing "
            "answers)"
        )
    metadata = model_index(scored, args.dataset_id)
    if scored.table.frame["design"].str.startswith(ADAPTIVE).any():
        raise ValueError(
            f"{args.results}: its own answers chose its questions: give a run without --design "
            "adaptive"
        )
    if args.dry_run:
        print(yaml.safe_dump(metadata, allow_unicode=True, sort_keys=False), end="")
        return 0
    try:
        url = metadata_update(args.repo_id, metadata, overwrite=True, revision=args.revision)
    except Exception as error:
        raise ValueError(f"cannot publish {args.repo_id}: {_reason(error)}") from error
    print(f"published: {url}")
    return 0


ARGUMENTS = (
    Actions({
        "dataset": _action(
            "a folder written by xlgo export",
            Argument("--folder", type=Path, default=Path("xlgo"), help="default: xlgo"),
        ),
        "metric": _action("the metric as a Space, with an app to try it"),
        "leaderboard": _action(
            "a folder written by xlgo leaderboard, as a Space",
            Argument(
                "--folder", type=Path, default=Path("leaderboard"), help="default: leaderboard"
            ),
        ),
        "results": Action(
            "accuracy and SMD of a run, in the card of its model (model-index)",
            _results,
            RESULTS,
            MODEL,
            *JUDGE,
            Argument("--repo-id", required=True, help="the model's repository"),
            Argument("--dataset-id", required=True, help="the dataset of the questions"),
            Argument("--revision", help="branch to publish to (default: main)"),
            Argument("--dry-run", action="store_true", help="print the metadata, send nothing"),
        ),
    }),
)  # fmt: skip


def check_target(repo_id: str) -> None:
    """Refuse an impossible name, before time is spent on verification.

    Args:
        repo_id: ``user-or-organisation/name``.

    Raises:
        ValueError: with the reason.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise ValueError(f"--repo-id {repo_id!r}: {_line(error)}") from None


def dataset_files(folder: Path, processes: int | None = None) -> tuple[dict[str, Path], str]:
    """The files of a verified export by their path on the Hub, and a commit message.

    Raises:
        ValueError: the folder does not pass ``xlgo verify``.
    """
    manifest, _ = verify(folder, processes)
    files = {name: folder / name for name in listing(folder)}
    return files, f"xlgo {manifest['recipe']['version']}\n\n{manifest['signature']}"


def metric_files() -> dict[str, Path]:
    """The files of the metric's Space by their path on the Hub.

    The package lies in a folder of its name, so that the app works without installing it.
    """
    import xlgo_metric

    folder = Path(xlgo_metric.__file__).parent
    files = {name: folder / name for name in _CARD_FILES}
    return files | {
        f"xlgo_metric/{name}": folder / name
        for name in listing(folder)
        if name not in _CARD_FILES[:3] and "__pycache__" not in name
    }


def site_files(folder: Path) -> dict[str, Path]:
    """The files of a leaderboard by their path on the Hub.

    Only what ``xlgo leaderboard`` has written goes there, whatever else lies in the folder.
    """
    from ..leaderboard.page import FILES, TABLES

    tables = [name for name in TABLES if (folder / name).is_file()]
    return {name: folder / name for name in (*FILES, *tables)}


def upload(
    repo_id: str,
    files: dict[str, Path],
    message: str,
    *,
    repo_type: str,
    private: bool = False,
    revision: str | None = None,
    space_sdk: str = "gradio",
) -> str:
    """Upload files and show them together in one commit; the address of the commit.

    ``HfApi.upload_folder`` may show files in several commits. Parquet files on the Hub that are no
    longer in ``files`` are deleted in the same commit: they would be read as part of the data.

    Args:
        repo_id: ``user-or-organisation/name``; created if needed.
        files: local files by path on the Hub.
        message: of the commit.
        repo_type: ``dataset`` or ``space``.
        private: of a new repository; one that exists must be private already.
        revision: branch, created if needed; ``main`` by default.
        space_sdk: what a new Space runs on; ``static`` for plain files.

    Raises:
        ValueError: the Hub refused, or could not be reached.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

    where: dict[str, Any] = {"repo_id": repo_id, "repo_type": repo_type}
    sdk = space_sdk if repo_type == "space" else None
    title, _, body = message.partition("\n\n")
    api = HfApi()
    try:
        api.create_repo(**where, private=private or None, exist_ok=True, space_sdk=sdk)
        if private and not api.repo_info(**where).private:
            raise ValueError(f"{repo_id} exists and is public: make it private on the Hub first")
        if revision:
            api.create_branch(**where, branch=revision, exist_ok=True)
        present = api.list_repo_files(**where, revision=revision)
        additions = [CommitOperationAdd(name, str(path)) for name, path in files.items()]
        stale = [name for name in present if name.endswith(".parquet") and name not in files]
        commit = api.create_commit(
            **where,
            revision=revision,
            operations=[*additions, *map(CommitOperationDelete, stale)],
            commit_message=title,
            commit_description=body,
        )
    except Exception as error:
        raise ValueError(f"cannot publish {repo_id}: {_reason(error)}") from error
    return str(commit.commit_url)


def _reason(error: Exception) -> str:
    """Why an upload failed, in one sentence."""
    if isinstance(error, ValueError):
        return _line(error)
    cause = error.__cause__ or error
    status: Any = getattr(getattr(cause, "response", None), "status_code", None)
    return _CAUSES.get(status, f"{_line(cause)}; {_AGAIN}")


def _line(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:300]


def _dry_run(args: argparse.Namespace, repo_type: str, files: dict[str, Path]) -> str:
    visibility = "private" if args.private else "public"
    lines = [f"{repo_type} {args.repo_id} ({visibility}, {args.revision or 'main'}) would get:"]
    lines += [f"{path.stat().st_size:>15,}  {name}" for name, path in sorted(files.items())]
    return "\n".join([*lines, f"{_total(files)}; nothing was sent"])


def _total(files: dict[str, Path]) -> str:
    return f"{len(files)} files, {megabytes(sum(path.stat().st_size for path in files.values()))}"


def model_index(scored: GradedRun, dataset_id: str) -> dict[str, Any]:
    """Accuracy and SMD per task and language, as the metadata of a model card; percentages.

    Args:
        scored: the run.
        dataset_id: name of the dataset on the Hub.

    Raises:
        ValueError: no answer is right or wrong.
    """
    from huggingface_hub import EvalResult
    from huggingface_hub.repocard_data import eval_results_to_model_index

    from ..page.grid import with_gaps

    results = []
    base = labels.language(scored.baseline).name
    sizes = {
        (name, code): cell.get("smd")
        for section in with_gaps(scored.score).values()
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
    }
    for (_, task, code), part in scored.table.frame.groupby(["family", "task", "language"]):
        wording = "; ".join(filter(None, map(labels.WORDINGS.get, part["wording_status"].unique())))
        name = replace(labels.language(str(code)), note=wording).named
        measures = {
            ("accuracy", "Accuracy (%)"): part["correct"].mean(),
            ("smd", f"Signed max divergence from {base} (points)"): sizes.get((task, code)),
        }
        results += [
            EvalResult(
                task_type="text-generation",
                dataset_type=dataset_id,
                dataset_name=f"{labels.task(str(task)).title}, {name}",
                dataset_config=f"{task}_{code}",
                dataset_split="test",
                metric_type=kind,
                metric_name=title,
                metric_value=half_up(100 * float(share), 1),
            )
            for (kind, title), share in measures.items()
            if share is not None
        ]
    if not results:
        raise ValueError("no answers that are right or wrong: nothing to publish")
    return {"model-index": eval_results_to_model_index(scored.run.model, results)}
