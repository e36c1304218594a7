# Generated from templates/python/package/__init__.pyi.mako; not to be edited.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeVar, final, overload

from . import amp as amp, autograd as autograd, backends as backends, cpu as cpu, cuda as cuda, fft as fft
from . import library as library
from . import linalg as linalg, nn as nn, serialization as serialization
from . import overrides as overrides, random as random, special as special, utils as utils
from ._C import LinAlgError as LinAlgError
from ._library.schema_checks import SchemaError as SchemaError, SchemaWarning as SchemaWarning, check_schemas as check_schemas
from .amp import GradScaler as GradScaler, autocast as autocast
from ._autocast import get_autocast_cpu_dtype as get_autocast_cpu_dtype
from ._autocast import get_autocast_gpu_dtype as get_autocast_gpu_dtype
from ._autocast import is_autocast_cpu_enabled as is_autocast_cpu_enabled
from ._autocast import set_autocast_cpu_dtype as set_autocast_cpu_dtype
from ._autocast import set_autocast_cpu_enabled as set_autocast_cpu_enabled
from ._autocast import set_autocast_gpu_dtype as set_autocast_gpu_dtype
from ._buffers import from_file as from_file
from ._buffers import frombuffer as frombuffer
from ._buffers import to_dlpack as to_dlpack
from ._creation import as_tensor as as_tensor
from ._creation import asarray as asarray
from ._creation import from_dlpack as from_dlpack
from ._creation import range as range
from ._creation import tensor as tensor
from ._determinism import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from ._determinism import get_deterministic_debug_mode as get_deterministic_debug_mode
from ._determinism import is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled
from ._determinism import set_deterministic_debug_mode as set_deterministic_debug_mode
from ._determinism import use_deterministic_algorithms as use_deterministic_algorithms
from ._devices import get_default_device as get_default_device
from ._devices import set_default_device as set_default_device
from ._distances import cdist as cdist
from ._distances import norm as norm
from ._dtype_info import finfo as finfo
from ._dtype_info import iinfo as iinfo
from ._functions import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from ._functions import get_device as get_device
from ._functions import is_complex as is_complex
from ._functions import is_conj as is_conj
from ._functions import is_distributed as is_distributed
from ._functions import is_floating_point as is_floating_point
from ._functions import is_inference as is_inference
from ._functions import is_neg as is_neg
from ._functions import is_nonzero as is_nonzero
from ._functions import is_signed as is_signed
from ._functions import is_tensor as is_tensor
from ._functions import nonzero as nonzero
from ._functions import numel as numel
from ._functions import typename as typename
from ._functions import unravel_index as unravel_index
from ._functions import vmap as vmap
from ._joined import atleast_1d as atleast_1d
from ._joined import atleast_2d as atleast_2d
from ._joined import atleast_3d as atleast_3d
from ._joined import block_diag as block_diag
from ._joined import broadcast_shapes as broadcast_shapes
from ._joined import broadcast_tensors as broadcast_tensors
from ._joined import cartesian_prod as cartesian_prod
from ._joined import meshgrid as meshgrid
from ._lowrank import lu as lu
from ._lowrank import pca_lowrank as pca_lowrank
from ._lowrank import svd_lowrank as svd_lowrank
from ._ops import ops as ops
from ._precision import get_float32_matmul_precision as get_float32_matmul_precision
from ._precision import set_float32_matmul_precision as set_float32_matmul_precision
from ._products import chain_matmul as chain_matmul
from ._products import einsum as einsum
from ._products import tensordot as tensordot
from ._sets import unique as unique
from ._sets import unique_consecutive as unique_consecutive
from ._storage import UntypedStorage as UntypedStorage
from ._storage import is_storage as is_storage
from ._tags import Tag as Tag
from ._tensor_str import set_printoptions as set_printoptions
from ._tensor_types import BFloat16Tensor as BFloat16Tensor
from ._tensor_types import BoolTensor as BoolTensor
from ._tensor_types import ByteTensor as ByteTensor
from ._tensor_types import CharTensor as CharTensor
from ._tensor_types import DoubleTensor as DoubleTensor
from ._tensor_types import FloatTensor as FloatTensor
from ._tensor_types import HalfTensor as HalfTensor
from ._tensor_types import IntTensor as IntTensor
from ._tensor_types import LongTensor as LongTensor
from ._tensor_types import ShortTensor as ShortTensor
from ._tensor_types import set_default_tensor_type as set_default_tensor_type
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from .autograd.anomaly_mode import is_anomaly_enabled as is_anomaly_enabled
from .autograd.anomaly_mode import set_anomaly_enabled as set_anomaly_enabled
from .autograd.grad_mode import enable_grad as enable_grad
from .autograd.grad_mode import inference_mode as inference_mode
from .autograd.grad_mode import no_grad as no_grad
from .autograd.grad_mode import set_grad_enabled as set_grad_enabled
from .overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from .random import default_generator as default_generator
from .random import get_rng_state as get_rng_state
from .random import initial_seed as initial_seed
from .random import manual_seed as manual_seed
from .random import seed as seed
from .random import set_rng_state as set_rng_state
from .serialization import load as load
from .serialization import save as save
from .array_api import astype as astype
from .array_api import bitwise_invert as bitwise_invert
from .array_api import broadcast_arrays as broadcast_arrays
from .array_api import cumulative_prod as cumulative_prod
from .array_api import cumulative_sum as cumulative_sum
from .array_api import expand_dims as expand_dims
from .array_api import isdtype as isdtype
from .array_api import matrix_transpose as matrix_transpose
from .array_api import permute_dims as permute_dims
from .array_api import repeat as repeat
from .array_api import take_along_axis as take_along_axis
from .array_api import unique_all as unique_all
from .array_api import unique_counts as unique_counts
from .array_api import unique_inverse as unique_inverse
from .array_api import unique_values as unique_values
from .array_api import unstack as unstack
from .array_api import vecdot as vecdot

