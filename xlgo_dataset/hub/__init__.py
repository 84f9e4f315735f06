"""Makes ``datasets.load_dataset("xlgo", ...)`` find our builder.

``datasets`` has no extension point for builders (loading scripts ended with version 4), so its
``dataset_module_factory`` is wrapped: the path "xlgo" gets our builder, any other goes on as
before. This happens when ``datasets`` is imported, not when we are: importing it takes longer than
all else. If a later version has moved that function, ``load_dataset("xlgo")`` is unknown to it and
``xlgo_dataset.load_dataset`` does the same without it. The environment variable ``XLGO_NO_HOOKS``
switches the wrapping off.
"""

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

_NAME = "xlgo"


@cache  # one wrapper for both modules, so that it can be pickled
def with_our_builder(original: Callable[..., Any]) -> Callable[..., Any]:
    """``dataset_module_factory`` of ``datasets``, for which "xlgo" is our builder."""

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

    return dataset_module_factory
