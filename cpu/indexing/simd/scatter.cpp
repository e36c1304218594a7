// scatter: elements of src (or a scalar) stored, added, multiplied or reduced at the positions that an index
// gives. One thread has all of the indexed dimension, in order: an index may occur again along it.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/indexing/index_lines.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/elementwise/functors/arithmetic.h>
#include <ATen/native/indexing/stubs.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The geometry of a scatter, in elements, with index's number of dimensions, or fewer: those of size 1 are
// dropped, except one.
struct ScatterPlan {
  DimVector sizes;
  DimVector self_strides;  // 0 along the indexed dimension
  DimVector index_strides;
  DimVector src_strides;
  int64_t dim;  // the last one if the indexed one was dropped
  int64_t dim_size;
  int64_t dim_stride;
  int64_t named_dim;
  int64_t piece;  // elements of a line that are processed together

  int64_t last() const { return static_cast<int64_t>(sizes.size()) - 1; }
};

void leave_out_ones(ScatterPlan& plan) {
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

ScatterPlan make_plan(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src) {
  ScatterPlan plan{
      at_least_1d(index.sizes(), 1),
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

C10_COLD C10_NOINLINE void fail_scatter(int64_t index, const ScatterPlan& plan) {
  TORCH_CHECK(false, "index ", index, " is out of bounds for dimension ", plan.named_dim, " with size ",
              plan.dim_size);
}

struct Assign {
  template <class T>
  static T apply(T, T src) {
    return src;
  }
};
struct Add {
  template <class T>
  static T apply(T self, T src) {
    return ufunc::add<T>(self, src);
  }
};
struct Multiply {
  template <class T>
  static T apply(T self, T src) {
    return ufunc::mul<T>(self, src);
  }
};
// For both extrema NaN wins over everything.
struct Maximum {
  template <class T>
  static T apply(T self, T src) {
    return src > self || src != src ? src : self;
  }
};
struct Minimum {
  template <class T>
  static T apply(T self, T src) {
    return src < self || src != src ? src : self;
  }
};

// Of one element.
template <class Op, class T>
C10_ALWAYS_INLINE void put(T* to, const T* src) {
  if constexpr (std::is_same_v<T, c10::Half>) {
    store_one(to, Op::apply(load_one<float>(to), load_one<float>(src)));
  } else {
    *to = Op::apply(*to, *src);
  }
}

C10_ALWAYS_INLINE int64_t checked(int64_t index, const ScatterPlan& plan) {
  if (C10_UNLIKELY(static_cast<uint64_t>(index) >= static_cast<uint64_t>(plan.dim_size))) {
    fail_scatter(index, plan);
  }
  return index;
}

// n elements of src along the last dimension.
using ScatterLine = void (*)(char* self, const int64_t* index, int64_t index_stride, const char* src,
                             int64_t n, const ScatterPlan& plan);

template <class T, class Op>
void scatter_line(char* self_bytes, const int64_t* index, int64_t index_stride, const char* src_bytes,
                  int64_t n, const ScatterPlan& plan) {
  T* self = reinterpret_cast<T*>(self_bytes);
  const T* src = reinterpret_cast<const T*>(src_bytes);
  const int64_t self_stride = plan.self_strides.back(), src_stride = plan.src_strides.back();
  const int64_t dim_stride = plan.dim_stride;
  if (index_stride == 0 && self_stride == 1 && src_stride == 1) {
    T* const to = self + checked(*index, plan) * dim_stride;  // a whole line at one index
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = Op::apply(to[i], src[i]);
  } else if (index_stride == 1 && src_stride == 1 && self_stride == 0 && dim_stride == 1) {
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; ++i) put<Op>(self + checked(index[i], plan), src + i);  // within a row
  } else {
    for (int64_t i = 0; i < n; ++i) {
      put<Op>(self + i * self_stride + checked(index[i * index_stride], plan) * dim_stride,
              src + i * src_stride);
    }
  }
}

// One scatter: the operation on a line, and the addresses of the first ones.
struct Scatter {
  const ScatterPlan& plan;
  ScatterLine scatter_line;
  int64_t element_size, index_size;  // bytes
  char* self;
  const char* index;
  const char* src;

  // Narrow indices are widened, a block at a time.
  void line(char* to, const char* places, const char* from, int64_t n) const {
    const int64_t stride = plan.index_strides.back();
    if (index_size == sizeof(int64_t)) {
      return scatter_line(to, reinterpret_cast<const int64_t*>(places), stride, from, n, plan);
    }
    constexpr int64_t block = 256;
    int64_t wide[block];
    const auto* narrow = reinterpret_cast<const int32_t*>(places);
    for (int64_t i = 0; i < n; i += block) {
      const int64_t count = std::min(block, n - i);
      for (int64_t k = 0; k < (stride == 0 ? 1 : count); ++k) wide[k] = narrow[(i + k) * stride];
      scatter_line(to + i * plan.self_strides.back() * element_size, wide, stride == 0 ? 0 : 1,
                   from + i * plan.src_strides.back() * element_size, count, plan);
    }
  }

  // All lines along the last dimension, or a piece of one, whose other coordinates, except that in dim, are
  // encoded in `number`.
  void lines(int64_t number) const {
    const int64_t pieces = at::divup(plan.sizes.back(), plan.piece), begin = number % pieces * plan.piece;
    const int64_t n = std::min(plan.piece, plan.sizes.back() - begin);
    int64_t to = begin * plan.self_strides.back(), place = begin * plan.index_strides.back();
    int64_t from = begin * plan.src_strides.back();
    number /= pieces;
    for (int64_t d = plan.last() - 1; d >= 0; --d) {
      if (d == plan.dim) continue;
      const int64_t coordinate = number % plan.sizes[d];
      number /= plan.sizes[d];
      to += coordinate * plan.self_strides[d];
      place += coordinate * plan.index_strides[d];
      from += coordinate * plan.src_strides[d];
    }
    const int64_t count = plan.dim == plan.last() ? 1 : plan.sizes[plan.dim];
    for (int64_t k = 0; k < count; ++k) {
      line(self + to * element_size, index + place * index_size, src + from * element_size, n);
      place += plan.index_strides[plan.dim];
      from += plan.src_strides[plan.dim];
    }
  }
};

void scatter_all(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src,
                 ScatterLine line) {
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt,
              "scatter_cpu: expected an index of int64 or int32, got ", index.scalar_type());
  const ScatterPlan plan = make_plan(self, dim, index, src);
  const int64_t together = plan.piece * (plan.dim == plan.last() ? 1 : plan.sizes[plan.dim]);
  const int64_t lines = index.numel() / (together / plan.piece * plan.sizes.back());
  const int64_t groups = lines * at::divup(plan.sizes.back(), plan.piece);
  const Scatter scatter{plan,
                        line,
                        static_cast<int64_t>(self.itemsize()),
                        static_cast<int64_t>(index.itemsize()),
                        static_cast<char*>(self.mutable_data_ptr()),
                        static_cast<const char*>(index.const_data_ptr()),
                        static_cast<const char*>(src.const_data_ptr())};
  at::parallel_for(0, groups, std::max<int64_t>(internal::GRAIN_SIZE / together, 1),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = first; i < last; ++i) scatter.lines(i);
                   });
}

