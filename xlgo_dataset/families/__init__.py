"""The families of tasks of this package, a folder each; see ``xlgo_dataset.family``."""

BUILT_IN = ("xlgobench", "polymath", "simple_reasoning", "korbench", "lit")
"""Their folders, in the order of a report."""
