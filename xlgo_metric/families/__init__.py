"""The families that this package grades, a folder each; see ``xlgo_metric.family``."""

BUILT_IN = ("xlgobench", "polymath", "simple_reasoning", "korbench", "lit", "parallel")
"""Their folders, in the order of a report."""

REFERENCE_NAMES = {"easy": "simple_reasoning"}
"""Families whose references call them by another name, which is part of the data's bytes."""
