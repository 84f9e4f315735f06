"""The names of the files of a leaderboard's folder."""

PAGE, NUMBERS, ROWS, CARD = "index.html", "leaderboard.json", "leaderboard.csv", "README.md"
TABLES = ("pairs.csv", "gaps.csv", "readings.csv")
FILES = (PAGE, NUMBERS, ROWS, CARD)
"""Those that every leaderboard has."""
