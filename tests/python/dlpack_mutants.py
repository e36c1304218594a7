"""Random DLPack structs, valid ones with some fields changed, and which of them must be rejected."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INT64 = 2**63 - 1
MAX_DIMS = 64
LEGACY, VERSIONED = "dltensor", "dltensor_versioned"
# (code, bits) of DLPack
DTYPES = {
    **{(0, 8 * n): f"int{8 * n}" for n in (1, 2, 4, 8)},
    **{(1, 8 * n): f"uint{8 * n}" for n in (1, 2, 4, 8)},
    **{(2, 16): "float16", (2, 32): "float32", (2, 64): "float64", (4, 16): "bfloat16", (6, 8): "bool"},
    **{(5, 32): "complex32", (5, 64): "complex64", (5, 128): "complex128"},
}
HOST = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost
NAMES = ("", "used_dltensor", "used_dltensor_versioned", "DLTENSOR", "dltensor ", "dltensor_versioned2")
NAMES += ("arrow_array", "numpy.core._ARRAY_API", "dl\n\x1b[31m", "%s%n", "\u00e9")
SIZES = (0, 1, 2, 3, 7, 64, -1, -(2**63), 2**31, 2**32, 2**48, 2**62, INT64)
ADDRESSES = (0, 1, 2, 4, 8, 2**63, 2**64 - 1, 2**64 - 8)


@dataclass
class Mutant:
    """The fields of a capsule. `data` is an offset into existing memory, or an `absolute` address."""

    versioned: bool
    name: str
    code: int
    bits: int
    shape: list[int] | None
    strides: list[int] | None
    ndim: int
    lanes: int = 1
    device: tuple[int, int] = (1, 0)
    data: int = 0
    absolute: bool = False
    byte_offset: int = 0
    version: tuple[int, int] = (1, 1)
    flags: int = 0
    deleter: str = "counts"  # or raises, null
    again: bool = False  # consumed twice
    changed: list[str] = field(default_factory=list)


def make(chance: random.Random) -> Mutant:
    code, bits = chance.choice(list(DTYPES))
    shape = [chance.choice((1, 2, 3, 4)) for _ in range(chance.randint(0, 4))]
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    versioned = chance.random() < 0.7
    name = VERSIONED if versioned else LEGACY
    given = strides if chance.random() < 0.7 else None
    made = Mutant(versioned, name, code, bits, shape, given, len(shape))
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        change = chance.choice(CHANGES)
        change(made, chance)
        made.changed.append(change.__name__)
    return made


def rename(m: Mutant, chance: random.Random) -> None:
    m.name = chance.choice(NAMES)


def retype(m: Mutant, chance: random.Random) -> None:
    m.code, m.bits = chance.randrange(256), chance.choice((0, 1, 4, 6, 8, 16, 32, 64, 128, 255))


def widen(m: Mutant, chance: random.Random) -> None:
    m.lanes = chance.choice((0, 1, 2, 4, 65535))


def recount(m: Mutant, chance: random.Random) -> None:
    m.ndim = chance.choice((-1, -(2**31), 2**31 - 1, 65, 1000, 10**6))


def grow(m: Mutant, chance: random.Random) -> None:
    count = chance.choice((1, 5, 63, 64))
    m.shape, m.ndim = [chance.choice((1, 1, 1, 2)) for _ in range(count)], count
    m.strides = chance.choice((None, [chance.choice((0, 1)) for _ in range(count)]))


def resize(m: Mutant, chance: random.Random) -> None:
    for at in range(len(m.shape or ())):
        if chance.random() < 0.6:
            m.shape[at] = chance.choice(SIZES)


def restride(m: Mutant, chance: random.Random) -> None:
    m.strides = [chance.choice(SIZES) for _ in m.shape or ()]


def without_shape(m: Mutant, chance: random.Random) -> None:
    m.shape = None


def move(m: Mutant, chance: random.Random) -> None:
    m.data = chance.choice((1, 2, 3, 4, 7, 8, 12))


def elsewhere(m: Mutant, chance: random.Random) -> None:
    m.data, m.absolute = chance.choice(ADDRESSES), True


def offset(m: Mutant, chance: random.Random) -> None:
    m.byte_offset = chance.choice((1, 4, 8, 16, 2**32, 2**63, 2**64 - 1, 2**64 - 8))


def carry(m: Mutant, chance: random.Random) -> None:
    # Without kDLCUDA: a library with CUDA accepts it, whether there is a GPU or not.
    kinds = [k for k in range(-1, 19) if k != 2]
    kind = chance.choice((*kinds, 2**31 - 1, -(2**31), 1, 1, 3))
    m.device = (kind, chance.choice((0, 0, 1, 127, 128, -1, 2**31 - 1)))


def reversion(m: Mutant, chance: random.Random) -> None:
    m.version = (chance.choice((0, 1, 2, 2**32 - 1)), chance.choice((0, 1, 9, 2**32 - 1)))


def flag(m: Mutant, chance: random.Random) -> None:
    m.flags = chance.choice((1, 2, 3, 4, 2**63, 2**64 - 2, 2**64 - 1))


def undelete(m: Mutant, chance: random.Random) -> None:
    m.deleter = chance.choice(("raises", "null"))


def twice(m: Mutant, chance: random.Random) -> None:
    m.again = True


CHANGES = (rename, retype, widen, recount, grow, resize, resize, restride, restride, without_shape, move)
CHANGES += (elsewhere, offset, carry, reversion, flag, undelete, twice)


def geometry(m: Mutant) -> tuple[list[int], list[int]] | None:
    """Returns sizes and strides; None for those that no tensor can have."""
    if not 0 <= m.ndim <= MAX_DIMS or (m.ndim and m.shape is None):
        return None
    sizes = m.shape[: m.ndim] if m.ndim else []
    if any(size < 0 for size in sizes) or product(sizes) > INT64:
        return None
    if m.strides is None:
        whole = [max(size, 1) for size in sizes]  # an empty dimension counts as one in strides
        if product(whole) > INT64:
            return None
        strides = [product(whole[d + 1 :]) for d in range(len(sizes))]
    else:
        strides = [1 if n < 2 and s < 0 else s for n, s in zip(sizes, m.strides, strict=False)]
    return None if any(s < 0 for s in strides) else (sizes, strides)


def product(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def extent(sizes: list[int], strides: list[int], itemsize: int) -> int:
    if 0 in sizes:
        return 0
    return (sum((n - 1) * s for n, s in zip(sizes, strides, strict=True)) + 1) * itemsize


def fault(m: Mutant, base: int) -> str | None:
    """Returns why the struct, whose memory begins at `base`, must be rejected; None if it is valid."""
    if m.versioned and m.version[0] != 1:
        return "version"
    if m.lanes != 1 or (m.code, m.bits) not in DTYPES:
        return "dtype"
    if m.device[0] not in HOST or not 0 <= m.device[1] < 128:
        return "device"
    found = geometry(m)
    if found is None:
        return "geometry"
    itemsize = m.bits // 8
    nbytes = extent(*found, itemsize)
    if nbytes > INT64:
        return "extent"
    address = m.data if m.absolute else base + m.data
    if not address:
        return "data" if nbytes else None
    if address + m.byte_offset + nbytes >= 2**64:
        return "address"
    return "alignment" if (address + m.byte_offset) % itemsize else None
