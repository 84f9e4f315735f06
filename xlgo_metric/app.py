"""A page to try the metric: paste a response, see how it is graded."""

import json
from typing import Any

import xlgo_metric as xm

EXAMPLES: list[list[str]] = [
    [
        'After the third record the balance is 6.\n{"chain": [4, -2, 6]}',
        '{"task": "slt", "answer": {"chain": [4, -2, 6]}}',
    ],
    [
        'ఆమె చివరకు గది E2679 లో ఉంది.\n```json\n{"state": "గది E2679"}\n```',
        '{"task": "dsa", "language": "te", "answer": {"state": "E2679"}}',
    ],
    [
        '<think>Perhaps B7003? No.</think>{"ranking": ["C1234", "B7003", "A5500"]}',
        '{"task": "t_rank", "answer": {"ranking": ["C1234", "A5500", "B7003"]}}',
    ],
    [
        "<think>First I follow the roads from",
        '{"task": "graph_sp", "answer": {"path": ["A1111", "B2222"]}, '
        '"edges": [["A1111", "B2222"]]}',
    ],
]
"""Pairs of a response and the reference of its question."""

_MEANING = {
    "correct": "the answer is the right one",
    "wrong": "an answer in the right form, but not the right one",
    "no_answer": "nothing that looks like the asked answer",
    "bad_format": "the key is there, but what it holds cannot be understood",
    "truncated": "the thinking or the JSON never ends: the output was cut",
}


def judge(response: str, reference: str) -> tuple[str, dict[str, object]]:
    """Grade one response.

    Args:
        response: the whole output of a model.
        reference: the column ``reference`` of the question's row.

    Returns:
        A verdict in Markdown and the grade as plain JSON.
    """
    try:
        grade = xm.grade(response, reference)
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        return f"**This reference cannot be used:** {error}", {}
    strict = "" if grade.strict else ", though not in exactly the form that was asked for"
    verdict = f"**{grade.status}**: {_MEANING[grade.status]}"
    return verdict + (strict if grade.correct else ""), json.loads(json.dumps(grade.to_json()))


def build() -> Any:
    """The page, a ``gradio.Interface``."""
    import gradio as gr

    return gr.Interface(
        fn=judge,
        inputs=[
            gr.Textbox(label="Response of the model", lines=8, value=EXAMPLES[0][0]),
            gr.Textbox(label="Reference of the question (JSON)", lines=4, value=EXAMPLES[0][1]),
        ],
        outputs=[gr.Markdown(label="Verdict"), gr.JSON(label="Grade")],
        examples=EXAMPLES,
        title="xlgo_metric",
        description="Grades an answer to one of xlgo's puzzles. Put the column `reference` of the "
        "question below the response; nothing that you paste is stored.",
        flagging_mode="never",
    )


if __name__ == "__main__":
    build().launch()
