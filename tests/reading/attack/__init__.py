"""Answers written to lead the reader astray, with what a judge says of each; frozen before use."""
