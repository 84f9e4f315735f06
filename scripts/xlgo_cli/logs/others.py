"""Logs of tasks outside xlgo, whose answers their own tool has graded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import formats
from .lines import Problems, SampleFile, responses_of


def logged_lines(
    file: SampleFile, problems: Problems | None
) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Number, place and content of each answer that can be read; others go to ``problems``.

    Answers of other tools come in the form of the harness; of several to a question the first
    counts, and one that failed is missing.
    """
    if not file.tool:
        for number, place, line in formats.lines(file.path):
            if not isinstance(line, ValueError):
                yield number, place, line
            elif problems is not None:
                problems.add_line(file.path, number, "broken line", f"{line}; left out")
        return
    repeats = 0
    for found in formats.reader(file.tool).read(file.path):
        if isinstance(found, Exception):
            if problems is not None:
                problems.add(str(file.path), f"{found}; left out")
        elif found.repeat:
            repeats += 1
        elif found.response is not None:
            yield found.number, found.place, found.line()
    if repeats and problems is not None:
        problems.add(
            str(file.path), f"{repeats} further answers to the same questions: left out", lost=False
        )


def response(data: dict[str, Any]) -> str:
    """What the model answered: its text, or the choice that it found most likely."""
    responses = data.get("filtered_resps")
    if isinstance(responses, list) and len(responses) > 1 and isinstance(responses[0], list):
        scores = [float(one[0]) for one in responses]
        best = max(range(len(scores)), key=scores.__getitem__)
        argument = data.get("arguments", {}).get(f"gen_args_{best}", {}).get("arg_1", "")
        return f"choice {best + 1} of {len(scores)}: {str(argument).strip()}"
    return "\n".join(text or "" for text in responses_of(data))
