"""Makes ``datasets.load_dataset("xlgo", ...)`` find our builder.

``datasets`` has no extension point for builders (loading scripts ended with version 4), so its
``dataset_module_factory`` is wrapped: the path "xlgo" gets our builder, any other goes on as
before. This happens when ``datasets`` is imported, not when we are: importing it takes longer than
all else. If a later version has moved that function, ``load_dataset("xlgo")`` is unknown to it and
``xlgo_dataset.load_dataset`` does the same without it. The environment variable ``XLGO_NO_HOOKS``
switches the wrapping off.
"""

import functools
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

from xlgo_metric.hook import when_imported

_MODULES = ("datasets.load", "datasets.inspect")
_NAME = "xlgo"
_FUNCTION = "dataset_module_factory"


def install() -> None:
    """Wrap the function of ``datasets``, now or when it is imported. May be called again."""
    when_imported(_MODULES, _wrap)


def _wrap(module: ModuleType) -> None:
    original = vars(module).get(_FUNCTION)
    if original is None:
        warnings.warn(
            f'this version of datasets has no {module.__name__}.{_FUNCTION}: load_dataset("xlgo") '
            "is not available, use xlgo_dataset.load_dataset instead",
            stacklevel=2,
        )
        return
    if "wrapped_by_xlgo" in vars(original):
        return
    known = vars(sys.modules.get(_MODULES[0], module)).get(_FUNCTION)
    if getattr(known, "__wrapped__", None) is original:  # one wrapper, so that it can be pickled
        setattr(module, _FUNCTION, known)
        return

    @functools.wraps(original)  # its signature, and the name by which it is pickled
    def dataset_module_factory(path: Any, *args: Any, **kwargs: Any) -> Any:
        if path != _NAME:
            return original(path, *args, **kwargs)
        if (revision := kwargs.get("revision")) not in (None, "main"):
            raise ValueError(
                f"xlgo generates its rows: revision {revision!r} has no meaning here (the version "
                "of the data is that of the package: xlgo_dataset.DATA_VERSION)"
            )
        if Path(_NAME).is_dir():
            kind = "exported folder" if Path(_NAME, "export.json").is_file() else "folder"
            warnings.warn(
                f'load_dataset("{_NAME}") generates its rows; the {kind} {Path(_NAME).resolve()} '
                f'is read by load_dataset("./{_NAME}")',
                stacklevel=2,
            )
        from datasets.load import DatasetModule

        from .builder import code_hash

        return DatasetModule(
            "xlgo_dataset.hub.builder", code_hash(), {"dataset_name": _NAME, "base_path": None}
        )

    vars(dataset_module_factory)["wrapped_by_xlgo"] = True
    setattr(module, _FUNCTION, dataset_module_factory)
