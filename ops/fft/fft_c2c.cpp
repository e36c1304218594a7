// Fourier transforms over any dimensions, one after another by their device's kernel for one dimension.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/fft/stubs.h>

#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2c_native.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_c2r_native.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/_fft_r2c_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <cmath>

namespace at::native {

DEFINE_DISPATCH(fft_c2c_stub);
DEFINE_DISPATCH(fft_r2c_stub);
DEFINE_DISPATCH(fft_c2r_stub);

namespace {

void check_normalization(int64_t normalization) {
  TORCH_CHECK(normalization >= 0 && normalization <= 2,
              "normalization of a Fourier transform must be 0 (none), 1 (by the root of n) or 2 (by n), got ",
              normalization);
}

double scale_of(int64_t normalization, double points) {
  switch (static_cast<fft_norm_mode>(normalization)) {
    case fft_norm_mode::by_root_n:
      return 1.0 / std::sqrt(points);
    case fft_norm_mode::by_n:
      return 1.0 / points;
    default:
      return 1.0;
  }
}

// Without duplicates, counted from the front.
DimVector wrapped_dims(const Tensor& self, IntArrayRef dim) {
  DimVector dims(dim.begin(), dim.end());
  for (auto& d : dims) d = maybe_wrap_dim(d, self.dim(), /*wrap_scalar=*/false);
  DimVector sorted = dims;
  std::sort(sorted.begin(), sorted.end());
  TORCH_CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
              "the dimensions of a Fourier transform must be unique, got ", dim);
  return dims;
}

void check_points(IntArrayRef sizes, const DimVector& dims) {
  for (const int64_t d : dims) {
    TORCH_CHECK(sizes[d] >= 1, "Invalid number of data points (", sizes[d], ") specified for dimension ", d,
                " of a Fourier transform");
  }
}

double points_of(IntArrayRef sizes, const DimVector& dims) {
  double points = 1;
  for (const int64_t d : dims) points *= static_cast<double>(sizes[d]);
  return points;
}

// The widest strides of self first; `last` stays at the end.
DimVector by_stride(const Tensor& self, DimVector dims, bool last_stays) {
  std::stable_sort(dims.begin(), dims.end() - (last_stays ? 1 : 0),
                   [&](int64_t a, int64_t b) { return self.strides()[a] > self.strides()[b]; });
  return dims;
}

// A dense result: the transformed dimensions are innermost, in their order, around them the others in self's
// order.
Tensor empty_result(const Tensor& self, IntArrayRef sizes, const DimVector& dims, ScalarType dtype) {
  DimVector order;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d);
  }
  if (!order.empty()) order = by_stride(self, order, /*last_stays=*/false);
  order.append(dims.begin(), dims.end());
  DimVector strides(sizes.size());
  int64_t stride = 1;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    strides[*d] = stride;
    stride *= std::max<int64_t>(sizes[*d], 1);
  }
  return at::empty_strided(sizes, strides, self.options().dtype(dtype));
}

Tensor& write_spectrum(const Tensor& value, Tensor& out) {
  TORCH_CHECK(value.scalar_type() == out.scalar_type(), "Expected out tensor to have dtype ",
              value.scalar_type(), ", but got ", out.scalar_type(), " instead");
  resize_output(out, value.sizes());
  return out.copy_(value);
}

// Kernels read lines whose elements are apart.
Tensor without_zero_stride(const Tensor& self, int64_t dim) {
  return self.sizes()[dim] > 1 && self.strides()[dim] == 0 ? self.contiguous() : self;
}

}  // namespace

// -------------------- complex to complex

Tensor _fft_c2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward) {
  TORCH_CHECK(self.is_complex(), "_fft_c2c: expected a complex tensor, got ", self.scalar_type());
  check_normalization(normalization);
  if (dim.empty()) return self.clone();
  const DimVector dims = by_stride(self, wrapped_dims(self, dim), /*last_stays=*/false);
  check_points(self.sizes(), dims);
  const Tensor result = empty_result(self, self.sizes(), dims, self.scalar_type());
  if (self.is_meta() || result.numel() == 0) return result;
  double scale = scale_of(normalization, points_of(self.sizes(), dims));
  Tensor from = self;
  for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
    fft_c2c_stub(self.device().type(), result, from, *d, forward, scale);
    from = result;
    scale = 1.0;
  }
  return result;
}

Tensor& _fft_c2c_out(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, Tensor& out) {
  return write_spectrum(at::_fft_c2c(self, dim, normalization, forward), out);
}

// -------------------- real to complex

Tensor _fft_r2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided) {
  TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kDouble,
              "_fft_r2c: expected a float or double tensor, got ", self.scalar_type());
  check_normalization(normalization);
  TORCH_CHECK(!dim.empty(), "_fft_r2c: expected at least one dimension to transform");
  const DimVector dims = by_stride(self, wrapped_dims(self, dim), /*last_stays=*/true);
  check_points(self.sizes(), dims);
  const int64_t last = dims.back();
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (onesided) sizes[last] = sizes[last] / 2 + 1;
  const Tensor result = empty_result(self, sizes, dims, c10::toComplexType(self.scalar_type()));
  if (self.is_meta() || result.numel() == 0) return result;
  const auto device = self.device().type();
  const double scale = scale_of(normalization, points_of(self.sizes(), dims));
  fft_r2c_stub(device, result, without_zero_stride(self, last), last, scale);
  for (auto d = dims.rbegin() + 1; d != dims.rend(); ++d) {
    fft_c2c_stub(device, result, result, *d, /*forward=*/true, 1.0);
  }
  return result;
}

Tensor& _fft_r2c_out(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, Tensor& out) {
  return write_spectrum(at::_fft_r2c(self, dim, normalization, onesided), out);
}

// -------------------- complex to real

Tensor _fft_c2r(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size) {
  TORCH_CHECK(self.is_complex(), "_fft_c2r: expected a complex tensor, got ", self.scalar_type());
  check_normalization(normalization);
  TORCH_CHECK(!dim.empty(), "_fft_c2r: expected at least one dimension to transform");
  TORCH_CHECK(last_dim_size >= 1, "Invalid number of data points (", last_dim_size, ") specified");
  DimVector dims = wrapped_dims(self, dim);
  check_points(self.sizes(), dims);
  const int64_t last = dims.back();
  TORCH_CHECK(self.sizes()[last] >= last_dim_size / 2 + 1, "_fft_c2r: ", last_dim_size,
              " points need an input of at least ", last_dim_size / 2 + 1, " in dimension ", last, ", got ",
              self.sizes()[last]);
  dims.pop_back();
  const Tensor rest = dims.empty() ? self : at::_fft_c2c(self, dims, normalization, /*forward=*/false);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  sizes[last] = last_dim_size;
  const Tensor result = empty_result(rest, sizes, DimVector{last}, c10::toRealValueType(self.scalar_type()));
  if (self.is_meta() || result.numel() == 0) return result;
  fft_c2r_stub(self.device().type(), result, rest, last,
               scale_of(normalization, static_cast<double>(last_dim_size)));
  return result;
}

Tensor& _fft_c2r_out(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size,
                     Tensor& out) {
  return write_spectrum(at::_fft_c2r(self, dim, normalization, last_dim_size), out);
}

}  // namespace at::native
