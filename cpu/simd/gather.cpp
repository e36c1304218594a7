// gather: one line along the innermost dimension at a time. A line's indices are checked, all of them, before
// the first is used, so that the copy is free of branches.

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cpu/IndexBounds.h>
#include <ATen/native/cpu/Opaque.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The geometry of one gather, in elements. All three operands have index's number of dimensions.
struct Plan {
  DimVector sizes;
  DimVector out_strides;
  DimVector index_strides;
  DimVector self_strides;  // 0 along the dimension that is indexed
  int64_t dim;
  int64_t dim_size;
  int64_t dim_stride;

  int64_t inner_size() const { return sizes.back(); }
};

// A 0-dim tensor is a line of one element.
DimVector at_least_1d(IntArrayRef values, int64_t fill) {
  return values.empty() ? DimVector(1, fill) : DimVector(values.begin(), values.end());
}

Plan make_plan(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& index) {
  Plan plan{at_least_1d(index.sizes(), 1),
            at_least_1d(result.strides(), 0),
            at_least_1d(index.strides(), 0),
            at_least_1d(self.strides(), 1),
            dim,
            0,
            0};
  plan.dim_size = self.dim() == 0 ? 1 : self.sizes()[dim];
  plan.dim_stride = plan.self_strides[dim];
  plan.self_strides[dim] = 0;
  return plan;
}

template <class Index>
C10_COLD C10_NOINLINE void fail_gather(const Index* index, int64_t stride, int64_t n, const Plan& plan) {
  for (int64_t i = 0; i < n; ++i) {
    const auto value = static_cast<int64_t>(index[i * stride]);
    TORCH_CHECK(value >= 0 && value < plan.dim_size, "index ", value, " is out of bounds for dimension ",
                plan.dim, " with size ", plan.dim_size);
  }
}

template <class T, class Index>
void gather_line(T* out, const T* self, const Index* index, const Plan& plan) {
  const int64_t out_stride = plan.out_strides.back();
  const int64_t index_stride = plan.index_strides.back();
  const int64_t self_stride = plan.self_strides.back();
  const int64_t dim_stride = plan.dim_stride;
  for (int64_t start = 0; start < plan.inner_size(); start += index_piece) {
    const int64_t n = std::min(index_piece, plan.inner_size() - start);
    const Index* idx = index + start * index_stride;
    if (!all_in_bounds(idx, index_stride, n, plan.dim_size)) fail_gather(idx, index_stride, n, plan);
    T* to = out + start * out_stride;
    const T* from = self + start * self_stride;
    if (out_stride == 1 && index_stride == 1 && self_stride == 0 && dim_stride == 1) {
      for (int64_t i = 0; i < n; ++i) to[i] = from[idx[i]];
    } else {
      for (int64_t i = 0; i < n; ++i) {
        to[i * out_stride] = from[i * self_stride + static_cast<int64_t>(idx[i * index_stride]) * dim_stride];
      }
    }
  }
}

struct Position {
  int64_t out = 0;
  int64_t index = 0;
  int64_t self = 0;
};

Position line_position(const Plan& plan, int64_t line) {
  Position position;
  for (int64_t dim = static_cast<int64_t>(plan.sizes.size()) - 2; dim >= 0; --dim) {
    const int64_t coordinate = line % plan.sizes[dim];
    line /= plan.sizes[dim];
    position.out += coordinate * plan.out_strides[dim];
    position.index += coordinate * plan.index_strides[dim];
    position.self += coordinate * plan.self_strides[dim];
  }
  return position;
}

template <class T, class Index>
void gather_as(const TensorBase& result, const TensorBase& self, const TensorBase& index, const Plan& plan) {
  T* out = static_cast<T*>(result.mutable_data_ptr());
  const T* source = static_cast<const T*>(self.const_data_ptr());
  const Index* indices = static_cast<const Index*>(index.const_data_ptr());
  const int64_t lines = index.numel() / plan.inner_size();
  const int64_t grain = std::max<int64_t>(internal::GRAIN_SIZE / plan.inner_size(), 1);
  at::parallel_for(0, lines, grain, [&](int64_t first, int64_t last) {
    for (int64_t line = first; line < last; ++line) {
      const Position position = line_position(plan, line);
      gather_line(out + position.out, source + position.self, indices + position.index, plan);
    }
  });
}

template <class T>
void gather_elements(const TensorBase& result, const TensorBase& self, const TensorBase& index,
                     const Plan& plan) {
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "gather_cpu",
                          [&] { gather_as<T, index_t>(result, self, index, plan); });
}

void gather_kernel(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& index) {
  if (index.numel() == 0) return;
  const Plan plan = make_plan(result, self, dim, index);
  with_opaque_type(self.itemsize(),
                   [&](auto type) { gather_elements<decltype(type)>(result, self, index, plan); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gather_stub, &gather_kernel)

}  // namespace at::native
