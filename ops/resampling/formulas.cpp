// Second derivatives of grid sampling, composed of operators: an element of the result is a sum of few
// elements of the input, with weights that are products over the axes.
#include <ATen/core/DimVector.h>
#include <ATen/native/resampling/formulas.h>
#include <ATen/native/resampling/grid_sampler.h>

#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/grid_sampler_2d_backward.h>
#include <ATen/ops/grid_sampler_3d_backward.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/select.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <tuple>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

using Interpolation = at::native::GridSamplerInterpolation;
using Padding = at::native::GridSamplerPadding;

struct Sampling {
  Interpolation interpolation;
  Padding padding;
  bool align_corners;
};

// A position along an axis and its derivative by the grid's coordinate.
struct Position {
  Tensor at, step;
};

// The taps of each point along one axis: index, validity, weight, and the weight's first and second
// derivative by the grid's coordinate.
struct Tap {
  Tensor index, inside, weight, slope, curve;
};

Position clipped(const Position& p, int64_t size) {
  const Tensor inside = p.at.gt(0).logical_and(p.at.lt(size - 1));
  return {p.at.clamp(0, size - 1), p.step.mul(inside)};
}

Position padded(const Position& p, int64_t size, const Sampling& how) {
  if (how.padding == Padding::Zeros) return p;
  if (how.padding == Padding::Border) return clipped(p, size);
  const double low = how.align_corners ? 0.0 : -0.5;
  const auto span = static_cast<double>(how.align_corners ? size - 1 : size);
  if (span == 0) return {at::zeros_like(p.at), at::zeros_like(p.at)};
  const Tensor ahead = p.at.ge(low), from_low = p.at.sub(low);
  const Tensor distance = at::where(ahead, from_low, from_low.neg());
  const Tensor turns = distance.div(span).floor(), rest = distance.sub(turns.mul(span));
  const Tensor forth = turns.sub(turns.div(2).floor().mul(2)).lt(0.5);
  const Tensor step = at::where(ahead.eq(forth), p.step, p.step.neg());
  return clipped({at::where(forth, rest, rest.neg().add(span)).add(low), step}, size);
}

Tap tap_at(const Tensor& place, int64_t size, const Tensor& weight, const Tensor& slope,
           const Tensor& curve) {
  const Tensor inside = place.ge(0).logical_and(place.lt(size));
  return {at::where(inside, place, at::zeros_like(place)).to(at::kLong), inside, weight, slope, curve};
}

// Cubic convolution: value, first and second derivative at distances up to 1 and from 1 to 2.
struct Cubic {
  static constexpr double a = -0.75;
  Tensor value, first, second;

  static Cubic near(const Tensor& x) {
    return {x.mul(a + 2).sub(a + 3).mul(x).mul(x).add(1), x.mul(3 * (a + 2)).sub(2 * (a + 3)).mul(x),
            x.mul(6 * (a + 2)).sub(2 * (a + 3))};
  }
  static Cubic far(const Tensor& x) {
    return {x.mul(a).sub(5 * a).mul(x).add(8 * a).mul(x).sub(4 * a),
            x.mul(3 * a).sub(10 * a).mul(x).add(8 * a), x.mul(6 * a).sub(10 * a)};
  }
};

std::vector<Tap> cubic_taps(const Position& p, int64_t size, const Sampling& how) {
  const Tensor low = p.at.floor(), x = p.at.sub(low), left = x.neg().add(1);
  const Cubic parts[4] = {Cubic::far(x.add(1)), Cubic::near(x), Cubic::near(left), Cubic::far(left.add(1))};
  std::vector<Tap> taps;
  for (int k = 0; k < 4; ++k) {
    const Tensor place = padded({low.add(k - 1), p.step}, size, how).at.floor();
    const Tensor slope = parts[k].first.mul(p.step);
    taps.push_back(tap_at(place, size, parts[k].value, k < 2 ? slope : slope.neg(),
                          parts[k].second.mul(p.step).mul(p.step)));
  }
  return taps;
}

// `coordinate`: along one axis, for each item of the batch and each point.
std::vector<Tap> taps_along(const Tensor& coordinate, int64_t size, const Sampling& how) {
  const double step = static_cast<double>(how.align_corners ? size - 1 : size) / 2;
  const double middle = static_cast<double>(size - 1) / 2;
  const Position raw{coordinate.mul(step).add(middle), at::full_like(coordinate, step)};
  if (how.interpolation == Interpolation::Bicubic) return cubic_taps(raw, size, how);
  const Position p = padded(raw, size, how);
  const Tensor zeros = at::zeros_like(p.at);
  if (how.interpolation == Interpolation::Nearest) {
    return {tap_at(p.at.round(), size, at::ones_like(p.at), zeros, zeros)};
  }
  const Tensor low = p.at.floor(), part = p.at.sub(low);
  return {tap_at(low, size, part.neg().add(1), p.step.neg(), zeros),
          tap_at(low.add(1), size, part, p.step, zeros)};
}

// The product of the axes' weights, differentiated by the axes a and b (-1: by none).
Tensor product(const std::vector<Tap>& taps, int a = -1, int b = -1) {
  Tensor result;
  for (int i = 0; i < static_cast<int>(taps.size()); ++i) {
    const Tap& tap = taps[i];
    const Tensor& factor = i == a && i == b ? tap.curve : i == a || i == b ? tap.slope : tap.weight;
    result = result.defined() ? result.mul(factor) : factor;
  }
  return result;
}

