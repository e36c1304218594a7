"""Where things come from: kernels in source files, and which kernels the dispatcher will run."""
