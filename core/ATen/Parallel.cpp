// The thread pool behind parallel_for.
// The thread that calls a loop offers it to the workers and executes pieces itself. When no pieces are left
// it withdraws the offers that no worker has accepted and waits only for workers that are executing a piece:
// on a busy machine, whose workers aren't scheduled, a loop costs hardly more than a serial one. A forked
// child has no workers and starts new ones.
#include <ATen/Parallel.h>

#include <c10/core/impl/GilRelease.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

namespace at::inline C10_ABI {

namespace {

constexpr int kMaxThreads = 256;
// Several pieces per thread balance the load when threads start late.
constexpr int64_t kPiecesPerThread = 4;
// An idle worker spins for about 50 us before it sleeps: waking it costs as much.
constexpr int kSpins = 2000;

constinit thread_local int thread_num = 0;
constinit thread_local bool in_region = false;

void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// One loop. Lives on the stack of its caller, which returns only when no worker uses it.
class Job {
 public:
  Job(int64_t begin, int64_t end, int64_t piece, c10::function_ref<void(int64_t, int64_t)> f)
      : end_(end), piece_(piece), f_(f), next_(begin) {}

  // Executes pieces until none is left.
  void work() noexcept {
    const bool was_in_region = in_region;
    in_region = true;
    for (;;) {
      const int64_t first = next_.fetch_add(piece_, std::memory_order_relaxed);
      if (first >= end_) break;
      const int64_t last = end_ - first < piece_ ? end_ : first + piece_;
      try {
        f_(first, last);
      } catch (...) {
        next_.store(end_, std::memory_order_relaxed);  // no more pieces are needed
        if (!failed_.exchange(true, std::memory_order_acq_rel)) error_ = std::current_exception();
      }
    }
    in_region = was_in_region;
  }

  void add_offer() { offers_.fetch_add(1, std::memory_order_relaxed); }
  // The last access by the worker that accepted the offer.
  void drop_offer() { offers_.fetch_sub(1, std::memory_order_acq_rel); }

  void wait() {
    for (int spins = 0; offers_.load(std::memory_order_acquire) != 0; ++spins) {
      if (spins < kSpins) {
        spin_pause();
      } else if (spins < 2 * kSpins) {
        ::sched_yield();
      } else {
        const timespec pause{0, 50000};
        ::nanosleep(&pause, nullptr);
      }
    }
  }
  void rethrow() {
    if (failed_.load(std::memory_order_acquire)) std::rethrow_exception(error_);
  }

 private:
  const int64_t end_, piece_;
  const c10::function_ref<void(int64_t, int64_t)> f_;
  std::atomic<int64_t> next_;
  std::atomic<int> offers_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

class alignas(64) Worker {
 public:
  // Offers the job to the worker if it has no other offer.
  bool offer(Job& job) {
    Job* expected = nullptr;
    job.add_offer();
    if (!offered_.compare_exchange_strong(expected, &job)) {
      job.drop_offer();
      return false;
    }
    // A store-load pair on each side: this side stores the offer, then reads whether the worker sleeps; the
    // worker stores that it sleeps, then reads whether there is an offer. At least one of them sees the
    // other's store.
    if (sleeping_.load()) {
      std::lock_guard<std::mutex> lock(mutex_);
      wakeup_.notify_one();
    }
    return true;
  }

  void take_back(Job& job) {
    Job* expected = &job;
    if (offered_.compare_exchange_strong(expected, nullptr)) job.drop_offer();
  }

  [[noreturn]] void run(int number) {
    thread_num = number;
    for (;;) {
      Job* job = wait_for_offer();
      job->work();
      job->drop_offer();
    }
  }

