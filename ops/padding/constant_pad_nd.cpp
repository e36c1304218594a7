// Padding around the devices' kernels: constant_pad_nd, reflection and replication.
#include <ATen/Dispatch_v2.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/DenseFormat.h>
#include <ATen/native/Resize.h>
#include <ATen/native/padding/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/constant_pad_nd_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/reflection_pad1d_backward_native.h>
#include <ATen/ops/reflection_pad1d_native.h>
#include <ATen/ops/reflection_pad2d_backward_native.h>
#include <ATen/ops/reflection_pad2d_native.h>
#include <ATen/ops/reflection_pad3d_backward_native.h>
#include <ATen/ops/reflection_pad3d_native.h>
#include <ATen/ops/replication_pad1d_backward_native.h>
#include <ATen/ops/replication_pad1d_native.h>
#include <ATen/ops/replication_pad2d_backward_native.h>
#include <ATen/ops/replication_pad2d_native.h>
#include <ATen/ops/replication_pad3d_backward_native.h>
#include <ATen/ops/replication_pad3d_native.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace at::native {

DEFINE_DISPATCH(pad_stub);
DEFINE_DISPATCH(pad_backward_stub);

// -------------------- shapes

namespace {

// A size plus `before` and `after`; an error where negative padding leaves no elements.
int64_t padded_size(const char* name, int64_t size, int64_t before, int64_t after, int64_t dim) {
  int64_t padded;
  TORCH_CHECK(
      !__builtin_add_overflow(size, before, &padded) && !__builtin_add_overflow(padded, after, &padded), name,
      "(): the size of dimension ", dim, " overflows: ", size, " padded by ", before, " and ", after);
  TORCH_CHECK(padded >= 0, name, "(): dimension ", dim, " of size ", size, " padded by ", before, " and ",
              after, " has the negative size ", padded);
  return padded;
}

// padding[2 * i], padding[2 * i + 1] are for the i-th dimension from the end.
DimVector all_padded_sizes(const char* name, IntArrayRef sizes, IntArrayRef padding) {
  DimVector padded(sizes.begin(), sizes.end());
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    const size_t dim = sizes.size() - 1 - i;
    padded[dim] =
        padded_size(name, sizes[dim], padding[2 * i], padding[2 * i + 1], static_cast<int64_t>(dim));
  }
  return padded;
}

}  // namespace

DimVector padded_sizes(const char* name, const TensorBase& self, IntArrayRef padding, int64_t dims,
                       PadMode mode) {
  TORCH_CHECK(static_cast<int64_t>(padding.size()) == 2 * dims, name, "(): padding size is expected to be ",
              2 * dims, ", but got: ", padding.size());
  const IntArrayRef sizes = self.sizes();
  const bool batched = self.dim() == dims + 2;
  const auto filled = [](IntArrayRef of) {
    return std::none_of(of.begin(), of.end(), [](int64_t size) { return size == 0; });
  };
  TORCH_CHECK((self.dim() == dims + 1 || batched) && filled(sizes.slice(batched ? 1 : 0)), name,
              "(): Expected ", dims + 1, "D or ", dims + 2,
              "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but "
              "got: ",
              sizes);
  for (int64_t i = 0; i < dims && mode == PadMode::Reflect; ++i) {
    const int64_t dim = self.dim() - 1 - i;
    TORCH_CHECK(padding[2 * i] < sizes[dim] && padding[2 * i + 1] < sizes[dim], name,
                "(): Padding size should be less than the corresponding input dimension, but got: padding (",
                padding[2 * i], ", ", padding[2 * i + 1], ") at dimension ", dim, " of input ", sizes);
  }
  return all_padded_sizes(name, sizes, padding);
}

void check_pad_gradient(const char* name, const TensorBase& grad_output, const TensorBase& self,
                        IntArrayRef padding, int64_t dims, PadMode mode) {
  const DimVector expected = padded_sizes(name, self, padding, dims, mode);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected), name, "(): grad_output has the shape ",
              grad_output.sizes(), ". Expected: ", IntArrayRef(expected), ", that of the padded input");
  TORCH_CHECK(grad_output.scalar_type() == self.scalar_type(), name, "(): expected scalar type ",
              self.scalar_type(), " for grad_output but found ", grad_output.scalar_type());
}

// -------------------- around the kernels

