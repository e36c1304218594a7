// at::parallel_for and at::parallel_reduce.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/SmallVector.h>

#include <cstdint>

namespace at::inline C10_ABI {

namespace internal {
// Fewer elements than this are not worth a second thread.
constexpr int64_t GRAIN_SIZE = 32768;

/// Calls f(begin, end) on pieces of [begin, end), each of at least `grain_size`, on the pool's threads and
/// this one. Rethrows the first exception of any of them. For ranges that are worth more than one thread.
TORCH_API void invoke_parallel(int64_t begin, int64_t end, int64_t grain_size,
                               c10::function_ref<void(int64_t, int64_t)> f);

/// How many threads a loop of this many elements gets: 1 inside another loop and in a forked child.
TORCH_API int64_t threads_for(int64_t elements, int64_t grain_size);
}  // namespace internal

constexpr int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// The number of threads that loops use, this one included.
TORCH_API int get_num_threads();
/// At least 1. Takes effect on the next loop of any thread.
TORCH_API void set_num_threads(int nthreads);
/// The thread's number within a loop; 0 outside of loops and in the thread that began one.
TORCH_API int get_thread_num();
TORCH_API bool in_parallel_region();

/// Calls f(first, last) on disjoint pieces that cover [begin, end). A piece has `grain_size` elements or
/// more, unless the range is shorter. Loops inside `f` are serial.
template <class F>
inline void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(grain_size >= 0);
  if (begin >= end) return;
  if (end - begin <= grain_size || internal::threads_for(end - begin, grain_size) == 1) {
    f(begin, end);
    return;
  }
  internal::invoke_parallel(begin, end, grain_size, f);
}

/// combine(...combine(combine(ident, f(piece 0, ident)), f(piece 1, ident))...). The pieces depend on the
/// number of threads.
template <class scalar_t, class F, class SF>
inline scalar_t parallel_reduce(const int64_t begin, const int64_t end, const int64_t grain_size,
                                const scalar_t ident, const F& f, const SF& combine) {
  if (begin >= end) return ident;
  const int64_t threads = end - begin <= grain_size ? 1 : internal::threads_for(end - begin, grain_size);
  if (threads == 1) return f(begin, end, ident);
  const int64_t piece = divup(end - begin, threads);
  c10::SmallVector<scalar_t, 64> results(static_cast<size_t>(threads), ident);
  scalar_t* const slots = results.data();
  internal::invoke_parallel(0, threads, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t from = begin + i * piece, to = from + piece < end ? from + piece : end;
      if (from < to) slots[i] = f(from, to, ident);
    }
  });
  scalar_t result = ident;
  for (const scalar_t& partial : results) result = combine(result, partial);
  return result;
}

}  // namespace at::inline C10_ABI