_int = builtins.int
_float = builtins.float
_bool = builtins.bool
_Number = builtins.int | builtins.float | builtins.bool | builtins.complex
_Ints = Sequence[builtins.int]
_IntOrInts = builtins.int | Sequence[builtins.int]
_T = TypeVar("_T", bound=Tensor)
_StreamT = TypeVar("_StreamT", bound=Stream)
_EventT = TypeVar("_EventT", bound=Event)

@final
class dtype:
    """Type of elements."""

    @property
    def is_floating_point(self) -> _bool:
        """Whether it is one of real floating-point numbers."""
    @property
    def is_complex(self) -> _bool:
        """Whether it is one of complex numbers."""
    @property
    def is_signed(self) -> _bool:
        """Whether it has negative values."""
    @property
    def itemsize(self) -> _int:
        """Bytes of one element."""
    def to_real(self) -> dtype:
        """Type of the real part."""
    def to_complex(self) -> dtype:
        """Complex type whose parts have this type."""

@final
class layout:
    """How the elements of a tensor are stored."""

@final
class memory_format:
    """Order of the elements in memory."""

@final
class device:
    """A device, by its type and index."""

    @property
    def type(self) -> str:
        """Kind of device: 'cpu', 'cuda', 'meta'."""
    @property
    def index(self) -> _int | None:
        """Which of its kind; None for the current one."""
    @overload
    def __new__(cls, type: str | device | _int) -> device: ...
    @overload
    def __new__(cls, type: str, index: _int = -1) -> device: ...
    def __enter__(self) -> device: ...
    def __exit__(self, *error: object) -> None: ...

@final
class Size(tuple[_int, ...]):
    """A shape: a tuple of ints."""

    def numel(self) -> _int:
        """Number of elements of a tensor of this shape."""
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Size: ...
    def __add__(self, other: tuple[_int, ...], /) -> Size: ...  # type: ignore[override]
    def __mul__(self, times: SupportsIndex, /) -> Size: ...
    def __rmul__(self, times: SupportsIndex, /) -> Size: ...

class Stream:
    """A queue of work of a device."""

    @property
    def device(self) -> device:
        """The device whose work it holds."""
    @property
    def device_index(self) -> _int:
        """The device's index."""
    @property
    def stream_id(self) -> _int:
        """Number of the stream on its device."""
    @property
    def native_handle(self) -> _int:
        """The cudaStream_t as an integer."""
    def __new__(cls: type[_StreamT], device: _DeviceLike | None = None, *, priority: _int = 0, stream_id: _int = ...) -> _StreamT: ...
    def query(self) -> _bool:
        """Whether all its work is done."""
    def synchronize(self) -> None:
        """Waits until all its work is done."""
    def wait_stream(self, stream: Stream, /) -> None:
        """Later work here begins after the work that is now queued on the other stream."""