 private:
  Job* wait_for_offer() {
    for (;;) {
      for (int spins = 0; spins < kSpins; ++spins) {
        if (offered_.load(std::memory_order_relaxed) != nullptr) {
          if (Job* job = offered_.exchange(nullptr)) return job;
        }
        spin_pause();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      sleeping_.store(true);
      wakeup_.wait(lock, [&] { return offered_.load() != nullptr; });
      sleeping_.store(false);
    }
  }

  std::atomic<Job*> offered_{nullptr};
  std::atomic<bool> sleeping_{false};
  std::mutex mutex_;
  std::condition_variable wakeup_;
};

class Pool {
 public:
  // Workers 1..n, or as many as could be started.
  int ensure(int n) {
    int count = count_.load(std::memory_order_acquire);
    if (C10_LIKELY(count >= n)) return n;
    std::lock_guard<std::mutex> lock(mutex_);
    for (count = count_.load(std::memory_order_relaxed); count < n && start(count); ++count) {
      count_.store(count + 1, std::memory_order_release);
    }
    return count < n ? count : n;
  }
  Worker& worker(int i) { return *workers_[i]; }

 private:
  bool start(int i) {
    // Signals are for the program's own threads.
    sigset_t all, previous;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &previous);
    auto* worker = new Worker();
    bool started = true;
    try {
      std::thread([worker, i] { worker->run(i + 1); }).detach();
      workers_[i] = worker;
    } catch (const std::exception&) {  // the system has no more threads
      delete worker;
      started = false;
    }
    ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
    return started;
  }

  std::mutex mutex_;
  std::atomic<int> count_{0};
  Worker* workers_[kMaxThreads] = {};
};

// Never destroyed: workers are detached and live as long as the process.
Pool* pool_instance = nullptr;

Pool& pool() {
  static const bool made = [] {
    pool_instance = new Pool();
    // A forked child has none of the parent's threads, and locks may be held by them.
    ::pthread_atfork(nullptr, nullptr, [] { pool_instance = new Pool(); });
    return true;
  }();
  static_cast<void>(made);
  return *pool_instance;
}

int threads_from_environment() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return text == nullptr ? 0 : std::atoi(text);
}

int default_num_threads() {
  int n = threads_from_environment();
  cpu_set_t cpus;
  if (n <= 0 && ::sched_getaffinity(0, sizeof(cpus), &cpus) == 0) n = CPU_COUNT(&cpus);
  if (n <= 0) n = static_cast<int>(std::thread::hardware_concurrency());
  return n < 1 ? 1 : n > kMaxThreads ? kMaxThreads : n;
}

std::atomic<int>& num_threads() {
  static std::atomic<int> n{default_num_threads()};
  return n;
}

}  // namespace

int get_num_threads() { return num_threads().load(std::memory_order_relaxed); }

void set_num_threads(int nthreads) {
  TORCH_CHECK(nthreads > 0, "Expected positive number of threads, got ", nthreads);
  num_threads().store(nthreads < kMaxThreads ? nthreads : kMaxThreads, std::memory_order_relaxed);
}

int get_thread_num() { return thread_num; }
bool in_parallel_region() { return in_region; }

namespace internal {

int64_t threads_for(int64_t elements, int64_t grain_size) {
  if (in_region) return 1;
  const int64_t threads = get_num_threads();
  const int64_t wanted = divup(elements, grain_size > 0 ? grain_size : 1);
  return wanted < threads ? wanted : threads;
}

void invoke_parallel(int64_t begin, int64_t end, int64_t grain_size,
                     c10::function_ref<void(int64_t, int64_t)> f) {
  const c10::impl::GilRelease no_gil;
  const int64_t elements = end - begin, threads = threads_for(elements, grain_size);
  const int64_t grain = grain_size > 0 ? grain_size : 1;
  const int64_t even = divup(elements, threads * kPiecesPerThread);
  Job job(begin, end, even > grain ? even : divup(elements, divup(elements, grain)), f);
  Pool& workers = pool();
  const int helpers = workers.ensure(static_cast<int>(threads) - 1);
  bool offered[kMaxThreads];
  for (int i = 0; i < helpers; ++i) offered[i] = workers.worker(i).offer(job);
  job.work();
  for (int i = 0; i < helpers; ++i) {
    if (offered[i]) workers.worker(i).take_back(job);
  }
  job.wait();
  job.rethrow();
}

}  // namespace internal
}  // namespace at::inline C10_ABI
