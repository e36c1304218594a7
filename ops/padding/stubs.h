// Padding: the source of each element of the result, and the stubs that copy it.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {

enum class PadMode : uint8_t { Constant, Reflect, Replicate };

constexpr int max_pad_dims = 3;

// Dense tensors [outer, d0, d1, d2, inner]: `outer` blocks of up to three padded dimensions (unused leading
// ones have size 1), whose elements are runs of `inner`.
struct PadGeometry {
  int64_t outer = 1;
  int64_t input[max_pad_dims] = {1, 1, 1};
  int64_t output[max_pad_dims] = {1, 1, 1};
  int64_t before[max_pad_dims] = {0, 0, 0};  // negative where the input is cropped
  int64_t inner = 1;
};

// The sizes of self with its last `dims` dimensions padded; `padding` is before and after for the last one,
// for the one before it, and so on. Throws where the operator of that name doesn't accept the arguments.
TORCH_API DimVector padded_sizes(const char* name, const TensorBase& self, IntArrayRef padding, int64_t dims,
                                 PadMode mode);
TORCH_API void check_pad_gradient(const char* name, const TensorBase& grad_output, const TensorBase& self,
                                  IntArrayRef padding, int64_t dims, PadMode mode);

// The input position, of `size`, that fills position `at` relative to the input, which may be outside; -1 for
// the constant.
C10_HOST_DEVICE inline int64_t pad_source(PadMode mode, int64_t at, int64_t size) {
  if (at >= 0 && at < size) return at;
  if (mode == PadMode::Constant) return -1;
  if (mode == PadMode::Replicate) return at < 0 ? 0 : size - 1;
  return at < 0 ? -at : 2 * (size - 1) - at;
}

// `value` is one element, used only by PadMode::Constant.
using pad_fn = void (*)(const TensorBase& output, const TensorBase& input, const PadGeometry& geometry,
                        PadMode mode, const void* value);
DECLARE_DISPATCH(pad_fn, pad_stub)

// Writes each element of grad_input: the sum of those of grad_output that it was the source of. Not for
// PadMode::Constant.
using pad_backward_fn = void (*)(const TensorBase& grad_input, const TensorBase& grad_output,
                                 const PadGeometry& geometry, PadMode mode);
DECLARE_DISPATCH(pad_backward_fn, pad_backward_stub)

}  // namespace at::native
