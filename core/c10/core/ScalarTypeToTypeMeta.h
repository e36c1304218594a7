// caffe2::TypeMeta: ATen's other name for an element type; here a wrapper of ScalarType.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace caffe2::inline C10_ABI {

class TypeMeta final {
 public:
  constexpr TypeMeta() noexcept = default;
  constexpr explicit TypeMeta(c10::ScalarType type) noexcept : type_(type) {}

  template <class T>
  static constexpr TypeMeta Make() noexcept {
    return TypeMeta(c10::CppTypeToScalarType<T>::value);
  }
  static constexpr TypeMeta fromScalarType(c10::ScalarType type) noexcept { return TypeMeta(type); }
  constexpr c10::ScalarType toScalarType() const noexcept { return type_; }
  constexpr bool isScalarType() const noexcept { return type_ != c10::ScalarType::Undefined; }
  constexpr bool isScalarType(c10::ScalarType type) const noexcept { return type_ == type; }
  constexpr size_t itemsize() const { return c10::elementSize(type_); }
  /// "float", "long int", ... as ATen's: the name of the ScalarType.
  constexpr std::string_view name() const noexcept { return c10::toString(type_); }
  template <class T>
  constexpr bool Match() const noexcept {
    return *this == Make<T>();
  }
  friend constexpr bool operator==(TypeMeta a, TypeMeta b) noexcept { return a.type_ == b.type_; }
  friend constexpr bool operator==(TypeMeta a, c10::ScalarType b) noexcept { return a.type_ == b; }

 private:
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};

inline void append_to(std::string& out, TypeMeta type) { out += c10::toString(type.toScalarType()); }

}  // namespace caffe2::inline C10_ABI

namespace c10::inline C10_ABI {

constexpr caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType type) { return caffe2::TypeMeta(type); }
constexpr ScalarType typeMetaToScalarType(caffe2::TypeMeta type) { return type.toScalarType(); }
constexpr std::optional<ScalarType> optTypeMetaToScalarType(std::optional<caffe2::TypeMeta> type) {
  if (!type.has_value()) return std::nullopt;
  return type->toScalarType();
}

}  // namespace c10::inline C10_ABI
