"""Utilities for tensors and the dispatcher."""
