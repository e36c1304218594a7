// segment_reduce and its gradient: checks, and segments as offsets.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/segments.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_segment_reduce_backward_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/segment_reduce_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <string_view>

namespace at::native {

DEFINE_DISPATCH(segment_reduce_stub);
DEFINE_DISPATCH(segment_reduce_backward_stub);

namespace {

using OptionalTensor = std::optional<Tensor>;

SegmentReduction reduction_of(std::string_view name) {
  if (name == "sum") return SegmentReduction::Sum;
  if (name == "mean") return SegmentReduction::Mean;
  if (name == "max" || name == "amax") return SegmentReduction::Max;
  if (name == "min" || name == "amin") return SegmentReduction::Min;
  if (name == "prod") return SegmentReduction::Prod;
  TORCH_CHECK(false, "reduce argument must be either sum, prod, mean, amax or amin, got ", name);
}

// Lengths or offsets of segments, one row for each line of data.
struct SegmentBounds {
  const Tensor& given;
  bool are_lengths;

  int64_t segments() const { return given.size(-1) - (are_lengths ? 0 : 1); }
};

SegmentBounds bounds_of(const OptionalTensor& lengths, const OptionalTensor& offsets) {
  const bool has_offsets = offsets && offsets->defined(), has_lengths = lengths && lengths->defined();
  TORCH_CHECK(has_offsets || has_lengths, "segment_reduce(): Either lengths or offsets must be defined.");
  return has_offsets ? SegmentBounds{*offsets, false} : SegmentBounds{*lengths, true};
}

void check_bounds(const Tensor& data, const SegmentBounds& bounds, int64_t axis) {
  const Tensor& given = bounds.given;
  TORCH_CHECK(given.scalar_type() == kLong || given.scalar_type() == kInt,
              "segment_reduce(): lengths or offsets must be Int or Long, got ", given.scalar_type());
  TORCH_CHECK(given.dim() > 0 && given.dim() <= data.dim(),
              "segment_reduce(): expected lengths or offsets of 1 to ", data.dim(), " dimensions, got ",
              given.dim());
  TORCH_CHECK(axis == given.dim() - 1,
              "segment_reduce(): Expected axis to be the last dimension of lengths or offsets but got ", axis,
              ".");
  for (int64_t d = 0; d < axis; ++d) {
    TORCH_CHECK(given.size(d) == data.size(d), "segment_reduce(): expected lengths or offsets of size ",
                data.size(d), " in dimension ", d, ", got ", given.size(d));
  }
  TORCH_CHECK(bounds.segments() >= 0, "segment_reduce(): expected at least one offset");
}

// Offsets as the kernels want them, within the data. They are checked on the CPU: a device is waited for.
Tensor checked_offsets(const Tensor& data, const SegmentBounds& bounds, int64_t axis, bool unsafe) {
  const int64_t n = data.size(axis), segments = bounds.segments();
  const Tensor given = bounds.given.to(kCPU, kLong).contiguous();
  const int64_t lines = given.numel() / std::max<int64_t>(given.size(-1), 1);
  const Tensor offsets = at::zeros({bounds.given.size(-1) == 0 ? 0 : lines, segments + 1}, given.options());
  auto* out = offsets.mutable_data_ptr<int64_t>();
  const auto* in = given.const_data_ptr<int64_t>();
  for (int64_t line = 0; line < offsets.size(0); ++line, out += segments + 1, in += given.size(-1)) {
    out[0] = bounds.are_lengths ? 0 : in[0];
    TORCH_CHECK(out[0] >= 0 && out[0] <= n, "segment_reduce(): offset ", out[0], " is not within 0 and ", n);
    for (int64_t i = 0; i < segments; ++i) {
      const int64_t length =
          bounds.are_lengths ? in[i] : (in[i + 1] >= in[i] ? in[i + 1] - std::max<int64_t>(in[i], 0) : -1);
      TORCH_CHECK(length >= 0, "segment_reduce(): lengths contains negative value!");
      TORCH_CHECK(length <= n - out[i],
                  "segment_reduce(): Expected all rows of lengths along axis to sum to ", n,
                  ", the size of data");
      out[i + 1] = out[i] + length;
    }
    TORCH_CHECK(unsafe || !bounds.are_lengths || out[segments] == n,
                "segment_reduce(): Expected all rows of lengths along axis to sum to ", n,
                ", the size of data, when !unsafe, got ", out[segments]);
  }
  return offsets.to(data.device(), kLong);
}

// A tensor as [outer, along axis, inner].
Tensor as_lines(const Tensor& t, int64_t axis) {
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d < axis; ++d) outer *= t.size(d);
  for (int64_t d = axis + 1; d < t.dim(); ++d) inner *= t.size(d);
  return t.contiguous().view({outer, t.size(axis), inner});
}

std::optional<double> number(const std::optional<Scalar>& s) {
  return s ? std::optional<double>(s->toDouble()) : std::nullopt;
}

DimVector reduced_sizes(const Tensor& data, const SegmentBounds& bounds, int64_t axis) {
  DimVector sizes(data.sizes().begin(), data.sizes().end());
  sizes[axis] = bounds.segments();
  return sizes;
}

int64_t checked_axis(const Tensor& data, const SegmentBounds& bounds, int64_t axis) {
  axis = maybe_wrap_dim(axis, data.dim());
  TORCH_CHECK_NOT_IMPLEMENTED(data.is_floating_point(), "\"segment_reduce\" not implemented for '",
                              data.scalar_type(), "'");
  check_bounds(data, bounds, axis);
  return axis;
}

}  // namespace

