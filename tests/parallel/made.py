"""Small parallel sets of our own, asked through lm-evaluation-harness: logs in its own format."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import datasets
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

SUMS = {
    "en": "Ann has {a} apples and buys {b} more. How many has she now?",
    "de": "Anna hat {a} Äpfel und kauft {b} dazu. Wie viele hat sie jetzt?",
    "sw": "Ana ana tufaha {a} na ananunua {b} zaidi. Ana mangapi sasa?",
    "te": "అనకు {a} ఆపిల్స్ ఉన్నాయి, ఇంకా {b} కొంది. ఇప్పుడు ఎన్ని?",
}
LARGER = {
    "en": "Which is larger, {a} or {b}?",
    "de": "Was ist größer, {a} oder {b}?",
    "sw": "Ipi ni kubwa, {a} au {b}?",
}
N = 40

Solves = Callable[[str, int], bool]
"""Whether the model solves question ``number`` in a language."""


def numbers(n: int) -> tuple[int, int]:
    """The two numbers of question ``n``; seven questions in a row have the same sum."""
    return 20 + n, 19 - n % 7


def sums(language: str, order: Iterable[int] = range(N)) -> list[dict[str, Any]]:
    """Questions with a number for an answer; only their place says which is which."""
    rows = []
    for n in order:
        a, b = numbers(n)
        rows.append({"question": SUMS[language].format(a=a, b=b), "answer": str(a + b)})
    return rows


def larger(language: str, order: Iterable[int] = range(N)) -> list[dict[str, Any]]:
    """Questions with two choices and fields that name them."""
    rows = []
    for n in order:
        a, b = numbers(n)
        pair = [a, b] if n % 2 else [b, a]
        rows.append(
            {
                "text": f"t{n // 2}",
                "part": n % 2,
                "question": LARGER[language].format(a=pair[0], b=pair[1]),
                "choices": [str(x) for x in pair],
                "label": pair.index(a),
            }
        )
    return rows


class Simulated(LM):
    """Solves what it is told to solve; ``number_of`` finds the question in the document."""

    tokenizer_name = "none"

    def __init__(self, solves: Solves, number_of: Callable[[dict[str, Any]], int]) -> None:
        super().__init__()
        self._solves, self._number = solves, number_of

    def _knows(self, request: Any) -> bool:
        return self._solves(_language(request.doc), self._number(request.doc))

    def generate_until(self, requests: list[Any], **_: Any) -> list[str]:
        return [
            f"Let me see. {int(r.doc['answer']) + (not self._knows(r))}" for r in requests
        ]  # the last number counts

    def loglikelihood(self, requests: list[Any], **_: Any) -> list[tuple[float, bool]]:
        found = []
        for request in requests:
            choice = request.doc["choices"].index(request.args[1].strip())
            right = (choice == request.doc["label"]) == self._knows(request)
            found.append((-1.0 if right else -2.0, right))
        return found

    loglikelihood_rolling = None


def _language(doc: Mapping[str, Any]) -> str:
    """The language of a question, by its first words."""
    begins = {text.partition("{")[0]: c for c, text in (*SUMS.items(), *LARGER.items())}
    return next(c for begin, c in begins.items() if doc["question"].startswith(begin))


NUMBER_OF: dict[str, Callable[[Mapping[str, Any]], int]] = {
    "generate_until": lambda doc: int(re.findall("[0-9]+", doc["question"])[0]) - 20,
    "multiple_choice": lambda doc: 2 * int(doc["text"][1:]) + doc["part"],
}


def _task(name: str, rows: list[dict[str, Any]], **config: Any) -> dict[str, Any]:
    return {
        "task": name,
        "custom_dataset": lambda **_: {"test": datasets.Dataset.from_list(rows)},
        "test_split": "test",
        "metadata": {"version": 2.0},
        **config,
    }


def generation(language: str, rows: list[dict[str, Any]], subject: str = "") -> dict[str, Any]:
    """A task whose answers are generated, read by two filters."""
    return _task(
        f"sums_{language}{subject}",
        rows,
        output_type="generate_until",
        doc_to_text="{{question}}\nAnswer:",
        doc_to_target="{{answer}}",
        generation_kwargs={"until": ["\n"], "do_sample": False},
        filter_list=[
            {"name": "whole", "filter": [{"function": "take_first"}]},
            {
                "name": "last-number",
                "filter": [
                    {"function": "regex", "regex_pattern": "(-?[0-9]+)", "group_select": -1},
                    {"function": "take_first"},
                ],
            },
        ],
        metric_list=[{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    )


def choice(language: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A multiple-choice task with two measures."""
    return _task(
        f"larger_{language}",
        rows,
        output_type="multiple_choice",
        doc_to_text="{{question}}\nAnswer:",
        doc_to_target="label",
        doc_to_choice="{{choices}}",
        metric_list=[
            {"metric": name, "aggregation": "mean", "higher_is_better": True}
            for name in ("acc", "acc_norm")
        ],
    )


def ask(
    folder: Path,
    tasks: list[dict[str, Any]],
    solves: Solves,
    *,
    model: str = "acme/lingua",
    **options: Any,
) -> Path:
    """Run the harness over the tasks and let it write its logs into ``folder``."""
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.log_experiment_args(
        model_source="sim",
        model_args=f"pretrained={model}",
        system_instruction=None,
        chat_template=None,
        fewshot_as_multiturn=False,
    )
    results = simple_evaluate(
        Simulated(solves, NUMBER_OF[tasks[0]["output_type"]]),
        tasks=[ConfigurableTask(config=dict(task)) for task in tasks],
        task_manager=TaskManager(include_defaults=False),
        log_samples=True,
        bootstrap_iters=0,
        **options,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results, samples=samples)
    for name, lines in samples.items():
        tracker.save_results_samples(task_name=name, samples=lines)
    return folder
