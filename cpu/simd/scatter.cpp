// scatter: elements of src (or one number) put where an index says, replaced, added, multiplied or compared.
// The dimension that is indexed belongs to one thread, in order: an index may occur again along it.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cpu/Opaque.h>
#include <ATen/native/functors/arithmetic.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The geometry of one scatter, in elements, with index's number of dimensions, or fewer: those of size one
// are left out, but for one.
struct Plan {
  DimVector sizes;
  DimVector self_strides;  // 0 along the dimension that is indexed
  DimVector index_strides;
  DimVector src_strides;
  int64_t dim;  // the last one if that which is indexed was left out
  int64_t dim_size;
  int64_t dim_stride;
  int64_t named_dim;
  int64_t piece;  // elements of a line that go together

  int64_t last() const { return static_cast<int64_t>(sizes.size()) - 1; }
};

// A 0-dim tensor is a line of one element.
DimVector at_least_1d(IntArrayRef values, int64_t fill) {
  return values.empty() ? DimVector(1, fill) : DimVector(values.begin(), values.end());
}

void leave_out_ones(Plan& plan) {
  DimVector* const all[] = {&plan.sizes, &plan.self_strides, &plan.index_strides, &plan.src_strides};
  size_t kept = 0;
  bool indexed = false;  // whether its dimension is kept
  for (size_t d = 0; d < plan.sizes.size(); ++d) {
    if (plan.sizes[d] == 1 && (kept > 0 || d + 1 < plan.sizes.size())) continue;
    for (DimVector* values : all) (*values)[kept] = (*values)[d];
    if (static_cast<int64_t>(d) == plan.named_dim) plan.dim = static_cast<int64_t>(kept), indexed = true;
    ++kept;
  }
  for (DimVector* values : all) values->resize(kept);
  plan.piece = plan.sizes.back();
  if (!indexed) {
    plan.dim = plan.last();
    plan.piece = std::min(plan.piece, internal::GRAIN_SIZE);
  }
}

Plan make_plan(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src) {
  Plan plan{at_least_1d(index.sizes(), 1),
            at_least_1d(self.strides(), 1),
            at_least_1d(index.strides(), 0),
            src.dim() == 0 ? DimVector(std::max<int64_t>(index.dim(), 1), 0) : at_least_1d(src.strides(), 0),
            dim,
            self.dim() == 0 ? 1 : self.sizes()[dim],
            0,
            dim,
            0};
  plan.dim_stride = plan.self_strides[dim];
  plan.self_strides[dim] = 0;
  leave_out_ones(plan);
  return plan;
}

C10_COLD C10_NOINLINE void fail_scatter(int64_t index, const Plan& plan) {
  TORCH_CHECK(false, "index ", index, " is out of bounds for dimension ", plan.named_dim, " with size ",
              plan.dim_size);
}

template <class T>
struct Assign {
  static T apply(T, T src) { return src; }
};
template <class T>
struct Add {
  static T apply(T self, T src) { return ufunc::add<T>(self, src); }
};
template <class T>
struct Multiply {
  static T apply(T self, T src) { return ufunc::mul<T>(self, src); }
};
// NaN is larger than everything, as well as smaller.
template <class T>
struct Maximum {
  static T apply(T self, T src) { return src > self || src != src ? src : self; }
};
template <class T>
struct Minimum {
  static T apply(T self, T src) { return src < self || src != src ? src : self; }
};

template <class Index>
C10_ALWAYS_INLINE int64_t checked(Index index, const Plan& plan) {
  const auto at = static_cast<int64_t>(index);
  if (C10_UNLIKELY(static_cast<uint64_t>(at) >= static_cast<uint64_t>(plan.dim_size))) fail_scatter(at, plan);
  return at;
}

template <class T, class Op, class Index>
void scatter_strided(T* self, const Index* index, const T* src, int64_t n, const Plan& plan) {
  const int64_t self_stride = plan.self_strides.back(), index_stride = plan.index_strides.back();
  const int64_t src_stride = plan.src_strides.back(), dim_stride = plan.dim_stride;
  if (index_stride == 1 && src_stride == 1 && self_stride == 0 && dim_stride == 1) {
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; ++i) {  // within a row without gaps
      T& to = self[checked(index[i], plan)];
      to = Op::apply(to, src[i]);
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    T& to = self[i * self_stride + checked(index[i * index_stride], plan) * dim_stride];
    to = Op::apply(to, src[i * src_stride]);
  }
}

