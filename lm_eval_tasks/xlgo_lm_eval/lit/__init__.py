"""The chains of the family LiT."""
