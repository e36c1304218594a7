"""Sample rows."""
FACTORY_ROWS = ()
