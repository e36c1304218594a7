// The autograd fallback: operators registered without an autograd kernel.
#pragma once

#include <ATen/core/boxing/Signature.h>
#include <c10/core/DispatchKeySet.h>

namespace c10::inline C10_ABI {
class OperatorHandle;
}

namespace torch::inline C10_ABI::autograd {

/// Runs the operator, and gives its results a node whose backward throws that there is no derivative. Throws
/// for arguments with a tangent.
C10_API void record_without_formula(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                                    c10::Stack* stack);

}  // namespace torch::inline C10_ABI::autograd
