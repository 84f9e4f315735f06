"""From graded responses to PolyMath: one frame of numbers by model, control, level and language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from ...core import Record, common, signature
from ...family import Section
from ...statistics.measures import average_at_k, dw_acc
from ...views import frame_of, measured, ordered, rows_of
from .grading import LEVELS, PARTS

QUESTIONS = 125
FIRST_LANGUAGES = ("en", "zh")
"""In the paper's tables; the others follow by code."""

BY = ("model", "control", "level", "language")
RATES = tuple(f"{of}_{part}" for of in ("lc", "english") for part in PARTS)
_UNREAD = ("truncated", "no_answer", "bad_format")


def summarize(records: Sequence[Record], *, metadata_file: str | None = None, **_: Any) -> Section:
    """The section of this family.

    Args:
        records: any number of responses to each question (repeats of one question share its
            ``level``, ``index`` and ``language``). References may name a ``model`` and a
            ``control``, which part the numbers.
        metadata_file: a CSV file with ``id`` of each problem and its ``source``, ``domain`` or
            both.

    Returns:
        ``signature``, ``warnings`` and ``measured``: a row for each model, control, level and
        language with ``n`` responses, of which ``correct`` and ``unread``; ``questions``,
        ``repeats`` (of the question with the fewest), ``average_at_k`` (the paper's equation 3,
        which rounds to whole questions) and its ``sd`` over repeats; ``score`` (average@k in mode
        ``paper``, else the accuracy; what all tables are made from); ``length``, mean characters of
        thinking (of the answer where a model does not think); ``lc_thinking``, ``lc_answer``,
        ``english_thinking``, ``english_answer``, the shares of texts in the language of the
        question and in English. Shares are fractions; what cannot be given is ``None``. With a
        file ``parts``: a row for each level and source or domain (``by`` and ``name``) with
        ``questions``, ``responses`` and ``correct`` with its exact 95% limits ``low`` and ``high``,
        in which problems weigh alike over all languages.

    Raises:
        ValueError: the file cannot be read, or lacks a problem.
    """
    frame = frame_of(records, blank={"model": "", "control": "none", "index": None})
    frame["question"] = frame["index"].where(frame["index"].notna(), frame.index.to_series())
    result = _measured(frame)
    references = [record.reference for record in records]
    levels = ordered(frame["level"], LEVELS)
    sizes = sorted({int(result["n"].min()), int(result["n"].max())})
    fields = {
        "task": "polymath",
        "levels": "+".join(levels),
        "n": "-".join(map(str, sizes)),
        "control": common(references, "control"),
        "mode": common(references, "mode") or "default",
        "math_verify": version("math-verify"),
    }
    return {
        "signature": signature(fields),
        "measured": rows_of(result),
        **({} if metadata_file is None else {"parts": rows_of(_parts(frame, metadata_file))}),
        "warnings": list(dict.fromkeys(_warnings(result, frame))),
    }


def _parts(frame: pd.DataFrame, path: str) -> pd.DataFrame:
    """Accuracy by what a file says of the problems."""
    try:
        about = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"metadata_file={path}: not a readable CSV file ({error})") from None
    names = [name for name in ("source", "domain") if name in about]
    if "id" not in about or not names:
        raise ValueError(f"metadata_file={path}: needs the columns id and source or domain")
    level = about["id"].str.extract(f"({'|'.join(LEVELS)})")[0]
    metadata = about.assign(level=level, question=about["id"].str.extract(r"(\d+)$")[0])
    answers = frame.assign(question=frame["question"].astype(str), correct=frame["correct"] * 1.0)
    joined = answers.drop(columns=names, errors="ignore").merge(
        metadata.drop_duplicates(["level", "question"]), on=["level", "question"], how="left"
    )
    if joined["id"].isna().any():
        lacking = joined[joined["id"].isna()].iloc[0]
        raise ValueError(
            f"metadata_file={path}: no row for {lacking['level']} {lacking['question']}: ids are "
            "such as low-0 or low-en-0"
        )
    keys = ["model", "control", "level"]
    return pd.concat(
        [
            measured(joined, [*keys, by], ["correct"], by=by).rename(columns={by: "name"})
            for by in names
        ],
        ignore_index=True,
    )


def _measured(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.reindex(columns=[*frame, *({*RATES, "mode"} - {*frame})])
    thought, answer = (frame.get(f"{x}_length", pd.Series(0, frame.index)) for x in PARTS)
    frame = frame.assign(length=thought.where(thought > 0, answer).fillna(0))
    frame["unread"] = frame["status"].isin(_UNREAD)
    frame[list(RATES)] = frame[list(RATES)].astype(float)
    groups = frame.groupby(list(BY), sort=False)
    result = groups.agg(
        n=("correct", "size"),
        correct=("correct", "sum"),
        unread=("unread", "sum"),
        length=("length", "mean"),
        **{name: (name, "mean") for name in RATES},
    )
    return result.join(groups.apply(_repeated)).reset_index()


def _repeated(answers: pd.DataFrame) -> pd.Series[Any]:
    """Average@k over the runs that all questions have."""
    sizes = answers.groupby("question").size()
    k, questions = int(sizes.min()), len(sizes)
    run = answers.groupby("question").cumcount()
    counts = answers["correct"].groupby(run).sum().iloc[:k]
    rounded, sd = average_at_k(counts, questions)
    is_rounded = answers["mode"].eq("paper").any()
    values = {
        "questions": questions,
        "repeats": k,
        "most": int(sizes.max()),
        "average_at_k": rounded,
        "score": rounded if is_rounded else float(answers["correct"].mean()),
        "sd": sd,
    }
    return pd.Series(values, dtype=object)


def _warnings(result: pd.DataFrame, frame: pd.DataFrame) -> Iterator[str]:
    odd = result[result["questions"] != QUESTIONS]
    for row in result[result["most"] > result["repeats"]].itertuples():
        yield (
            f"{row.language}, {row.level}: questions have between {row.repeats} and {row.most} "
            "responses"
        )
    if weighted_scores(result)["score"].isna().any():
        yield "no DW-ACC for languages without answers on all four levels"
    for part in PARTS:
        verdicts = result.groupby("language")[f"lc_{part}"].count()
        missing = ordered(verdicts[verdicts == 0].index, FIRST_LANGUAGES)
        if missing and frame.get(f"{part}_length", pd.Series(0.0)).gt(0).any():
            yield f"no language consistency of the {part} for {', '.join(missing)}"
    if len(odd):
        first = odd.iloc[0]
        yield (
            f"{len(odd)} pairs of language and level do not have {QUESTIONS} questions, such as "
            f"{first.language}, {first.level} with {first.questions}"
        )


def weighted_scores(result: pd.DataFrame) -> pd.DataFrame:
    """DW-ACC by model, control and language; NaN where a level is missing."""
    scores = result.astype({"score": float}).pivot_table(
        "score", ["model", "control", "language"], "level", sort=False
    )
    scores = scores.reindex(columns=list(LEVELS))
    weighted = [np.nan if np.isnan(row).any() else float(dw_acc(row)) for row in scores.to_numpy()]
    return scores.assign(score=weighted)["score"].reset_index()
