// gather: one line along the innermost dimension at a time.

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/indexing/index_lines.h>
#include <ATen/native/indexing/stubs.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The geometry of a gather, in elements. All three operands have index's number of dimensions, or fewer:
// those of size 1 are dropped, except one.
struct GatherPlan {
  DimVector sizes;
  DimVector out_strides;
  DimVector index_strides;
  DimVector self_strides;  // 0 along the indexed dimension
  int64_t dim;             // including those of size 1
  int64_t dim_size;
  int64_t dim_stride;

  int64_t inner_size() const { return sizes.back(); }
};

GatherPlan make_plan(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& index) {
  GatherPlan plan{at_least_1d(index.sizes(), 1),
                  at_least_1d(result.strides(), 0),
                  at_least_1d(index.strides(), 0),
                  at_least_1d(self.strides(), 1),
                  dim,
                  0,
                  0};
  plan.dim_size = self.dim() == 0 ? 1 : self.sizes()[dim];
  plan.dim_stride = plan.self_strides[dim];
  plan.self_strides[dim] = 0;
  size_t kept = 0;
  for (size_t d = 0; d < plan.sizes.size(); ++d) {
    if (plan.sizes[d] == 1 && (kept > 0 || d + 1 < plan.sizes.size())) continue;
    for (DimVector* values : {&plan.sizes, &plan.out_strides, &plan.index_strides, &plan.self_strides}) {
      (*values)[kept] = (*values)[d];
    }
    ++kept;
  }
  for (DimVector* values : {&plan.sizes, &plan.out_strides, &plan.index_strides, &plan.self_strides}) {
    values->resize(kept);
  }
  return plan;
}

C10_COLD C10_NOINLINE void fail_gather(int64_t index, const GatherPlan& plan) {
  TORCH_CHECK(false, "index ", index, " is out of bounds for dimension ", plan.dim, " with size ",
              plan.dim_size);
}

template <class T, class Index>
void gather_line(T* out, const T* self, const Index* index, int64_t n, const GatherPlan& plan) {
  const int64_t out_stride = plan.out_strides.back(), index_stride = plan.index_strides.back();
  const int64_t self_stride = plan.self_strides.back(), dim_stride = plan.dim_stride;
  const auto limit = static_cast<uint64_t>(plan.dim_size);
  const auto place = [=, &plan](int64_t i) {
    const auto at = static_cast<int64_t>(index[i]);
    if (C10_UNLIKELY(static_cast<uint64_t>(at) >= limit)) fail_gather(at, plan);
    return at;
  };
  if (index_stride == 0 && out_stride == 1 && self_stride == 1) {  // a whole line from one index
    std::memcpy(out, self + place(0) * dim_stride, static_cast<size_t>(n) * sizeof(T));
  } else if (out_stride == 1 && index_stride == 1 && self_stride == 0 && dim_stride == 1) {
    // Scalar loads: vector gathers are slower on many processors.
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; ++i) out[i] = self[place(i)];
  } else {
    for (int64_t i = 0; i < n; ++i) {
      out[i * out_stride] = self[i * self_stride + place(i * index_stride) * dim_stride];
    }
  }
}

struct LinePosition {
  int64_t out = 0;
  int64_t index = 0;
  int64_t self = 0;
};

LinePosition line_position(const GatherPlan& plan, int64_t line) {
  LinePosition position;
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
void gather_as(const TensorBase& result, const TensorBase& self, const TensorBase& index,
               const GatherPlan& plan) {
  T* out = static_cast<T*>(result.mutable_data_ptr());
  const T* source = static_cast<const T*>(self.const_data_ptr());
  const Index* indices = static_cast<const Index*>(index.const_data_ptr());
  const int64_t inner = plan.inner_size(), size = std::min(inner, internal::GRAIN_SIZE);
  const int64_t pieces = at::divup(inner, size), lines = index.numel() / inner;
  at::parallel_for(0, lines * pieces, std::max<int64_t>(internal::GRAIN_SIZE / size, 1),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = first; i < last; ++i) {
                       const LinePosition position = line_position(plan, i / pieces);
                       const int64_t begin = i % pieces * size;
                       gather_line(out + position.out + begin * plan.out_strides.back(),
                                   source + position.self + begin * plan.self_strides.back(),
                                   indices + position.index + begin * plan.index_strides.back(),
                                   std::min(size, inner - begin), plan);
                     }
                   });
}

template <class T>
void gather_elements(const TensorBase& result, const TensorBase& self, const TensorBase& index,
                     const GatherPlan& plan) {
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "gather_cpu",
                          [&] { gather_as<T, index_t>(result, self, index, plan); });
}

void gather_kernel(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& index) {
  if (index.numel() == 0) return;
  const GatherPlan plan = make_plan(result, self, dim, index);
  with_opaque_type(self.itemsize(),
                   [&](auto type) { gather_elements<decltype(type)>(result, self, index, plan); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gather_stub, &gather_kernel)

}  // namespace at::native
