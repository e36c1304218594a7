"""Sample rows of functions that have names of their own in mathematics."""
