"""Options as data: what checks them, ``--help`` and the docs read the same.

A family names the options of the rows of each task and those of its score; ``resolved`` checks what
was given and fills in the defaults. What options mean to each other is the family's own to check.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .core import Json, allowed_name, as_int

Kind = Literal["integer", "text", "flag", "choice", "names", "other"]
"""What an option is: ``names`` are some of the allowed ones, joined by commas or in a list;
``other`` is checked by ``Option.check`` alone."""

_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        name: as a keyword, in ``--metadata`` or ``--options`` and in the recipe of an export.
        kind: what its values are.
        help: what it does: a phrase without a full stop.
        default: its value where none is given.
        allowed: of an integer the range, of a choice or of names the values.
        least: the least integer, where there is no range.
        several: a list of values may be given; the checked value is a tuple.
        needed: it has no default: what must be given, for the message.
        is_path: a value may name a file or folder of the user, which caches then notice.
        check: what else is checked. It returns the value to take, or raises ``ValueError``.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    allowed: Sequence[Any] = ()
    least: int | None = None
    several: bool = False
    needed: str = ""
    is_path: bool = False
    check: Callable[[Any], Any] | None = None

    def checked(self, value: Any, task: str = "") -> Any:
        """The value to take for one that was given.

        Args:
            value: what was given.
            task: whose option it is, where that is to be told.

        Raises:
            ValueError: it is not allowed; task, option, value and what is allowed are named.
        """
        if not self.several:
            return self.one(value, task)
        values = tuple(value) if isinstance(value, list | tuple) else (value,)
        if not values:
            raise ValueError(f"{_prefix(task)}{self.name} has no value")
        return tuple(self.one(item, task) for item in values)

    def one(self, value: Any, task: str = "") -> Any:
        """As ``checked``, for one value of several."""
        result = _CHECKS[self.kind](self, value)
        if result is None:
            raise ValueError(f"{_prefix(task)}{self.name}={value!r} must be {self.wanted}")
        return result if self.check is None else self.check(result)

    @property
    def wanted(self) -> str:
        """What its values must be, in words."""
        names = ", ".join(map(str, () if self.kind == "integer" else self.allowed))
        limits = f" from {self.allowed[0]} to {self.allowed[-1]}" if self.allowed else ""
        limits = limits or ("" if self.least is None else f" from {self.least}")
        return {
            "integer": f"an integer{limits}",
            "choice": f"one of {names}",
            "names": f"names of {names}, joined by commas or in a list",
            "text": "a text",
            "flag": "True or False",
            "other": "as above",
        }[self.kind]


BASELINE = Option("baseline", "text", "language that the others are compared with", "en")
SEED = Option("seed", "integer", "seed of all draws", 0)
DRAWS = Option(
    "draws", "integer", "draws of each curve and resamples of each interval", 300, least=2
)


def resolved(task: str, options: Sequence[Option], given: Mapping[str, object]) -> Json:
    """Every option with its value; one that is given as ``None`` has its default.

    Raises:
        ValueError: an unknown option, a value that is not allowed, or one that is needed and was
            not given; they are named.
    """
    names = [option.name for option in options]
    for name in given:
        allowed_name(name, "option", names, f"{task}: ")
    for option in options:
        if option.needed and given.get(option.name) in (None, ""):
            raise ValueError(f"{task} needs {option.name}=..., {option.needed}")
    return {
        option.name: option.default
        if given.get(option.name) is None
        else option.checked(given[option.name], task)
        for option in options
    }


def _prefix(task: str) -> str:
    return f"{task}: " if task else ""


def _integer(option: Option, value: Any) -> int | None:
    try:
        result = as_int(option.name, value)
    except ValueError:
        return None
    is_low = option.least is not None and result < option.least
    return None if is_low or (option.allowed and result not in option.allowed) else result


def _text(option: Option, value: Any) -> str | None:
    return os.fspath(value) or None if isinstance(value, str | os.PathLike) else None


def _flag(option: Option, value: Any) -> bool | None:
    result = _FLAGS.get(value.lower()) if isinstance(value, str) else value
    return result if isinstance(result, bool) else None


def _choice(option: Option, value: Any) -> Any:
    """The allowed value that is equal; no flag is taken for 0 or 1."""
    same = (
        x for x in option.allowed if x == value and isinstance(x, bool) == isinstance(value, bool)
    )
    return next(same, None)


def _names(option: Option, value: Any) -> str | None:
    names = value.split(",") if isinstance(value, str) else value
    is_list = isinstance(names, list | tuple) and len(names) > 0
    if not is_list or any(name not in option.allowed for name in names):
        return None
    return ",".join(name for name in option.allowed if name in names)


def codes(given: Any, what: str = "languages") -> list[str]:
    """Names, such as codes of languages, out of a list or a text that joins them by commas.

    Args:
        given: the list or text; each name counts once.
        what: the names are, in the plural.

    Raises:
        ValueError: it is neither.
    """
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, Iterable):
        raise ValueError(f"{what} must be names joined by commas, or a list, got {given!r}")
    return [name for name in dict.fromkeys(str(name).strip() for name in names) if name]


_CHECKS: Mapping[str, Callable[[Option, Any], Any]] = {
    "integer": _integer,
    "text": _text,
    "flag": _flag,
    "choice": _choice,
    "names": _names,
    "other": lambda option, value: value,
}
