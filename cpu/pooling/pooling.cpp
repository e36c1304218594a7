// Scatters by indices: gradients of max pooling and max unpooling; and fractional max pooling.
#include <ATen/Dispatch.h>
#include <ATen/NumericUtils.h>
#include <ATen/Parallel.h>
#include <ATen/native/pooling/plan.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace at::native {

namespace {

constexpr int64_t work_per_task = 16384;  // elements
constexpr int64_t channel_block = 64;     // of neighbouring channels that are processed together

// A plane, or some channels of a channels-last image: element `i` of channel `c` is at i * step + c.
struct PoolPart {
  int64_t input, output;  // its offset in tensors of the input's and of the output's shape
  int64_t step, channels;
};

template <class Body>
void for_each_part(const Pooling& pooling, const Body& body) {
  const int64_t channels = pooling.channels_last ? pooling.channels : 1;
  const int64_t images = pooling.channels_last ? pooling.batch : pooling.planes();
  const int64_t blocks = (channels + channel_block - 1) / channel_block;
  const int64_t work = std::max<int64_t>(1, pooling.output_size() + pooling.input_size());
  const int64_t grain = std::max<int64_t>(1, work_per_task / work);
  at::parallel_for(0, images * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t image = i / blocks * channels, first = i % blocks * channel_block;
      body(PoolPart{image * pooling.input_size() + first, image * pooling.output_size() + first, channels,
                    std::min(channel_block, channels - first)});
    }
  });
}

template <class T>
void clear(const PoolPart& part, T* out, int64_t inputs) {
  if (part.step == part.channels) {
    std::fill_n(out, inputs * part.channels, T(0));
  } else {
    for (int64_t i = 0; i < inputs; ++i) std::fill_n(out + i * part.step, part.channels, T(0));
  }
}

// -------------------- Gradients of maxima

template <class T>
C10_ALWAYS_INLINE void add_at_indices(const PoolPart& part, const T* grad, const int64_t* indices,
                                      int64_t outputs, T* out, int64_t inputs) {
  clear(part, out, inputs);
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t c = 0; c < part.channels; ++c) {
      const int64_t at = o * part.step + c, place = indices[at];
      TORCH_CHECK_INDEX(static_cast<uint64_t>(place) < static_cast<uint64_t>(inputs),
                        "max_pool_backward(): index ", place, " is out of bounds for a plane of ", inputs,
                        " elements");
      out[place * part.step + c] += grad[at];
    }
  }
}

void max_pool_backward(const Pooling& pooling, const TensorBase& grad_output, const TensorBase& indices,
                       const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad_input.scalar_type(), "max_pool_backward", [&] {
    const auto* grad = grad_output.const_data_ptr<scalar_t>();
    const auto* places = indices.const_data_ptr<int64_t>();
    auto* out = grad_input.mutable_data_ptr<scalar_t>();
    const int64_t inputs = pooling.input_size(), outputs = pooling.output_size();
    for_each_part(pooling, [&](const PoolPart& part) {
      const auto* from = grad + part.output;
      if (pooling.channels_last) {
        add_at_indices(part, from, places + part.output, outputs, out + part.input, inputs);
      } else {  // the same, with one channel known at compile time
        add_at_indices({0, 0, 1, 1}, from, places + part.output, outputs, out + part.input, inputs);
      }
    });
  });
}

// -------------------- Unpooling

void max_unpool(const Pooling& pooling, const TensorBase& pooled, const TensorBase& indices,
                const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "max_unpool", [&] {
    const auto* values = pooled.const_data_ptr<scalar_t>();
    const auto* places = indices.const_data_ptr<int64_t>();
    auto* out = output.mutable_data_ptr<scalar_t>();
    const int64_t inputs = pooling.input_size(), outputs = pooling.output_size();
    for_each_part(pooling, [&](const PoolPart& part) {
      auto* to = out + part.input;
      clear(part, to, inputs);
      for (int64_t o = 0; o < outputs; ++o) {
        for (int64_t c = 0; c < part.channels; ++c) {
          const int64_t at = part.output + o * part.step + c, place = places[at];
          TORCH_CHECK(place >= 0 && place < inputs, "max_unpool(): Found an invalid max index: ", place,
                      " (output volumes have ", inputs, " elements)");
          to[place * part.step + c] = values[at];
        }
      }
    });
  });
}

// -------------------- Windows at random positions

template <class T>
class FractionalPlane {
 public:
  FractionalPlane(const Pooling& pooling, const T* samples) {
    for (int d = 0; d < 3; ++d) {
      const PoolAxis& axis = pooling.axes[d];
      // With two dimensions the first sample is the width's, with three the depth's.
      const int sample = pooling.dims == 3 ? d : 2 - d;
      for (int64_t o = 0; o < axis.output; ++o) {
        const T number = d < 3 - pooling.dims ? T(0) : samples[sample];
        begins_[d].push_back(fractional_begin<T>(axis, number, o));
      }
    }
  }

  void run(const Pooling& pooling, const T* plane, T* values, int64_t* places) const {
    for (const int64_t d : begins_[0]) {
      for (const int64_t h : begins_[1]) {
        for (const int64_t w : begins_[2]) window(pooling, plane, d, h, w, *values++, *places++);
      }
    }
  }

 private:
  void window(const Pooling& pooling, const T* plane, int64_t d0, int64_t h0, int64_t w0, T& value,
              int64_t& place) const {
    const PoolAxis &depth = pooling.axes[0], &height = pooling.axes[1], &width = pooling.axes[2];
    value = -std::numeric_limits<T>::infinity();
    place = (d0 * height.input + h0) * width.input + w0;
    for (int64_t d = d0; d < d0 + depth.kernel; ++d) {
      for (int64_t h = h0; h < h0 + height.kernel; ++h) {
        for (int64_t w = w0; w < w0 + width.kernel; ++w) {
          const int64_t at = (d * height.input + h) * width.input + w;
          if (plane[at] > value || at::_isnan(plane[at])) {
            value = plane[at];
            place = at;
          }
        }
      }
    }
  }

  std::vector<int64_t> begins_[3];
};

void fractional_max_pool(const Pooling& pooling, const TensorBase& input, const TensorBase& random_samples,
                         const TensorBase& output, const TensorBase& indices) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "fractional_max_pool", [&] {
    const auto *from = input.const_data_ptr<scalar_t>(), *samples = random_samples.const_data_ptr<scalar_t>();
    auto* values = output.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    const int64_t inputs = pooling.input_size(), outputs = pooling.output_size();
    const int64_t grain = std::max<int64_t>(1, work_per_task / inputs);
    at::parallel_for(0, pooling.planes(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        FractionalPlane<scalar_t>(pooling, samples + p * pooling.dims)
            .run(pooling, from + p * inputs, values + p * outputs, places + p * outputs);
      }
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(max_pool_backward_stub, &max_pool_backward)
REGISTER_ALL_CPU_DISPATCH(fractional_max_pool_backward_stub, &max_pool_backward)
REGISTER_ALL_CPU_DISPATCH(max_unpool_stub, &max_unpool)
REGISTER_ALL_CPU_DISPATCH(fractional_max_pool_stub, &fractional_max_pool)

}  // namespace at::native
