// Norms of vectors: sums of absolute values or their squares, counts, and extrema of absolute values.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/cpu/row_fold.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace row_fold;

// What is folded of an element.
struct IsNotZero {
  template <class A>
  static C10_ALWAYS_INLINE A of(A x) {
    return x != A(0) ? A(1) : A(0);
  }
};
struct Size {
  template <class A>
  static C10_ALWAYS_INLINE A of(A x) {
    return std::fabs(x);
  }
};
struct Square {
  template <class A>
  static C10_ALWAYS_INLINE A of(A x) {
    return x * x;
  }
};

template <class Part, class T, class A>
void load_part(void* to, const char* from, int64_t n, int64_t stride) {
  A* values = static_cast<A*>(to);
  if (stride == sizeof(T)) {
    for (int64_t i = 0; i < n; i++) {
      values[i] = Part::of(static_cast<A>(load_element(reinterpret_cast<const T*>(from) + i)));
    }
  } else {
    for (int64_t i = 0; i < n; i++) {
      values[i] = Part::of(static_cast<A>(load_element(reinterpret_cast<const T*>(from + i * stride))));
    }
  }
}

template <class T, class A>
void store_root(const Fold&, char* out, int64_t out_stride, const void* values, int64_t n) {
  const A* p = static_cast<const A*>(values);
  for (int64_t i = 0; i < n; i++) {
    *reinterpret_cast<T*>(out + i * out_stride) = static_cast<T>(std::sqrt(p[i]));
  }
}

template <class Op, class Part, class T>
void fold_parts(TensorIterator& iter) {
  using A = at::opmath_type<T>;
  Fold fold = make_fold<Op, A>();
  fold.load = &load_part<Part, T, A>;
  fold.store = std::is_same_v<Part, Square> ? &store_root<T, A> : &store_folded<T, A>;
  fold.element_size = sizeof(T);
  run_fold(iter, fold);
}

template <class T>
void norm_of(TensorIterator& iter, double ord) {
  if (ord == 0) return fold_parts<Sum, IsNotZero, T>(iter);
  if (ord == 1) return fold_parts<Sum, Size, T>(iter);
  if (ord == 2) return fold_parts<Sum, Square, T>(iter);
  TORCH_INTERNAL_ASSERT(std::isinf(ord));
  ord > 0 ? fold_parts<Max, Size, T>(iter) : fold_parts<Min, Size, T>(iter);
}

void norm_kernel(TensorIterator& iter, double ord) {
  AT_DISPATCH_V2(iter.dtype(1), "norm_cpu", AT_WRAP([&] { norm_of<scalar_t>(iter, ord); }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(norm_stub, &norm_kernel)

}  // namespace at::native
