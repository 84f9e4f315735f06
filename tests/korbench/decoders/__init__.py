"""A second program for each of the 25 rules, written from the rule's text alone."""
