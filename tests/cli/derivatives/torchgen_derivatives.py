"""A script that prints torchgen's model of its derivatives.yaml as JSON, by function and key."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torchgen
from torchgen.api import cpp
from torchgen.api.autograd import gen_differentiable_outputs, match_differentiability_info
from torchgen.context import native_function_manager
from torchgen.gen import parse_native_yaml
from torchgen.packaged.autograd.load_derivatives import load_derivatives

PACKAGED = Path(torchgen.__file__).parent / "packaged"
FUNCTIONS, TAGS = PACKAGED / "ATen/native/native_functions.yaml", PACKAGED / "ATen/native/tags.yaml"


def saved(attributes) -> list:
    found = {
        (str(getattr(s.nctype.name, "name", s.nctype.name)), s.nctype.type.cpp_type(), s.expr)
        for s in attributes
    }
    return sorted(map(list, found))


def backward(derivative) -> dict:
    return {
        "names": list(derivative.var_names),
        "formula": derivative.formula,
        "original": derivative.original_formula,
        "saved inputs": saved(derivative.saved_inputs),
        "saved outputs": saved(derivative.saved_outputs),
        "named gradients": sorted(derivative.named_gradients),
    }


def forward(derivative, inputs: set[str]) -> dict:
    return {
        "names": list(derivative.var_names),
        "types": list(map(str, derivative.var_types)),
        "formula": derivative.formula,
        # auto_element_wise lists every argument here; only those with a formula are used later.
        "tangents": sorted(inputs.intersection(derivative.required_inputs_fw_grad)),
        "primals": sorted(derivative.required_inputs_primal),
        "original self": derivative.required_original_self_value,
        "reuses": derivative.is_reusing_outplace_formula,
    }


def described(matched, key: str) -> dict:
    info = matched.info[key]
    inputs = {a.name for a in info.args_with_derivatives}
    return {
        "of": str(info.func.func.name),
        "node": info.op,
        "inputs": [[a.name, a.nctype.type.cpp_type()] for a in info.args_with_derivatives],
        "backward": [backward(d) for d in info.derivatives],
        "forward": [forward(d, inputs) for d in matched.fw_derivatives[key]],
        "saved inputs": saved(info.all_saved_inputs),
        "saved outputs": saved(info.all_saved_outputs),
        "non differentiable": list(info.non_differentiable_arg_names),
        "named gradients": list(info.available_named_gradients),
        "differentiable": info.output_differentiability,
        "condition": info.output_differentiability_conditions,
        "outputs": [o.name for o in gen_differentiable_outputs(matched, key)],
    }


def main() -> None:
    infos, _ = load_derivatives(PACKAGED / "autograd/derivatives.yaml", FUNCTIONS, TAGS)
    functions = parse_native_yaml(FUNCTIONS, TAGS).native_functions
    found = {}
    for matched in match_differentiability_info(sorted(functions, key=lambda f: cpp.name(f.func)), infos):
        if matched.info is not None:
            with native_function_manager(matched.func):
                keys = {key: described(matched, key) for key in matched.info}
            found[str(matched.func.func.name)] = keys
    json.dump(found, sys.stdout)


main()
