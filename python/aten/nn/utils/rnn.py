"""Sequences of different lengths, for recurrent networks."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable

from ... import _C
from ..._C import Tensor, int64

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


class PackedSequence(
    namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])
):
    """The steps of all sequences, longest first: those of the first time step, of the second, and so on.
    `batch_sizes` says how many sequences have each step. Made by pack_padded_sequence and pack_sequence."""

    __slots__ = ()

    def __new__(
        cls,
        data: Tensor,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if batch_sizes is None:
            data, batch_sizes = data
        if batch_sizes.device.type != "cpu":
            raise ValueError(f"batch_sizes should always be on CPU, not on {batch_sizes.device}")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The sequence on another device or of another dtype, with the arguments of Tensor.to."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        indices = (
            i if i is None else i.to(data.device) for i in (self.sorted_indices, self.unsorted_indices)
        )
        return type(self)(data, self.batch_sizes, *indices)

    def cuda(self, device: Any = None) -> PackedSequence:
        """The sequence on a CUDA device."""
        return self.to("cuda" if device is None else device)

    def cpu(self) -> PackedSequence:
        """The sequence on the CPU."""
        return self.to("cpu")

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a CUDA device."""
        return self.data.is_cuda


def _add_conversions() -> None:
    for name in ("double", "float", "half", "long", "int", "short", "char", "byte"):
        kind = getattr(_functions.empty(0), name)().dtype

        def convert(self: PackedSequence, kind: Any = kind) -> PackedSequence:
            return self.to(dtype=kind)

        convert.__name__ = name
        convert.__doc__ = f"The sequence converted to {kind}."
        setattr(PackedSequence, name, convert)


_add_conversions()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes a permutation; None for None."""
    if permutation is None:
        return None
    places = _functions.arange(permutation.numel(), device=permutation.device)
    return _functions.empty_like(permutation).scatter_(0, permutation, places)


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs padded sequences [T, B, ...], or [B, T, ...] with `batch_first`. If `enforce_sorted`, the lengths
    must be decreasing."""
    from ..._creation import as_tensor

    sizes = as_tensor(lengths, dtype=int64, device="cpu")
    order = None
    if not enforce_sorted:
        sizes, order = _functions.sort(sizes, descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    return PackedSequence(*_functions._pack_padded_sequence(input, sizes, batch_first), order)  # type: ignore[call-arg]


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The padded sequences [T, B, ...], or [B, T, ...] with `batch_first`, and their lengths."""
    longest = sequence.batch_sizes.shape[0]
    if total_length is None:
        total_length = longest
    if total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    data, sizes, _, order = sequence
    padded, lengths = _functions._pad_packed_sequence(data, sizes, batch_first, padding_value, total_length)
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order.cpu()]


def pad_sequence(
    sequences: Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences [L, ...] padded to the longest: [T, B, ...], or [B, T, ...] with `batch_first`."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    return _nn.pad_sequence(tuple(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences without their padding."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(n)] for row, n in zip(rows, lengths, strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs sequences [L, ...]. If `enforce_sorted`, the lengths must be decreasing."""
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed sequence, in their first order."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