Tensor segment_reduce(const Tensor& data, std::string_view reduce, const OptionalTensor& lengths,
                      const OptionalTensor& indices, const OptionalTensor& offsets, int64_t axis, bool unsafe,
                      const std::optional<Scalar>& initial) {
  TORCH_CHECK(!indices || !indices->defined(),
              "segment_reduce(): indices based reduction is not supported yet.");
  const SegmentReduction reduction = reduction_of(reduce);
  const SegmentBounds bounds = bounds_of(lengths, offsets);
  axis = checked_axis(data, bounds, axis);
  const Tensor output = at::empty(reduced_sizes(data, bounds, axis), data.options());
  if (data.is_meta()) return output;
  const Tensor places = checked_offsets(data, bounds, axis, unsafe), lines = as_lines(data, axis);
  if (output.numel() > 0) {
    segment_reduce_stub(data.device().type(), output, Segments{lines, places, reduction, number(initial)});
  }
  return output;
}

Tensor _segment_reduce_backward(const Tensor& grad, const Tensor& output, const Tensor& data,
                                std::string_view reduce, const OptionalTensor& lengths,
                                const OptionalTensor& offsets, int64_t axis,
                                const std::optional<Scalar>& initial) {
  const SegmentReduction reduction = reduction_of(reduce);
  const SegmentBounds bounds = bounds_of(lengths, offsets);
  axis = checked_axis(data, bounds, axis);
  const DimVector sizes = reduced_sizes(data, bounds, axis);
  for (const Tensor* t : {&grad, &output}) {
    TORCH_CHECK(t->sizes() == IntArrayRef(sizes) && t->scalar_type() == data.scalar_type(),
                "_segment_reduce_backward(): expected grad and output of shape ", IntArrayRef(sizes),
                " and dtype ", data.scalar_type(), ", got ", t->sizes(), " and ", t->scalar_type());
  }
  const Tensor grad_data = at::zeros(data.sizes(), data.options());
  if (data.is_meta()) return grad_data;
  const Tensor places = checked_offsets(data, bounds, axis, /*unsafe=*/true), lines = as_lines(data, axis);
  if (grad.numel() > 0) {
    segment_reduce_backward_stub(data.device().type(), grad_data, grad.contiguous(), output.contiguous(),
                                 Segments{lines, places, reduction, number(initial)});
  }
  return grad_data;
}

}  // namespace at::native
