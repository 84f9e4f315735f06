"""A family that is registered from outside gets everything that the built-in ones have."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.toy import dataset, metric
from xlgo_cli.cli import main
from xlgo_cli.harness.make_tasks import FOLDER, stale_files, task_files


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    xd.register(dataset.FAMILY)
    xm.register(metric.FAMILY)
    yield
    xd.FAMILIES.remove("toy")
    xm.FAMILIES.remove("toy")


def test_task_files_are_those_of_this_package_and_a_missing_one_is_noticed() -> None:
    assert "toy/toy_sum.yaml" in stale_files(FOLDER, task_files())
    # The installed files are those of this package.
    assert main(["tasks", "--check"]) == 0, "out of date: run xlgo tasks --check"


def test_a_family_that_lacks_something_is_refused() -> None:
    with pytest.raises(TypeError, match="the family empty has no task: labels are empty"):
        xd.register(replace(dataset.FAMILY, name="empty", labels={}))
    with pytest.raises(TypeError, match="must be a value of the class Family"):
        xd.register(cast("xd.Family", object()))
    with pytest.raises(ValueError, match="'toy_describe' belongs to the family 'toy'"):
        xd.register(replace(dataset.FAMILY, name="twin"))
    with pytest.raises(TypeError, match="'grade', 'summarize', and 'tables'"):
        xm.Family(name="empty")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="must be a value of the class Family"):
        xm.register(cast("xm.Family", object()))
