// copy_, fill_, zero_ and their functional forms.
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Copy.h>
#include <c10/core/Scalar.h>

#include <cstring>

#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/fill_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zero_native.h>

namespace at::native {

DEFINE_DISPATCH(fill_stub);
DEFINE_DISPATCH(copy_stub);

// -------------------- copy

namespace {

void check_broadcasts_to(const Tensor& self, const Tensor& src) {
  TORCH_CHECK(
      is_expandable_to(src.sizes(), self.sizes()),
      "output with shape ", self.sizes(), " doesn't match the broadcast shape ",
      infer_size_dimvector(self.sizes(), src.sizes()));
}

// Small contiguous tensors of one dtype over separate memory are moved without planning.
bool copy_bytes(const Tensor& self, const Tensor& src) {
  constexpr size_t most = 1 << 18;
  const size_t nbytes = self.nbytes();
  if (!self.is_cpu() || !src.is_cpu() || self.scalar_type() != src.scalar_type() || nbytes > most ||
      self.sizes() != src.sizes() || !self.is_contiguous() || !src.is_contiguous() ||
      self.storage().is_alias_of(src.storage())) {
    return false;
  }
  if (nbytes > 0) {
    std::memcpy(self.mutable_data_ptr(), src.const_data_ptr(), nbytes);
  }
  return true;
}

}  // namespace

Tensor& copy_(Tensor& self, const Tensor& src, bool non_blocking) {
  if (self.is_same(src)) {
    return self;
  }
  if (self.is_meta()) {
    check_broadcasts_to(self, src);
    return self;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!src.is_meta(), "Cannot copy out of meta tensor; no data!");
  if (copy_bytes(self, src)) {
    return self;
  }
  auto iter = TensorIteratorConfig()
                  .add_output(self)
                  .add_const_input(src)
                  .resize_outputs(false)
                  .check_all_same_dtype(false)
                  .check_all_same_device(false)
                  .build();
  if (iter.numel() != 0) {
    const auto device_type = self.is_cpu() ? src.device().type() : self.device().type();
    copy_stub(device_type, iter, non_blocking);
  }
  return self;
}

Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking) {
  check_broadcasts_to(self, src);
  return at::empty_like(self).copy_(src, non_blocking);
}

Tensor copy_meta(const Tensor& self, const Tensor& src, bool /*non_blocking*/) {
  check_broadcasts_to(self, src);
  return at::empty_like(self);
}

// -------------------- fill

Tensor& fill_(Tensor& self, const Scalar& value) {
  // Elements that share memory get the same value.
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)
                  .check_all_same_dtype(false)
                  .resize_outputs(false)
                  .add_output(self)
                  .build();
  fill_stub(iter.device_type(), iter, value);
  return self;
}

Tensor& fill_(Tensor& self, const Tensor& value) {
  TORCH_CHECK(
      value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(), " dimensions.");
  if (self.device() != value.device()) {
    return self.fill_(value.item());
  }
  return self.copy_(self.is_alias_of(value) ? value.clone() : value);
}

Tensor fill(const Tensor& self, const Scalar& value) {
  return at::empty_like(self).fill_(value);
}

Tensor fill(const Tensor& self, const Tensor& value) {
  return at::empty_like(self).fill_(value);
}

Tensor& fill_meta_(Tensor& self, const Scalar& /*value*/) {
  return self;
}

Tensor& fill_meta_(Tensor& self, const Tensor& value) {
  TORCH_CHECK(
      value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(), " dimensions.");
  return self;
}

// -------------------- zero

Tensor& zero_(Tensor& self) {
  constexpr size_t most = 1 << 18;
  if (self.is_cpu() && self.is_contiguous() && self.nbytes() <= most) {
    if (self.numel() != 0) {
      std::memset(self.mutable_data_ptr(), 0, self.nbytes());
    }
    return self;
  }
  return self.fill_(0);
}

Tensor& zero_meta_(Tensor& self) {
  return self;
}

}  // namespace at::native
