"""Checks of derivatives: each entry against its operator, and its formulas."""
