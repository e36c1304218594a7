// gpu_kernel: runs an iteration on the device, one call of a functor per element. Dense operands that need no
// conversion are read and written several elements at a time; everything else is addressed by offsets, in
// tiles where operands are contiguous in different dimensions, and converted on the fly. A CPU scalar input
// is passed as a kernel argument.
#pragma once

#include <ATen/TensorIterator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/DynamicCast.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace at::native {
namespace cuda_loops {

constexpr int threads = 256;
// The widest access of a thread, and how often a kernel repeats its functor at most.
constexpr size_t vector_bytes = 16, most_elements = 8;

// ---- one element

// A bool in memory is a byte that may hold any value.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

// Out of line: kernels of many functors share the conversions.
template <class T>
__device__ __noinline__ T load_converted(ScalarType dtype, const char* from) {
  return c10::fetch_and_cast<T>(dtype, from);
}
template <class T>
__device__ __noinline__ void store_converted(ScalarType dtype, char* to, T value) {
  c10::cast_and_store<T>(dtype, to, value);
}

// Opaque elements (only moved) have no dtype of their own.
template <class T>
constexpr bool is_number = c10::is_real_number<T> || c10::is_complex<T>::value;

// The elements of a thread, so that those of the widest operand take one access.
template <class... T>
constexpr int vector_size =
    static_cast<int>(std::min(vector_bytes / std::max({sizeof(T)...}), most_elements));

template <class T, int size>
struct alignas(sizeof(T) * size) Vector {
  T v[size];
};

template <size_t I, class T>
struct Input {
  const char* data = nullptr;  // null: `scalar` is the value of all elements
  ScalarType dtype = ScalarType::Undefined;
  bool converts = false;
  T scalar{};

  __device__ T at(uint32_t offset) const {
    if (data == nullptr) return scalar;
    if constexpr (is_number<T>) {
      if (converts) return load_converted<T>(dtype, data + offset);
    }
    return c10::load<T>(data + offset);
  }
  __device__ T element(uint32_t index) const {
    return data == nullptr ? scalar : c10::load<T>(data + sizeof(T) * uint64_t{index});
  }
  template <int size>
  __device__ void vector(uint32_t index, T (&values)[size]) const {
    if (data == nullptr) {
      for (int k = 0; k < size; ++k) values[k] = scalar;
      return;
    }
    const auto loaded = *reinterpret_cast<const Vector<stored<T>, size>*>(data + sizeof(T) * uint64_t{index});
    for (int k = 0; k < size; ++k) {
      if constexpr (std::is_same_v<T, bool>) {
        values[k] = loaded.v[k] != 0;
      } else {
        values[k] = loaded.v[k];
      }
    }
  }
};

template <class Indices, class... In>
struct InputPack;
template <size_t... I, class... In>
struct InputPack<std::index_sequence<I...>, In...> : Input<I, In>... {
  static constexpr int count = sizeof...(In);

  template <class F>
  __device__ auto call_at(const F& f, const uint32_t* offsets) const {
    return f(static_cast<const Input<I, In>&>(*this).at(offsets[I])...);
  }
  template <class F>
  __device__ auto call_element(const F& f, uint32_t index) const {
    return f(static_cast<const Input<I, In>&>(*this).element(index)...);
  }
  // Loads all inputs, one after another, then calls the functor on each set of values.
  template <class F, class Out, int size>
  __device__ void call_vector(const F& f, uint32_t index, Out (&results)[size]) const {
    load_and_call<F, Out, size, 0, In...>(f, index, results);
  }

