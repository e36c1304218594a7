// Checks C++ types against a schema, and describes mismatches.
#include <ATen/core/dispatch/SignatureCheck.h>

#include <ATen/core/dispatch/Registry.h>
#include <c10/util/Exception.h>

namespace c10::inline C10_ABI {

namespace {

struct CodeRow {
  CppType code;
  const char* cpp;     // the type of an argument
  const char* schema;  // the type that is inferred from it
};

constexpr CodeRow code_rows[] = {
    {CppType::Void, "void", "NoneType"},
    {CppType::Tensor, "at::Tensor", "Tensor"},
    {CppType::ConstTensorRef, "const at::Tensor &", "Tensor"},
    {CppType::TensorRef, "at::Tensor &", "Tensor(a!)"},
    {CppType::TensorArray, "at::TensorList", "Tensor[]"},
    {CppType::TensorListRef, "const at::ITensorListRef &", "Tensor[]"},
    {CppType::TensorVector, "std::vector<at::Tensor>", "Tensor[]"},
    {CppType::OptionalTensorList, "const c10::List<std::optional<at::Tensor>> &", "Tensor?[]"},
    {CppType::Int, "int64_t", "int"},
    {CppType::Double, "double", "float"},
    {CppType::Bool, "bool", "bool"},
    {CppType::Scalar, "const at::Scalar &", "Scalar"},
    {CppType::ScalarArray, "at::ArrayRef<at::Scalar>", "Scalar[]"},
    {CppType::ComplexDouble, "c10::complex<double>", "complex"},
    {CppType::String, "std::string_view", "str"},
    {CppType::IntArray, "at::IntArrayRef", "int[]"},
    {CppType::DoubleArray, "at::ArrayRef<double>", "float[]"},
    {CppType::BoolArray, "at::ArrayRef<bool>", "bool[]"},
    {CppType::BoolStdArray, "std::array<bool, N>", "bool[]"},
    {CppType::ScalarType, "at::ScalarType", "ScalarType"},
    {CppType::Layout, "at::Layout", "Layout"},
    {CppType::MemoryFormat, "at::MemoryFormat", "MemoryFormat"},
    {CppType::Device, "at::Device", "Device"},
    {CppType::DeviceIndex, "at::DeviceIndex", "DeviceIndex"},
    {CppType::Stream, "at::Stream", "Stream"},
    {CppType::Storage, "at::Storage", "Storage"},
    {CppType::Generator, "at::Generator", "Generator"},
    {CppType::QScheme, "at::QScheme", "QScheme"},
    {CppType::StringArray, "at::ArrayRef<std::string_view>", "str[]"},
    {CppType::IValue, "c10::IValue", "Any"},
    {CppType::Other, "(a type that no schema has)", "Any"},
};

const CodeRow& row_of(uint8_t code) {
  for (const CodeRow& row : code_rows) {
    if (static_cast<uint8_t>(row.code) == (code & ~optional_flag)) return row;
  }
  return code_rows[std::size(code_rows) - 1];
}

std::string code_str(uint8_t code) {
  const CodeRow& row = row_of(code);
  if (!(code & optional_flag)) return row.cpp;
  std::string_view inner = row.cpp;
  if (inner.starts_with("const ")) inner = inner.substr(6, inner.size() - 8);
  const bool by_reference = row.code == CppType::Tensor || row.code == CppType::Scalar;
  return (by_reference ? "const std::optional<" : "std::optional<") + std::string(inner) +
         (by_reference ? "> &" : ">");
}

constexpr uint8_t code(CppType t) { return static_cast<uint8_t>(t); }

CppType list_code(const Type& element) {
  switch (element.kind) {
    case TypeKind::Tensor:
      return CppType::TensorArray;
    case TypeKind::Int:
    case TypeKind::SymInt:
      return CppType::IntArray;
    case TypeKind::Float:
      return CppType::DoubleArray;
    case TypeKind::Bool:
      return CppType::BoolArray;
    case TypeKind::Number:
      return CppType::ScalarArray;
    case TypeKind::String:
      return CppType::StringArray;
    case TypeKind::Optional:
      return element.element().kind == TypeKind::Tensor ? CppType::OptionalTensorList : CppType::IValue;
    default:
      return CppType::IValue;
  }
}

// The code of a value of type `t` that is neither optional nor a list.
CppType plain_code(TypeKind kind) {
  switch (kind) {
    case TypeKind::Tensor:
      return CppType::Tensor;
    case TypeKind::Int:
    case TypeKind::SymInt:
      return CppType::Int;
    case TypeKind::Float:
    case TypeKind::SymFloat:
      return CppType::Double;
    case TypeKind::Bool:
    case TypeKind::SymBool:
      return CppType::Bool;
    case TypeKind::Number:
      return CppType::Scalar;
    case TypeKind::Complex:
      return CppType::ComplexDouble;
    case TypeKind::String:
      return CppType::String;
    case TypeKind::Device:
      return CppType::Device;
    case TypeKind::DeviceIndex:
      return CppType::DeviceIndex;
    case TypeKind::ScalarType:
      return CppType::ScalarType;
    case TypeKind::Layout:
      return CppType::Layout;
    case TypeKind::MemoryFormat:
      return CppType::MemoryFormat;
    case TypeKind::Stream:
      return CppType::Stream;
    case TypeKind::Storage:
      return CppType::Storage;
    case TypeKind::Generator:
      return CppType::Generator;
    case TypeKind::QScheme:
      return CppType::QScheme;
    default:
      return CppType::IValue;
  }
}

uint8_t expected_code(const Type& t) {
  if (t.is_optional()) return expected_code(t.element()) | optional_flag;
  return code(t.is_list() ? list_code(t.element()) : plain_code(t.kind));
}

bool fits(uint8_t given, uint8_t expected) {
  if (given == expected) return true;
  const uint8_t optional = expected & optional_flag;
  if ((given & optional_flag) != optional) return false;
  const auto from = static_cast<CppType>(given & ~optional_flag);
  switch (static_cast<CppType>(expected & ~optional_flag)) {
    case CppType::TensorArray:
      return from == CppType::TensorListRef;
    case CppType::BoolArray:
      return from == CppType::BoolStdArray;
    case CppType::Int:  // schemas spelled for TorchScript call these int
      return from == CppType::ScalarType || from == CppType::Layout || from == CppType::MemoryFormat ||
             from == CppType::DeviceIndex;
    default:
      return false;
  }
}

bool argument_fits(const Argument& argument, uint8_t given) {
  if (argument.type().kind != TypeKind::Tensor) return fits(given, expected_code(argument.type()));
  return given == code(CppType::ConstTensorRef) || (argument.is_write() && given == code(CppType::TensorRef));
}

bool result_fits(const Argument& result, uint8_t given) {
  if (result.type().kind == TypeKind::Tensor && result.is_write()) {
    return given == code(CppType::TensorRef) || given == code(CppType::ConstTensorRef);
  }
  const uint8_t expected = expected_code(result.type());
  if (expected == code(CppType::TensorArray)) return given == code(CppType::TensorVector);
  return fits(given, expected);
}

std::string expected_str(const Argument& a, bool is_result) {
  if (a.type().kind == TypeKind::Tensor) {
    if (a.is_write()) return "at::Tensor &";
    return is_result ? "at::Tensor" : "const at::Tensor &";
  }
  const uint8_t expected = expected_code(a.type());
  return is_result && expected == code(CppType::TensorArray) ? "std::vector<at::Tensor>" : code_str(expected);
}

}  // namespace

std::string signature_str(const Signature& signature) {
  std::string out = signature.num_results == 0 ? "void" : "";
  if (signature.num_results > 1) out += "std::tuple<";
  for (uint8_t i = 0; i < signature.num_results; ++i) out += (i ? ", " : "") + code_str(signature.types[i]);
  if (signature.num_results > 1) out += ">";
  out += " (";
  for (uint8_t i = 0; i < signature.num_arguments; ++i) {
    out += (i ? ", " : "") + code_str(signature.types[signature.num_results + i]);
  }
  return out + ")";
}

std::string signature_mismatch(const FunctionSchema& schema, const Signature& signature) {
  if (schema.is_vararg() || schema.is_varret()) return "the schema takes or returns any number of values";
  if (signature.num_arguments != schema.arguments().size()) {
    return str("it takes ", static_cast<int>(signature.num_arguments), " arguments, the schema has ",
               schema.arguments().size());
  }
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const Argument& a = schema.arguments()[i];
    const uint8_t given = signature.types[signature.num_results + i];
    if (!argument_fits(a, given)) {
      return str("its argument ", i + 1, " is '", code_str(given), "', but '", a.type().str(), " ", a.name(),
                 "' is '", expected_str(a, false), "'");
    }
  }
  if (signature.num_results != schema.returns().size()) {
    return str("it returns ", static_cast<int>(signature.num_results), " values, the schema ",
               schema.returns().size());
  }
  for (size_t i = 0; i < schema.returns().size(); ++i) {
    if (!result_fits(schema.returns()[i], signature.types[i])) {
      return str("its result ", i + 1, " is '", code_str(signature.types[i]), "', but '",
                 schema.returns()[i].type().str(), "' is '", expected_str(schema.returns()[i], true), "'");
    }
  }
  return {};
}

