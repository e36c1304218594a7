// The common part of pooling operators around the device's kernels: tensors are made dense, and results are
// copied to outputs that are not.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/pooling/plan.h>
#include <c10/core/MemoryFormat.h>

namespace at::native {

/// With a batch dimension, if the input has none.
Tensor with_batch(const Tensor& t, int64_t dims);

/// The memory format of the result of pooling `input`: channels last like the input, for two dimensions.
MemoryFormat pool_format(const Tensor& input, int64_t dims);

/// A dense tensor to write to: the output itself, or a temporary that finish() copies to it. Throws for an
/// output that shares memory with the input, which resizing would have changed.
class DenseOutput {
 public:
  DenseOutput(const Tensor& output, int64_t dims, MemoryFormat format, const Tensor& input);
  const Tensor& tensor() const { return dense_.defined() ? dense_ : batch(); }
  void finish();

 private:
  const Tensor& batch() const { return batch_.defined() ? batch_ : output_; }

  const Tensor& output_;
  // Undefined where the output itself is used.
  Tensor batch_, dense_;
};

/// Resizes an out= argument of an operator without meta function; throws for another dtype or device.
void prepare_output(const char* name, Tensor& out, IntArrayRef sizes, const TensorOptions& options,
                    MemoryFormat format);

// The stubs, for tensors of any layout. No-ops on the Meta device.
void average(Pooling pooling, const Tensor& input, MemoryFormat format, const Tensor& output);
void average_backward(Pooling pooling, const Tensor& grad_output, MemoryFormat format,
                      const Tensor& grad_input);
void maximum(Pooling pooling, const Tensor& input, MemoryFormat format, const Tensor& output,
             const Tensor& indices);
void maximum_backward(Pooling pooling, const Tensor& grad_output, const Tensor& indices, MemoryFormat format,
                      const Tensor& grad_input);

}  // namespace at::native