 private:
  template <class F, class Out, int size, size_t J, class T, class... Rest, class... Loaded>
  __device__ void load_and_call(const F& f, uint32_t index, Out (&results)[size],
                                const Loaded&... loaded) const {
    T values[size];
    static_cast<const Input<J, T>&>(*this).vector(index, values);
    load_and_call<F, Out, size, J + 1, Rest...>(f, index, results, loaded..., values);
  }
  template <class F, class Out, int size, size_t J, class... Loaded>
    requires(sizeof...(Loaded) == sizeof...(In))
  __device__ void load_and_call(const F& f, uint32_t, Out (&results)[size], const Loaded&... loaded) const {
    for (int k = 0; k < size; ++k) results[k] = static_cast<Out>(f(loaded[k]...));
  }
};
template <class... In>
using Inputs = InputPack<std::index_sequence_for<In...>, In...>;

// ---- the elements of threads that are addressed by offsets

// Where an operand is contiguous in a later dimension than the first, a block works at 16 x 16 elements of
// these two, and a warp at 8 x 4: each sector of memory is asked for by few warps of one block.
constexpr uint32_t tile_side = 16, warp_width = 8, warp_height = 4, warp = warp_width * warp_height;
static_assert(tile_side * tile_side == threads);

// The dimension in which an input is contiguous, if tiles of it and of the first are worth it; else 0.
inline int tiled_dimension(const TensorIteratorBase& iter) {
  constexpr int64_t enough = tile_side / 2;
  if (iter.ndim() < 2 || iter.shape()[0] < enough) return 0;
  for (int arg = 1; arg < iter.ntensors(); ++arg) {
    const auto size = static_cast<int64_t>(iter.element_size(arg));
    if (iter.strides(arg)[0] == size || iter.strides(arg)[0] == 0) continue;
    for (int d = 1; d < iter.ndim(); ++d) {
      if (iter.strides(arg)[d] == size && iter.shape()[d] >= enough) return d;
    }
  }
  return 0;
}

template <int N>
struct ThreadOffsets {
  explicit ThreadOffsets(const TensorIteratorBase& iter) : ThreadOffsets(iter, tiled_dimension(iter)) {}

  uint32_t blocks() const {
    if (!tiled) return (n + threads - 1) / threads;
    const uint32_t others = n / (calculator.sizes[0].divisor * calculator.sizes[1].divisor);
    return column_tiles.divisor * row_tiles.divisor * others;
  }
  // False where this thread has no element.
  __device__ bool get(uint32_t (&offsets)[N]) const {
    if (!tiled) {
      const uint32_t index = blockIdx.x * threads + threadIdx.x;
      if (index < n) calculator.get(index, offsets);
      return index < n;
    }
    const uint32_t lane = threadIdx.x % warp, number = threadIdx.x / warp, across = tile_side / warp_width;
    const uint32_t line = column_tiles.divide(blockIdx.x), other = row_tiles.divide(line);
    const uint32_t column = (blockIdx.x - line * column_tiles.divisor) * tile_side +
                            number % across * warp_width + lane % warp_width;
    const uint32_t row =
        (line - other * row_tiles.divisor) * tile_side + number / across * warp_height + lane / warp_width;
    if (column >= calculator.sizes[0].divisor || row >= calculator.sizes[1].divisor) return false;
    for (int arg = 0; arg < N; ++arg) {
      offsets[arg] = column * calculator.strides[0][arg] + row * calculator.strides[1][arg];
    }
    calculator.add(other, 2, offsets);
    return true;
  }

 private:
  ThreadOffsets(const TensorIteratorBase& iter, int along)
      : n(static_cast<uint32_t>(iter.numel())), tiled(along > 0), calculator(iter, along) {
    if (!tiled) return;
    column_tiles = FastDivider((calculator.sizes[0].divisor + tile_side - 1) / tile_side);
    row_tiles = FastDivider((calculator.sizes[1].divisor + tile_side - 1) / tile_side);
  }

