"""Something else in the place of an attribute of another package, for a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Replace an attribute until the end of the block.

    Args:
        owner: a module, a class or an object. One that it only inherits is deleted at the end.
        name: of the attribute.
        value: what stands there meanwhile.
    """
    is_own = name in vars(owner)
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if is_own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)
