"""Jacobians by backward mode, by forward mode and by central differences.

Tensors are treated as vectors of real components, so that one Jacobian covers real and complex ones.
"""

from __future__ import annotations

import aten

from ._vectors import (
    as_tuple,
    components,
    differentiable,
    dot,
    is_floating,
    is_tensor,
    random,
    scaled,
    undefined,
    units,
)

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Vector = list[float]
    Jacobian = list[Vector]  # rows: components of the input, columns: components of the output


class GradcheckError(RuntimeError):
    """Raised if derivatives differ from finite differences, or are wrong in another way."""


class Check:
    """A function at one point, with its derivatives by backward mode, forward mode and finite differences."""

    def __init__(
        self,
        func: Callable[..., Any],
        inputs: tuple[Any, ...],
        eps: float,
        atol: float,
        rtol: float,
        fast: bool,
    ) -> None:
        self.func, self.inputs, self.eps, self.atol, self.rtol, self.fast = (
            func,
            inputs,
            eps,
            atol,
            rtol,
            fast,
        )
        self.wrt = [(i, x) for i, x in enumerate(inputs) if is_tensor(x) and x.requires_grad]

    def inputs_are_usable(self) -> None:
        if not self.wrt:
            raise ValueError("gradcheck(): none of the inputs is a tensor that requires a gradient")
        for i, x in self.wrt:
            if x.dtype not in (aten.float64, aten.complex128):
                import warnings

                text = f"gradcheck(): input {i} is not of double precision; the check will likely fail"
                warnings.warn(text, stacklevel=4)
            if any(n > 1 and step == 0 for n, step in zip(x.shape, x.stride(), strict=True)):
                raise RuntimeError(
                    f"gradcheck(): input {i} has elements that share memory; give a clone of it"
                )

    def outputs(self) -> list[Any]:
        return differentiable(self.func(*self.inputs))

    def values(self) -> list[Vector]:
        """The components of all differentiable floating-point outputs."""
        return [components(o) for o in self.outputs()]

    # ---- checks

    def constant(self) -> None:
        """Outputs that don't require grad must not depend on the inputs."""

        def values() -> list[Vector]:
            return [components(o) for o in as_tuple(self.func(*self.inputs)) if is_floating(o)]

        for i, x in self.wrt:
            for direction in self._directions(x):
                changes = self._difference(x, direction, values)
                if any(abs(change) > self.atol for output in changes for change in output):
                    raise GradcheckError(f"no output requires a gradient, and yet one depends on input {i}")

    def backward(self) -> None:
        at = [(i, x, self._directions(x)) for i, x in self.wrt]
        # All differences first, since they modify the inputs.
        numerical = [[self._difference(x, d) for d in directions] for _, x, directions in at]
        outputs = self.outputs()
        for (i, x, directions), columns in zip(at, numerical, strict=True):
            across = [components(d) for d in directions]
            for k, output in enumerate(outputs):
                rows = [components(g) for g in self._pulled(output, x)]
                analytical = [[dot(row, d) for row in rows] for d in across]
                expected = [column[k] for column in columns]
                if self.fast:
                    weights = components(self._cotangents(output)[0])
                    expected = [[dot(e, weights)] for e in expected]
                self._compare(
                    analytical, expected, f"Jacobian mismatch for output {k} with respect to input {i}"
                )

    def forward(self) -> None:
        for i, x in self.wrt:
            for alone in (True, False):
                for direction in self._directions(x):
                    expected = self._difference(x, direction)
                    got = self._pushed(i, direction, alone)
                    for k, (a, n) in enumerate(zip(got, expected, strict=True)):
                        self._compare(
                            [a], [n], f"forward-mode mismatch for output {k} with respect to input {i}"
                        )

    def gradients(self, dtypes: bool, nondet_tol: float) -> None:
        """Checks shapes and dtypes, determinism, and that a zero gradient gives zeros."""
        outputs = self.outputs()
        wrt = [x for _, x in self.wrt]
        grads = [random(o, 3) for o in outputs]
        once, again = (
            aten.autograd.grad(outputs, wrt, grads, retain_graph=True, allow_unused=True) for _ in range(2)
        )
        zeros = [aten.zeros_like(o) for o in outputs]
        none = aten.autograd.grad(outputs, wrt, zeros, retain_graph=True, allow_unused=True)
        for (i, x), g, h, z in zip(self.wrt, once, again, none, strict=True):
            if g is None:
                continue
            if tuple(g.shape) != tuple(x.shape):
                raise GradcheckError(
                    f"the gradient of input {i} has shape {tuple(g.shape)}, not {tuple(x.shape)}"
                )
            if dtypes and g.dtype != x.dtype:
                raise GradcheckError(f"the gradient of input {i} is of type {g.dtype}, expected {x.dtype}")
            pairs = zip(components(g), components(h), strict=True)
            if any(abs(a - b) > nondet_tol for a, b in pairs):
                raise GradcheckError(f"backward is not deterministic: two gradients of input {i} differ")
            if z is not None and any(components(z)):
                raise GradcheckError(f"backward does not multiply by the output's gradient: input {i}")

    def undefined_gradients(self) -> None:
        """Undefined gradients must be treated as zeros: all of them, and each by itself."""
        count = len(self.outputs())
        for chosen in [range(count), *([k] for k in range(count) if count > 1)]:
            outputs = [undefined(o) if k in chosen else o for k, o in enumerate(self.outputs())]
            zeros = [aten.zeros_like(o) for o in outputs]
            try:
                found = aten.autograd.grad(outputs, [x for _, x in self.wrt], zeros, allow_unused=True)
            except RuntimeError as error:
                raise GradcheckError(f"backward does not take undefined gradients: {error}") from error
            for (i, _), g in zip(self.wrt, found, strict=True):
                if g is not None and any(components(g)):
                    raise GradcheckError(f"an undefined gradient does not count as zero: input {i}")

    def batched_backward(self) -> None:
        """Gradients in vmap() must be those of each cotangent."""
        wrt = [x for _, x in self.wrt]
        for k, output in enumerate(self.outputs()):

            def gradients(cotangent: Any, output: Any = output) -> Any:
                options = {"retain_graph": True, "materialize_grads": True}
                return aten.autograd.grad(output, wrt, cotangent, **options)

            self._compare_batched(gradients, output, f"the gradients of output {k}")

    def batched_forward(self) -> None:
        """Tangents in vmap() must be those of each tangent of an input."""
        for i, x in self.wrt:

            def tangents(tangent: Any, i: int = i) -> tuple[Any, ...]:
                return tuple(self._tangents(i, tangent, True))

            self._compare_batched(tangents, x, f"the tangents for input {i}")

    def _compare_batched(self, product: Callable[[Any], Any], like: Any, what: str) -> None:
        vectors = [random(like, seed) for seed in (13, 17)]
        expected = [aten.stack(row) for row in zip(*map(product, vectors), strict=True)]
        try:
            found = aten.vmap(product)(aten.stack(vectors))
        except RuntimeError as error:
            raise GradcheckError(f"While computing batched gradients, got: {error}") from error
        for a, b in zip(found, expected, strict=True):
            if not aten.allclose(a, b):
                raise GradcheckError(f"{what} in vmap() differ from those of each example: {a} and {b}")

    def _compare(self, analytical: Jacobian, numerical: Jacobian, what: str) -> None:
        for a_row, n_row in zip(analytical, numerical, strict=True):
            for a, n in zip(a_row, n_row, strict=True):
                if not abs(a - n) <= self.atol + self.rtol * abs(n):
                    raise GradcheckError(f"{what}\nnumerical: {numerical}\nanalytical: {analytical}")

    # ---- derivatives

    def _directions(self, x: Any) -> list[Any]:
        """All unit vectors, or a random one."""
        if self.fast:
            return [scaled(random(x, 5))]
        return list(units(x))

    def _cotangents(self, output: Any) -> list[Any]:
        return [scaled(random(output, 11))] if self.fast else list(units(output))

    def _pulled(self, output: Any, x: Any) -> list[Any]:
        """The gradients of `x` for each cotangent of `output`."""
        found = []
        for v in self._cotangents(output):
            (g,) = aten.autograd.grad(output, x, v, retain_graph=True, allow_unused=True)
            found.append(aten.zeros_like(x) if g is None else g)
        return found

    def _pushed(self, index: int, direction: Any, alone: bool) -> list[Vector]:
        return [components(t) for t in self._tangents(index, direction, alone)]

    def _tangents(self, index: int, direction: Any, alone: bool) -> list[Any]:
        """The outputs' tangents; with `alone`, other inputs have no tangent instead of zeros."""
        forward_ad = aten.autograd.forward_ad
        with forward_ad.dual_level():
            at = list(self.inputs)
            for i, x in self.wrt:
                if i == index or not alone:
                    tangent = direction if i == index else aten.zeros_like(x)
                    at[i] = forward_ad.make_dual(x.detach().requires_grad_(), tangent)
            pairs = [forward_ad.unpack_dual(o) for o in differentiable(self.func(*at))]
            return [aten.zeros_like(p) if t is None else t for p, t in pairs]

    def _difference(
        self, x: Any, direction: Any, values: Callable[[], list[Vector]] | None = None
    ) -> list[Vector]:
        """The outputs' directional derivative by central differences; `x` is temporarily modified."""
        values = values or self.values
        place, before = x.detach(), x.detach().clone()
        try:
            with aten.no_grad():
                place.copy_(before + direction * self.eps)
            high = values()
            with aten.no_grad():
                place.copy_(before - direction * self.eps)
            low = values()
        finally:
            with aten.no_grad():
                place.copy_(before)
        return [
            [(a - b) / (2 * self.eps) for a, b in zip(h, l, strict=True)]
            for h, l in zip(high, low, strict=True)
        ]
