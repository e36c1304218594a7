// AT_DISPATCH_V2(dtype, "name", AT_WRAP(lambda), dtypes...): as Dispatch.h, for any list of dtypes and
// groups.
//   AT_DISPATCH_V2(dtype, "add_cpu", AT_WRAP([&] { ... }), AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf,
//   kBFloat16);
#pragma once

#include <ATen/Dispatch.h>

#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(X) X

#define AT_FLOATING_TYPES ::c10::ScalarType::Double, ::c10::ScalarType::Float
#define AT_REDUCED_FLOATING_TYPES ::c10::ScalarType::Half, ::c10::ScalarType::BFloat16
#define AT_COMPLEX_TYPES ::c10::ScalarType::ComplexDouble, ::c10::ScalarType::ComplexFloat
#define AT_INTEGRAL_TYPES                                                                            \
  ::c10::ScalarType::Byte, ::c10::ScalarType::Char, ::c10::ScalarType::Int, ::c10::ScalarType::Long, \
      ::c10::ScalarType::Short
#define AT_BAREBONES_UNSIGNED_TYPES \
  ::c10::ScalarType::UInt16, ::c10::ScalarType::UInt32, ::c10::ScalarType::UInt64
#define AT_LIMITED_TYPES AT_BAREBONES_UNSIGNED_TYPES, ::c10::ScalarType::ComplexHalf
#define AT_ALL_TYPES AT_INTEGRAL_TYPES, AT_FLOATING_TYPES
#define AT_FLOATING_AND_COMPLEX_TYPES AT_FLOATING_TYPES, AT_COMPLEX_TYPES
#define AT_ALL_TYPES_AND_COMPLEX AT_ALL_TYPES, AT_COMPLEX_TYPES

// The body travels in parentheses, so that its commas stay its own. A macro that names itself is not expanded
// again while it is being expanded; AT_PRIVATE_RESCAN lets the list walk itself, up to 64 dtypes.
#define AT_PRIVATE_EMPTY ()
#define AT_PRIVATE_RESCAN(...) \
  AT_PRIVATE_RESCAN_1(AT_PRIVATE_RESCAN_1(AT_PRIVATE_RESCAN_1(AT_PRIVATE_RESCAN_1(__VA_ARGS__))))
#define AT_PRIVATE_RESCAN_1(...) \
  AT_PRIVATE_RESCAN_2(AT_PRIVATE_RESCAN_2(AT_PRIVATE_RESCAN_2(AT_PRIVATE_RESCAN_2(__VA_ARGS__))))
#define AT_PRIVATE_RESCAN_2(...) \
  AT_PRIVATE_RESCAN_3(AT_PRIVATE_RESCAN_3(AT_PRIVATE_RESCAN_3(AT_PRIVATE_RESCAN_3(__VA_ARGS__))))
#define AT_PRIVATE_RESCAN_3(...) __VA_ARGS__
#define AT_PRIVATE_CASES(BODY, ...) __VA_OPT__(AT_PRIVATE_RESCAN(AT_PRIVATE_CASES_STEP(BODY, __VA_ARGS__)))
#define AT_PRIVATE_CASES_STEP(BODY, TYPE, ...) \
  AT_DISPATCH_CASE(TYPE, AT_WRAP BODY) __VA_OPT__(AT_PRIVATE_CASES_NEXT AT_PRIVATE_EMPTY(BODY, __VA_ARGS__))
#define AT_PRIVATE_CASES_NEXT() AT_PRIVATE_CASES_STEP

#define AT_DISPATCH_V2(TYPE, NAME, BODY, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_PRIVATE_CASES((BODY), __VA_ARGS__))
