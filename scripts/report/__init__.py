"""Reports of runs. Called, the package is the function ``xlgo_cli.report``, which has its name."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Report(ModuleType):
    """The package; importing a part of it makes it an attribute of ``xlgo_cli``, in the place of
    the function of that name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """See ``xlgo_cli.notebook.functions.report``."""
        from ..notebook.functions import report

        return report(*arguments, **options)


sys.modules[__name__].__class__ = _Report
