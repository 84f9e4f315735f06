"""The families that this package grades, a folder each; see ``xlgo_metric.family``."""

BUILT_IN = ("xlgobench", "polymath", "simple_reasoning", "korbench", "lit")
"""Their folders, in the order of a report."""
