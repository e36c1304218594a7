// Meta functions of reflection and replication padding and their gradients.
#include <ATen/core/Tensor.h>
#include <ATen/native/padding/stubs.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/reflection_pad1d_backward_meta.h>
#include <ATen/ops/reflection_pad1d_meta.h>
#include <ATen/ops/reflection_pad3d_backward_meta.h>
#include <ATen/ops/reflection_pad3d_meta.h>
#include <ATen/ops/replication_pad1d_backward_meta.h>
#include <ATen/ops/replication_pad1d_meta.h>
#include <ATen/ops/replication_pad2d_meta.h>
#include <ATen/ops/replication_pad3d_meta.h>

namespace at::meta {

using native::check_pad_gradient;
using native::padded_sizes;
using native::PadMode;

namespace {

TensorOptions padded_options(const Tensor& self) {
  return self.options().memory_format(self.suggest_memory_format());
}

}  // namespace

TORCH_META_FUNC(reflection_pad1d)(const Tensor& self, IntArrayRef padding) {
  set_output_raw_strided(0, padded_sizes("reflection_pad1d", self, padding, 1, PadMode::Reflect), {},
                         padded_options(self));
}

TORCH_META_FUNC(reflection_pad3d)(const Tensor& self, IntArrayRef padding) {
  set_output_raw_strided(0, padded_sizes("reflection_pad3d", self, padding, 3, PadMode::Reflect), {},
                         padded_options(self));
}

TORCH_META_FUNC(replication_pad1d)(const Tensor& self, IntArrayRef padding) {
  set_output_raw_strided(0, padded_sizes("replication_pad1d", self, padding, 1, PadMode::Replicate), {},
                         padded_options(self));
}

TORCH_META_FUNC(replication_pad2d)(const Tensor& self, IntArrayRef padding) {
  set_output_raw_strided(0, padded_sizes("replication_pad2d", self, padding, 2, PadMode::Replicate), {},
                         padded_options(self));
}

TORCH_META_FUNC(replication_pad3d)(const Tensor& self, IntArrayRef padding) {
  set_output_raw_strided(0, padded_sizes("replication_pad3d", self, padding, 3, PadMode::Replicate), {},
                         padded_options(self));
}

TORCH_META_FUNC(reflection_pad1d_backward)
(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  check_pad_gradient("reflection_pad1d_backward", grad_output, self, padding, 1, PadMode::Reflect);
  set_output_raw_strided(0, self.sizes(), {}, padded_options(self));
}

TORCH_META_FUNC(reflection_pad3d_backward)
(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  check_pad_gradient("reflection_pad3d_backward", grad_output, self, padding, 3, PadMode::Reflect);
  set_output_raw_strided(0, self.sizes(), {}, padded_options(self));
}

TORCH_META_FUNC(replication_pad1d_backward)
(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  check_pad_gradient("replication_pad1d_backward", grad_output, self, padding, 1, PadMode::Replicate);
  set_output_raw_strided(0, self.sizes(), {}, padded_options(self));
}

}  // namespace at::meta
