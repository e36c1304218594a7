"""Names of PyTorch's that this library has no use for, and what programs get for them: tables by module."""

from __future__ import annotations

import re
from importlib import import_module
from types import SimpleNamespace

from .._tensor_types import CUDA_TYPES
from ._reasons import because, refused
from ._third_party import ANSWERS, HOMES, REFUSED, UNCHANGED, VALUES

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The modules of single distributions that have other names here.
DISTRIBUTIONS = {
    **{
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(): name
        for name in "Bernoulli Beta Binomial Categorical Cauchy ContinuousBernoulli Dirichlet Exponential "
        "Gamma Geometric Gumbel HalfCauchy HalfNormal InverseGamma Kumaraswamy Laplace LogNormal "
        "LogisticNormal Multinomial MultivariateNormal NegativeBinomial Normal Pareto Poisson "
        "RelaxedBernoulli Uniform VonMises Weibull Wishart".split()
    },
    "chi2": "Chi2",
    "fishersnedecor": "FisherSnedecor",
    "lkj_cholesky": "LKJCholesky",
    "lowrank_multivariate_normal": "LowRankMultivariateNormal",
    "one_hot_categorical": "OneHotCategorical OneHotCategoricalStraightThrough",
    "relaxed_categorical": "RelaxedOneHotCategorical",
    "studentT": "StudentT",
}
# Names that are in modules of this folder (`.x`: of the package); `a=b` has the name b there.
_HOMES = {
    "": {
        "_checks": "_assert _check _check_index _check_is_size _check_not_implemented _check_type "
        "_check_value",
        "_compiling": "compile",
        "_devices": "get_device_module",
        "_files": "load save",
        "_version": "__version__",
    },
    "accelerator": {
        "_accelerator": "current_accelerator current_device_index device_count is_available "
        "set_device_index synchronize",
        ".cuda": "current_device_idx=current_device current_stream device_index=device empty_cache "
        "max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats "
        "reset_accumulated_memory_stats reset_peak_memory_stats set_device_idx=set_device set_stream",
    },
    "autograd": {"_variable": "Variable"},
    "autograd.variable": {"_variable": "Variable"},
    "backends.cudnn": {"_cudnn": "flags"},
    "backends.mkldnn": {"_cudnn": "flags=mkldnn_flags"},
    "compiler": {"_compiling": "compile"},
    "cuda": {
        ".cuda": "max_memory_cached=max_memory_reserved memory_cached=memory_reserved "
        "reset_max_memory_allocated=reset_peak_memory_stats reset_max_memory_cached=reset_peak_memory_stats"
    },
    **{f"distributions.{name}": {".distributions": names} for name, names in DISTRIBUTIONS.items()},
    "jit": {"_compiling": "Attribute Error Final TracerWarning isinstance=is_instance script"},
    "nn": {"_data_parallel": "DataParallel"},
    "nn.modules.utils": {
        ".nn.modules._arguments": "_ntuple _pair _quadruple _reverse_repeat_tuple _single _triple",
        "_data_parallel": "consume_prefix_in_state_dict_if_present",
    },
    "nn.parallel": {"_data_parallel": "DataParallel data_parallel"},
    "nn.parallel.data_parallel": {"_data_parallel": "DataParallel data_parallel"},
    "serialization": {"_files": "add_safe_globals load safe_globals save"},
    "storage": {"._storage": "UntypedStorage"},
    "torch_version": {"_version": "TorchVersion=Version"},
    "utils.dlpack": {"._buffers": "to_dlpack", "._creation": "from_dlpack"},
    "version": {"_version": "__version__"},
}
# Functions that always return one value.
_ANSWERS: dict[str, dict[str, Any]] = {
    "": {
        "get_num_interop_threads": 1,
        "is_vulkan_available": False,
        "is_warn_always_enabled": False,
        "set_flush_denormal": False,
        "set_num_interop_threads": None,
        "set_warn_always": None,
    },
    "backends.cuda": {"is_built": False},
    "backends.cudnn": {"is_acceptable": False, "is_available": False, "version": None},
    "backends.mkl": {"is_available": False},
    "backends.mkldnn": {"is_available": False},
    "backends.mps": {"is_available": False, "is_built": False},
    "backends.nnpack": {"is_available": False},
    "backends.openmp": {"is_available": False},
    "backends.opt_einsum": {"get_opt_einsum": None, "is_available": False},
    "compiler": {
        "cudagraph_mark_step_begin": None,
        "is_compiling": False,
        "is_dynamo_compiling": False,
        "is_exporting": False,
        "list_backends": [],
        "reset": None,
    },
    "cpu": {"current_device": "cpu", "device_count": 1, "is_available": True, "synchronize": None},
    "cuda": {
        "get_arch_list": [],
        "get_sync_debug_mode": 0,
        "ipc_collect": None,
        "is_current_stream_capturing": False,
    },
    "cuda.nvtx": {"mark": None, "range_pop": None, "range_push": None},
    "distributed": {
        "is_available": False,
        "is_gloo_available": False,
        "is_initialized": False,
        "is_mpi_available": False,
        "is_nccl_available": False,
        "is_torchelastic_launched": False,
    },
    "jit": {"is_scripting": False, "is_tracing": False},
    "mps": {"device_count": 0, "is_available": False},
    "mtia": {"device_count": 0, "is_available": False},
    "xpu": {"device_count": 0, "is_available": False},
}
# Settings, which are kept and change nothing, constants, and what has another name in Python.
_VALUES: dict[str, dict[str, Any]] = {
    "": {"OutOfMemoryError": MemoryError},
    "backends.cudnn": {
        "allow_tf32": True,
        "benchmark": False,
        "benchmark_limit": 10,
        "conv": SimpleNamespace(fp32_precision="none"),
        "deterministic": False,
        "enabled": True,
        "rnn": SimpleNamespace(fp32_precision="none"),
    },
    "backends.mkldnn": {"enabled": True},
    "backends.opt_einsum": {"enabled": False, "strategy": None},
    "backends.quantized": {"engine": "none", "supported_engines": ["none"]},
    "cuda": {"OutOfMemoryError": MemoryError, **CUDA_TYPES},
    "version": {"cuda": None, "debug": False, "git_version": "Unknown", "hip": None, "xpu": None},
}
# Decorators that return the function as it is.
_UNCHANGED = {
    "compiler": "allow_in_graph assume_constant_result disable",
    "jit": "export ignore interface script_if_tracing script_method unused",
}
# Classes and functions whose calls are errors, with the kind of reason.
_REFUSED = {
    "autograd.profiler": {"profiler": "emit_itt emit_nvtx"},
    "distributed": {
        "distributed": "ProcessGroup ReduceOp all_gather all_gather_into_tensor all_gather_object all_reduce "
        "all_to_all all_to_all_single barrier broadcast broadcast_object_list destroy_process_group gather "
        "get_backend get_rank get_world_size init_process_group irecv isend monitored_barrier new_group recv "
        "reduce reduce_scatter reduce_scatter_tensor scatter send"
    },
    "jit": {
        "compiler": "CompilationUnit RecursiveScriptModule ScriptFunction ScriptModule fork freeze "
        "optimize_for_inference trace trace_module wait",
        "files": "load save",
    },
    "nn": {"distributed": "SyncBatchNorm"},
    "nn.parallel": {"distributed": "DistributedDataParallel gather parallel_apply replicate scatter"},
    "nn.parallel.distributed": {"distributed": "DistributedDataParallel"},
    "onnx": {"onnx": "export"},
}
# Names that are used instead of those that the library has.
INSTEAD = {
    ("", "__version__"),
    ("", "finfo"),
    ("", "load"),
    ("", "save"),
    ("autograd", "grad"),
    ("serialization", "add_safe_globals"),
    ("serialization", "load"),
    ("serialization", "safe_globals"),
    ("serialization", "save"),
    ("library", "register_fake"),
}
# Modules whose names begin with an underscore, and which are the same in PyTorch.
PRIVATE = {"utils._python_dispatch", "utils.data._utils", "utils.data._utils.collate"}


