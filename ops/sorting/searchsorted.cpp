// searchsorted and bucketize: a kernel on the CPU, made of operators elsewhere.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/bucketize.h>
#include <ATen/ops/bucketize_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/item.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/searchsorted_native.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/to.h>

#include <limits>
#include <string_view>

namespace at::native {

DEFINE_DISPATCH(searchsorted_stub);

namespace {

bool is_right(bool right, std::optional<std::string_view> side) {
  if (!side) return right;
  TORCH_CHECK(*side == "left" || *side == "right",
              "searchsorted(): side can only be 'left' or 'right' but got ", *side);
  TORCH_CHECK(*side == "right" || !right,
              "searchsorted(): side and right can't be set to opposites, got side of ", *side,
              " while right was True");
  return *side == "right";
}

void check_sorter(const Tensor& lines, const Tensor& sorter) {
  TORCH_CHECK(sorter.sizes() == lines.sizes(),
              "searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
              lines.sizes(), " and got sorter tensor ", sorter.sizes());
  TORCH_CHECK(sorter.scalar_type() == kLong,
              "searchsorted(): sorter must be a tensor of long dtype but got dtype ", sorter.scalar_type());
  if (sorter.numel() == 0 || sorter.is_meta()) return;
  TORCH_CHECK(sorter.min().item<int64_t>() >= 0 && sorter.max().item<int64_t>() < sorter.size(-1),
              "searchsorted(): sorter index out of range");
}

void check_lines(const Tensor& lines, const Tensor& values) {
  for (const Tensor* t : {&lines, &values}) {
    TORCH_CHECK_NOT_IMPLEMENTED(!t->is_complex() && t->scalar_type() != kBool,
                                "\"searchsorted\" not implemented for '", t->scalar_type(), "'");
  }
  TORCH_CHECK(
      lines.dim() > 0 && (values.dim() > 0 || lines.dim() == 1),
      "searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
      "boundaries tensor dim(",
      lines.dim(), ") and input value's dim(", values.dim(), ")");
  const bool fits = lines.dim() == 1 ||
                    (lines.dim() == values.dim() &&
                     lines.sizes().slice(0, lines.dim() - 1) == values.sizes().slice(0, lines.dim() - 1));
  TORCH_CHECK(
      fits,
      "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
      "tensor and input value tensor must match, but we got boundaries tensor ",
      lines.sizes(), " and input value tensor ", values.sizes());
}

// A stable sort of lines and values puts each value behind the elements that come before it, of which a
// running count knows how many there are.
Tensor search_by_sort(const Tensor& lines, const Tensor& values, bool right) {
  const Tensor asked = lines.dim() == 1 ? values.reshape({-1}) : values;
  const int64_t n = lines.size(-1), m = asked.size(-1);
  const Tensor both = right ? at::cat({lines, asked}, -1) : at::cat({asked, lines}, -1);
  const Tensor order = std::get<1>(both.sort(/*stable=*/true, -1, false));
  const Tensor is_element = right ? order.lt(n) : order.ge(m);
  const Tensor places = is_element.cumsum(-1);
  const Tensor by_position = at::empty_like(places).scatter_(-1, order, places);
  return by_position.narrow(-1, right ? n : 0, m).reshape(values.sizes());
}

void search(const Tensor& lines, const Tensor& values, bool right, const Tensor& result) {
  if (!result.is_cpu()) {
    const_cast<Tensor&>(result).copy_(search_by_sort(lines, values, right));
    return;
  }
  const Tensor dense = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  searchsorted_stub(kCPU, dense, lines.contiguous(), values.contiguous(), right);
  if (!dense.is_same(result)) const_cast<Tensor&>(result).copy_(dense);
}

Tensor places_for(const Tensor& self, bool out_int32) {
  return at::empty({0}, self.options().dtype(out_int32 ? kInt : kLong));
}

}  // namespace

// -------------------- searchsorted

Tensor& searchsorted_out(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                         std::optional<std::string_view> side, const std::optional<Tensor>& sorter,
                         Tensor& result) {
  const bool after = is_right(right, side);
  const bool is_sorted = !sorter || !sorter->defined();
  check_lines(sorted_sequence, self);
  if (!is_sorted) check_sorter(sorted_sequence, *sorter);
  TORCH_CHECK(
      result.scalar_type() == (out_int32 ? kInt : kLong),
      "searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending "
      "on whether out_int32 flag is True, but we got output tensor's dtype ",
      result.scalar_type(), " and out_int32 flag is ", out_int32 ? "True" : "False");
  TORCH_CHECK(!out_int32 || sorted_sequence.size(-1) < std::numeric_limits<int32_t>::max(),
              "searchsorted(): the size of boundaries' last dimension should be less than ",
              std::numeric_limits<int32_t>::max(), ", but we got ", sorted_sequence.size(-1));
  resize_output(result, self.sizes());
  if (result.is_meta() || result.numel() == 0) return result;
  const ScalarType dtype = promoted_type(sorted_sequence, self);
  const Tensor lines = is_sorted ? sorted_sequence : sorted_sequence.gather(-1, *sorter);
  search(lines.to(dtype), self.to(dtype), after, result);
  return result;
}

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, const std::optional<Tensor>& sorter) {
  Tensor result = places_for(self, out_int32);
  return at::searchsorted_outf(sorted_sequence, self, out_int32, right, side, sorter, result);
}

namespace {

// The number in the dtype in which it is compared.
Tensor compared_number(const Tensor& sorted_sequence, const Scalar& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.isComplex(), "\"searchsorted\" not implemented for complex numbers");
  return at::scalar_tensor(self, sorted_sequence.options().dtype(promoted_type(sorted_sequence, self)));
}

}  // namespace

Tensor& searchsorted_out(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                         std::optional<std::string_view> side, const std::optional<Tensor>& sorter,
                         Tensor& result) {
  return at::searchsorted_outf(sorted_sequence, compared_number(sorted_sequence, self), out_int32, right,
                               side, sorter, result);
}

Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, const std::optional<Tensor>& sorter) {
  return at::searchsorted(sorted_sequence, compared_number(sorted_sequence, self), out_int32, right, side,
                          sorter);
}

// -------------------- bucketize

Tensor& bucketize_out(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right,
                      Tensor& result) {
  TORCH_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(),
              ")");
  return at::searchsorted_outf(boundaries, self, out_int32, right, std::nullopt, std::nullopt, result);
}

Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  Tensor result = places_for(self, out_int32);
  return at::bucketize_outf(self, boundaries, out_int32, right, result);
}

Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  return at::bucketize(compared_number(boundaries, self), boundaries, out_int32, right);
}

}  // namespace at::native
