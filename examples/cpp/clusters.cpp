// k-means clustering of 2-d points: each centre is repeatedly moved to the mean of its nearest points.
// Usage: clusters [seed]
#include <ATen/ATen.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

constexpr int64_t kGroups = 3;
constexpr int64_t kPointsPerGroup = 200;
constexpr double kSpread = 0.4;

// Points [kGroups * kPointsPerGroup, 2] around (1, 1), (5, 1) and (1, 5).
at::Tensor sample_points() {
  const at::Tensor middles = at::ones({kGroups, 1, 2});
  middles.select(0, 1).select(1, 0).fill_(5);
  middles.select(0, 2).select(1, 1).fill_(5);
  return (middles + kSpread * at::randn({kGroups, kPointsPerGroup, 2})).view({-1, 2});
}

// For each point [n, 2] the index of the nearest one of the centres [k, 2].
at::Tensor nearest(const at::Tensor& points, const at::Tensor& centres) {
  const at::Tensor apart = points.unsqueeze(1) - centres.unsqueeze(0);  // [n, k, 2]
  return (apart * apart).sum(-1).argmin(1);
}

// The mean of each group's points [n, 2]; the centres of empty groups are unchanged.
at::Tensor means(const at::Tensor& points, const at::Tensor& group, const at::Tensor& centres) {
  const at::Tensor belongs =
      group.unsqueeze(1).eq(at::arange(centres.size(0))).to(points.scalar_type());  // [n, k]
  const at::Tensor count = belongs.sum(0).unsqueeze(1);                             // [k, 1]
  const at::Tensor sum = at::mm(belongs.t(), points);                               // [k, 2]
  return at::where(count.gt(0), sum / at::clamp(count, 1), centres);
}

void run(uint64_t seed) {
  at::manual_seed(seed);
  const at::Tensor points = sample_points();
  at::Tensor centres = at::stack({points[0], points[kPointsPerGroup], points[2 * kPointsPerGroup]});
  int rounds = 0;
  for (bool moved = true; moved && rounds < 100; ++rounds) {
    const at::Tensor next = means(points, nearest(points, centres), centres);
    moved = !at::equal(next, centres);
    centres = next;
  }
  const at::Tensor group = nearest(points, centres);
  std::printf("%lld points, %lld groups\n", static_cast<long long>(points.size(0)),
              static_cast<long long>(kGroups));
  for (int64_t i = 0; i < kGroups; ++i) {
    std::printf("(%.1f, %.1f): %lld points\n", centres[i][0].item<double>(), centres[i][1].item<double>(),
                static_cast<long long>(group.eq(i).sum().item<int64_t>()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0);
    at::mm(at::ones({2, 3}), at::ones({2, 3}));  // errors are exceptions that name the operator
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
  }
}