ScatterLine assignment(int64_t element_size) {
  ScatterLine line = nullptr;
  with_opaque_type(element_size, [&](auto type) { line = &scatter_line<decltype(type), Assign>; });
  return line;
}

ScatterLine line_of(ScatterType type, const TensorBase& self) {
  if (type == ScatterType::Assign) return assignment(self.itemsize());
  if (type == ScatterType::Maximum || type == ScatterType::Minimum) {
    return AT_DISPATCH_ALL_TYPES_AND3(
        kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_cpu", [&]() -> ScatterLine {
          return type == ScatterType::Maximum ? &scatter_line<scalar_t, Maximum>
                                              : &scatter_line<scalar_t, Minimum>;
        });
  }
  return AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(
      kBool, kHalf, kBFloat16, kComplexHalf, self.scalar_type(), "scatter_cpu", [&]() -> ScatterLine {
        return type == ScatterType::Add ? &scatter_line<scalar_t, Add> : &scatter_line<scalar_t, Multiply>;
      });
}

void scatter_kernel(const TensorBase& self, int64_t dim, const TensorBase& index, const TensorBase& src,
                    ScatterType type) {
  scatter_all(self, dim, index, src, line_of(type, self));
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(scatter_stub, &scatter_kernel)

}  // namespace at::native
