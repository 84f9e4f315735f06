"""Results that prove what they are."""
