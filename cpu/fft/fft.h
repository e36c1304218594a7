// Fourier transforms of many lines at once, in vectors. For files of cpu/*/simd. Real and imaginary parts are
// in separate planes, with `lanes` lines interleaved: point j of line l is at j * lanes + l.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/fft/butterflies.h>
#include <ATen/native/fft/plan.h>

#include <algorithm>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class T>
struct Planes {
  T *re, *im;

  /// A forward transform with real and imaginary parts swapped, before and after, is a backward transform.
  Planes swapped() const { return {im, re}; }
};

template <class V, class T>
C10_ALWAYS_INLINE fft::Point<V> load_point(Planes<T> from, int64_t at) {
  fft::Point<V> point;
  std::memcpy(&point.re, from.re + at, sizeof(V));
  std::memcpy(&point.im, from.im + at, sizeof(V));
  return point;
}

template <class V, class T>
C10_ALWAYS_INLINE void store_point(Planes<T> to, int64_t at, fft::Point<V> point) {
  std::memcpy(to.re + at, &point.re, sizeof(V));
  std::memcpy(to.im + at, &point.im, sizeof(V));
}

template <class T, int bytes>
struct Short {
  typedef T type __attribute__((vector_size(bytes)));
};

// ---- radices

template <int count>
struct FixedRadix {
  static constexpr int most = count;
  static constexpr int radix() { return count; }
  template <class T, class V>
  C10_ALWAYS_INLINE void apply(fft::Point<V>* a) const {
    fft::Butterfly<count>::template apply<T>(a);
  }
};

template <class Root>
struct OddRadix {
  static constexpr int most = largest_fft_radix;
  int count;
  const Root *re, *im;

  int radix() const { return count; }
  template <class T, class V>
  C10_ALWAYS_INLINE void apply(fft::Point<V>* a) const {
    fft::odd_butterfly<most>(a, count, re, im);
  }
};

// ---- one pass

template <class T>
struct PassGeometry {
  Planes<T> from, to;
  int64_t count, stride;  // as plan.h names them; the stride includes a line's lanes
  const T *twiddle_re, *twiddle_im;
};

// The columns of point p from `column` on, as far as vectors of type V reach; returns where they end.
template <class V, class T, class Radix>
C10_ALWAYS_INLINE int64_t pass_columns(const Radix& radix, const PassGeometry<T>& g, int64_t p,
                                       int64_t column) {
  constexpr int64_t width = sizeof(V) / sizeof(T);
  fft::Point<V> a[Radix::most];
  const int r = radix.radix();
  for (; column + width <= g.stride; column += width) {
#pragma GCC unroll 8
    for (int k = 0; k < r; ++k) a[k] = load_point<V>(g.from, column + g.stride * (p + g.count * k));
    radix.template apply<T>(a);
    store_point(g.to, column + g.stride * r * p, a[0]);
#pragma GCC unroll 8
    for (int j = 1; j < r; ++j) {
      const T re = g.twiddle_re[(j - 1) * g.count + p], im = g.twiddle_im[(j - 1) * g.count + p];
      store_point(g.to, column + g.stride * (r * p + j), fft::product(a[j], re, im));
    }
  }
  return column;
}

template <class T, class Radix>
void pass_by_columns(const Radix& radix, const PassGeometry<T>& g) {
  for (int64_t p = 0; p < g.count; ++p) {
    int64_t column = pass_columns<Vec<T>>(radix, g, p, 0);
    if constexpr (vector_bytes > 32) {
      column = pass_columns<typename Short<T, 32>::type>(radix, g, p, column);
    }
    if constexpr (vector_bytes > 16) {
      column = pass_columns<typename Short<T, 16>::type>(radix, g, p, column);
    }
    pass_columns<T>(radix, g, p, column);
  }
}

