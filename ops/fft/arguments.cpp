#include <ATen/native/fft/arguments.h>

#include <ATen/WrapDimUtils.h>
#include <ATen/WrapDimUtilsMulti.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/fft/stubs.h>
#include <c10/core/DefaultDtype.h>

#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/to.h>

namespace at::native {

int64_t fft_normalization(std::optional<c10::string_view> norm, bool forward) {
  const auto mode = [](fft_norm_mode m) { return static_cast<int64_t>(m); };
  if (!norm.has_value() || *norm == "backward") {
    return mode(forward ? fft_norm_mode::none : fft_norm_mode::by_n);
  }
  if (*norm == "forward") return mode(forward ? fft_norm_mode::by_n : fft_norm_mode::none);
  TORCH_CHECK(*norm == "ortho", "Invalid normalization mode: \"", *norm,
              "\"; expected \"backward\", \"forward\" or \"ortho\"");
  return mode(fft_norm_mode::by_root_n);
}

Tensor promote_fft_input(const Tensor& self, bool to_complex) {
  ScalarType dtype = self.scalar_type();
  if (isIntegralType(dtype, /*includeBool=*/true)) dtype = c10::get_default_dtype_as_scalartype();
  const ScalarType real = c10::toRealValueType(dtype);
  TORCH_CHECK(real == kFloat || real == kDouble, "Unsupported dtype ", dtype);
  return self.to(to_complex ? c10::toComplexType(real) : dtype);
}

Tensor resize_fft_input(const Tensor& x, IntArrayRef dims, IntArrayRef sizes) {
  Tensor result = x;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = dims[i], size = sizes[i], has = result.size(dim);
    if (size < has) {
      result = result.slice(dim, 0, size);
    } else if (size > has) {
      DimVector missing(result.sizes().begin(), result.sizes().end());
      missing[dim] = size - has;
      result = at::cat({result, result.new_zeros(missing)}, dim);
    }
  }
  return result;
}

FftShape fft_shape(const Tensor& self, OptionalSymIntArrayRef sizes, OptionalIntArrayRef dims) {
  const int64_t ndim = self.dim();
  FftShape shape;
  if (dims.has_value()) {
    shape.dims.assign(dims->begin(), dims->end());
    maybe_wrap_dims(shape.dims, ndim, /*wrap_scalars=*/false);
    dim_list_to_bitset(shape.dims, ndim);
  }
  if (sizes.has_value()) {
    const auto count = static_cast<int64_t>(sizes->size());
    TORCH_CHECK(!dims.has_value() || shape.dims.size() == sizes->size(),
                "When given, dim and shape arguments must have the same length");
    TORCH_CHECK(count <= ndim, "Got shape with ", count, " values but input tensor only has ", ndim,
                " dimensions.");
    for (int64_t i = 0; !dims.has_value() && i < count; ++i) shape.dims.push_back(ndim - count + i);
  }
  for (int64_t d = 0; !dims.has_value() && !sizes.has_value() && d < ndim; ++d) shape.dims.push_back(d);
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    const int64_t given = sizes.has_value() ? (*sizes)[i].expect_int() : -1;
    shape.sizes.push_back(given == -1 ? self.size(shape.dims[i]) : given);
    TORCH_CHECK(shape.sizes.back() > 0, "Invalid number of data points (", shape.sizes.back(), ") specified");
  }
  return shape;
}

int64_t fft_points(const std::optional<c10::SymInt>& n, int64_t otherwise) {
  const int64_t points = n.has_value() ? n->expect_int() : otherwise;
  TORCH_CHECK(points >= 1, "Invalid number of data points (", points, ") specified");
  return points;
}

Tensor transform_real(const char* name, const Tensor& self, const std::optional<c10::SymInt>& n, int64_t dim,
                      std::optional<c10::string_view> norm, bool forward, bool onesided) {
  TORCH_CHECK(!self.is_complex(), name, " expects a real input tensor, but got ", self.scalar_type());
  const Tensor input = promote_fft_input(self, /*to_complex=*/false);
  const int64_t wrapped = maybe_wrap_dim(dim, input.dim(), /*wrap_scalar=*/false);
  const Tensor x = resize_fft_input(input, {wrapped}, {fft_points(n, input.size(wrapped))});
  return at::_fft_r2c(x, {wrapped}, fft_normalization(norm, forward), onesided);
}

Tensor& write_fft_result(const char* name, const Tensor& value, Tensor& out) {
  TORCH_CHECK(value.is_complex() ? out.is_complex() : out.is_floating_point(), name, " expects a ",
              value.is_complex() ? "complex" : "floating point", " output tensor, but got ",
              out.scalar_type());
  resize_output(out, value.sizes());
  return out.copy_(value);
}

}  // namespace at::native
