"""PolyMath: one frame of measured numbers, and the paper's tables as layouts of it.

Tables 5 to 9 and 16 to 19 of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from ...core import Record, common, signature
from ...family import Section, Told
from ...statistics.measures import average_at_k, dw_acc, pearson
from ...table import Column, Table, columns, interval, listed, percent, right_of, spread
from ...views import MEAN, RANGE, SD, Row, frame_of, measured, ordered, ranked, rows_of, wide
from .measures import LEVELS, PARTS

QUESTIONS = 125
FIRST_LANGUAGES = ("en", "zh")
"""In the paper's tables; the others follow by code."""

BY = ("model", "control", "level", "language")
CONTROLS = {
    "none": ("no language control", ""),
    "query": ("+ forcing the query language", ", answering in the language of the question,"),
    "english": ("+ forcing English", ", answering in English,"),
    "preferred": ("+ forcing the preferred language", ", answering in the language it prefers,"),
}
"""How a row is headed, and what a sentence says of it."""

_PARTS = {
    **{name: Column(name) for name in ("model", "control", "level", "by", "name")},
    "questions": Column("problems", "count"),
    "correct": Column("accuracy", "share", 1),
    **dict(zip(("low", "high"), interval("95% interval", "share", 1))),
}
_RATES = tuple(f"{of}_{part}" for of in ("lc", "english") for part in PARTS)
_UNREAD = ("truncated", "no_answer", "bad_format")
_FEW = 0.02
_MOST_RESULTS = 3


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
    blank = {"model": "", "control": "none"}
    frame = frame_of([_filled(record, blank) for record in records])
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


def _filled(record: Record, blank: dict[str, str]) -> Record:
    reference = {**blank, **record.reference, "instance_id": record.reference.get("index")}
    return Record(record.grade, reference)


