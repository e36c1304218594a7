"""Sample rows."""
INDEXING_ROWS = ()
