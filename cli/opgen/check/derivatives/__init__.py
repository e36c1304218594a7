"""Derivatives: each entry against the operator that it names, and its formulas."""