def _measured(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.reindex(columns=[*frame, *({*_RATES, "mode"} - {*frame})])
    thought, answer = (frame.get(f"{x}_length", pd.Series(0, frame.index)) for x in PARTS)
    frame = frame.assign(length=thought.where(thought > 0, answer).fillna(0))
    frame["unread"] = frame["status"].isin(_UNREAD)
    frame[list(_RATES)] = frame[list(_RATES)].astype(float)
    frame["question"] = frame["question"].where(frame["question"].notna(), frame.index.to_series())
    groups = frame.groupby(list(BY), sort=False)
    result = groups.agg(
        n=("correct", "size"),
        correct=("correct", "sum"),
        unread=("unread", "sum"),
        length=("length", "mean"),
        **{name: (name, "mean") for name in _RATES},
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
    if _weighted(result)["score"].isna().any():
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


def _weighted(result: pd.DataFrame) -> pd.DataFrame:
    """DW-ACC by model, control and language; NaN where a level is missing."""
    scores = result.astype({"score": float}).pivot_table(
        "score", ["model", "control", "language"], "level", sort=False
    )
    scores = scores.reindex(columns=list(LEVELS))
    weighted = [np.nan if np.isnan(row).any() else float(dw_acc(row)) for row in scores.to_numpy()]
    return scores.assign(score=weighted)["score"].reset_index()


def tables(section: Section) -> list[Table]:
    """The tables of a section of a score.

    Those that would be empty are left out: standard deviations without repeats, languages of
    thinking without thinking, DW-ACC without all four levels.
    """
    frame = _frame(section)
    languages = ordered(frame["language"], FIRST_LANGUAGES)
    average, spreads = {"avg.": MEAN}, {"std.": SD, "range": RANGE}
    row, across = {"row": ""}, ("language", languages)
    every_table = [
        *(
            wide(
                f"polymath_accuracy_{level}", f"PolyMath-{level.capitalize()}: accuracy (%)",
                frame[frame["level"] == level], row, "score", columns=across, before=average,
                after=spreads,
                caption="Layout of the paper's Table 5. std. and range are over languages.",
            )
            for level in LEVELS
        ),
        wide(
            "polymath_dw_acc", "PolyMath: difficulty-weighted accuracy, DW-ACC (%)",
            _labelled(_weighted(frame)), row, "score", columns=across, before=average,
            after=spreads,
            caption="Layout of the paper's Table 7.",
        ),
        _levels(frame),
        _by_language(frame, languages, "lc", "8"),
        _by_language(frame, languages, "english", "9"),
        *(
            wide(
                f"polymath_sd_{level}",
                f"PolyMath-{level.capitalize()}: standard deviation over repeats (%)",
                frame[frame["level"] == level], row, "sd", columns=across,
                before=average, digits=2,
                caption="Layout of the paper's Tables 16 to 19.",
            )
            for level in LEVELS
        ),
        _lengths(frame, languages),
        listed(
            "polymath_parts", "PolyMath: accuracy by source and domain",
            pd.DataFrame(section.get("parts", []), columns=list(_PARTS)), _PARTS,
            "By the file of the user; all languages of a problem together. Exact intervals over "
            "problems. Layout of the paper's Tables 11, 13 and 14.",
        ),
    ]  # fmt: skip
    return [table for table in every_table if table.rows]


def many(sections: Mapping[str, Section], _: Mapping[str, pd.DataFrame]) -> list[Table]:
    """Many models by level: means over languages, with the spread over them (figure 1, table 5)."""
    numbers: dict[str, Row] = {}
    for model, section in sections.items():
        for control, of_control in _frame(section).groupby("control", sort=False):
            head = "" if control == "none" else f" {CONTROLS.get(control, (control,))[0]}"
            weighted, of_level = _weighted(of_control)["score"], of_control.groupby("level")
            spreads = {
                level: numbers_of_model.std(ddof=0) for level, numbers_of_model in of_level["score"]
            }
            numbers[f"{model}{head}"] = {
                "dw_acc": weighted.mean(), "dw_acc sd": weighted.std(ddof=0),
                **of_level["score"].mean(), **{f"{level} sd": sd for level, sd in spreads.items()},
                **of_control[["lc_thinking", "lc_answer", "length"]].mean(),
            }  # fmt: skip
    pairs = {"dw_acc": "DW-ACC", **{level: level for level in LEVELS}}
    heads: dict[str, Column] = {}
    for name, head in pairs.items():
        heads |= dict(zip((name, f"{name} sd"), spread(head)))
    heads |= {f"lc_{part}": Column(f"consistency of the {part}", "share", 1) for part in PARTS}
    heads["length"] = Column("length, characters", "number", 0)
    if all(np.isnan(numbers_of_model["dw_acc"]) for numbers_of_model in numbers.values()):
        heads = {
            name: numbers_of_model
            for name, numbers_of_model in heads.items()
            if not name.startswith("dw_acc")
        }
    return ranked(
        "polymath_models", "PolyMath: models by level", numbers, heads,
        "Means ± standard deviation over languages, as in figure 1 and tables 5 to 7.",
    )  # fmt: skip


def _frame(section: Section) -> pd.DataFrame:
    numbers = dict.fromkeys((*_RATES, "score", "sd", "length"), float)
    return _labelled(pd.DataFrame(section["measured"]).astype(numbers))


def _labelled(result: pd.DataFrame) -> pd.DataFrame:
    heads = [CONTROLS.get(name, (name,))[0] for name in result["control"]]
    return result.assign(
        row=[f"{model} {head}".strip() for model, head in zip(result["model"], heads)]
    )


def _levels(result: pd.DataFrame) -> Table:
    rows = []
    for row, group in result.groupby("row", sort=False):
        for part in PARTS:
            answered = group.dropna(subset=[f"lc_{part}"])
            by_level = {level: answered[answered["level"] == level] for level in LEVELS}
            rates = {level: numbers[f"lc_{part}"] for level, numbers in by_level.items()}
            means = ((numbers.mean(), numbers.std(ddof=0)) for numbers in rates.values())
            r = [pearson(rates[level], numbers["score"]) for level, numbers in by_level.items()]
            if len(answered):
                rows.append((row, part, *chain(*means), *r))
    heads = (
        Column(""),
        Column("part"),
        *(x for level in LEVELS for x in spread(level, sd="std.")),
        *columns("number", *(f"r {level}" for level in LEVELS), digits=2),
    )
    return listed(
        "polymath_consistency_levels",
        "Language consistency over languages (mean ± std., %), and its correlation with accuracy",
        pd.DataFrame(rows, columns=range(len(heads))),
        dict(enumerate(heads)),  # type: ignore[arg-type]
        "Layout of the paper's Table 6; r is Pearson's coefficient over languages.",
    )


def _by_language(result: pd.DataFrame, languages: Sequence[str], prefix: str, number: str) -> Table:
    """The mean over levels of the share of texts in a language, by part."""
    key, title = {
        "lc": ("consistency", "Responses in the language of the question (%)"),
        "english": ("english", "Responses in English (%)"),
    }[prefix]
    parts = [result.assign(part=part, rate=result[f"{prefix}_{part}"]) for part in PARTS]
    return wide(
        f"polymath_{key}", title, pd.concat(parts), {"row": "", "part": "part"}, "rate",
        columns=("language", languages), before={"avg.": MEAN},
        caption=f"Layout of the paper's Table {number}; plain mean of the levels.",
    )  # fmt: skip


def _lengths(result: pd.DataFrame, languages: Sequence[str]) -> Table:
    scores = result.pivot_table("score", ["row", "level"], "language", sort=False)
    scores = scores.reindex(columns=languages)

    def correlation(lengths: pd.DataFrame) -> Any:
        pairs = zip(lengths.to_numpy(), scores.loc[lengths.index].to_numpy())
        pairs_known = ((x, y, ~np.isnan(x)) for x, y in pairs)
        return pd.Series([pearson(x[is_], y[is_]) for x, y, is_ in pairs_known], lengths.index)

    ordered_rows = result.sort_values(
        "level", key=lambda levels: levels.map(LEVELS.index), kind="stable"
    )
    table = wide(
        "polymath_length", "Mean length of thinking (characters; of the answer without thinking)",
        ordered_rows, {"row": "", "level": "level"}, "length", columns=("language", languages),
        kind="number", digits=0, after={"r": correlation},
        caption="The paper's Figures 5 and 6 count tokens; r is Pearson's correlation with "
        "accuracy.",
    )  # fmt: skip
    heads = (*table.columns[:-1], Column("r", "number", 2))
    return Table(table.name, table.title, heads, table.rows, table.caption)


def findings(section: Section) -> list[Told]:
    """How much is right, in which language most and least, and how much could not be read.

    Of the first three models and controls.
    """
    frame = _frame(section)
    results = list(frame.groupby(["model", "control"], sort=False))[:_MOST_RESULTS]
    return [x for (model, control), group in results for x in _result(model, control, group)]


def _result(model: str, control: str, group: pd.DataFrame) -> Iterator[Told]:
    right, unread, total = (int(group[name].sum()) for name in ("correct", "unread", "n"))
    forced = CONTROLS.get(control, ("", ""))[1]
    yield "", f"{model or 'The model'}{forced} solves {right_of(right, total)} of the problems."
    weighted = _weighted(group).set_index("language")["score"].dropna()
    if weighted.nunique() > 1:
        best, worst = str(weighted.idxmax()), str(weighted.idxmin())
        english = ""
        if "en" in weighted and "en" not in (best, worst):
            english = f"; in English it is {percent(weighted['en'])}"
        yield (
            "",
            f"Its difficulty-weighted accuracy is highest in {best} ({percent(weighted[best])}) "
            f"and lowest in {worst} ({percent(weighted[worst])}){english}. Small differences may "
            "not be significant.",
        )
    if unread > _FEW * total:
        yield "warn", f"{right_of(unread, total)} responses were unparsable or truncated."
