"""Task files of this family, and its chains."""
