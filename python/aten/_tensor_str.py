"""Printing of tensors: elements in aligned columns, large tensors summarised, then non-default properties."""

from __future__ import annotations

import math

from . import _C
from ._C import Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


_PACKAGE = __name__.rpartition(".")[0]


class _Options:
    precision = 4
    threshold = 1000
    edgeitems = 3
    linewidth = 80
    sci_mode: bool | None = None


_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Sets how tensors are printed: `precision` digits, a summary for more than `threshold` elements with
    `edgeitems` elements at each edge, and `linewidth` characters per line. `profile` ("default", "short",
    "full") sets these four, `sci_mode` turns scientific notation on or off."""
    if profile is not None:
        if profile not in _PROFILES:
            raise ValueError(f"set_printoptions(): no profile {profile!r}; there are {', '.join(_PROFILES)}")
        for name, value in _PROFILES[profile].items():
            setattr(_Options, name, value)
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in given.items():
        if value is not None:
            setattr(_Options, name, value)
    _Options.sci_mode = sci_mode


class _Formatter:
    """The common width of the printed elements, and their format."""

    def __init__(self, values: list[Any], kind: str) -> None:
        self.kind = kind
        self.int_mode, self.sci_mode, self.width = True, False, 1
        if kind == "float":
            self._measure_floats(values)
        else:
            self.width = max([1, *(len(str(v)) for v in values)])

    def _measure_floats(self, values: list[float]) -> None:
        """Measures the printed floats. Zeros and non-finite values are ignored, as in PyTorch."""
        counted = [v for v in values if math.isfinite(v) and v != 0]
        if not counted:
            return
        low, high = min(map(abs, counted)), max(map(abs, counted))
        self.int_mode = all(v == math.ceil(v) for v in counted)
        extreme = high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4
        self.sci_mode = extreme if _Options.sci_mode is None else _Options.sci_mode
        self.width = max(len(self._plain(v)) for v in counted)

    def _plain(self, v: float) -> str:
        if not math.isfinite(v):
            return "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"
        if self.sci_mode:
            return f"{v:.{_Options.precision}e}"
        return f"{v:.0f}." if self.int_mode else f"{v:.{_Options.precision}f}"

    def format(self, v: Any) -> str:
        text = self._plain(v) if self.kind == "float" else str(v)
        return text.rjust(self.width)


class _ComplexFormatter:
    def __init__(self, values: list[complex]) -> None:
        self.real = _Formatter([v.real for v in values], "float")
        self.imag = _Formatter([v.imag for v in values], "float")
        self.width = self.real.width + self.imag.width + 1

    def format(self, v: complex) -> str:
        imag = self.imag.format(v.imag).lstrip()
        sign = "" if imag.startswith("-") else "+"
        return f"{self.real.format(v.real)}{sign}{imag}j"


def _shown(t: Tensor, summarize: bool) -> Tensor:
    """Returns the part of the tensor that is printed, on the CPU."""
    if not summarize:
        return t
    edge = _Options.edgeitems
    for dim in range(t.dim()):
        size = t.size(dim)
        if size > 2 * edge:
            ends = (t.narrow(dim, 0, edge), t.narrow(dim, size - edge, edge))
            t = _C._VariableFunctions.cat(ends, dim)
    return t


def _flat(values: Any) -> list[Any]:
    if not isinstance(values, list):
        return [values]
    return [e for v in values for e in _flat(v)]


def _line(values: list[Any], summarize: bool, indent: int, formatter: Any) -> str:
    per_line = max(1, math.floor((_Options.linewidth - indent) / (formatter.width + 2)))
    edge = _Options.edgeitems
    if summarize and len(values) == 2 * edge and edge > 0:
        shown = (
            [formatter.format(v) for v in values[:edge]]
            + [" ..."]
            + [formatter.format(v) for v in values[edge:]]
        )
    else:
        shown = [formatter.format(v) for v in values]
    lines = [shown[i : i + per_line] for i in range(0, len(shown), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _block(
    values: Any,
    shape: tuple[int, ...],
    summarize: bool,
    indent: int,
    formatter: _Formatter | _ComplexFormatter,
) -> str:
    """Formats a block. `shape` is the whole tensor's; `values` are the printed elements."""
    edge = _Options.edgeitems
    if not shape:
        return formatter.format(values)
    cut = summarize and shape[0] > 2 * edge
    if len(shape) == 1:
        return _line(values, cut, indent, formatter)
    rows = [_block(v, shape[1:], summarize, indent + 1, formatter) for v in values]
    if cut:
        rows = [*rows[:edge], "...", *rows[edge:]]
    return "[" + ("," + "\n" * (len(shape) - 1) + " " * (indent + 1)).join(rows) + "]"


