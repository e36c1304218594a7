// Sums, products, extrema, all, any and counts.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/reduction/row_fold.h>
#include <ATen/native/reduction/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace row_fold;

// By their bits, the same for all dtypes of a size: any set bit is true, except the sign of a zero.
template <class To, class Bits, Bits without_signs, int parts = 1>
void load_truth(void* to, const char* from, int64_t n, int64_t stride) {
  auto* values = static_cast<To*>(to);
  const auto is_true = [](const char* p) {
    const auto* bits = reinterpret_cast<const Bits*>(p);
    const Bits all = parts == 1 ? bits[0] : bits[0] | bits[parts - 1];
    return static_cast<To>((all & without_signs) != 0);
  };
  constexpr int64_t size = parts * sizeof(Bits);
  if (stride == size) {
    for (int64_t i = 0; i < n; i++) values[i] = is_true(from + i * size);
  } else {
    for (int64_t i = 0; i < n; i++) values[i] = is_true(from + i * stride);
  }
}

// 0 or 1 for each element.
template <class To>
Fold::Load truth_of(ScalarType dtype) {
  switch (dtype) {
    case kHalf:
    case kBFloat16:
      return &load_truth<To, uint16_t, 0x7FFF>;
    case kFloat:
      return &load_truth<To, uint32_t, 0x7FFFFFFF>;
    case kDouble:
      return &load_truth<To, uint64_t, 0x7FFFFFFFFFFFFFFF>;
    case kComplexHalf:
      return &load_truth<To, uint32_t, 0x7FFF7FFF>;
    case kComplexFloat:
      return &load_truth<To, uint64_t, 0x7FFFFFFF7FFFFFFF>;
    case kComplexDouble:
      return &load_truth<To, uint64_t, 0x7FFFFFFFFFFFFFFF, 2>;
    default:
      break;
  }
  switch (c10::elementSize(dtype)) {
    case 1:
      return &load_truth<To, uint8_t, 0xFF>;
    case 2:
      return &load_truth<To, uint16_t, 0xFFFF>;
    case 4:
      return &load_truth<To, uint32_t, 0xFFFFFFFF>;
    default:
      return &load_truth<To, uint64_t, 0xFFFFFFFFFFFFFFFF>;
  }
}

// ---- kernels

// The output has the input's dtype or, for integers and bool, int64.
void accumulate_kernel(TensorIterator& iter, Accumulation kind) {
  reducers::with_reducer(kind, [&]<class R>(R, const char* name) {
    AT_DISPATCH_V2(iter.dtype(1), name,
                   AT_WRAP([&] { reduce_as<R, scalar_t, reducers::sum_type<scalar_t>>(iter); }),
                   AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
  });
}

template <class Extremum>
void extremum_kernel(TensorIterator& iter) {
  const char* name = std::is_same_v<Extremum, reducers::Max> ? "amax" : "amin";
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   reduce_as<reducers::Reducer<Extremum>, scalar_t, reducers::extremum_type<scalar_t>>(iter);
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool, AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
}

// The output is bool, or uint8.
template <class Combine>
void logic_kernel(TensorIterator& iter) {
  Fold fold = make_fold<Combine, uint8_t>();
  fold.store = &store_projected<Unchanged, uint8_t, uint8_t>;
  fold.element_size = iter.element_size(1);
  fold.load = truth_of<uint8_t>(iter.dtype(1));
  run_fold(iter, fold);
}

// The output is int64.
void count_kernel(TensorIterator& iter) {
  Fold fold = make_fold<reducers::Sum, int64_t>();
  fold.store = &store_projected<Unchanged, int64_t, int64_t>;
  fold.element_size = iter.element_size(1);
  fold.load = truth_of<int64_t>(iter.dtype(1));
  run_fold(iter, fold);
}

void xor_kernel(TensorIterator& iter) { reduce_as<reducers::Reducer<reducers::Xor>, int64_t, int64_t>(iter); }

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(accumulate_stub, &accumulate_kernel)
REGISTER_DISPATCH(and_stub, &logic_kernel<reducers::All>)
REGISTER_DISPATCH(or_stub, &logic_kernel<reducers::Any>)
REGISTER_DISPATCH(xor_stub, &xor_kernel)
REGISTER_DISPATCH(count_stub, &count_kernel)
REGISTER_DISPATCH(min_values_stub, &extremum_kernel<reducers::Min>)
REGISTER_DISPATCH(max_values_stub, &extremum_kernel<reducers::Max>)

}  // namespace at::native
