"""Adaptive designs; their names stand here, apart from the mathematics, which imports scipy."""

NAME = "adaptive-pooled5"
EXTENDED = "-extended"
"""Ends the name of a design that was given more questions after a look at its results."""