class Event:
    """A point in the work of a stream."""

    @property
    def device(self) -> _Device | None:
        """The device; None before the event is recorded."""
    @property
    def event_id(self) -> _int:
        """The cudaEvent_t as an integer."""
    def __new__(cls: type[_EventT], device: _DeviceLike | None = None, *, enable_timing: _bool = False, blocking: _bool = False, interprocess: _bool = False) -> _EventT: ...
    def record(self, stream: Stream | None = None) -> None:
        """Marks the work that is now queued on the stream; None: the current one."""
    def wait(self, stream: Stream | None = None) -> None:
        """Later work of the stream begins after the marked work; None: the current stream."""
    def query(self) -> _bool:
        """Whether the marked work is done."""
    def synchronize(self) -> None:
        """Waits until the marked work is done."""
    def elapsed_time(self, end_event: Event, /) -> _float:
        """Milliseconds from this event to end_event; both with enable_timing=True."""

_dtype = dtype | type[_float] | type[_int] | type[_bool] | type[builtins.complex]
_DType = dtype
_layout = layout
_memory_format = memory_format
_Device = device
_DeviceLike = device | str | _int

@final
class Generator:
    """A source of random numbers of one device."""

    @property
    def device(self) -> _Device:
        """The device whose numbers it makes."""
    def __new__(cls, device: _DeviceLike = "cpu") -> Generator: ...
    def manual_seed(self, seed: _int, /) -> Generator:
        """Begins the numbers that belong to seed and returns the generator."""
    def seed(self) -> _int:
        """Begins with a seed of the system's and returns that."""
    def initial_seed(self) -> _int:
        """The seed that the present numbers began with."""
    def get_state(self) -> Tensor:
        """The state as a tensor of bytes."""
    def set_state(self, state: Tensor, /) -> Generator:
        """Goes on from a state that get_state() gave."""
    def clone_state(self) -> Generator:
        """Another generator with the same state."""

bool: dtype
uint8: dtype
uint16: dtype
uint32: dtype
uint64: dtype
int8: dtype
int16: dtype
short: dtype
int32: dtype
int: dtype
int64: dtype
long: dtype
float16: dtype
half: dtype
bfloat16: dtype
float32: dtype
float: dtype
float64: dtype
double: dtype
complex32: dtype
chalf: dtype
complex64: dtype
cfloat: dtype
complex128: dtype
cdouble: dtype
strided: layout
contiguous_format: memory_format
preserve_format: memory_format
channels_last: memory_format
channels_last_3d: memory_format
inf: _float
nan: _float
pi: _float
e: _float
newaxis: None
__version__: str

def from_numpy(ndarray: Any, /) -> Tensor:
    """Tensor of the memory of a NumPy array."""
def get_num_threads() -> _int:
    """How many threads an operator uses."""
def set_num_threads(num: _int, /) -> None:
    """Sets how many threads an operator uses."""
def get_default_dtype() -> dtype:
    """The dtype of tensors that are made of Python floats."""
def set_default_dtype(d: _dtype, /) -> None:
    """Sets the dtype of tensors that are made of Python floats."""
def result_type(tensor1: Tensor | _Number, tensor2: Tensor | _Number, /) -> dtype:
    """The dtype of what an operator computes from both."""
def promote_types(type1: _dtype, type2: _dtype, /) -> dtype:
    """The smallest dtype that holds the values of both."""
def can_cast(from_: _dtype, to: _dtype, /) -> _bool:
    """Whether type promotion allows to write values of one dtype into a tensor of the other."""
def is_grad_enabled() -> _bool:
    """Whether operations are recorded for backward()."""
def is_autocast_enabled(device_type: str = ..., /) -> _bool:
    """Whether operators cast inputs on devices of the type: the state of this thread."""
def set_autocast_enabled(device_type: str, enabled: _bool, /) -> None:
    """Sets is_autocast_enabled(device_type)."""
def get_autocast_dtype(device_type: str, /) -> dtype:
    """The lower precision of autocast on devices of the type."""
def set_autocast_dtype(device_type: str, dtype: _dtype, /) -> None:
    """Sets get_autocast_dtype(device_type)."""
def is_autocast_cache_enabled() -> _bool:
    """Whether autocast keeps the casts of parameters until its outermost scope ends."""
