"""opgen: operator declarations in, a standalone tensor library out."""

__version__ = "0.1.0"
