// c10::SymInt: the integer type in dispatcher signatures whose schema says SymInt. Only concrete values
// exist: it wraps an int64_t.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace c10::inline C10_ABI {

class SymInt {
 public:
  constexpr SymInt() = default;
  constexpr /*implicit*/ SymInt(int64_t value) : value_(value) {}

  constexpr bool is_symbolic() const { return false; }
  constexpr bool is_heap_allocated() const { return false; }
  constexpr std::optional<int64_t> maybe_as_int() const { return value_; }
  constexpr int64_t as_int_unchecked() const { return value_; }
  constexpr int64_t expect_int() const { return value_; }
  constexpr int64_t guard_int(const char* /*file*/ = nullptr, int64_t /*line*/ = 0) const { return value_; }
  constexpr explicit operator int64_t() const { return value_; }
  constexpr SymInt clone() const { return *this; }

#define C10_SYMINT_ARITHMETIC_(op, assign)                                                         \
  friend constexpr SymInt operator op(SymInt a, SymInt b) { return SymInt(a.value_ op b.value_); } \
  constexpr SymInt& operator assign(SymInt b) {                                                    \
    value_ assign b.value_;                                                                        \
    return *this;                                                                                  \
  }
  C10_SYMINT_ARITHMETIC_(+, +=)
  C10_SYMINT_ARITHMETIC_(-, -=)
  C10_SYMINT_ARITHMETIC_(*, *=)
  C10_SYMINT_ARITHMETIC_(/, /=)
  C10_SYMINT_ARITHMETIC_(%, %=)
#undef C10_SYMINT_ARITHMETIC_
  constexpr SymInt operator-() const { return SymInt(-value_); }
  friend constexpr auto operator<=>(SymInt a, SymInt b) = default;
  friend constexpr bool operator==(SymInt a, SymInt b) = default;

  constexpr bool sym_eq(SymInt other) const { return value_ == other.value_; }
  constexpr bool sym_ne(SymInt other) const { return value_ != other.value_; }
  constexpr bool sym_lt(SymInt other) const { return value_ < other.value_; }
  constexpr bool sym_le(SymInt other) const { return value_ <= other.value_; }
  constexpr bool sym_gt(SymInt other) const { return value_ > other.value_; }
  constexpr bool sym_ge(SymInt other) const { return value_ >= other.value_; }
  constexpr SymInt min(SymInt other) const { return value_ < other.value_ ? *this : other; }
  constexpr SymInt max(SymInt other) const { return value_ > other.value_ ? *this : other; }

 private:
  int64_t value_ = 0;
};
static_assert(sizeof(SymInt) == sizeof(int64_t) && std::is_trivially_copyable_v<SymInt>);

inline void append_to(std::string& out, SymInt value) { append_to(out, value.as_int_unchecked()); }

using SymIntArrayRef = ArrayRef<SymInt>;
using OptionalSymIntArrayRef = OptionalArrayRef<SymInt>;
using SymDimVector = SmallVector<SymInt, kDimVectorStaticSize>;
using SymBool = bool;

// Lists of SymInt and of int64_t have the same memory layout, so converting costs nothing.
inline IntArrayRef asIntArrayRefUnchecked(SymIntArrayRef values) {
  return IntArrayRef(reinterpret_cast<const int64_t*>(values.data()), values.size());
}
inline std::optional<IntArrayRef> asIntArrayRefSlowOpt(SymIntArrayRef values) {
  return asIntArrayRefUnchecked(values);
}
inline IntArrayRef asIntArrayRefSlow(SymIntArrayRef values, const char* /*file*/ = nullptr,
                                     int64_t /*line*/ = 0) {
  return asIntArrayRefUnchecked(values);
}
inline SymIntArrayRef fromIntArrayRefUnchecked(IntArrayRef values) {
  return SymIntArrayRef(reinterpret_cast<const SymInt*>(values.data()), values.size());
}
inline SymIntArrayRef fromIntArrayRefSlow(IntArrayRef values) { return fromIntArrayRefUnchecked(values); }
inline SymIntArrayRef fromIntArrayRefKnownNonNegative(IntArrayRef values) {
  return fromIntArrayRefUnchecked(values);
}
inline OptionalIntArrayRef asIntArrayRefUnchecked(OptionalSymIntArrayRef values) {
  if (!values.has_value()) return std::nullopt;
  return asIntArrayRefUnchecked(*values);
}
inline OptionalSymIntArrayRef fromIntArrayRefUnchecked(OptionalIntArrayRef values) {
  if (!values.has_value()) return std::nullopt;
  return fromIntArrayRefUnchecked(*values);
}
inline std::optional<int64_t> asIntUnchecked(const std::optional<SymInt>& value) {
  if (!value.has_value()) return std::nullopt;
  return value->as_int_unchecked();
}

#define C10_AS_INTARRAYREF_SLOW(a) ::c10::asIntArrayRefSlow(a, C10_FILE_NAME, __LINE__)
#define C10_AS_INTARRAYREF_SLOW_ALLOC(a) ::c10::asIntArrayRefSlow(a, C10_FILE_NAME, __LINE__)

}  // namespace c10::inline C10_ABI
