// Mathematical constants for every element type: c10::pi<float>.
#pragma once

#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {

template <class T>
inline constexpr T e = static_cast<T>(2.718281828459045235360287471352662498);
template <class T>
inline constexpr T euler = static_cast<T>(0.577215664901532860606512090082402431);
template <class T>
inline constexpr T frac_1_pi = static_cast<T>(0.318309886183790671537767526745028724);
template <class T>
inline constexpr T frac_1_sqrt_pi = static_cast<T>(0.564189583547756286948079451560772586);
template <class T>
inline constexpr T frac_sqrt_2 = static_cast<T>(0.707106781186547524400844362104849039);
template <class T>
inline constexpr T golden_ratio = static_cast<T>(1.618033988749894848204586834365638118);
template <class T>
inline constexpr T ln_10 = static_cast<T>(2.302585092994045684017991454684364208);
template <class T>
inline constexpr T ln_2 = static_cast<T>(0.693147180559945309417232121458176568);
template <class T>
inline constexpr T log_10_2 = static_cast<T>(0.301029995663981195213738894724493027);
template <class T>
inline constexpr T log_2_10 = static_cast<T>(3.321928094887362347870319429489390176);
template <class T>
inline constexpr T log_2_e = static_cast<T>(1.442695040888963407359924681001892137);
template <class T>
inline constexpr T pi = static_cast<T>(3.141592653589793238462643383279502884);
template <class T>
inline constexpr T sqrt_2 = static_cast<T>(1.414213562373095048801688724209698079);
template <class T>
inline constexpr T sqrt_3 = static_cast<T>(1.732050807568877293527446341505872367);

}  // namespace c10::inline C10_ABI
