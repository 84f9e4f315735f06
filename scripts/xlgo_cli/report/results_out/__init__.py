"""Results for other places: the Hub, and the schema of every_eval_ever."""