// Indices of either width.
struct Indices {
  const char* data;
  int64_t size;  // 4 or 8 bytes

  Indices operator+(int64_t n) const { return {data + n * size, size}; }
  template <class Index>
  const Index* as() const {
    return reinterpret_cast<const Index*>(data);
  }
};

template <class T, class Op>
void scatter_line(T* self, Indices index, const T* src, int64_t n, const Plan& plan) {
  if (plan.index_strides.back() == 0 && plan.self_strides.back() == 1 && plan.src_strides.back() == 1) {
    const int64_t first = index.size == 8 ? *index.as<int64_t>() : *index.as<int32_t>();
    T* const to = self + checked(first, plan) * plan.dim_stride;  // a whole line in one place
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = Op::apply(to[i], src[i]);
  } else if (index.size == 8) {
    scatter_strided<T, Op>(self, index.as<int64_t>(), src, n, plan);
  } else {
    scatter_strided<T, Op>(self, index.as<int32_t>(), src, n, plan);
  }
}

// All lines along the last dimension, or a piece of one, whose other coordinates, but for that in dim, are
// those of `number`.
template <class T, class Op>
void scatter_lines(T* self, Indices index, const T* src, const Plan& plan, int64_t number) {
  const int64_t pieces = at::divup(plan.sizes.back(), plan.piece), begin = number % pieces * plan.piece;
  const int64_t n = std::min(plan.piece, plan.sizes.back() - begin);
  self += begin * plan.self_strides.back();
  index = index + begin * plan.index_strides.back();
  src += begin * plan.src_strides.back();
  number /= pieces;
  for (int64_t d = plan.last() - 1; d >= 0; --d) {
    if (d == plan.dim) continue;
    const int64_t coordinate = number % plan.sizes[d];
    number /= plan.sizes[d];
    self += coordinate * plan.self_strides[d];
    index = index + coordinate * plan.index_strides[d];
    src += coordinate * plan.src_strides[d];
  }
  const int64_t lines = plan.dim == plan.last() ? 1 : plan.sizes[plan.dim];
  for (int64_t k = 0; k < lines; ++k) {
    scatter_line<T, Op>(self, index, src, n, plan);
    index = index + plan.index_strides[plan.dim];
    src += plan.src_strides[plan.dim];
  }
}

template <class T, class Op>
void scatter_as(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src) {
  const Plan plan = make_plan(self, dim, index, src);
  const int64_t together = plan.piece * (plan.dim == plan.last() ? 1 : plan.sizes[plan.dim]);
  const int64_t lines = index.numel() / (together / plan.piece * plan.sizes.back());
  const int64_t groups = lines * at::divup(plan.sizes.back(), plan.piece);
  auto* to = static_cast<T*>(self.mutable_data_ptr());
  const auto* from = static_cast<const T*>(src.const_data_ptr());
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt,
              "scatter_cpu: expected an index of int64 or int32, got ", index.scalar_type());
  const Indices indices{static_cast<const char*>(index.const_data_ptr()),
                        static_cast<int64_t>(index.itemsize())};
  at::parallel_for(0, groups, std::max<int64_t>(internal::GRAIN_SIZE / together, 1),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = first; i < last; ++i) {
                       scatter_lines<T, Op>(to, indices, from, plan, i);
                     }
                   });
}

void scatter_bytes(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src) {
  with_opaque_type(self.itemsize(), [&](auto type) {
    using T = decltype(type);
    scatter_as<T, Assign<T>>(self, dim, index, src);
  });
}

void scatter_kernel(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src,
                    ScatterType type) {
  if (type == ScatterType::Assign) return scatter_bytes(self, dim, index, src);
  if (type == ScatterType::Maximum || type == ScatterType::Minimum) {
    AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_cpu", [&] {
      type == ScatterType::Maximum ? scatter_as<scalar_t, Maximum<scalar_t>>(self, dim, index, src)
                                   : scatter_as<scalar_t, Minimum<scalar_t>>(self, dim, index, src);
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(
      kBool, kHalf, kBFloat16, kComplexHalf, self.scalar_type(), "scatter_cpu", [&] {
        type == ScatterType::Add ? scatter_as<scalar_t, Add<scalar_t>>(self, dim, index, src)
                                 : scatter_as<scalar_t, Multiply<scalar_t>>(self, dim, index, src);
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(scatter_stub, &scatter_kernel)

}  // namespace at::native
