// Tensors joined along a fixed dimension, and cat and stack under other names.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_stack_native.h>
#include <ATen/ops/atleast_1d.h>
#include <ATen/ops/atleast_2d.h>
#include <ATen/ops/atleast_3d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/column_stack_native.h>
#include <ATen/ops/concat_native.h>
#include <ATen/ops/concatenate_native.h>
#include <ATen/ops/dstack_native.h>
#include <ATen/ops/hstack.h>
#include <ATen/ops/hstack_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/row_stack_native.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/vstack.h>
#include <ATen/ops/vstack_native.h>

#include <vector>

namespace at::native {

Tensor concat(TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }
Tensor& concat_out(TensorList tensors, int64_t dim, Tensor& out) { return at::cat_out(out, tensors, dim); }
Tensor concatenate(TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }
Tensor& concatenate_out(TensorList tensors, int64_t dim, Tensor& out) {
  return at::cat_out(out, tensors, dim);
}

Tensor _stack(TensorList tensors, int64_t dim) { return at::stack(tensors, dim); }
Tensor& _stack_out(TensorList tensors, int64_t dim, Tensor& out) { return at::stack_out(out, tensors, dim); }

namespace {

void check_not_empty(TensorList tensors, const char* name) {
  TORCH_CHECK(!tensors.empty(), name, " expects a non-empty TensorList");
}

std::vector<Tensor> horizontally(TensorList tensors, int64_t& dim) {
  check_not_empty(tensors, "hstack");
  std::vector<Tensor> parts = at::atleast_1d(tensors);
  dim = parts[0].dim() == 1 ? 0 : 1;
  return parts;
}

std::vector<Tensor> vertically(TensorList tensors) {
  check_not_empty(tensors, "vstack");
  return at::atleast_2d(tensors);
}

std::vector<Tensor> in_depth(TensorList tensors) {
  check_not_empty(tensors, "dstack");
  return at::atleast_3d(tensors);
}

// Vectors as columns.
std::vector<Tensor> columns(TensorList tensors) {
  check_not_empty(tensors, "column_stack");
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  for (const Tensor& t : tensors) parts.push_back(t.dim() <= 1 ? t.reshape({t.numel(), 1}) : t);
  return parts;
}

}  // namespace

Tensor hstack(TensorList tensors) {
  int64_t dim = 0;
  const std::vector<Tensor> parts = horizontally(tensors, dim);
  return at::cat(parts, dim);
}

Tensor& hstack_out(TensorList tensors, Tensor& out) {
  int64_t dim = 0;
  const std::vector<Tensor> parts = horizontally(tensors, dim);
  return at::cat_out(out, parts, dim);
}

Tensor vstack(TensorList tensors) { return at::cat(vertically(tensors), 0); }
Tensor& vstack_out(TensorList tensors, Tensor& out) { return at::cat_out(out, vertically(tensors), 0); }
Tensor row_stack(TensorList tensors) { return at::vstack(tensors); }
Tensor& row_stack_out(TensorList tensors, Tensor& out) { return at::vstack_out(out, tensors); }

Tensor dstack(TensorList tensors) { return at::cat(in_depth(tensors), 2); }
Tensor& dstack_out(TensorList tensors, Tensor& out) { return at::cat_out(out, in_depth(tensors), 2); }

Tensor column_stack(TensorList tensors) { return at::hstack(columns(tensors)); }
Tensor& column_stack_out(TensorList tensors, Tensor& out) { return at::hstack_out(out, columns(tensors)); }

}  // namespace at::native
