"""Lets programs use streams, of which Python has only the current one: `streams` is streams.cpp, compiled."""

from pathlib import Path

import host

SOURCE = Path(__file__).resolve().with_suffix(".cpp")
PRELUDE = f"""
import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

import aten
import numpy as np


def build():
    package = Path(aten.__file__).parent
    output = Path(tempfile.mkdtemp()) / "streams.so"
    command = [*os.environ.get("CXX", "c++").split(), "-std=c++20", "-O0", "-fPIC", "-shared"]
    command += ["-I{host.OUT}/aten/include/aten", {str(SOURCE)!r}, package / "lib" / "libaten.so"]
    subprocess.run([*command, "-o", output], check=True)
    lib = ctypes.CDLL(str(output))
    for name in ("make_stream", "handle_of"):
        getattr(lib, name).restype = ctypes.c_long
    for name in ("allocate", "address"):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("use_stream", "handle_of", "is_done", "synchronize", "allocate"):
        getattr(lib, name).argtypes = [ctypes.c_int, ctypes.c_long]
    lib.record_use.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long]
    lib.address.argtypes = lib.release.argtypes = [ctypes.c_void_p]
    return lib


streams = build()
"""
