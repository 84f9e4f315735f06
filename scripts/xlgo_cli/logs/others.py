"""Logs of tasks outside xlgo, whose answers their own tool has graded."""

from __future__ import annotations

from collections.abc import Iterator

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.frames import key_of

from . import formats
from .lines import LogLine, Problems, SampleFile, reply_of, request_of, responses_of

_LOOKED = 20  # questions whose texts are compared where their hashes differ: 4 is "4"
_LONGEST = 80


def logged_lines(file: SampleFile, problems: Problems | None) -> Iterator[tuple[int, int, LogLine]]:
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
        elif reply_of(next(iter(formats.objects(data.get("answers"))), None), "").is_there:
            yield number, offset, data
    if repeats and problems is not None:
        problems.add(
            str(file.path), f"{repeats} further answers to the same questions: left out", lost=False
        )


def other_questions(first: AnswerTable, second: AnswerTable) -> list[str]:
    """How two logs differ in questions that have the same name, in words; empty if they do not.

    Correct answers are compared where both logs have them, and texts of tables that have them: a
    log has each model's own request.
    """
    frames = [table.frame for table in (first, second)]
    if any("target" not in frame for frame in frames):
        return []
    paired = frames[0].merge(frames[1], on=["task", "language", "question"], suffixes=("_0", "_1"))
    of_tables = (
        paired[["file_0", "file_1"]].map(lambda file: file.tool == formats.TABLE).all(axis=1)
    )
    for name, called, value_of, rows in (
        ("target", "another correct answer", lambda line: str(line.get("target")), paired),
        ("prompt", "another text", request_of, paired[of_tables]),
    ):
        values = rows[[f"{name}_0", f"{name}_1"]]
        is_logged = ~values.isin([key_of(None), key_of("")]).any(axis=1)
        unlike = rows[is_logged & (values.iloc[:, 0] != values.iloc[:, 1])]
        for row in unlike.iloc[:_LOOKED].itertuples():
            lines = [
                next(formats.lines_at(file.path, [offset], file.tool))
                for file, offset in ((row.file_0, row.place_0), (row.file_1, row.place_1))
            ]
            texts = [value_of(line).strip()[:_LONGEST] for line in lines]
            if len(set(texts)) > 1:
                return [
                    f"questions: {len(unlike)} of the {len(rows)} that have the same name have "
                    f"{called} (first {lines[0]['doc_id']} in {row.language}: {texts[0]!r} and "
                    f"{texts[1]!r}), so they are others"
                ]
    return []


def response(data: LogLine) -> str:
    """What the model answered: its text, or the choice that it found most likely."""
    responses = data.get("filtered_resps")
    if isinstance(responses, list) and len(responses) > 1 and isinstance(responses[0], list):
        scores = [float(likelihood[0]) for likelihood in responses]
        best = max(range(len(scores)), key=scores.__getitem__)
        argument = data.get("arguments", {}).get(f"gen_args_{best}", {}).get("arg_1", "")
        return f"choice {best + 1} of {len(scores)}: {str(argument).strip()}"
    return "\n".join(text or "" for text in responses_of(data))
