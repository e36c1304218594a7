// The Bessel functions J and Y of orders 0 and 1, the spherical j0 and the Airy function Ai. They are
// computed in double, from Chebyshev series whose coefficients tests/numerics/series.py computes.
#pragma once

#include <ATen/native/math/chebyshev.h>
#include <ATen/native/math/math.h>
#include <ATen/native/math/math_trig.h>
#include <ATen/native/math/types.h>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// Series of x^2 for |x| <= 5: J0, J1 / x, and Y0 and Y1 / x without their logarithms and poles.
C10_HOST_DEVICE inline double small_j0(double x) {
  static constexpr double j0[] = {0.0023409898253245504,  -0.49420509340952434,    0.39793736723207573,
                                  -0.09383145879659378,   0.010887531648681012,    -0.0007606267657733754,
                                  3.569483646356939e-05,  -1.2060697061368316e-06, 3.079038572034392e-08,
                                  -6.154405541206829e-10, 9.89883306235983e-12,    -1.3093862877228934e-13,
                                  1.449925455546083e-15,  -1.3640331632027614e-17};
  return math::chebyshev_sum(j0, x * x * 0.08 - 1.0);
}
C10_HOST_DEVICE inline double small_j1(double x) {
  static constexpr double j1[] = {0.12472176826504336,    -0.2686845684799195,    0.09129790663903893,
                                  -0.014004653451391028,  0.001219706194308904,   -6.861294107933131e-05,
                                  2.7033690715030914e-06, -7.885506927808829e-08, 1.7729297565883533e-09,
                                  -3.168183400785992e-11, 4.609607207864301e-13,  -5.568208308467139e-15,
                                  5.674750797163287e-17,  -4.945591701810024e-19};
  return x * math::chebyshev_sum(j1, x * x * 0.08 - 1.0);
}
C10_HOST_DEVICE inline double small_y0(double x) {
  static constexpr double y0[] = {0.20605257634092228,     -0.13017522381095709,    -0.291894720865317,
                                  0.10268287966073635,     -0.014279159901781987,   0.0011164629864165486,
                                  -5.677525113380376e-05,  2.0406703657627165e-06,  -5.476431029755533e-08,
                                  1.141220652090372e-09,   -1.9021689490013906e-11, 2.5954970583106197e-13,
                                  -2.9540707750193604e-15, 2.848154182311252e-17};
  return math::chebyshev_sum(y0, x * x * 0.08 - 1.0);
}
C10_HOST_DEVICE inline double small_y1(double x) {
  static constexpr double y1[] = {0.0531074450560213,      0.14189450894667655,    -0.08834328868289824,
                                  0.017111109934210778,    -0.0017057852565133666, 0.000105257530278434,
                                  -4.44507526565354e-06,   1.3699277670028168e-07, -3.222883768023259e-09,
                                  5.984534092223177e-11,   -9.000965667133812e-13, 1.1194186560306676e-14,
                                  -1.1707921590181557e-16, 1.0444110354608508e-18};
  return x * math::chebyshev_sum(y1, x * x * 0.08 - 1.0);
}

// Beyond 5: J + iY = (p + iq) exp(i(x - phase)) sqrt(2 / (pi x)), with the phases pi / 4 and 3 pi / 4.
struct Wave {
  double p, q;
};

