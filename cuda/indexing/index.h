// The kernel of index_put with accumulate.
#pragma once

#include <ATen/TensorIterator.h>

namespace at::native {

/// Adds operand 1 to operand 0 at the indices of the others, in a fixed order. For floats and complex
/// numbers. `op` is a literal that names the operator in messages.
void index_put_sums(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides, const char* op);

}  // namespace at::native
