"""A CUDA device on the CPU that checks every access; docs/development/emulated-device.md describes it.

translate.py makes C++ of CUDA C++; the C++ files are the runtime that it is linked with, include/ has the
headers that stand for CUDA's.
"""
