"""From the text of an answer to what it says: boxes, tokens, expressions, kinds of answers."""
