"""Reports of runs. Called, the package is the function ``xlgo_cli.report``, which has its name."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Report(ModuleType):
    """The package; importing a part of it makes it an attribute of ``xlgo_cli``, in the place of
    the function of that name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function that ``xlgo_cli`` offers by the name of this package."""
        offered = sys.modules[__name__.rpartition(".")[0]].__getattr__("report")
        return offered(*arguments, **options)


sys.modules[__name__].__class__ = _Report
