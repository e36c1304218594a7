"""The names by which Python users reach an operator. A test imports each of them from the built library."""

from __future__ import annotations

import dataclasses

from opgen.api.python_bound import is_bound, is_made
from opgen.model import DEFAULT_NAMESPACE, Function, Program, Variant

# Bound by hand under their own names; the others without a generated binding are reached by `ops` only.
_BY_HAND = frozenset(
    "contiguous copy_ dim get_device is_contiguous item mH mT nonzero numel set_ storage_offset to".split()
)


def public_module(module: str) -> str:
    """The submodule in which users find the functions of a python_module."""
    return {"nn": "nn.functional"}.get(module, module)


# Functions that users call through a function of another name.
_CALLED = {
    "col2im": "fold", "cross_entropy_loss": "cross_entropy", "im2col": "unfold", "log_sigmoid": "logsigmoid",
    "nll_loss_nd": "nll_loss",
}  # fmt: skip


def called_name(module: str | None, name: str) -> str:
    """The name in its module by which users call a function: `fftn` for `fft_fftn`."""
    return _CALLED.get(name, name.removeprefix(f"{module}_")) if module else name


def module_name(function: Function) -> str | None:
    """Returns `fft.ifft` for `fft_ifft` in the python_module `fft`; None for functions of the top module and
    private functions.
    """
    module, name = function.python_module, str(function.name.name)
    if module is None or (module == "nn" and name.startswith("_")):
        return None
    return f"{public_module(module)}.{name.removeprefix(f'{module}_')}"


def of(function: Function) -> list[str]:
    """Returns `aten.add`, `aten.ops.aten.add.Tensor`, `aten.Tensor.add`; few operators have all three."""
    name, overload = str(function.name.name), function.name.overload or "default"
    names = [f"aten.ops.{function.namespace}.{name}.{overload}"]
    if function.namespace != DEFAULT_NAMESPACE or not (is_bound(function) or _is_by_hand(function)):
        return names
    if function.python_module is not None:
        public = module_name(function)
        return names if public is None else [f"aten.{public}", *names]
    if Variant.function in function.variants and not name.startswith("__"):
        names.insert(0, f"aten.{name}")
    if Variant.method in function.variants:
        names.append(f"aten.Tensor.{name}")
    return names


@dataclasses.dataclass(frozen=True, slots=True)
class Extension:
    """The Python package of an extension, and the library that it extends."""

    package: str
    extends: str

    def names(self, function: Function, program: Program) -> list[str]:
        """Returns `my_ops.scale_by`, `aten.Tensor.scale_by`, `aten.ops.my_ops.scale_by.default`."""
        owner = owners(program)
        names = []
        for module, name in _places(function):
            if owner[module, name] == function.namespace:
                where = f"{self.extends}.Tensor" if module is None else f"{self.package}.{module}"
                names.append(f"{where.rstrip('.')}.{name.removeprefix(f'{module}_') if module else name}")
        overload = function.name.overload or "default"
        return [*names, f"{self.extends}.ops.{function.namespace}.{function.name.name}.{overload}"]


Place = tuple[str | None, str]  # a module ("" is the package, None is Tensor), and the name in it


def owners(program: Program) -> dict[Place, str]:
    """Returns the namespaces whose operators an extension's functions and methods call: where two have one
    name, the first in the file.
    """
    order = list(dict.fromkeys(f.namespace for f in program.functions))
    found: dict[Place, str] = {}
    for function in sorted(program.functions, key=lambda f: order.index(f.namespace)):
        for place in _places(function):
            found.setdefault(place, function.namespace)
    return found


def _places(function: Function) -> list[Place]:
    name = str(function.name.name)
    if name.startswith("_") or not is_made(function):
        return []
    if function.python_module is not None:
        return [(function.python_module, name)]
    variants = {Variant.function: "", Variant.method: None}
    return [(module, name) for variant, module in variants.items() if variant in function.variants]


def _is_by_hand(function: Function) -> bool:
    return not function.is_generated and str(function.name.name) in _BY_HAND
