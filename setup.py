"""Find the packages, two of them renamed; everything else is in pyproject.toml."""

from setuptools import find_packages, setup

RENAMED = {"xlgo_cli": "scripts", "xlgo_lm_eval": "lm_eval_tasks", "xlgo": "scripts/xlgo"}


def renamed(package: str, folder: str) -> list[str]:
    """The package in ``folder`` and those below it, under the name that they are installed as."""
    inside = find_packages(folder, exclude=["xlgo"])  # a package of its own
    return [package, *(f"{package}.{name}" for name in inside)]


setup(
    packages=[
        *find_packages(include=["xlgo_dataset*", "xlgo_metric*"]),
        *(name for package, folder in RENAMED.items() for name in renamed(package, folder)),
    ],
    package_dir=RENAMED,
)
