// Queries of a tensor's geometry as operators: those that return integers, and as tensors.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_dim_arange_native.h>
#include <ATen/ops/_shape_as_tensor_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/dim_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/get_device_native.h>
#include <ATen/ops/is_contiguous_native.h>
#include <ATen/ops/numel_native.h>
#include <ATen/ops/size_native.h>
#include <ATen/ops/storage_offset_native.h>
#include <ATen/ops/stride_native.h>
#include <ATen/ops/sym_is_contiguous_native.h>
#include <ATen/ops/sym_numel_native.h>
#include <ATen/ops/sym_size_native.h>
#include <ATen/ops/sym_storage_offset_native.h>
#include <ATen/ops/sym_stride_native.h>

#include <algorithm>
#include <vector>

namespace at::native {

std::vector<c10::SymInt> sym_size(const Tensor& self) {
  return {self.sym_sizes().begin(), self.sym_sizes().end()};
}

std::vector<c10::SymInt> sym_stride(const Tensor& self) {
  return {self.sym_strides().begin(), self.sym_strides().end()};
}

c10::SymInt sym_size(const Tensor& self, int64_t dim) { return self.sym_size(dim); }

c10::SymInt sym_stride(const Tensor& self, int64_t dim) { return self.sym_stride(dim); }

c10::SymInt sym_numel(const Tensor& self) { return self.sym_numel(); }

c10::SymInt sym_storage_offset(const Tensor& self) { return self.storage_offset(); }

c10::SymBool sym_is_contiguous(const Tensor& self, MemoryFormat memory_format) {
  return self.is_contiguous(memory_format);
}

int64_t numel(const Tensor& self) { return self.numel(); }
int64_t dim(const Tensor& self) { return self.dim(); }
int64_t size(const Tensor& self, int64_t dim) { return self.size(dim); }
int64_t stride(const Tensor& self, int64_t dim) { return self.stride(dim); }
int64_t storage_offset(const Tensor& self) { return self.storage_offset(); }
int64_t get_device(const Tensor& self) { return self.get_device(); }
bool is_contiguous(const Tensor& self) { return self.is_contiguous(); }
bool is_contiguous(const Tensor& self, MemoryFormat memory_format) {
  return self.is_contiguous(memory_format);
}

// On the CPU, wherever self is.
Tensor _shape_as_tensor(const Tensor& self) {
  const Tensor shape = at::empty({self.dim()}, kLong);
  std::copy(self.sizes().begin(), self.sizes().end(), shape.mutable_data_ptr<int64_t>());
  return shape;
}

Tensor _dim_arange(const Tensor& like, int64_t dim) {
  return at::arange(like.size(dim), like.options().dtype(kLong));
}

}  // namespace at::native
