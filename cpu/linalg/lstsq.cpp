// Least squares by LAPACK.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/cpu/linalg/finite.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/lstsq.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/all.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/item.h>
#include <ATen/ops/linalg_lstsq_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace at::native {

namespace {

struct LstsqResults {
  Tensor a, b;  // column-major, overwritten: the solution is above in b, the residuals below
  Tensor rank, singular_values, info;
};

// Buffers of one thread. The lengths come from a query, but for those that LAPACK's manual gives.
template <class T>
struct LstsqBuffers {
  using Real = typename c10::scalar_value_type<T>::type;
  std::vector<T> work = std::vector<T>(1);
  std::vector<Real> real = std::vector<Real>(1);
  std::vector<lapack::Int> integers = std::vector<lapack::Int>(1);
};

template <class T>
struct LstsqCalls {
  using Real = typename c10::scalar_value_type<T>::type;
  LstsqDriver driver;
  lapack::Int m, n, sides, ld;
  Real rcond;

  // With a length of -1 the lengths are asked for, and left in the buffers' first elements.
  void call(T* a, T* b, Real* s, LstsqBuffers<T>& buffers, lapack::Int length, lapack::Int* rank,
            lapack::Int* info) const {
    T* const work = buffers.work.data();
    Real* const real = buffers.real.data();
    lapack::Int* const integers = buffers.integers.data();
    constexpr bool complex = lapack::detail::is_complex<T>;
    if (driver == LstsqDriver::Gels) {
      lapack::call<T, "gels">('N', m, n, sides, a, m, b, ld, work, length, info);
    } else if (driver == LstsqDriver::Gelsy) {
      std::fill(buffers.integers.begin(), buffers.integers.end(), 0);
      if constexpr (complex) {
        lapack::call<T, "gelsy">(m, n, sides, a, m, b, ld, integers, rcond, rank, work, length, real, info);
      } else {
        lapack::call<T, "gelsy">(m, n, sides, a, m, b, ld, integers, rcond, rank, work, length, info);
      }
    } else if (driver == LstsqDriver::Gelsd) {
      if constexpr (complex) {
        lapack::call<T, "gelsd">(m, n, sides, a, m, b, ld, s, rcond, rank, work, length, real, integers,
                                 info);
      } else {
        lapack::call<T, "gelsd">(m, n, sides, a, m, b, ld, s, rcond, rank, work, length, integers, info);
      }
    } else {
      if constexpr (complex) {
        lapack::call<T, "gelss">(m, n, sides, a, m, b, ld, s, rcond, rank, work, length, real, info);
      } else {
        lapack::call<T, "gelss">(m, n, sides, a, m, b, ld, s, rcond, rank, work, length, info);
      }
    }
  }

  // The lengths of the buffers, which are made by each thread.
  void ask(T* a, T* b, size_t& work, size_t& real, size_t& integers) const {
    LstsqBuffers<T> answers;
    answers.integers.resize(static_cast<size_t>(n));
    Real s = 0;
    lapack::Int rank = 0, info = 0;
    call(a, b, &s, answers, -1, &rank, &info);
    work = static_cast<size_t>(lapack::workspace_size(answers.work[0]));
    const size_t order = static_cast<size_t>(std::min(m, n)), columns = static_cast<size_t>(n);
    real = std::max({static_cast<size_t>(lapack::workspace_size(answers.real[0])), 2 * columns, 5 * order});
    integers = std::max(static_cast<size_t>(std::max(answers.integers[0], lapack::Int{1})), columns);
  }
};

template <class T>
void solve_lstsq_batch(const LstsqCalls<T>& calls, const LstsqResults& results) {
  using Real = typename LstsqCalls<T>::Real;
  const int64_t a_step = results.a.size(-2) * results.a.size(-1),
                b_step = results.b.size(-2) * results.b.size(-1), order = results.singular_values.size(-1);
  T *const matrices = results.a.mutable_data_ptr<T>(), *const sides = results.b.mutable_data_ptr<T>();
  Real* const values = results.singular_values.mutable_data_ptr<Real>();
  int64_t* const ranks = results.rank.mutable_data_ptr<int64_t>();
  int* const infos = results.info.mutable_data_ptr<int>();
  size_t work = 0, real = 0, integers = 0;
  calls.ask(matrices, sides, work, real, integers);
  const double operations = 4 * static_cast<double>(a_step) * static_cast<double>(order);
  lapack::for_each_matrix(results.info.numel(), operations, [&](int64_t first, int64_t last) {
    LstsqBuffers<T> buffers;
    buffers.work.resize(work);
    buffers.real.resize(real);
    buffers.integers.resize(integers);
    for (int64_t i = first; i < last; ++i) {
      lapack::Int rank = 0;
      calls.call(matrices + i * a_step, sides + i * b_step, values + i * order, buffers,
                 static_cast<lapack::Int>(work), &rank, infos + i);
      ranks[i] = rank;
    }
  });
}

void solve_lstsq(const LstsqProblem& problem, LstsqDriver driver, std::optional<double> rcond,
                 const LstsqResults& results) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(results.a.scalar_type(), "linalg_lstsq", [&] {
    using Real = typename LstsqCalls<scalar_t>::Real;
    const double standard = static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                            static_cast<double>(std::max(problem.rows, problem.columns));
    const LstsqCalls<scalar_t> calls{driver,
                                     lapack::narrow(problem.rows),
                                     lapack::narrow(problem.columns),
                                     lapack::narrow(results.b.size(-1)),
                                     lapack::narrow(results.b.size(-2)),
                                     static_cast<Real>(rcond.value_or(standard))};
    solve_lstsq_batch<scalar_t>(calls, results);
  });
}

