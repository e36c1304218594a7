"""What the budget table is made of: one module for each kind of measurement, and the table itself."""

import os

# Read by NumPy, PyTorch and their libraries when they are loaded, so it is set before any of them.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
os.environ.update(ONE_THREAD)
