"""The version of the generated data, apart from that of the package."""

DATA_VERSION = 1
"""Raised whenever one byte of a generated prompt or answer changes (see CHANGELOG.md)."""
