// scatter on CUDA: a thread per element of the index. Where an index occurs more than once, all but
// replacements are atomic (products of complex128 aren't); of replaced elements any may be the last.
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/Opaque.h>
#include <ATen/native/functors/types.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/OffsetCalculator.cuh>

#include <algorithm>

namespace at::native {
namespace scatter_cuda {

constexpr int threads = 256;

// In elements, with index's number of dimensions; self's stride is 0 along the one that is indexed.
struct Plan {
  int dims;
  int64_t sizes[max_plan_dims], self_strides[max_plan_dims], index_strides[max_plan_dims];
  int64_t src_strides[max_plan_dims];
  int64_t dim_size, dim_stride;
};

Plan make_plan(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src) {
  Plan plan{};
  plan.dims = std::max<int>(static_cast<int>(index.dim()), 1);
  TORCH_CHECK(plan.dims <= max_plan_dims, "scatter on CUDA takes up to ", max_plan_dims, " dimensions, got ",
              plan.dims);
  for (int d = 0; d < plan.dims; ++d) {
    plan.sizes[d] = index.dim() == 0 ? 1 : index.sizes()[d];
    plan.index_strides[d] = index.dim() == 0 ? 0 : index.strides()[d];
    plan.src_strides[d] = src.dim() == 0 ? 0 : src.strides()[d];
    plan.self_strides[d] = self.dim() == 0 || d == dim ? 0 : self.strides()[d];
  }
  plan.dim_size = self.dim() == 0 ? 1 : self.sizes()[dim];
  plan.dim_stride = self.dim() == 0 ? 0 : self.strides()[dim];
  return plan;
}

template <class T>
struct Assign {
  __device__ void operator()(T* self, const T* src) const { *self = *src; }
};
template <class T>
struct Add {
  __device__ void operator()(T* self, const T* src) const { atomic_add(self, *src); }
};
template <class T>
struct Multiply {
  __device__ void operator()(T* self, const T* src) const {
    atomic_combine(self, *src, [](T a, T b) {
      if constexpr (std::is_same_v<T, bool>) {
        return a && b;
      } else {
        return static_cast<T>(a * b);
      }
    });
  }
};
// NaN is larger than everything, as well as smaller.
template <class T, bool largest>
struct Extremum {
  __device__ void operator()(T* self, const T* src) const {
    atomic_combine(self, *src, [](T a, T b) {
      const auto x = static_cast<ufunc::opmath<T>>(a), y = static_cast<ufunc::opmath<T>>(b);
      return (largest ? y > x : y < x) || y != y ? b : a;
    });
  }
};

template <class T, class Index, class Op>
__global__ void __launch_bounds__(threads)
    scatter_elements(int64_t n, T* self, const Index* index, const T* src, Plan plan, Op op) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += step) {
    int64_t rest = i, to = 0, where = 0, from = 0;
    for (int d = plan.dims - 1; d >= 0; --d) {
      const int64_t coordinate = rest % plan.sizes[d];
      rest /= plan.sizes[d];
      to += coordinate * plan.self_strides[d];
      where += coordinate * plan.index_strides[d];
      from += coordinate * plan.src_strides[d];
    }
    const auto at = static_cast<int64_t>(index[where]);
    CUDA_KERNEL_ASSERT(at >= 0 && at < plan.dim_size);
    op(self + to + at * plan.dim_stride, src + from);
  }
}

template <class T, class Op>
void launch(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src,
            const Op& op) {
  const int64_t n = index.numel();
  if (n == 0) return;
  const Plan plan = make_plan(self, dim, index, src);
  auto* to = static_cast<T*>(self.mutable_data_ptr());
  const auto* from = static_cast<const T*>(src.const_data_ptr());
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "scatter_cuda", [&] {
    scatter_elements<T, index_t><<<blocks_for(n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        n, to, index.const_data_ptr<index_t>(), from, plan, op);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void scatter_kernel(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src,
                    ScatterType type) {
  if (type == ScatterType::Assign) {
    with_opaque_type(static_cast<int64_t>(self.itemsize()),
                     [&]<class T>(T) { launch<T>(self, dim, index, src, Assign<T>()); });
    return;
  }
  if (type == ScatterType::Maximum || type == ScatterType::Minimum) {
    AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_cuda", [&] {
      if (type == ScatterType::Maximum) {
        launch<scalar_t>(self, dim, index, src, Extremum<scalar_t, true>());
      } else {
        launch<scalar_t>(self, dim, index, src, Extremum<scalar_t, false>());
      }
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_cuda", [&] {
    if (type == ScatterType::Add) {
      launch<scalar_t>(self, dim, index, src, Add<scalar_t>());
    } else {
      launch<scalar_t>(self, dim, index, src, Multiply<scalar_t>());
    }
  });
}

}  // namespace scatter_cuda

REGISTER_CUDA_DISPATCH(scatter_stub, &scatter_cuda::scatter_kernel)

}  // namespace at::native
