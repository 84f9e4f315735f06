"""Logs of tasks outside xlgo, whose answers their own tool has graded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import formats
from .lines import Problems, SampleFile, reply_of, responses_of


def logged_lines(
    file: SampleFile, problems: Problems | None
) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Number, place and content of each answer that can be read; others go to ``problems``.

    Of several answers of other tools to a question the first counts; one whose request failed is
    missing.
    """
    repeats = 0
    for number, offset, data, repeat in formats.read(file.path, file.tool, file.part):
        if isinstance(data, ValueError):
            if problems is not None:
                problems.add_line(file.path, number, "broken line", f"{data}; left out")
        elif repeat:
            repeats += 1
        elif reply_of(next(iter(_listed(data.get("answers"))), None), "").is_there:
            yield number, offset, data
    if repeats and problems is not None:
        problems.add(
            str(file.path), f"{repeats} further answers to the same questions: left out", lost=False
        )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def response(data: dict[str, Any]) -> str:
    """What the model answered: its text, or the choice that it found most likely."""
    responses = data.get("filtered_resps")
    if isinstance(responses, list) and len(responses) > 1 and isinstance(responses[0], list):
        scores = [float(likelihood[0]) for likelihood in responses]
        best = max(range(len(scores)), key=scores.__getitem__)
        argument = data.get("arguments", {}).get(f"gen_args_{best}", {}).get("arg_1", "")
        return f"choice {best + 1} of {len(scores)}: {str(argument).strip()}"
    return "\n".join(text or "" for text in responses_of(data))
