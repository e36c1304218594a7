// The conditions of a checks file, as guards in front of kernels. Absent arguments and absent list elements
// pass.
#pragma once
#include <ATen/core/TensorBase.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace at::inline C10_ABI::impl {

/// `condition` is the text of the checks file.
[[noreturn]] TORCH_API void throw_condition(const c10::OperatorEntry& op, const char* condition, int64_t got);
[[noreturn]] TORCH_API void throw_condition(const c10::OperatorEntry& op, const char* condition, double got);
[[noreturn]] TORCH_API void throw_condition(const c10::OperatorEntry& op, const char* condition,
                                            IntArrayRef got);
[[noreturn]] TORCH_API void throw_condition(const c10::OperatorEntry& op, const char* condition,
                                            ScalarType got);
[[noreturn]] inline void throw_condition(const c10::OperatorEntry& op, const char* condition,
                                         const c10::SymInt& got) {
  throw_condition(op, condition, got.guard_int(__FILE__, __LINE__));
}
[[noreturn]] inline void throw_condition(const c10::OperatorEntry& op, const char* condition,
                                         c10::SymIntArrayRef got) {
  throw_condition(op, condition, C10_AS_INTARRAYREF_SLOW(got));
}

/// Whether `holds` is true of a number, or of each in a list.
template <class Value, class Holds>
C10_ALWAYS_INLINE bool each_holds(const Value& value, Holds holds) {
  if constexpr (requires { value.begin(); }) {
    for (const auto& each : value) {
      if (!each_holds(each, holds)) return false;
    }
    return true;
  } else if constexpr (std::is_same_v<Value, c10::SymInt>) {
    return holds(value.guard_int(__FILE__, __LINE__));
  } else {
    return holds(value);
  }
}

template <class Value, class Holds>
C10_ALWAYS_INLINE void check_each(const c10::OperatorEntry& op, const Value& value, const char* condition,
                                  Holds holds) {
  if constexpr (requires { value.has_value(); }) {
    if (value.has_value()) check_each(op, *value, condition, holds);
  } else if (C10_UNLIKELY(!each_holds(value, holds))) {
    throw_condition(op, condition, value);
  }
}

template <class Value, class... Allowed>
C10_ALWAYS_INLINE void check_one_of(const c10::OperatorEntry& op, const Value& value, const char* condition,
                                    Allowed... allowed) {
  if constexpr (requires { value.has_value(); }) {
    if (value.has_value()) check_one_of(op, *value, condition, allowed...);
  } else if (C10_UNLIKELY(!((value == allowed) || ...))) {
    throw_condition(op, condition, value);
  }
}

/// The tested properties: the length of a list, a tensor's number of dimensions and its dtype.
template <class List>
C10_ALWAYS_INLINE auto length_of(const List& list) {
  if constexpr (requires { list.has_value(); }) {
    return list.has_value() ? std::optional(static_cast<int64_t>(list->size())) : std::nullopt;
  } else {
    return static_cast<int64_t>(list.size());
  }
}
C10_ALWAYS_INLINE int64_t rank_of(const TensorBase& t) { return t.dim(); }
C10_ALWAYS_INLINE ScalarType dtype_of(const TensorBase& t) { return t.scalar_type(); }
template <class T>
C10_ALWAYS_INLINE std::optional<int64_t> rank_of(const std::optional<T>& t) {
  return t && t->defined() ? std::optional(t->dim()) : std::nullopt;
}
template <class T>
C10_ALWAYS_INLINE std::optional<ScalarType> dtype_of(const std::optional<T>& t) {
  return t && t->defined() ? std::optional(t->scalar_type()) : std::nullopt;
}

}  // namespace at::inline C10_ABI::impl
