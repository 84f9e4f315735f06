"""Whether two answers that were read say the same: kind by kind, expressions by their values."""
