#include <ATen/native/fft/plan.h>

#include <c10/util/Exception.h>

#include <cmath>
#include <complex>
#include <mutex>
#include <unordered_map>

namespace at::native {

namespace {

using Root = std::complex<double>;

// exp(-2 pi i k / n) for 0 <= k < n, from angles of at most an eighth of a turn: exact to the last bit or so.
class UnitRoots {
 public:
  explicit UnitRoots(int64_t n) : n_(n) {
    if (n % 8 != 0) return;
    table_.reserve(static_cast<size_t>(n / 8 + 1));
    for (int64_t eighth = 0; eighth <= n; eighth += 8) table_.push_back(in_first_octant(eighth));
  }

  Root operator()(int64_t k) const {
    const int64_t octant = 8 * k / n_, rest = 8 * k % n_;
    const int64_t t = octant % 2 == 0 ? rest : n_ - rest;
    const Root root = table_.empty() ? in_first_octant(t) : table_[static_cast<size_t>(t / 8)];
    const double c = root.real(), s = root.imag();
    const bool swapped = (octant + 1) / 2 % 2 == 1;
    const double cosine = swapped ? s : c, sine = swapped ? c : s;
    const bool left = octant >= 2 && octant < 6, below = octant >= 4;
    return {left ? -cosine : cosine, below ? sine : -sine};
  }

 private:
  // Cosine and sine of t / n eighths of a turn.
  Root in_first_octant(int64_t t) const {
    const double angle = 0.78539816339744830962 * (static_cast<double>(t) / static_cast<double>(n_));
    return {std::cos(angle), std::sin(angle)};
  }

  int64_t n_;
  std::vector<Root> table_;
};

template <class T>
void push(FftRoots<T>& roots, Root root) {
  roots.re.push_back(static_cast<T>(root.real()));
  roots.im.push_back(static_cast<T>(root.imag()));
}

// Powers of two first, by eights unless a two would remain: later passes then have long rows.
std::vector<int64_t> radices_of(int64_t n) {
  std::vector<int64_t> radices;
  int64_t twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (; twos >= 5 || twos == 3; twos -= 3) radices.push_back(8);
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  for (int64_t radix = 3; n > 1; radix += 2) {
    if (radix * radix > n) radix = n;
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  return radices;
}

template <class T>
void add_passes(FftPlan<T>& plan, const std::vector<int64_t>& radices) {
  const UnitRoots roots(plan.n);
  int64_t rest = plan.n;
  for (const int64_t radix : radices) {
    const int64_t count = rest / radix, step = plan.n / rest;
    plan.passes.push_back({radix, count, static_cast<int64_t>(plan.twiddles.re.size()),
                           static_cast<int64_t>(plan.roots.re.size())});
    for (int64_t j = 1; j < radix; ++j) {
      for (int64_t p = 0; p < count; ++p) push(plan.twiddles, roots(p * j * step));
    }
    for (int64_t k = 0; k < radix; ++k) push(plan.roots, roots(k * (plan.n / radix)));
    rest = count;
  }
}

int64_t smooth_length(int64_t least) {
  int64_t best = 8;
  while (best < least) best *= 2;
  for (int64_t fives = 1; fives < best; fives *= 5) {
    for (int64_t odd = fives; odd < best; odd *= 3) {
      int64_t length = odd * 8;
      while (length < least) length *= 2;
      if (length < best) best = length;
    }
  }
  return best;
}

// The transform of Bluestein's kernels when a plan is made: by a plain loop over the passes, in double.
std::vector<Root> transform(const std::vector<Root>& x, const std::vector<int64_t>& radices) {
  const auto n = static_cast<int64_t>(x.size());
  const UnitRoots roots(n);
  std::vector<Root> from = x, to(x.size());
  int64_t rest = n, stride = 1;
  for (const int64_t radix : radices) {
    const int64_t count = rest / radix;
    for (int64_t p = 0; p < count; ++p) {
      for (int64_t j = 0; j < radix; ++j) {
        const Root twiddle = roots(p * j * stride);
        for (int64_t q = 0; q < stride; ++q) {
          Root sum = 0;
          for (int64_t k = 0; k < radix; ++k) {
            sum += roots(j * k % radix * (n / radix)) * from[q + stride * (p + count * k)];
          }
          to[q + stride * (radix * p + j)] = twiddle * sum;
        }
      }
    }
    from.swap(to);
    rest = count;
    stride *= radix;
  }
  return from;
}

template <class T>
void add_convolution(FftPlan<T>& plan) {
  const int64_t n = plan.n, length = smooth_length(2 * n - 1);
  const UnitRoots roots(2 * n);
  std::vector<Root> kernel(static_cast<size_t>(length));
  for (int64_t j = 0; j < n; ++j) {
    const auto square = static_cast<int64_t>(static_cast<unsigned __int128>(j) * j % (2 * n));
    const Root chirp = roots(square);
    push(plan.chirp, chirp);
    kernel[j] = kernel[(length - j) % length] = std::conj(chirp) / static_cast<double>(length);
  }
  for (const Root& value : transform(kernel, radices_of(length))) push(plan.kernel, value);
  plan.padded = fft_plan<T>(length);
}

template <class T>
std::shared_ptr<const FftPlan<T>> make_plan(int64_t n) {
  auto plan = std::make_shared<FftPlan<T>>();
  plan->n = n;
  const auto radices = radices_of(n);
  bool smooth = true;
  for (const int64_t radix : radices) smooth &= radix <= largest_fft_radix;
  if (smooth) {
    add_passes(*plan, radices);
  } else {
    add_convolution(*plan);
  }
  const UnitRoots roots(2 * n);
  for (int64_t k = 0; k <= n / 2; ++k) push(plan->halves, roots(k));
  return plan;
}

// A cache of the plans used last, bounded in number and total length.
template <class T>
struct Cache {
  std::mutex mutex;
  std::unordered_map<int64_t, std::shared_ptr<const FftPlan<T>>> plans;
  int64_t points = 0;
};

}  // namespace

template <class T>
std::shared_ptr<const FftPlan<T>> fft_plan(int64_t n) {
  constexpr int64_t most_plans = 256, most_points = int64_t{1} << 23;
  static auto& cache = *new Cache<T>();
  TORCH_CHECK(n >= 1 && n <= int64_t{1} << 40, "Invalid number of data points (", n,
              ") specified for a Fourier transform");
  {
    const std::lock_guard<std::mutex> lock(cache.mutex);
    const auto found = cache.plans.find(n);
    if (found != cache.plans.end()) return found->second;
  }
  auto plan = make_plan<T>(n);
  const std::lock_guard<std::mutex> lock(cache.mutex);
  if (cache.plans.size() >= most_plans || cache.points + n > most_points) {
    cache.plans.clear();
    cache.points = 0;
  }
  cache.points += n;
  cache.plans.emplace(n, plan);
  return plan;
}

template TORCH_API std::shared_ptr<const FftPlan<float>> fft_plan(int64_t n);
template TORCH_API std::shared_ptr<const FftPlan<double>> fft_plan(int64_t n);

}  // namespace at::native
