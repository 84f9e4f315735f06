"""Numbers that must stay as they are: scores, tables and verdicts of stored answers."""
