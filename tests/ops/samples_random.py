"""Sample rows."""
RANDOM_ROWS = ()
