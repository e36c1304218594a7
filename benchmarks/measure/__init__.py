"""The measurements of the budget tables, one module for each kind, and the tables."""

import os

# NumPy, PyTorch and their libraries read this when they are loaded, so it is set before that.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
os.environ.update(ONE_THREAD)
