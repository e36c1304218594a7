// searchsorted on the CPU: binary searches for several values in step, without branches.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/math/types.h>
#include <ATen/native/sorting/stubs.h>

#include <algorithm>

namespace at::native {
namespace {

constexpr int64_t searched_at_once = 16;  // enough to hide the latency of loads

// Whether x comes before the place of value v; NaN counts as larger than any number.
template <bool right, class O>
C10_ALWAYS_INLINE bool is_before(O x, O v) {
  if constexpr (std::is_integral_v<O>) {
    return right ? x <= v : x < v;
  } else {
    return right ? (x <= v) | (v != v) : (x < v) | ((v != v) & (x == x));
  }
}

template <bool right, class T>
void search_in_step(const T* line, int64_t n, const T* values, int64_t* places) {
  using O = ufunc::opmath<T>;
  O v[searched_at_once];
  for (int64_t j = 0; j < searched_at_once; ++j) {
    v[j] = static_cast<O>(values[j]);
    places[j] = 0;
  }
  int64_t length = n;
  while (length > 1) {
    const int64_t half = length / 2;
    for (int64_t j = 0; j < searched_at_once; ++j) {
      const O x = static_cast<O>(line[places[j] + half - 1]);
      places[j] += half & -static_cast<int64_t>(is_before<right>(x, v[j]));
    }
    length -= half;
  }
  for (int64_t j = 0; j < searched_at_once; ++j) {
    places[j] += is_before<right>(static_cast<O>(line[places[j]]), v[j]);
  }
}

// The places of up to searched_at_once values.
template <class T>
void search_some(const T* line, int64_t n, const T* values, int64_t count, bool right, int64_t* places) {
  T padded[searched_at_once];
  if (count < searched_at_once) {
    std::fill_n(std::copy_n(values, count, padded), searched_at_once - count, values[0]);
    values = padded;
  }
  right ? search_in_step<true>(line, n, values, places) : search_in_step<false>(line, n, values, places);
}

template <class I>
void store_places(void* out, int64_t first, const int64_t* places, int64_t count) {
  for (int64_t j = 0; j < count; ++j) static_cast<I*>(out)[first + j] = static_cast<I>(places[j]);
}

void searchsorted(const TensorBase& result, const TensorBase& lines, const TensorBase& values, bool right) {
  const int64_t n = lines.size(-1), total = values.numel();
  const int64_t per_line = lines.dim() == 1 ? total : values.size(-1);
  const auto store = result.scalar_type() == kInt ? &store_places<int32_t> : &store_places<int64_t>;
  void* out = result.mutable_data_ptr();
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, lines.scalar_type(), "searchsorted_out_cpu", [&] {
    const auto* line = lines.const_data_ptr<scalar_t>();
    const auto* value = values.const_data_ptr<scalar_t>();
    at::parallel_for(0, total, 2048, [&](int64_t begin, int64_t end) {
      int64_t places[searched_at_once] = {};
      for (int64_t i = begin, count = 0; i < end; i += count) {
        count = std::min({searched_at_once, end - i, per_line - i % per_line});
        if (n > 0) search_some(line + i / per_line * n, n, value + i, count, right, places);
        store(out, i, places, count);
      }
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(searchsorted_stub, &searchsorted)

}  // namespace at::native
