// Types as schemas spell them at run time: `Tensor(a!)`, `int[2]?`, `Dict(str, t)`.
#pragma once
#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace c10::inline C10_ABI {

// clang-format off
// _(kind, its spelling): the types that are one word.
#define C10_FORALL_NAMED_TYPES(_)                                                                     \
  _(Tensor, "Tensor") _(Int, "int") _(SymInt, "SymInt") _(Float, "float") _(SymFloat, "SymFloat")     \
  _(Bool, "bool") _(SymBool, "SymBool") _(Number, "Scalar") _(Complex, "complex") _(String, "str")    \
  _(Device, "Device") _(DeviceIndex, "DeviceIndex") _(ScalarType, "ScalarType") _(Layout, "Layout")   \
  _(MemoryFormat, "MemoryFormat") _(Stream, "Stream") _(Storage, "Storage") _(Generator, "Generator") \
  _(QScheme, "QScheme") _(None, "NoneType") _(Any, "Any") _(AnyEnum, "AnyEnumType")                   \
  _(AnyClass, "AnyClassType")
// clang-format on

enum class TypeKind : uint8_t {
#define C10_KIND(kind, name) kind,
  C10_FORALL_NAMED_TYPES(C10_KIND)
#undef C10_KIND
      Optional,  // of elements[0]
  List,          // of elements[0]; `size` if it was given
  Tuple,         // of elements
  Generic,       // name(elements): Dict, Future, RRef, Await
  Class,         // a dotted name
  Var,           // a type variable: a name that begins with t
};

// Which alias sets a value belongs to, and whether it is written to.
struct AliasInfo {
  std::vector<std::string> before;
  std::vector<std::string> after;  // equal to `before` where no `->` says otherwise
  bool has_arrow = false;
  bool is_write = false;

  bool isWrite() const { return is_write; }
  // "(a!)", "(a -> *)"
  C10_API std::string str() const;
  bool operator==(const AliasInfo&) const = default;
};

struct Type {
  TypeKind kind = TypeKind::Tensor;
  int64_t size = -1;
  std::string name;
  std::vector<Type> elements;
  bool has_alias = false;
  AliasInfo alias;

  // As written in a schema, alias annotations included.
  C10_API std::string str() const;
  // Without alias annotations.
  C10_API std::string plain_str() const;
  bool is_optional() const { return kind == TypeKind::Optional; }
  bool is_list() const { return kind == TypeKind::List; }
  const Type& element() const { return elements[0]; }
  // Equal but for alias annotations and list sizes.
  C10_API bool same_as(const Type& other) const;

  static Type of(TypeKind kind) {
    Type t;
    t.kind = kind;
    return t;
  }
  C10_API static Type optional_of(Type element);
  C10_API static Type list_of(Type element, int64_t size = -1);
};

}  // namespace c10::inline C10_ABI