C10_HOST_DEVICE inline Wave large_wave0(double x) {
  static constexpr double p[] = {0.9986523398776954,      -0.00132937162125028,   1.761305551290559e-05,
                                 -6.319367118733069e-07,  3.948825587093808e-08,  -3.5409678948019087e-09,
                                 4.103246366872386e-10,   -5.765747662655223e-11, 9.423105578391987e-12,
                                 -1.7401405706283885e-12, 3.5557750052411783e-13, -7.914641501338115e-14,
                                 1.8959456362961828e-14,  -4.841483019175697e-15, 1.3078555195901338e-15,
                                 -3.714050821413154e-16,  1.103023177871277e-16,  -3.410936210498114e-17,
                                 1.0942187869810236e-17,  -3.629905673795297e-18, 1.2418028891673288e-18};
  static constexpr double q[] = {
      -0.024729405164334986,   0.00026380388099845215, -6.43759824253235e-06,   3.247418641128558e-07,
      -2.548657948406561e-08,  2.7026065526268818e-09, -3.5701518102394104e-10, 5.5817142695807205e-11,
      -9.977816055305666e-12,  1.990142733561329e-12,  -4.3502412086017667e-13, 1.0280254324855211e-13,
      -2.5986485312118355e-14, 6.967527155377957e-15,  -1.9680115145087463e-15, 5.8230549837184e-16,
      -1.7964302342606689e-16, 5.755537813115849e-17,  -1.9085810023462685e-17, 6.5316323887296735e-18,
      -2.301036357065232e-18,  8.32640853075718e-19,   -3.0887382878007324e-19, 1.1725918471038356e-19,
      -4.548728447650107e-20};
  const double ratio = 5.0 / x, t = 2.0 * ratio * ratio - 1.0;
  return {math::chebyshev_sum(p, t), ratio * math::chebyshev_sum(q, t)};
}
C10_HOST_DEVICE inline Wave large_wave1(double x) {
  static constexpr double p[] = {1.00226762068534,        0.0022437352958079985,  -2.3071018862548286e-05,
                                 7.639181732533905e-07,   -4.589685232343401e-08, 4.020515478419001e-09,
                                 -4.586773977170972e-10,  6.373158962859246e-11,  -1.0327344567640412e-11,
                                 1.8943274995111034e-12,  -3.849703387824105e-13, 8.529914525779044e-14,
                                 -2.03544697865723e-14,   5.180421738900549e-15,  -1.3953502148258493e-15,
                                 3.9523601713314257e-16,  -1.171117080126803e-16, 3.614078564738109e-17,
                                 -1.1572356053251518e-17, 3.832473906744907e-18,  -1.3090769675043101e-18};
  static constexpr double q[] = {
      0.07461746924293727,    -0.00037410379362102955, 8.01139890409206e-06,   -3.828805678171264e-07,
      2.917633021484398e-08,  -3.036679728934633e-09,  3.9598445211790335e-10, -6.131962898875392e-11,
      1.0880467184119506e-11, -2.1573304385076937e-12, 4.692705663517787e-13,  -1.1044093713083652e-13,
      2.781945696278766e-14,  -7.436303350432923e-15,  2.0948126235658333e-15, -6.183568405835825e-16,
      1.9036103662163e-16,    -6.087290133410104e-17,  2.0150975159994986e-17, -6.885261323962649e-18,
      2.4221007940443373e-18, -8.752777804856654e-19,  3.2428888011494625e-19, -1.2296988297217244e-19};
  const double ratio = 5.0 / x, t = 2.0 * ratio * ratio - 1.0;
  return {math::chebyshev_sum(p, t), ratio * math::chebyshev_sum(q, t)};
}

// cosine * cos(x) + sine * sin(x), over sqrt(pi x). The phase would lose digits as a difference of angles.
C10_HOST_DEVICE inline double turned(double x, double cosine, double sine) {
  if (x == static_cast<double>(__builtin_inff())) return 0.0;
  return (cosine * math::cos(x) + sine * math::sin(x)) * 0.56418958354775628695 / math::sqrt(x);
}

C10_HOST_DEVICE inline double bessel_j0(double x) {
  const double y = math::fabs(x);
  if (y <= 5.0) return small_j0(x);
  const Wave w = large_wave0(y);
  return turned(y, w.p + w.q, w.p - w.q);
}

C10_HOST_DEVICE inline double bessel_j1(double x) {
  const double y = math::fabs(x);
  if (y <= 5.0) return small_j1(x);
  const Wave w = large_wave1(y);
  const double magnitude = turned(y, w.q - w.p, w.p + w.q);
  return x < 0.0 ? -magnitude : magnitude;
}

C10_HOST_DEVICE inline double bessel_y0(double x) {
  if (x < 0.0) return static_cast<double>(__builtin_nanf(""));
  if (x <= 5.0) return small_y0(x) + 0.63661977236758134308 * math::log(x) * small_j0(x);
  const Wave w = large_wave0(x);
  return turned(x, w.q - w.p, w.p + w.q);
}

C10_HOST_DEVICE inline double bessel_y1(double x) {
  if (x < 0.0) return static_cast<double>(__builtin_nanf(""));
  if (x == 0.0) return -static_cast<double>(__builtin_inff());
  if (x <= 5.0) return small_y1(x) + 0.63661977236758134308 * (math::log(x) * small_j1(x) - 1.0 / x);
  const Wave w = large_wave1(x);
  return turned(x, -w.p - w.q, w.q - w.p);
}

C10_HOST_DEVICE inline double spherical_bessel_j0(double x) {
  if (x == 0.0) return 1.0;
  if (math::fabs(x) == static_cast<double>(__builtin_inff())) return 0.0;
  return math::sin(x) / x;
}

