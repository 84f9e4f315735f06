"""The command line of xlgo, and what it does as functions for notebooks.

The public names stand in ``__init__.pyi``, where type checkers find them too; a name's module is
imported when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
