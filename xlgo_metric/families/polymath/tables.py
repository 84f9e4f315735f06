"""PolyMath's tables 5 to 9 and 16 to 19 as layouts of the frame of numbers, and sentences."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from ...family import Section, Told
from ...statistics.measures import pearson
from ...table import Column, Table, interval, listed, percent, right_of, spread
from ...views import MEAN, RANGE, SD, ordered, ranked, wide
from .grading import LEVELS, PARTS
from .summary import FIRST_LANGUAGES, RATES, weighted_scores

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
_FEW = 0.02
_MOST_RESULTS = 3


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
            _labelled(weighted_scores(frame)), row, "score", columns=across, before=average,
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
    frames = [_frame(section).assign(model=model) for model, section in sections.items()]
    every = pd.concat(frames, ignore_index=True)
    heads_of = {name: f" {head}" for name, (head, _) in CONTROLS.items()} | {"none": ""}
    keys = ["model", "control"]
    scores = pd.concat([every, weighted_scores(every).assign(level="dw_acc")])
    by_level = scores.groupby([*keys, "level"], sort=False)["score"]
    means, sds = by_level.mean().unstack(), by_level.std(ddof=0).unstack().add_suffix(" sd")
    rates = every.groupby(keys, sort=False)[["lc_thinking", "lc_answer", "length"]].mean()
    numbers = {
        f"{model}{heads_of.get(control, f' {control}')}": dict(row)
        for (model, control), row in means.join([sds, rates]).dropna(axis=1, how="all").iterrows()
    }
    heads: dict[str, Column] = {}
    for name, head in {"dw_acc": "DW-ACC", **{level: level for level in LEVELS}}.items():
        heads |= dict(zip((name, f"{name} sd"), spread(head)))
    heads |= {f"lc_{part}": Column(f"consistency of the {part}", "share", 1) for part in PARTS}
    heads["length"] = Column("length, characters", "number", 0)
    first = "dw_acc" in next(iter(numbers.values()))
    heads = {name: head for name, head in heads.items() if first or not name.startswith("dw_acc")}
    return ranked(
        "polymath_models", "PolyMath: models by level", numbers, heads,
        "Means ± standard deviation over languages, as in figure 1 and tables 5 to 7.",
    )  # fmt: skip


def _frame(section: Section) -> pd.DataFrame:
    numbers = dict.fromkeys((*RATES, "score", "sd", "length"), float)
    return _labelled(pd.DataFrame(section["measured"]).astype(numbers))


def _labelled(result: pd.DataFrame) -> pd.DataFrame:
    heads = [CONTROLS.get(name, (name,))[0] for name in result["control"]]
    return result.assign(
        row=[f"{model} {head}".strip() for model, head in zip(result["model"], heads)]
    )


def _by_part(result: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """The frame once for thinking and once for answers, with the share as ``rate``."""
    parts = [result.assign(part=part, rate=result[f"{prefix}_{part}"]) for part in PARTS]
    return pd.concat(parts).dropna(subset=["rate"])


def _levels(result: pd.DataFrame) -> Table:
    groups = _by_part(result, "lc").groupby(["row", "part", "level"], sort=False)
    numbers = groups["rate"].agg(mean="mean", sd=lambda rates: rates.std(ddof=0))
    numbers["r"] = [pearson(group["rate"], group["score"]) for _, group in groups]
    layout = numbers.unstack("level")
    layout.columns = [f"{level} {number}" for number, level in layout.columns]
    order = pd.MultiIndex.from_product([result["row"].unique(), PARTS], names=["row", "part"])
    heads = {"row": Column(""), "part": Column("part")}
    for level in LEVELS:
        heads |= dict(zip((f"{level} mean", f"{level} sd"), spread(level, sd="std.")))
    heads |= {f"{level} r": Column(f"r {level}", "number", 2) for level in LEVELS}
    return listed(
        "polymath_consistency_levels",
        "Language consistency over languages (mean ± std., %), and its correlation with accuracy",
        layout.reindex(order).dropna(how="all").reset_index(),
        heads,
        "Layout of the paper's Table 6; r is Pearson's coefficient over languages.",
    )


def _by_language(result: pd.DataFrame, languages: Sequence[str], prefix: str, number: str) -> Table:
    """The mean over levels of the share of texts in a language, by part."""
    key, title = {
        "lc": ("consistency", "Responses in the language of the question (%)"),
        "english": ("english", "Responses in English (%)"),
    }[prefix]
    return wide(
        f"polymath_{key}", title, _by_part(result, prefix), {"row": "", "part": "part"}, "rate",
        columns=("language", languages), before={"avg.": MEAN},
        caption=f"Layout of the paper's Table {number}; plain mean of the levels.",
    )  # fmt: skip


def _lengths(result: pd.DataFrame, languages: Sequence[str]) -> Table:
    groups = result.groupby(["row", "level"], sort=False)
    r = pd.Series({key: pearson(group["length"], group["score"]) for key, group in groups})
    ordered_rows = result.sort_values(
        "level", key=lambda levels: levels.map(LEVELS.index), kind="stable"
    )
    table = wide(
        "polymath_length", "Mean length of thinking (characters; of the answer without thinking)",
        ordered_rows, {"row": "", "level": "level"}, "length", columns=("language", languages),
        kind="number", digits=0, after={"r": lambda pivot: r.reindex(pivot.index)},
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
    weighted = weighted_scores(group).set_index("language")["score"].dropna()
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
