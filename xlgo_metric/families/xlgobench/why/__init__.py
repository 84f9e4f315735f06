"""Where a gap comes from: the same questions under several conditions, compared pair by pair."""
