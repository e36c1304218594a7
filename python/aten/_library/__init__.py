"""Custom operators made of Python functions."""
