// Sums of elementwise products, and operators that are such: tensordot, _trilinear and bilinear.
#include <ATen/native/matmul/sum_of_products.h>

#include <ATen/WrapDimUtils.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/_trilinear.h>
#include <ATen/ops/_trilinear_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/bilinear_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/tensordot_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace at::native {

namespace {

bool contains(IntArrayRef dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

int64_t product_of(const Tensor& t, IntArrayRef dims) {
  int64_t product = 1;
  for (int64_t d : dims) product *= t.size(d);
  return product;
}

DimVector joined(std::initializer_list<IntArrayRef> parts) {
  DimVector all;
  for (IntArrayRef part : parts) all.append(part.begin(), part.end());
  return all;
}

// The dimensions, classified by which operand has more than one element there.
struct Roles {
  DimVector both, left, right, summed;
};

Roles roles_of(const Tensor& left, const Tensor& right, IntArrayRef dims) {
  Roles roles;
  for (int64_t d = 0; d < left.dim(); ++d) {
    const bool in_left = left.size(d) != 1, in_right = right.size(d) != 1;
    if (contains(dims, d)) {
      roles.summed.push_back(d);
    } else {
      (in_left && in_right ? roles.both : in_left ? roles.left : roles.right).push_back(d);
    }
  }
  return roles;
}

}  // namespace

Tensor sum_of_products(const Tensor& left_, const Tensor& right_, IntArrayRef dims) {
  if (dims.empty()) return at::mul(left_, right_);
  Tensor left = left_, right = right_;
  for (int64_t d : dims) {  // dimensions of only one operand are summed separately
    if (left.size(d) != 1 && right.size(d) == 1) left = left.sum(d, /*keepdim=*/true, left.scalar_type());
    if (left.size(d) == 1 && right.size(d) != 1) {
      right = right.sum(d, /*keepdim=*/true, right.scalar_type());
    }
  }
  const Roles roles = roles_of(left, right, dims);
  const int64_t batch = product_of(left, roles.both), depth = product_of(left, roles.summed);
  const Tensor a = left.permute(joined({roles.both, roles.left, roles.summed, roles.right}))
                       .reshape({batch, product_of(left, roles.left), depth});
  const Tensor b = right.permute(joined({roles.both, roles.summed, roles.right, roles.left}))
                       .reshape({batch, depth, product_of(right, roles.right)});
  DimVector sizes;
  const DimVector order = joined({roles.both, roles.left, roles.summed, roles.right});
  for (int64_t d : order) {
    sizes.push_back(contains(roles.summed, d) ? 1 : contains(roles.right, d) ? right.size(d) : left.size(d));
  }
  DimVector places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<int64_t>(i);
  return at::bmm(a, b).reshape(sizes).permute(places);
}

// -------------------- tensordot

Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other) {
  TORCH_CHECK(dims_self.size() == dims_other.size(), "both dimension lists should have same length, got ",
              dims_self, " and ", dims_other);
  TORCH_CHECK(self.scalar_type() == other.scalar_type(),
              "tensordot: both inputs should have same dtype, got ", self.scalar_type(), " and ",
              other.scalar_type());
  Tensor left = self, right = other;
  DimVector left_dims, right_dims;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int64_t d = maybe_wrap_dim(dims_self[i], self.dim()),
                  e = maybe_wrap_dim(dims_other[i], other.dim());
    TORCH_CHECK(!contains(left_dims, d) && !contains(right_dims, e),
                "tensordot: each dimension may be contracted once, got ", dims_self, " and ", dims_other);
    left_dims.push_back(d);
    right_dims.push_back(e);
    if (self.dim() == 0 || other.dim() == 0) continue;
    if (other.size(e) == 1) {
      left = left.sum(d, /*keepdim=*/true, left.scalar_type());
    } else if (self.size(d) == 1) {
      right = right.sum(e, /*keepdim=*/true, right.scalar_type());
    } else {
      TORCH_CHECK(self.size(d) == other.size(e), "contracted dimensions need to match, but first has size ",
                  self.size(d), " in dim ", d, " and second has size ", other.size(e), " in dim ", e);
    }
  }
  const auto free_of = [](const Tensor& t, const DimVector& dims) {
    DimVector rest;
    for (int64_t d = 0; d < t.dim(); ++d) {
      if (!contains(dims, d)) rest.push_back(d);
    }
    return rest;
  };
  if (self.dim() == 0 || other.dim() == 0) return at::mul(self, other);
  const DimVector rows = free_of(left, left_dims), columns = free_of(right, right_dims);
  const int64_t depth = product_of(left, left_dims);
  const Tensor a = left.permute(joined({rows, left_dims})).reshape({product_of(left, rows), depth});
  const Tensor b = right.permute(joined({right_dims, columns})).reshape({depth, product_of(right, columns)});
  DimVector sizes;
  for (int64_t d : rows) sizes.push_back(left.size(d));
  for (int64_t d : columns) sizes.push_back(right.size(d));
  return at::mm(a, b).reshape(sizes);
}

