// Threads of a block as fibers of one host thread: each runs until it waits or ends.
#include "state.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <deque>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

namespace emulator {

BuiltIn built_in;

namespace {

constexpr int max_threads = 1024, lanes = 32;
constexpr size_t stack_bytes = 256 * 1024;
// So many threads one after another have different stacks: a pointer to what was local to one is seen.
constexpr int fewest_stacks = 8;
constexpr int max_stacks = max_threads + fewest_stacks;
using State = Thread::State;

Thread threads[max_threads];
int thread_count = 0, finished_count = 0, barrier_count = 0;  // threads that have ended, and that wait
char* stacks = nullptr;
int used_stacks = 0;            // the first ones
std::deque<char*> idle_stacks;  // of these, those of threads that have ended
void* scheduler = nullptr;      // its stack pointer while a thread runs
const std::function<void()>* body = nullptr;
cudaError_t stopped_by = cudaSuccess;
uint16_t phase = 0;
thread_local Thread* running = nullptr;

// Saves the registers that a call preserves and continues on another stack, where the same were saved.
extern "C" void emulator_switch(void** saved, void* to);
asm(R"(
.text
.local emulator_switch
.type emulator_switch, @function
emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emulator_switch, .-emulator_switch
)");

void leave(State state) {
  Thread& self = *running;
  self.state = state;
  finished_count += state == State::finished;
  barrier_count += state == State::at_barrier;
  emulator_switch(&self.stack_pointer, scheduler);
}

void thread_main() {
  try {
    (*body)();
  } catch (const std::exception& error) {
    report("exception", nullptr, nullptr, "%s", error.what());
    stopped_by = cudaErrorLaunchFailure;
  }
  leave(State::finished);
  __builtin_unreachable();
}

// Threads that never wait take turns on few stacks, which stay in the processor's cache; there stacks that
// begin at the same place of their pages would displace each other.
void prepare_stack(Thread& thread) {
  constexpr size_t shift = 320, shifts = 61;
  if (static_cast<int>(idle_stacks.size()) < fewest_stacks && used_stacks < max_stacks) {
    thread.stack = stacks + stack_bytes * static_cast<size_t>(used_stacks++);
  } else {
    thread.stack = idle_stacks.front();
    idle_stacks.pop_front();
  }
  const size_t number = static_cast<size_t>(thread.stack - stacks) / stack_bytes;
  auto* top = reinterpret_cast<void**>(thread.stack + stack_bytes - number % shifts * shift);
  *--top = nullptr;  // where thread_main would return to; keeps the alignment of a call
  *--top = reinterpret_cast<void*>(&thread_main);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  thread.stack_pointer = top;
}

void resume(Thread& thread) {
  if (thread.state == State::fresh) prepare_stack(thread);
  thread.state = State::ready;
  const dim3& size = built_in.block_size;
  const unsigned t = thread.number;
  built_in.thread = size.x >= static_cast<unsigned>(thread_count)
                        ? uint3{t, 0, 0}
                        : uint3{t % size.x, t / size.x % size.y, t / size.x / size.y};
  running = &thread;
  emulator_switch(&scheduler, thread.stack_pointer);
  running = nullptr;
  if (thread.state == State::finished) idle_stacks.push_back(thread.stack);
}

void begin_threads(int count) {
  if (stacks == nullptr) {
    stacks = static_cast<char*>(::mmap(nullptr, stack_bytes * max_stacks, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  // A kernel that was stopped left stacks behind.
  if (static_cast<int>(idle_stacks.size()) != used_stacks) {
    idle_stacks.clear();
    used_stacks = 0;
  }
  thread_count = count;
  finished_count = barrier_count = 0;
  phase = 0;
  for (int t = 0; t < count; ++t) {
    Thread& thread = threads[t];
    thread.state = State::fresh;
    thread.number = static_cast<uint16_t>(t);
    thread.phase = 0;
    thread.clocks.fill(0);
    thread.clocks[thread.lane()] = 1;
  }
}

// All live threads wait for each other.
void release_barrier(int finished) {
  const Thread* first = nullptr;
  for (int t = 0; t < thread_count; ++t) {
    Thread& thread = threads[t];
    if (thread.state != State::at_barrier) continue;
    if (first == nullptr) first = &thread;
    if (!(first->place == thread.place)) {
      report("divergent-barrier", nullptr, nullptr, "threads %d and %d wait at %s:%d and %s:%d",
             first->number, t, first->place.file, first->place.line, thread.place.file, thread.place.line);
    }
    thread.state = State::ready;
    thread.phase = static_cast<uint16_t>(phase + 1);
  }
  ++phase;
  barrier_count = 0;
  if (finished > 0) {
    report("barrier-after-exit", nullptr, nullptr, "%d of %d threads have ended, the others wait at %s:%d",
           finished, thread_count, first->place.file, first->place.line);
  }
}

// The lanes of `mask` in the warp that begins at `warp`, without those that have ended.
bool release_lanes(Thread* warp, int size, const Thread& one) {
  const unsigned mask = one.mask;
  std::array<uint16_t, lanes> clocks{};
  unsigned present = 0;
  for (int i = 0; i < size; ++i) {
    const Thread& lane = warp[i];
    if ((mask >> i & 1) == 0 || lane.state == State::finished) continue;
    if (lane.state != State::at_warp || lane.mask != mask || !(lane.place == one.place)) return false;
    present |= 1u << i;
    for (int j = 0; j < lanes; ++j) clocks[j] = std::max(clocks[j], lane.clocks[j]);
  }
  auto& operands = warp[std::countr_zero(present)].kept_operands;
  operands.fill(0);
  for (int i = 0; i < size; ++i) {
    Thread& lane = warp[i];
    if ((present >> i & 1) == 0) continue;
    operands[i] = lane.operand;
    lane.state = State::ready;
    lane.present = present;
    lane.operands = operands.data();
    lane.clocks = clocks;
    ++lane.clocks[i];
  }
  return true;
}

bool release_warps() {
  bool any = false;
  for (int first = 0; first < thread_count; first += lanes) {
    const int size = std::min(lanes, thread_count - first);
    for (int i = 0; i < size; ++i) {
      const Thread& lane = threads[first + i];
      if (lane.state == State::at_warp) any = release_lanes(threads + first, size, lane) || any;
    }
  }
  return any;
}

void report_deadlock() {
  std::string text;
  for (int t = 0; t < thread_count && text.size() < 240; ++t) {
    const Thread& thread = threads[t];
    if (thread.state == State::finished) continue;
    char one[80];
    std::snprintf(one, sizeof(one), " %d at line %d (%s %x)", t, thread.place.line,
                  thread.state == State::at_warp ? "warp" : "block", thread.mask);
    text += one;
  }
  report("deadlock", nullptr, nullptr, "%d of %d threads have ended, the others wait:%s", finished_count,
         thread_count, text.c_str());
}

void order_threads(std::vector<int>& order) {
  std::iota(order.begin(), order.end(), 0);
  if (settings().order == Order::reverse) std::reverse(order.begin(), order.end());
  if (settings().order == Order::random) std::shuffle(order.begin(), order.end(), random_numbers());
}

// Runs each thread that can, up to where it waits or ends.
void run_ready(std::vector<int>& order) {
  order_threads(order);
  for (const int t : order) {
    const State state = threads[t].state;
    if (state == State::fresh || state == State::ready) resume(threads[t]);
    if (stopped_by != cudaSuccess) return;
  }
}

}  // namespace

Thread* running_thread() { return running; }
Unchecked::Unchecked() : thread_(std::exchange(running, nullptr)) {}
Unchecked::~Unchecked() { running = thread_; }
bool is_own_stack(const void* p) {
  return static_cast<size_t>(static_cast<const char*>(p) - running->stack) < stack_bytes;
}
bool is_other_stack(const void* p) {
  return static_cast<size_t>(static_cast<const char*>(p) - stacks) < stack_bytes * max_stacks;
}

void stop_kernel(cudaError_t error) {
  stopped_by = error;
  leave(State::finished);
  __builtin_unreachable();
}

bool run_block(int count, const std::function<void()>& thread) {
  body = &thread;
  stopped_by = cudaSuccess;
  begin_threads(count);
  std::vector<int> order(static_cast<size_t>(count));
  for (;;) {
    run_ready(order);
    if (counts_traffic) count_requests();
    if (stopped_by != cudaSuccess) break;
    if (finished_count == count) return true;
    if (barrier_count == count - finished_count) {
      release_barrier(finished_count);
    } else if (!release_warps()) {
      report_deadlock();
      stopped_by = cudaErrorLaunchFailure;
      break;
    }
  }
  set_device_error(stopped_by);
  return false;
}

void wait_for_block(const Place& place) {
  running->place = place;
  leave(State::at_barrier);
}

unsigned lane() { return running->lane(); }

const uint64_t* exchange(unsigned mask, uint64_t operand, const Place& place) {
  Thread& self = *running;
  if ((mask >> self.lane() & 1) == 0) {
    report("warp-mask", nullptr, nullptr, "lane %u is not in its mask %#x at %s:%d", self.lane(), mask,
           place.file, place.line);
    stop_kernel(cudaErrorLaunchFailure);
  }
  self.mask = mask;
  self.operand = operand;
  self.place = place;
  leave(State::at_warp);
  return self.operands;
}

void check_source_lane(unsigned mask, int source, const Place& place) {
  const Thread& self = *running;
  if (source >= 0 && source < lanes && (self.present >> source & 1) != 0) return;
  report("warp-mask", nullptr, nullptr,
         "lane %u reads lane %d, which has ended or is not in the mask %#x at %s:%d", self.lane(), source,
         mask, place.file, place.line);
  stop_kernel(cudaErrorLaunchFailure);
}

void trap() {
  if (running == nullptr) __builtin_trap();
  stop_kernel(cudaErrorLaunchFailure);
}

}  // namespace emulator
