"""Judges: answers that only a judge can decide."""
