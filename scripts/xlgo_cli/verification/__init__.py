"""Whether results are what they say, and the designs that a host requires."""
