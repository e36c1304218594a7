// Matrices put together: block_diag, and _chunk_cat, which joins padded pieces.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/_chunk_cat_native.h>
#include <ATen/ops/block_diag_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/zeros.h>

#include <vector>

namespace at::native {

Tensor block_diag(TensorList tensors) {
  if (tensors.empty()) return at::empty({1, 0});
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    TORCH_CHECK(t.device() == tensors[0].device(),
                "torch.block_diag: input tensors must all be on the same device. Input 0 is on device ",
                tensors[0].device(), " and input ", i, " is on device ", t.device());
    TORCH_CHECK(t.dim() <= 2, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i,
                " has ", t.dim(), " dimensions");
    rows += t.dim() == 2 ? t.sizes()[0] : 1;
    columns += t.dim() == 0 ? 1 : t.sizes()[t.dim() - 1];
  }
  const Tensor result = at::zeros({rows, columns}, tensors[0].options().dtype(promoted_type_of(tensors)));
  int64_t row = 0, column = 0;
  for (const Tensor& t : tensors) {
    const int64_t height = t.dim() == 2 ? t.sizes()[0] : 1;
    const int64_t width = t.dim() == 0 ? 1 : t.sizes()[t.dim() - 1];
    result.narrow(0, row, height).narrow(1, column, width).copy_(t);
    row += height;
    column += width;
  }
  return result;
}

// -------------------- _chunk_cat

namespace {

int64_t check_chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks) {
  TORCH_CHECK(num_chunks >= 1, "_chunk_cat expects positive num_chunks");
  TORCH_CHECK(!tensors.empty(), "_chunk_cat expects a non-empty input tensor list");
  const Tensor& first = tensors[0];
  dim = maybe_wrap_dim(dim, first.dim());
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.numel() > 0, "_chunk_cat expects non-empty tensor");
    TORCH_CHECK(t.scalar_type() == first.scalar_type(),
                "_chunk_cat expects all input tensors with the same dtype");
    TORCH_CHECK(dim < t.dim(), "_chunk_cat expects dim < ndim for all input tensors");
    TORCH_CHECK(t.sizes().slice(0, dim) == first.sizes().slice(0, dim),
                "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors");
  }
  return dim;
}

// t with zeros at the end of `dim` so that it divides into equal pieces, each of which is made one dimension.
Tensor in_chunks(const Tensor& t, int64_t dim, int64_t num_chunks) {
  const int64_t size = t.sizes()[dim], chunk = size / num_chunks + (size % num_chunks != 0);
  DimVector pad(2 * (t.dim() - dim), 0);
  TORCH_CHECK(!__builtin_mul_overflow(chunk, num_chunks, &pad.back()), "_chunk_cat: too many chunks");
  pad.back() -= size;
  DimVector shape(t.sizes().begin(), t.sizes().begin() + dim);
  shape.push_back(num_chunks);
  shape.push_back(-1);
  return at::constant_pad_nd(t, pad, 0).reshape(shape);
}

std::vector<Tensor> all_in_chunks(TensorList tensors, int64_t dim, int64_t num_chunks) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  for (const Tensor& t : tensors) parts.push_back(in_chunks(t, dim, num_chunks));
  return parts;
}

}  // namespace

Tensor _chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks) {
  dim = check_chunk_cat(tensors, dim, num_chunks);
  return at::cat(all_in_chunks(tensors, dim, num_chunks), dim + 1);
}

Tensor& _chunk_cat_out(TensorList tensors, int64_t dim, int64_t num_chunks, Tensor& out) {
  dim = check_chunk_cat(tensors, dim, num_chunks);
  return at::cat_out(out, all_in_chunks(tensors, dim, num_chunks), dim + 1);
}

}  // namespace at::native
