// Max unpooling, and fractional max pooling.
#include <ATen/native/pooling/drivers.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fractional_max_pool2d_backward_native.h>
#include <ATen/ops/fractional_max_pool2d_native.h>
#include <ATen/ops/fractional_max_pool3d_backward_native.h>
#include <ATen/ops/fractional_max_pool3d_native.h>
#include <ATen/ops/max_unpool2d_native.h>
#include <ATen/ops/max_unpool3d_native.h>

namespace at::native {

DEFINE_DISPATCH(max_unpool_stub);
DEFINE_DISPATCH(fractional_max_pool_stub);
DEFINE_DISPATCH(fractional_max_pool_backward_stub);

// -------------------- Unpooling

namespace {

DimVector unpooled_sizes(const Tensor& self, IntArrayRef output_size) {
  DimVector sizes(self.sizes().begin(), self.sizes().end() - output_size.size());
  sizes.append(output_size.begin(), output_size.end());
  return sizes;
}

void unpool(Pooling pooling, const Tensor& self, const Tensor& indices, MemoryFormat format,
            const Tensor& out) {
  if (out.is_meta()) return;
  TORCH_CHECK(out.numel() > 0 || self.numel() == 0, "max_unpool: no index is within an output of shape ",
              out.sizes());
  if (out.numel() == 0) return;
  pooling.channels_last = format != MemoryFormat::Contiguous;
  const int64_t dims = pooling.dims;
  DenseOutput result(out, dims, format, self);
  max_unpool_stub(out.device().type(), pooling, with_batch(self, dims).contiguous(format),
                  with_batch(indices, dims).contiguous(format), result.tensor());
  result.finish();
}

Tensor& unpool_out(const char* name, int64_t dims, const Tensor& self, const Tensor& indices,
                   IntArrayRef output_size, Tensor& out) {
  const Pooling pooling = plan_unpooling(name, dims, self, indices, output_size);
  const MemoryFormat format = pool_format(self, dims);
  prepare_output(name, out, unpooled_sizes(self, output_size), self.options(), format);
  unpool(pooling, self, indices, format, out);
  return out;
}

Tensor unpool(const char* name, int64_t dims, const Tensor& self, const Tensor& indices,
              IntArrayRef output_size) {
  const Pooling pooling = plan_unpooling(name, dims, self, indices, output_size);
  const MemoryFormat format = pool_format(self, dims);
  Tensor out = at::empty(unpooled_sizes(self, output_size), self.options(), format);
  unpool(pooling, self, indices, format, out);
  return out;
}

// The pooling's parameters don't influence the result, but are checked.
void check_volume_window(IntArrayRef stride, IntArrayRef padding) {
  TORCH_CHECK(stride.size() == 3, "max_unpool3d(): There should be exactly three elements (depth, height, ",
              "width) in stride, but got: ", stride.size(), " elements.");
  TORCH_CHECK(padding.size() == 3, "max_unpool3d(): There should be exactly three elements (depth, height, ",
              "width) in padding, but got: ", padding.size(), " elements.");
}

}  // namespace

Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  return unpool("max_unpool2d", 2, self, indices, output_size);
}

Tensor& max_unpool2d_out(const Tensor& self, const Tensor& indices, IntArrayRef output_size, Tensor& out) {
  return unpool_out("max_unpool2d", 2, self, indices, output_size, out);
}

Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                    IntArrayRef padding) {
  check_volume_window(stride, padding);
  return unpool("max_unpool3d", 3, self, indices, output_size);
}

Tensor& max_unpool3d_out(const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                         IntArrayRef stride, IntArrayRef padding, Tensor& out) {
  check_volume_window(stride, padding);
  return unpool_out("max_unpool3d", 3, self, indices, output_size, out);
}

// -------------------- Windows at random positions

namespace {

void fractional(const Pooling& pooling, const Tensor& input, const Tensor& random_samples,
                const Tensor& output, const Tensor& indices) {
  if (output.numel() == 0) return;
  DenseOutput values(output, pooling.dims, MemoryFormat::Contiguous, input);
  DenseOutput places(indices, pooling.dims, MemoryFormat::Contiguous, input);
  fractional_max_pool_stub(input.device().type(), pooling, input.contiguous(), random_samples.contiguous(),
                           values.tensor(), places.tensor());
  values.finish();
  places.finish();
}

void fractional_backward(const Pooling& pooling, const Tensor& grad_output, const Tensor& indices,
                         const Tensor& grad_input) {
  if (grad_input.numel() == 0 || grad_input.is_meta()) return;
  DenseOutput result(grad_input, pooling.dims, MemoryFormat::Contiguous, grad_output);
  fractional_max_pool_backward_stub(grad_input.device().type(), pooling, grad_output.contiguous(),
                                    indices.contiguous(), result.tensor());
  result.finish();
}

}  // namespace

TORCH_IMPL_FUNC(fractional_max_pool2d_out)
(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& random_samples,
 const Tensor& output, const Tensor& indices) {
  fractional(plan_fractional("fractional_max_pool2d", 2, input, kernel_size, output_size, random_samples),
             input, random_samples, output, indices);
}

TORCH_IMPL_FUNC(fractional_max_pool2d_backward)
(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
 const Tensor& indices, const Tensor& grad_input) {
  fractional_backward(
      plan_fractional("fractional_max_pool2d_backward", 2, input, kernel_size, output_size, {}), grad_output,
      indices, grad_input);
}

TORCH_IMPL_FUNC(fractional_max_pool3d_out)
(const Tensor& input, int64_t poolSizeT, int64_t poolSizeH, int64_t poolSizeW, int64_t outputT,
 int64_t outputH, int64_t outputW, const Tensor& random_samples, int64_t /*numBatch*/, int64_t /*numPlanes*/,
 int64_t /*inputT*/, int64_t /*inputH*/, int64_t /*inputW*/, const Tensor& output, const Tensor& indices) {
  const Pooling pooling =
      plan_fractional("fractional_max_pool3d", 3, input, {poolSizeT, poolSizeH, poolSizeW},
                      {outputT, outputH, outputW}, random_samples);
  fractional(pooling, input, random_samples, output, indices);
}

Tensor& fractional_max_pool3d_backward_out(const Tensor& grad_output, const Tensor& input,
                                           IntArrayRef kernel_size, IntArrayRef output_size,
                                           const Tensor& indices, Tensor& grad_input) {
  constexpr const char* name = "fractional_max_pool3d_backward";
  const Pooling pooling = plan_fractional(name, 3, input, kernel_size, output_size, {});
  check_pooled(name, pooling, input, grad_output, indices);
  prepare_output(name, grad_input, input.sizes(), input.options(), MemoryFormat::Contiguous);
  fractional_backward(pooling, grad_output, indices, grad_input);
  return grad_input;
}

Tensor fractional_max_pool3d_backward(const Tensor& grad_output, const Tensor& input, IntArrayRef kernel_size,
                                      IntArrayRef output_size, const Tensor& indices) {
  Tensor grad_input = at::empty(input.sizes(), input.options());
  return fractional_max_pool3d_backward_out(grad_output, input, kernel_size, output_size, indices,
                                            grad_input);
}

}  // namespace at::native
