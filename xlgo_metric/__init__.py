"""Grading and statistics of xlgo; the reference of a row has everything needed.

>>> import xlgo_metric as xm
>>> xm.grade('{"state": "Room E2679"}', {"task": "dsa", "answer": {"state": "E2679"}}).correct
True

The public names stand in ``__init__.pyi``, where type checkers find them too; a name's module is
imported when it is first used.
"""

import lazy_loader

from . import hook

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

hook.install()
