// masked_scatter_ on the CPU, by the kernel in simd/masked_scatter.cpp.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/masked_scatter.h>
#include <ATen/native/indexing/stubs.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/masked_scatter_native.h>

namespace at::native {

Tensor& masked_scatter__cpu(Tensor& self, const Tensor& mask, const Tensor& source) {
  const Tensor where = masked_scatter_mask(self, mask, source), values = source.contiguous();
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .enforce_linear_iteration()
      .add_output(self)
      .add_const_input(self)
      .add_const_input(where);
  auto iter = config.build();
  masked_scatter_stub(kCPU, iter, values);
  return self;
}

}  // namespace at::native
