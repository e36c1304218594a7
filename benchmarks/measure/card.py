"""Peak rates of a GPU, from its attributes in the CUDA driver."""

from __future__ import annotations

import ctypes
import dataclasses

# CUdevice_attribute of cuda.h
CLOCK_KHZ, PROCESSORS, MEMORY_KHZ, BUS_BITS, MAJOR, MINOR = 13, 16, 36, 37, 75, 76
# Multiply-adds per clock and multiprocessor: of float32, and of dense float16 in tensor cores, from the
# CUDA programming guide and the vendor's architecture papers.
FLOAT32 = {(7, 0): 64, (7, 5): 64, (8, 0): 64, (8, 6): 128, (8, 9): 128, (9, 0): 128, (10, 0): 128}
FLOAT16 = {(7, 0): 512, (7, 5): 512, (8, 0): 1024, (8, 6): 512, (8, 9): 512, (9, 0): 2048, (10, 0): 4096}


@dataclasses.dataclass(frozen=True, slots=True)
class Card:
    name: str
    capability: tuple[int, int]
    processors: int
    clock: float  # maximum, in Hz
    bandwidth: float  # bytes per second

    @classmethod
    def of_device_0(cls) -> Card:
        """Queries the driver for the first device; raises OSError if there is none."""
        driver = ctypes.CDLL("libcuda.so.1")
        device = ctypes.c_int()
        for status in (driver.cuInit(0), driver.cuDeviceGet(ctypes.byref(device), 0)):
            if status:
                raise OSError(f"the CUDA driver answers with error {status}")
        name = ctypes.create_string_buffer(128)
        driver.cuDeviceGetName(name, len(name), device)

        def attribute(which: int) -> int:
            value = ctypes.c_int()
            driver.cuDeviceGetAttribute(ctypes.byref(value), which, device)
            return value.value

        transfers = 2 * attribute(MEMORY_KHZ) * 1e3  # two per clock
        return cls(
            name.value.decode(),
            (attribute(MAJOR), attribute(MINOR)),
            attribute(PROCESSORS),
            attribute(CLOCK_KHZ) * 1e3,
            transfers * attribute(BUS_BITS) / 8,
        )

    def flops(self, dtype: str) -> float | None:
        """Returns the peak FLOP/s: float32 without tensor cores, 16-bit floats with them; None if unknown."""
        table = FLOAT32 if dtype == "float32" else FLOAT16 if dtype in ("float16", "bfloat16") else {}
        per_clock = table.get(self.capability)
        return 2 * per_clock * self.processors * self.clock if per_clock else None

    def __str__(self) -> str:
        return (
            f"{self.name}, sm_{self.capability[0]}{self.capability[1]}, {self.processors} multiprocessors, "
            f"{self.clock / 1e6:,.0f} MHz, {self.bandwidth / 1e9:,.0f} GB/s"
        )
