"""Functions of functions: derivatives, maps over batches, and calls of modules with given parameters."""

from __future__ import annotations

from ._calls import functional_call as functional_call
from ._calls import stack_module_state as stack_module_state
from ._jacobians import hessian as hessian
from ._jacobians import jacfwd as jacfwd
from ._jacobians import jacrev as jacrev
from ._transforms import grad as grad
from ._transforms import grad_and_value as grad_and_value
from ._transforms import jvp as jvp
from ._transforms import linearize as linearize
from ._transforms import vjp as vjp
from ._vmap import vmap as vmap

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]
