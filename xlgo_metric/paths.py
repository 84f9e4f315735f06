"""Where the metric is installed."""

from pathlib import Path


def path() -> str:
    """The folder to give to ``evaluate.load`` from any working directory.

    >>> import evaluate
    >>> metric = evaluate.load(path())
    """
    return str(Path(__file__).parent)
