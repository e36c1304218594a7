// Formulas of scatter_reduce and index_reduce.
#include <ATen/core/DimVector.h>
#include <ATen/native/indexing/formulas.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/scatter_reduce.h>
#include <ATen/ops/slice_backward.h>
#include <ATen/ops/to.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// The part of src that is scattered, with the size of `index`.
Tensor taken_part(const Tensor& src, const Tensor& index) {
  Tensor part = src;
  for (int64_t d = 0; d < index.dim() && src.dim() == index.dim(); ++d) {
    if (part.size(d) != index.size(d)) part = part.narrow(d, 0, index.size(d));
  }
  return part;
}

// The reverse: zeros where nothing was read.
Tensor put_back(const Tensor& part, const Tensor& src) {
  if (part.dim() != src.dim()) return part.reshape(src.sizes());
  Tensor whole = part;
  at::DimVector sizes(part.sizes().begin(), part.sizes().end());
  for (int64_t d = 0; d < src.dim(); ++d) {
    if (sizes[d] == src.size(d)) continue;
    const int64_t size = sizes[d];
    sizes[d] = src.size(d);
    whole = at::slice_backward(whole, sizes, d, 0, size, 1);
  }
  return whole;
}

// How many elements are reduced at each position: at least one.
Tensor counts(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& part, bool include_self) {
  const Tensor start = include_self ? at::ones_like(self) : at::zeros_like(self);
  const Tensor n = start.scatter_add(dim, index, at::ones_like(part));
  return n.masked_fill(n.eq(0), 1);
}

struct Gradients {
  Tensor self, part;
};

// With a single zero among the factors, its gradient is the product of the others, which division doesn't
// give.
Gradients product_gradients(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index,
                            const Tensor& part, bool include_self, const Tensor& result) {
  const Tensor nonzero_self = self.masked_fill(self.eq(0), 1);
  const Tensor product = nonzero_self.scatter_reduce(dim, index, part, "prod", include_self);
  const Tensor is_zero = part.eq(0);
  const Tensor zeros = at::zeros_like(self).scatter_add(dim, index, is_zero.to(self.scalar_type()));
  const Tensor is_only_zero = is_zero.logical_and(zeros.gather(dim, index).eq(1));
  const Tensor others =
      self.scatter_reduce(dim, index, part.masked_fill(is_only_zero, 1), "prod", include_self);
  const Tensor divided = grad.mul(result).gather(dim, index).div(part.masked_fill(is_zero, 1));
  return {grad.mul(product).div(nonzero_self),
          at::where(is_only_zero, grad.mul(others).gather(dim, index), divided)};
}

struct Winners {
  Tensor self, part, counts;  // 1 where an element is the extremum, and how many are at each position
};

Winners winners(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& part, bool include_self,
                const Tensor& result) {
  Tensor of_self = self.eq(result).to(result.scalar_type());
  if (!include_self) of_self = of_self.scatter(dim, index, 0);
  const Tensor of_part = part.eq(result.gather(dim, index)).to(result.scalar_type());
  const Tensor n = of_self.scatter_add(dim, index, of_part);
  return {of_self, of_part, n.masked_fill(n.eq(0), 1)};
}

// Each index is that of a whole slice of source.
Tensor repeated_index(const Tensor& index, const Tensor& source, int64_t dim) {
  if (source.dim() == 0) return index.reshape({});
  at::DimVector sizes(source.dim(), 1);
  sizes[c10::maybe_wrap_dim(dim, source.dim())] = -1;
  return index.reshape(sizes).expand(source.sizes());
}

}  // namespace

std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self, int64_t dim,
                                                   const Tensor& index, const Tensor& src,
                                                   std::string_view reduce, bool include_self,
                                                   const Tensor& result) {
  if (!grad.defined()) return {};
  if (index.numel() == 0) return {grad, at::zeros_like(src)};
  const Tensor part = taken_part(src, index);
  Gradients gradients;
  if (reduce == "sum") {
    gradients = {grad, grad.gather(dim, index)};
  } else if (reduce == "prod") {
    gradients = product_gradients(grad, self, dim, index, part, include_self, result);
  } else if (reduce == "mean") {
    const Tensor share = grad.div(counts(grad, dim, index, part, include_self));
    gradients = {share, share.gather(dim, index)};
  } else {
    const Winners won = winners(self, dim, index, part, include_self, result);
    const Tensor share = grad.div(won.counts);
    gradients = {won.self.mul(share), won.part.mul(share.gather(dim, index))};
  }
  if (!include_self) gradients.self = gradients.self.scatter(dim, index, 0);
  return {gradients.self, put_back(gradients.part, src)};
}

Tensor scatter_reduce_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim, const Tensor& index,
                          const Tensor& src_p, const Tensor& src_t, std::string_view reduce,
                          bool include_self, const Tensor& result) {
  if (reduce == "sum" || reduce == "mean") {
    return self_t.scatter_reduce(dim, index, src_t, reduce, include_self);
  }
  if (reduce == "prod") return not_implemented("scatter_reduce", "the tangent of reduce='prod'");
  if (index.numel() == 0) return self_t;
  const Winners won = winners(self_p, dim, index, taken_part(src_p, index), include_self, result);
  const Tensor moved = won.part.mul(taken_part(src_t, index));
  return won.self.mul(self_t).scatter_add(dim, index, moved).div(won.counts);
}

std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self, int64_t dim,
                                                 const Tensor& index, const Tensor& source,
                                                 std::string_view reduce, bool include_self,
                                                 const Tensor& result) {
  if (!grad.defined()) return {};
  return scatter_reduce_backward(grad, self, dim, repeated_index(index, source, dim), source, reduce,
                                 include_self, result);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
