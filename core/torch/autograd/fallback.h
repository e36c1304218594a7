// Operators that have no autograd kernel: those that programs register without one.
#pragma once

#include <ATen/core/boxing/Signature.h>
#include <c10/core/DispatchKeySet.h>

namespace c10::inline C10_ABI {
class OperatorHandle;
}

namespace torch::inline C10_ABI::autograd {

/// Runs the operator, and makes its results those of a node whose backward says that nobody can differentiate
/// it. Throws for arguments with a tangent.
C10_API void record_without_formula(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                                    c10::Stack* stack);

}  // namespace torch::inline C10_ABI::autograd
