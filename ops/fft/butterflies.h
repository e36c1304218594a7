// Fourier transforms of a few points, scalars or vectors: a[0..radix) is transformed in place.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {
namespace fft {

template <class V>
struct Point {
  V re, im;
};

template <class V>
C10_HOST_DEVICE C10_ALWAYS_INLINE Point<V> operator+(Point<V> a, Point<V> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
C10_HOST_DEVICE C10_ALWAYS_INLINE Point<V> operator-(Point<V> a, Point<V> b) {
  return {a.re - b.re, a.im - b.im};
}
/// Times a real number.
template <class V, class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE Point<V> scaled(Point<V> a, T factor) {
  return {a.re * factor, a.im * factor};
}
/// Times -i.
template <class V>
C10_HOST_DEVICE C10_ALWAYS_INLINE Point<V> turned(Point<V> a) {
  return {a.im, -a.re};
}
/// Times a complex number, whose parts may be scalars or vectors.
template <class V, class W>
C10_HOST_DEVICE C10_ALWAYS_INLINE Point<V> product(Point<V> a, W re, W im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

template <int radix>
struct Butterfly;

template <>
struct Butterfly<2> {
  template <class T, class V>
  C10_HOST_DEVICE static C10_ALWAYS_INLINE void apply(Point<V>* a) {
    const Point<V> difference = a[0] - a[1];
    a[0] = a[0] + a[1];
    a[1] = difference;
  }
};

template <>
struct Butterfly<3> {
  template <class T, class V>
  C10_HOST_DEVICE static C10_ALWAYS_INLINE void apply(Point<V>* a) {
    const Point<V> sum = a[1] + a[2];
    const Point<V> across = turned(scaled(a[1] - a[2], T(0.86602540378443864676)));
    const Point<V> middle = a[0] - scaled(sum, T(0.5));
    a[0] = a[0] + sum;
    a[1] = middle + across;
    a[2] = middle - across;
  }
};

template <>
struct Butterfly<4> {
  template <class T, class V>
  C10_HOST_DEVICE static C10_ALWAYS_INLINE void apply(Point<V>* a) {
    const Point<V> even = a[0] + a[2], even_across = a[0] - a[2];
    const Point<V> odd = a[1] + a[3], odd_across = turned(a[1] - a[3]);
    a[0] = even + odd;
    a[1] = even_across + odd_across;
    a[2] = even - odd;
    a[3] = even_across - odd_across;
  }
};

template <>
struct Butterfly<5> {
  template <class T, class V>
  C10_HOST_DEVICE static C10_ALWAYS_INLINE void apply(Point<V>* a) {
    const T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410);
    const T s1 = T(0.95105651629515357212), s2 = T(0.58778525229247312917);
    const Point<V> outer = a[1] + a[4], inner = a[2] + a[3];
    const Point<V> outer_across = a[1] - a[4], inner_across = a[2] - a[3];
    const Point<V> near = a[0] + scaled(outer, c1) + scaled(inner, c2);
    const Point<V> far = a[0] + scaled(outer, c2) + scaled(inner, c1);
    const Point<V> near_across = turned(scaled(outer_across, s1) + scaled(inner_across, s2));
    const Point<V> far_across = turned(scaled(outer_across, s2) - scaled(inner_across, s1));
    a[0] = a[0] + outer + inner;
    a[1] = near + near_across;
    a[4] = near - near_across;
    a[2] = far + far_across;
    a[3] = far - far_across;
  }
};

template <>
struct Butterfly<8> {
  template <class T, class V>
  C10_HOST_DEVICE static C10_ALWAYS_INLINE void apply(Point<V>* a) {
    const T half_root = T(0.70710678118654752440);
    Point<V> even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
    Butterfly<4>::apply<T>(even);
    Butterfly<4>::apply<T>(odd);
    odd[1] = scaled(Point<V>{odd[1].re + odd[1].im, odd[1].im - odd[1].re}, half_root);
    odd[2] = turned(odd[2]);
    odd[3] = scaled(Point<V>{odd[3].im - odd[3].re, -odd[3].re - odd[3].im}, half_root);
    for (int k = 0; k < 4; ++k) {
      a[k] = even[k] + odd[k];
      a[k + 4] = even[k] - odd[k];
    }
  }
};

/// Any odd radix up to `most`, by the definition; re and im are the roots w(radix, k).
template <int most, class T, class V>
C10_HOST_DEVICE inline void odd_butterfly(Point<V>* a, int radix, const T* re, const T* im) {
  Point<V> sums[most / 2 + 1], differences[most / 2 + 1];
  const int half = radix / 2;
  Point<V> total = a[0];
  for (int k = 1; k <= half; ++k) {
    sums[k] = a[k] + a[radix - k];
    differences[k] = a[k] - a[radix - k];
    total = total + sums[k];
  }
  for (int j = 1; j <= half; ++j) {
    Point<V> along = a[0], across = scaled(differences[1], -im[j]);
    for (int k = 1, root = j; k <= half; ++k) {
      along = along + scaled(sums[k], re[root]);
      if (k > 1) across = across + scaled(differences[k], -im[root]);
      root += j;
      if (root >= radix) root -= radix;
    }
    across = turned(across);
    a[j] = along + across;
    a[radix - j] = along - across;
  }
  a[0] = total;
}

/// Converts points k and n - k between the transform of a real line's pairs and that of the whole line; they
/// are at `low` and `high`; w is w(2n, k). The points 0 and n correspond to point 0 of the pairs' transform;
/// in the backward direction they are treated as real.
template <bool backward, class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE void join_points(T* re, T* im, int64_t low, int64_t high, int64_t partner,
                                                   T w_re, T w_im, bool real) {
  constexpr T half = backward ? T(1) : T(0.5), sign = backward ? T(-1) : T(1);
  const T a_re = re[low], a_im = real ? T(0) : im[low];
  const T b_re = re[partner], b_im = real ? T(0) : im[partner];
  const T even_re = (a_re + b_re) * half, even_im = (a_im - b_im) * half;
  const T odd_re = (a_re - b_re) * half, odd_im = (a_im + b_im) * half;
  // odd times -i * w, backward times i * conj(w).
  const T turned_re = sign * (odd_im * w_re) + odd_re * w_im;
  const T turned_im = odd_im * w_im - sign * (odd_re * w_re);
  re[low] = even_re + turned_re;
  im[low] = even_im + turned_im;
  re[high] = even_re - turned_re;
  im[high] = turned_im - even_im;
}

}  // namespace fft
}  // namespace at::native