namespace {

// Empty where the padded dimensions span more than three, which the kernels can't do.
std::optional<PadGeometry> make_geometry(IntArrayRef input, IntArrayRef output, IntArrayRef before) {
  const auto ndim = static_cast<int64_t>(input.size());
  int64_t first = ndim, last = -1;
  for (int64_t d = 0; d < ndim; ++d) {
    if (input[d] == output[d] && before[d] == 0) continue;
    first = std::min(first, d);
    last = d;
  }
  if (last - first >= max_pad_dims) return std::nullopt;
  if (last < 0) first = 0;  // nothing is padded: all dimensions are one run
  PadGeometry geometry;
  for (int64_t d = 0; d < ndim; ++d) {
    if (d < first) geometry.outer *= input[d];
    if (d > last) geometry.inner *= input[d];
  }
  if (last < 0) return geometry;
  for (int64_t d = first; d <= last; ++d) {
    const int64_t to = max_pad_dims - 1 - (last - d);
    geometry.input[to] = input[d];
    geometry.output[to] = output[d];
    geometry.before[to] = before[d];
  }
  return geometry;
}

std::optional<PadGeometry> make_geometry(const Tensor& input, const Tensor& output, IntArrayRef padding,
                                         MemoryFormat format) {
  DimVector before(input.sizes().size(), 0);
  for (size_t i = 0; i < padding.size() / 2; ++i) before[before.size() - 1 - i] = padding[2 * i];
  return make_geometry(in_memory_order(input.sizes(), format), in_memory_order(output.sizes(), format),
                       in_memory_order(before, format));
}

void check_has_kernel(const char* name, const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "\"", name, "\" not implemented for 'Bool'");
}

void pad_into(const char* name, const Tensor& self, IntArrayRef padding, PadMode mode, const Tensor& output) {
  if (output.is_meta()) return;
  check_has_kernel(name, self);
  if (output.numel() == 0) return;
  const auto format = dense_format(output);
  const Tensor dense = format ? output : at::empty_like(output, MemoryFormat::Contiguous);
  const auto order = format.value_or(MemoryFormat::Contiguous);
  const char unused[16] = {};
  pad_stub(self.device().type(), dense, self.contiguous(order), *make_geometry(self, output, padding, order),
           mode, unused);
  if (!format) output.copy_(dense);
}

void pad_gradient_into(const Tensor& grad_output, IntArrayRef padding, PadMode mode,
                       const Tensor& grad_input) {
  if (grad_input.is_meta() || grad_input.numel() == 0) return;
  const auto format = dense_format(grad_input);
  const Tensor dense = format ? grad_input : at::empty_like(grad_input, MemoryFormat::Contiguous);
  const auto order = format.value_or(MemoryFormat::Contiguous);
  pad_backward_stub(grad_output.device().type(), dense, grad_output.contiguous(order),
                    *make_geometry(grad_input, grad_output, padding, order), mode);
  if (!format) grad_input.copy_(dense);
}

Tensor empty_in_format_of(const Tensor& self, IntArrayRef sizes) {
  return at::empty(sizes, self.options().memory_format(self.suggest_memory_format()));
}

void resize_as_result(const char* name, const Tensor& out, const Tensor& self, IntArrayRef sizes) {
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), name, "(): expected out tensor to have dtype ",
              self.scalar_type(), ", but got ", out.scalar_type(), " instead");
  TORCH_CHECK(out.device() == self.device(), name, "(): expected out tensor on device ", self.device(),
              ", but got ", out.device());
  const MemoryFormat format = self.suggest_memory_format();
  if (resize_output(out, sizes) && format != MemoryFormat::Contiguous) {
    out.unsafeGetTensorImpl()->empty_tensor_restride(format);
  }
}

}  // namespace

// -------------------- constant_pad_nd

namespace {

// One element of the dtype.
struct Element {
  alignas(16) char bytes[16] = {};

  Element(const Scalar& value, ScalarType dtype) {
    AT_DISPATCH_V2(dtype, "constant_pad_nd", AT_WRAP([&] {
                     const auto element = value.to<scalar_t>();
                     std::memcpy(bytes, &element, sizeof(element));
                   }),
                   AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
  }
};

// The part of `t` that remains where the padding is negative: of the input, what is not cropped; of the
// output, with the signs reversed, what is not padding.
Tensor without(const Tensor& t, IntArrayRef padding, int64_t sign) {
  Tensor part = t;
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    const int64_t before = std::max<int64_t>(sign * padding[2 * i], 0);
    const int64_t after = std::max<int64_t>(sign * padding[2 * i + 1], 0);
    const int64_t dim = t.dim() - 1 - static_cast<int64_t>(i), left = t.sizes()[dim] - before - after;
    if (before > 0 || after > 0) part = part.narrow(dim, left < 0 ? 0 : before, std::max<int64_t>(left, 0));
  }
  return part;
}

bool has_kernel(const Tensor& t) { return t.is_cpu() || t.is_cuda(); }

}  // namespace

Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value) {
  TORCH_CHECK(pad.size() % 2 == 0, "constant_pad_nd(): Length of pad must be even but instead it equals ",
              pad.size());
  TORCH_CHECK(static_cast<int64_t>(pad.size()) <= 2 * self.dim(),
              "constant_pad_nd(): Length of pad should be no more than twice the number of dimensions of the "
              "input. Pad length is ",
              pad.size(), " while the input has ", self.dim(), " dimensions.");
  const DimVector sizes = all_padded_sizes("constant_pad_nd", self.sizes(), pad);
  if (std::none_of(pad.begin(), pad.end(), [](int64_t width) { return width > 0; })) {
    return without(self, pad, -1).clone();
  }
  const MemoryFormat format = self.suggest_memory_format();
  const Tensor output = at::empty(sizes, self.options().memory_format(format));
  const Element element(value, self.scalar_type());
  if (output.numel() == 0) return output;
  const auto geometry = make_geometry(self, output, pad, format);
  if (geometry && has_kernel(self) && output.is_contiguous(format)) {
    pad_stub(self.device().type(), output, self.contiguous(format), *geometry, PadMode::Constant,
             element.bytes);
    return output;
  }
  output.fill_(value);
  without(output, pad, 1).copy_(without(self, pad, -1));
  return output;
}

