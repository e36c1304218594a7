// Methods of at::Tensor that are no operators of their own.
#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/select.h>
#include <ATen/ops/to.h>

namespace at::inline C10_ABI {

Tensor Tensor::contiguous(c10::MemoryFormat memory_format) const {
  return is_contiguous(memory_format) ? *this : __dispatch_contiguous(memory_format);
}

Tensor Tensor::operator[](int64_t index) const { return select(0, index); }

Tensor Tensor::cpu() const { return to(options().device(c10::kCPU), /*non_blocking=*/false, /*copy=*/false); }

Tensor Tensor::cuda() const {
  return to(options().device(c10::kCUDA), /*non_blocking=*/false, /*copy=*/false);
}

Tensor Tensor::toType(c10::ScalarType t) const { return to(t); }

Tensor& Tensor::operator=(const Tensor& other) && {
  copy_(other);
  return *this;
}

Tensor& Tensor::operator=(const c10::Scalar& value) && {
  fill_(value);
  return *this;
}

}  // namespace at::inline C10_ABI
