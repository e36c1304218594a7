// cumsum, accumulated in double or int64. Neighbouring lines are scanned together; in a single line, short
// pieces are scanned independently, so that only one addition in eight depends on another.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/elementwise/functors/arithmetic.h>
#include <ATen/native/scan/stubs.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using inner_loop::load_element;

// Continues from the sum `carry`; returns the last sum. Strides in elements.
template <class A, class T>
A scan_piece(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n, A carry) {
  constexpr int64_t piece = 8;
  int64_t i = 0;
  for (; i + piece <= n; i += piece) {
    A sums[piece];
    sums[0] = static_cast<A>(load_element(in + i * in_stride));
    for (int64_t k = 1; k < piece; k++) {
      sums[k] = ufunc::add<A>(sums[k - 1], static_cast<A>(load_element(in + (i + k) * in_stride)));
    }
    for (int64_t k = 0; k < piece; k++) {
      out[(i + k) * out_stride] = static_cast<T>(ufunc::add<A>(carry, sums[k]));
    }
    carry = ufunc::add<A>(carry, sums[piece - 1]);
  }
  for (; i < n; i++) {
    carry = ufunc::add<A>(carry, static_cast<A>(load_element(in + i * in_stride)));
    out[i * out_stride] = static_cast<T>(carry);
  }
  return carry;
}

template <class T>
void scan_line(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n) {
  using A = at::acc_type<T, false>;
  if constexpr (!std::is_same_v<ufunc::opmath<T>, T>) {
    if (out_stride == 1 && in_stride == 1) {  // 16-bit floats are converted a vector at a time
      constexpr int64_t block = 512;
      A carry = A(0), sums[block];
      for (int64_t i = 0; i < n; i += block) {
        const int64_t count = std::min(block, n - i);
        convert(in + i, sums, count);
        carry = scan_piece<A>(sums, 1, sums, 1, count, carry);
        convert(sums, out + i, count);
      }
      return;
    }
  }
  scan_piece<A>(out, out_stride, in, in_stride, n, A(0));
}

// `lines` lines that begin at neighbouring elements; strides along them in elements.
template <class T>
void scan_lines(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n, int64_t lines) {
  using A = at::acc_type<T, false>;
  constexpr int64_t block = 512;
  A sums[block];
  for (int64_t first = 0; first < lines; first += block) {
    const int64_t width = std::min(block, lines - first);
    std::fill_n(sums, width, A(0));
    for (int64_t i = 0; i < n; i++) {
      const T* from = in + i * in_stride + first;
      T* to = out + i * out_stride + first;
#pragma GCC ivdep
      for (int64_t c = 0; c < width; c++) {
        sums[c] = ufunc::add<A>(sums[c], static_cast<A>(load_element(from + c)));
        to[c] = static_cast<T>(sums[c]);
      }
    }
  }
}

template <class T>
void cumsum_lines(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const int64_t n = self.size(dim);
  const int64_t out_stride = result.stride(dim);
  const int64_t in_stride = self.stride(dim);
  // Visits the beginnings of all lines.
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)
                  .resize_outputs(false)
                  .declare_static_shape(self.sizes(), /*squash_dims=*/dim)
                  .add_output(result)
                  .add_const_input(self)
                  .build();
  const auto loop = [&](char** data, const int64_t* strides, int64_t lines) {
    auto* out = reinterpret_cast<T*>(data[0]);
    const auto* in = reinterpret_cast<const T*>(data[1]);
    if (lines >= 4 && strides[0] == sizeof(T) && strides[1] == sizeof(T)) {
      scan_lines(out, out_stride, in, in_stride, n, lines);
      return;
    }
    for (int64_t line = 0; line < lines; line++) {
      scan_line(reinterpret_cast<T*>(data[0] + line * strides[0]), out_stride,
                reinterpret_cast<const T*>(data[1] + line * strides[1]), in_stride, n);
    }
  };
  // Neighbouring lines are split into few pieces: each reads one contiguous run per step.
  const int64_t least = out_stride == 1 ? 1 : 512;
  iter.for_each(loop, std::max(least, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1)));
}

void cumsum_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_V2(self.scalar_type(), "cumsum_cpu",
                 AT_WRAP([&] { cumsum_lines<scalar_t>(result, self, dim); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cumsum_stub, &cumsum_kernel)

}  // namespace at::native
