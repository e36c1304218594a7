"""Embeddings."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from .. import functional as F
from ..init import normal_
from ..parameter import Parameter
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Embedding", "EmbeddingBag"]

_functions = _C._VariableFunctions


class _Embeddings(Module):
    """A row of the weight for each index."""

    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None

    def _setup(
        self, arguments: dict[str, Any], weight: Tensor | None, freeze: bool, device: Any, dtype: Any
    ) -> None:
        super().__init__()
        self.__dict__.update(arguments)
        rows, row = self.num_embeddings, self.padding_idx
        if row is not None:
            if not -rows <= row < rows:
                raise AssertionError("padding_idx must be within num_embeddings")
            self.padding_idx = row % rows
        shape = (rows, self.embedding_dim)
        if weight is not None and tuple(weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        made = _functions.empty(shape, device=device, dtype=dtype) if weight is None else weight
        self.weight = Parameter(made, requires_grad=not freeze)
        if weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws normally distributed rows; that of padding_idx is zero."""
        normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _shown_options(self) -> str:
        usual = {"max_norm": None, "norm_type": 2, "scale_grad_by_freq": False}
        changed = {k: getattr(self, k) for k, v in usual.items() if getattr(self, k) != v}
        return "".join(f", {name}={value}" for name, value in changed.items())

    @classmethod
    def _of(cls, embeddings: Tensor, **arguments: Any) -> Any:
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return cls(*embeddings.shape, _weight=embeddings, **arguments)


class Embedding(_Embeddings):
    """The row of the weight for each index: [...] -> [..., embedding_dim]. The row of padding_idx has no
    gradient; rows longer than max_norm are shortened."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        arguments = {
            "num_embeddings": num_embeddings,
            "embedding_dim": embedding_dim,
            "padding_idx": padding_idx,
            "max_norm": max_norm,
            "norm_type": norm_type,
            "scale_grad_by_freq": scale_grad_by_freq,
            "sparse": sparse,
        }
        self._setup(arguments, _weight, _freeze, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        weight, padding, max_norm, norm_type, by_freq, sparse = own(
            self, "weight", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse"
        )
        return F.embedding(input, weight, padding, max_norm, norm_type, by_freq, sparse)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        sparse = ", sparse=True" if self.sparse else ""
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}{self._shown_options()}{sparse}"

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Any:
        """An Embedding of the rows of a matrix, which isn't trained if `freeze`."""
        return cls._of(
            embeddings,
            _freeze=freeze,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
        )


class EmbeddingBag(_Embeddings):
    """The "sum", "mean" or "max" (`mode`) of the embeddings of each bag: a row of a matrix of indices, or
    what is between two offsets of a vector of them."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        arguments = {
            "num_embeddings": num_embeddings,
            "embedding_dim": embedding_dim,
            "max_norm": max_norm,
            "norm_type": norm_type,
            "scale_grad_by_freq": scale_grad_by_freq,
            "mode": mode,
            "sparse": sparse,
            "include_last_offset": include_last_offset,
            "padding_idx": padding_idx,
        }
        self._setup(arguments, _weight, False, device, dtype)

    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        return F.embedding_bag(
            input,
            own(self, "weight"),
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        shown = f"{self.num_embeddings}, {self.embedding_dim}{self._shown_options()}"
        return f"{shown}, mode={self.mode!r}{padding}"

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Any:
        """An EmbeddingBag of the rows of a matrix, which isn't trained if `freeze`."""
        made = cls._of(
            embeddings,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            mode=mode,
            sparse=sparse,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )
        made.weight.requires_grad_(not freeze)
        return made
