// A boxed kernel for devices that lack one: the arguments go to the host, the CPU's kernel runs, the results
// come back.
#pragma once
#include <ATen/core/dispatch/OperatorHandle.h>
#include <ATen/core/stack.h>

namespace at::native {

// For a backend's fallback:
//   void on_host(const c10::OperatorHandle& op, c10::Stack* stack) { at::native::cpu_fallback(op, stack); }
//   TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
//   m.fallback(torch::CppFunction::makeFromBoxedFunction<&on_host>()); }
// Arguments that the operator writes to are copied back into the tensors that were given, resized if need be.
// NotImplementedError for views: a copy on the host can't share the device's memory.
TORCH_API void cpu_fallback(const c10::OperatorHandle& op, c10::Stack* stack);

}  // namespace at::native
