"""Derivatives: each entry against its operator, and its formulas."""