// -------------------- reflection

TORCH_IMPL_FUNC(reflection_pad1d_out)(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad_into("reflection_pad1d", self, padding, PadMode::Reflect, out);
}

Tensor& reflection_pad2d_out(const Tensor& self, IntArrayRef padding, Tensor& out) {
  const DimVector sizes = padded_sizes("reflection_pad2d", self, padding, 2, PadMode::Reflect);
  resize_as_result("reflection_pad2d", out, self, sizes);
  pad_into("reflection_pad2d", self, padding, PadMode::Reflect, out);
  return out;
}

Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding) {
  const DimVector sizes = padded_sizes("reflection_pad2d", self, padding, 2, PadMode::Reflect);
  const Tensor out = empty_in_format_of(self, sizes);
  pad_into("reflection_pad2d", self, padding, PadMode::Reflect, out);
  return out;
}

TORCH_IMPL_FUNC(reflection_pad3d_out)(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad_into("reflection_pad3d", self, padding, PadMode::Reflect, out);
}

TORCH_IMPL_FUNC(reflection_pad1d_backward_out)
(const Tensor& grad_output, const Tensor& /*self*/, IntArrayRef padding, const Tensor& grad_input) {
  pad_gradient_into(grad_output, padding, PadMode::Reflect, grad_input);
}

TORCH_IMPL_FUNC(reflection_pad3d_backward_out)
(const Tensor& grad_output, const Tensor& /*self*/, IntArrayRef padding, const Tensor& grad_input) {
  pad_gradient_into(grad_output, padding, PadMode::Reflect, grad_input);
}

// -------------------- replication

TORCH_IMPL_FUNC(replication_pad1d_out)(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad_into("replication_pad1d", self, padding, PadMode::Replicate, out);
}

TORCH_IMPL_FUNC(replication_pad2d_out)(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad_into("replication_pad2d", self, padding, PadMode::Replicate, out);
}

TORCH_IMPL_FUNC(replication_pad3d_out)(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad_into("replication_pad3d", self, padding, PadMode::Replicate, out);
}

TORCH_IMPL_FUNC(replication_pad1d_backward_out)
(const Tensor& grad_output, const Tensor& /*self*/, IntArrayRef padding, const Tensor& grad_input) {
  pad_gradient_into(grad_output, padding, PadMode::Replicate, grad_input);
}

// -------------------- gradients whose shapes are checked here

namespace {

Tensor pad_gradient(const char* name, const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                    int64_t dims, PadMode mode) {
  check_pad_gradient(name, grad_output, self, padding, dims, mode);
  const Tensor grad_input = empty_in_format_of(self, self.sizes());
  pad_gradient_into(grad_output, padding, mode, grad_input);
  return grad_input;
}

Tensor& pad_gradient_out(const char* name, const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                         int64_t dims, PadMode mode, Tensor& grad_input) {
  check_pad_gradient(name, grad_output, self, padding, dims, mode);
  resize_as_result(name, grad_input, self, self.sizes());
  pad_gradient_into(grad_output, padding, mode, grad_input);
  return grad_input;
}

}  // namespace

Tensor reflection_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return pad_gradient("reflection_pad2d_backward", grad_output, self, padding, 2, PadMode::Reflect);
}

Tensor& reflection_pad2d_backward_out(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                      Tensor& grad_input) {
  return pad_gradient_out("reflection_pad2d_backward", grad_output, self, padding, 2, PadMode::Reflect,
                          grad_input);
}

Tensor replication_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return pad_gradient("replication_pad2d_backward", grad_output, self, padding, 2, PadMode::Replicate);
}

Tensor& replication_pad2d_backward_out(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                       Tensor& grad_input) {
  return pad_gradient_out("replication_pad2d_backward", grad_output, self, padding, 2, PadMode::Replicate,
                          grad_input);
}

Tensor replication_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return pad_gradient("replication_pad3d_backward", grad_output, self, padding, 3, PadMode::Replicate);
}

Tensor& replication_pad3d_backward_out(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                       Tensor& grad_input) {
  return pad_gradient_out("replication_pad3d_backward", grad_output, self, padding, 3, PadMode::Replicate,
                          grad_input);
}

}  // namespace at::native
