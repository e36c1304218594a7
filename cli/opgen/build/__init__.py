"""Compiling a generated tree: finding the tools, running CMake and Ninja, writing the wheel."""
