"""Expressions that make tensors of NumPy's objects and of Python's data: makers, and what they are given."""

from __future__ import annotations

from both_libraries import DTYPES

ARRAYS = (
    "np.ones(2)", "np.ones((2, 3), np.float32)", "np.array(1.5)", "np.array(True)", "np.zeros(0)",
    "np.zeros((0, 3))", "np.arange(6).reshape(2, 3).T", "np.arange(6)[::2]",
    "np.arange(6.0).reshape(2, 3)[:, 1]", "np.broadcast_to(np.arange(3), (2, 3))", "np.arange(3)[::-1]",
    "np.arange(3, dtype='>i4')", "np.arange(3, dtype='>f8')", "np.array(['a', 'b'])", "np.array([None, 1])",
    "np.zeros(2, [('a', 'i4'), ('b', 'f4')])", "np.array(['2020-01-01'], 'M8[D]')",
    "np.array([3], 'm8[s]')", "np.array([1.5], np.longdouble)", "np.array([b'x'])", "np.ma.array([1, 2])",
    "np.matrix([[1, 2]])", "np.zeros(9, 'u1')[1:].view('f8')", "np.array([1 + 2j])",
    "np.frombuffer(b'abcd', np.uint8)",
)  # fmt: skip
# Constructors such as FloatTensor() take integers among these as sizes.
SCALARS = (
    *(f"np.{n}({'1' if n == 'bool' else '3'})" for n in DTYPES),
    *("1", "np.array(3)", "np.longdouble(1.5)", "np.str_('a')", "np.datetime64('2020-01-01')"),
    *("np.timedelta64(3, 's')", "np.bytes_(b'x')"),
)
# Python's data, also with NumPy's objects in it.
NESTED = (
    "[np.ones(2)]", "[np.ones(2, np.float32), np.ones(2)]",
    "[np.ones(2, np.int32), np.ones(2, np.float16)]", "(np.ones(2), np.zeros(2))",
    "[np.array(1.5), np.array(2.5)]", "[np.array(1), 2.5]", "[np.ones(2), [1, 2]]", "[[1, 2], np.ones(2)]",
    "[[np.float32(1), np.float32(2)]]", "[np.float64(1), 2]", "[np.float64(1.1)]", "[np.float32(1)]",
    "[np.float16(1)]", "[np.int32(1)]", "[np.int8(1), np.int16(2)]", "[np.uint64(1)]", "[np.uint8(200)]",
    "[np.bool_(True), np.bool_(False)]", "[np.bool_(True), 2]", "[np.bool_(True), 2.5]",
    "[np.complex64(1j)]", "[np.complex128(1j), 2]", "[1, np.float32(2)]", "[True, np.int64(2)]",
    "(np.float64(1), np.float64(2))", "[np.ones((2, 2)), np.ones((2, 2))]", "[np.ones(2), np.ones(3)]",
    "[np.ones(0), np.ones(0)]", "[np.array(['a'])]", "[np.array([True]), np.array([False])]",
    "[np.ones(2, np.uint8)]", "[np.ones(2, np.complex64)]", "[T.ones(2), np.ones(2)]",
    "[np.ones(2), T.ones(2)]", "[T.tensor(1.5), np.float64(2)]", "[np.arange(3)[::-1]]",
    "[np.arange(2, dtype='>i4')]", "[[np.ones(2)], [np.ones(2)]]", "[T.tensor(1), T.tensor(2.5)]",
    "[T.tensor(1.5, dtype=T.float64)]", "[T.tensor([1, 2]), T.tensor([3, 4])]",
    "[T.ones(2, dtype=T.float64)] * 2", "[T.ones(1), T.ones(1)]", "[[T.tensor(1)], [T.tensor(2)]]",
    "[T.tensor(True), False]", "[np.uint16(3)]", "[np.uint32(3)]", "[np.array(3, np.uint64)]", "[np.nan]",
    "[np.inf, -np.inf]", "[np.str_('a')]", "[None]", "['a']", "'a'", "None", "{1: 2}", "{1, 2}", "range(3)",
    "[]", "[[], []]", "[[1], []]", "[[1], [2, 3]]", "[1, [2]]", "bytearray(b'ab')", "b'ab'",
    "memoryview(b'ab')", "2**63", "[2**63]", "2**64", "[2**64]", "-2**63", "[1.5, 2**70]", "object()",
    "1.5", "True", "1j", "float('nan')", "[1, 2.5, 1j]", "[True, 2]", "iter([1, 2])", "(i for i in [1])",
    "[range(2), range(2)]", "T.tensor([1, 2])", "T.tensor(1.5)", "g", "z.conj()", "[g, g]",
    "[T.tensor([])]",
)  # fmt: skip
MAKERS = (
    "T.tensor({})", "T.as_tensor({})", "T.asarray({})", "x.new_tensor({})", "T.tensor({}, dtype=T.float64)",
    "T.as_tensor({}, dtype=T.float32)", "T.as_tensor({}, dtype=T.int64)", "T.tensor({}, dtype=T.uint8)",
    "T.asarray({}, copy=False)", "T.asarray({}, copy=True)", "k.new_tensor({})",
    "T.tensor({}, dtype=T.bool)", "T.tensor({}, dtype=T.complex64)", "T.tensor({}, dtype=T.int32)",
    "T.tensor({}, dtype=T.bfloat16)", "T.asarray({}, dtype=T.float16)", "T.as_tensor({}, device='meta')",
)  # fmt: skip
OLD_MAKERS = (
    "T.Tensor({})", "T.LongTensor({})", "T.DoubleTensor({})", "T.FloatTensor({})", "k.new({})",
    "T.ByteTensor({})", "T.BoolTensor({})", "T.HalfTensor({})",
)  # fmt: skip

TABLES = (
    (ARRAYS + NESTED + tuple(f"np.ones(2, np.{n})" for n in DTYPES), MAKERS + OLD_MAKERS),
    (SCALARS, MAKERS + tuple(f"{m}.shape" for m in OLD_MAKERS)),
)