  uint32_t n;
  bool tiled;
  FastDivider column_tiles, row_tiles;
  OffsetCalculator<N> calculator;
};

// ---- kernels

template <class Out, int size>
__device__ void store_vector(uint32_t index, char* out, const Out (&results)[size]) {
  Vector<stored<Out>, size> all;
  for (int k = 0; k < size; ++k) all.v[k] = results[k];
  *reinterpret_cast<Vector<stored<Out>, size>*>(out + sizeof(Out) * uint64_t{index}) = all;
}

template <class Out, int size, class F, class Pack>
__global__ void __launch_bounds__(threads) vectorized_kernel(uint32_t n, F f, char* out, Pack in) {
  const uint32_t index = (blockIdx.x * threads + threadIdx.x) * size;
  if (index + size <= n) {
    Out results[size];
    in.call_vector(f, index, results);
    store_vector<Out>(index, out, results);
  } else {
    for (uint32_t i = index; i < n; ++i) {
      *reinterpret_cast<Out*>(out + sizeof(Out) * uint64_t{i}) = static_cast<Out>(in.call_element(f, i));
    }
  }
}

template <class Out, class F, class Pack>
__global__ void __launch_bounds__(threads)
    strided_kernel(F f, char* out, ScalarType out_dtype, bool out_converts, Pack in,
                   ThreadOffsets<1 + Pack::count> elements) {
  uint32_t offsets[1 + Pack::count];
  if (!elements.get(offsets)) return;
  const Out result = static_cast<Out>(in.call_at(f, offsets + 1));
  if constexpr (is_number<Out>) {
    if (out_converts) {
      store_converted<Out>(out_dtype, out + offsets[0], result);
      return;
    }
  }
  *reinterpret_cast<Out*>(out + offsets[0]) = result;
}

// ---- launches

template <class T>
bool is_dense(const TensorIteratorBase& iter, int arg) {
  const int dims = iter.ndim();
  return dims == 0 || (dims == 1 && (iter.shape()[0] == 1 || iter.strides(arg)[0] == int64_t{sizeof(T)}));
}
template <class T>
bool is_aligned(const void* data, int size) {
  return reinterpret_cast<uintptr_t>(data) % (sizeof(T) * static_cast<size_t>(size)) == 0;
}
template <class T>
bool converts(const TensorIteratorBase& iter, int arg) {
  if constexpr (is_number<T>) {
    return iter.dtype(arg) != c10::CppTypeToScalarType<T>::value;
  } else {
    return false;
  }
}

template <size_t I, class T>
void set_input(Input<I, T>& input, TensorIteratorBase& iter, int size, bool& vectorizes) {
  constexpr int arg = 1 + static_cast<int>(I);
  if constexpr (is_number<T>) {
    if (iter.device(arg).is_cpu()) {
      TORCH_INTERNAL_ASSERT(iter.is_cpu_scalar(arg));
      input.scalar = iter.scalar_value<T>(arg);
      return;
    }
  }
  input.data = static_cast<const char*>(iter.data_ptr(arg));
  input.dtype = iter.dtype(arg);
  input.converts = converts<T>(iter, arg);
  vectorizes = vectorizes && !input.converts && is_dense<T>(iter, arg) && is_aligned<T>(input.data, size);
}

template <class Out, class... In, class F, size_t... I>
void launch(TensorIteratorBase& iter, const F& f, std::index_sequence<I...>) {
  const auto n = static_cast<uint32_t>(iter.numel());
  auto* out = static_cast<char*>(iter.data_ptr(0));
  const bool out_converts = converts<Out>(iter, 0);
  constexpr int size = vector_size<Out, In...>;
  bool vectorizes = !out_converts && is_dense<Out>(iter, 0) && is_aligned<Out>(out, size);
  Inputs<In...> in;
  (set_input(static_cast<Input<I, In>&>(in), iter, size, vectorizes), ...);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (vectorizes) {
    constexpr uint32_t per_block = threads * size;
    vectorized_kernel<Out, size><<<(n + per_block - 1) / per_block, threads, 0, stream>>>(n, f, out, in);
  } else {
    const ThreadOffsets<1 + sizeof...(In)> elements(iter);
    strided_kernel<Out>
        <<<elements.blocks(), threads, 0, stream>>>(f, out, iter.dtype(0), out_converts, in, elements);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> {
  template <class F>
  static void run(TensorIteratorBase& iter, const F& f);
};

}  // namespace cuda_loops

/// out = f(in...) for every element: f is a functor for the device whose operands have the types Out and In.
/// Runs on the current stream of its operands' device.
template <class Out, class... In, class F>
void gpu_elementwise(TensorIteratorBase& iter, const F& f) {
  if (iter.numel() == 0) return;
  TORCH_INTERNAL_ASSERT(iter.noutputs() == 1 && iter.ninputs() == static_cast<int>(sizeof...(In)));
  if (!iter.can_use_32bit_indexing()) {
    for (auto& piece : iter.with_32bit_indexing()) gpu_elementwise<Out, In...>(piece, f);
    return;
  }
  // The operator's device guard follows its first tensor, which may be a scalar on the CPU.
  const c10::DeviceGuard guard(iter.device(0));
  cuda_loops::launch<Out, In...>(iter, f, std::index_sequence_for<In...>());
}

template <class C, class R, class... A>
template <class F>
void cuda_loops::Signature<R (C::*)(A...) const>::run(TensorIteratorBase& iter, const F& f) {
  gpu_elementwise<R, std::decay_t<A>...>(iter, f);
}

/// The same, with the types of the functor's call operator, which is `__host__ __device__` and no template.
template <class F>
void gpu_kernel(TensorIteratorBase& iter, const F& f) {
  cuda_loops::Signature<F>::run(iter, f);
}

#define GPU_LAMBDA __host__ __device__

}  // namespace at::native
