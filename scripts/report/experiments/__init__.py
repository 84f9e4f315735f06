"""What the page says of experiments: where gaps come from, and where answers first go wrong."""
