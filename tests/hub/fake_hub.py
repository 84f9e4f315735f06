"""A Hub in memory behind those functions of ``HfApi`` that publishing calls, with its signatures.

A commit is applied as a whole or not at all, and any function can be told to fail.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

ADDRESS = "https://hub"
_api = cache(partial(create_autospec, HfApi, instance=True))  # which takes a third of a second


class Hub:
    """Repositories by kind and name; ``failures`` are what functions raise, by their names."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Any] = {}
        self.failures: dict[str, Exception] = {}
        self.called: list[str] = []
        self.api = _api()
        for function in (
            self.create_repo, self.repo_info, self.create_branch, self.list_repo_files,
            self.create_commit,
        ):  # fmt: skip
            getattr(self.api, function.__name__).side_effect = partial(self.call, function)

    def call(self, function: Callable[..., Any], **given: Any) -> Any:
        """Call the function, unless it is to fail."""
        self.called.append(function.__name__)
        if error := self.failures.get(function.__name__):
            raise error
        return function(**given)

    def create_repo(
        self, repo_id: str, repo_type: str, private: bool | None, exist_ok: bool, space_sdk: str
    ) -> None:
        assert exist_ok or (repo_type, repo_id) not in self.repos
        new = SimpleNamespace(private=bool(private), sdk=space_sdk, branches={"main": {}}, log=[])
        self.repos.setdefault((repo_type, repo_id), new)

    def repo_info(self, repo_id: str, repo_type: str) -> Any:
        return self.repos[repo_type, repo_id]

    def create_branch(self, repo_id: str, repo_type: str, branch: str, exist_ok: bool) -> None:
        branches = self.repos[repo_type, repo_id].branches
        assert exist_ok or branch not in branches
        branches.setdefault(branch, dict(branches["main"]))

    def list_repo_files(self, repo_id: str, repo_type: str, revision: str | None) -> list[str]:
        return [*self.repos[repo_type, repo_id].branches[revision or "main"]]

    def create_commit(
        self, *, repo_id: str, repo_type: str, revision: str | None, operations: Sequence[Any],
        commit_message: str, commit_description: str,
    ) -> Any:  # fmt: skip
        repo = self.repos[repo_type, repo_id]
        files = dict(repo.branches[revision or "main"])
        for one in operations:
            assert isinstance(one, CommitOperationAdd | CommitOperationDelete)
            if isinstance(one, CommitOperationDelete):
                del files[one.path_in_repo]
                continue
            with one.as_file() as file:
                files[one.path_in_repo] = file.read()
        repo.branches[revision or "main"] = files
        repo.log.append((commit_message, commit_description))
        return SimpleNamespace(commit_url=f"{ADDRESS}/{repo_type}s/{repo_id}/commit/x")
