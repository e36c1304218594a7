"""Sample rows of operators that are composed of others: views, copies of views, joins, indexing."""
