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
    close(rows[0], [3 / math.sqrt(12.5), 4 / math.sqrt(12.5)])
    close(rows[1], [1.0, 1.0])


def test_a_wrong_dimension_is_an_error_that_names_the_operator():
    try:
        ops.rms(tensors.tensor([1.0]), 3)
    except IndexError as error:
        assert "rms" in str(error)
    else:
        raise AssertionError("expected an IndexError")
