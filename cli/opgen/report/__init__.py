"""Findings for people and for tools: diagnostics, comparisons, and descriptions of rules."""
