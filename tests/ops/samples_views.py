"""Sample rows."""
VIEW_ROWS = ()
