// histogram and histogramdd.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/bins.h>
#include <ATen/native/reduction/histogram.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_histogramdd_bin_edges.h>
#include <ATen/ops/_histogramdd_bin_edges_native.h>
#include <ATen/ops/_histogramdd_from_bin_cts.h>
#include <ATen/ops/_histogramdd_from_bin_cts_native.h>
#include <ATen/ops/_histogramdd_from_bin_tensors.h>
#include <ATen/ops/_histogramdd_from_bin_tensors_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/histogram.h>
#include <ATen/ops/histogram_native.h>
#include <ATen/ops/histogramdd.h>
#include <ATen/ops/histogramdd_native.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/select.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(histogram_stub);

namespace {

using OptionalTensor = std::optional<Tensor>;

void check_points(const Tensor& self, int64_t bins, const OptionalTensor& weight) {
  TORCH_CHECK(self.dim() >= 2, "histogramdd: input tensor should have at least 2 dimensions");
  TORCH_CHECK_NOT_IMPLEMENTED(self.is_floating_point(), "\"histogramdd\" not implemented for '",
                              self.scalar_type(), "'");
  TORCH_CHECK(self.size(-1) == bins, "histogramdd: expected ", self.size(-1),
              " sequences of bin edges for a ", self.size(-1), "-dimensional histogram but got ", bins);
  if (!weight || !weight->defined()) return;
  TORCH_CHECK(weight->sizes() == self.sizes().slice(0, self.dim() - 1),
              "histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
              "excluding its innermost dimension, but got input with shape ",
              self.sizes(), " and weight with shape ", weight->sizes());
  TORCH_CHECK(
      weight->scalar_type() == self.scalar_type(),
      "histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same "
      "dtype, but got input(",
      self.scalar_type(), "), and weight(", weight->scalar_type(), ")");
}

void check_edges(const Tensor& self, TensorList edges) {
  for (size_t d = 0; d < edges.size(); ++d) {
    TORCH_CHECK(
        edges[d].scalar_type() == self.scalar_type(),
        "histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
        self.scalar_type(), " and bins for dimension ", d, " with dtype ", edges[d].scalar_type());
    TORCH_CHECK(edges[d].dim() == 1, "histogramdd: bins tensor should have one dimension, but got ",
                edges[d].dim(), " dimensions in the bins tensor for dimension ", d);
    TORCH_CHECK(edges[d].numel() > 1, "histogramdd: bins must be > 0, but got ", edges[d].numel(),
                " edges for dimension ", d);
  }
}

void check_counts(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range) {
  for (size_t d = 0; d < bins.size(); ++d) {
    TORCH_CHECK(bins[d] > 0, "histogram(): bins must be > 0, but got ", bins[d], " for dimension ", d);
  }
  if (!range) return;
  TORCH_CHECK(range->size() == 2 * bins.size(), "histogramdd: for a ", bins.size(),
              "-dimensional histogram range should have ", 2 * bins.size(), " elements, but got ",
              range->size());
}

// Coordinate d of all points.
BinRange range_along(const Tensor& points, int64_t d, std::optional<ArrayRef<double>> given) {
  BinRange range{0, 1};
  if (given) {
    range = {(*given)[2 * d], (*given)[2 * d + 1]};
  } else if (points.size(0) > 0) {
    range = range_of_elements("histogramdd", points.select(1, d));
  }
  check_finite("histogramdd", range);
  TORCH_CHECK(range.low <= range.high, "histogramdd: min should not exceed max, but got min ", range.low,
              " max ", range.high, " for dimension ", d);
  if (range.low == range.high) {
    range.low -= 0.5;
    range.high += 0.5;
  }
  return range;
}

Tensor points_of(const Tensor& self) {
  const int64_t dims = self.size(-1);
  return self.contiguous().view({dims == 0 ? 0 : self.numel() / dims, dims});
}

std::vector<Tensor> edges_of(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range) {
  check_counts(self, bins, range);
  const Tensor points = points_of(self);
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    if (self.is_meta()) {
      edges.push_back(at::empty({bins[d] + 1}, self.options()));
      continue;
    }
    const BinRange along = range_along(points, static_cast<int64_t>(d), range);
    edges.push_back(at::linspace(along.low, along.high, bins[d] + 1, self.options()));
  }
  return edges;
}

Tensor as_density(const Tensor& hist, TensorList edges) {
  Tensor density = hist.div(hist.sum());
  for (size_t d = 0; d < edges.size(); ++d) {
    DimVector shape(edges.size(), 1);
    shape[d] = edges[d].size(0) - 1;
    density = density.div(edges[d].diff().reshape(shape));
  }
  return density;
}

