"""The families of tasks of this package, a folder each; see ``xlgo_dataset.family``."""

BUILT_IN = ("xlgobench", "polymath", "simple_reasoning", "korbench", "lit")
"""Their folders, in the order of a report."""

FORMER_NAMES = (
    ("easy_unpuzzles_", "unpuzzles_"), ("easy_", "simple_"), ("easy", "simple_reasoning"),
)  # fmt: skip
"""How the names of harness tasks and groups began in version 0.1, and how they begin now."""
