"""One cell in every medium: numbers, marks and the status of wordings."""
