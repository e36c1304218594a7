// segment_reduce and its gradient on the CPU.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/reduction/segment_arithmetic.h>

namespace at::native {
namespace {

using segment::Alone;
using segment::Segment;

// Calls f(x, column of data, column of output) for each segment x of each column.
template <class T, class F>
void for_each_segment(const Segments& segments, const F& f) {
  const TensorBase &data = segments.data, &offsets = segments.offsets;
  const int64_t n = data.size(1), inner = data.size(2), count = offsets.size(1) - 1;
  const T* in = data.const_data_ptr<T>();
  const auto* offset = offsets.const_data_ptr<int64_t>();
  at::parallel_for(0, data.size(0) * count, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t outer = i / count, *bounds = offset + outer * (count + 1) + i % count;
      const int64_t first = (outer * n + bounds[0]) * inner;
      for (int64_t column = 0; column < inner; ++column) {
        f(Segment<T>{in + first + column, bounds[1] - bounds[0], inner}, first + column, i * inner + column);
      }
    }
  });
}

void segment_reduce(const TensorBase& output, const Segments& segments) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "segment_reduce_cpu", [&] {
    const auto start = segment::start_of<ufunc::opmath<scalar_t>>(segments);
    auto* out = output.mutable_data_ptr<scalar_t>();
    for_each_segment<scalar_t>(segments, [&](const Segment<scalar_t>& x, int64_t, int64_t to) {
      out[to] = static_cast<scalar_t>(segment::reduced(x, Alone(), segments.reduction, start));
    });
  });
}

void segment_reduce_backward(const TensorBase& grad_data, const TensorBase& grad, const TensorBase& output,
                             const Segments& segments) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "segment_reduce_backward_cpu", [&] {
    using O = ufunc::opmath<scalar_t>;
    const auto start = segment::start_of<O>(segments);
    auto* out = grad_data.mutable_data_ptr<scalar_t>();
    const auto* of_grad = grad.const_data_ptr<scalar_t>();
    const auto* of_output = output.const_data_ptr<scalar_t>();
    for_each_segment<scalar_t>(segments, [&](const Segment<scalar_t>& x, int64_t to, int64_t from) {
      segment::write_gradients(out + to, x, Alone(), static_cast<O>(of_grad[from]),
                               static_cast<O>(of_output[from]), segments.reduction, start);
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(segment_reduce_stub, &segment_reduce)
REGISTER_ALL_CPU_DISPATCH(segment_reduce_backward_stub, &segment_reduce_backward)

}  // namespace at::native
