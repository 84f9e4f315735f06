"""xlgo: one and the same algorithmic puzzle in many languages.

>>> import xlgo_dataset as xd
>>> instance = xd.generate("dsa", complexity=4, seed=0, index=0, split="test")
>>> xd.read("dsa", xd.render(instance, "te"), "te") == instance
True

The public names stand in ``__init__.pyi``, where type checkers find them too; a name's module is
imported when it is first used.
"""

import lazy_loader

from xlgo_metric.hook import Hook

from . import hub

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

_MODULES = ("datasets.load", "datasets.inspect")
Hook(_MODULES, "dataset_module_factory", hub.with_our_builder).install()
