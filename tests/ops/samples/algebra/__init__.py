"""Sample rows of linear algebra, statistics of matrices, and weights of a given length."""
