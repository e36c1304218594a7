"""assert_close: comparison of tensors, numbers, and sequences and mappings of them."""

from __future__ import annotations

import cmath
import sys
from collections.abc import Mapping, Sequence

from .. import _C
from .._C import Tensor
from .._creation import as_tensor
from . import _messages

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

_functions: Any = _C._VariableFunctions

# The default relative and absolute tolerance; for other dtypes they are 0.
_TOLERANCES = {
    _C.float16: (1e-3, 1e-5),
    _C.bfloat16: (1.6e-2, 1e-5),
    _C.float32: (1.3e-6, 1e-5),
    _C.float64: (1e-7, 1e-7),
    _C.complex32: (1e-3, 1e-5),
    _C.complex64: (1.3e-6, 1e-5),
    _C.complex128: (1e-7, 1e-7),
}
_NUMBERS = {bool: _C.bool, int: _C.int64, float: _C.float64, complex: _C.complex128}
_WIDE_UNSIGNED = (_C.uint16, _C.uint32, _C.uint64)  # promoted as int64


class _Mismatch(Exception):
    """An error of type `kind` with a text, which a caller's `msg` may replace."""

    def __init__(self, kind: type[Exception], text: str, path: tuple[Any, ...]) -> None:
        place = "".join(f"[{key!r}]" for key in path)
        self.kind = kind
        self.text = f"{text}\n\nThe failure occurred for item {place}" if path else text


