// parallel_for: coverage, exceptions, nesting, several callers, fork.
#include "check.h"

#include <ATen/Parallel.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

// Each index is visited once.
bool covers(int64_t begin, int64_t end, int64_t grain) {
  std::vector<std::atomic<int>> visits(static_cast<size_t>(end > begin ? end - begin : 0));
  at::parallel_for(begin, end, grain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) ++visits[static_cast<size_t>(i - begin)];
  });
  for (auto& visit : visits) {
    if (visit != 1) return false;
  }
  return true;
}

void every_index_once() {
  for (int threads : {1, 2, 3, 7}) {
    at::set_num_threads(threads);
    for (int64_t n : {0, 1, 2, 9, 100, 1001}) {
      for (int64_t grain : {0, 1, 3, 50, 5000}) CHECK(covers(5, 5 + n, grain));
    }
    for (int i = 0; i < 2000; ++i) CHECK(covers(-3, 40, 1));
  }
}

void pieces_have_grain_size() {
  at::set_num_threads(4);
  at::parallel_for(0, 1000, 100, [](int64_t first, int64_t last) { CHECK(last - first >= 100); });
}

void exceptions_arrive() {
  at::set_num_threads(4);
  for (int i = 0; i < 200; ++i) {
    CHECK_THROWS(at::parallel_for(0, 100, 1,
                                  [](int64_t first, int64_t last) {
                                    if (first <= 57 && 57 < last) throw std::runtime_error("at 57");
                                  }),
                 std::runtime_error, "at 57");
  }
  CHECK(!at::in_parallel_region());
  CHECK(covers(0, 100, 1));
}

void nested_loops_are_serial() {
  at::set_num_threads(4);
  std::atomic<int> wrong{0};
  at::parallel_for(0, 8, 1, [&](int64_t, int64_t) {
    if (!at::in_parallel_region()) ++wrong;
    const auto self = std::this_thread::get_id();
    at::parallel_for(0, 100, 1, [&](int64_t, int64_t) {
      if (std::this_thread::get_id() != self) ++wrong;
    });
  });
  CHECK_EQ(wrong.load(), 0);
}

void reduction() {
  at::set_num_threads(3);
  const int64_t sum = at::parallel_reduce(
      int64_t{1}, int64_t{100001}, int64_t{10}, int64_t{0},
      [](int64_t first, int64_t last, int64_t partial) {
        for (int64_t i = first; i < last; ++i) partial += i;
        return partial;
      },
      [](int64_t a, int64_t b) { return a + b; });
  CHECK_EQ(sum, int64_t{100000} * 100001 / 2);
}

void several_callers() {
  at::set_num_threads(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int i = 0; i < 500; ++i) wrong += !covers(0, 64, 1);
    });
  }
  for (auto& caller : callers) caller.join();
  CHECK_EQ(wrong.load(), 0);
}

void thread_numbers_are_below_the_count() {
  at::set_num_threads(3);
  at::parallel_for(0, 1000, 1, [](int64_t, int64_t) {
    if (at::get_thread_num() < 0 || at::get_thread_num() >= at::get_num_threads()) std::abort();
  });
  CHECK_EQ(at::get_thread_num(), 0);
}

void children_work() {
  at::set_num_threads(3);
  CHECK(covers(0, 1000, 1));
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(covers(0, 1000, 1) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
  }
}

void settings() {
  CHECK_THROWS(at::set_num_threads(0), c10::Error, "positive number of threads");
  at::set_num_threads(2);
  CHECK_EQ(at::get_num_threads(), 2);
}

}  // namespace

int main() {
  RUN(every_index_once);
  RUN(pieces_have_grain_size);
  RUN(exceptions_arrive);
  RUN(nested_loops_are_serial);
  RUN(reduction);
  RUN(several_callers);
  RUN(thread_numbers_are_below_the_count);
  RUN(children_work);
  RUN(settings);
  return check_result();
}
