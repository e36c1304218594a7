"""Dispatch keys: PyTorch's names, their order, and which runtime keys an alias key stands for.

Pure data and set algebra. Dispatch tables are computed in `model/dispatch_table.py`.
"""

from __future__ import annotations

import enum
from functools import cache

# In the order of PyTorch's backend bits.
BACKENDS = (
    "CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "MAIA",
    "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta",
)  # fmt: skip


def _per_backend(functionality: str) -> list[str]:
    return [functionality + backend for backend in BACKENDS]


# Every key that has a slot of its own in PyTorch's table, from the lowest priority to the highest.
_RUNTIME = (
    "Undefined",
    *_per_backend(""),
    *("FPGA", "Vulkan", "Metal"),
    *_per_backend("Quantized"),
    *("CustomRNGKeyId", "MkldnnCPU"),
    *_per_backend("Sparse"),
    *_per_backend("SparseCsr"),
    *_per_backend("NestedTensor"),
    *("BackendSelect", "Fake", "Python", "FuncTorchDynamicLayerBackMode", "Functionalize"),
    *("Conjugate", "Negative", "ZeroTensor", "ADInplaceOrView", "AutogradOther"),
    *_per_backend("Autograd"),
    *("AutogradNestedTensor", "Tracer"),
    *("AutocastCPU", "AutocastMTIA", "AutocastMAIA", "AutocastXPU", "AutocastIPU", "AutocastHPU"),
    *("AutocastXLA", "AutocastMPS", "AutocastCUDA", "AutocastPrivateUse1"),
    *("FuncTorchBatched", "BatchedNestedTensor", "FuncTorchVmapMode", "Batched", "VmapMode"),
    *("FuncTorchGradWrapper", "DeferredInit", "PythonTLSSnapshot", "FuncTorchDynamicLayerFrontMode"),
    *("TESTING_ONLY_GenericWrapper", "TESTING_ONLY_GenericMode", "PreDispatch", "PythonDispatcher"),
)

_ALIAS = (
    "Autograd",
    "CompositeImplicitAutograd",
    "CompositeImplicitAutogradNestedTensor",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "FuncTorchBatchedDecomposition",
)

DispatchKey = enum.Enum(  # type: ignore[misc]  # its members come from the lists above
    "DispatchKey", {name: name for name in (*_RUNTIME, *_ALIAS)}, module=__name__
)
DispatchKey.__doc__ = "A runtime key or an alias key; the value is the name."
DispatchKey.__str__ = lambda self: self.name  # type: ignore[method-assign, attr-defined]
DispatchKey.__hash__ = object.__hash__  # type: ignore[method-assign]  # members are unique: identity is enough

# The keys of the devices that the library has, and those of what it does for their calls.
LIBRARY_KEYS = frozenset(
    DispatchKey[name]
    for name in (
        *("CPU", "CUDA", "PrivateUse1", "Meta", "AutocastCPU", "AutocastCUDA"),
        *("AutogradCPU", "AutogradCUDA", "AutogradPrivateUse1", "AutogradMeta"),
    )
)

RUNTIME_KEYS: tuple[DispatchKey, ...] = tuple(DispatchKey[name] for name in _RUNTIME)
ALIAS_KEYS: tuple[DispatchKey, ...] = tuple(DispatchKey[name] for name in _ALIAS)

# PyTorch's names of functionality keys without a slot: known, but nothing can be registered to them.
FUNCTIONALITY_ONLY = frozenset(
    {"Dense", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "AutogradFunctionality"}
)

# The keys that a `dispatch:` section may name.
YAML_KEYS = frozenset(
    DispatchKey[name]
    for name in (
        "CPU CUDA MPS XPU MTIA Meta MkldnnCPU ZeroTensor"
        " SparseCPU SparseCUDA SparseMPS SparseXPU SparseMeta"
        " SparseCsrCPU SparseCsrCUDA SparseCsrMPS SparseCsrXPU SparseCsrMeta"
        " QuantizedCPU QuantizedCUDA QuantizedMeta"
        " NestedTensorCPU NestedTensorCUDA NestedTensorXPU NestedTensorHPU NestedTensorMeta"
        " CompositeImplicitAutograd CompositeImplicitAutogradNestedTensor"
        " CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional"
        " HIP XLA IPU HPU VE Lazy MAIA PrivateUse1 PrivateUse2 PrivateUse3"
    ).split()
)

# The keys under which a structured operator's `out` entry names kernels.
STRUCTURED_KEYS = tuple(DispatchKey[name] for name in ("CPU", "CUDA", "MPS", "XPU", "MTIA"))

# The keys for which `ufunc_inner_loop` generates kernels.
UFUNC_KEYS = tuple(DispatchKey[name] for name in ("CPU", "CUDA"))

COMPOSITE_KEYS = tuple(
    DispatchKey[name]
    for name in (
        "CompositeImplicitAutograd",
        "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd",
        "CompositeExplicitAutogradNonFunctional",
    )
)


def is_cuda(key: DispatchKey) -> bool:
    """Whether the kernel runs with CUDA's device guard."""
    return key.name.endswith("CUDA")


@cache
def alias_set(alias: DispatchKey) -> frozenset[DispatchKey]:
    """Returns the runtime keys that a registration to `alias` can fill."""
    autograd = [*_per_backend("Autograd"), "AutogradOther", "AutogradNestedTensor"]
    nested = _per_backend("NestedTensor")
    backends = list(_RUNTIME[: _RUNTIME.index("NestedTensorCPU")])
    names: dict[str, list[str]] = {
        "Autograd": autograd,
        "CompositeImplicitAutograd": backends + nested + autograd,
        "CompositeImplicitAutogradNestedTensor": [*nested, "AutogradNestedTensor"],
        "CompositeExplicitAutograd": backends,
        "CompositeExplicitAutogradNonFunctional": [n for n in backends if not _views_are_functional(n)],
        "FuncTorchBatchedDecomposition": ["FuncTorchBatched"],
    }
    return frozenset(DispatchKey[n] for n in names[alias.value])


def _views_are_functional(name: str) -> bool:
    """Whether a backend's views are functional: it has no strides to alias through."""
    plain_sparse = name.startswith("Sparse") and not name.startswith("SparseCsr")
    return plain_sparse or name.endswith(("XLA", "Lazy"))


def is_alias(key: DispatchKey) -> bool:
    return key in ALIAS_KEYS


def parse_key(name: str) -> DispatchKey | None:
    """Returns the key of that name, None when there is none. `CatchAll` is PyTorch's former name of
    `Undefined`.
    """
    return DispatchKey.__members__.get("Undefined" if name == "CatchAll" else name)
