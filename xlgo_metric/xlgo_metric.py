"""xlgo as a metric of Hugging Face ``evaluate``: a thin cover over the package ``xlgo_metric``."""

from typing import Any

import datasets
import evaluate

import xlgo_metric

_DESCRIPTION = """
Grades answers to xlgo's tasks exactly and reports, for each task and language, accuracy by level,
the gamma fit of the XLGoBench paper and how far the language falls behind English (signed max
divergence), with uncertainty.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): the model's outputs.
    references (list of str): the column `reference` of the rows, one JSON string each.
    seed (int): seed of the draws behind the uncertainties; 0 by default.
    draws (int): how many draws; 300 by default, as in the paper.
Returns:
    accuracy, parsed (float): over all answers, fractions; beside them the flat numbers of each
        family, for the puzzles `smd_<language>`, `<task>_accuracy`, `<task>_smd_<language>` and
        its `_sd`.
    signature (str): everything that the numbers depend on, the version last.
    version (str): the version of the package.
    families (dict): the scores by family of tasks, in plain JSON types.
Examples:
    >>> metric = evaluate.load("xlgo_metric")
    >>> reference = '{"task": "dsa", "language": "en", "answer": {"state": "E2679"}}'
    >>> scores = metric.compute(predictions=['{"state": "Room E2679"}'], references=[reference])
    >>> scores["accuracy"], scores["dsa_accuracy"]
    (1.0, 1.0)
"""

_CITATION = """
@article{jain2026xlgobench,
  title  = {{XLGoBench}: Detecting cross-lingual skill gaps with algorithmic tasks},
  author = {Jain, Purvam and Jyothi, Preethi and Piratla, Vihari and Raju, Suvrat},
  year   = {2026}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class XlgoMetric(evaluate.Metric):
    """The metric; see the module's description."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Score predictions against references; see the class."""
        if predictions is None and references is None:
            return super().compute(**kwargs)  # what add() and add_batch() collected
        for name, column in (("predictions", predictions), ("references", references)):
            if column is None or isinstance(column, str) or not len(column):
                raise ValueError(
                    f"{name} must be a list with one string per answer, got {column!r}"
                )
        for row, prediction in enumerate(predictions):
            if not isinstance(prediction, (str, type(None))):
                raise ValueError(
                    f"predictions[{row}] must be a string, got {type(prediction).__name__}"
                )
        return super().compute(
            predictions=["" if text is None else text for text in predictions],
            references=references,
            **kwargs,
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, object]:
        scores = xlgo_metric.score(predictions, references, **options)
        return xlgo_metric.Score({**scores.pop("headline"), **scores})
