// Indexing operators that all devices share: index, index_put, gather and masked_fill around the devices'
// stubs.

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/advanced_index.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/_index_put_impl.h>
#include <ATen/ops/_index_put_impl_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/gather_native.h>
#include <ATen/ops/index_native.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_put_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/masked_fill_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/to.h>

#include <vector>

namespace at::native {

DEFINE_DISPATCH(index_stub);
DEFINE_DISPATCH(index_put_stub);
DEFINE_DISPATCH(gather_stub);
DEFINE_DISPATCH(masked_fill_stub);

// -------------------- index, gather

TORCH_IMPL_FUNC(index_out)
(const Tensor& /*self*/, DimVector sizes, DimVector strides, const Tensor& /*result*/) {
  if (numel() == 0) return;
  index_stub(device_type(), *this, sizes, strides, "index");
}

TORCH_IMPL_FUNC(gather_out)
(const Tensor& self, int64_t dim, const Tensor& index, bool /*sparse_grad*/, const Tensor& result) {
  if (index.numel() == 0) return;
  gather_stub(result.device().type(), result, self, maybe_wrap_dim(dim, self.dim()), index);
}

// -------------------- index_put

namespace {

using OptionalTensors = c10::List<std::optional<Tensor>>;

std::vector<Tensor> to_tensors(const OptionalTensors& indices) {
  std::vector<Tensor> result;
  result.reserve(indices.size());
  for (const std::optional<Tensor>& index : indices) result.push_back(index.value_or(Tensor()));
  return result;
}

void check_index_put(const Tensor& self, const std::vector<Tensor>& indices, const Tensor& values) {
  TORCH_CHECK_INDEX(static_cast<int64_t>(indices.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ", indices.size(), ")");
  at::assert_no_internal_overlap(self);
  at::assert_no_overlap(self, values);
  for (const Tensor& index : indices) {
    if (index.defined()) at::assert_no_overlap(self, index);
  }
}

// The mask, with dimensions of size 1 for the dimensions of self after it, when the indices are one mask and
// otherwise ':'; undefined otherwise.
Tensor sole_mask(const Tensor& self, const std::vector<Tensor>& indices) {
  Tensor mask;
  int64_t dims_before = 0;
  for (const Tensor& index : indices) {
    if (!index.defined()) {
      dims_before += !mask.defined();
      continue;
    }
    if (mask.defined() || index.scalar_type() != kBool || index.device() != self.device()) return Tensor();
    mask = index;
  }
  if (!mask.defined() || dims_before + mask.dim() > self.dim()) return Tensor();
  if (mask.sizes() != self.sizes().slice(dims_before, mask.dim())) return Tensor();
  DimVector shape(mask.sizes().begin(), mask.sizes().end());
  shape.resize(self.dim() - dims_before, 1);
  return mask.reshape(shape);
}

TensorIterator index_put_iterator(const AdvancedIndex& info, const Tensor& values) {
  TORCH_CHECK(is_expandable_to(values.sizes(), info.src.sizes()), "shape mismatch: value tensor of shape ",
              values.sizes(), " cannot be broadcast to indexing result of shape ", info.src.sizes());
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .resize_outputs(false)
      .check_all_same_dtype(false)
      .add_output(info.src)
      .add_const_input(values);
  for (const TensorBase& index : info.indices) config.add_const_input(index);
  return config.build();
}

}  // namespace

Tensor& _index_put_impl_(Tensor& self, const OptionalTensors& indices, const Tensor& values, bool accumulate,
                         bool /*unsafe*/) {
  const std::vector<Tensor> given = to_tensors(indices);
  const Tensor on_device = values.dim() == 0 ? values.to(self.device()) : values;
  check_index_put(self, given, on_device);
  if (!accumulate && on_device.numel() == 1) {
    const Tensor mask = sole_mask(self, given);
    if (mask.defined()) return self.masked_fill_(mask, on_device.reshape({}));
  }
  TORCH_CHECK(self.scalar_type() == values.scalar_type(),
              "Index put requires the source and destination dtypes match, got ", self.scalar_type(),
              " for the destination and ", values.scalar_type(), " for the source.");
  const AdvancedIndex info = make_advanced_index(self, given);
  TensorIterator iter = index_put_iterator(info, on_device);
  if (iter.numel() != 0) {
    index_put_stub(iter.device_type(), iter, info.indexed_sizes, info.indexed_strides, accumulate);
  }
  return self;
}

Tensor& index_put_(Tensor& self, const OptionalTensors& indices, const Tensor& values, bool accumulate) {
  return at::_index_put_impl_(self, indices, values, accumulate, /*unsafe=*/false);
}

Tensor index_put(const Tensor& self, const OptionalTensors& indices, const Tensor& values, bool accumulate) {
  return self.clone(MemoryFormat::Preserve).index_put_(indices, values, accumulate);
}

// -------------------- masked_fill

namespace {

// `out` may be `self`; the others are expanded to its sizes.
void fill_where(const Tensor& out, const Tensor& self, const Tensor& mask, const Scalar& value) {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .add_output(out)
      .add_const_input(self)
      .add_const_input(mask);
  auto iter = config.build();
  masked_fill_stub(iter.device_type(), iter, value);
}

void check_mask_dtype(const Tensor& mask) {
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_fill_ only supports boolean masks, but got mask with dtype ", mask.scalar_type());
}

// Meta is filled with nothing, so that any value does.
Scalar value_for(const Tensor& self, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0,
              "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
              " dimension(s).");
  return self.is_meta() ? Scalar(0) : value.item();
}

}  // namespace

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  check_mask_dtype(mask);
  at::assert_no_internal_overlap(self);
  at::assert_no_partial_overlap(self, mask);
  fill_where(self, self, *expand_inplace(self, mask, "masked_fill_"), value);
  return self;
}

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value) {
  return self.masked_fill_(mask, value_for(self, value));
}

namespace {

// Devices without the stub have what they registered for masked_fill_.
template <class Value>
Tensor fill_copy(const Tensor& self, const Tensor& mask, const Value& value) {
  const DimVector size = infer_size_dimvector(self.sizes(), mask.sizes());
  return self.expand(size).clone(MemoryFormat::Contiguous).masked_fill_(mask, value);
}

bool has_stub(const Tensor& self) { return self.is_cpu() || self.is_cuda(); }

}  // namespace

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  if (!has_stub(self)) return fill_copy(self, mask, value);
  const DimVector size = infer_size_dimvector(self.sizes(), mask.sizes());
  check_mask_dtype(mask);
  const Tensor result = at::empty(size, self.options());
  fill_where(result, self, mask, value);
  return result;
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return has_stub(self) ? at::masked_fill(self, mask, value_for(self, value)) : fill_copy(self, mask, value);
}

}  // namespace at::native
