"""Makes ``evaluate.load("xlgo_metric")`` find this package, from any folder and without a network.

``evaluate`` takes a bare name for a folder of the working directory or of the Hub. Its
``evaluation_module_factory`` is wrapped: the name of this package becomes its path, any other goes
on as before. This happens when ``evaluate`` is imported, not when we are. It is left out where the
environment variable ``XLGO_NO_HOOKS`` is set; ``evaluate.load(xlgo_metric.path())`` always works.
"""

import functools
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

SWITCH = "XLGO_NO_HOOKS"


def path() -> str:
    """The folder to give to ``evaluate.load`` from any working directory.

    >>> import evaluate
    >>> metric = evaluate.load(path())
    """
    return str(Path(__file__).parent)


def install() -> None:
    """Wrap the function of ``evaluate``, now or when it is imported. May be called again."""
    Hook(("evaluate.loading",), "evaluation_module_factory", _with_our_path).install()


def _with_our_path(original: Callable[..., Any]) -> Callable[..., Any]:
    own = path()

    def evaluation_module_factory(path: str, *args: Any, **options: Any) -> Any:
        return original(own if path == __package__ else path, *args, **options)

    return evaluation_module_factory


class Hook(NamedTuple):
    """Wraps a function of some modules: now, or when they are imported.

    Attributes:
        modules: their names.
        function: its name.
        wrapper: from the function to what takes its place.
    """

    modules: tuple[str, ...]
    function: str
    wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]

    def install(self) -> None:
        """Wrap what is imported and watch for the rest, once; not where ``SWITCH`` is set."""
        if os.environ.get(SWITCH):
            return
        for name in self.modules:
            if name in sys.modules:
                self.wrap(sys.modules[name])
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of one of the modules, whose loader wraps it at once."""
        if fullname not in self.modules:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_wrap(module: ModuleType) -> None:
                run(module)
                self.wrap(module)

            vars(spec.loader)["exec_module"] = run_and_wrap
        return spec

    def wrap(self, module: ModuleType) -> None:
        """Put the wrapper in the place of the function; a warning where a release has none."""
        original = vars(module).get(self.function)
        if original is None:
            warnings.warn(
                f"this version has no {module.__name__}.{self.function}, so it does not know the "
                "names of xlgo: use xlgo_dataset.load_dataset, evaluate.load(xlgo_metric.path())",
                stacklevel=2,
            )
        elif "wrapped_by_xlgo" not in vars(original):
            # With its signature, and the name by which it is pickled.
            wrapped = functools.update_wrapper(self.wrapper(original), original)
            vars(wrapped)["wrapped_by_xlgo"] = True
            setattr(module, self.function, wrapped)
