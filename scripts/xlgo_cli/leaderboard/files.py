"""The names of the files of a leaderboard's folder."""

PAGE, NUMBERS, ROWS, CARD = "index.html", "leaderboard.json", "leaderboard.csv", "README.md"
FILES = (PAGE, NUMBERS, ROWS, CARD)
