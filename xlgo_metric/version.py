"""The versions in every signature: of the reader, of the statistics, of the package."""

__version__ = "0.3.0.dev0"

READER_VERSION = 7
"""Rises whenever a verdict on some response changes (see CHANGELOG.md)."""

STATISTICS_VERSION = 7
"""Rises whenever a figure that is made of the same verdicts changes (see CHANGELOG.md)."""
