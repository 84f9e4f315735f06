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
    parameters = [names] if isinstance(names, str) else [*names]
    cases = [(value,) if isinstance(names, str) else tuple(value) for value in values]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(test).parameters

        @functools.wraps(test)
        def loop(subtests: pytest.Subtests, **fixtures: Any) -> None:
            if "subtests" in own:
                fixtures["subtests"] = subtests
            for case in cases:
                try:
                    test(**dict(zip(parameters, case)), **fixtures)
                except BaseException:  # thousands of others need no report each
                    with subtests.test(", ".join(f"{value!r:.60}" for value in case)):
                        raise

        fixtures = [p for name, p in own.items() if name not in (*parameters, "subtests")]
        first = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        loop.__signature__ = inspect.Signature([first, *fixtures])  # type: ignore[attr-defined]
        return loop

    return decorate
