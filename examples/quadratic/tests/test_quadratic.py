"""The operators against plain Python, in an extension of aten or in a library of its own."""

import math

import quadratic

if hasattr(quadratic, "tensor"):
    tensors = quadratic  # a library of its own
else:
    import aten as tensors

ops = quadratic.ops.quadratic
VALUES = [-1.0, 0.0, 0.25, 0.5, 1.0, 3.0]


def step(x):
    clamped = min(max(x, 0.0), 1.0)
    return clamped * clamped * (3 - 2 * clamped)


def close(found, wanted):
    assert len(found) == len(wanted)
    assert all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-5) for a, b in zip(found, wanted, strict=True))


def test_smoothstep():
    x = tensors.tensor(VALUES)
    close(ops.smoothstep(x).tolist(), [step(v) for v in VALUES])
    out = tensors.empty([0])
    ops.smoothstep.out(x, out=out)
    close(out.tolist(), [step(v) for v in VALUES])


def test_the_derivative_of_smoothstep():
    x = tensors.tensor(VALUES, requires_grad=True)
    ops.smoothstep(x).sum().backward()
    h = 1e-6
    close(x.grad.tolist(), [(step(v + h) - step(v - h)) / (2 * h) for v in VALUES])


def test_rms():
    x = tensors.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(ops.rms(x, 1).tolist(), [math.sqrt(5 / 2), math.sqrt(25 / 2)])
    assert list(ops.rms(x, 0, True).shape) == [1, 2]
    close(ops.rms(x, 0).tolist(), [math.sqrt(10 / 2), math.sqrt(20 / 2)])


def test_rms_normalize():
    rows = ops.rms_normalize(tensors.tensor([[3.0, 4.0], [0.5, 0.5]]), -1).tolist()
    close(rows[0], normalized([3.0, 4.0]))
    close(rows[1], [1.0, 1.0])


def mean_root(row):
    return math.sqrt(sum(v * v for v in row) / len(row))


def normalized(row):
    return [v / (mean_root(row) + 1e-6) for v in row]


def slopes(f, row):
    """The derivative of a function of a row by each of its numbers, from differences."""
    h = 1e-6
    steps = [[v + h * (i == k) for i, v in enumerate(row)] for k in range(len(row))]
    return [(f(after) - f(row)) / h for after in steps]


def gradient(f, rows, weights):
    """The gradient of the sum of f(x) * weights, from float64 so that differences are exact enough."""
    x = tensors.tensor(rows, dtype=tensors.float64, requires_grad=True)
    f(x).backward(tensors.tensor(weights, dtype=tensors.float64))
    return [v for row in x.grad.tolist() for v in row]


def test_the_derivative_of_rms():
    rows = [[1.0, 2.0], [-3.0, 4.0]]
    wanted = slopes(mean_root, rows[0]) + [10 * slope for slope in slopes(mean_root, rows[1])]
    close(gradient(lambda x: ops.rms(x, 1), rows, [1, 10]), wanted)
    close(gradient(lambda x: ops.rms(x, -1, True), rows, [[1], [10]]), wanted)
    x = tensors.tensor(-2.0, requires_grad=True)
    ops.rms(x, 0).backward()
    assert x.grad.item() == -1


def test_the_composite_is_differentiated_through_what_it_calls():
    rows = [[1.0, 2.0], [-3.0, 4.0]]
    wanted = [slope for row in rows for slope in slopes(lambda r: sum(normalized(r)), row)]
    close(gradient(lambda x: ops.rms_normalize(x, 1), rows, [[1, 1], [1, 1]]), wanted)


def test_on_meta_there_are_sizes_alone():
    x = tensors.empty([2, 3], device="meta")
    for y in (ops.smoothstep(x), ops.rms(x, 0), ops.rms_normalize(x, 0)):
        assert y.device.type == "meta" and list(y.shape) in ([2, 3], [3])


def test_a_wrong_dimension_is_an_error_that_names_the_operator():
    try:
        ops.rms(tensors.tensor([1.0]), 3)
    except IndexError as error:
        assert "rms" in str(error)
    else:
        raise AssertionError("expected an IndexError")
