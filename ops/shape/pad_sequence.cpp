// Lists of tensors made one: pad_sequence, and flatten_dense_tensors with its inverse.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/flatten_dense_tensors_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/pad_sequence_native.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unflatten_dense_tensors_native.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <vector>

namespace at::native {

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value,
                    c10::string_view padding_side) {
  TORCH_CHECK(!sequences.empty(), "received an empty list of sequences");
  TORCH_CHECK(padding_side == "left" || padding_side == "right",
              "Expected padding_side to be one of left or right, but got ", padding_side, ".");
  int64_t longest = 0;
  for (const Tensor& t : sequences) {
    TORCH_CHECK(t.dim() > 0, "pad_sequence: a sequence needs at least one dimension");
    longest = std::max(longest, t.sizes()[0]);
  }
  const ScalarType dtype = sequences[0].scalar_type();
  std::vector<Tensor> padded;
  padded.reserve(sequences.size());
  for (const Tensor& t : sequences) {
    DimVector pad(2 * t.dim(), 0);
    (padding_side == "left" ? pad[pad.size() - 2] : pad.back()) = longest - t.sizes()[0];
    padded.push_back(at::constant_pad_nd(t.to(dtype), pad, padding_value));
  }
  return at::stack(padded, batch_first ? 0 : 1);
}

Tensor flatten_dense_tensors(TensorList tensors) {
  std::vector<Tensor> flat;
  flat.reserve(tensors.size());
  for (const Tensor& t : tensors) flat.push_back(t.contiguous().view(-1));
  return flat.size() == 1 ? flat[0] : at::cat(flat);
}

std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t offset = 0;
  for (const Tensor& t : tensors) {
    const int64_t numel = t.numel();
    parts.push_back(numel == 0 ? at::empty({0}, flat.options())
                               : flat.narrow(0, offset, numel).view(t.sizes()));
    offset += numel;
  }
  return parts;
}

}  // namespace at::native
