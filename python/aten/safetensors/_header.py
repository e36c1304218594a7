"""The header of the format safetensors: its length in 8 bytes, then JSON of names, dtypes, shapes and
places, filled up with spaces to a multiple of 8 bytes. The tensors' bytes follow without gaps.
"""

from __future__ import annotations

import json
import struct
from math import prod
from typing import Any, NamedTuple

from .. import _C

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"

LONGEST = 100_000_000  # bytes of JSON, the format's limit
METADATA = "__metadata__"
# Elements' bits, in the order in which a file has tensors: the last ones, which are the largest, come first.
BITS = {
    "BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8,
    "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32,
    "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64,
}  # fmt: skip
DTYPES: dict[str, _C.dtype] = {
    "BOOL": _C.bool, "U8": _C.uint8, "I8": _C.int8, "U16": _C.uint16, "I16": _C.int16, "U32": _C.uint32,
    "I32": _C.int32, "U64": _C.uint64, "I64": _C.int64, "F16": _C.float16, "BF16": _C.bfloat16,
    "F32": _C.float32, "F64": _C.float64, "C64": _C.complex64,
}  # fmt: skip
_ORDER = {code: i for i, code in enumerate(BITS)}
_CODES = {dtype: code for code, dtype in DTYPES.items()}


class SafetensorError(Exception):
    """A damaged file, or one with what there is not here."""


class Part(NamedTuple):
    """A tensor's description; its bytes are [begin, end) of those behind the header."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


class Header(NamedTuple):
    """The tensors by their names in the file's order, the texts, and where the tensors' bytes begin."""

    parts: dict[str, Part]
    metadata: dict[str, str] | None
    size: int


def read(content: Any) -> Header:
    """Reads the header of a whole file's bytes. SafetensorError says what is wrong with it."""
    size = len(content)
    if size < 8:
        raise SafetensorError(f"the file has {size} bytes, and its header's length alone has 8")
    (length,) = struct.unpack("<Q", content[:8])
    if length > LONGEST:
        raise SafetensorError(f"the header's length is {length}, and at most {LONGEST} is allowed")
    if 8 + length > size:
        raise SafetensorError(f"the header's length is {length}, but only {size - 8} bytes follow")
    entries = _parsed(bytes(content[8 : 8 + length]))
    metadata = _metadata(entries.pop(METADATA)) if METADATA in entries else None
    parts = {name: _part(name, entry) for name, entry in entries.items()}
    ordered = dict(sorted(parts.items(), key=lambda item: (item[1].begin, item[1].end)))
    end = 0
    for name, part in ordered.items():
        if part.begin != end:
            raise SafetensorError(
                f"{name!r} begins at byte {part.begin}, but the tensors before it end at {end}"
            )
        end = part.end
    if end != size - 8 - length:
        raise SafetensorError(f"the tensors have {end} bytes, but {size - 8 - length} follow the header")
    return Header(ordered, metadata, 8 + length)


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        entries = json.loads(text.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise SafetensorError(f"the header is not JSON: {error}") from None
    if not isinstance(entries, dict):
        raise SafetensorError(f"the header is not an object of JSON, but a {type(entries).__name__}")
    return entries


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice")
    return made


def _metadata(entry: Any) -> dict[str, str]:
    if not isinstance(entry, dict) or any(not isinstance(text, str) for text in entry.values()):
        raise SafetensorError(f"{METADATA} is not an object of texts")
    return entry


def _part(name: str, entry: Any) -> Part:
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise SafetensorError(f"{name!r} is not described by 'dtype', 'shape' and 'data_offsets'")
    code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(code, str) or code not in BITS:
        raise SafetensorError(f"{name!r} has the dtype {code!r}, which the format has not")
    if not _are_sizes(shape):
        raise SafetensorError(f"the shape of {name!r} is not a list of sizes")
    if not _are_sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise SafetensorError(f"the places of {name!r} are not a begin and an end")
    bits, (begin, end) = prod(shape) * BITS[code], offsets
    if bits != 8 * (end - begin):
        raise SafetensorError(
            f"{name!r} of shape {shape} and dtype {code} takes {bits} bits, but has {end - begin} bytes"
        )
    return Part(code, tuple(shape), begin, end)


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(n) is int and 0 <= n < 1 << 63 for n in values)


def code_of(name: str, dtype: _C.dtype) -> str:
    """The format's word for a dtype. ValueError if it has none."""
    if dtype not in _CODES:
        raise ValueError(f"{name!r} has the dtype {dtype}, which the format safetensors has not")
    return _CODES[dtype]


def write(
    described: dict[str, tuple[str, tuple[int, ...], int]], metadata: dict[str, str] | None
) -> tuple[bytes, list[str]]:
    """Returns the header of tensors with these dtypes, shapes and numbers of bytes, and the order in which
    their bytes follow. ValueError for a name or texts that no file can have.
    """
    entries: dict[str, Any] = {}
    if metadata is not None:
        texts = [*metadata, *metadata.values()] if isinstance(metadata, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError(f"metadata: expected texts by their names, got {metadata!r}")
        entries[METADATA] = metadata
    order = sorted(described, key=lambda name: (-_ORDER[described[name][0]], name.encode()))
    begin = 0
    for name in order:
        if name == METADATA:
            raise ValueError(f"no tensor can have the name {METADATA}, which is that of the texts")
        code, shape, size = described[name]
        entries[name] = {"dtype": code, "shape": list(shape), "data_offsets": [begin, begin + size]}
        begin += size
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    if len(text) > LONGEST:
        raise ValueError(f"the header has {len(text)} bytes, and a file has at most {LONGEST}")
    return struct.pack("<Q", len(text)) + text, order
