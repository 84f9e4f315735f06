"""What the commands do, as functions for notebooks; ``xlgo_cli`` offers them by their names."""
