"""Python's operators between tensors and NumPy's objects or Python's numbers."""

from __future__ import annotations

OPERATORS = (
    "+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "@", "&", "|", "^", "<<", ">>",
)  # fmt: skip
OPERANDS = (
    "np.ones(3)", "np.ones(3, np.float32)", "np.arange(3)", "np.float64(2)", "np.float32(2)", "np.int64(2)",
    "np.int8(2)", "np.bool_(True)", "np.complex64(1j)", "np.eye(3)", "np.array(2.0)", "np.array(2)",
    "np.array([True, False, True])", "np.float16(2)", "np.uint8(2)", "np.complex128(2)", "np.str_('a')",
    "np.ones(4)", "np.array(['a'] * 3)", "np.arange(3)[::-1]", "'a'", "None", "[1, 2, 3]", "(1, 2, 3)", "2",
    "2.5", "True", "1j", "object()", "2**63", "2**70", "np.uint64(2)", "np.uint64(2**63)",
    "np.array([1, None, 2])",
)  # fmt: skip
TENSORS = (
    "x", "T.arange(3)", "b", "x.double()", "x.half()", "s",
)  # fmt: skip

TABLES = (
    (OPERANDS, tuple(f"{t} {o} ({{}})" for t in TENSORS for o in OPERATORS)),
    (OPERANDS, tuple(f"({{}}) {o} {t}" for t in TENSORS for o in OPERATORS)),
)
