// c10::optional: ATen's name for std::optional.
#pragma once

#include <c10/macros/Macros.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

template <class T>
using optional = std::optional<T>;
using nullopt_t = std::nullopt_t;
inline constexpr std::nullopt_t nullopt = std::nullopt;

/// The value of `opt`, or what `f` returns.
template <class T, class F>
T value_or_else(const std::optional<T>& opt, F&& f) {
  return opt.has_value() ? *opt : std::forward<F>(f)();
}

}  // namespace c10::inline C10_ABI
