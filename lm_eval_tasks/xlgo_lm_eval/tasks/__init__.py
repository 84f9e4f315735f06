"""Task files of lm-evaluation-harness and the functions that they call."""