Tensor histogram_of(const Tensor& self, TensorList edges, const OptionalTensor& weight, bool density,
                    BinSearch search) {
  DimVector sizes;
  std::vector<Tensor> dense;
  for (const Tensor& edge : edges) {
    sizes.push_back(edge.size(0) - 1);
    dense.push_back(edge.contiguous());
  }
  Tensor hist = at::zeros(sizes, self.options());
  if (self.is_meta()) return hist;
  if (!edges.empty()) {
    const Tensor weights = weight && weight->defined() ? weight->contiguous() : Tensor();
    const std::vector<TensorBase> bases(dense.begin(), dense.end());
    histogram_stub(kCPU, hist, points_of(self), weights, bases, search);
  }
  return density ? as_density(hist, edges) : hist;
}

// A vector of points of one coordinate.
Tensor as_points(const Tensor& self) { return self.reshape({-1, 1}); }

OptionalTensor as_weights(const OptionalTensor& weight) {
  return weight && weight->defined() ? OptionalTensor(weight->reshape({-1})) : std::nullopt;
}

void write_histogram(const Tensor& self, const Tensor& edges, const Tensor& counted, Tensor& hist,
                     Tensor& bin_edges) {
  TORCH_CHECK(
      hist.scalar_type() == self.scalar_type() && bin_edges.scalar_type() == self.scalar_type(),
      "histogram: input tensor, hist tensor and bin_edges tensor should have the same dtype, but got ",
      self.scalar_type(), ", ", hist.scalar_type(), " and ", bin_edges.scalar_type());
  resize_output(hist, counted.sizes());
  resize_output(bin_edges, edges.sizes());
  hist.copy_(counted);
  bin_edges.copy_(edges);
}

}  // namespace

// -------------------- histogramdd

std::vector<Tensor> _histogramdd_bin_edges(const Tensor& self, IntArrayRef bins,
                                           std::optional<ArrayRef<double>> range,
                                           const OptionalTensor& weight, bool /*density*/) {
  check_points(self, static_cast<int64_t>(bins.size()), weight);
  return edges_of(self, bins, range);
}

Tensor _histogramdd_from_bin_cts(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range,
                                 const OptionalTensor& weight, bool density) {
  check_points(self, static_cast<int64_t>(bins.size()), weight);
  return histogram_of(self, edges_of(self, bins, range), weight, density, BinSearch::Nearby);
}

Tensor _histogramdd_from_bin_tensors(const Tensor& self, TensorList bins, const OptionalTensor& weight,
                                     bool density) {
  check_points(self, static_cast<int64_t>(bins.size()), weight);
  check_edges(self, bins);
  return histogram_of(self, bins, weight, density, BinSearch::Anywhere);
}

std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, IntArrayRef bins,
                                                    std::optional<ArrayRef<double>> range,
                                                    const OptionalTensor& weight, bool density) {
  return {at::_histogramdd_from_bin_cts(self, bins, range, weight, density),
          at::_histogramdd_bin_edges(self, bins, range, weight, density)};
}

std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, int64_t bins,
                                                    std::optional<ArrayRef<double>> range,
                                                    const OptionalTensor& weight, bool density) {
  TORCH_CHECK(self.dim() > 0, "histogramdd: input tensor should have at least 2 dimensions");
  const DimVector each(static_cast<size_t>(self.size(-1)), bins);
  return at::histogramdd(self, each, range, weight, density);
}

std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, TensorList bins,
                                                    std::optional<ArrayRef<double>> /*range*/,
                                                    const OptionalTensor& weight, bool density) {
  return {at::_histogramdd_from_bin_tensors(self, bins, weight, density), bins.vec()};
}

// -------------------- histogram

std::tuple<Tensor&, Tensor&> histogram_out(const Tensor& self, const Tensor& bins,
                                           const OptionalTensor& weight, bool density, Tensor& hist,
                                           Tensor& bin_edges) {
  const Tensor counted =
      at::_histogramdd_from_bin_tensors(as_points(self), TensorList(bins), as_weights(weight), density);
  write_histogram(self, bins, counted, hist, bin_edges);
  return {hist, bin_edges};
}

std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, const OptionalTensor& weight,
                                     bool density) {
  Tensor hist = at::empty({0}, self.options()), bin_edges = at::empty({0}, bins.options());
  at::histogram_outf(self, bins, weight, density, hist, bin_edges);
  return {std::move(hist), std::move(bin_edges)};
}

std::tuple<Tensor&, Tensor&> histogram_out(const Tensor& self, int64_t bins,
                                           std::optional<ArrayRef<double>> range,
                                           const OptionalTensor& weight, bool density, Tensor& hist,
                                           Tensor& bin_edges) {
  const Tensor points = as_points(self);
  const OptionalTensor weights = as_weights(weight);
  check_points(points, 1, weights);
  const std::vector<Tensor> edges = edges_of(points, bins, range);
  write_histogram(self, edges[0], histogram_of(points, edges, weights, density, BinSearch::Nearby), hist,
                  bin_edges);
  return {hist, bin_edges};
}

std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range,
                                     const OptionalTensor& weight, bool density) {
  Tensor hist = at::empty({0}, self.options()), bin_edges = at::empty({0}, self.options());
  at::histogram_outf(self, bins, range, weight, density, hist, bin_edges);
  return {std::move(hist), std::move(bin_edges)};
}

}  // namespace at::native
