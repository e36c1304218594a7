// Dropout: random words, the mask and the output in one pass.
#include <ATen/Dispatch.h>
#include <ATen/native/cpu/dropout/dropout.h>
#include <ATen/native/cpu/random/groups.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void dropout_numbers(T* out, bool* mask, const T* in, int64_t numel, double keep, double scale) {
  using O = ufunc::opmath<T>;
  const uint64_t limit = true_words(keep);
  const bool always = limit > std::numeric_limits<uint32_t>::max();
  const uint32_t below = static_cast<uint32_t>(limit);
  const O factor = static_cast<O>(scale), rejected = always ? factor : O(0);
  for_each_group(numel, group_words, std::nullopt, [&](const uint32_t* words, int64_t first, int64_t count) {
    bool kept[group_words];
    O factors[group_words];
    for (int64_t i = 0; i < group_words; ++i) {
      kept[i] = (words[i] < below) | always;
    }
    const O yes = factor,
            no = rejected;  // loaded once: for the compiler, stores may change captures
    for (int64_t i = 0; i < group_words; ++i) {
      factors[i] = words[i] < below ? yes : no;
    }
    const auto write = [&, x = in + first, y = out + first](int64_t n) {
      T scaled[group_words];
      for (int64_t i = 0; i < n; ++i) {
        scaled[i] = static_cast<T>(static_cast<O>(x[i]) * factors[i]);
      }
      std::copy_n(scaled, n, y);
      std::copy_n(kept, n, mask + first);
    };
    if (count == group_words) {  // a constant trip count: the loop is unrolled
      write(group_words);
    } else {
      write(count);
    }
  });
}

void dropout_kernel(const TensorBase& output, const TensorBase& mask, const TensorBase& input, double keep,
                    double scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "native_dropout", [&] {
    dropout_numbers(output.mutable_data_ptr<scalar_t>(), mask.mutable_data_ptr<bool>(),
                    input.const_data_ptr<scalar_t>(), input.numel(), keep, scale);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(dropout_stub, &dropout_kernel)

}  // namespace at::native
