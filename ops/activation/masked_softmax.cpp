// softmax of the elements that a mask leaves: those that it names count as minus infinity.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/_masked_softmax_backward_native.h>
#include <ATen/ops/_masked_softmax_native.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/_softmax_backward_data.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/view.h>

#include <limits>

namespace at::native {

namespace {

constexpr int64_t pairs = 0, keys = 1, elements = 2;

void check_mask(const Tensor& mask) {
  TORCH_CHECK(mask.scalar_type() == kBool, "Mask should be a boolean tensor");
}

// The mask of self's elements. Masks of pairs (query and key) and of keys (in a batch) are for attention
// weights: batch, heads, queries, keys.
Tensor mask_of_elements(const Tensor& self, const Tensor& mask, int64_t type) {
  const IntArrayRef sizes = self.sizes();
  TORCH_CHECK(type == pairs || type == keys || type == elements,
              "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)");
  if (mask.sizes() == sizes) return mask;
  TORCH_CHECK(type != elements, "For mask_type == 2 mask shape should match input shape");
  TORCH_CHECK(self.dim() == 4, "_masked_softmax: expected attention weights of 4 dimensions, got ",
              self.dim());
  if (type == pairs) {
    TORCH_CHECK(mask.sizes() == sizes.slice(2), "For mask_type == 0 mask shape should be (L, L)");
    return mask.expand(sizes);
  }
  const DimVector keys{sizes[0], sizes[3]};
  TORCH_CHECK(mask.sizes() == IntArrayRef(keys), "For mask_type == 1 mask shape should be (B, L)");
  return mask.view({sizes[0], 1, 1, sizes[3]}).expand(sizes);
}

}  // namespace

Tensor _masked_softmax(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                       std::optional<int64_t> mask_type) {
  check_mask(mask);
  const Tensor masked = self.masked_fill(mask_of_elements(self, mask, mask_type.value_or(elements)),
                                         -std::numeric_limits<double>::infinity());
  return at::_softmax(masked, dim.value_or(-1), /*half_to_float=*/false);
}

Tensor _masked_softmax_backward(const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                std::optional<int64_t> dim) {
  check_mask(mask);
  TORCH_CHECK(mask.sizes() == grad_output.sizes(), "Mask shape should match grad shape");
  return at::_softmax_backward_data(grad_output.masked_fill(mask, 0), output, dim.value_or(-1),
                                    output.scalar_type())
      .masked_fill(mask, 0);
}

}  // namespace at::native
