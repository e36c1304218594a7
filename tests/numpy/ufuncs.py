"""NumPy's functions of tensors."""

from __future__ import annotations

UNARY = (
    "sin", "exp", "sqrt", "negative", "abs", "isnan", "floor", "sign", "conj", "real", "imag",
    "logical_not", "invert", "square", "isfinite", "rint",
)  # fmt: skip
ONE = (
    "x", "T.arange(3)", "b", "z", "g", "s", "T.ones(2, dtype=T.bfloat16)", "x.half()", "m",
)  # fmt: skip
BINARY = (
    "add", "subtract", "multiply", "divide", "maximum", "power", "arctan2", "greater", "equal",
    "logical_and", "floor_divide", "mod", "matmul", "dot", "bitwise_and", "hypot", "fmin", "copysign",
    "heaviside",
)  # fmt: skip
TWO = (
    "x, 1", "x, x", "1, x", "np.ones(3), x", "x, np.ones(3)", "T.arange(3), 2", "x, np.float64(2)",
    "x, T.arange(3)", "b, b", "g, 1", "s, s",
)  # fmt: skip
EXPRESSIONS = (
    "np.sin(x, out=np.zeros(3, np.float32))", "np.sin(x, out=T.zeros(3))", "np.add(x, 1, out=T.zeros(3))",
    "np.add(x, 1, out=x)", "np.add(np.ones(3, np.float32), 1, out=x)",
    "np.add(np.ones(3), 1, out=T.zeros(3, dtype=T.float64))", "np.add(x, 1, out=np.zeros(3, np.float32))",
    "np.add(x, 1, where=np.array([True, False, True]))", "np.add(x, 1, dtype=np.float64)", "np.modf(x)",
    "np.frexp(x)", "np.divmod(x, 2)", "np.add.reduce(x)", "np.add.accumulate(x)", "np.add.outer(x, x)",
    "np.multiply.reduce(m, axis=1)", "np.sum(x)", "np.sum(m, axis=0)", "np.mean(m)", "np.mean(m, axis=1)",
    "np.max(x)", "np.min(x)", "np.prod(x)", "np.cumsum(x)", "np.argmax(x)", "np.argsort(x)", "np.sort(x)",
    "np.std(x)", "np.var(x)", "np.all(b)", "np.any(b)", "np.round(x)", "np.clip(x, 0, 1)",
    "np.reshape(x, (3, 1))", "np.transpose(m)", "np.ravel(m)", "np.squeeze(x)", "np.swapaxes(m, 0, 1)",
    "np.expand_dims(x, 0)", "np.where(x > 1, x, 0)", "np.where(b, 1, 2)", "np.dot(x, x)", "np.inner(x, x)",
    "np.outer(x, x)", "np.linalg.norm(x)", "np.linalg.inv(np.eye(3))", "np.einsum('i,i', x, x)",
    "np.tensordot(x, x, 1)", "np.allclose(x, x)", "np.array_equal(x, x)", "np.isclose(x, x)",
    "np.testing.assert_allclose(x, x)", "np.testing.assert_array_equal(x, [0, 1, 2])", "np.shape(x)",
    "np.ndim(x)", "np.zeros_like(x)", "np.ones_like(x)", "np.full_like(x, 2)", "np.empty_like(x).shape",
    "np.copy(x)", "np.atleast_2d(x)", "np.vstack([x, x])", "np.hstack([x, x])", "np.nonzero(x)",
    "np.unique(x)", "np.take(x, [0, 1])", "np.repeat(x, 2)", "np.tile(x, 2)", "np.diff(x)", "np.flip(x)",
    "np.isin(x, [1])", "np.interp(x, [0, 1], [0, 1])", "np.histogram(x)[0]", "np.percentile(x, 50)",
    "np.median(x)", "np.meshgrid(x, x)", "np.broadcast_to(x, (2, 3))", "np.array_split(x, 2)", "np.diag(x)",
    "np.trace(m)", "np.count_nonzero(x)", "np.result_type(x, 1)", "np.can_cast(1, 'f4')",
    "np.asarray(x) @ x", "np.isscalar(s)", "np.iterable(x)", "np.finfo(np.float32).max * x", "np.pi * x",
    "x * np.pi", "np.e ** x", "np.linspace(0, T.tensor(1.0), 3)", "np.arange(T.tensor(3))",
    "np.zeros(T.tensor(3))", "np.ones(T.tensor(3))", "np.zeros(x.shape)", "np.zeros((T.tensor(2), 3))",
    "np.random.default_rng(0).permutation(T.arange(1)).shape", "np.float32(x[0])", "np.fft.fft(x)",
    "np.add(x, 1).dtype", "np.einsum('ij->i', m)", "np.ones(3) + x", "np.ones(3) * s",
    "np.ones((2, 3)) * x", "np.float64(2) * g", "g * np.float64(2)", "np.ones(3) * g", "g * np.ones(3)",
    "(lambda a: operator.iadd(a, x))(np.ones(3))",
    "(lambda a: operator.iadd(a, x))(np.ones(3, np.float32))", "operator.iadd(x, np.ones(3))",
    "operator.imul(x, np.float64(2))", "operator.isub(x, np.ones(3, np.float32))",
    "operator.itruediv(x, np.arange(1, 4))", "operator.imul(k, np.float64(2))",
    "operator.iand(b, np.array([True] * 3))", "operator.ipow(x, np.float32(2))",
    "operator.ifloordiv(x, np.int64(2))", "operator.imod(x, np.int64(2))", "operator.iadd(g, np.ones(3))",
)  # fmt: skip

TABLES = ((ONE, tuple(f"np.{u}({{}})" for u in UNARY)), (TWO, tuple(f"np.{b}({{}})" for b in BINARY)))
