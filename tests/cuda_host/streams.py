"""Lets programs use streams, of which Python has only the current one: `streams` is streams.cpp, compiled."""

import host_build

PRELUDE = f"""
import ctypes

import aten
import numpy as np


def load():
    lib = ctypes.CDLL({str(host_build.STREAMS)!r})
    for name in ("make_stream", "handle_of"):
        getattr(lib, name).restype = ctypes.c_long
    for name in ("allocate", "address"):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("use_stream", "handle_of", "is_done", "synchronize", "allocate"):
        getattr(lib, name).argtypes = [ctypes.c_int, ctypes.c_long]
    lib.record_use.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long]
    lib.address.argtypes = lib.release.argtypes = [ctypes.c_void_p]
    return lib


streams = load()
"""
