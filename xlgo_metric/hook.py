"""Makes ``evaluate.load("xlgo_metric")`` find this package, from any folder and without a network.

``evaluate`` takes a bare name for a folder of the working directory or of the Hub. Its
``evaluation_module_factory`` is wrapped: the name of this package becomes its path, any other goes
on as before. This happens when ``evaluate`` is imported, not when we are. It is left out where the
environment variable ``XLGO_NO_HOOKS`` is set; ``evaluate.load(xlgo_metric.path())`` always works.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

SWITCH = "XLGO_NO_HOOKS"

_MODULE = "evaluate.loading"
_FUNCTION = "evaluation_module_factory"
_PACKAGE = Path(__file__).parent


def install() -> None:
    """Wrap modules that are imported, or watch for them. May be called again."""
    if os.environ.get(SWITCH):
        return
    if _MODULE in sys.modules:
        _wrap(sys.modules[_MODULE])
    elif not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Loader(SourceFileLoader):
    """Runs the module of ``evaluate`` that holds the function, which is wrapped at once."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _wrap(module)


class _Watch:
    """Finds that module and gives it the loader above."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
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
