"""Where wrong answers first go wrong: tables of it, and the walks of rooms and keys."""
