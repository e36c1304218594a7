// Plans of Fourier transforms of one length: how it is cut into passes, and the roots of unity that they
// need. The passes are Stockham's (1966): pass after pass of radix r turns `rest` points of distance `stride`
// into r times rest / r points,
//   y[q + stride * (r * p + j)] = w(rest, p * j) * sum over k of w(r, j * k) x[q + stride * (p + rest / r *
//   k)],
// with w(n, k) = exp(-2 pi i k / n), so that the result is in order. A length with a large prime factor is
// transformed as a convolution of a longer, smooth length (Bluestein, 1970).
#pragma once

#include <c10/macros/Export.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace at::native {

/// Real and imaginary parts, each by itself.
template <class T>
struct FftRoots {
  std::vector<T> re, im;
};

/// Radices up to this have a generic pass of their own.
constexpr int64_t largest_fft_radix = 61;

template <class T>
struct FftPass {
  int64_t radix;
  int64_t count;    // rest / radix
  int64_t twiddle;  // w(rest, p * j) is at twiddle + (j - 1) * count + p
  int64_t root;     // of a radix without a butterfly of its own: w(radix, k) is at root + k
};

template <class T>
struct FftPlan {
  int64_t n = 0;
  std::vector<FftPass<T>> passes;
  FftRoots<T> twiddles;
  FftRoots<T> roots;
  FftRoots<T> halves;  // w(2n, k) for k <= n / 2: they join the halves of a real transform of length 2n

  // Bluestein's: chirp[j] = exp(-pi i j^2 / n); `kernel` is the transform of its conjugate, wrapped around.
  std::shared_ptr<const FftPlan> padded;
  FftRoots<T> chirp, kernel;

  /// The buffer size of one line, in points.
  int64_t buffer_size() const { return padded ? padded->n : n; }
};

/// The plan for n >= 1 points, for T float or double. Plans are cached for later calls.
template <class T>
std::shared_ptr<const FftPlan<T>> fft_plan(int64_t n);

extern template TORCH_API std::shared_ptr<const FftPlan<float>> fft_plan(int64_t n);
extern template TORCH_API std::shared_ptr<const FftPlan<double>> fft_plan(int64_t n);

}  // namespace at::native
