// An operator's schema at run time, and the parser of PyTorch's run-time schema strings.
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/operator_name.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace c10::inline C10_ABI {

class Argument {
 public:
  Argument(std::string name, Type type, std::optional<IValue> default_value = std::nullopt,
           bool kwarg_only = false)
      : name_(std::move(name)),
        type_(std::move(type)),
        default_(std::move(default_value)),
        kwarg_only_(kwarg_only) {}

  const std::string& name() const { return name_; }
  const Type& type() const { return type_; }
  // The size N of a list type int[N].
  std::optional<int32_t> N() const;
  const std::optional<IValue>& default_value() const { return default_; }
  bool kwarg_only() const { return kwarg_only_; }
  // The alias annotation of the argument or of a list argument's elements; nullptr if it has none.
  C10_API const AliasInfo* alias_info() const;
  bool is_out() const { return kwarg_only_ && alias_info() != nullptr && alias_info()->is_write; }
  bool is_write() const { return alias_info() != nullptr && alias_info()->is_write; }
  // "int[2] stride=[1, 1]"; results may have no name.
  C10_API std::string str() const;

 private:
  std::string name_;
  Type type_;
  std::optional<IValue> default_;
  bool kwarg_only_;
};

class FunctionSchema {
 public:
  FunctionSchema(OperatorName name, std::vector<Argument> arguments, std::vector<Argument> returns,
                 bool is_vararg = false, bool is_varret = false)
      : name_(std::move(name)),
        arguments_(std::move(arguments)),
        returns_(std::move(returns)),
        is_vararg_(is_vararg),
        is_varret_(is_varret) {}

  const OperatorName& operator_name() const { return name_; }
  const std::string& name() const { return name_.name; }
  const std::string& overload_name() const { return name_.overload_name; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<Argument>& returns() const { return returns_; }
  bool is_vararg() const { return is_vararg_; }
  bool is_varret() const { return is_varret_; }
  // Whether it writes to an argument.
  C10_API bool is_mutable() const;
  C10_API std::optional<int> argumentIndexWithName(std::string_view name) const;
  void set_namespace(std::string_view ns) { name_.name = std::string(ns) + "::" + name_.name; }
  // PyTorch's spelling; what parseSchema reads back.
  C10_API std::string str() const;

 private:
  OperatorName name_;
  std::vector<Argument> arguments_;
  std::vector<Argument> returns_;
  bool is_vararg_;
  bool is_varret_;
};

inline std::string toString(const FunctionSchema& s) { return s.str(); }
inline void append_to(std::string& out, const FunctionSchema& s) { out += s.str(); }

inline std::optional<int32_t> Argument::N() const {
  const Type& list = type_.is_optional() ? type_.element() : type_;
  return list.is_list() && list.size >= 0 ? std::optional<int32_t>(static_cast<int32_t>(list.size))
                                          : std::nullopt;
}

// A default value as written in a schema.
C10_API std::string schema_literal(const IValue& value);

}  // namespace c10::inline C10_ABI

namespace torch::inline C10_ABI {
namespace jit {

// Parses "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"; the namespace is
// optional. Throws c10::Error that shows the place.
C10_API c10::FunctionSchema parseSchema(std::string_view schema);
// A name alone, "aten::add.Tensor".
C10_API c10::OperatorName parseName(std::string_view name);
C10_API c10::Type parseType(std::string_view type);

}  // namespace jit
}  // namespace torch::inline C10_ABI
