// scatter on CUDA: a thread per element of the index. Where an index occurs more than once, all but plain
// stores are atomic; of plain stores any may be the last. A thread per line along the dimension writes in
// order: for deterministic algorithms, and to multiply elements of 16 bytes, which no instruction can swap.
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/indexing/stubs.h>
#include <ATen/native/math/types.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/OffsetCalculator.cuh>

#include <algorithm>

namespace at::native {
namespace scatter_cuda {

constexpr int threads = 256;

// In elements, with index's number of dimensions; self's stride is 0 along the indexed one.
struct Plan {
  int dims;
  int64_t sizes[max_plan_dims], self_strides[max_plan_dims], index_strides[max_plan_dims];
  int64_t src_strides[max_plan_dims];
  int64_t dim_size, dim_stride;
  c10::cuda::KernelAssertion in_bounds;
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
  plan.in_bounds = c10::cuda::index_assertion("scatter");
  plan.dim_size = self.dim() == 0 ? 1 : self.sizes()[dim];
  plan.dim_stride = self.dim() == 0 ? 0 : self.strides()[dim];
  return plan;
}

struct Place {
  int64_t self, index, src;
};
__device__ inline Place place_of(const Plan& plan, int64_t number) {
  Place place{0, 0, 0};
  for (int d = plan.dims - 1; d >= 0; --d) {
    const int64_t coordinate = number % plan.sizes[d];
    number /= plan.sizes[d];
    place.self += coordinate * plan.self_strides[d];
    place.index += coordinate * plan.index_strides[d];
    place.src += coordinate * plan.src_strides[d];
  }
  return place;
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
__device__ T product(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else {
    return static_cast<T>(a * b);
  }
}
template <class T>
struct Multiply {
  __device__ void operator()(T* self, const T* src) const {
    atomic_combine(self, *src, [](T a, T b) { return product(a, b); });
  }
};
template <class T>
struct MultiplyAlone {
  __device__ void operator()(T* self, const T* src) const { *self = product(*self, *src); }
};
// For both extrema NaN wins over everything.
template <class T, bool largest>
struct Extremum {
  __device__ void operator()(T* self, const T* src) const {
    atomic_combine(self, *src, [](T a, T b) {
      const auto x = static_cast<ufunc::opmath<T>>(a), y = static_cast<ufunc::opmath<T>>(b);
      return (largest ? y > x : y < x) || y != y ? b : a;
    });
  }
};

// The elements of the index that a thread writes, one after the other: one of them, or a line along the
// dimension, whose elements meet in one line of self, which no other thread writes to.
struct Line {
  int64_t length, index_stride, src_stride;
};
template <class T, class Index, class Op>
__global__ void __launch_bounds__(threads)
    scatter_lines(int64_t n, T* self, const Index* index, const T* src, Plan plan, Line line, Op op) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += step) {
    const Place place = place_of(plan, i);
    for (int64_t k = 0; k < line.length; ++k) {
      const auto at = static_cast<int64_t>(index[place.index + k * line.index_stride]);
      plan.in_bounds(at >= 0 && at < plan.dim_size, at, plan.dim_size);
      op(self + place.self + at * plan.dim_stride, src + place.src + k * line.src_stride);
    }
  }
}

// Takes dimension `dim` out of the plan, so that a thread has a whole line.
Line take_line(Plan& plan, int64_t dim) {
  const Line line{plan.sizes[dim], plan.index_strides[dim], plan.src_strides[dim]};
  plan.sizes[dim] = 1;
  return line;
}

// `in_order`: elements with the same index are written in their order, by one thread.
template <class T, class Op>
void launch(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src, const Op& op,
            bool in_order = globalContext().deterministicAlgorithms()) {
  if (index.numel() == 0) return;
  Plan plan = make_plan(self, dim, index, src);
  const Line line = in_order ? take_line(plan, dim) : Line{1, 0, 0};
  const int64_t lines = index.numel() / line.length;
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "scatter_cuda", [&] {
    scatter_lines<T, index_t><<<blocks_for(lines), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        lines, static_cast<T*>(self.mutable_data_ptr()), index.const_data_ptr<index_t>(),
        static_cast<const T*>(src.const_data_ptr()), plan, line, op);
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
    } else if constexpr (sizeof(scalar_t) > 8) {
      launch<scalar_t>(self, dim, index, src, MultiplyAlone<scalar_t>(), /*in_order=*/true);
    } else {
      launch<scalar_t>(self, dim, index, src, Multiply<scalar_t>());
    }
  });
}

}  // namespace scatter_cuda

REGISTER_CUDA_DISPATCH(scatter_stub, &scatter_cuda::scatter_kernel)

}  // namespace at::native
