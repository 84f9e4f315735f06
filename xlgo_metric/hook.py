"""Makes ``evaluate.load("xlgo_metric")`` find this package, from any folder and without a network.

``evaluate`` takes a bare name for a folder of the working directory or of the Hub. Its
``evaluation_module_factory`` is wrapped: the name of this package becomes its path, any other goes
on as before. This happens when ``evaluate`` is imported, not when we are. It is left out where the
environment variable ``XLGO_NO_HOOKS`` is set; ``evaluate.load(xlgo_metric.path())`` always works.
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

SWITCH = "XLGO_NO_HOOKS"

_FUNCTION = "evaluation_module_factory"
_PACKAGE = Path(__file__).parent

Wrap = Callable[[ModuleType], None]
"""Wraps a function of a module."""


def install() -> None:
    """Wrap the function of ``evaluate``, now or when it is imported. May be called again."""
    when_imported(("evaluate.loading",), _wrap)


def when_imported(names: tuple[str, ...], wrap: Wrap) -> None:
    """Have modules wrapped: those that are imported at once, the others when they are.

    Nothing happens where ``SWITCH`` is set, and what is watched already is watched once.
    """
    if os.environ.get(SWITCH):
        return
    for name in names:
        if name in sys.modules:
            wrap(sys.modules[name])
    if (watch := _Watch(names, wrap)) not in sys.meta_path:
        sys.meta_path.insert(0, watch)


class _Loader(SourceFileLoader):
    """Runs a module, which is wrapped at once."""

    def __init__(self, name: str, path: str, wrap: Wrap) -> None:
        super().__init__(name, path)
        self._wrap = wrap

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self._wrap(module)


class _Watch(NamedTuple):
    """Finds some modules and gives them the loader above."""

    names: tuple[str, ...]
    wrap: Wrap

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self.wrap)
        return spec


def _wrap(module: ModuleType) -> None:
    original = vars(module).get(_FUNCTION)
    # Another release may have no such function: then the name is looked up as before.
    if original is None or "wrapped_by_xlgo" in vars(original):
        return

    def evaluation_module_factory(path: str, *args: Any, **options: Any) -> Any:
        if path == _PACKAGE.name:
            path = str(_PACKAGE)
        return original(path, *args, **options)

    vars(evaluation_module_factory)["wrapped_by_xlgo"] = True
    evaluation_module_factory.__doc__ = original.__doc__
    setattr(module, _FUNCTION, evaluation_module_factory)
