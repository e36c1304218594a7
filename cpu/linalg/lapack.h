// Calls of LAPACK, and of the BLAS beneath it, in a library that the first call loads (lapack.cpp says
// which). Matrices are column-major, as Fortran has them, and integers have 32 bits.
#pragma once

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/complex.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace at::native::lapack {

using Int = int32_t;

/// The name of a routine without the letter for its dtype: "potrf" of spotrf, dpotrf, cpotrf and zpotrf.
template <size_t n>
struct Stem {
  char text[n]{};
  consteval Stem(const char (&given)[n]) {  // NOLINT(google-explicit-constructor)
    for (size_t i = 0; i < n; ++i) text[i] = given[i];
  }
};

/// The address of the routine `letter` + `stem`; throws where there is no library, or it lacks the routine.
void* routine(char letter, const char* stem);

/// LAPACK's own threads, for the calls that follow: those of aten's loops, and 1 within one.
void use_threads(int64_t count);

/// A size or distance as LAPACK takes it; throws where it has more than 32 bits.
inline Int narrow(int64_t n) {
  TORCH_CHECK(n >= 0 && n <= std::numeric_limits<Int>::max(),
              "LAPACK takes sizes and strides below 2^31, but got ", n);
  return static_cast<Int>(n);
}

/// The length of a workspace, as a query answers it: a float above 2^24 may have been rounded down.
template <class T>
Int workspace_size(T answer) {
  double n = 0;
  if constexpr (std::is_floating_point_v<T>) {
    n = static_cast<double>(answer);
  } else {
    n = static_cast<double>(answer.real());
  }
  if (n >= 16777216.0) n *= 1.0 + 1.0 / 8388608.0;
  TORCH_CHECK(n <= std::numeric_limits<Int>::max(), "LAPACK's workspace needs 2^31 elements or more");
  return n < 1 ? 1 : static_cast<Int>(n);
}

/// Calls f(first, last) on pieces of [0, count): the matrices of a batch, of some `operations` each. One
/// matrix has all threads of LAPACK; several are distributed among aten's threads, with one of LAPACK for
/// each.
template <class F>
void for_each_matrix(int64_t count, double operations, const F& f) {
  constexpr double min_work_per_thread = 1e5;
  if (count == 1) {
    use_threads(operations < min_work_per_thread || in_parallel_region() ? 1 : get_num_threads());
    f(int64_t{0}, int64_t{1});
    return;
  }
  use_threads(1);
  const double grain = min_work_per_thread / (operations < 1 ? 1 : operations);
  at::parallel_for(0, count, grain < 1 ? 1 : static_cast<int64_t>(grain), f);
}

namespace detail {

template <class T>
constexpr char letter = 0;
template <>
inline constexpr char letter<float> = 's';
template <>
inline constexpr char letter<double> = 'd';
template <>
inline constexpr char letter<c10::complex<float>> = 'c';
template <>
inline constexpr char letter<c10::complex<double>> = 'z';

template <class T>
constexpr bool is_complex = std::is_same_v<T, c10::complex<float>> || std::is_same_v<T, c10::complex<double>>;

// Integers must have LAPACK's width.
template <class T>
constexpr bool may_pass = std::is_pointer_v<T> || std::is_same_v<T, Int> || std::is_same_v<T, char> ||
                          std::is_floating_point_v<T> || is_complex<T>;

template <class T>
const void* address(const T& value) {
  static_assert(may_pass<T>);
  if constexpr (std::is_pointer_v<T>) {
    return value;
  } else {
    return &value;
  }
}

// Fortran takes all arguments by their addresses, and after them the lengths of texts.
template <size_t... texts, class... Args>
void invoke(void* routine, std::index_sequence<texts...> /*of one letter*/, const Args&... args) {
  using Routine = void (*)(decltype(address(args))..., decltype(texts)...);
  reinterpret_cast<Routine>(routine)(address(args)..., (static_cast<void>(texts), size_t{1})...);
}

}  // namespace detail

/// Calls the routine of this stem for matrices of T: call<T, "potrf">('L', n, a, lda, &info). Where the one
/// for complex numbers is called otherwise, its stem is the second: call<T, "orgqr", "ungqr">. Pointers are
/// passed as they are, numbers and letters by address. What is wrong about an argument must have been found
/// before.
template <class T, Stem real, Stem complex_ = real, class... Args>
void call(const Args&... args) {
  static void* const found = routine(detail::letter<T>, detail::is_complex<T> ? complex_.text : real.text);
  constexpr size_t texts = (size_t{0} + ... + size_t{std::is_same_v<Args, char>});
  detail::invoke(found, std::make_index_sequence<texts>(), args...);
}

}  // namespace at::native::lapack
