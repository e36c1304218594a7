// kthvalue, median and nanmedian, and mode.
#include <ATen/MemoryOverlap.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/kthvalue_native.h>
#include <ATen/ops/median_native.h>
#include <ATen/ops/mode_native.h>
#include <ATen/ops/nanmedian_native.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zero.h>

#include <limits>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(choose_of_lines_stub);

namespace {

DimVector chosen_sizes(const Tensor& self, int64_t dim, bool keepdim) {
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (self.dim() == 0) return sizes;
  if (keepdim) {
    sizes[dim] = 1;
  } else {
    sizes.erase(sizes.begin() + dim);
  }
  return sizes;
}

void choose(const char* name, const Tensor& self, int64_t dim, bool keepdim, LineChoice choice, int64_t k,
            Tensor& values, Tensor& indices) {
  dim = maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), name, "(): not implemented for ", self.scalar_type());
  TORCH_CHECK_INDEX(self.dim() == 0 || self.size(dim) > 0, name, "(): Expected reduction dim ", dim,
                    " to have non-zero size.");
  TORCH_CHECK(values.scalar_type() == self.scalar_type() && indices.scalar_type() == kLong, name,
              "(): expected values of dtype ", self.scalar_type(), " and indices of dtype Long, but got ",
              values.scalar_type(), " and ", indices.scalar_type());
  for (const Tensor* out : {&values, &indices}) {
    TORCH_CHECK(out->device() == self.device(), name, "(): expected values and indices on ", self.device(),
                ", where the input is, but got ", out->device());
    at::assert_no_internal_overlap(*out);
    at::assert_no_overlap(*out, self);
  }
  const DimVector sizes = chosen_sizes(self, dim, keepdim);
  resize_output(values, sizes);
  resize_output(indices, sizes);
  if (values.is_meta() || values.numel() == 0) return;
  if (self.dim() == 0) {
    values.copy_(self);
    indices.zero_();
    return;
  }
  const Tensor found = values.is_contiguous() ? values : at::empty(sizes, self.options());
  const Tensor places = indices.is_contiguous() ? indices : at::empty(sizes, indices.options());
  choose_of_lines_stub(self.device().type(), found, places, self.contiguous(), dim, choice, k);
  if (!found.is_same(values)) values.copy_(found);
  if (!places.is_same(indices)) indices.copy_(places);
}

std::tuple<Tensor, Tensor> choose(const char* name, const Tensor& self, int64_t dim, bool keepdim,
                                  LineChoice choice, int64_t k) {
  Tensor values = at::empty({0}, self.options()), indices = at::empty({0}, self.options().dtype(kLong));
  choose(name, self, dim, keepdim, choice, k, values, indices);
  return {std::move(values), std::move(indices)};
}

int64_t checked_rank(const Tensor& self, int64_t k, int64_t dim) {
  const int64_t n = self.dim() == 0 ? 1 : self.size(maybe_wrap_dim(dim, self.dim()));
  TORCH_CHECK(k >= 1 && (k <= n || n == 0), "kthvalue(): selected number k out of range for dimension ", dim,
              ": got ", k, ", expected 1 to ", n);
  return k - 1;
}

Tensor median_of_all(const char* name, const Tensor& self, LineChoice choice) {
  if (self.numel() == 0) {
    TORCH_CHECK(self.is_floating_point(), name, "(): of no elements there is none of dtype ",
                self.scalar_type());
    return at::empty({}, self.options()).fill_(std::numeric_limits<double>::quiet_NaN());
  }
  return std::get<0>(choose(name, self.flatten(), 0, /*keepdim=*/false, choice, 0));
}

}  // namespace

std::tuple<Tensor&, Tensor&> kthvalue_out(const Tensor& self, int64_t k, int64_t dim, bool keepdim,
                                          Tensor& values, Tensor& indices) {
  choose("kthvalue", self, dim, keepdim, LineChoice::Kth, checked_rank(self, k, dim), values, indices);
  return {values, indices};
}

std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  return choose("kthvalue", self, dim, keepdim, LineChoice::Kth, checked_rank(self, k, dim));
}

Tensor median_all(const Tensor& self) { return median_of_all("median", self, LineChoice::Median); }

Tensor nanmedian_all(const Tensor& self) { return median_of_all("nanmedian", self, LineChoice::NanMedian); }

std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim) {
  return choose("median", self, dim, keepdim, LineChoice::Median, 0);
}

std::tuple<Tensor&, Tensor&> median_dim_out(const Tensor& self, int64_t dim, bool keepdim, Tensor& values,
                                            Tensor& indices) {
  choose("median", self, dim, keepdim, LineChoice::Median, 0, values, indices);
  return {values, indices};
}

std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim, bool keepdim) {
  return choose("nanmedian", self, dim, keepdim, LineChoice::NanMedian, 0);
}

std::tuple<Tensor&, Tensor&> nanmedian_dim_out(const Tensor& self, int64_t dim, bool keepdim, Tensor& values,
                                               Tensor& indices) {
  choose("nanmedian", self, dim, keepdim, LineChoice::NanMedian, 0, values, indices);
  return {values, indices};
}

std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim, bool keepdim) {
  return choose("mode", self, dim, keepdim, LineChoice::Mode, 0);
}

std::tuple<Tensor&, Tensor&> mode_out(const Tensor& self, int64_t dim, bool keepdim, Tensor& values,
                                      Tensor& indices) {
  choose("mode", self, dim, keepdim, LineChoice::Mode, 0, values, indices);
  return {values, indices};
}

}  // namespace at::native