bool same_calling_types(const Signature& a, const Signature& b) {
  if (&a == &b) return true;
  if (a.num_results != b.num_results || a.num_arguments != b.num_arguments) return false;
  const auto normal = [](uint8_t c) {
    return c == code(CppType::TensorRef) ? code(CppType::ConstTensorRef) : c;
  };
  for (int i = 0; i < a.num_results + a.num_arguments; ++i) {
    if (normal(a.types[i]) != normal(b.types[i])) return false;
  }
  return true;
}

FunctionSchema inferred_schema(OperatorName name, const Signature& signature) {
  char alias_set = 'a';
  const auto type_of = [&](uint8_t given) {
    std::string text = row_of(given).schema;
    if (given & optional_flag) text += '?';
    Type t = torch::jit::parseType(text);
    if (t.has_alias) t.alias.before = t.alias.after = {std::string(1, alias_set++)};
    return t;
  };
  std::vector<Argument> arguments;
  for (uint8_t i = 0; i < signature.num_arguments; ++i) {
    arguments.emplace_back(str("_", static_cast<int>(i)),
                           type_of(signature.types[signature.num_results + i]));
  }
  alias_set = 'a';
  std::vector<Argument> returns;
  for (uint8_t i = 0; i < signature.num_results; ++i) returns.emplace_back("", type_of(signature.types[i]));
  return FunctionSchema(std::move(name), std::move(arguments), std::move(returns));
}

}  // namespace c10::inline C10_ABI
