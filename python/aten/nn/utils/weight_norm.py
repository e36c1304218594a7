"""Weights as magnitude and direction, by a hook."""

from __future__ import annotations

import warnings

from ... import _C
from ..parameter import Parameter, is_lazy
from ._named_hooks import check_single, remove_hook

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]

_functions = _C._VariableFunctions


class WeightNorm:
    """The hook that computes the weight from `<name>_g` and `<name>_v` before each forward()."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Any:
        """The direction scaled to the magnitude."""
        magnitude, direction = (getattr(module, f"{self.name}_{part}") for part in "gv")
        return _functions._weight_norm(direction, magnitude, self.dim)

    @staticmethod
    def apply(module: Any, name: str, dim: int | None) -> WeightNorm:
        """Replaces the parameter by `<name>_g` and `<name>_v`, and registers the hook."""
        check_single(module, WeightNorm, "weight_norm", name)
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the "
                "dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        magnitude = _functions.norm_except_dim(weight, 2, made.dim)
        module.register_parameter(f"{name}_g", Parameter(magnitude.data))
        module.register_parameter(f"{name}_v", Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module: Any) -> None:
        """Makes the present weight a parameter again."""
        weight = self.compute_weight(module)
        for name in (self.name, f"{self.name}_g", f"{self.name}_v"):
            delattr(module, name)
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Replaces the parameter by its norms `<name>_g` along all dimensions but `dim`, or along all for None,
    and its direction `<name>_v`, from which it is computed before each forward(). Returns the module. PyTorch
    deprecates it, hence the FutureWarning: use nn.utils.parametrizations.weight_norm."""
    warnings.warn(
        "`nn.utils.weight_norm` is deprecated in favor of `nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Undoes weight_norm: the present weight becomes the parameter. Returns the module. ValueError if
    weight_norm wasn't applied to the parameter."""
    remove_hook(module, WeightNorm, "weight_norm", name)
    return module
