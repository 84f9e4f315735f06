"""The versions of the generated data, apart from that of the package."""

DRAW_VERSION = 1
"""Part of every random key: it rises only when drawing changes, so that a corrected string leaves
every puzzle as it was."""

DATA_VERSION = 1
"""Of the five puzzles: it rises whenever one byte of a generated prompt or answer changes (see
CHANGELOG.md). Every family has one of its own,
and a language whose strings changed may be ahead (``data_version`` in its file)."""
