"""Archives put together by hand, as torch.export.save writes them: they need no PyTorch and may lie."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

FLOAT32, INT64 = 7, 5
LEAF = {"type": None, "context": None, "children_spec": []}


def tensor_meta(
    sizes: list[int], strides: list[int] | None = None, offset: int = 0, dtype: int = FLOAT32
) -> Any:
    if strides is None:
        strides = [1] * len(sizes)
        for i in range(len(sizes) - 2, -1, -1):
            strides[i] = strides[i + 1] * sizes[i + 1]
    return {
        "dtype": dtype,
        "sizes": [{"as_int": s} for s in sizes],
        "requires_grad": False,
        "device": {"type": "cpu", "index": None},
        "strides": [{"as_int": s} for s in strides],
        "storage_offset": {"as_int": offset},
        "layout": 7,
    }


def node(target: str, *args: Any, name: str = "y", kind: str = "as_tensor", **kwargs: Any) -> Any:
    """Returns a call; an argument is written as in the archive ({"as_tensor": {"name": "x"}})."""
    inputs = [{"name": f"arg{i}", "arg": a, "kind": 1} for i, a in enumerate(args)]
    inputs += [{"name": k, "arg": a, "kind": 2} for k, a in kwargs.items()]
    made = {"name": name} if kind == "as_tensor" else {"as_name": name}
    return {"target": target, "inputs": inputs, "outputs": [{kind: made}], "metadata": {}, "name": name}


def tensor(name: str) -> Any:
    return {"as_tensor": {"name": name}}


def files(
    nodes: list[Any], result: Any = None, weights: dict[str, tuple[Any, str]] | None = None
) -> dict[str, bytes]:
    """Returns the files of a program with one input `x`; `weights` are (tensor_meta, file) by name."""
    weights = weights or {}
    metas = {"x": tensor_meta([2])} | {f"p_{n}": meta for n, (meta, _) in weights.items()}
    parameters = [{"parameter": {"arg": {"name": f"p_{n}"}, "parameter_name": n}} for n in weights]
    spec = {"type": "builtins.tuple", "context": "null", "children_spec": [LEAF]}
    keywords = {"type": "builtins.dict", "context": "[]", "children_spec": []}
    called = {"type": "builtins.tuple", "context": "null", "children_spec": [spec, keywords]}
    signature = {"in_spec": json.dumps([1, called]), "out_spec": json.dumps([1, LEAF])}
    module = {
        "graph": {"inputs": [], "outputs": [], "nodes": nodes, "tensor_values": metas},
        "signature": {
            "input_specs": [*parameters, {"user_input": {"arg": tensor("x")}}],
            "output_specs": [{"user_output": {"arg": result or tensor("y")}}],
        },
        "module_call_graph": [{"fqn": "", "signature": {**signature, "forward_arg_names": ["x"]}}],
    }
    config = {
        n: {"path_name": path, "is_param": True, "use_pickle": False, "tensor_meta": meta}
        for n, (meta, path) in weights.items()
    }
    described = {"graph_module": module, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}}
    return {
        "archive/models/model.json": json.dumps(described).encode(),
        "archive/data/weights/model_weights_config.json": json.dumps({"config": config}).encode(),
        "archive/data/constants/model_constants_config.json": b'{"config": {}}',
    }


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return file


def floats(count: int) -> bytes:
    return struct.pack(f"<{count}f", *range(count))
