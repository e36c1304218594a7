"""Changing the user's files: fixes of diagnostics, and accepted breaks in the configuration."""