def _elements(t: Tensor, indent: int) -> str:
    summarize = t.numel() > _Options.threshold
    values = _shown(t.detach().cpu(), summarize).tolist()
    flat = _flat(values)
    if t.is_complex():
        formatter: Any = _ComplexFormatter(flat)
    else:
        formatter = _Formatter(flat, "float" if t.is_floating_point() else "int")
    return _block(values, tuple(t.shape), summarize, indent, formatter)


def _suffixes(t: Tensor) -> list[str]:
    found = []
    if t.device.type not in ("cpu",):
        found.append(f"device='{t.device}'")
    if t.is_meta or (t.numel() == 0 and t.dim() != 1):
        found.append(f"size={tuple(t.shape)}")
    plain = (_C.get_default_dtype(), _C.get_default_dtype().to_complex(), _C.int64, _C.bool)
    if t.dtype not in plain or (t.numel() == 0 and t.dtype is not _C.get_default_dtype()):
        found.append(f"dtype={t.dtype}")
    return found + _history(t)


def _history(t: Tensor) -> list[str]:
    tangent = _C._unpack_dual(t)[1]
    found = [] if tangent is None else [f"tangent={tangent}"]
    try:
        node = t.grad_fn
    except RuntimeError:  # a view whose grad_fn can't be regenerated
        return ["grad_fn=<Invalid>", *found]
    if node is not None:
        return [f"grad_fn=<{type(node).__name__}>", *found]
    return ["requires_grad=True", *found] if t.requires_grad else found


def _repr(t: Tensor) -> str:
    """Returns the text as PyTorch prints it."""
    before = _C._set_torch_function_enabled(False)
    try:
        return _text(t)
    finally:
        _C._set_torch_function_enabled(before)


def _text(t: Tensor) -> str:
    inside = _C._batched_value(t)
    if inside is not None:
        return _batched(*inside)
    name = "tensor" if type(t) is Tensor else type(t).__name__
    prefix = f"{name}("
    if t.is_meta:
        body = "..."
    elif t.numel() == 0:
        body = "[]"
    else:
        body = _elements(t, len(prefix))
    return _with_suffixes(prefix + body, _suffixes(t), len(prefix))


def _batched(value: Tensor, is_batched: bool, level: int, ended: bool) -> str:
    """A tensor in vmap: its level, the batch dimension of the value, and the value of all examples."""
    place = "bdim=0" if is_batched else "bdim=None"
    after = ", ended" if ended else ""
    lines = _text(value).replace("\n", "\n    ")
    return f"BatchedTensor(lvl={level}, {place}{after}, value=\n    {lines}\n)"


def _named_repr(results: Any) -> str:
    """The text of results with names, one on each line."""
    kind = type(results)
    fields = ",\n".join(f"{n}={v!r}" for n, v in zip(kind.__match_args__, results, strict=True))
    return f"{kind.__module__}.{kind.__name__}(\n{fields})"


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """Appends suffixes; they are put on the last line if they fit."""
    parts = [text]
    last = len(text) - text.rfind("\n") - 1 + 1
    for suffix in suffixes:
        length = len(suffix)
        if last + length + 2 > _Options.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            last = indent + length
        else:
            parts.append(", " + suffix)
            last += length + 2
    return "".join(parts) + ")"
