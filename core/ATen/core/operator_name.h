// An operator's name, "aten::add", and that of its overload, "Tensor".
#pragma once
#include <c10/macros/Macros.h>

#include <string>
#include <string_view>

namespace c10::inline C10_ABI {

struct OperatorName {
  std::string name;
  std::string overload_name;

  OperatorName() = default;
  OperatorName(std::string name, std::string overload_name)
      : name(std::move(name)), overload_name(std::move(overload_name)) {}

  // "aten"; empty if the name has no namespace.
  std::string_view getNamespace() const {
    const size_t end = name.find("::");
    return end == std::string::npos ? std::string_view() : std::string_view(name).substr(0, end);
  }
  bool operator==(const OperatorName&) const = default;
};

// "aten::add.Tensor"
inline std::string toString(const OperatorName& n) {
  return n.overload_name.empty() ? n.name : n.name + "." + n.overload_name;
}
inline void append_to(std::string& out, const OperatorName& n) { out += toString(n); }

}  // namespace c10::inline C10_ABI
