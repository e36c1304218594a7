// cat on CUDA, of dense tensors.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/shape/cat.h>

#include <c10/util/ArrayRef.h>

namespace at::native {

/// Writes the parts of `rows` rows of `row_bytes` bytes to the result; false if they are too large for it.
bool cat_on_device(c10::ArrayRef<CatPart> parts, int64_t rows, int64_t row_bytes, const TensorBase& result);

}  // namespace at::native
