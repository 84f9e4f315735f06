"""Whether results are what they say: questions and grades made again."""
