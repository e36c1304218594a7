"""Neural networks: the functions in `functional`."""

from . import functional as functional