// The contribution of one combination of taps to the three gradients.
class Contributions {
 public:
  Contributions(const Tensor& direction, const Tensor& grad_output, const Tensor& input, const Tensor& grid)
      : direction_(direction.reshape({direction.size(0), -1, direction.size(-1)})),
        grad_(grad_output.reshape({grad_output.size(0), grad_output.size(1), -1})),
        input_(input.reshape({input.size(0), input.size(1), -1})),
        of_grad(at::zeros_like(grad_)),
        of_input(at::zeros_like(input_)),
        of_grid(static_cast<size_t>(grid.size(-1))) {}

  void add(const std::vector<Tap>& taps, IntArrayRef sizes) {
    Tensor offset, inside;
    for (size_t a = taps.size(); a-- > 0;) {
      offset = offset.defined() ? offset.mul(sizes[a]).add(taps[a].index) : taps[a].index;
      inside = inside.defined() ? inside.logical_and(taps[a].inside) : taps[a].inside;
    }
    const Tensor places = offset.unsqueeze(1).expand(grad_.sizes());
    const Tensor values = input_.gather(2, places).mul(inside.unsqueeze(1));
    const Tensor weighted = grad_.mul(values).sum(1);
    const int axes = static_cast<int>(taps.size());
    Tensor slope;
    for (int a = 0; a < axes; ++a) {
      const Tensor along = direction_.select(-1, a).mul(product(taps, a));
      slope = slope.defined() ? slope.add(along) : along;
      for (int b = 0; b < axes; ++b) {
        const Tensor bent = direction_.select(-1, b).mul(product(taps, a, b)).mul(weighted);
        of_grid[a] = of_grid[a].defined() ? of_grid[a].add(bent) : bent;
      }
    }
    of_grad = of_grad.add(values.mul(slope.unsqueeze(1)));
    of_input = of_input.scatter_add(2, places, grad_.mul(slope.mul(inside).unsqueeze(1)));
  }

 private:
  Tensor direction_, grad_, input_;

 public:
  Tensor of_grad, of_input;
  std::vector<Tensor> of_grid;
};

// Calls f with each combination of one tap of each axis.
template <class F>
void each_combination(const std::vector<std::vector<Tap>>& axes, const F& f) {
  int64_t combinations = 1;
  for (const auto& taps : axes) combinations *= static_cast<int64_t>(taps.size());
  for (int64_t i = 0; i < combinations; ++i) {
    std::vector<Tap> chosen;
    int64_t rest = i;
    for (const auto& taps : axes) {
      chosen.push_back(taps[rest % taps.size()]);
      rest /= static_cast<int64_t>(taps.size());
    }
    f(chosen);
  }
}

// For grad_input's gradient: grad_input is the transpose of sampling, so that its derivatives are sampling
// itself and its gradient.
void add_of_grad_input(std::tuple<Tensor, Tensor, Tensor>& result, const Tensor& grad_of_input,
                       const Tensor& grad_output, const Tensor& grid, int64_t interpolation, int64_t padding,
                       bool align_corners) {
  const auto add = [](Tensor& sum, const Tensor& part) { sum = sum.defined() ? sum.add(part) : part; };
  add(std::get<0>(result), at::grid_sampler(grad_of_input, grid, interpolation, padding, align_corners));
  const auto backward = grid.dim() == 4 ? &at::grid_sampler_2d_backward : &at::grid_sampler_3d_backward;
  add(std::get<2>(result), std::get<1>(backward(grad_output, grad_of_input, grid, interpolation, padding,
                                                align_corners, {false, true})));
}

std::tuple<Tensor, Tensor, Tensor> of_grad_grid(const Tensor& grad_of_grid, const Tensor& grad_output,
                                                const Tensor& input, const Tensor& grid,
                                                const Sampling& how) {
  const int64_t axes = grid.size(-1);
  const Tensor points = grid.reshape({grid.size(0), -1, axes});
  at::DimVector sizes;
  std::vector<std::vector<Tap>> taps;
  for (int64_t a = 0; a < axes; ++a) {
    sizes.push_back(input.size(-1 - a));
    taps.push_back(taps_along(points.select(-1, a), sizes.back(), how));
  }
  Contributions sums(grad_of_grid, grad_output, input, grid);
  each_combination(taps, [&](const std::vector<Tap>& chosen) { sums.add(chosen, sizes); });
  return {sums.of_grad.reshape(grad_output.sizes()), sums.of_input.reshape(input.sizes()),
          at::stack(sums.of_grid, -1).reshape(grid.sizes())};
}

std::tuple<Tensor, Tensor, Tensor> double_backward(const Tensor& grad_of_input, const Tensor& grad_of_grid,
                                                   const Tensor& grad_output, const Tensor& input,
                                                   const Tensor& grid, int64_t interpolation, int64_t padding,
                                                   bool align_corners) {
  std::tuple<Tensor, Tensor, Tensor> result;
  if (input.numel() == 0 || grid.numel() == 0) {
    return {at::zeros_like(grad_output), at::zeros_like(input), at::zeros_like(grid)};
  }
  if (grad_of_grid.defined()) {
    const Sampling how{static_cast<Interpolation>(interpolation), static_cast<Padding>(padding),
                       align_corners};
    result = of_grad_grid(grad_of_grid, grad_output, input, grid, how);
  }
  if (grad_of_input.defined()) {
    add_of_grad_input(result, grad_of_input, grad_output, grid, interpolation, padding, align_corners);
  }
  return result;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> grid_sampler_2d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> /*wanted*/) {
  return double_backward(grad_of_input, grad_of_grid, grad_output, input, grid, interpolation_mode,
                         padding_mode, align_corners);
}

std::tuple<Tensor, Tensor, Tensor> grid_sampler_3d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> /*wanted*/) {
  return double_backward(grad_of_input, grad_of_grid, grad_output, input, grid, interpolation_mode,
                         padding_mode, align_corners);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
