"""Weights divided by their largest singular value, by a hook. See nn.utils.parametrizations.spectral_norm."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from .._normalization import normalize
from ..parameter import Parameter, is_lazy
from ._named_hooks import check_single, drop_hook, remove_hook

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]

_functions = _C._VariableFunctions
_linalg: Any = getattr(_C, "_linalg", None)


def as_matrix(weight: Tensor, dim: int) -> Tensor:
    """The weight with the dimension `dim` as rows, and all others together as columns."""
    return weight.movedim(dim, 0).reshape(weight.shape[dim], -1)


def random_unit(matrix: Tensor, size: int, eps: float) -> Tensor:
    """A random vector of length 1, of the matrix' dtype and device."""
    return normalize(matrix.new_empty(size).normal_(0, 1), dim=0, eps=eps)


def check_iterations(n_power_iterations: int) -> None:
    """ValueError unless there is at least one iteration."""
    if n_power_iterations <= 0:
        raise ValueError(
            f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
        )


def output_dim(module: object) -> int:
    """The dimension of a module's weight that numbers its outputs."""
    from ..modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


class SpectralNorm:
    """The hook that computes the weight from `<name>_orig` before each forward(). The buffers `<name>_u` and
    `<name>_v` approximate the singular vectors; in training each call improves them by power iterations."""

    _version = 1  # since then `v` is saved, and the weight isn't

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        check_iterations(n_power_iterations)
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight with the outputs as rows."""
        return as_matrix(weight, self.dim)

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Tensor:
        """The weight divided by the estimate of its largest singular value."""
        weight, u, v = (getattr(module, f"{self.name}_{part}") for part in ("orig", "u", "v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    normalize(_functions.mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    normalize(_functions.mv(matrix, v), dim=0, eps=self.eps, out=u)
                # Copies, as backward may come after another call has changed the buffers.
                u, v = u.clone(), v.clone()
        return weight / _functions.dot(u, _functions.mv(matrix, v))

    def remove(self, module: Any) -> None:
        """Makes the present weight a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def _solve_v_and_rescale(self, matrix: Tensor, u: Tensor, sigma: Tensor) -> Tensor:
        """The v for which u is normalize(matrix @ v) and u @ matrix @ v is sigma."""
        inverse = _linalg.linalg_pinv(matrix.t().mm(matrix))
        v = inverse.mv(matrix.t().mv(u))
        return v.mul_(sigma / _functions.dot(u, _functions.mv(matrix, v)))

    @staticmethod
    def apply(module: Any, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Replaces the parameter by `<name>_orig` and the buffers, and registers the hooks."""
        check_single(module, SpectralNorm, "spectral_norm", name)
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run "
                "the dummy forward before applying spectral normalization"
            )
        with no_grad():
            u, v = (random_unit(weight, n, eps) for n in made.reshape_weight_to_matrix(weight).shape)
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        setattr(module, name, weight.data)  # for programs that initialise or look at it before a call
        module.register_buffer(f"{name}_u", u)
        module.register_buffer(f"{name}_v", v)
        module.register_forward_pre_hook(made)
        module._register_state_dict_hook(SpectralNormStateDictHook(made))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(made))
        return made


class _OfSpectralNorm:
    """A hook of the module's state, for the SpectralNorm `fn`."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    @property
    def name(self) -> str:
        return self.fn.name


class SpectralNormStateDictHook(_OfSpectralNorm):
    """Notes the version in the metadata of a state_dict."""

    def __call__(self, module: Any, state_dict: Any, prefix: str, local_metadata: dict[str, Any]) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        key = f"{self.name}.version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


class SpectralNormLoadStateDictPreHook(_OfSpectralNorm):
    """Computes `<name>_v` for state dicts of before version 1, which have the weight instead."""

    def __call__(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version = local_metadata.get("spectral_norm", {}).get(f"{self.name}.version")
        if version is not None and version >= 1:
            return
        key = prefix + self.name
        is_new = all(key + suffix in state_dict for suffix in ("_orig", "_u", "_v"))
        if version is None and is_new and key not in state_dict:
            return  # only the metadata were lost
        missing = [key + suffix for suffix in ("_orig", "", "_u") if key + suffix not in state_dict]
        if missing:
            missing_keys.extend(missing if strict else ())
            return
        with no_grad():
            original = state_dict[f"{key}_orig"]
            sigma = (original / state_dict.pop(key)).mean()
            matrix = self.fn.reshape_weight_to_matrix(original)
            state_dict[f"{key}_v"] = self.fn._solve_v_and_rescale(matrix, state_dict[f"{key}_u"], sigma)


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Replaces the parameter by `<name>_orig`; the weight is computed before each forward(): the original
    divided by its largest singular value, as a matrix whose rows are the dimension `dim`, by default the
    outputs. Returns the module. nn.utils.parametrizations.spectral_norm needs no hook."""
    SpectralNorm.apply(module, name, n_power_iterations, output_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Undoes spectral_norm: the present weight becomes the parameter. Returns the module. ValueError if
    spectral_norm wasn't applied to the parameter."""
    remove_hook(module, SpectralNorm, "spectral_norm", name)
    drop_hook(module._state_dict_hooks, SpectralNormStateDictHook, name)
    drop_hook(module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook, name)
    return module
