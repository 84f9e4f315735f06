"""Grade many answers and sum them up, whatever families they belong to.

What keeps one bad row from ending a whole score, and what a score says of mixed rows.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from xlgo_metric.comparison.section import (
    ENGLISH,
    KEY,
    READINGS,
    REPEATS,
    by_language,
    cells_of,
    language_tables,
    readings_of,
    readings_tables,
    repeats_of,
    repeats_tables,
    table_of,
    with_wordings,
)
from xlgo_metric.core import (
    PLAIN,
    Grade,
    Json,
    Record,
    Status,
    Table,
    allowed_name,
    condition,
    refuse,
    with_field,
)
from xlgo_metric.family import FAMILIES, LOGGER, Family, Section, family, family_of, grade_safely
from xlgo_metric.reading.thinking import split_thinking
from xlgo_metric.version import __version__

_NUMBERS = 6
_WIDTH = 88


class Score(dict[str, Any]):
    """A score as a plain dict (JSON, pickle and ``==`` work as ever) that prints in a few lines.

    The numbers are at the top level, as ``evaluate`` returns them, or under ``headline``, as
    ``xlgo_metric.score`` returns them.
    """

    def __repr__(self) -> str:
        """Return at most ten lines: the first numbers, the signature and the keys."""
        headline = self.get("headline", self)
        numbers = [name for name, value in headline.items() if isinstance(value, int | float)]
        more = len(numbers) - _NUMBERS
        lines = [
            f"xlgo score: {', '.join(map(str, self.get('families') or ['no families']))}",
            *(f"  {name}: {headline[name]:.4g}" for name in numbers[:_NUMBERS]),
            *([f"  more numbers: {more}"] if more > 0 else []),
            f"  signature: {self.get('signature', '')}",
            f"  keys: {', '.join(str(key) for key in self if key not in numbers)}",
        ]
        texts = (line if line.isprintable() else ascii(line) for line in lines)
        return "\n".join(
            line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…" for line in texts
        )


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "task": str, "family": str, "language": str, "split": str, "text": str, "instance_id": str,
    "covariates": dict, "params": dict, "complexity": (int, float), "level": (int, str),
    "index": int, "seed": int, "data": (int, str),
    "condition": str, "tokenizer": str, "romaniser": str, "structure": str,
}  # fmt: skip
_IN_SIGNATURES = (
    "task", "family", "language", "split", "text", "data", "condition", "tokenizer", "romaniser",
)  # fmt: skip
_SHOWN = frozenset((
    *_IN_SIGNATURES, "prompt", "prompt_id", "prompt_sha", "revision", "variant", "mode", "category",
    "subcategory", "rule_id", "model", "setting", "control", "item", "tier", "sequence",
    "data_origin", "text_id", "text_split", "type", "idx",
))  # fmt: skip
_SEPARATORS = "|:"
_LONGEST_NAME = 100
_LARGEST = 10**15
_MOST_FAULTS = 20
_MESSAGE_LENGTH = 300

_MIXED = {
    "data": "data versions",
    "seed": "seeds",
    "split": "splits",
}


class Rejected(NamedTuple):
    """A record that is left out of a score, and why."""

    record: Record
    why: str


def check_fields(reference: Mapping[str, object]) -> None:
    """Validate the fields that all families share in a reference.

    Raises:
        ValueError: a field is of another type, or no name or number of a question.
    """
    for key, kind in _FIELDS.items():
        if (value := reference.get(key)) is not None:
            text = value if isinstance(value, str) else ""
            problems = (
                not isinstance(value, kind) or isinstance(value, bool),
                len(text) > _LONGEST_NAME,
                _is_no_size(value),
                key in _IN_SIGNATURES and any(mark in text for mark in _SEPARATORS),
            )
            if any(problems):  # words take longer than all checks
                words = (
                    f"is {type(value).__name__}: give the column 'reference' of the dataset",
                    f"has {len(text)} characters: it is no name",
                    "must be a number up to 10^15",
                    f"must hold no '|' or ':', got {text!r}",
                )
                refuse(f"{key!r} of a reference ", *zip(problems, words))
    shown = [(key, reference.get(key)) for key in _SHOWN]
    named: list[tuple[str, object, object]] = [
        (key, "", value) for key, value in shown if isinstance(value, str)
    ]
    for key in ("covariates", "params"):
        sizes = reference.get(key)
        named += [(key, *item) for item in (sizes if isinstance(sizes, dict) else {}).items()]
    for key, name, value in named:
        refuse(
            f"{key!r} of a reference holds ",
            (_is_no_size(value), "a size above 10^15, or no number"),
            # They would steer a terminal.
            (
                not f"{name}{value if isinstance(value, str) else ''}".isprintable(),
                "signs that cannot be printed",
            ),
        )


def _is_no_size(value: object) -> bool:
    """Whether it is a number that is too large, or not finite."""
    return isinstance(value, int | float) and not abs(value) <= _LARGEST


def runs(records: Iterable[Record]) -> int:
    """From how many runs the answers to one task in one language come, at the most."""

    def cell(record: Record) -> tuple[object, ...]:
        level = record.reference.get("level")
        question = (record.reference.get("task"), record.reference.get("language"))
        return (*question, level if isinstance(level, str) else None)

    of_runs = {(cell(record), record.run) for record in records if record.run is not None}
    return max(Counter(cell_name for cell_name, _ in of_runs).values(), default=0)


def mixtures(records: Iterable[Record]) -> list[str]:
    """A sentence for each of data version, seed and split of which a task has several.

    Each language has a data version of its own.
    """
    result: dict[tuple[str, str, str], set[str]] = {}
    for record in records:
        for key in _MIXED:
            value = record.reference.get(key)
            if value is not None:
                language = f" ({record.reference.get('language')})" if key == "data" else ""
                where = (record.reference["task"], language, key)
                result.setdefault(where, set()).add(str(value))
    return [
        f"{task}{language}: the answers come from several {_MIXED[key]} "
        f"({', '.join(sorted(values))}), summarized together: they are different questions"
        for (task, language, key), values in result.items()
        if len(values) > 1
    ]


def summarize_or_drop(
    family: Family, records: Sequence[Record], options: Mapping[str, object]
) -> tuple[Section | None, list[Record], list[Rejected]]:
    """The section of a family, of all records that it can summarize.

    If summarizing all records fails, find the failing ones by bisection.

    Returns:
        The section (``None`` if no record can be used), the records in it, and those left out.

    Raises:
        ValueError: an option is not allowed, or more than 20 records would have to be left out.
    """
    usable, rejected = list(records), list[Rejected]()

    def failure(part: Sequence[Record]) -> Exception | None:
        if not part:
            return None
        try:
            _checked_section(family, part, options)
        except Exception as error:  # whatever a strange record leads to
            return error
        return None

    while usable:
        try:
            return _checked_section(family, usable, options), usable, rejected
        except Exception as error:
            if options and failure(usable[:1]) and failure(usable[-1:]):
                raise  # an option is to blame, no record
            if len(rejected) == _MOST_FAULTS:
                raise ValueError(
                    f"more than {_MOST_FAULTS} answers of {family.name} cannot be summarized, for "
                    f"example because: {_message(error)}"
                ) from error
            index = _failing(usable, failure)
            why = failure([usable[index]]) or error
            rejected.append(Rejected(usable.pop(index), f"cannot be summarized ({_message(why)})"))
    return None, usable, rejected


def _checked_section(
    family: Family, records: Sequence[Record], options: Mapping[str, object]
) -> Section:
    """The section, if its tables and the part for charts can be made too."""
    section = family.summarize(records, **options)
    family.tables(section)
    family.gaps(section)
    return section


def _failing(
    records: Sequence[Record], failure: Callable[[Sequence[Record]], Exception | None]
) -> int:
    """The position of a record without which the others are more likely to be summarized."""
    counts = range(1, len(records) + 1)
    first = bisect_left(counts, True, key=lambda n: failure(records[:n]) is not None)
    if failure([records[first]]):
        return first
    # Alone it works: it disagrees with another one, which may be the odd one.
    last = bisect_left(counts, True, key=lambda n: failure(records[n:]) is None)
    return first if failure([*records[:last], *records[last + 1 :]]) else last


def _message(error: Exception) -> str:
    text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return " ".join(text[:_MESSAGE_LENGTH].encode("utf-8", "replace").decode().split())


def read_reference(reference: str | Mapping[str, object]) -> dict[str, object]:
    """A reference as a dict, whether it was given as one or as JSON.

    Raises:
        ValueError: it is neither, it lacks the task or the answer, or a field is of another type.
    """
    if isinstance(reference, str):
        try:
            reference = json.loads(reference)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a reference is not valid JSON: {error}") from None
    if not isinstance(reference, dict):
        raise ValueError(
            f"a reference must be a JSON object, got {type(reference).__name__}: give the column "
            "'reference' of the dataset"
        )
    for key in ("task", "answer"):
        if key not in reference:
            raise ValueError(
                f"a reference has no {key!r}: give the column 'reference' of the dataset"
            )
    check_fields(reference)
    family_of(reference)
    return reference


def grade(prediction: str | None, reference: str | Mapping[str, object]) -> Grade:
    """Grade one response.

    Args:
        prediction: the model's whole output; ``None`` counts as an empty one.
        reference: the column ``reference`` of the row, as JSON or as a dict.

    Raises:
        ValueError: the reference is malformed. The prediction may be anything.

    >>> grade('{"chain": [1, -2]}', '{"task": "slt", "answer": {"chain": [1, -2]}}').status
    'correct'
    """
    data = read_reference(reference)
    return family_of(data).grade(prediction, data)


def grade_all(
    predictions: Sequence[str | None],
    references: Sequence[str | Mapping[str, object]],
    *,
    thinking: Sequence[str | None] | None = None,
) -> list[Record]:
    """Grade responses one by one; records in the same order.

    Args:
        predictions: model outputs, n of them.
        references: their references, n of them.
        thinking: thinking given apart from the response, n of them, where there is such; else it
            is what stands in the response between its marks.

    One answer or reference never ends the scoring: what a grader raises costs that row alone (see
    ``family.grade_safely``), and so does a reference that cannot be used. Its record has an empty
    reference and the status ``bad_format``.

    Raises:
        ValueError: the lengths differ, or predictions and references are swapped.
    """
    count = len(predictions)
    thoughts = count if thinking is None else len(thinking)
    refuse(
        f"{count} predictions but ",
        (len(references) != count, f"{len(references)} references: give one each"),
        (thoughts != count, f"{thoughts} texts of thinking"),
    )
    if _are_swapped(predictions, references):
        raise ValueError(
            "predictions and references are swapped: the predictions are references and no "
            "reference is one; pass the model's outputs first"
        )
    records = []
    for position, (prediction, reference) in enumerate(zip(predictions, references)):
        where = f"row {position}"
        try:
            data = read_reference(reference)
            grade = grade_safely(family_of(data).grade, prediction, data, where=where)
        except ValueError as error:
            LOGGER.warning("%s is left out: %s", where, error)
            unusable = Grade(False, "bad_format", details={"error": f"{where}: {error}"})
            records.append(Record(unusable, {}, where=where))
            continue
        text = prediction if isinstance(prediction, str) else None
        thought = split_thinking(text or "").thinking if thinking is None else thinking[position]
        length = None if thought is None else len(thought)
        records.append(Record(grade, data, length, text, where=where))
    return records


def _are_swapped(predictions: Sequence[Any], references: Sequence[Any]) -> bool:
    """Whether the first prediction is a reference and not one of the references is.

    An output that imitates a reference is not enough: one usable reference, and all is well.
    """
    return (
        len(predictions) > 0
        and not _is_reference(references[0])
        and _is_reference(predictions[0])
        and not any(map(_is_reference, references))
    )


def _is_reference(value: Any) -> bool:
    try:
        read_reference(value)
    except ValueError:
        return False
    return True


def cut_off(found: Grade) -> Grade:
    """The grade of a response that reached the limit of tokens (finish reason ``length``).

    It is ``truncated`` unless a complete answer could be read outside its thinking.
    """
    is_cut = found.status in ("no_answer", "bad_format", "needs_judge")
    return replace(found, correct=False, status="truncated", strict=False) if is_cut else found


def summarize(records: Iterable[Record], **options: Any) -> Score:
    """The score of graded responses.

    A record that a family cannot summarize is left out, so that it costs no other.

    Returns:
        A dict of plain JSON types with a short ``repr``: ``signature`` (what made the score, the
        version last), ``version``,
        ``headline`` (numbers by flat names: ``accuracy``, ``parsed`` and those of the families) and
        ``families``, a section for each family that occurs, in that family's own form, in the
        order of the registry. ``unusable`` counts records that are left out, and ``warnings`` holds
        sentences about the whole score, if there are any.

    Raises:
        ValueError: there are no records that can be used, or an option is unknown to all families.
    """
    return summarize_rows(records, **options)[0]


def summarize_rows(records: Iterable[Record], **options: Any) -> tuple[Score, list[Rejected]]:
    """The score of graded responses, and which of them could not be summarized and why.

    Raises:
        ValueError: see ``summarize``.
    """
    _check_names(options)
    groups: dict[str, list[Record]] = {}
    faults: list[Rejected] = []
    for record in records:
        if not record.reference:
            why = str(record.grade.details.get("error", "no reference"))
            faults.append(Rejected(record, why))
            continue
        groups.setdefault(family_of(record.reference).name, []).append(record)
    _check_baseline(options.get("baseline"), groups)
    sections: dict[str, Section] = {}
    warnings: list[str] = []
    statuses: list[Status] = []
    for name in [name for name in FAMILIES if name in groups]:
        declared = (option for option in family(name).options if option.name in options)
        checked = {option.name: option.checked(options[option.name]) for option in declared}
        section, usable, lost = summarize_or_drop(family(name), groups.pop(name), checked)
        faults += lost
        if section is None:
            continue
        answered = [record for record in usable if not record.grade.is_missing]
        section = {**section, **_compared(family(name), section, answered, options)}
        if (several := runs(usable)) > 1:
            signed = with_field(str(section["signature"]), "runs", several)
            section = {**section, "signature": signed}
        warnings += mixtures(usable)
        statuses += [r.grade.status for r in answered if condition(r.reference) == PLAIN]
        sections[name] = section
    if not sections and faults:
        raise ValueError(f"none of the {len(faults)} references can be used: {faults[0].why}")
    if not sections:
        raise ValueError("there is nothing to score: no predictions were given")
    score = Score(
        signature=" ".join(str(section["signature"]) for section in sections.values()),
        version=__version__,
        headline=_headline(statuses, sections),
        families=sections,
    )
    if faults:
        score["unusable"] = len(faults)
    if warnings:
        score["warnings"] = list(dict.fromkeys(warnings))
    return score, faults


def _check_names(options: Iterable[str]) -> None:
    """Refuse an option that no family has."""
    for option in options:
        declared = (each.name for entry in FAMILIES.values() for each in entry.options)
        allowed_name(option, "option", dict.fromkeys(declared))


def _check_baseline(baseline: Any, groups: Mapping[str, Sequence[Record]]) -> None:
    """Refuse a baseline in which nothing was asked.

    Raises:
        ValueError: the languages that were asked are listed.
    """
    languages = {
        str(r.reference.get("language", ENGLISH)) for group in groups.values() for r in group
    }
    refuse(
        f"baseline={baseline}: ",
        (
            baseline is not None and baseline not in languages,
            f"nothing was asked in this language; allowed are {', '.join(sorted(languages))}",
        ),
    )


def _compared(
    family: Family, section: Section, records: Sequence[Record], options: Mapping[str, object]
) -> Section:
    """What every section has beside its own: the readings, how answers to one question differ, and
    the languages where the family has no comparison of its own."""
    if not family.is_binary:
        return {}
    baseline = str(options.get("baseline") or ENGLISH)
    plain = table_of(records)
    result: dict[str, object] = {}
    if family.reads_responses:
        result[READINGS] = readings_of(plain.decided, baseline)
    if (plain.frame["repeat"] > 0).any():
        result[REPEATS] = repeats_of(plain.decided, baseline)
    if family.gaps(section) is None and (compared := by_language(plain, baseline)) is not None:
        result[KEY] = compared
    return result


def _headline(statuses: Sequence[Status], sections: Mapping[str, Section]) -> dict[str, float]:
    """Accuracy and parsed answers over all plain questions whose answers need no judge, and what
    families add."""
    decided = [status for status in statuses if status != "needs_judge"]
    result: dict[str, float] = {}
    if decided:
        result["accuracy"] = decided.count("correct") / len(decided)
        result["parsed"] = sum(status in ("correct", "wrong") for status in decided) / len(decided)
    for name, section in sections.items():
        result |= family(name).headline(section)
    return result


def score(
    predictions: Sequence[str | None],
    references: Sequence[str | Mapping[str, object]],
    *,
    thinking: Sequence[str | None] | None = None,
    **options: Any,
) -> Score:
    """Grade responses and sum them up: ``grade_all`` and ``summarize`` in one."""
    return summarize(grade_all(predictions, references, thinking=thinking), **options)


def tables_of(name: str, section: Mapping[str, object]) -> list[Table]:
    """The tables of a family's section, with those of its languages, readings and repeats."""
    family_tables = family(name).tables(section)
    more = (language_tables, readings_tables, *([repeats_tables] if REPEATS in section else []))
    part, compared = family(name).gaps(section), section.get(KEY)
    cells = [] if part is None else [cell["difference"] for *_, cell in cells_of(part["tasks"])]
    gaps = [*filter(None, cells), *(compared["cells"] if isinstance(compared, Mapping) else ())]
    return [
        with_wordings(one, gaps)
        for one in (*family_tables, *(table for make in more for table in make(section)))
    ]


def tables(scores: Json) -> list[Table]:
    """Tables for people of a score, family after family."""
    return [
        table for name, section in scores["families"].items() for table in tables_of(name, section)
    ]