def _with_parents(place: str) -> list[str]:
    parts = place.split(".")
    return [".".join(parts[:count]) for count in range(len(parts) + 1)]


# Each kind of table: the one above, and that for packages.
_ALL_HOMES = (_HOMES, HOMES)
_ALL_ANSWERS = (_ANSWERS, ANSWERS)
_ALL_VALUES = (_VALUES, VALUES)
_ALL_UNCHANGED = (_UNCHANGED, UNCHANGED)
_ALL_REFUSED = (_REFUSED, REFUSED)
_TABLES: tuple[dict[str, Any], ...] = (
    *_ALL_HOMES,
    *_ALL_ANSWERS,
    *_ALL_VALUES,
    *_ALL_UNCHANGED,
    *_ALL_REFUSED,
)
# The modules that have names of the tables, and those that contain these modules.
PLACES = {module for table in _TABLES for place in table for module in _with_parents(place)}


def added(place: str) -> dict[str, Any]:
    """Returns the names that the tables add to a module, with their values."""
    found: dict[str, Any] = {}
    for values in _ALL_VALUES:
        found.update(values.get(place, {}))
    for home, names in _of(_ALL_HOMES, place):
        held = vars(import_module(f".{home}", __package__))
        for name, _, there in (each.partition("=") for each in names.split()):
            found[name] = held[there or name]
    for name, value in _of(_ALL_ANSWERS, place):
        found[name] = _answer(name, value)
    for unchanged in _ALL_UNCHANGED:
        found.update({name: _unchanged(name) for name in unchanged.get(place, "").split()})
    for kind, names in _of(_ALL_REFUSED, place):
        for name in names.split():
            found[name] = refused(place, name, because(kind))
    return found


def _of(tables: tuple[dict[str, Any], ...], place: str) -> list[tuple[str, Any]]:
    return [item for table in tables for item in table.get(place, {}).items()]


def _answer(name: str, value: object) -> Callable[..., object]:
    def answer(*args: object, **kwargs: object) -> object:
        return value

    answer.__name__ = answer.__qualname__ = name
    answer.__doc__ = f"Always returns {value}."
    return answer


def _unchanged(name: str) -> Callable[..., Any]:
    def decorator(
        fn: Callable[..., Any] | None = None, *args: object, **kwargs: object
    ) -> Callable[..., Any]:
        return fn if callable(fn) else lambda function: function

    decorator.__name__ = decorator.__qualname__ = name
    decorator.__doc__ = "Returns the function as it is: nothing compiles programs here."
    return decorator
