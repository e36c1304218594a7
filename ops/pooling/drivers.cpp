// Shared by the drivers of all pooling operators.
#include <ATen/MemoryOverlap.h>
#include <ATen/native/Resize.h>
#include <ATen/native/pooling/drivers.h>
#include <c10/util/MaybeOwned.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

#include <limits>

namespace at::native {

DEFINE_DISPATCH(avg_pool_stub);
DEFINE_DISPATCH(avg_pool_backward_stub);
DEFINE_DISPATCH(max_pool_stub);
DEFINE_DISPATCH(max_pool_backward_stub);

Tensor with_batch(const Tensor& t, int64_t dims) { return t.dim() == dims + 1 ? t.unsqueeze(0) : t; }

MemoryFormat pool_format(const Tensor& input, int64_t dims) {
  return dims == 2 && input.dim() == 4 ? input.suggest_memory_format() : MemoryFormat::Contiguous;
}

DenseOutput::DenseOutput(const Tensor& output, int64_t dims, MemoryFormat format, const Tensor& input)
    : output_(output) {
  at::assert_no_internal_overlap(output);
  at::assert_no_overlap(output, input);
  if (output.dim() == dims + 1) batch_ = output.unsqueeze(0);
  if (!batch().is_contiguous(format)) dense_ = at::empty_like(batch(), format);
}

void DenseOutput::finish() {
  if (dense_.defined()) batch().copy_(dense_);
}

void prepare_output(const char* name, Tensor& out, IntArrayRef sizes, const TensorOptions& options,
                    MemoryFormat format) {
  const ScalarType dtype = c10::typeMetaToScalarType(options.dtype());
  TORCH_CHECK(out.scalar_type() == dtype, name, "(): Expected out tensor to have dtype ", dtype, ", but got ",
              out.scalar_type(), " instead");
  TORCH_CHECK(out.device() == options.device(), name, "(): Expected out tensor to be on ", options.device(),
              ", but got ", out.device(), " instead");
  if (resize_output_check(out, sizes)) out.resize_(sizes, format);
}

namespace {

c10::MaybeOwned<Tensor> dense(const Tensor& t, int64_t dims, MemoryFormat format) {
  if (t.dim() == dims + 2 && t.is_contiguous(format)) return c10::MaybeOwned<Tensor>::borrowed(t);
  return c10::MaybeOwned<Tensor>::owned(with_batch(t, dims).contiguous(format));
}

// Kernels on the CPU store indices in the same width as values.
bool positions_need_more_bits(const Pooling& pooling, const Tensor& input) {
  return input.is_cpu() && input.element_size() < 8 &&
         pooling.input_size() > std::numeric_limits<int32_t>::max();
}

}  // namespace

void average(Pooling pooling, const Tensor& input, MemoryFormat format, const Tensor& output) {
  if (output.numel() == 0 || output.is_meta()) return;
  pooling.channels_last = format != MemoryFormat::Contiguous;
  DenseOutput result(output, pooling.dims, format, input);
  avg_pool_stub(input.device().type(), pooling, *dense(input, pooling.dims, format), result.tensor());
  result.finish();
}

void average_backward(Pooling pooling, const Tensor& grad_output, MemoryFormat format,
                      const Tensor& grad_input) {
  if (grad_input.numel() == 0 || grad_input.is_meta()) return;
  if (grad_output.numel() == 0) {
    grad_input.zero_();
    return;
  }
  pooling.channels_last = format != MemoryFormat::Contiguous;
  DenseOutput result(grad_input, pooling.dims, format, grad_output);
  avg_pool_backward_stub(grad_input.device().type(), pooling, *dense(grad_output, pooling.dims, format),
                         result.tensor());
  result.finish();
}

void maximum(Pooling pooling, const Tensor& input, MemoryFormat format, const Tensor& output,
             const Tensor& indices) {
  if (output.numel() == 0 || output.is_meta()) return;
  if (positions_need_more_bits(pooling, input)) {
    const Tensor wide = input.to(isFloatingType(input.scalar_type()) ? kDouble : kLong);
    const Tensor result = at::empty_like(output, wide.options());
    maximum(pooling, wide, format, result, indices);
    const_cast<Tensor&>(output).copy_(result);
    return;
  }
  pooling.channels_last = format != MemoryFormat::Contiguous;
  DenseOutput values(output, pooling.dims, format, input), places(indices, pooling.dims, format, input);
  max_pool_stub(input.device().type(), pooling, *dense(input, pooling.dims, format), values.tensor(),
                places.tensor());
  values.finish();
  places.finish();
}

void maximum_backward(Pooling pooling, const Tensor& grad_output, const Tensor& indices, MemoryFormat format,
                      const Tensor& grad_input) {
  if (grad_input.numel() == 0 || grad_input.is_meta()) return;
  pooling.channels_last = format != MemoryFormat::Contiguous;
  DenseOutput result(grad_input, pooling.dims, format, grad_output);
  max_pool_backward_stub(grad_input.device().type(), pooling, *dense(grad_output, pooling.dims, format),
                         *dense(indices, pooling.dims, format), result.tensor());
  result.finish();
}

}  // namespace at::native