def set_autocast_cache_enabled(enabled: _bool, /) -> None:
    """Sets is_autocast_cache_enabled()."""
def clear_autocast_cache() -> None:
    """Drops the casts of parameters that autocast has kept."""
def autocast_increment_nesting() -> _int:
    """Counts a scope of autocast as entered. Returns the number of those that the thread is in."""
def autocast_decrement_nesting() -> _int:
    """Counts a scope of autocast as left. Returns the number of those that the thread is still in."""
def is_inference_mode_enabled() -> _bool:
    """Whether inference mode is on."""

class _fold_result(NamedTuple):
    values: Tensor
    indices: Tensor

class Tensor:
    @property
    def shape(self) -> Size:
        """Sizes of all dimensions."""
    @property
    def dtype(self) -> _DType:
        """Type of the elements."""
    @property
    def device(self) -> _Device:
        """Where the elements are."""
    @property
    def layout(self) -> _layout:
        """How the elements are stored: strided."""
    @property
    def ndim(self) -> _int:
        """Number of dimensions."""
    @property
    def itemsize(self) -> _int:
        """Bytes of one element."""
    @property
    def nbytes(self) -> _int:
        """Bytes of all elements, without what lies between them."""
    @property
    def T(self) -> Tensor:
        """View with the order of all dimensions reversed."""
    @property
    def mT(self) -> Tensor:
        """View with the last two dimensions exchanged."""
    @property
    def H(self) -> Tensor:
        """View of a matrix transposed; of a complex one, the conjugate."""
    @property
    def mH(self) -> Tensor:
        """View with the last two dimensions exchanged; of a complex tensor, the conjugate."""
    real: Tensor
    """View of the real parts; a real tensor itself."""
    imag: Tensor
    """View of the imaginary parts of a complex tensor."""
    @property
    def name(self) -> None:
        """None: tensors have no names."""
    @property
    def grad_dtype(self) -> _DType:
        """The dtype of the tensor's gradient: its own."""
    @property
    def is_ipu(self) -> _bool:
        """False: there are no tensors of IPUs."""
    @property
    def is_maia(self) -> _bool:
        """False: there are no tensors of Maia devices."""
    @property
    def is_mkldnn(self) -> _bool:
        """False: there are no tensors of oneDNN's layout."""
    @property
    def is_mps(self) -> _bool:
        """False: there are no tensors of Apple's GPUs."""
    @property
    def is_mtia(self) -> _bool:
        """False: there are no tensors of MTIA devices."""
    @property
    def is_sparse_csr(self) -> _bool:
        """False: there are no tensors of sparse rows."""
    @property
    def is_vulkan(self) -> _bool:
        """False: there are no tensors of Vulkan devices."""
    @property
    def is_xla(self) -> _bool:
        """False: there are no tensors of XLA devices."""
    @property
    def is_xpu(self) -> _bool:
        """False: there are no tensors of Intel's GPUs."""
    @property
    def is_leaf(self) -> _bool:
        """Whether no recorded operation made it: backward() accumulates the gradients of leaves that require one."""
    @property
    def is_cpu(self) -> _bool:
        """Whether the elements are in the memory of the CPU."""
    @property
    def is_cuda(self) -> _bool:
        """Whether the elements are on a CUDA device."""
    @property
    def is_meta(self) -> _bool:
        """Whether it has a shape and no elements."""
    @property
    def is_nested(self) -> _bool:
        """False: there are no nested tensors."""
    @property
    def is_quantized(self) -> _bool:
        """False: there are no quantized tensors."""
    @property
    def is_sparse(self) -> _bool:
        """False: there are no sparse tensors."""
    @property
    def grad_fn(self) -> autograd.graph.Node | None:
        """Node of the graph that made it; None for leaves."""
    @property
    def output_nr(self) -> _int:
        """Which of the results of its node it is."""
    @property
    def retains_grad(self) -> _bool:
        """Whether it keeps its gradient without being a leaf, as retain_grad() asks for."""
    @property
    def _base(self) -> Tensor | None: ...
    @property
    def _version(self) -> _int: ...
    _grad: Tensor | None
    requires_grad: _bool
    """Whether operations on it are recorded for backward()."""
    grad: Tensor | None
    """Gradient that backward() has accumulated; None before the first."""
    data: Tensor
    """The same elements without history: what is written to them is not recorded."""
    __array_priority__: _int
    def __new__(cls: builtins.type[_T], *data: Any, device: _DeviceLike | None = None) -> _T: ...
    @overload
    def size(self, dim: None = None) -> Size:
        """Sizes of all dimensions, or of dim."""
    @overload
    def size(self, dim: _int) -> _int: ...
    @overload
    def stride(self, dim: None = None) -> tuple[_int, ...]:
        """Steps in memory from one element to the next, counted in elements, of all dimensions or of dim."""
    @overload
    def stride(self, dim: _int) -> _int: ...
    def dim(self) -> _int:
        """Number of dimensions."""
    def ndimension(self) -> _int:
        """Number of dimensions."""
    def numel(self) -> _int:
        """Number of elements."""
    def nelement(self) -> _int:
        """Number of elements."""
    def element_size(self) -> _int:
        """Bytes of one element."""
    def data_ptr(self) -> _int:
        """Address of the first element."""
    def const_data_ptr(self) -> _int:
        """Address of the first element, to read from."""
    def untyped_storage(self) -> UntypedStorage:
        """The memory that the tensor shares with its views and its base."""
    def _storage_bytes(self) -> Tensor: ...
    def _storage_id(self) -> _int: ...
    def share_memory_(self) -> Tensor:
        """Moves the elements to memory that other processes share once they get the tensor."""
    def is_shared(self) -> _bool:
        """Whether processes share the memory."""
    def module_load(self, other: Tensor, assign: _bool = False) -> Tensor:
        """A new tensor of the values of a loaded one, which a module's parameter or buffer is swapped with."""
    def is_distributed(self) -> _bool:
        """False: there are no distributed tensors."""
    def dim_order(self) -> tuple[_int, ...]:
        """The dimensions from the one with the largest stride to the one with the smallest."""
    def storage_offset(self) -> _int:
        """Where in its storage the first element lies, counted in elements."""
    def get_device(self) -> _int:
        """Index of the CUDA device; -1 on the CPU."""
    def is_contiguous(self, memory_format: _memory_format = ...) -> _bool:
        """Whether the elements lie in memory in the given order without gaps."""
    def is_floating_point(self) -> _bool:
        """Whether the elements are real floating-point numbers."""
    def is_complex(self) -> _bool:
        """Whether the elements are complex numbers."""
    def is_signed(self) -> _bool:
        """Whether the elements may be negative."""
    def is_inference(self) -> _bool:
        """Whether it was made in inference mode."""
    def is_conj(self) -> _bool:
        """False: conjugation computes at once."""
    def is_neg(self) -> _bool:
        """False: negation computes at once."""
    def _is_zerotensor(self) -> _bool: ...
    def set_(
        self,
        source: Tensor | UntypedStorage | None = None,
        storage_offset: _int | None = None,
        size: _Ints | None = None,
        stride: _Ints = (),
    ) -> Tensor:
        """Makes it a tensor of source's memory, with source's geometry or the given one; without source, of no elements."""
    def is_pinned(self, device: _DeviceLike | None = None) -> _bool:
        """Whether the elements are in page-locked memory."""
    def pin_memory(self, device: _DeviceLike | None = None) -> Tensor:
        """Copy in page-locked memory, which copies to a device need not wait for; the tensor itself if it is there."""
    def record_stream(self, s: Stream) -> None:
        """Keeps the memory, once freed, until the work that is queued on the stream is done."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3 of the protocol by which libraries share CUDA memory."""
    def contiguous(self, memory_format: _memory_format = ...) -> Tensor:
        """The tensor itself if its elements lie in memory in the given order already, else a copy in which they do."""
    @overload
    def to(self, device: _DeviceLike | None = None, dtype: _dtype | None = None, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to another dtype or device; itself if there is nothing to convert, unless copy is set."""
    @overload
    def to(self, dtype: _dtype, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor: ...
    @overload
    def to(self, other: Tensor, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor: ...
    def copy_(self, src: Tensor | _Number, non_blocking: _bool = False) -> Tensor:
        """Writes the elements of src, broadcast and converted, into this tensor and returns it."""
    @overload
    def nonzero(self, *, as_tuple: Literal[False] = False) -> Tensor:
        """Indices of the elements that are not 0: a row for each or, with as_tuple, a tensor for each dimension."""
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...
    @overload
    def nonzero(self, *, as_tuple: _bool = False) -> Tensor | tuple[Tensor, ...]: ...
    def item(self) -> Any:
        """The value of a tensor of one element as a Python scalar."""
    def tolist(self) -> Any:
        """The elements as nested lists; those of a 0-dim tensor as a Python scalar."""
    def numpy(self, *, force: _bool = False) -> Any:
        """NumPy array of the same memory; with force, a copy where that is not possible."""
    def cpu(self) -> Tensor:
        """Copy in the memory of the CPU; the tensor itself if it is there."""
    def cuda(self, device: _DeviceLike | None = None, non_blocking: _bool = False, memory_format: _memory_format = ...) -> Tensor:
        """Copy on a CUDA device; the tensor itself if it is there."""
    def bool(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to bool."""
    def byte(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to uint8."""
    def char(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to int8."""
    def short(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to int16."""
    def int(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to int32."""
    def long(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to int64."""
    def half(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to float16."""
    def bfloat16(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to bfloat16."""
    def float(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to float32."""
    def double(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to float64."""
    def cfloat(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to complex64."""
    def cdouble(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor converted to complex128."""
    @overload
    def type(self, dtype: None = None, non_blocking: _bool = False) -> str:
        """Name of the tensor's type or, with dtype, the tensor converted to it."""
    @overload
    def type(self, dtype: _dtype | str | builtins.type[Any], non_blocking: _bool = False) -> Tensor: ...
    def norm(self, p: _float | str | None = "fro", dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, dtype: _dtype | None = None) -> Tensor:
        """p-norm of the vectors along dim, of all elements where none is named."""
    def unique(self, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The unique elements in ascending order, or the unique slices along `dim`; see `unique`."""
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The elements, or the slices along `dim`, without those that equal the one before."""
    def apply_(self, callable: Callable[[Any], Any], /) -> Tensor:
        """Replaces each element x by callable(x) and returns the tensor."""
    def map_(self, other: Tensor, callable: Callable[[Any, Any], Any], /) -> Tensor:
        """Replaces each element by callable(element, element of other) and returns the tensor."""
    def map2_(self, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Any], /) -> Tensor:
        """Replaces each element by callable(element, element of x, element of y) and returns the tensor."""
    def to_dense(self, dtype: _dtype | None = None, *, masked_grad: _bool | None = None) -> Tensor:
        """The tensor itself, which is dense, converted to dtype if that is given."""
    def index(self, indices: Sequence[Tensor | None]) -> Tensor:
        """The elements at the index tensors; None is a whole dimension."""
    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> Any:
        """The LU factors of matrices in one tensor and the pivots; the old spelling of linalg.lu_factor()."""
    def resize(self, *sizes: Any) -> Tensor:
        """View with other sizes; the old spelling of view()."""
    def resize_as(self, tensor: Tensor) -> Tensor:
        """View with the sizes of a tensor; the old spelling of view_as()."""
    def new(self, *args: Any, device: _DeviceLike | None = None) -> Tensor:
        """Tensor of data or sizes with the dtype and device of this one; the old spelling of new_tensor()."""
    def new_tensor(self, data: Any, *, dtype: _dtype | None = None, device: _DeviceLike | None = None, requires_grad: _bool = False) -> Tensor:
        """Copy of data with the dtype and device of this one, unless others are given."""
    def as_subclass(self, cls: builtins.type[_T], /) -> _T:
        """The same tensor as an object of cls."""
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Sets requires_grad and returns the tensor."""
    def backward(self, gradient: Tensor | None = None, retain_graph: _bool | None = None, create_graph: _bool = False, inputs: autograd.graph.Ends | None = None) -> None:
        """Adds the gradients of this tensor to the grad of the leaves that it was computed from."""
    def retain_grad(self) -> None:
        """Makes backward() keep the gradient of a tensor that is no leaf."""
    def register_hook(self, hook: Callable[[Tensor], Tensor | None], /) -> autograd.graph.RemovableHandle:
        """Calls hook with the gradient whenever one is computed; what it returns takes the gradient's place."""
    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None], /) -> autograd.graph.RemovableHandle:
        """Calls hook with the leaf after its grad was updated."""
    def _is_view(self) -> _bool: ...
    def _use_count(self) -> _int: ...
    @staticmethod
    def _make_subclass(cls: builtins.type[_T], data: Tensor, require_grad: _bool = False) -> _T: ...
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any: ...
    def to_device(self, device: _DeviceLike, /, *, stream: Any = None) -> Tensor:
        """The tensor on a device, as the array API standard spells it."""
    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: _bool = False) -> Tensor: ...
    def __len__(self) -> _int: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __reversed__(self) -> Any: ...
    def __getitem__(self, index: Any, /) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any, /) -> None: ...
    def __contains__(self, element: object, /) -> _bool: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> _int: ...
    def __index__(self) -> _int: ...
    def __float__(self) -> _float: ...
    def __complex__(self) -> builtins.complex: ...
    def __hash__(self) -> _int: ...
    def __pos__(self) -> Tensor: ...
    def __dlpack__(self, *, stream: Any = None, max_version: tuple[_int, _int] | None = None, dl_device: tuple[_int, _int] | None = None, copy: _bool | None = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[_int, _int]: ...
    def __array__(self, dtype: Any = None, copy: _bool | None = None) -> Any: ...
    def __deepcopy__(self, memo: dict[_int, Any]) -> Tensor: ...

    def fold(self, dim: _int = -1, keepdim: _bool = False) -> _fold_result:
        """Greatest element along dim, and \"where\" it was found; at 100 % a \\ stands as it is.

        Args:
            dim: dimension of size N.

        Returns:
            values: (...), the greatest elements.
            indices: (...), int64, their places.

        Raises:
            IndexError: if N is 0.
            RuntimeError: if input is complex.

        Example:
            >>> golden.fold(golden.ones(2), 0)[0]
            tensor(1.)

            >>> len(\"\\n\")  # lines of Python have backslashes and \"quotes\"
            1
        """
    def join(self, masks: Sequence[Tensor | None]) -> tuple[Tensor, ...]: ...
    def pour_(self, source: Tensor, non_blocking: _bool = False) -> Tensor:
        """Copies source, which is broadcast, into the tensor.

        In place: 'self' is written to and returned.
        """
    def probe(self) -> _bool: ...
    def scale(self, other: Tensor, *, alpha: _Number = 1) -> Tensor:
        """Product of the operands times alpha.

        x * other * alpha, or αx²
        """
    def scale_(self, other: Tensor, *, alpha: _Number = 1) -> Tensor:
        """Product of the operands times alpha.

        x * other * alpha, or αx²

        In place: 'self' is written to and returned.
        """
    def turn(self, shifts: _IntOrInts, dims: _IntOrInts | None = ()) -> Tensor: ...
    def window(self, size: _Ints, offset: _int | None = None) -> Tensor:
        """View of the first elements in another shape."""

def fold(input: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: Sequence[Tensor] | None = None) -> _fold_result:
    """Greatest element along dim, and \"where\" it was found; at 100 % a \\ stands as it is.

    Args:
        input: (..., N, ...), real; where a \\ ends the line \\.
        dim: dimension of size N.

    Returns:
        values: (...), the greatest elements.
        indices: (...), int64, their places.

    Raises:
        IndexError: if N is 0.
        RuntimeError: if input is complex.

    Example:
        >>> golden.fold(golden.ones(2), 0)[0]
        tensor(1.)

        >>> len(\"\\n\")  # lines of Python have backslashes and \"quotes\"
        1
    """
def gauss(mean: Tensor, std: _float = 1, *, generator: Generator | None = None, out: Tensor) -> Tensor: ...
@overload
def join(input: Tensor, masks: Sequence[Tensor | None]) -> tuple[Tensor, ...]: ...
@overload
def join(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def probe(input: Tensor) -> _bool: ...
def ramp(n: _int, step: _Number = 1, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _DeviceLike | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
def scale(input: Tensor, other: Tensor, *, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """Product of the operands times alpha.

    x * other * alpha, or αx²
    """
def turn(input: Tensor, shifts: _IntOrInts, dims: _IntOrInts | None = ()) -> Tensor: ...
def update(input: Tensor, running: Tensor, momentum: _float = 0.1) -> Tensor: ...
def window(input: Tensor, size: _Ints, offset: _int | None = None) -> Tensor:
    """View of the first elements in another shape."""
def window_copy(input: Tensor, size: _Ints, offset: _int | None = None, *, out: Tensor | None = None) -> Tensor: ...
