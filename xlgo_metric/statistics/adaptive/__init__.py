"""Adaptive designs; their names stand here, apart from the mathematics, which imports scipy."""

NAME = "adaptive-pooled5"
PAIR = "adaptive-pooled5-pair"
"""Of questions that an earlier version asked one language and English only."""
EXTENDED = "-extended"
"""Ends the name of a design that was given more questions after a look at its results."""
