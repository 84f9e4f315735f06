"""The families that this package grades, a folder each; see ``xlgo_metric.family``."""

BUILT_IN = ("xlgobench", "polymath", "simple_reasoning", "korbench", "lit", "parallel")
"""Their folders, in the order of a report."""

FORMER_NAMES = {"easy": "simple_reasoning"}
"""Former values of ``family`` in references, with the current names."""
