// Printing of schemas and their types.
#include <ATen/core/function_schema.h>

#include <c10/util/Exception.h>

#include <cmath>
#include <cstdio>

namespace c10::inline C10_ABI {

namespace {

void append_alias_set(std::string& out, const std::vector<std::string>& set) {
  const char* separator = "";
  for (const std::string& name : set) {
    out += separator;
    out += name;
    separator = "|";
  }
}

const char* type_name(TypeKind kind) {
  switch (kind) {
#define C10_CASE(kind, name) \
  case TypeKind::kind:       \
    return name;
    C10_FORALL_NAMED_TYPES(C10_CASE)
#undef C10_CASE
    default:
      return "";
  }
}

void append_type(std::string& out, const Type& t, bool with_alias);

void append_elements(std::string& out, const Type& t, bool with_alias) {
  const char* separator = "";
  out += '(';
  for (const Type& e : t.elements) {
    out += separator;
    append_type(out, e, with_alias);
    separator = ", ";
  }
  out += ')';
}

void append_type(std::string& out, const Type& t, bool with_alias) {
  switch (t.kind) {
    case TypeKind::Optional:
      append_type(out, t.element(), with_alias);
      out += '?';
      break;
    case TypeKind::List:
      append_type(out, t.element(), with_alias);
      out += '[';
      if (t.size >= 0) append_to(out, static_cast<long long>(t.size));
      out += ']';
      break;
    case TypeKind::Tuple:
      append_elements(out, t, with_alias);
      break;
    case TypeKind::Generic:
      out += t.name;
      append_elements(out, t, with_alias);
      break;
    case TypeKind::Class:
    case TypeKind::Var:
      out += t.name;
      break;
    default:
      out += type_name(t.kind);
  }
  if (with_alias && t.has_alias) out += t.alias.str();
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    static constexpr std::string_view special = "\\'\"\a\b\f\n\r\t\v";
    static constexpr std::string_view letters = "\\'\"abfnrtv";
    const size_t i = special.find(c);
    if (i != std::string_view::npos) {
      out += '\\';
      out += letters[i];
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      char octal[8];
      std::snprintf(octal, sizeof(octal), "\\%03o", static_cast<unsigned char>(c));
      out += octal;
    } else {
      out += c;
    }
  }
  out += '"';
}

// Enough digits to read the same value back, and a point so that it reads as a float.
void append_double(std::string& out, double x) {
  char digits[40];
  std::snprintf(digits, sizeof(digits), "%.17g", x);
  out += digits;
  if (std::isfinite(x) && x == std::trunc(x) &&
      std::string_view(digits).find_first_of(".e") == std::string_view::npos) {
    out += '.';
  }
}

std::string joined(const std::vector<Argument>& items) {
  std::string out;
  bool kwarg_only = false;
  for (const Argument& a : items) {
    if (!out.empty()) out += ", ";
    if (a.kwarg_only() && !kwarg_only) {
      out += "*, ";
      kwarg_only = true;
    }
    out += a.str();
  }
  return out;
}

// PyTorch writes `int[2] stride=1` for [1, 1], though not for SymInt.
bool is_uniform_int_list(const Type& t, const IValue& value) {
  if (!t.is_list() || t.size < 0 || t.element().kind != TypeKind::Int || !value.isList()) return false;
  const ArrayRef<IValue> list = value.toListRef();
  for (const IValue& e : list) {
    if (!(e == list[0])) return false;
  }
  return list.size() > 1;
}

}  // namespace

std::string AliasInfo::str() const {
  std::string out = "(";
  append_alias_set(out, before);
  if (is_write) out += '!';
  if (has_arrow) {
    out += " -> ";
    append_alias_set(out, after);
  }
  return out + ")";
}

std::string Type::str() const {
  std::string out;
  append_type(out, *this, true);
  return out;
}

std::string Type::plain_str() const {
  std::string out;
  append_type(out, *this, false);
  return out;
}

bool Type::same_as(const Type& other) const {
  if (kind != other.kind || name != other.name || elements.size() != other.elements.size()) return false;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i].same_as(other.elements[i])) return false;
  }
  return true;
}

Type Type::optional_of(Type element) {
  Type t = of(TypeKind::Optional);
  t.elements.push_back(std::move(element));
  return t;
}

Type Type::list_of(Type element, int64_t size) {
  Type t = of(TypeKind::List);
  t.size = size;
  t.elements.push_back(std::move(element));
  return t;
}

std::string schema_literal(const IValue& value) {
  std::string out;
  if (value.isNone()) {
    out = "None";
  } else if (value.isBool()) {
    out = value.toBool() ? "True" : "False";
  } else if (value.isInt()) {
    append_to(out, static_cast<long long>(value.toInt()));
  } else if (value.isDouble()) {
    append_double(out, value.toDouble());
  } else if (value.isComplexDouble()) {
    append_double(out, value.toComplexDouble().imag());
    out += 'j';
  } else if (value.isString()) {
    append_quoted(out, value.toStringView());
  } else if (value.isDevice()) {
    append_quoted(out, value.toDevice().str());
  } else if (value.isList()) {
    const char* separator = "[";
    for (const IValue& e : value.toListRef()) {
      out += separator;
      out += schema_literal(e);
      separator = ", ";
    }
    out += out.empty() ? "[]" : "]";
  } else {
    TORCH_CHECK(false, "a schema has no spelling for a default value of kind ", value.tagKind());
  }
  return out;
}

const AliasInfo* Argument::alias_info() const {
  for (const Type* t = &type_;; t = &t->element()) {
    if (t->has_alias) return &t->alias;
    if (!t->is_optional() && !t->is_list()) return nullptr;
  }
}

std::string Argument::str() const {
  std::string out = type_.str();
  if (!name_.empty()) out += ' ' + name_;
  if (!default_.has_value()) return out;
  out += '=';
  return out + (is_uniform_int_list(type_, *default_) ? schema_literal(default_->toListRef()[0])
                                                      : schema_literal(*default_));
}

bool FunctionSchema::is_mutable() const {
  for (const Argument& a : arguments_) {
    if (a.is_write()) return true;
  }
  return false;
}

std::optional<int> FunctionSchema::argumentIndexWithName(std::string_view name) const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].name() == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

std::string FunctionSchema::str() const {
  std::string out = toString(name_) + "(" + joined(arguments_);
  if (is_vararg_) out += arguments_.empty() ? "..." : ", ...";
  out += ") -> ";
  // A single result has no parentheses, unless it would then read as a list of results.
  if (returns_.size() == 1 && !is_varret_) {
    const std::string result = returns_[0].str();
    if (result.front() != '(') return out + result;
  }
  if (returns_.empty() && is_varret_) return out + "...";
  out += "(" + joined(returns_);
  if (is_varret_) out += ", ...";
  return out + ")";
}

}  // namespace c10::inline C10_ABI
