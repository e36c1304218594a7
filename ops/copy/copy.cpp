// copy_, fill_, zero_ and their functional forms.
#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/copy/stubs.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Scalar.h>
#include <c10/core/impl/DeviceInterface.h>

#include <cstring>

#include <ATen/ops/as_strided.h>
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
  TORCH_CHECK(is_expandable_to(src.sizes(), self.sizes()), "output with shape ", self.sizes(),
              " doesn't match the broadcast shape ", infer_size_dimvector(self.sizes(), src.sizes()));
}

// The fast path: small contiguous tensors of one dtype with separate memory.
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

void transfer(const Tensor& dst, const Tensor& src, size_t nbytes, bool non_blocking) {
  const Device device = dst.is_cpu() ? src.device() : dst.device();
  c10::DeviceGuard guard(device);
  c10::device_interface(device.type())
      .copy_bytes(dst.mutable_data_ptr(), dst.device(), src.const_data_ptr(), src.device(), nbytes,
                  non_blocking);
}

// The same bytes on the host, with the same strides.
Tensor host_image(const Tensor& t) {
  Tensor host(at::detail::empty_strided_cpu(t.sizes(), t.strides(), t.scalar_type()));
  transfer(host, t, host.storage().nbytes(), /*non_blocking=*/false);
  return host;
}

// For devices without a copy kernel: their DeviceInterface copies bytes; dtypes and strides are converted on
// the host.
void copy_through_interface(Tensor& self, const Tensor& src, bool non_blocking) {
  if (self.scalar_type() == src.scalar_type() && self.sizes() == src.sizes() &&
      self.strides() == src.strides() && self.is_non_overlapping_and_dense()) {
    transfer(self, src, self.nbytes(), non_blocking);
    return;
  }
  const Tensor from = src.is_cpu() ? src : host_image(src);
  if (self.is_cpu()) {
    self.copy_(from);
    return;
  }
  Tensor to = host_image(self);
  to.copy_(from);
  transfer(self, to, to.storage().nbytes(), /*non_blocking=*/false);
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
    if (copy_stub.is_device_supported(device_type)) {
      copy_stub(device_type, iter, non_blocking);
    } else {
      copy_through_interface(self, src, non_blocking);
    }
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

namespace {

// One element for all those that expand() maps to one address.
Tensor without_repeats(const Tensor& self) {
  DimVector sizes(self.sizes());
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (self.strides()[d] == 0 && sizes[d] > 1) sizes[d] = 1;
  }
  return self.as_strided(sizes, self.strides(), self.storage_offset());
}

}  // namespace

Tensor& fill_(Tensor& self, const Scalar& value) {
  // Elements that share memory get the same value.
  if (at::has_internal_overlap(self) == MemOverlap::Yes) {
    Tensor distinct = without_repeats(self);
    distinct.fill_(value);
    return self;
  }
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
  TORCH_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
  if (self.device() != value.device()) {
    return self.fill_(value.item());
  }
  return self.copy_(self.is_alias_of(value) ? value.clone() : value);
}

Tensor fill(const Tensor& self, const Scalar& value) { return at::empty_like(self).fill_(value); }

Tensor fill(const Tensor& self, const Tensor& value) { return at::empty_like(self).fill_(value); }

Tensor& fill_meta_(Tensor& self, const Scalar& /*value*/) { return self; }

Tensor& fill_meta_(Tensor& self, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
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

Tensor& zero_meta_(Tensor& self) { return self; }

}  // namespace at::native
