// Copies within one device.
#pragma once

#include <ATen/TensorIterator.h>

namespace at::native {

/// Copies operand 1 to operand 0, both on the current device, with any dtypes and strides.
void copy_on_device(TensorIteratorBase& iter);
/// The same of one dtype where the operands are contiguous in different dimensions; else false.
bool transpose_on_device(TensorIteratorBase& iter);

}  // namespace at::native
