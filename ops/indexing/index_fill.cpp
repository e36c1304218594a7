// Writes of slices by their positions along a dimension: index_copy, index_fill.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/index_copy_native.h>
#include <ATen/ops/index_fill.h>
#include <ATen/ops/index_fill_native.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/item.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/unsqueeze.h>

namespace at::native {

namespace {

// A 0-dim tensor as one position.
TensorBase with_positions(const Tensor& t) {
  if (t.dim() > 0) return t;
  const int64_t one = 1;
  return at::detail::make_view(t, IntArrayRef(one), IntArrayRef(one), t.storage_offset());
}

// Scatter, which writes, raises a RuntimeError.
void check_positions(const TensorBase& index, int64_t dim, int64_t size) {
  const auto* at = index.const_data_ptr<int64_t>();
  const int64_t step = index.dim() == 0 ? 0 : index.strides()[0];
  for (int64_t i = 0; i < index.numel(); ++i) {
    TORCH_CHECK_INDEX(at[i * step] >= 0 && at[i * step] < size, "index_copy_(): index ", at[i * step],
                      " is out of bounds for dimension ", dim, " with size ", size);
  }
}

}  // namespace

// Each index is that of a whole slice of source: it is repeated by strides of zero.
TORCH_IMPL_FUNC(index_copy_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Tensor& result) {
  if (!result.is_same(self)) const_cast<Tensor&>(result).copy_(self);
  if (index.numel() == 0 || source.numel() == 0) return;
  const TensorBase target = with_positions(result), slices = with_positions(source);
  DimVector strides(slices.sizes().size(), 0);
  if (index.is_cpu()) check_positions(index, dim, target.size(dim));
  strides[dim] = index.dim() == 0 ? 0 : index.strides()[0];
  const TensorBase repeated = at::detail::make_view(index, slices.sizes(), strides, index.storage_offset());
  scatter_stub(result.device().type(), target, dim, repeated, slices, ScatterType::Assign);
}

// -------------------- index_fill

Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  TORCH_CHECK_INDEX(index.scalar_type() == kLong, "index_fill_(): Expected dtype int64 for index.");
  TORCH_CHECK(index.dim() <= 1, "Index has to be a vector/scalar");
  TORCH_CHECK(self.is_complex() || !value.isComplex(),
              "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  dim = maybe_wrap_dim(dim, self.dim());
  c10::List<std::optional<Tensor>> indices;
  for (int64_t i = 0; i < dim; ++i) indices.push_back(std::nullopt);
  indices.push_back(index.reshape(-1));
  Tensor target = self.dim() == 0 ? self.unsqueeze(0) : self;
  target.index_put_(indices, at::scalar_tensor(value, self.options()));
  return self;
}

Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "Only supports 0-dimensional value tensor, but got tensor with ", value.dim(),
              " dimension(s).");
  // A tensor without data has no value either: only the arguments are checked.
  return self.index_fill_(dim, index, self.is_meta() ? Scalar(0) : value.item());
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return self.clone(MemoryFormat::Preserve).index_fill_(dim, index, value);
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  return self.clone(MemoryFormat::Preserve).index_fill_(dim, index, value);
}

}  // namespace at::native
