// The sym_ queries: sizes, strides and the like as operators that return integers.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/sym_is_contiguous_native.h>
#include <ATen/ops/sym_numel_native.h>
#include <ATen/ops/sym_size_native.h>
#include <ATen/ops/sym_storage_offset_native.h>
#include <ATen/ops/sym_stride_native.h>

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

}  // namespace at::native