LstsqResults make_lstsq_results(const LstsqProblem& problem) {
  const c10::TensorOptions options = problem.a.options();
  LstsqResults made;
  const int64_t rows = problem.rows, columns = problem.columns;
  made.a = problem.a.is_meta() ? problem.a : copy_column_major(problem.a);
  made.b =
      empty_column_major(with_matrix(problem.batch, std::max(rows, columns), problem.b.size(-1)), options);
  made.b.zero_();
  made.b.narrow(-2, 0, rows).copy_(problem.b);
  made.rank = at::zeros(problem.batch, options.dtype(kLong));
  DimVector sizes = problem.batch;
  sizes.push_back(std::min(rows, columns));
  made.singular_values = at::zeros(sizes, options.dtype(c10::toRealValueType(problem.a.scalar_type())));
  made.info = at::zeros(problem.batch, options.dtype(kInt));
  return made;
}

Tensor residuals_of(const LstsqProblem& problem, LstsqDriver driver, const LstsqResults& results) {
  const int64_t more = problem.rows - problem.columns;
  const bool by_values = driver == LstsqDriver::Gelsd || driver == LstsqDriver::Gelss;
  const bool known =
      more > 0 && driver != LstsqDriver::Gelsy &&
      (!by_values || results.rank.is_meta() || results.rank.eq(problem.columns).all().item<bool>());
  if (!known) return at::empty({0}, results.singular_values.options());
  return results.b.narrow(-2, problem.columns, more).abs().pow(2).sum({-2});
}

void check_lstsq_out(const Tensor& out, ScalarType expected, const char* which) {
  TORCH_CHECK(out.scalar_type() == expected, "torch.linalg.lstsq: Expected ", which, " of dtype ", expected,
              ", but got ", out.scalar_type());
}

}  // namespace

std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(const Tensor& self, const Tensor& b,
                                                                std::optional<double> rcond,
                                                                std::optional<std::string_view> driver,
                                                                Tensor& solution, Tensor& residuals,
                                                                Tensor& rank, Tensor& singular_values) {
  const LstsqDriver chosen = parse_lstsq_driver(driver);
  const LstsqProblem problem = make_lstsq_problem(self, b);
  const ScalarType real = c10::toRealValueType(self.scalar_type());
  check_lstsq_out(solution, self.scalar_type(), "solution");
  check_lstsq_out(residuals, real, "residuals");
  check_lstsq_out(rank, kLong, "rank");
  check_lstsq_out(singular_values, real, "singular_values");
  const LstsqResults results = make_lstsq_results(problem);
  const bool by_values = chosen == LstsqDriver::Gelsd || chosen == LstsqDriver::Gelss;
  if (!self.is_meta() && results.a.numel() > 0 && results.b.numel() > 0) {
    if (by_values) check_finite(results.a, "torch.linalg.lstsq");
    solve_lstsq(problem, chosen, rcond, results);
    at::_linalg_check_errors(results.info, "torch.linalg.lstsq", results.info.numel() <= 1);
  }
  const Tensor none = at::empty({0}, results.rank.options());
  const Tensor found = results.b.narrow(-2, 0, problem.columns);
  write_result("linalg.lstsq", solution, problem.vector ? found.squeeze(-1) : found);
  write_result("linalg.lstsq", residuals, residuals_of(problem, chosen, results));
  write_result("linalg.lstsq", rank, chosen == LstsqDriver::Gels ? none : results.rank);
  write_result("linalg.lstsq", singular_values,
               by_values ? results.singular_values : at::empty({0}, results.singular_values.options()));
  return {solution, residuals, rank, singular_values};
}

}  // namespace at::native