// Below -5 a wave in zeta = 2/3 |x|^(3/2); above 2 exp(-zeta) times a series of 1 / zeta.
C10_HOST_DEVICE inline double airy_ai(double x) {
  static constexpr double negative[] = {
      0.21780501400549876,     0.15243919682610405,     0.24413048723903907,     -0.25723797937555526,
      -0.10405689786164055,    0.1258789994498457,      -0.010730847332209423,   -0.019770891044724,
      0.006501814365774597,    0.0007291639947388939,   -0.0007904009988707628,  0.00010807305451804548,
      3.4929680917219585e-05,  -1.3631889435344286e-05, 5.550644712274884e-07,   5.960077778021826e-07,
      -1.282333427112974e-07,  -3.89217252588784e-09,   5.604665504886613e-09,   -7.325023228050804e-10,
      -7.584948080022729e-11,  3.38146239476339e-11,    -2.6271661958850626e-12, -5.532266987341432e-13,
      1.420039294312333e-13,   -5.439423676954658e-15,  -2.531215287774012e-15,  4.3663099026744113e-16,
      -2.0279016787339435e-18, -8.263802231245331e-18,  1.015534874716995e-18};
  static constexpr double positive[] = {
      0.39260717293015435,     -0.0014955813419120232,  -0.038177735244945034, 0.0017354854191631145,
      0.0007808448905646829,   -6.678421819790234e-05,  -7.99777850762965e-06, 1.1529065147630457e-06,
      3.0209395159452384e-08,  -1.1473888110843562e-08, 2.465802544335648e-10, 6.967269702664964e-11,
      -4.330665111632666e-12,  -2.275073240499373e-13,  3.122681850029469e-14, -7.505548114828275e-17,
      -1.3561060354176124e-16, 5.156102439718534e-18};
  static constexpr double large[] = {
      0.9844053049171552,     -0.014792784850104199,   0.0007327177465426715,  -6.12595423417825e-05,
      6.83476697557269e-06,   -9.237229735403982e-07,  1.436225340438052e-07,  -2.489319422322096e-08,
      4.709793440054328e-09,  -9.583863708112733e-10,  2.0745855483677591e-10, -4.737267332192277e-11,
      1.1336099808224236e-11, -2.827706782319351e-12,  7.320712095125598e-13,  -1.9599793911089723e-13,
      5.4101162570683925e-14, -1.5356466802223836e-14, 4.472340393300025e-15,  -1.3338094674756683e-15,
      4.066582046456231e-16,  -1.265583225645289e-16,  4.015126334015871e-17,  -1.2969972135960937e-17,
      4.2613499074124e-18,    -1.422676842293507e-18};
  static constexpr double wave_p[] = {0.9996723415461005,     -0.0003255483561055322, 2.069745155969119e-06,
                                      -3.890961736474424e-08, 1.3645959446950337e-09, -7.265563438866682e-11,
                                      5.234675629062907e-12,  -4.749669415821452e-13, 5.172156139604189e-14,
                                      -6.533725295545284e-15, 9.33927407277721e-16,   -1.4823330512580455e-16,
                                      2.5745988399644002e-17, -4.8369440585693956e-18};
  static constexpr double wave_q[] = {
      0.06911528040160503,    -0.0003251060364586695,  3.945977743866323e-06,  -1.068929090514341e-07,
      4.800334718951617e-09,  -3.0691067169997637e-10, 2.5517594369013928e-11, -2.601606731752434e-12,
      3.123666855119186e-13,  -4.2903251712839485e-14, 6.596710595977435e-15,  -1.116833216041688e-15,
      2.0551350158850327e-16, -4.0680056098438254e-17, 8.589182631392619e-18,  -1.921018818902054e-18,
      4.524779482719087e-19,  -1.11690545207691e-19};
  constexpr double least_zeta = 1.8856180831641267317, wave_zeta = 7.4535599249992989880;
  const double y = math::fabs(x);
  if (y == static_cast<double>(__builtin_inff())) return 0.0;
  const double root = math::sqrt(y), zeta = y * root * (2.0 / 3.0), quarter = math::sqrt(root);
  if (x < -5.0) {
    const double ratio = wave_zeta / zeta, t = 2.0 * ratio * ratio - 1.0;
    const double p = math::chebyshev_sum(wave_p, t), q = math::chebyshev_sum(wave_q, t) / zeta;
    const double wave = (p - q) * math::cos(zeta) + (p + q) * math::sin(zeta);
    return wave * 0.39894228040143267794 / quarter;
  }
  if (x < 0.0) return math::chebyshev_sum(negative, 0.4 * x + 1.0);
  if (x <= 2.0) return math::exp(-1.16 * x) * math::chebyshev_sum(positive, x - 1.0);
  const double scale = math::exp(-zeta) * 0.28209479177387814347 / quarter;
  return scale * math::chebyshev_sum(large, 2.0 * least_zeta / zeta - 1.0);
}

}  // namespace detail

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_bessel_j0(T self) {
  return static_cast<T>(detail::bessel_j0(static_cast<double>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_bessel_j1(T self) {
  return static_cast<T>(detail::bessel_j1(static_cast<double>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_bessel_y0(T self) {
  return static_cast<T>(detail::bessel_y0(static_cast<double>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_bessel_y1(T self) {
  return static_cast<T>(detail::bessel_y1(static_cast<double>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_spherical_bessel_j0(T self) {
  return static_cast<T>(detail::spherical_bessel_j0(static_cast<double>(self)));
}

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T special_airy_ai(T self) {
  return static_cast<T>(detail::airy_ai(static_cast<double>(self)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
