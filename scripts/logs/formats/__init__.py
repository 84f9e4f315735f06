"""Logs of other tools than lm-evaluation-harness, a module each."""
