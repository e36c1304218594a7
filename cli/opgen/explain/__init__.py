"""Where things come from: kernels in source files, and what the dispatcher will run."""