// The first pass of a single line has a stride of one: vectors go along its points instead.
template <class V, class T, class Radix>
C10_ALWAYS_INLINE int64_t first_pass_points(const Radix& radix, const PassGeometry<T>& g, int64_t p) {
  constexpr int64_t width = sizeof(V) / sizeof(T);
  fft::Point<V> a[Radix::most];
  T re[Radix::most][width], im[Radix::most][width];
  const int r = radix.radix();
  for (; p + width <= g.count; p += width) {
#pragma GCC unroll 8
    for (int k = 0; k < r; ++k) a[k] = load_point<V>(g.from, p + g.count * k);
    radix.template apply<T>(a);
    store_point(Planes<T>{re[0], im[0]}, 0, a[0]);
#pragma GCC unroll 8
    for (int j = 1; j < r; ++j) {
      const Planes<T> twiddles{const_cast<T*>(g.twiddle_re), const_cast<T*>(g.twiddle_im)};
      const auto w = load_point<V>(twiddles, (j - 1) * g.count + p);
      store_point(Planes<T>{re[j], im[j]}, 0, fft::product(a[j], w.re, w.im));
    }
    T *to_re = g.to.re + r * p, *to_im = g.to.im + r * p;
    for (int64_t i = 0; i < width; ++i) {
      for (int j = 0; j < r; ++j) to_re[i * r + j] = re[j][i];
    }
    for (int64_t i = 0; i < width; ++i) {
      for (int j = 0; j < r; ++j) to_im[i * r + j] = im[j][i];
    }
  }
  return p;
}

template <class T, class Radix>
void run_pass(const Radix& radix, const PassGeometry<T>& g) {
  if (g.stride == 1) {
    first_pass_points<T>(radix, g, first_pass_points<Vec<T>>(radix, g, 0));
  } else {
    pass_by_columns(radix, g);
  }
}

template <class T>
void run_pass(const FftPlan<T>& plan, const FftPass<T>& pass, Planes<T> from, Planes<T> to, int64_t stride) {
  const PassGeometry<T> g{from,
                          to,
                          pass.count,
                          stride,
                          plan.twiddles.re.data() + pass.twiddle,
                          plan.twiddles.im.data() + pass.twiddle};
  switch (pass.radix) {
    case 2:
      return run_pass(FixedRadix<2>(), g);
    case 3:
      return run_pass(FixedRadix<3>(), g);
    case 4:
      return run_pass(FixedRadix<4>(), g);
    case 5:
      return run_pass(FixedRadix<5>(), g);
    case 8:
      return run_pass(FixedRadix<8>(), g);
    default:
      return run_pass(OddRadix<T>{static_cast<int>(pass.radix), plan.roots.re.data() + pass.root,
                                  plan.roots.im.data() + pass.root},
                      g);
  }
}

// ---- whole transforms

template <class T>
void multiply_points(Planes<T> x, const FftRoots<T>& factors, int64_t n, int64_t lanes) {
  const T *re = factors.re.data(), *im = factors.im.data();
  if (lanes == 1) {
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) {
      const T a = x.re[j], b = x.im[j];
      x.re[j] = a * re[j] - b * im[j];
      x.im[j] = a * im[j] + b * re[j];
    }
    return;
  }
  for (int64_t j = 0; j < n; ++j) {
#pragma GCC ivdep
    for (int64_t i = j * lanes; i < (j + 1) * lanes; ++i) {
      const T a = x.re[i], b = x.im[i];
      x.re[i] = a * re[j] - b * im[j];
      x.im[i] = a * im[j] + b * re[j];
    }
  }
}

/// Transforms the points in x, with `other` as a buffer of the same size. Returns the one that holds the
/// result.
template <class T>
Planes<T> run_fft(const FftPlan<T>& plan, Planes<T> x, Planes<T> other, int64_t lanes) {
  if (plan.padded) {
    const int64_t n = plan.n, length = plan.padded->n;
    multiply_points(x, plan.chirp, n, lanes);
    std::fill(x.re + n * lanes, x.re + length * lanes, T(0));
    std::fill(x.im + n * lanes, x.im + length * lanes, T(0));
    const Planes<T> transformed = run_fft(*plan.padded, x, other, lanes);
    multiply_points(transformed, plan.kernel, length, lanes);
    const Planes<T> free = transformed.re == x.re ? other : x;
    const Planes<T> result = run_fft(*plan.padded, transformed.swapped(), free.swapped(), lanes).swapped();
    multiply_points(result, plan.chirp, n, lanes);
    return result;
  }
  int64_t stride = lanes;
  for (const auto& pass : plan.passes) {
    run_pass(plan, pass, x, other, stride);
    std::swap(x, other);
    stride *= pass.radix;
  }
  return x;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
