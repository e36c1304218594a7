"""What this machine can run: which CPU capability of the vectorised kernels, and CUDA."""

from __future__ import annotations

from pathlib import Path

CAPABILITIES = ("default", "avx2", "avx512")
# The flags that core/ATen/native/DispatchStub.cpp tests, by their names in /proc/cpuinfo.
_AVX512 = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma"})
_AVX2 = frozenset({"avx2", "fma", "bmi2"})


def cpu_capability(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Returns the processor's best capability; the default one where /proc/cpuinfo can't be read."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "default"
    flags = next((frozenset(line.split()) for line in lines if line.startswith("flags")), frozenset())
    return "avx512" if flags >= _AVX512 else "avx2" if flags >= _AVX2 else "default"


# Machine code for GPUs from Turing to Blackwell, and PTX that the driver compiles for later ones.
CUDA_ARCHITECTURES = "75-real;80-real;86-real;89-real;90-real;100-real;120"


def has_nvidia_gpu(devices: Path = Path("/dev")) -> bool:
    """Whether the driver has a device node for a GPU."""
    return any(devices.glob("nvidia[0-9]*"))