class _Item:
    """Two values to compare that are no sequences or mappings, at a path within such ones."""

    def __init__(self, actual: Any, expected: Any, path: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.actual, self.expected, self.path = actual, expected, path
        self.options = options

    def fail(self, text: str, kind: type[Exception] = AssertionError) -> NoReturn:
        raise _Mismatch(kind, text, self.path)

    def tolerances(self, dtypes: Iterable[Any]) -> tuple[float, float]:
        """Returns the relative and the absolute tolerance: by default the largest of those of the dtypes."""
        rtol, atol = self.options["rtol"], self.options["atol"]
        if (rtol is None) != (atol is None):
            missing = "rtol" if rtol is None else "atol"
            text = f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
            self.fail(text, ValueError)
        if rtol is not None:
            return rtol, atol
        defaults = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return max(rtol for rtol, _ in defaults), max(atol for _, atol in defaults)

    def comparison(self) -> Callable[[], None]:
        """Returns the function that compares the values. TypeError if there is none for their types."""
        actual, expected = _plain(self.actual), _plain(self.expected)
        if actual is None or expected is None:
            return self.compare_none
        if type(actual) in _NUMBERS and type(expected) in _NUMBERS:
            self.actual, self.expected = actual, expected
            self.rtol, self.atol = self.tolerances(_NUMBERS[type(v)] for v in (actual, expected))
            return self.compare_booleans if type(actual) is type(expected) is bool else self.compare_numbers
        related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
        if related and (self.options["allow_subclasses"] or type(actual) is type(expected)):
            try:
                self.actual, self.expected = as_tensor(actual), as_tensor(expected)
            except Exception:
                related = False
        else:
            related = False
        if not related:
            types = f"{type(self.actual)} and {type(self.expected)}"
            self.fail(f"No comparison pair was able to handle inputs of type {types}.", TypeError)
        self.rtol, self.atol = self.tolerances(v.dtype for v in (self.actual, self.expected))
        return self.compare_tensors

    def compare_none(self) -> None:
        if self.actual is not None or self.expected is not None:
            self.fail(f"None mismatch: {self.actual} is not {self.expected}")

    def compare_booleans(self) -> None:
        if self.actual is not self.expected:
            self.fail(f"Booleans mismatch: {self.actual} is not {self.expected}")

    def compare_numbers(self) -> None:
        actual, expected = self.actual, self.expected
        if self.options["check_dtype"] and type(actual) is not type(expected):
            self.fail(f"The (d)types do not match: {type(actual)} != {type(expected)}.")
        if actual == expected or (
            self.options["equal_nan"] and cmath.isnan(actual) and cmath.isnan(expected)
        ):
            return
        gap = abs(actual - expected)
        if not cmath.isfinite(gap) or not gap <= self.atol + self.rtol * abs(expected):
            self.fail(_messages.numbers(actual, expected, self.rtol, self.atol))

    def compare_tensors(self) -> None:
        actual, expected = self.actual, self.expected
        for name, is_checked, ours, theirs in (
            ("shape", True, actual.shape, expected.shape),
            ("layout", self.options["check_layout"], actual.layout, expected.layout),
            ("stride()", self.options["check_stride"], actual.stride(), expected.stride()),
            ("device", self.options["check_device"], actual.device, expected.device),
            ("dtype", self.options["check_dtype"], actual.dtype, expected.dtype),
        ):
            if is_checked and ours != theirs:
                self.fail(f"The values for attribute '{name}' do not match: {ours} != {theirs}.")
        if "meta" in (actual.device.type, expected.device.type):
            return
        actual, expected = _alike(actual, expected)
        matches = _functions.isclose(
            actual, expected, rtol=self.rtol, atol=self.atol, equal_nan=self.options["equal_nan"]
        )
        if matches.all():
            return
        if actual.dim() == 0:
            self.fail(_messages.numbers(actual.item(), expected.item(), self.rtol, self.atol))
        self.fail(_messages.tensors(actual, expected, matches, self.rtol, self.atol))


def _plain(value: Any) -> Any:
    """Returns NumPy's scalars as Python's, and other values as they are."""
    numpy = sys.modules.get("numpy")
    return value.item() if numpy and isinstance(value, (numpy.number, numpy.bool_)) else value


def _alike(actual: Tensor, expected: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the tensors on one device, in one dtype."""
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    dtypes = [_C.int64 if t.dtype in _WIDE_UNSIGNED else t.dtype for t in (actual, expected)]
    if actual.dtype != expected.dtype or actual.dtype in _WIDE_UNSIGNED:
        dtype = _C.promote_types(*dtypes)
        actual, expected = actual.to(dtype), expected.to(dtype)
    return actual, expected


def _items(actual: Any, expected: Any, path: tuple[Any, ...], options: dict[str, Any]) -> list[_Item]:
    """Returns what is in the sequences and mappings, in order, once their lengths and keys are compared."""
    values = (actual, expected)
    keys: Iterable[Any]
    if all(isinstance(v, Sequence) and not isinstance(v, str) for v in values):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise _Mismatch(AssertionError, text, path)
        keys = range(len(actual))
    elif all(isinstance(v, Mapping) for v in values):
        if actual.keys() != expected.keys():
            lines = [
                "The keys of the mappings do not match:",
                f"Missing keys in the actual mapping: {_in_order(expected.keys() - actual.keys())}",
                f"Additional keys in the actual mapping: {_in_order(actual.keys() - expected.keys())}",
            ]
            raise _Mismatch(AssertionError, "\n".join(lines), path)
        keys = _in_order(actual)
    else:
        return [_Item(actual, expected, path, options)]
    return [item for key in keys for item in _items(actual[key], expected[key], (*path, key), options)]


def _in_order(keys: Iterable[Any]) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """AssertionError unless |actual - expected| <= atol + rtol * |expected| for all elements.

    The values are tensors or what as_tensor() accepts, numbers, None, or sequences and mappings of these with
    the same lengths and keys. Types must be related: one is the other or its base class. Infinities are close
    to themselves only; NaN to NaN if `equal_nan`. Tolerances depend on the dtype, or both are given. The
    devices, dtypes, layouts and strides are compared as the `check_` arguments say; of meta tensors nothing
    else is. `msg` is the error's text, or a function from the text to another.
    """
    __tracebackhide__ = True
    options = {
        "allow_subclasses": allow_subclasses,
        "rtol": rtol,
        "atol": atol,
        "equal_nan": equal_nan,
        "check_device": check_device,
        "check_dtype": check_dtype,
        "check_layout": check_layout,
        "check_stride": check_stride,
    }
    try:
        # All structures and types are compared before the first value.
        comparisons = [item.comparison() for item in _items(actual, expected, (), options)]
    except _Mismatch as error:
        raise error.kind(error.text) from None
    for compare in comparisons:
        try:
            compare()
        except _Mismatch as error:
            text = msg if isinstance(msg, str) else msg(error.text) if callable(msg) else error.text
            raise error.kind(text) from None
