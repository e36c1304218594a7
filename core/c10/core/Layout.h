// Layouts of tensors. Only strided tensors exist here; the other values can be named and are refused.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <string>

namespace c10::inline C10_ABI {

enum class Layout : int8_t {
  Strided,
  Sparse,
  SparseCsr,
  Mkldnn,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Jagged,
  NumOptions
};

constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
constexpr Layout kSparseCsr = Layout::SparseCsr;
constexpr Layout kMkldnn = Layout::Mkldnn;
constexpr Layout kSparseCsc = Layout::SparseCsc;
constexpr Layout kSparseBsr = Layout::SparseBsr;
constexpr Layout kSparseBsc = Layout::SparseBsc;
constexpr Layout kJagged = Layout::Jagged;

constexpr const char* toString(Layout layout) {
  constexpr const char* names[] = {"Strided",   "Sparse",    "SparseCsr", "Mkldnn",
                                   "SparseCsc", "SparseBsr", "SparseBsc", "Jagged"};
  const auto index = static_cast<unsigned>(layout);
  return index < static_cast<unsigned>(Layout::NumOptions) ? names[index] : "Unknown";
}
inline void append_to(std::string& out, Layout layout) { out += toString(layout); }

}  // namespace c10::inline C10_ABI
