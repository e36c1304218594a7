// Tensors and helpers for the dispatcher's tests.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <string>

#include "check.h"

// A tensor without storage that carries `keys`.
inline at::Tensor tensor_with(c10::DispatchKeySet keys) {
  return at::Tensor(at::TensorBase(
      c10::make_intrusive<c10::TensorImpl>(keys, c10::ScalarType::Float, c10::Device(c10::kCPU))));
}
inline at::Tensor cpu_tensor() {
  return tensor_with(c10::DispatchKeySet(
      {c10::DispatchKey::CPU, c10::DispatchKey::AutogradCPU, c10::DispatchKey::ADInplaceOrView}));
}

// The message of the error that f() throws; empty if it throws none.
template <class E = c10::Error, class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) std::printf("  '%s' is not in: %s\n", part.c_str(), text.c_str());
  return found;
}
