"""Indexing and assignment by NumPy's objects, and by Python's."""

from __future__ import annotations

INDICES = (
    "np.int64(1)", "np.int8(-1)", "np.uint8(1)", "np.uint64(1)", "np.int32(5)", "np.bool_(True)",
    "np.bool_(False)", "np.array(1)", "np.array(1, np.uint8)", "np.array(True)", "np.array([0, 2])",
    "np.array([0, -1])", "np.array([0, 2], np.int32)", "np.array([0, 2], np.int16)",
    "np.array([0, 2], np.uint8)", "np.array([0, 1], np.uint16)", "np.array([0, 1], np.uint64)",
    "np.array([True, False, True])", "np.array([True, False])", "np.array([1, 0, 1], np.uint8)",
    "np.array([0.0, 1.0])", "np.float64(1)", "np.zeros(0)", "np.zeros(0, int)", "np.zeros(0, bool)",
    "np.array([[0, 1], [2, 0]])", "np.array([0, 5])", "np.array([2, 0])[::-1]", "np.array(['a'])",
    "np.arange(2, dtype='>i4')", "[np.int64(0), np.int64(2)]", "[np.array([0, 1])]",
    "[np.array(0), np.array(1)]", "[np.bool_(True), np.bool_(False), np.bool_(True)]",
    "[True, False, True]", "[0, 2]", "[]", "[[0, 1], [1, 2]]", "(np.array([0, 1]), np.array([1, 2]))",
    "(np.array([0, 1]), 1)", "(1, np.array([0, 1]))", "(slice(None), np.array([0, 1]))",
    "(np.array([0, 1]), slice(1, 3))", "(None, np.array([0, 1]))", "(..., np.array([0, 1]))",
    "(np.array([0, 1]), None, np.array([1, 2]))", "(np.array([True, False, True]), slice(None))",
    "(np.array([True, False, True]), 1)", "(slice(None), np.array([True, False, True, False]))",
    "(np.int64(1), np.int64(2))", "(np.int64(1), slice(None, None, 2))",
    "(slice(np.int64(0), np.int64(2)),)", "slice(np.int64(0), np.int64(2), np.int64(1))",
    "slice(T.tensor(0), T.tensor(2))", "slice(0, 2.5)", "slice(None, None, -1)", "slice(None, None, 0)",
    "slice(np.float64(0), 2)", "(..., np.int64(1))", "(None, np.int64(1))",
    "(np.array([[0], [1]]), np.array([0, 1]))", "np.array([[True] * 4] * 3)", "(np.bool_(True), 1)",
    "(True, np.array([0, 1]))", "(np.array([0, 1]), [1, 2])", "([0, 1], np.array([1, 2]))",
    "(T.tensor([0, 1]), np.array([1, 2]))", "(np.array([0, 1, 2]), np.array([1, 2]))", "range(2)",
    "(range(2), 1)", "1.5", "'a'", "None", "...", "(1, 2, 3)", "np.newaxis", "{1}", "object()",
    "(slice(None), None, ..., 0)", "([0, 1],)", "[slice(0, 2)]", "[slice(0, 2), 1]", "[None, 1]",
    "T.tensor(1)", "T.tensor([0, 2])", "T.tensor([True, False, True])", "T.tensor([0, 1], dtype=T.uint8)",
    "T.tensor([1, 0, 1], dtype=T.uint8)", "T.tensor([0.5])", "T.tensor(True)",
    "(T.tensor([0, 1]), T.tensor(1))", "T.tensor([0, 1], dtype=T.int16)", "T.tensor([0, 1], dtype=T.int8)",
    "T.tensor([0, 1], dtype=T.uint16)", "True", "False", "(True, False)", "()", "((0, 1), (1, 2))",
    "[(0, 1), (1, 2)]", "np.s_[1:, 0]", "np.ix_([0, 1], [1, 2])", "np.nonzero(np.eye(3))", "10**20", "-4",
    "3", "2**63", "[2**63]", "[0, 1.5]", "[0, None]", "['a']", "(0, 'a')", "([True, False, True], [0, 1])",
    "(..., ...)", "(np.ones(3, bool), np.ones(4, bool))", "(T.tensor([[True, False, True, False]] * 3), 0)",
    "[T.tensor(0), T.tensor(2)]", "[True, 2]", "(0, [True, False, True, False])",
    "([[True, False, True, False]] * 3,)", "[[True, False, True, False]] * 3",
)  # fmt: skip
USES = (
    "m[{}]", "x[{}]", "put(grid(3, 4), {}, 7)", "put(grid(3, 4), {}, np.float64(7.5))",
    "put(grid(3, 4), {}, T.tensor(7.0))", "put(T.arange(3), {}, np.int64(7))", "s[{}]",
)  # fmt: skip
VALUES = (
    "np.float64(2.5)", "np.float32(2.5)", "np.int64(2)", "np.uint8(2)", "np.bool_(True)",
    "np.complex64(1j)", "np.array(2.5)", "np.array(2)", "np.array([2.5])", "np.ones(4)", "np.ones(3)",
    "np.ones((3, 4))", "np.ones((1, 3, 4))", "np.ones(4, np.float32)", "np.arange(4)", "[1, 2, 3, 4]",
    "(1, 2, 3, 4)", "[1.5]", "2.5", "True", "1j", "None", "'a'", "T.ones(4)", "T.arange(4)",
    "T.tensor(2.5, dtype=T.float64)", "T.tensor([1j])", "np.array([True] * 4)", "np.array(['a'] * 4)",
    "2**63", "2**70", "300", "-1", "np.nan", "float('inf')", "g.sum()", "np.uint64(2)", "np.int64(300)",
    "np.float16(2.5)", "np.array([1j] * 4)", "np.datetime64('2020-01-01')", "np.str_('a')", "object()",
    "[[1, 2, 3, 4]]",
)  # fmt: skip
ASSIGNMENTS = (
    "put(grid(3, 4), 0, {})", "put(grid(3, 4), slice(None), {})", "put(grid(3, 4), [0, 1], {})",
    "put(grid(3, 4), np.array([True, False, True]), {})", "put(T.arange(12).reshape(3, 4), 0, {})",
    "put(T.arange(12).reshape(3, 4), [0, 1], {})", "put(T.zeros(3, 4, dtype=T.uint8), 0, {})",
    "put(T.zeros(3, 4, dtype=T.bool), [0], {})", "put(T.zeros(3, 4, dtype=T.bool), 0, {})",
    "put(T.zeros(3, 4, dtype=T.complex64), 0, {})", "put(grid(3, 4), (0, 0), {})",
    "put(grid(3, 4), (slice(None), 0), {})", "put(grid(3, 4), ..., {})", "put(grid(3, 4), None, {})",
    "put(T.tensor(1.0), (), {})", "put(T.zeros(3, 4, dtype=T.float16), 0, {})", "T.zeros(3, 4).fill_({})",
    "T.zeros(2).masked_fill(T.tensor([True, False]), {})",
    "T.where(T.tensor([True, False]), {}, T.zeros(2))", "T.clamp(T.ones(2), min={})",
)  # fmt: skip

TABLES = ((INDICES, USES), (VALUES, ASSIGNMENTS))
