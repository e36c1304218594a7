"""One row for each operator: what it is called with, and what NumPy says. A new elementwise operator is one line here."""

from __future__ import annotations

import math

import numpy as np
from references import (
    clamp, divide, floor_divide, gelu, integer_power, log_softmax, logical, masked_fill, remainder, rsqrt, sigmoid, softmax,
)
from rows import Row, binary, boolean, first, real, same, unary
from samples_factories import FACTORY_ROWS
from samples_indexing import INDEXING_ROWS
from samples_matrix import MATRIX_ROWS
from samples_random import RANDOM_ROWS
from samples_reduce import REDUCE_ROWS
from samples_shape import SHAPE_ROWS
from tensors import BOOL, FLOATS, INTEGERS, NUMBERS, REAL
