// The loop of fused steps over the pieces of many tensors. 16-bit floats are computed in float, a block at a
// time.
#pragma once

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/LoopDriver.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/optimizer/stubs.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class O>
void divide(O* grad, O scale, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    grad[i] /= scale;
  }
}

// One piece of an item in its compute type. step(item, data, n).
template <class O, class Step>
C10_NOINLINE void run_scaled(const StepItems& all, const StepItems::Item& item, O* const* data, int64_t n,
                             const Step& step) {
  if (all.grad_scale.has_value()) {
    divide(data[1], static_cast<O>(*all.grad_scale), n);
  }
  step(item, data, n);
}

template <class O, class Step>
void run_piece(const StepItems& all, const StepItems::Item& item, int64_t first, int64_t n,
               const Step& step) {
  constexpr int most = 5;
  if (all.dtype == c10::CppTypeToScalarType<O>::value) {
    O* data[most];
    for (int k = 0; k < all.num_operands; k++) {
      data[k] = static_cast<O*>(item.data[k]) + first;
    }
    run_scaled(all, item, data, n, step);
    return;
  }
  constexpr int64_t block = 512;
  constexpr int64_t stored_size = 2;
  const loops::Convert load = loops::conversion(c10::CppTypeToScalarType<O>::value, all.dtype),
                       store = loops::conversion(all.dtype, c10::CppTypeToScalarType<O>::value);
  alignas(64) O buffers[most][block];
  O* data[most];
  for (int64_t i = 0; i < n; i += block) {
    const int64_t count = std::min(block, n - i);
    const auto at = [&](int k) { return static_cast<char*>(item.data[k]) + (first + i) * stored_size; };
    for (int k = 0; k < all.num_operands; k++) {
      data[k] = buffers[k];
      load(data[k], at(k), count);
    }
    run_scaled(all, item, data, count, step);
    for (int k = 0; k < all.num_operands; k++) {
      if (k != 1 || all.grad_scale.has_value()) {
        store(at(k), data[k], count);
      }
    }
  }
}

template <class O, class Step>
void run_steps(const StepItems& all, const Step& step) {
  at::parallel_for(0, all.numel, at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
    auto item = std::upper_bound(all.items.begin(), all.items.end(), begin,
                                 [](int64_t at, const auto& next) { return at < next.first; }) -
                1;
    for (; begin < end; ++item) {
      const int64_t first = begin - item->first, count = std::min(end - begin, item->numel - first);
      if (count == 0) continue;
      run_piece<O>(all, *item, first, count, step);
      begin += count;
    }
  });
}

// f(O()) with the compute type.
template <class F>
auto with_compute_type(const StepItems& all, const F& f) {
  return all.dtype == kDouble ? f(double()) : f(float());
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
