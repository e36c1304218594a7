// index and index_put on CUDA: every element's offset into the indexed tensor is computed from the index
// operands. The elements are opaque bytes unless they are accumulated.
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/indexing/index.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/indexing/index_plan.cuh>

namespace at::native {
namespace index_cuda {

constexpr int threads = 256;
template <class T>
struct Take {
  __device__ void operator()(char* out, const char* src, int64_t added) const {
    *reinterpret_cast<T*>(out) = *reinterpret_cast<const T*>(src + added);
  }
};
template <class T>
struct Put {
  __device__ void operator()(char* self, const char* value, int64_t added) const {
    *reinterpret_cast<T*>(self + added) = *reinterpret_cast<const T*>(value);
  }
};
// Several threads may add to one element, in any order.
template <class T>
struct Accumulate {
  __device__ void operator()(char* self, const char* value, int64_t added) const {
    atomic_add(reinterpret_cast<T*>(self + added), *reinterpret_cast<const T*>(value));
  }
};

template <class F>
__global__ void __launch_bounds__(threads)
    index_elements(uint32_t n, F f, char* first, char* second, IndexPlan plan) {
  const uint32_t number = blockIdx.x * threads + threadIdx.x;
  if (number >= n) return;
  uint32_t offsets[2];
  const int64_t added = locate(plan, number, offsets);
  f(first + offsets[0], second + offsets[1], added);
}

template <class F>
void launch(TensorIteratorBase& iter, IntArrayRef indexed_sizes, IntArrayRef indexed_strides, const F& f,
            const char* op) {
  if (iter.numel() == 0) return;
  if (!iter.can_use_32bit_indexing()) {
    for (auto& piece : iter.with_32bit_indexing()) launch(piece, indexed_sizes, indexed_strides, f, op);
    return;
  }
  const auto n = static_cast<uint32_t>(iter.numel());
  index_elements<<<(n + threads - 1) / threads, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      n, f, static_cast<char*>(iter.data_ptr(0)), static_cast<char*>(iter.data_ptr(1)),
      make_plan(iter, indexed_sizes, indexed_strides, op, [](int) { return true; }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void index_kernel(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides, const char* op) {
  with_opaque_type(iter.element_size(0), [&]<class T>(T) { launch(iter, sizes, strides, Take<T>(), op); });
}

void index_put_kernel(TensorIterator& iter, IntArrayRef sizes, IntArrayRef strides, bool accumulate) {
  const char* op = "index_put_";
  if (!accumulate) {
    with_opaque_type(iter.element_size(0), [&]<class T>(T) { launch(iter, sizes, strides, Put<T>(), op); });
    return;
  }
  if (!isIntegralType(iter.dtype(), /*includeBool=*/true)) {
    index_put_sums(iter, sizes, strides, op);
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES_AND(kBool, iter.dtype(), op,
                                 [&] { launch(iter, sizes, strides, Accumulate<scalar_t>(), op); });
}

}  // namespace index_cuda

REGISTER_CUDA_DISPATCH(index_stub, &index_cuda::index_kernel)
REGISTER_CUDA_DISPATCH(index_put_stub, &index_cuda::index_put_kernel)

}  // namespace at::native
