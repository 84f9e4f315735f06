"""Quick cases of one rule as one test: a loop with subtests, each named by its values."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def looped(
    names: str | Sequence[str], values: Iterable[Any], ids: object = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``pytest.mark.parametrize`` as a loop; fixtures are made once for all cases.

    Args:
        names: of the parameters.
        values: one for each case, or as many as there are names.
        ids: ignored; a case is named by its values.
    """
    parameters = names.replace(" ", "").split(",") if isinstance(names, str) else [*names]
    cases = [_values(value, len(parameters)) for value in values]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(test).parameters
        with_subtests = "subtests" in own

        @functools.wraps(test)
        def loop(subtests: pytest.Subtests, **fixtures: Any) -> None:
            more = {"subtests": subtests} if with_subtests else {}
            for case in cases:
                with subtests.test(", ".join(f"{value!r:.60}" for value in case)):
                    test(**dict(zip(parameters, case)), **fixtures, **more)

        kept = [p for name, p in own.items() if name not in (*parameters, "subtests")]
        first = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        loop.__signature__ = inspect.Signature([first, *kept])  # type: ignore[attr-defined]
        return loop

    return decorate


def _values(value: Any, count: int) -> tuple[Any, ...]:
    if isinstance(value, type(pytest.param())):
        assert not value.marks, "a case of a loop has no marks"
        return tuple(value.values)
    return (value,) if count == 1 else tuple(value)
