"""What the budget table is made of: one module for each kind of measurement, and the table itself."""
