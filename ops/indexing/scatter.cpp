// scatter and index_add around the devices' stubs, and the gradients of reads by index.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/gather_backward_native.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_add_native.h>
#include <ATen/ops/index_select_backward_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/scatter_add_native.h>
#include <ATen/ops/scatter_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/value_selecting_reduction_backward_native.h>

namespace at::native {

DEFINE_DISPATCH(scatter_stub);

// -------------------- scatter

namespace {

ScatterType scatter_type(c10::string_view reduce) {
  return reduce == "add" ? ScatterType::Add : ScatterType::Multiply;
}

void scatter_into(const Tensor& result, const Tensor& self, int64_t dim, const Tensor& index,
                  const Tensor& src, ScatterType type) {
  if (!result.is_same(self)) const_cast<Tensor&>(result).copy_(self);
  if (index.numel() == 0) return;
  scatter_stub(result.device().type(), result, maybe_wrap_dim(dim, self.dim()), index, src, type);
}

Tensor scalar_like(const Scalar& value, const Tensor& self) {
  return at::scalar_tensor(value, self.options());
}

}  // namespace

TORCH_IMPL_FUNC(scatter_src_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  scatter_into(out, self, dim, index, src, ScatterType::Assign);
}

TORCH_IMPL_FUNC(scatter_value_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, const Tensor& out) {
  scatter_into(out, self, dim, index, scalar_like(value, self), ScatterType::Assign);
}

TORCH_IMPL_FUNC(scatter_reduce_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, c10::string_view reduce,
 const Tensor& out) {
  scatter_into(out, self, dim, index, src, scatter_type(reduce));
}

TORCH_IMPL_FUNC(scatter_value_reduce_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, c10::string_view reduce,
 const Tensor& out) {
  scatter_into(out, self, dim, index, scalar_like(value, self), scatter_type(reduce));
}

TORCH_IMPL_FUNC(scatter_add)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  scatter_into(out, self, dim, index, src, ScatterType::Add);
}

// -------------------- index_add

// Each index is that of a whole slice of source: it is repeated by strides of zero.
TORCH_IMPL_FUNC(index_add_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha,
 const Tensor& result) {
  if (!result.is_same(self)) const_cast<Tensor&>(result).copy_(self);
  if (index.numel() == 0 || source.numel() == 0) return;
  const Tensor scaled = alpha.equal(1) ? source : at::mul(source, alpha).to(source.scalar_type());
  DimVector sizes(scaled.sizes().begin(), scaled.sizes().end()), strides(sizes.size(), 0);
  if (!sizes.empty()) strides[dim] = index.dim() == 0 ? 0 : index.strides()[0];
  const TensorBase repeated = at::detail::make_view(index, sizes, strides, index.storage_offset());
  scatter_stub(result.device().type(), result, dim, repeated, scaled, ScatterType::Add);
}

// -------------------- gradients

Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index,
                       bool sparse_grad) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse_grad,
                              "gather_backward: sparse gradients are not implemented; use "
                              "sparse_grad=False");
  return grad.new_zeros(self.sizes()).scatter_add_(dim, index, grad);
}

Tensor index_select_backward_symint(const Tensor& grad, c10::SymIntArrayRef self_sizes, int64_t dim,
                                    const Tensor& index) {
  return grad.new_zeros(C10_AS_INTARRAYREF_SLOW(self_sizes)).index_add_(dim, index, grad);
}

// The gradient of values gathered along dim: each is added where it came from.
Tensor value_selecting_reduction_backward_symint(const Tensor& grad, int64_t dim, const Tensor& indices,
                                                 c10::SymIntArrayRef sizes, bool keepdim) {
  const Tensor zeros = grad.new_zeros(C10_AS_INTARRAYREF_SLOW(sizes));
  if (keepdim || sizes.empty()) return zeros.scatter_(dim, indices, grad);
  return zeros.scatter_(dim, indices.unsqueeze(dim), grad.unsqueeze(dim));
}

}  // namespace at::native
