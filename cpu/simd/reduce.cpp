// Sums, products, extrema, all and any.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/cpu/row_fold.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace row_fold;

// Of 0 and 1.
struct Any {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr A identity = A(0);
  template <class V>
  static C10_ALWAYS_INLINE V combine(V a, V b) {
    return a | b;
  }
};

struct All {
  static constexpr bool rounds = false;
  template <class A>
  static constexpr A identity = A(1);
  template <class V>
  static C10_ALWAYS_INLINE V combine(V a, V b) {
    return a & b;
  }
};

// By their bits, the same for all dtypes of a size: whatever is not zero is true, and zero of either sign has
// no other bit.
template <class Bits, Bits without_signs, int parts = 1>
void load_truth(void* to, const char* from, int64_t n, int64_t stride) {
  auto* values = static_cast<uint8_t*>(to);
  const auto is_true = [](const char* p) {
    const auto* bits = reinterpret_cast<const Bits*>(p);
    const Bits all = parts == 1 ? bits[0] : bits[0] | bits[parts - 1];
    return static_cast<uint8_t>((all & without_signs) != 0);
  };
  constexpr int64_t size = parts * sizeof(Bits);
  if (stride == size) {
    for (int64_t i = 0; i < n; i++) values[i] = is_true(from + i * size);
  } else {
    for (int64_t i = 0; i < n; i++) values[i] = is_true(from + i * stride);
  }
}

Fold::Load truth_of(ScalarType dtype) {
  switch (dtype) {
    case kHalf:
    case kBFloat16:
      return &load_truth<uint16_t, 0x7FFF>;
    case kFloat:
      return &load_truth<uint32_t, 0x7FFFFFFF>;
    case kDouble:
      return &load_truth<uint64_t, 0x7FFFFFFFFFFFFFFF>;
    case kComplexHalf:
      return &load_truth<uint32_t, 0x7FFF7FFF>;
    case kComplexFloat:
      return &load_truth<uint64_t, 0x7FFFFFFF7FFFFFFF>;
    case kComplexDouble:
      return &load_truth<uint64_t, 0x7FFFFFFFFFFFFFFF, 2>;
    default:
      break;
  }
  switch (c10::elementSize(dtype)) {
    case 1:
      return &load_truth<uint8_t, 0xFF>;
    case 2:
      return &load_truth<uint16_t, 0xFFFF>;
    case 4:
      return &load_truth<uint32_t, 0xFFFFFFFF>;
    default:
      return &load_truth<uint64_t, 0xFFFFFFFFFFFFFFFF>;
  }
}

// ---- kernels

// The type in which values of T are added and multiplied.
template <class T>
using sum_type = std::conditional_t<std::is_integral_v<T>, int64_t, at::opmath_type<T>>;

// The output has the input's dtype or, for integers and bool, int64.
template <class Op>
void accumulate(TensorIterator& iter, const char* name, double count) {
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   using A = sum_type<scalar_t>;
                   const bool widened = iter.dtype(0) == c10::CppTypeToScalarType<A>::value;
                   TORCH_INTERNAL_ASSERT(widened || iter.dtype(0) == iter.dtype(1));
                   Fold fold = make_fold<Op, A>();
                   fold.load = std::is_same_v<A, scalar_t> ? nullptr : &load_converted<scalar_t, A>;
                   fold.store = widened ? &store_folded<A, A> : &store_folded<scalar_t, A>;
                   fold.element_size = sizeof(scalar_t);
                   fold.count = count;
                   run_fold(iter, fold);
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
}

void sum_kernel(TensorIterator& iter) { accumulate<Sum>(iter, "sum_cpu", 1); }

void mean_kernel(TensorIterator& iter) {
  const auto outputs = static_cast<double>(std::max<int64_t>(iter.num_output_elements(), 1));
  accumulate<Sum>(iter, "mean_cpu", static_cast<double>(iter.numel()) / outputs);
}

void prod_kernel(TensorIterator& iter) { accumulate<Prod>(iter, "prod_cpu", 1); }

// The type in which values of T are compared: one that has them all, and of few types.
template <class T>
using extremum_type =
    std::conditional_t<std::is_same_v<T, bool>, uint8_t,
                       std::conditional_t<std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>, int64_t,
                                          at::opmath_type<T>>>;

template <class Op>
void extremum(TensorIterator& iter, const char* name) {
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   using A = extremum_type<scalar_t>;
                   Fold fold = make_fold<Op, A>();
                   fold.load = std::is_same_v<A, scalar_t> ? nullptr : &load_converted<scalar_t, A>;
                   fold.store = &store_folded<scalar_t, A>;
                   fold.element_size = sizeof(scalar_t);
                   run_fold(iter, fold);
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool, AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
}

void max_values_kernel(TensorIterator& iter) { extremum<Max>(iter, "amax_cpu"); }

void min_values_kernel(TensorIterator& iter) { extremum<Min>(iter, "amin_cpu"); }

// The output is bool, or uint8.
template <class Op>
void logic(TensorIterator& iter) {
  Fold fold = make_fold<Op, uint8_t>();
  fold.store = &store_folded<uint8_t, uint8_t>;
  fold.element_size = iter.element_size(1);
  fold.load = truth_of(iter.dtype(1));
  run_fold(iter, fold);
}

void and_kernel(TensorIterator& iter) { logic<All>(iter); }

void or_kernel(TensorIterator& iter) { logic<Any>(iter); }

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(sum_stub, &sum_kernel)
REGISTER_DISPATCH(mean_stub, &mean_kernel)
REGISTER_DISPATCH(prod_stub, &prod_kernel)
REGISTER_DISPATCH(and_stub, &and_kernel)
REGISTER_DISPATCH(or_stub, &or_kernel)
REGISTER_DISPATCH(min_values_stub, &min_values_kernel)
REGISTER_DISPATCH(max_values_stub, &max_values_kernel)

}  // namespace at::native
