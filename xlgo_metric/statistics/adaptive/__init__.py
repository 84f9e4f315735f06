"""Adaptive designs; their names stand here, apart from the mathematics, which imports scipy."""

NAME = "adaptive-pooled5"
