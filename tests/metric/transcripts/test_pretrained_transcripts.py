"""What a real small model wrote, with a verdict by eye for each, is graded as the verdict says.

``pretrained_transcripts.jsonl`` holds answers of SmolLM2-135M-Instruct. Each
was read: ``verdict`` is ``right``, ``wrong`` or ``none`` (it names no answer), ``why`` says what it
does. ``finish`` is what the server said; ``asked`` is ``chat``, ``completion`` (the bare prompt) or
``one_shot`` (a solved example before it).
"""

import json
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric.scoring import cut_off

FAIR = {
    "right": {"correct"},
    "wrong": {"wrong"},
    "none": {"no_answer", "bad_format", "truncated"},
}
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "pretrained_transcripts.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@looped("row", ROWS, ids=lambda row: f"{row['asked']}-{row['id']}")
def test_the_status_is_fair(row: dict[str, Any]) -> None:
    found = xm.grade(row["response"], row["reference"])
    assert (found.status in FAIR[row["verdict"]]) == row["fair"]
    if row["finish"] == "length" and row["verdict"] == "none" and row["fair"]:
        assert cut_off(found).status == "truncated"
    elif row["finish"] == "length":
        assert cut_off(found) == found


def test_a_right_answer_stands_where_the_model_runs_on_with_another_question() -> None:
    """The example in the prompt, which then comes last, is no answer."""
    for language in ("en", "es", "zh", "hi", "te"):
        asked = xd.generate("t_rank", complexity=1)
        reference = {
            "family": "xlgobench",
            "task": "t_rank",
            "language": language,
            "answer": xd.solve(asked),
        }
        right = json.dumps(xd.solve(asked))
        invented = xd.render(xd.generate("t_rank", complexity=1, index=1), language)
        assert xm.grade(f"{right}\n\n{invented}", reference).status == "correct"
        other = json.dumps({"ranking": ["A1234", "Z0000"]})
        assert xm.grade(f"{right}\n\n{other}", reference).status == "wrong"
        assert not xm.grade(invented, reference).correct
