"""JSON objects in responses: found among other text, and read where they are not quite JSON."""
