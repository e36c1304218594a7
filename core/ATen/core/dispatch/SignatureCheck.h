// C++ signatures as text and as schemas.
#pragma once
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/function_schema.h>

namespace c10::inline C10_ABI {

// The schema of a C++ signature: arguments are named _0, _1, ...
C10_API FunctionSchema inferred_schema(OperatorName name, const Signature& signature);

}  // namespace c10::inline C10_ABI
