"""Grading and statistics of KOR-Bench (arXiv 2410.06526)."""
