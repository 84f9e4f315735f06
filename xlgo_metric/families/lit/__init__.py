"""Scores of round-trip translation chains (LiT): MQM errors, statistics over texts, tables."""
