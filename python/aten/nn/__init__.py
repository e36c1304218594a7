"""Neural networks; the functions are in `functional`."""

from . import functional as functional
