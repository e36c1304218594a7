"""Findings for people and for tools: diagnostics, comparisons, and rules in words."""