Tensor& tensordot_out(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other,
                      Tensor& out) {
  const Tensor result = at::tensordot(self, other, dims_self, dims_other);
  TORCH_CHECK(out.device() == result.device(),
              "tensordot: Expected the output and input tensors to be on the ",
              "same device, but got the output on ", out.device(), " and the inputs on ", result.device());
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "tensordot: Expected the output to have dtype ",
              result.scalar_type(), ", but got ", out.scalar_type());
  resize_output(out, result.sizes());
  return out.copy_(result);
}

// -------------------- _trilinear and bilinear

namespace {

Tensor with_dims(Tensor t, IntArrayRef dims) {
  DimVector sorted(dims);
  std::sort(sorted.begin(), sorted.end());
  for (int64_t d : sorted) t = at::unsqueeze(t, d);
  return t;
}

}  // namespace

Tensor _trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1,
                  IntArrayRef expand2, IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim) {
  const int64_t dims = i1.dim() + static_cast<int64_t>(expand1.size());
  TORCH_CHECK(unroll_dim >= 0 && unroll_dim < dims, "unroll_dim must be in [0,", dims - 1, "], got ",
              unroll_dim);
  const Tensor a = with_dims(i1, expand1), b = with_dims(i2, expand2), c = with_dims(i3, expand3);
  TORCH_CHECK(b.dim() == dims && c.dim() == dims,
              "_trilinear: expected operands of the same number of dimensions after expansion, got ", dims,
              ", ", b.dim(), " and ", c.dim());
  DimVector early, late, dropped;
  for (int64_t d : sumdim) {
    const int64_t wrapped = maybe_wrap_dim(d, dims);
    TORCH_CHECK(!contains(dropped, wrapped), "_trilinear: dimension ", d, " appears twice in sumdim");
    dropped.push_back(wrapped);
    (c.size(wrapped) == 1 ? early : late).push_back(wrapped);
  }
  const Tensor sum = sum_of_products(sum_of_products(a, b, early), c, late);
  DimVector sizes;
  for (int64_t d = 0; d < dims; ++d) {
    if (!contains(dropped, d)) sizes.push_back(sum.size(d));
  }
  return sum.contiguous().reshape(sizes);  // row-major, as a result of accumulation
}

Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight,
                const std::optional<Tensor>& bias) {
  TORCH_CHECK(input1.dim() == input2.dim() && input1.dim() > 0,
              "bilinear(): input dimensions do not match: got ", input1.dim(), " and ", input2.dim());
  TORCH_CHECK(weight.dim() == 3, "bilinear(): expected a weight of 3 dimensions, got ", weight.dim());
  for (int64_t d = 0; d + 1 < input1.dim(); ++d) {
    TORCH_CHECK(input1.size(d) == input2.size(d), "bilinear(): input batch dimensions do not match at dim ",
                d, ": got ", input1.size(d), " and ", input2.size(d));
  }
  TORCH_CHECK(input1.size(-1) == weight.size(1), "bilinear(): input1 size does not match weight size: got ",
              input1.size(-1), " but expected ", weight.size(1));
  TORCH_CHECK(input2.size(-1) == weight.size(2), "bilinear(): input2 size does not match weight size: got ",
              input2.size(-1), " but expected ", weight.size(2));
  const bool has_bias = bias && bias->defined();
  TORCH_CHECK(!has_bias || (bias->dim() == 1 && bias->size(0) == weight.size(0)),
              "bilinear(): bias size does not match weight size: expected ", weight.size(0));
  DimVector sizes(input1.sizes().begin(), input1.sizes().end() - 1);
  int64_t rows = 1;
  for (int64_t size : sizes) rows *= size;
  sizes.push_back(weight.size(0));
  const Tensor product = at::_trilinear(input1.reshape({rows, input1.size(-1)}), weight,
                                        input2.reshape({rows, input2.size(-1)}), {1, 3}, {0}, {1, 2}, {2, 3});
  const Tensor output = product.reshape(sizes);
  return has_bias ? at::add(output, *bias) : output;
}

}  // namespace at::native
